package property

import (
	"math"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/value"
)

// blocks is what a display becomes that must be a block (CSS Display 3, section 2.7).
var blocks = map[Keyword]Keyword{
	"inline": "block", "inline-block": "block", "inline-flex": "flex", "inline-grid": "grid", "inline-table": "table",
	"table-row-group": "block", "table-header-group": "block", "table-footer-group": "block", "table-row": "block",
	"table-cell": "block", "table-column-group": "block", "table-column": "block", "table-caption": "block",
}

// Finish makes a style consistent once all properties are set: what depends on several of them. Parent is nil at
// the root.
func (s *Style) Finish(parent *Style) {
	s.finishDisplay(parent)
	s.finishLines()
	s.finishColors()
	s.Transform = s.moves.all()
	if s.TextAlign == "-internal-center" {
		s.TextAlign = "center"
		if parent != nil && parent.TextAlign != "start" {
			s.TextAlign = parent.TextAlign
		}
	}
	if s.OverflowX != s.OverflowY { // CSS Overflow 3, section 3.1
		s.OverflowX, s.OverflowY = scrolled(s.OverflowX, s.OverflowY), scrolled(s.OverflowY, s.OverflowX)
	}
}

func scrolled(this, other Keyword) Keyword {
	scrolls := other != "visible" && other != "clip"
	switch {
	case this == "visible" && scrolls:
		return "auto"
	case this == "clip" && scrolls:
		return "hidden"
	}
	return this
}

func (s *Style) finishDisplay(parent *Style) {
	out := s.Position == "absolute" || s.Position == "fixed"
	if out {
		s.Float = "none"
	}
	item := parent != nil && (parent.Display == "flex" || parent.Display == "inline-flex" || parent.Display == "grid" || parent.Display == "inline-grid")
	if b, ok := blocks[s.Display]; ok && (out || item || parent == nil || s.Float != "none") {
		s.WasInline = s.WasInline || strings.HasPrefix(string(s.Display), "inline")
		s.Display = b
	}
}

// finishLines: a line that is not drawn has no width, and others are whole pixels wide, at least one (CSS Backgrounds 3, section
// 3.3, "snap as a border width"). A pixel of paper is a CSS pixel.
func (s *Style) finishLines() {
	for _, side := range []struct {
		width *float64
		style Keyword
	}{
		{&s.BorderWidth.Top, s.BorderStyle.Top},
		{&s.BorderWidth.Right, s.BorderStyle.Right},
		{&s.BorderWidth.Bottom, s.BorderStyle.Bottom},
		{&s.BorderWidth.Left, s.BorderStyle.Left},
		{&s.OutlineWidth, s.OutlineStyle},
	} {
		if side.style == "none" || side.style == "hidden" {
			*side.width = 0
		}
		if *side.width > 0 {
			*side.width = max(math.Floor(*side.width), 1)
		}
	}
}

// finishColors replaces currentColor.
func (s *Style) finishColors() {
	for _, c := range []*value.Color{
		&s.BorderColor.Top, &s.BorderColor.Right, &s.BorderColor.Bottom, &s.BorderColor.Left, &s.OutlineColor,
		&s.TextDecorationColor, &s.BackgroundColor, &s.StopColor, &s.SVG.Fill.Color, &s.SVG.Stroke.Color,
	} {
		*c = c.Or(s.Color)
	}
	for i, img := range s.BackgroundImage {
		if img.Gradient == nil || !slices.ContainsFunc(img.Gradient.Stops, func(stop value.Stop) bool { return stop.Color.Current }) {
			continue
		}
		g := *img.Gradient
		g.Stops = slices.Clone(g.Stops)
		for j := range g.Stops {
			g.Stops[j].Color = g.Stops[j].Color.Or(s.Color)
		}
		s.BackgroundImage = slices.Clone(s.BackgroundImage)
		s.BackgroundImage[i].Gradient = &g
	}
}
