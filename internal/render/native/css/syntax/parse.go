package syntax

import (
	"context"
	"slices"
	"strings"
)

// Rule is a qualified rule (At is "") or an at-rule.
type Rule struct {
	At      string  // lower case, without @
	Prelude []Value // trimmed
	Block   *Block  // nil of a statement such as @import
	Start   int
}

// Block is what stands between braces, in order.
type Block struct{ Items []Item }

// Item is one of both.
type Item struct {
	Declaration *Declaration
	Rule        *Rule
}

// Declaration is a name with a value.
type Declaration struct {
	Name      string // lower case; custom properties as written
	Value     []Value
	Text      string // the value as written, trimmed, without !important
	Important bool
	Start     int
}

// IsCustom reports whether the declaration is of a custom property.
func (d *Declaration) IsCustom() bool { return strings.HasPrefix(d.Name, "--") }

// parser walks tokens. Blocks are read by recursion, which maxDepth bounds.
type parser struct {
	ctx    context.Context // it lives for one call and is looked at in every loop
	text   string
	tokens []Value
	next   int
	depth  int
	steps  int
}

// ParseSheet reads a style sheet. It fails with [ErrTooLarge], [ErrTooDeep] or the cause of ctx.
func ParseSheet(ctx context.Context, text string) ([]*Rule, error) {
	p, err := newParser(ctx, text)
	if err != nil {
		return nil, err
	}
	var rules []*Rule
	for p.next < len(p.tokens) {
		switch p.peek() {
		case Space:
			p.next++
		case AtKeyword:
			rule, err := p.atRule()
			if err != nil {
				return nil, err
			}
			rules = append(rules, rule)
		default:
			rule, err := p.qualifiedRule(false)
			if err != nil {
				return nil, err
			}
			if rule != nil {
				rules = append(rules, rule)
			}
		}
	}
	return rules, nil
}

// ParseBlock reads the content of a block: a style attribute, for instance. It fails as [ParseSheet] does.
func ParseBlock(ctx context.Context, text string) (*Block, error) {
	p, err := newParser(ctx, text)
	if err != nil {
		return nil, err
	}
	return p.block(false)
}

// ParseValues reads component values. It fails as [ParseSheet] does.
func ParseValues(ctx context.Context, text string) ([]Value, error) {
	p, err := newParser(ctx, text)
	if err != nil {
		return nil, err
	}
	var values []Value
	for p.next < len(p.tokens) {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return Trim(values), nil
}

func newParser(ctx context.Context, text string) (*parser, error) {
	tokens, err := tokenize(ctx, text)
	if err != nil {
		return nil, err
	}
	return &parser{ctx: ctx, text: text, tokens: tokens}, nil
}

func (p *parser) peek() Kind {
	if p.next >= len(p.tokens) {
		return 0
	}
	return p.tokens[p.next].Kind
}

func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return ErrTooDeep
	}
	return nil
}

