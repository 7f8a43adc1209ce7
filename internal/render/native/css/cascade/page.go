package cascade

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Page is what @page says of one page (CSS Paged Media 3). Lengths are CSS pixels.
type Page struct {
	Width, Height float64 // of the sheet
	Margins       property.Edges[float64]
	// Style is the style of the page itself: of its fonts, colors and background.
	Style *property.Style
	// Boxes are the margin boxes that have content, by name: "top-left", "bottom-right-corner".
	Boxes map[string]*property.Style
}

// pageRule is one @page rule with one of its selectors.
type pageRule struct {
	first, left, right, blank bool
	block                     *block
	boxes                     map[string]*block
	spec                      [3]int32
	order                     int32
	layer                     *layer
}

// marginBoxes are the sixteen boxes with the alignment that they have by themselves (section 5.3).
var marginBoxes = map[string][2]property.Keyword{
	"top-left-corner": {"right", "middle"}, "top-left": {"left", "middle"}, "top-center": {"center", "middle"}, "top-right": {"right", "middle"},
	"top-right-corner": {"left", "middle"}, "left-top": {"center", "top"}, "left-middle": {"center", "middle"}, "left-bottom": {"center", "bottom"},
	"right-top": {"center", "top"}, "right-middle": {"center", "middle"}, "right-bottom": {"center", "bottom"},
	"bottom-left-corner": {"right", "middle"}, "bottom-left": {"left", "middle"}, "bottom-center": {"center", "middle"},
	"bottom-right": {"right", "middle"}, "bottom-right-corner": {"left", "middle"},
}

func pageIndex(first, left, blank bool) int {
	i := 0
	for bit, on := range []bool{first, left, blank} {
		if on {
			i |= 1 << bit
		}
	}
	return i
}

// pageRule takes in @page.
func (e *engine) pageRule(s sheet, r *syntax.Rule) error {
	if r.Block == nil {
		return nil
	}
	var list []*syntax.Declaration
	boxes := map[string]*block{}
	for _, item := range r.Block.Items {
		if item.Declaration != nil {
			list = append(list, item.Declaration)
			continue
		}
		if _, ok := marginBoxes[item.Rule.At]; ok && item.Rule.Block != nil {
			boxes[item.Rule.At] = e.block(s, declarations(item.Rule.Block))
		}
	}
	own := e.block(s, list)
	for _, sel := range syntax.SplitComma(r.Prelude) {
		p := &pageRule{block: own, boxes: boxes, layer: s.layer, order: int32(len(e.pageRules))} //nolint:gosec // G115: bounded by the tokens of a sheet
		switch ok, named := p.selector(syntax.WithoutSpace(sel)); {
		case named:
			e.findings.add(at(s.source, r.Start, Finding{Kind: "selector", Feature: "@page " + sel[0].Text, Reason: "named pages are not supported"}))
		case ok:
			e.pageRules = append(e.pageRules, p)
		}
	}
	return nil
}

func declarations(b *syntax.Block) []*syntax.Declaration {
	var list []*syntax.Declaration
	for _, item := range b.Items {
		if item.Declaration != nil {
			list = append(list, item.Declaration)
		}
	}
	return list
}

// selector reads ":first" and its like.
func (p *pageRule) selector(v []syntax.Value) (ok, named bool) {
	if len(v) > 0 && v[0].Kind == syntax.Ident {
		return true, true
	}
	for len(v) >= 2 && v[0].Is(":") && v[1].Kind == syntax.Ident {
		switch strings.ToLower(v[1].Text) {
		case "first":
			p.first = true
			p.spec[1]++
		case "blank":
			p.blank = true
			p.spec[1]++
		case "left":
			p.left = true
			p.spec[2]++
		case "right":
			p.right = true
			p.spec[2]++
		default:
			return false, false
		}
		v = v[2:]
	}
	return len(v) == 0, false
}

func (p *pageRule) matches(first, left, blank bool) bool {
	return (!p.first || first) && (!p.left || left) && (!p.right || !left) && (!p.blank || blank)
}

// pages computes the eight kinds of pages; those with the same rules share one.
func (e *engine) pages(result *Result) error {
	same := map[string]*Page{}
	for i := range result.pages {
		var key []byte
		var rules []*pageRule
		for _, p := range e.pageRules {
			if p.matches(i&1 != 0, i&2 != 0, i&4 != 0) {
				rules = append(rules, p)
				key = binary.AppendVarint(key, int64(p.order))
			}
		}
		if same[string(key)] == nil {
			page, err := e.page(rules, true)
			if err != nil {
				return err
			}
			same[string(key)] = page
		}
		result.pages[i] = same[string(key)]
	}
	return nil
}

