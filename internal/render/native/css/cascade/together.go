package cascade

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// together are values that are applied by themselves, but not in some boxes, or not with some others: what each is called, its value if
// the style of a box asks for it there, and why it is outside.
var together = []struct {
	feature, reason string
	asked           func(s, parent *property.Style) property.Keyword
}{
	{"visibility", "rows and columns of tables that collapse are not supported", func(s, _ *property.Style) property.Keyword {
		return given(tableParts[s.Display] && s.Visibility == "collapse", "collapse")
	}},
	{"visibility", "columns of tables that are hidden are not supported", func(s, _ *property.Style) property.Keyword {
		return given(strings.HasPrefix(string(s.Display), "table-column"), not(s.Visibility, "visible", "collapse"))
	}},
	{"align-content", "in a block the content is not aligned", func(s, _ *property.Style) property.Keyword {
		return given(blockish[s.Display], not(s.AlignContent, "normal"))
	}},
	{"justify-self", "a block is not aligned by itself", func(s, parent *property.Style) property.Keyword {
		in := parent == nil || blockish[parent.Display] && s.Float == "none" || outOfFlow(s)
		return given(in && !strings.HasPrefix(string(s.Display), "inline"), not(s.JustifySelf, "auto", "normal", stretched(s)))
	}},
	{"justify-items", "the blocks in a block are not aligned", func(s, _ *property.Style) property.Keyword {
		return given(blockish[s.Display], not(s.JustifyItems, "normal", "legacy"))
	}},
	{"align-self", "a positioned box is not aligned by itself", func(s, _ *property.Style) property.Keyword {
		return given(outOfFlow(s), not(s.AlignSelf, "auto", "normal"))
	}},
	{"aspect-ratio", "positioned boxes with a ratio are not supported", func(s, _ *property.Style) property.Keyword {
		return given(outOfFlow(s) && s.AspectRatio.Width > 0, "of a positioned box")
	}},
	{"aspect-ratio", "tables, flex boxes and grids with a ratio are not supported", func(s, _ *property.Style) property.Keyword {
		return given(containers[s.Display] && s.AspectRatio.Width > 0, "of a container")
	}},
	{"background-image", "a line that ends inside of a box cuts its picture", func(s, _ *property.Style) property.Keyword {
		return given(s.Display == "inline" && slices.ContainsFunc(s.BackgroundImage, pictured), "of an inline box")
	}},
	{"outline", "lines that end inside of a box would cut its outline", func(s, _ *property.Style) property.Keyword {
		return given(s.Display == "inline" && s.OutlineWidth > 0, "of an inline box")
	}},
	{"list-style-position", "markers inside of text from right to left are not supported", func(s, _ *property.Style) property.Keyword {
		return given(s.Display == "list-item" && s.Direction == "rtl" && s.ListStyleType.Name != "none", not(s.ListStylePosition, "outside"))
	}},
	{"outline", "the outline of a table with its caption is not supported", func(s, _ *property.Style) property.Keyword {
		return given(strings.HasSuffix(string(s.Display), "table") && s.OutlineWidth > 0, "of a table")
	}},
	{"border-style", "dots beside another line are not supported", func(s, _ *property.Style) property.Keyword {
		return given(dotsBesideLines(s), "dotted, and others")
	}},
	{"border-radius", "round columns of tables are not supported", func(s, _ *property.Style) property.Keyword {
		return given(strings.HasPrefix(string(s.Display), "table-column") && s.BorderRadius != (property.Corners{}), "of a column")
	}},
	{"list-style-image", "pictures as list markers are not supported", func(s, _ *property.Style) property.Keyword {
		return given(s.Display == "list-item" && !s.ListStyleImage.IsNone(), "url()")
	}},
	{"background", "columns of tables whose cells stand apart are not filled", func(s, _ *property.Style) property.Keyword {
		filled := s.BackgroundColor.A > 0 || slices.ContainsFunc(s.BackgroundImage, pictured)
		apart := s.BorderCollapse == "separate" && (s.BorderSpacingX > 0 || s.BorderSpacingY > 0)
		return given(strings.HasPrefix(string(s.Display), "table-column") && filled && apart, "of a column")
	}},
	{"overflow", "tables that cut off round corners, or what is beside lines that cells share, are not supported", func(s, _ *property.Style) property.Keyword {
		round, shared := s.BorderRadius != (property.Corners{}), s.BorderCollapse == "collapse"
		return given(cutTable(s) && (round || shared), s.OverflowX)
	}},
	{"overflow", "tables that are cut off beside a caption are not supported", func(s, parent *property.Style) property.Keyword {
		return given(s.Display == "table-caption" && parent != nil && cutTable(parent), "of a table")
	}},
	{"text-overflow", "text that is cut off has no dots", func(s, _ *property.Style) property.Keyword {
		return given(s.OverflowX != "visible" && s.Display != "inline", not(s.TextOverflow, "clip"))
	}},
	{"counter-reset", "the number of a list item cannot be set so", func(s, _ *property.Style) property.Keyword {
		return given(s.Display == "list-item" && slices.ContainsFunc(s.CounterReset, ofList), "list-item")
	}},
	{"grid-area", "a positioned box in an area of a grid is not supported", func(s, parent *property.Style) property.Keyword {
		placed := !s.GridRowStart.IsAuto() || !s.GridRowEnd.IsAuto() || !s.GridColumnStart.IsAuto() || !s.GridColumnEnd.IsAuto()
		return given(outOfFlow(s) && placed && parent != nil && strings.HasSuffix(string(parent.Display), "grid"), "of a positioned box")
	}},
}

