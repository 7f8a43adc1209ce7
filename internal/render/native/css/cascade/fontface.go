package cascade

import (
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// FontFace is a font that the page brings (CSS Fonts 4, section 4).
type FontFace struct {
	Family     string
	Sources    []FontSource // to be tried in order
	MinWeight  float64      // the range of a variable font; both are the same otherwise
	MaxWeight  float64
	Italic     bool
	MinStretch float64 // percent
	MaxStretch float64
	Ranges     []Range // of characters; none is all
	Source     string  // the style sheet
	Line       int
}

// FontSource is an address, relative to Base, or the name of an installed font.
type FontSource struct {
	Base, URL, Format string
	Local             string
}

// Range is a range of characters, both ends included.
type Range struct{ First, Last rune }

// fontRule takes in @font-face.
func (e *engine) fontRule(s sheet, r *syntax.Rule) error {
	if r.Block == nil {
		return nil
	}
	f := FontFace{MinWeight: 400, MaxWeight: 400, MinStretch: 100, MaxStretch: 100, Source: s.source.Name}
	f.Line, _ = s.source.Position(r.Start)
	for _, item := range r.Block.Items {
		d := item.Declaration
		if d == nil {
			continue
		}
		read, known := descriptors[d.Name]
		switch {
		case known && read != nil:
			read(&f, value.NewReader(e.anyContext, d.Value), s.base)
		case known && !strings.EqualFold(d.Text, "normal") && !strings.EqualFold(d.Text, "100%"):
			e.findings.add(at(s.source, d.Start, Finding{Kind: "property", Feature: "@font-face " + d.Name, Value: d.Text, Reason: "the descriptor is not supported"}))
		}
	}
	if f.Family != "" && len(f.Sources) > 0 {
		e.fonts = append(e.fonts, f)
	}
	return nil
}

// descriptors of @font-face; nil ones are outside. font-display has no effect: fonts are there or not.
var descriptors = map[string]func(f *FontFace, r *value.Reader, base string){
	"font-family": func(f *FontFace, r *value.Reader, _ string) {
		var parts []string
		for !r.Done() {
			parts = append(parts, r.Peek().Text)
			r.Skip()
		}
		f.Family = strings.Join(parts, " ")
	},
	"src":           fontSources,
	"font-weight":   func(f *FontFace, r *value.Reader, _ string) { f.MinWeight, f.MaxWeight = weights(r) },
	"font-style":    func(f *FontFace, r *value.Reader, _ string) { _, f.Italic = r.Keyword("italic", "oblique") },
	"font-stretch":  func(f *FontFace, r *value.Reader, _ string) { f.MinStretch, f.MaxStretch = stretches(r) },
	"unicode-range": characterRanges,
	"size-adjust":   nil, "ascent-override": nil, "descent-override": nil, "line-gap-override": nil,
	"font-feature-settings": nil, "font-variation-settings": nil, "font-language-override": nil,
}

func weights(r *value.Reader) (low, high float64) {
	one := func() (float64, bool) {
		if k, ok := r.Keyword("normal", "bold"); ok {
			return map[string]float64{"normal": 400, "bold": 700}[k], true
		}
		return r.Number()
	}
	low, ok := one()
	if !ok {
		return 400, 400
	}
	if high, ok = one(); ok {
		return min(low, high), max(low, high)
	}
	return low, low
}

func stretches(r *value.Reader) (low, high float64) {
	low, ok := r.NumberOrPercent()
	if !ok {
		return 100, 100
	}
	if high, ok = r.NumberOrPercent(); ok {
		return 100 * min(low, high), 100 * max(low, high)
	}
	return 100 * low, 100 * low
}

// fontSources reads src; formats that no browser of today takes are left out.
func fontSources(f *FontFace, r *value.Reader, base string) {
	var list []FontSource
	for !r.Done() {
		v := r.Peek()
		r.Skip()
		switch {
		case v.Kind == syntax.URL:
			list = append(list, FontSource{Base: base, URL: v.Text})
		case v.Kind == syntax.Function && v.Text == "local" && len(v.Args) > 0:
			var parts []string
			for _, a := range syntax.WithoutSpace(v.Args) {
				parts = append(parts, a.Text)
			}
			list = append(list, FontSource{Local: strings.Join(parts, " ")})
		case v.Kind == syntax.Function && v.Text == "format" && len(list) > 0 && len(v.Args) > 0:
			list[len(list)-1].Format = strings.ToLower(v.Args[0].Text)
		}
	}
	f.Sources = nil
	for _, s := range list {
		if s.Format != "embedded-opentype" && s.Format != "svg" {
			f.Sources = append(f.Sources, s)
		}
	}
}

// characterRanges reads unicode-range: U+26, U+0-7F, U+4??.
func characterRanges(f *FontFace, r *value.Reader, _ string) {
	for !r.Done() {
		if v := r.Peek(); v.Kind == syntax.UnicodeRange {
			if one, ok := characterRange(v.Text); ok {
				f.Ranges = append(f.Ranges, one)
			}
		}
		r.Skip()
	}
}

func characterRange(text string) (Range, bool) {
	first, last, ok := strings.Cut(text[2:], "-")
	if !ok {
		first, last = strings.ReplaceAll(first, "?", "0"), strings.ReplaceAll(first, "?", "F")
	}
	a, err := strconv.ParseUint(first, 16, 32)
	b, errLast := strconv.ParseUint(last, 16, 32)
	return Range{rune(min(a, 0x10FFFF)), rune(min(b, 0x10FFFF))}, err == nil && errLast == nil && a <= b
}
