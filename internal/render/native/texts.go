package native

import (
	"context"
	"strings"
	"unicode"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// unspaced are the scripts that are written without spaces and whose lines are broken by a dictionary: class SA of UAX #14.
var unspaced = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Thai", unicode.Thai},
	{"Lao", unicode.Lao},
	{"Khmer", unicode.Khmer},
	{"Myanmar", unicode.Myanmar},
	{"Tai Le", unicode.Tai_Le},
	{"New Tai Lue", unicode.New_Tai_Lue},
	{"Tai Tham", unicode.Tai_Tham},
	{"Tai Viet", unicode.Tai_Viet},
	{"Ahom", unicode.Ahom},
}

// firstUnspaced is the first character of all of them, so that most text is looked at once.
const firstUnspaced = '\u0e00'

// lookAtTexts finds text whose lines are not broken as in a browser, each script once.
func (p *prepared) lookAtTexts(ctx context.Context, found *findings) error {
	told := map[string]bool{}
	for i, n := range p.document.Elements {
		if i&255 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		styled := p.styles.Of(n)
		if styled.Hidden() {
			continue
		}
		for c := n.First; c != nil; c = c.Next {
			if !c.IsElement() {
				p.lookAtText(c.Text, n, told, found)
			}
		}
		for _, s := range []*property.Style{styled.Before, styled.After} {
			if s != nil {
				for _, item := range s.Content.Items {
					p.lookAtText(item.Text, n, told, found)
				}
			}
		}
	}
	return nil
}

func (p *prepared) lookAtText(text string, n *dom.Node, told map[string]bool, found *findings) {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= firstUnspaced }) {
		return
	}
	for _, s := range unspaced {
		if !told[s.name] && strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(s.table, r) }) {
			told[s.name] = true
			found.add(cascade.Finding{
				Kind: "text", Feature: "text in " + s.name, Reason: "its lines are broken by a dictionary",
				Source: "document", Line: n.At.Line, Column: n.At.Column,
			})
		}
	}
}