// findViewport measures the first page, as far as that does not depend on the styles of the document.
func (e *engine) findViewport() error {
	var rules []*pageRule
	for _, p := range e.pageRules {
		if p.matches(true, false, false) {
			rules = append(rules, p)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	page, err := e.page(rules, false)
	if err != nil {
		return err
	}
	s, m := page.Style, page.Margins
	e.viewport.width = max(page.Width-m.Left-m.Right-s.BorderWidth.Left-s.BorderWidth.Right-s.Padding.Left.Px-s.Padding.Right.Px, 0)
	e.viewport.height = max(page.Height-m.Top-m.Bottom-s.BorderWidth.Top-s.BorderWidth.Bottom-s.Padding.Top.Px-s.Padding.Bottom.Px, 0)
	return nil
}

// page computes the page with these rules. Its margin boxes are left out unless all is asked for; those that var() is in are computed anyway, because of
// what is found in them.
func (e *engine) page(rules []*pageRule, all bool) (*Page, error) {
	own := func(b *block, p *pageRule) entry {
		return entry{block: b, origin: fromAuthor, spec: p.spec, order: p.order, layer: p.layer.order}
	}
	var list []entry
	boxes := map[string][]entry{}
	for _, p := range rules {
		list = append(list, own(p.block, p))
		for name, b := range p.boxes {
			boxes[name] = append(boxes[name], own(b, p))
		}
	}
	style, err := e.style(e.rootStyle, list)
	if err != nil {
		return nil, err
	}
	page := &Page{Style: style, Boxes: map[string]*property.Style{}}
	page.measure(style, e.options, marginsSaid(list))
	for name, entries := range boxes {
		if !all && settled(entries) {
			continue
		}
		box, err := e.style(e.marginBase(style, name), entries)
		if err != nil {
			return nil, err
		}
		if !box.Content.None && !box.Content.IsNormal() {
			if !says(entries, "vertical-align") {
				box.VerticalAlign = property.Size{Keyword: marginBoxes[name][1]}
			}
			page.Boxes[name] = box
		}
	}
	return page, nil
}

// settled reports whether nothing in these blocks depends on custom properties.
func settled(list []entry) bool {
	for _, x := range list {
		for i := range x.block.declarations {
			if d := &x.block.declarations[i]; d.custom || d.longhands == nil {
				return false
			}
		}
	}
	return true
}

// marginBase is what a margin box inherits from: the page, with the alignment of the box. Each is one of its own, since fonts are remembered by the
// style that asks for them.
func (e *engine) marginBase(page *property.Style, name string) *property.Style {
	base := *page
	base.TextAlign = marginBoxes[name][0]
	base.Display = "block"
	return &base
}

func says(list []entry, name string) bool {
	for _, x := range list {
		for i := range x.block.declarations {
			d := &x.block.declarations[i]
			if slices.Contains(property.Longhands(d.name), name) {
				return true
			}
		}
	}
	return false
}

// marginsSaid reports for the four sides whether @page says something of the margin.
func marginsSaid(list []entry) [4]bool {
	return [4]bool{says(list, "margin-top"), says(list, "margin-right"), says(list, "margin-bottom"), says(list, "margin-left")}
}

// measure finds the sheet and its margins; where @page says nothing, what the caller asked for stands.
func (p *Page) measure(s *property.Style, o Options, said [4]bool) {
	p.Width, p.Height = o.Width, o.Height
	if s.PageSize.Width > 0 {
		p.Width, p.Height = s.PageSize.Width, s.PageSize.Height
	} else if long, short := max(o.Width, o.Height), min(o.Width, o.Height); s.PageSize.Orientation == "landscape" {
		p.Width, p.Height = long, short
	} else if s.PageSize.Orientation == "portrait" {
		p.Width, p.Height = short, long
	}
	p.Margins = o.Margins
	for i, side := range []struct {
		to   *float64
		from property.Size
		base float64
	}{
		{&p.Margins.Top, s.Margin.Top, p.Height},
		{&p.Margins.Right, s.Margin.Right, p.Width},
		{&p.Margins.Bottom, s.Margin.Bottom, p.Height},
		{&p.Margins.Left, s.Margin.Left, p.Width},
	} {
		if said[i] {
			*side.to = side.from.Length.Resolve(side.base)
		}
	}
}
