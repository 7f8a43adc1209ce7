package cascade

import (
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// sheet is where rules are read from, and what holds for them.
type sheet struct {
	source *syntax.Source
	base   string // what its addresses are relative to
	origin origin
	layer  *layer
	depth  int
	parent selector.List // of nested rules
	read   *readSheet
}

// load reads all style sheets in order.
func (e *engine) load() error {
	browser, err := sheetsOfBrowser(e.doc.Quirks)
	if err != nil {
		return err
	}
	e.browser, e.blocks = browser, browser.blocks
	for _, n := range e.doc.Elements {
		if err := e.loadFrom(n); err != nil {
			return err
		}
	}
	e.layers.number(0)
	return nil
}

// loadFrom reads what a <style> or a <link> brings.
func (e *engine) loadFrom(n *dom.Node) error {
	query, _ := n.Attr("media")
	kind, _ := n.Attr("type")
	if (n.Tag != "style" && n.Tag != "link") || (kind != "" && !strings.EqualFold(strings.TrimSpace(kind), "text/css")) {
		return nil
	}
	prelude, err := syntax.ParseValues(e.ctx, query)
	if err != nil {
		return err
	}
	if !e.media.matches(prelude) {
		return nil
	}
	if n.Tag == "style" {
		source := syntax.NewSource("document", n.AllText(), n.Content.Line, n.Content.Column)
		return e.read(sheet{source: source, base: e.pageBase, origin: fromAuthor, layer: &e.layers})
	}
	rel, _ := n.Attr("rel")
	href, _ := n.Attr("href")
	_, disabled := n.Attr("disabled")
	words := " " + strings.ToLower(strings.Join(strings.Fields(rel), " ")) + " "
	if disabled || !strings.Contains(words, " stylesheet ") || strings.Contains(words, " alternate ") {
		return nil
	}
	return e.open(e.pageBase, href, &e.layers, 0)
}

// baseOf is what a page's addresses are relative to (HTML standard, section 4.2.3).
func baseOf(doc *dom.Document) string {
	for _, n := range doc.Elements {
		if n.Tag == "base" {
			if href, ok := n.Attr("href"); ok {
				return href
			}
		}
	}
	return ""
}

// open reads a sheet out of the library; one that is not there was told by the step that fetches.
func (e *engine) open(base, address string, l *layer, depth int) error {
	name, found, ok := e.options.Library.Find(base, address)
	if !ok || depth > maxImports {
		return nil
	}
	display := name
	if strings.HasPrefix(strings.ToLower(address), "data:") {
		display = "data:"
	}
	text := strings.TrimPrefix(strings.ToValidUTF8(string(found.Body), "\uFFFD"), "\uFEFF")
	return e.read(sheet{source: syntax.NewSource(display, text, 1, 1), base: name, origin: fromAuthor, layer: l, depth: depth})
}

func (e *engine) read(s sheet) error {
	if e.sheets++; e.sheets > maxSheets {
		return ErrTooManySheets
	}
	read, key, err := e.sheetRead(s)
	if err != nil {
		return err
	}
	s.read = read
	imports := true
	for _, r := range read.rules {
		imports = imports && (r.At == "import" || r.At == "charset" || (r.At == "layer" && r.Block == nil))
		if r.At == "import" {
			if imports {
				err = e.importSheet(s, r)
			}
		} else {
			err = e.rule(s, r)
		}
		if err != nil {
			return err
		}
	}
	e.options.Stock.keep(key, read)
	return nil
}

// importSheet reads @import with its layer, support and media conditions.
func (e *engine) importSheet(s sheet, r *syntax.Rule) error {
	v := syntax.WithoutSpace(r.Prelude)
	if len(v) == 0 || (v[0].Kind != syntax.URL && v[0].Kind != syntax.String) {
		return nil
	}
	address, rest, l := v[0].Text, v[1:], s.layer
	if len(rest) > 0 && rest[0].IsIdent("layer") {
		l, rest = e.anonymous(l), rest[1:]
	} else if len(rest) > 0 && rest[0].Kind == syntax.Function && rest[0].Text == "layer" {
		l, rest = named(l, rest[0].Args), rest[1:]
	}
	if len(rest) > 0 && rest[0].Kind == syntax.Function && rest[0].Text == "supports" {
		if !e.supports(rest[0].Args) {
			return nil
		}
		rest = rest[1:]
	}
	if !e.media.matches(rest) {
		return nil
	}
	return e.open(s.base, address, l, s.depth+1)
}

func (e *engine) anonymous(l *layer) *layer {
	e.auto++
	return l.child(" " + strconv.Itoa(e.auto)) // no name has a blank
}

// named is the layer of a dotted name.
func named(l *layer, name []syntax.Value) *layer {
	for _, v := range name {
		if v.Kind == syntax.Ident {
			l = l.child(v.Text)
		}
	}
	return l
}

// rule takes in one rule.
func (e *engine) rule(s sheet, r *syntax.Rule) error {
	if err := e.tick(); err != nil {
		return err
	}
	if r.At == "" {
		return e.styleRule(s, r)
	}
	if handle := followed(r.At); handle != nil {
		return handle(e, s, r)
	}
	if reason, ok := otherAtRules[r.At]; ok && reason != "" {
		e.findings.add(at(s.source, r.Start, Finding{Kind: "at-rule", Feature: "@" + r.At, Reason: reason}))
	}
	return nil // a rule that browsers do not know either
}

// styleRule takes in a rule with selectors, and the rules nested in it.
func (e *engine) styleRule(s sheet, r *syntax.Rule) error {
	list, ok := s.selectorsOf(r)
	if !ok {
		return nil // browsers drop it too
	}
	inner := s
	inner.parent = list
	return e.contents(inner, r.Block, list)
}

// contents takes in declarations as a rule for the selectors, and rules between them in their order.
func (e *engine) contents(s sheet, b *syntax.Block, list selector.List) error {
	var pending []*syntax.Declaration
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		out := e.block(s, pending)
		pending = nil
		for _, sel := range list {
			e.own = e.own || s.read == nil || !s.read.stocked
			r := &rule{selector: sel, block: out, origin: s.origin, layer: s.layer}
			if err := e.add(r); err != nil {
				return err
			}
		}
		return nil
	}
	for _, item := range b.Items {
		if item.Declaration != nil {
			pending = append(pending, item.Declaration)
			continue
		}
		if err := flush(); err != nil {
			return err
		}
		if err := e.rule(s, item.Rule); err != nil {
			return err
		}
	}
	return flush()
}

