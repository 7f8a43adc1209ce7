package property

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

func lineHeight(r *value.Reader) (LineHeight, bool) {
	if _, ok := r.Keyword("normal", "-webkit-body"); ok {
		return LineHeight{}, true
	}
	calculated := r.Peek().Kind == syntax.Function
	if v, ok := r.Number(); ok {
		if v == 0 || calculated && v < 0 {
			return LineHeight{Set: true}, true
		}
		return LineHeight{Factor: v, Set: true}, v > 0
	}
	l, ok := r.NonNegative()
	return LineHeight{Px: l.Resolve(r.Context.FontSize), Set: true}, ok
}

func textIndent(r *value.Reader) (value.Length, bool) {
	more := func() {
		for _, ok := r.Keyword("hanging", "each-line"); ok; _, ok = r.Keyword("hanging", "each-line") {
			r.Refuse("hanging and each-line are not supported")
		}
	}
	more()
	l, ok := r.LengthPercent()
	more()
	return l, ok
}

func tabSize(r *value.Reader) (TabSize, bool) {
	if v, ok := factor(r); ok {
		return TabSize{Spaces: v}, true
	}
	l, ok := pixelsOf(false)(r)
	return TabSize{Px: l}, ok
}

func quotes(r *value.Reader) (Quotes, bool) {
	if k, ok := r.Keyword("auto", "none"); ok {
		return Quotes{Auto: k == "auto"}, true
	}
	var q Quotes
	for !r.Done() {
		first := r.Peek()
		r.Skip()
		second := r.Peek()
		r.Skip()
		if first.Kind != syntax.String || second.Kind != syntax.String {
			return q, false
		}
		q.Pairs = append(q.Pairs, [2]string{first.Text, second.Text})
	}
	return q, len(q.Pairs) > 0
}

// counterStyles are those that are drawn; those of other scripts are outside, and so is what @counter-style defines.
const counterStyles = "none disc circle square decimal decimal-leading-zero lower-roman upper-roman lower-alpha lower-latin upper-alpha upper-latin lower-greek"

func listStyle(r *value.Reader) (ListStyle, bool) {
	v := r.Peek()
	switch {
	case v.Kind == syntax.String:
		r.Skip()
		return ListStyle{Text: v.Text, IsText: true}, true
	case v.Kind == syntax.Function && v.Text == "symbols":
		r.Skip()
		r.Refuse("the function symbols() is not supported")
		return ListStyle{Name: "disc"}, true
	case v.Kind != syntax.Ident || CSSWide(strings.ToLower(v.Text)) || v.IsIdent("default"):
		return ListStyle{}, false
	}
	if k, ok := r.Keyword(strings.Fields(counterStyles)...); ok {
		return ListStyle{Name: Keyword(k)}, true
	}
	r.Skip()
	r.Refuse("the counter style " + v.Text + " is not supported")
	return ListStyle{Name: "decimal"}, true
}

// content reads generated content (CSS Content 3).
func content(r *value.Reader) (Content, bool) {
	if k, ok := r.Keyword("normal", "none"); ok {
		return Content{None: k == "none"}, true
	}
	var c Content
	for !r.Done() {
		if r.Delim("/") { // what follows is read aloud
			for r.Peek().Kind == syntax.String || r.Peek().Kind == syntax.Function {
				r.Skip()
			}
			return c, len(c.Items) > 0
		}
		item, ok := contentItem(r)
		if !ok {
			return c, false
		}
		c.Items = append(c.Items, item)
	}
	return c, len(c.Items) > 0
}

var quoteKinds = map[string]ContentKind{
	"open-quote": ContentOpenQuote, "close-quote": ContentCloseQuote,
	"no-open-quote": ContentNoOpenQuote, "no-close-quote": ContentNoCloseQuote,
}

func contentItem(r *value.Reader) (ContentItem, bool) {
	v := r.Peek()
	switch v.Kind {
	case syntax.String:
		r.Skip()
		return ContentItem{Text: v.Text}, true
	case syntax.Ident:
		r.Skip()
		kind, ok := quoteKinds[strings.ToLower(v.Text)]
		return ContentItem{Kind: kind}, ok
	case syntax.Function:
		if read, ok := contentFunctions[v.Text]; ok {
			r.Skip()
			in := r.Inside(v)
			item, good := read(in)
			return item, good && r.Take(in)
		}
	default:
	}
	picture, ok := ownSize(r)
	return ContentItem{Kind: ContentImage, Image: picture}, ok
}

var contentFunctions = map[string]func(*value.Reader) (ContentItem, bool){
	"counter": func(r *value.Reader) (ContentItem, bool) {
		name, ok := identifier(r)
		style, good := counterStyle(r)
		return ContentItem{Kind: ContentCounter, Name: name, Style: style}, ok && good
	},
	"counters": func(r *value.Reader) (ContentItem, bool) {
		name, ok := identifier(r)
		ok = ok && r.Delim(",") && r.Peek().Kind == syntax.String
		between := r.Peek().Text
		r.Skip()
		style, good := counterStyle(r)
		return ContentItem{Kind: ContentCounters, Name: name, Text: between, Style: style}, ok && good
	},
	"attr": func(r *value.Reader) (ContentItem, bool) {
		name, ok := identifier(r)
		item := ContentItem{Kind: ContentAttr, Name: strings.ToLower(name)}
		if !r.Done() && !r.Peek().Is(",") {
			r.Refuse("types of attr() are not supported")
			for !r.Done() {
				r.Skip()
			}
			return item, ok
		}
		if r.Delim(",") && r.Peek().Kind == syntax.String {
			item.Text = r.Peek().Text
			r.Skip()
		}
		return item, ok
	},
}

func counterStyle(r *value.Reader) (ListStyle, bool) {
	if !r.Delim(",") {
		return ListStyle{Name: "decimal"}, true
	}
	if r.Peek().Kind == syntax.String {
		return ListStyle{}, false
	}
	return listStyle(r)
}

// identifier reads a name that is none of the words that all properties take.
func identifier(r *value.Reader) (string, bool) {
	v := r.Peek()
	if v.Kind != syntax.Ident || CSSWide(strings.ToLower(v.Text)) || v.IsIdent("none") || v.IsIdent("default") {
		return "", false
	}
	r.Skip()
	return v.Text, true
}

// counters reads names with numbers; number is the one that need not be said.
func counters(number int) func(*value.Reader) ([]Counter, bool) {
	return func(r *value.Reader) ([]Counter, bool) {
		if _, ok := r.Keyword("none"); ok {
			return nil, true
		}
		var list []Counter
		for !r.Done() {
			name, ok := identifier(r)
			if !ok {
				return nil, false
			}
			c := Counter{Name: name, Value: number}
			if n, ok := r.Integer(); ok {
				c.Value = n
			}
			list = append(list, c)
		}
		return list, true
	}
}