// atRule reads an at-rule; the next token is its keyword.
func (p *parser) atRule() (*Rule, error) {
	rule := &Rule{At: p.tokens[p.next].Text, Start: p.tokens[p.next].Start}
	p.next++
	for p.next < len(p.tokens) {
		t := p.tokens[p.next]
		switch {
		case t.Is(";"):
			p.next++
			rule.Prelude = Trim(rule.Prelude)
			return rule, nil
		case t.Kind == Braces:
			block, err := p.braces()
			rule.Block, rule.Prelude = block, Trim(rule.Prelude)
			return rule, err
		case t.Kind == closeBrace && p.depth > 0:
			rule.Prelude = Trim(rule.Prelude)
			return rule, nil
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		rule.Prelude = append(rule.Prelude, v)
	}
	rule.Prelude = Trim(rule.Prelude)
	return rule, nil
}

// qualifiedRule reads a rule with a selector; nil when there is no block. One in a block ends at a semicolon.
func (p *parser) qualifiedRule(nested bool) (*Rule, error) {
	rule := &Rule{Start: p.tokens[p.next].Start}
	rule.Prelude = p.plain()
	for p.next < len(p.tokens) {
		t := p.tokens[p.next]
		switch {
		case t.Kind == Braces:
			block, err := p.braces()
			rule.Block, rule.Prelude = block, Trim(rule.Prelude)
			return rule, err
		case nested && t.Is(";"):
			p.next++
			return nil, nil // no rule, and no error: it is dropped
		case nested && t.Kind == closeBrace:
			return nil, nil // as above
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		rule.Prelude = append(rule.Prelude, v)
	}
	return nil, nil // as above
}

// braces reads a block; the next token is its brace.
func (p *parser) braces() (*Block, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.next++
	return p.block(true)
}

// block reads declarations and rules up to the closing brace, or to the end.
func (p *parser) block(braced bool) (*Block, error) {
	block := &Block{}
	for p.next < len(p.tokens) {
		if p.steps++; p.steps&255 == 0 && p.ctx.Err() != nil {
			return nil, context.Cause(p.ctx)
		}
		t := p.tokens[p.next]
		switch {
		case t.Kind == Space || t.Is(";"):
			p.next++
		case t.Kind == closeBrace:
			p.next++
			if braced {
				return block, nil
			}
		case t.Kind == AtKeyword:
			rule, err := p.atRule()
			if err != nil {
				return nil, err
			}
			block.Items = append(block.Items, Item{Rule: rule})
		default:
			if err := p.item(block); err != nil {
				return nil, err
			}
		}
	}
	return block, nil
}

// item reads a declaration or, when there is none, a rule.
func (p *parser) item(block *Block) error {
	mark := p.next
	declaration, err := p.declaration()
	if err != nil {
		return err
	}
	if declaration != nil {
		block.Items = append(block.Items, Item{Declaration: declaration})
		return nil
	}
	p.next = mark
	rule, err := p.qualifiedRule(true)
	if err == nil && rule != nil {
		block.Items = append(block.Items, Item{Rule: rule})
	}
	return err
}

// declaration reads one, or returns nil.
func (p *parser) declaration() (*Declaration, error) {
	if p.peek() != Ident {
		return nil, nil // it is none
	}
	name := p.tokens[p.next]
	p.next++
	for p.peek() == Space {
		p.next++
	}
	if p.next >= len(p.tokens) || !p.tokens[p.next].Is(":") {
		return nil, nil // it is none
	}
	p.next++
	d := &Declaration{Name: name.Text, Start: name.Start}
	if !d.IsCustom() {
		d.Name = strings.ToLower(d.Name)
	}
	d.Value = p.plain()
	for p.next < len(p.tokens) && !p.tokens[p.next].Is(";") && p.peek() != closeBrace {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		d.Value = append(d.Value, v)
	}
	d.finish(p.text)
	if !d.wellFormed() {
		return nil, nil // it may be a rule: a:hover {}
	}
	return d, nil
}

// finish trims the value and takes !important off it.
func (d *Declaration) finish(text string) {
	d.Value = Trim(d.Value)
	if n := len(d.Value); n >= 2 && d.Value[n-1].IsIdent("important") {
		rest := Trim(d.Value[:n-1])
		if m := len(rest); m > 0 && rest[m-1].Is("!") {
			d.Important, d.Value = true, Trim(rest[:m-1])
		}
	}
	if n := len(d.Value); n > 0 {
		d.Text = text[d.Value[0].Start:d.Value[n-1].End]
	}
}

// wellFormed reports whether the value may be one: without stray brackets, bad strings and "!", and, unless it is
// of a custom property, without braces and not empty.
func (d *Declaration) wellFormed() bool {
	for _, v := range d.Value {
		if v.Kind == Bad || v.Kind >= closeParen || v.Is("!") || (v.Kind == Braces && !d.IsCustom()) {
			return false
		}
	}
	return len(d.Value) > 0 || d.IsCustom()
}

// closing is what ends a kind; 0 for those that have no end of their own.
var closing = [256]Kind{Function: closeParen, Parens: closeParen, Brackets: closeBracket, Braces: closeBrace}

// plain reads tokens that are values as they stand, up to anything that is more or may end something. What it returns
// is cut so that appending to it copies.
func (p *parser) plain() []Value {
	from := p.next
	for p.next < len(p.tokens) {
		if t := &p.tokens[p.next]; closing[t.Kind] != 0 || t.Kind >= closeParen || t.Kind == Delim && t.Text == ";" {
			break
		}
		p.next++
	}
	return slices.Clip(p.tokens[from:p.next])
}

// value reads a component value.
func (p *parser) value() (Value, error) {
	if p.steps++; p.steps&1023 == 0 && p.ctx.Err() != nil {
		return Value{}, context.Cause(p.ctx)
	}
	v := p.tokens[p.next]
	p.next++
	closer := closing[v.Kind]
	if closer == 0 {
		return v, nil
	}
	if err := p.enter(); err != nil {
		return v, err
	}
	defer func() { p.depth-- }()
	for p.next < len(p.tokens) {
		if p.peek() == closer {
			v.End = p.tokens[p.next].End
			p.next++
			break
		}
		arg, err := p.value()
		if err != nil {
			return v, err
		}
		v.Args = append(v.Args, arg)
		v.End = arg.End
	}
	v.Args = Trim(v.Args)
	if v.Kind == Function && v.Text == "url" && len(v.Args) == 1 && v.Args[0].Kind == String {
		v.Kind, v.Text, v.Args = URL, v.Args[0].Text, nil
	}
	return v, nil
}

// Trim takes spaces off both ends.
func Trim(values []Value) []Value {
	for len(values) > 0 && values[0].Kind == Space {
		values = values[1:]
	}
	for len(values) > 0 && values[len(values)-1].Kind == Space {
		values = values[:len(values)-1]
	}
	return values
}

// SplitComma splits at the commas of the top level and trims the parts. Nothing is one empty part.
func SplitComma(values []Value) [][]Value {
	var parts [][]Value
	from := 0
	for i := range values {
		if values[i].Is(",") {
			parts = append(parts, Trim(values[from:i]))
			from = i + 1
		}
	}
	return append(parts, Trim(values[from:]))
}

// WithoutSpace returns the values that are not spaces: the very same ones when there are none. It does not change its
// argument, and nor must its caller.
func WithoutSpace(values []Value) []Value {
	if !slices.ContainsFunc(values, func(v Value) bool { return v.Kind == Space }) {
		return slices.Clip(values)
	}
	out := make([]Value, 0, len(values))
	for i := range values {
		if values[i].Kind != Space {
			out = append(out, values[i])
		}
	}
	return out
}
