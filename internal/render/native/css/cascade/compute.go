package cascade

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// elements computes the styles of all elements, parents first.
func (e *engine) elements(result *Result) error {
	e.treeFor()
	result.styles = make([]*Styled, len(e.doc.Elements))
	for _, n := range e.doc.Elements {
		if err := e.tick(); err != nil {
			return err
		}
		var parent *Styled
		if n.Parent != nil {
			parent = result.styles[n.Parent.Number]
		}
		styled, err := e.element(n, parent)
		if err != nil {
			return err
		}
		result.styles[n.Number] = styled
		if parent == nil {
			e.rootStyle, e.bodyColor = styled.Style, styled.Style.Color
		} else if n.Tag == "body" && parent.Style == e.rootStyle {
			e.bodyColor = styled.Style.Color
		}
	}
	e.grow()
	return nil
}

// entry is a block that holds for an element, with what its strength is.
type entry struct {
	block  *block
	origin origin
	layer  int
	inline bool
	spec   [3]int32
	order  int32
}

// weaker orders entries by how little their normal declarations count.
func weaker(a, b entry) int {
	switch {
	case a.origin != b.origin:
		return int(a.origin) - int(b.origin)
	case a.inline != b.inline:
		if b.inline {
			return -1
		}
		return 1
	case a.layer != b.layer:
		return a.layer - b.layer
	}
	for i := range a.spec {
		if a.spec[i] != b.spec[i] {
			return int(a.spec[i] - b.spec[i])
		}
	}
	return int(a.order - b.order)
}

// matches are the entries for an element and for what is generated in it.
type matches struct{ element, before, after, marker []entry }

func (e *engine) element(n *dom.Node, parent *Styled) (*Styled, error) {
	m := &e.matches
	m.element, m.before, m.after, m.marker = m.element[:0], m.before[:0], m.after[:0], m.marker[:0]
	e.match(n, m)
	if err := e.attributes(n, m); err != nil {
		return nil, err
	}
	e.key = appendKey(e.key[:0], parent, m)
	if s, ok := e.cache[string(e.key)]; ok {
		return s, nil
	}
	if e.styles++; e.styles > maxStyles {
		return nil, ErrTooManyStyles
	}
	key := string(e.key)
	s, err := e.planted(m)
	if err == nil && s == nil {
		s, err = e.newStyled(n, parent, m, key)
	}
	if err != nil {
		return nil, err
	}
	e.cache[key] = s
	if !s.hidden {
		e.distinct = append(e.distinct, s)
	}
	return s, nil
}

// newStyled computes the styles of an element that matches as no other did.
func (e *engine) newStyled(n *dom.Node, parent *Styled, m *matches, key string) (*Styled, error) {
	told, tokens := e.findings.asked, e.tokensLeft
	s := &Styled{id: e.next}
	e.next++
	var from *property.Style
	if parent != nil {
		from = parent.Style
	}
	var err error
	if s.Style, err = e.style(from, m.element); err != nil {
		return nil, err
	}
	if n.Tag == "table" && strings.HasPrefix(string(s.Style.TextAlign), "-webkit-") { // as in all browsers
		s.Style.TextAlign = "start"
	}
	s.hidden = s.Style.Display == "none" || (parent != nil && parent.hidden)
	if s.Before, err = e.generated(s.Style, m.before); err != nil {
		return nil, err
	}
	if s.After, err = e.generated(s.Style, m.after); err != nil {
		return nil, err
	}
	if s.Marker, err = e.marker(s.Style, m.marker); err != nil {
		return nil, err
	}
	s.apart = !s.asksTogether(from)
	e.plant(key, s, parent, m, told, tokens-e.tokensLeft)
	return s, nil
}

// match finds the rules of an element.
func (e *engine) match(n *dom.Node, m *matches) {
	tag := strings.ToLower(n.Tag)
	for _, set := range [...]*ruleSet{&e.browser.rules, &e.rules} {
		e.try(n, set.universal, m)
		e.try(n, set.byTag[tag], m)
		if n.ID != "" {
			e.try(n, set.byID[n.ID], m)
		}
		for _, class := range n.Classes {
			e.try(n, set.byClass[class], m)
		}
	}
}