// block takes in declarations.
func (e *engine) block(s sheet, list []*syntax.Declaration) *block {
	read := e.blockRead(s, list)
	b := &block{id: e.blocks, declarations: read.declarations, findings: read.findings, tokens: read.tokens}
	e.blocks++
	e.fontUnits = e.fontUnits || read.fontUnits
	return b
}

// blockRead returns what was read of declarations before, or reads them.
func (e *engine) blockRead(s sheet, list []*syntax.Declaration) readBlock {
	if s.read == nil || len(list) == 0 {
		return e.readBlock(s, list)
	}
	known, ok := s.read.blocks[list[0]]
	if !ok {
		known = e.readBlock(s, list)
		if s.read.blocks != nil && !s.read.stocked {
			s.read.blocks[list[0]] = known
		}
	}
	return known
}

// readBlock reads declarations: what is wrong is dropped, what is outside is noted.
func (e *engine) readBlock(s sheet, list []*syntax.Declaration) readBlock {
	var b readBlock
	for _, d := range list {
		b.tokens, b.fontUnits = b.tokens+tokensOf(d.Value), b.fontUnits || usesFontUnits(d.Value)
		values := e.rebase(s, d.Value)
		place := at(s.source, d.Start, Finding{Kind: "property", Feature: d.Name, Value: d.Text})
		if function := value.Substituted(values); function != "" && (d.IsCustom() || hasVar(values)) && d.Name != "content" {
			b.findings = append(b.findings, refused(place, function))
		}
		if d.IsCustom() {
			b.declarations = append(b.declarations, declaration{name: d.Name, values: values, custom: true, important: d.Important, finding: place})
			continue
		}
		e.declare(&b, d, values, place, s.origin)
	}
	return b
}

// refused notes a function that stands for something else.
func refused(f Finding, function string) Finding {
	f.Kind, f.Reason = "value", "the function "+function+"() is not supported here"
	return f
}

func (e *engine) declare(b *readBlock, d *syntax.Declaration, values []syntax.Value, place Finding, from origin) {
	class, name := property.Classify(d.Name)
	switch class {
	case property.Unknown:
		return
	case property.NoEffect:
		noteAnimation(b, name, values, place)
		return
	case property.Outside:
		if !property.Harmless(name, d.Text) && !property.Unseen(name, e.anyContext, values) {
			place.Reason = "the property is not supported"
			b.findings = append(b.findings, place)
		}
		return
	case property.Applied:
	}
	out := declaration{name: name, important: d.Important, finding: place}
	if hasVar(values) {
		out.values = values
		b.declarations = append(b.declarations, out)
		return
	}
	longhands, outside, ok := property.Expand(name, e.anyContext, values)
	switch {
	case !ok, from != fromBrowser && (strings.HasPrefix(d.Text, "-internal-") || name == "line-height" && strings.EqualFold(d.Text, "-webkit-body")): // browsers drop it too
	case outside != "" && from != fromBrowser:
		place.Kind, place.Reason = "value", outside
		b.findings = append(b.findings, place)
	default:
		out.longhands = longhands
		b.declarations = append(b.declarations, out)
	}
}

// usesFontUnits reports whether a value needs to know how high an x or how wide a 0 is.
func usesFontUnits(values []syntax.Value) bool {
	for i := range values {
		v := &values[i]
		if v.Kind == syntax.Dimension && (v.Text == "ex" || v.Text == "ch") || usesFontUnits(v.Args) {
			return true
		}
	}
	return false
}

// rebase makes addresses relative to the page that are relative to a sheet; those that lead nowhere stay as they are.
func (e *engine) rebase(s sheet, values []syntax.Value) []syntax.Value {
	if s.base == "" {
		return values
	}
	changed := false
	for i := range values {
		v := values[i]
		switch {
		case v.Kind == syntax.URL && !strings.HasPrefix(strings.ToLower(v.Text), "data:"):
			if s.read != nil && !s.read.stocked { // one in the stock is read by others at this moment
				s.read.library = true
			}
			if name, _, ok := e.options.Library.Find(s.base, v.Text); ok {
				v.Text = name
			}
		case len(v.Args) > 0:
			v.Args = e.rebase(s, v.Args)
		default:
			continue
		}
		if !changed {
			values, changed = slices.Clone(values), true
		}
		values[i] = v
	}
	return values
}

// noteAnimation remembers an animation whose keyframes may exist.
func noteAnimation(b *readBlock, name string, values []syntax.Value, place Finding) {
	if name != "animation" && name != "animation-name" {
		return
	}
	place.Reason = "animations are not supported"
	place.Kind = "animation"
	for _, v := range values {
		if v.Kind == syntax.Ident || v.Kind == syntax.String {
			named := place
			named.Feature = name
			named.Value = v.Text
			b.findings = append(b.findings, named)
		}
	}
}
