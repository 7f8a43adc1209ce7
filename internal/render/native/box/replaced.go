package box

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// special makes the boxes of elements that are not made of what is in them; false of others.
func (b *builder) special(n *dom.Node, style *property.Style, in place, out *[]*Box) bool {
	var x *Box
	switch {
	case n.Namespace == "svg" && n.Tag == "svg":
		x = b.replaced(b.pictures.Inline(n), style)
	case n.Namespace != "":
		return false
	case n.Tag == "img":
		x = b.img(n, style, in)
	case n.Tag == "br" || n.Tag == "wbr":
		x = b.lineBreak(n, style, in)
	case n.Tag == "input" && isCheckbox(n):
		x = b.checkbox(n, style)
	default:
		address := contentImage(style)
		if address == "" {
			return false
		}
		image := b.find("", address)
		if image == nil {
			return false
		}
		x = b.replaced(image, style)
	}
	if style.Display == "contents" { // CSS Display 3, appendix B: as none
		return true
	}
	x.Node, x.Lang = n, in.lang
	b.attributes(x, n)
	if x.Kind == Replaced || x.Kind == Break {
		b.casing.edge()
	}
	*out = append(*out, x)
	return true
}

// contentImage is the address of an image that stands in place of an element (CSS Content 3, section 1.1).
func contentImage(style *property.Style) string {
	if len(style.Content.Items) == 1 && style.Content.Items[0].Kind == property.ContentImage {
		return style.Content.Items[0].Image.URL
	}
	return ""
}

// find returns an image, or nil, and notes that it is not to be had. Addresses in styles are relative to the page, whose own are
// relative to the base.
func (b *builder) find(base, address string) *images.Image {
	image, err := b.pictures.Find(base, address)
	if err != nil {
		b.missing[shown(address)] = true
		return nil
	}
	return image
}

// shown is an address for people: the data in one are cut.
func shown(address string) string {
	address = strings.TrimSpace(address)
	if len(address) > 60 && strings.EqualFold(address[:5], "data:") {
		return strings.ToValidUTF8(address[:60], "") + "…"
	}
	return address
}

// picture makes an inline image; nil when there is none.
func (b *builder) picture(address string, style *property.Style) *Box {
	if address == "" {
		return nil
	}
	image := b.find("", address)
	if image == nil {
		return nil
	}
	x := b.box(Replaced, style)
	x.Image, x.Inline = image, true
	return x
}

// replaced makes the box of an image: what it shows does not depend on what is in it, so that all but blocks are in a line.
func (b *builder) replaced(image *images.Image, style *property.Style) *Box {
	x := b.box(Replaced, style)
	x.Image, x.Inline = image, inLine(style)
	return x
}

func inLine(style *property.Style) bool {
	switch style.Display {
	case "block", "flow-root", "list-item", "flex", "grid", "table":
		return false
	default:
		return true
	}
}

// img is the box of an <img>.
func (b *builder) img(n *dom.Node, style *property.Style, in place) *Box {
	base, address := "", contentImage(style)
	if address == "" {
		address, _ = n.Attr("src")
		base = b.base
	}
	if strings.TrimSpace(address) != "" {
		if image := b.find(base, address); image != nil {
			return b.replaced(image, style)
		}
	}
	return b.missingImage(n, style, in)
}

// missingImage is what a browser shows in place of an image: an icon with the alternative text, as a part of the line; nothing
// when the text is empty; a frame when both sizes are known and there is no text (HTML standard, section 15.4.3).
func (b *builder) missingImage(n *dom.Node, style *property.Style, in place) *Box {
	alt, said := n.Attr("alt")
	known := style.Width.Keyword == "" && style.Height.Keyword == ""
	framed := known && (!said || b.quirks)
	if !said {
		alt, _ = n.Attr("title")
	}
	if framed {
		style = b.derived.missing(style)
	}
	if said && alt == "" && known && !framed {
		return b.replaced(nil, style)
	}
	x := b.box(Block, style)
	x.Inline, x.Lang = inLine(style), in.lang
	if !framed && style.Display == "inline" {
		x.Kind, x.Inline = Inline, false
	}
	var raw []*Box
	if (!said || alt != "") && (!framed || !small(style)) {
		icon := b.derived.sized(b.derived.anonymous(style, "inline"), "broken image", 16)
		raw = append(raw, b.widget(BrokenImage, icon))
	}
	if alt != "" {
		raw = append(raw, b.textBox(alt, style, in.lang))
	}
	b.fill(x, raw)
	return x
}

// small reports whether there is no room for the icon in a frame.
func small(style *property.Style) bool {
	least := func(s property.Size) bool { return !s.Length.HasPercent() && s.Length.Px < 18 }
	return least(style.Width) || least(style.Height)
}

func (b *builder) widget(w Widget, style *property.Style) *Box {
	x := b.box(Replaced, style)
	x.Widget, x.Inline, x.Anonymous = w, true, true
	return x
}

// lineBreak is a <br> or <wbr>, which no style makes anything else of.
func (b *builder) lineBreak(n *dom.Node, style *property.Style, in place) *Box {
	kind := Break
	if n.Tag == "wbr" {
		kind = Wbr
	}
	if style.Float != "none" || style.Position == "absolute" || style.Position == "fixed" {
		style = b.derived.anonymous(in.style, "inline")
	}
	return b.box(kind, style)
}

func isCheckbox(n *dom.Node) bool {
	kind, _ := n.Attr("type")
	return strings.EqualFold(strings.TrimSpace(kind), "checkbox")
}

// checkbox is a check box of 13 px, as large as browsers draw it.
func (b *builder) checkbox(n *dom.Node, style *property.Style) *Box {
	_, checked := n.Attr("checked")
	_, disabled := n.Attr("disabled")
	w := Checkbox
	switch {
	case checked && disabled:
		w = DisabledCheckedBox
	case disabled:
		w = DisabledCheckbox
	case checked:
		w = CheckedBox
	}
	x := b.box(Replaced, b.derived.checkbox(style))
	x.Widget, x.Inline = w, inLine(style)
	return x
}

// checkbox has the sizes and margins of the browser where the page says nothing.
func (d derived) checkbox(from *property.Style) *property.Style {
	return d.make(from, "check box", func(s *property.Style) {
		if s.Display == "inline" {
			s.Display = "inline-block"
		}
		s.BoxSizing = "border-box"
		if s.Width.Is("auto") {
			s.Width = pixels(13)
		}
		if s.Height.Is("auto") {
			s.Height = pixels(13)
		}
		zero := property.Edges[property.Size]{}
		if s.Margin == zero {
			s.Margin = property.Edges[property.Size]{Top: pixels(3), Right: pixels(3), Bottom: pixels(3), Left: pixels(4)}
		}
	})
}
