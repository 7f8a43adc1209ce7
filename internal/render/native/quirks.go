package native

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// quirks tells what of a page without a doctype is not laid out as in a browser: <html> and <body> are as high as the page there, and
// what that means for a flex box or a grid depends on the browser more than on any rule.
func (p *prepared) quirks() []cascade.Finding {
	if !p.document.Quirks {
		return nil
	}
	var list []cascade.Finding
	for _, n := range []*dom.Node{p.document.Root, p.document.Body()} {
		if n == nil {
			continue
		}
		display := string(p.styles.Of(n).Style.Display)
		if display == "block" || display == "flow-root" || display == "none" || display == "contents" || strings.HasPrefix(display, "inline") {
			continue
		}
		list = append(list, cascade.Finding{
			Kind: "value", Feature: "display", Value: display, Source: "document", Line: n.At.Line, Column: n.At.Column,
			Reason: "of <" + n.Tag + "> in a page without a doctype is not supported",
		})
	}
	return list
}
