package catalog

import (
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxPatternWork bounds the matching of patterns in one validation: instructions of a pattern times bytes of a text, which is
// what matching takes at most. It is seconds at the worst.
const maxPatternWork = 200_000_000

// counting is a pattern whose matching counts as work of a validation.
type counting struct {
	*regexp.Regexp

	size   int // instructions
	schema *schema
}

// pattern is the [jsonschema.RegexpEngine] of a schema.
func (s *schema) pattern(text string) (jsonschema.Regexp, error) {
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	return counting{compiled, len(program.Inst), s}, nil
}

// MatchString implements [jsonschema.Regexp].
func (c counting) MatchString(text string) bool {
	s := c.schema
	if s.ctx != nil { // else it is not data that is looked at
		if s.work += c.size * (len(text) + 1); s.work > maxPatternWork || s.ctx.Err() != nil {
			panic(tooMany{}) // as in counted
		}
	}
	return c.Regexp.MatchString(text)
}
