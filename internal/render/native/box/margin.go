package box

import (
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/images"
)

// Page is what the counters of a page are: its number, from 1, and how many there are.
type Page struct{ Page, Pages int }

// Margin makes an @page margin box (CSS Paged Media 3, section 5): a block container with lines, which has no element; nil if
// its content is normal or none. Empty content makes an empty box, which may have a background. Name is that of the box, "top-left",
// and becomes its Pseudo.
func Margin(name string, style *property.Style, counters Page, pictures *images.Loader, lang string) *Box {
	if style == nil || style.Display == "none" || style.Content.None || style.Content.IsNormal() {
		return nil
	}
	b := newBuilder(pictures) // without a context: there is nothing to interrupt
	b.counters.generate(style)
	b.counters.set("page", counters.Page)
	b.counters.set("pages", counters.Pages)
	var raw []*Box
	b.content(nil, style, place{lang: lang, outer: lang, style: style}, &raw)
	x := b.box(Block, style)
	x.Pseudo, x.Lang = name, lang
	b.fill(x, raw)
	b.number(&Tree{Root: x})
	return x
}
