package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
)

// dependsOnHeight reports whether it makes a difference for the content of a box that its height is known, and not only what it is:
// whether something in it is a share of a height. It is found once for each box.
func (l *layouter) dependsOnHeight(b *box.Box) bool {
	st := l.state(b)
	if st.depends != unknown {
		return st.depends == yes
	}
	st.depends = no
	if sharesHeight(b) {
		st.depends = yes
		return true
	}
	for _, c := range b.Children {
		if c.Kind != box.Text && (dependsOnSpace(c) || l.dependsOnHeight(c)) {
			st.depends = yes
			return true
		}
	}
	return false
}

// sharesHeight reports whether something in a box is a share of its own height.
func sharesHeight(b *box.Box) bool {
	limited := b.Kind == box.Grid && definite(b.Style.MaxHeight)
	return limited || percent(b.Style.RowGap) || percentTracks(b.Style.GridTemplateRows.List) ||
		percentTracks(b.Style.GridTemplateRows.Repeat) || percentTracks(b.Style.GridAutoRows)
}

// dependsOnSpace reports whether something of a box itself is a share of the height of its containing block. If not, that height is
// not told, so that the box is not laid out anew for it.
func dependsOnSpace(b *box.Box) bool {
	style := b.Style
	return percent(style.Height) || percent(style.MinHeight) || percent(style.MaxHeight) || percent(style.Inset.Top) ||
		percent(style.Inset.Bottom) || percent(style.FlexBasis) || style.FlexBasis.Is("0%") && inColumn(b)
}

// inColumn reports whether a box is an item of a column, where a flex-basis is a height.
func inColumn(b *box.Box) bool {
	p := b.Parent
	return p != nil && p.Kind == box.Flex && (p.Style.FlexDirection == "column" || p.Style.FlexDirection == "column-reverse")
}

func percentTracks(list []property.Track) bool {
	for _, t := range list {
		if percent(t.Min.Size) || percent(t.Max.Size) {
			return true
		}
	}
	return false
}

func percent(size property.Size) bool { return size.Keyword == "" && size.Length.HasPercent() }
