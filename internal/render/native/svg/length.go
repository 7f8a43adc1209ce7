package svg

import (
	"math"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// units are lengths in user units.
var units = map[string]float64{
	"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
}

// length reads an attribute; base is what percentages are of.
func (p *painter) length(n *dom.Node, s *property.Style, name string, base, otherwise float64) float64 {
	if v, ok := parseLength(n, s, name, base); ok {
		return v
	}
	return otherwise
}

func parseLength(n *dom.Node, s *property.Style, name string, base float64) (float64, bool) {
	text, ok := n.Attr(name)
	if !ok {
		return 0, false
	}
	in := scanner{strings.TrimSpace(text)}
	v, ok := in.number()
	if !ok {
		return 0, false
	}
	unit := strings.ToLower(in.rest)
	switch unit {
	case "%":
		return v * base / 100, true
	case "em":
		return v * s.FontSize, true
	case "rem":
		return v * 16, true
	case "ex", "ch":
		return v * s.FontSize / 2, true
	}
	k, ok := units[unit]
	return v * k, ok
}

// diagonal is what percentages are of that belong to neither direction (SVG 2, section 8.9).
func (p *painter) diagonal() float64 {
	return math.Sqrt((float64(p.width*p.width) + float64(p.height*p.height)) / 2)
}