func (e *engine) try(n *dom.Node, rules []*rule, m *matches) {
	for _, r := range rules {
		if r.selector.Never || !e.matcher.Match(r.selector, n) {
			continue
		}
		if r.selector.Outside != "" {
			e.outside(r)
			continue
		}
		x := entry{block: r.block, origin: r.origin, layer: r.layer.order, spec: r.selector.Specificity, order: r.order}
		switch r.selector.PseudoElement {
		case "":
			m.element = append(m.element, x)
		case "before":
			m.before = append(m.before, x)
		case "after":
			m.after = append(m.after, x)
		case "marker":
			m.marker = append(m.marker, x)
		}
	}
}

// outside notes that a rule with an unsupported selector would hold for some element.
func (e *engine) outside(r *rule) {
	f, ok := r.block.first()
	if e.told[r] || !ok {
		return
	}
	e.told[r] = true
	f.Kind, f.Value, f.Reason = "selector", "", r.selector.Outside
	f.Feature = strings.TrimSuffix(f.Reason, " is not supported")
	e.findings.add(f)
	e.use(r.block)
}

// use notes that a block holds for some element: what is outside of it is to be told.
func (e *engine) use(b *block) {
	if grow := int(b.id) + 1 - len(e.used); grow > 0 {
		e.used = append(e.used, make([]bool, grow)...)
	}
	e.used[b.id] = true
}

// attributes adds the hints of attributes and the style attribute.
func (e *engine) attributes(n *dom.Node, m *matches) error {
	if text := hints(n); text != "" {
		quirks := e.anyContext.Quirks
		e.anyContext.Quirks = false
		b, err := e.inlineBlock(n, "hints\x00"+text, text, n.At)
		e.anyContext.Quirks = quirks
		if err != nil {
			return err
		}
		m.element = append(m.element, entry{block: b, origin: fromHints})
	}
	if text, ok := n.Attr("style"); ok {
		b, err := e.inlineBlock(n, text, text, dom.Position{})
		if err != nil {
			return err
		}
		m.element = append(m.element, entry{block: b, origin: fromAuthor, inline: true})
	}
	return nil
}

// inlineBlock reads declarations once for each text.
func (e *engine) inlineBlock(n *dom.Node, key, text string, place dom.Position) (*block, error) {
	if b, ok := e.inline[key]; ok {
		return b, nil
	}
	if place.Line == 0 {
		place = e.doc.AttrAt(n, "style")
	}
	parsed, err := syntax.ParseBlock(e.ctx, text)
	if err != nil {
		return nil, err
	}
	var list []*syntax.Declaration
	for _, item := range parsed.Items {
		if item.Declaration != nil {
			list = append(list, item.Declaration)
		}
	}
	b := e.block(sheet{source: syntax.NewSource("document", text, place.Line, place.Column), base: e.pageBase, origin: fromAuthor}, list)
	e.inline[key] = b
	e.inlines = append(e.inlines, b)
	return b, nil
}

// appendKey appends what tells apart elements that may look different.
func appendKey(key []byte, parent *Styled, m *matches) []byte {
	id := int32(-1)
	if parent != nil {
		id = parent.id
	}
	key = binary.AppendVarint(key, int64(id))
	for _, list := range [...][]entry{m.element, m.before, m.after, m.marker} {
		for _, x := range list {
			key = binary.AppendVarint(key, int64(x.block.id))
			key = binary.AppendVarint(key, int64(x.order))
		}
		key = binary.AppendVarint(key, -1)
	}
	return key
}

// generated computes ::before and ::after; nil when nothing is generated.
func (e *engine) generated(parent *property.Style, list []entry) (*property.Style, error) {
	if len(list) == 0 {
		return nil, nil // no rule, no box
	}
	s, err := e.style(parent, list)
	if err != nil || s.Content.None || s.Content.IsNormal() {
		return nil, err
	}
	return s, nil
}

// marker computes ::marker; nil when nothing is said of it. Properties of boxes do not apply to it, and of those that are
// inherited not all (CSS Pseudo-Elements 4, section 4.1).
func (e *engine) marker(item *property.Style, list []entry) (*property.Style, error) {
	if len(list) == 0 || item.Display != "list-item" {
		return nil, nil // no rule, or no marker
	}
	s, err := e.style(item, list)
	if err != nil {
		return nil, err
	}
	s.Visibility, s.TextIndent, s.TextAlign = item.Visibility, item.TextIndent, item.TextAlign
	for _, x := range list {
		for i := range x.block.declarations {
			d := &x.block.declarations[i]
			if d.name == "content" || d.name == "font-size" || d.name == "font" || d.name == "line-height" {
				f := d.finding
				f.Kind, f.Reason = "value", d.name+" of ::marker is not supported"
				e.findings.add(f)
			}
		}
	}
	return s, nil
}