func given(ok bool, value property.Keyword) property.Keyword {
	if ok {
		return value
	}
	return ""
}

// not returns the value unless it is one of these.
func not(value property.Keyword, these ...property.Keyword) property.Keyword {
	return given(!slices.Contains(these, value), value)
}

func cutTable(s *property.Style) bool {
	return strings.HasSuffix(string(s.Display), "table") && (not(s.OverflowX, "visible") != "" || not(s.OverflowY, "visible") != "")
}

// stretched is the alignment that blocks have anyway.
func stretched(s *property.Style) property.Keyword {
	return given(!outOfFlow(s) && (s.Display == "block" || s.Display == "list-item") && s.Width.Keyword == "auto", "stretch")
}

func outOfFlow(s *property.Style) bool { return s.Position == "absolute" || s.Position == "fixed" }

func ofList(c property.Counter) bool { return c.Name == "list-item" }

// dotsBesideLines reports whether a side that is dotted meets one of another look: browsers share the corner in their own way.
func dotsBesideLines(s *property.Style) bool {
	w, style := s.BorderWidth, s.BorderStyle
	widths := [4]float64{w.Top, w.Right, w.Bottom, w.Left}
	styles := [4]property.Keyword{style.Top, style.Right, style.Bottom, style.Left}
	for i := range 4 {
		next := (i + 1) % 4
		dotted := styles[i] == "dotted" || styles[next] == "dotted"
		if dotted && styles[i] != styles[next] && min(widths[i], widths[next]) > 1 {
			return true
		}
	}
	return false
}

func pictured(i value.Image) bool { return !i.IsNone() }

var (
	containers = map[property.Keyword]bool{
		"flex": true, "inline-flex": true, "grid": true, "inline-grid": true, "table": true, "inline-table": true,
	}
	tableParts = map[property.Keyword]bool{
		"table-row": true, "table-row-group": true, "table-header-group": true, "table-footer-group": true,
		"table-column": true, "table-column-group": true,
	}
	// blockish are the displays of boxes whose children are blocks, or lines.
	blockish = map[property.Keyword]bool{
		"block": true, "inline-block": true, "flow-root": true, "list-item": true, "table-cell": true, "table-caption": true,
	}
)

// asksTogether reports whether an element of this style, or what is generated in it, asks for any of them.
func (s *Styled) asksTogether(parent *property.Style) bool {
	for _, one := range []*property.Style{s.Style, s.Before, s.After} {
		if one != nil && one.Display != "none" {
			for i := range together {
				if together[i].asked(one, parent) != "" {
					return true
				}
			}
		}
		parent = s.Style
	}
	return false
}

// inspectTogether lists what an element, or what is generated in it, asks for together.
func (e *engine) inspectTogether(n *dom.Node, styled *Styled, parent *property.Style) {
	for _, s := range []*property.Style{styled.Style, styled.Before, styled.After} {
		if s != nil && s.Display != "none" {
			e.findTogether(n, s, parent)
		}
		parent = styled.Style
	}
}

func (e *engine) findTogether(n *dom.Node, s, parent *property.Style) {
	for _, t := range together {
		if asked := t.asked(s, parent); asked != "" {
			e.findings.add(Finding{
				Kind: "value", Feature: t.feature, Value: string(asked), Reason: t.reason,
				Source: "document", Line: n.At.Line, Column: n.At.Column,
			})
		}
	}
}
