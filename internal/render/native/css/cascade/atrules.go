package cascade

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// followed returns how an at-rule is followed, or nil.
func followed(name string) func(*engine, sheet, *syntax.Rule) error {
	switch name {
	case "media":
		return (*engine).mediaRule
	case "supports":
		return (*engine).supportsRule
	case "layer":
		return (*engine).layerRule
	case "page":
		return (*engine).pageRule
	case "font-face":
		return (*engine).fontRule
	case "keyframes", "-webkit-keyframes":
		return (*engine).keyframesRule
	}
	return nil
}

// otherAtRules are those that browsers know; with a reason they are outside, without one they have no effect on
// paper.
var otherAtRules = map[string]string{
	"charset": "", "import": "", "starting-style": "", "view-transition": "",
	"container": "container queries are not supported", "counter-style": "counter styles are not supported",
	"font-feature-values": "named font features are not supported", "font-palette-values": "font palettes are not supported",
	"property": "registered custom properties are not supported", "namespace": "namespaces are not supported",
	"scope": "scopes are not supported", "position-try": "anchors are not supported", "function": "functions are not supported",
}

// nest takes in the rules of a block in the same sheet.
func (e *engine) nest(s sheet, b *syntax.Block) error {
	if b == nil {
		return nil
	}
	if s.parent != nil {
		return e.contents(s, b, s.parent)
	}
	for _, item := range b.Items {
		if item.Rule != nil {
			if err := e.rule(s, item.Rule); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *engine) mediaRule(s sheet, r *syntax.Rule) error {
	if !e.media.matches(r.Prelude) {
		return nil
	}
	return e.nest(s, r.Block)
}

func (e *engine) supportsRule(s sheet, r *syntax.Rule) error {
	if !e.supports(r.Prelude) {
		return nil
	}
	return e.nest(s, r.Block)
}

func (e *engine) layerRule(s sheet, r *syntax.Rule) error {
	names := syntax.SplitComma(r.Prelude)
	if r.Block == nil {
		for _, name := range names {
			named(s.layer, name)
		}
		return nil
	}
	if len(names[0]) == 0 {
		s.layer = e.anonymous(s.layer)
	} else {
		s.layer = named(s.layer, names[0])
	}
	return e.nest(s, r.Block)
}

func (e *engine) keyframesRule(_ sheet, r *syntax.Rule) error {
	if len(r.Prelude) == 1 {
		e.keyframes[r.Prelude[0].Text] = true
	}
	return nil
}

// supports answers @supports as a browser would: what it knows counts, also when it is outside here, so that it
// is told rather than replaced.
func (e *engine) supports(v []syntax.Value) bool {
	v = syntax.WithoutSpace(v)
	if len(v) >= 3 && v[0].Kind == syntax.Ident && v[1].Is(":") { // @import supports(display: grid)
		v = []syntax.Value{{Kind: syntax.Parens, Args: v}}
	}
	holds, known := condition(v, e.supported)
	return holds && known
}

func (e *engine) supported(v syntax.Value) (holds, known bool) {
	if v.Kind == syntax.Function {
		if v.Text == "selector" {
			_, ok := selector.Parse(v.Args, nil)
			return ok, true
		}
		return v.Text == "font-format" || v.Text == "font-tech", true
	}
	if v.Kind != syntax.Parens {
		return false, false
	}
	args := syntax.WithoutSpace(v.Args)
	if len(args) < 3 || args[0].Kind != syntax.Ident || !args[1].Is(":") {
		return false, len(args) > 0
	}
	name := args[0].Text
	if strings.HasPrefix(name, "--") {
		return true, true
	}
	class, name := property.Classify(strings.ToLower(name))
	if class != property.Applied {
		return class != property.Unknown, true
	}
	_, _, ok := property.Expand(name, e.anyContext, args[2:])
	return ok || hasVar(args[2:]), true
}
