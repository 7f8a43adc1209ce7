package text_test

import (
	"fmt"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

func TestSmoke(t *testing.T) {
	root := layouttest.Layout(t, "<!doctype html><body style='margin:0;font:15px Noto Sans'><div style='width:100px'>Hello <b>bold</b> world, ä well <i style='padding:3px'>an</i> سلام 123 abc</div>", nil)
	div := root.Children[0].Children[0]
	for _, l := range div.Lines {
		fmt.Printf("%+v\n", *l)
		for _, p := range l.Parts {
			switch {
			case p.Text != nil:
				s := ""
				for _, g := range p.Text.Glyphs { s += g.Text }
				fmt.Printf("   %q %.2f %.2f w %.2f\n", s, p.Text.X, p.Text.Y, p.Text.Width)
			case p.Inline != nil:
				fmt.Printf("   inline %.2f %.2f %.2f %.2f\n", p.Inline.X, p.Inline.Y, p.Inline.Width, p.Inline.Height)
			}
		}
	}
}
