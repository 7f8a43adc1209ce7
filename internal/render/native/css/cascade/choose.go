package cascade

import (
	"math/bits"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// customProperties finds the custom properties and resolves them.
func (c *computing) customProperties(list []held) error {
	own := map[string][]syntax.Value{}
	var names, removed []string
	seen := map[string]bool{}
	for _, h := range list {
		if !h.custom || seen[h.name] {
			continue
		}
		seen[h.name] = true
		switch wide(h.values) {
		case "":
			own[h.name] = h.values
			names = append(names, h.name)
		case "initial":
			removed = append(removed, h.name)
		default: // inherit, unset and revert: custom properties are inherited, and the browser has none
		}
	}
	var parent *property.Custom
	if c.parent != nil {
		parent = c.parent.Custom
	}
	custom, err := resolveCustom(parent.With(nil, removed), names, own)
	if err != nil {
		return err
	}
	for _, name := range names {
		v, _ := custom.Get(name)
		if c.engine.tokensLeft -= v.Weight; c.engine.tokensLeft < 0 {
			return ErrExpansion
		}
	}
	c.style.Custom = custom
	c.vars = &expander{parent: custom}
	return nil
}

// wide returns the keyword of a value that every property takes, or "".
func wide(values []syntax.Value) string {
	if len(values) == 1 && values[0].Kind == syntax.Ident {
		if k := strings.ToLower(values[0].Text); property.CSSWide(k) {
			return k
		}
	}
	return ""
}

// direction computes the direction of the text first: start and end depend on it.
func (c *computing) direction(list []held) error {
	if err := c.choose(list, true); err != nil {
		return err
	}
	p := property.Find("direction")
	c.set(p)
	c.chosen[p.Index] = chosen{}
	return nil
}

// choose walks from the strongest declaration down and keeps the first for each property; with only set, it
// looks for the direction alone.
func (c *computing) choose(list []held, only bool) error {
	for _, h := range list {
		if h.custom || (only && h.name != "direction") {
			continue
		}
		if err := c.engine.tick(); err != nil {
			return err
		}
		longhands, err := c.longhands(h.declaration)
		if err != nil {
			return err
		}
		for i := range longhands {
			if p := longhands[i].Property(c.style.Direction); p != nil {
				c.touched[p.Index/64] |= 1 << (p.Index % 64)
				c.offer(&c.chosen[p.Index], longhands[i].Values, h)
			}
		}
	}
	return nil
}

// offer gives a declaration to a property that may still want one.
func (c *computing) offer(slot *chosen, values []syntax.Value, h held) {
	switch {
	case slot.state == toBrowser && h.origin != fromBrowser,
		slot.state == toLayer && h.layer == slot.layer && h.origin == slot.origin,
		slot.state != open && slot.state != toBrowser && slot.state != toLayer:
		return
	}
	*slot = chosen{state: set, values: values, from: h.declaration, layer: h.layer, origin: h.origin}
	switch wide(values) {
	case "inherit":
		slot.state = inherit
	case "initial":
		slot.state = initial
	case "unset":
		slot.state = unset
	case "revert":
		slot.state = toBrowser
		if h.origin == fromBrowser {
			slot.state = unset
		}
	case "revert-layer":
		slot.state = toLayer
	}
	if values == nil {
		slot.state = initial
	}
}

// longhands returns what a declaration sets, var() resolved. One that turns out wrong unsets its properties.
func (c *computing) longhands(d *declaration) ([]property.Longhand, error) {
	if d.longhands != nil {
		return d.longhands, nil
	}
	if known, ok := c.expands[d]; ok {
		return known, nil
	}
	v, ok, err := c.vars.substitute(d.values)
	if err != nil {
		return nil, err
	}
	if c.engine.tokensLeft -= v.Weight; c.engine.tokensLeft < 0 {
		return nil, ErrExpansion
	}
	var list []property.Longhand
	if ok {
		var outside string
		list, outside, ok = property.Expand(d.name, c.engine.anyContext, syntax.Trim(v.Values))
		if ok && outside != "" {
			f := d.finding
			f.Kind, f.Reason = "value", outside
			c.engine.findings.add(f)
			list = nil
		}
	}
	if !ok {
		for _, name := range property.Longhands(d.name) {
			list = append(list, property.Longhand{Name: name, Values: []syntax.Value{{Kind: syntax.Ident, Text: "unset"}}})
		}
	}
	c.expands[d] = list
	return list, nil
}

// Places in the order in which properties are computed: what comes before is done there.
var (
	afterFonts      = property.Find("color").Index
	afterColor      = property.Find("direction").Index
	afterLineHeight = property.Find("line-height").Index + 1
)

// apply computes the values: fonts, then color, then everything else. The direction is computed already.
func (c *computing) apply() {
	c.setAll(0, afterFonts)
	c.fontsDone()
	c.setAll(afterFonts, afterColor)
	c.style.Color.Current = false
	c.context.Color = c.style.Color
	c.setAll(afterColor+1, afterLineHeight)
	c.context.LineHeight = c.style.LineHeight.Resolve(c.style.FontSize, 0)
	c.setAll(afterLineHeight, len(property.All))
	c.style.Finish(c.parent)
}

// setAll computes the properties from one to another that something was said of.
func (c *computing) setAll(from, to int) {
	for word := from / 64; word < len(c.touched); word++ {
		for left := c.touched[word]; left != 0; left &= left - 1 {
			if i := 64*word + bits.TrailingZeros64(left); i >= from && i < to {
				c.set(property.All[i])
			}
		}
	}
}

func (c *computing) fontsDone() {
	c.style.FitFamily(c.parent, c.context.Quirks)
	c.context.FontSize = c.style.FontSize
	if c.parent == nil {
		c.context.RootFontSize = c.style.FontSize
	}
	c.metrics(c.style)
}

// set computes one property. Where no declaration is left, the style holds the inherited or initial value already.
func (c *computing) set(p *property.Property) {
	slot := &c.chosen[p.Index]
	switch slot.state {
	case inherit:
		if c.parent != nil {
			p.Copy(c.style, c.parent)
		}
	case initial:
		p.Copy(c.style, c.engine.initial)
	case set:
		c.reader.Restart(slot.values)
		outside, ok := p.SetFrom(c.style, &c.reader)
		if outside != "" || !ok {
			c.unset(p)
		}
		if outside != "" {
			f := slot.from.finding
			f.Kind, f.Reason = "value", outside
			c.engine.findings.add(f)
		}
	case open, unset, toBrowser, toLayer:
	}
}

func (c *computing) unset(p *property.Property) {
	if p.Inherited && c.parent != nil {
		p.Copy(c.style, c.parent)
		return
	}
	p.Copy(c.style, c.engine.initial)
}