// style computes a style out of the entries; parent is nil at the root.
func (e *engine) style(parent *property.Style, list []entry) (*property.Style, error) {
	slices.SortStableFunc(list, weaker)
	for _, x := range list {
		e.use(x.block)
	}
	c := e.compute(parent)
	ordered := e.strength(list)
	if err := c.customProperties(ordered); err != nil {
		return nil, err
	}
	if err := c.direction(ordered); err != nil {
		return nil, err
	}
	if err := c.choose(ordered, false); err != nil {
		return nil, err
	}
	c.apply()
	return c.style, nil
}

// held is a declaration with where it stands in the cascade.
type held struct {
	*declaration
	origin origin
	layer  int
}

// strength lists the declarations, the strongest first: important ones of the browser, then of the author with
// layers the other way round, then the normal ones.
func (e *engine) strength(list []entry) []held {
	normal, important := e.declared[0][:0], e.declared[1][:0]
	for _, x := range list {
		for i := range x.block.declarations {
			h := held{&x.block.declarations[i], x.origin, x.layer}
			if x.inline {
				h.layer = 1 << 30
			}
			if h.important {
				important = append(important, h)
			} else {
				normal = append(normal, h)
			}
		}
	}
	slices.Reverse(normal)
	slices.Reverse(important) // now the last of equals comes first, as it must
	slices.SortStableFunc(important, func(a, b held) int {
		if a.origin != b.origin {
			return int(a.origin) - int(b.origin)
		}
		return inlineFirst(a.layer) - inlineFirst(b.layer)
	})
	important = append(important, normal...)
	e.declared = [2][]held{normal, important}
	return important
}

func inlineFirst(layer int) int {
	if layer == 1<<30 {
		return -1
	}
	return layer
}

// computing is the computation of one style. Its memory serves the next one.
type computing struct {
	engine  *engine
	parent  *property.Style
	style   *property.Style
	context value.Context
	reader  value.Reader // of values in the context
	vars    *expander
	chosen  []chosen // by index of the property
	touched []uint64 // bits of those that something was said of
	expands map[*declaration][]property.Longhand
}

// chosen is what became of a property in the cascade.
type chosen struct {
	state  state
	values []syntax.Value
	from   *declaration
	layer  int
	origin origin
}

type state uint8

const (
	open state = iota
	set
	unset
	inherit
	initial
	toBrowser // revert was seen: the browser's own counts
	toLayer   // revert-layer was seen: another layer counts
)

// compute begins with a style.
func (e *engine) compute(parent *property.Style) *computing {
	c := &e.computing
	if c.chosen == nil {
		n := len(property.All)
		*c = computing{engine: e, chosen: make([]chosen, n), touched: make([]uint64, n/64+1), expands: map[*declaration][]property.Longhand{}}
	}
	c.forget()
	from := e.initial
	if parent != nil {
		from = parent
	}
	c.parent, c.reader.Context = parent, &c.context
	c.style = &property.Style{Inherited: from.Inherited, Box: e.initial.Box, Custom: from.Custom}
	c.context = value.Context{
		FontSize: from.FontSize, RootFontSize: from.FontSize, ParentSize: from.FontSize, ParentWeight: from.FontWeight,
		ViewportWidth: e.viewport.width, ViewportHeight: e.viewport.height, Color: from.Color,
		LineHeight: from.LineHeight.Resolve(from.FontSize, 0), Quirks: e.doc.Quirks, Internal: true, Body: e.bodyColor,
	}
	if root := e.rootStyle; root != nil {
		c.context.RootFontSize = root.FontSize
		c.context.RootLineHeight = root.LineHeight.Resolve(root.FontSize, 0)
	}
	c.metrics(from)
	return c
}

// forget makes room for another style.
func (c *computing) forget() {
	for word, left := range c.touched {
		for ; left != 0; left &= left - 1 {
			c.chosen[64*word+bits.TrailingZeros64(left)] = chosen{}
		}
	}
	clear(c.touched)
	clear(c.expands)
}

func (c *computing) metrics(s *property.Style) {
	if c.engine.options.Metrics != nil && c.engine.fontUnits {
		c.context.Ex, c.context.Ch = c.engine.options.Metrics(s)
	}
}
