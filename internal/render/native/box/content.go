package box

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// pseudo appends the box of ::before or ::after, with what its content says in it.
func (b *builder) pseudo(n *dom.Node, style *property.Style, name string, in place, out *[]*Box) {
	if style.Display == "none" {
		return
	}
	b.counters.open()
	defer b.counters.close()
	b.counters.generate(style)
	if in.item {
		style = b.derived.item(style)
	}
	if style.Display == "contents" {
		in.style = b.derived.anonymous(style, "inline")
		b.content(n, style, in, out)
		return
	}
	s := shapes[style.Display]
	x := b.box(s.kind, style)
	x.Node, x.Pseudo, x.Inline, x.Lang = n, name, s.inline, in.lang
	if x.Kind == TableCell {
		x.ColSpan, x.RowSpan = 1, 1
	}
	if x.Kind == TableColumn {
		x.Span = 1
	}
	*out = append(*out, x)
	b.casing.begin(x)
	around := in.style
	in.style = style
	var raw []*Box
	b.marker(x, nil, in, &raw)
	b.content(n, style, in, &raw)
	b.casing.end(x, around)
	b.fill(x, raw)
}

// content appends generated content: texts that stand side by side are one.
func (b *builder) content(n *dom.Node, style *property.Style, in place, out *[]*Box) {
	var text strings.Builder
	flush := func() {
		if b.generated += text.Len(); b.generated > maxText {
			b.wordy()
		}
		if text.Len() > 0 {
			*out = append(*out, b.textBox(text.String(), in.style, in.lang))
			text.Reset()
		}
	}
	for _, item := range style.Content.Items {
		if b.err != nil {
			return
		}
		if item.Kind != property.ContentImage {
			text.WriteString(b.contentText(n, item, style, in.outer))
			continue
		}
		if x := b.picture(item.Image.URL, b.derived.anonymous(style, "inline")); x != nil {
			flush()
			x.Node, x.Anonymous = n, true
			*out = append(*out, x)
			b.casing.edge()
		}
	}
	flush()
}

// counted is what counters() says.
func (b *builder) counted(item property.ContentItem) string {
	values := b.counters.values(item.Name)
	if len(values)*len(item.Text) > maxText {
		b.wordy()
		return ""
	}
	var parts []string
	for _, v := range values {
		parts = append(parts, numeral(item.Style, v))
	}
	return strings.Join(parts, item.Text)
}

// wordy notes that there is too much generated text.
func (b *builder) wordy() {
	if b.err == nil {
		b.err = ErrTooMuchText
	}
}

// contentText is what an item of content says.
func (b *builder) contentText(n *dom.Node, item property.ContentItem, style *property.Style, lang string) string {
	switch item.Kind {
	case property.ContentText:
		return item.Text
	case property.ContentCounter:
		return numeral(item.Style, b.counters.value(item.Name))
	case property.ContentCounters:
		return b.counted(item)
	case property.ContentAttr:
		if n != nil {
			if v, ok := n.Attr(item.Name); ok {
				return v
			}
		}
		return item.Text
	case property.ContentOpenQuote, property.ContentNoOpenQuote:
		b.quotes++
		if item.Kind == property.ContentOpenQuote {
			return quote(style.Quotes, lang, b.quotes-1, 0)
		}
	case property.ContentCloseQuote, property.ContentNoCloseQuote:
		if b.quotes == 0 {
			return ""
		}
		b.quotes--
		if item.Kind == property.ContentCloseQuote {
			return quote(style.Quotes, lang, b.quotes, 1)
		}
	case property.ContentImage:
	}
	return ""
}
