package selector

import (
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// nth reads :nth-child() and its like (Selectors 4, section 14).
func (r *reader) nth(c *compound, name string, v syntax.Value) bool {
	r.selector.Specificity[1]++
	formula, of := splitOf(v.Args)
	a, b, ok := anPlusB(formula)
	if !ok {
		return false
	}
	if of != nil {
		r.selector.Outside = "nth-child() with “of” is not supported"
		return name == "nth-child" || name == "nth-last-child"
	}
	switch name {
	case "nth-child", "nth-last-child":
		last := name == "nth-last-child"
		c.tests = append(c.tests, func(_ *Matcher, n *dom.Node) bool { return isNth(a, b, n.Index(last)) })
	case "nth-of-type", "nth-last-of-type":
		last := name == "nth-last-of-type"
		c.tests = append(c.tests, func(_ *Matcher, n *dom.Node) bool { return isNth(a, b, n.TypeIndex(last)) })
	default:
		return false
	}
	return true
}

// isNth reports whether index = a×n + b for some n that is not negative.
func isNth(a, b, index int) bool {
	if a == 0 {
		return index == b
	}
	return (index-b)%a == 0 && (index-b)/a >= 0
}

func splitOf(values []syntax.Value) (formula, of []syntax.Value) {
	for i, v := range values {
		if v.IsIdent("of") {
			return values[:i], values[i+1:]
		}
	}
	return values, nil
}

// anPlusB reads the formula out of its text (CSS Syntax 3, section 6): the tokens cut it up in many ways.
func anPlusB(values []syntax.Value) (a, b int, ok bool) {
	var text strings.Builder
	for _, v := range values {
		switch v.Kind {
		case syntax.Space:
			text.WriteByte(' ')
		case syntax.Ident, syntax.Delim:
			text.WriteString(v.Text)
		case syntax.Number, syntax.Dimension:
			if !v.Integer {
				return 0, 0, false
			}
			if v.Number >= 0 && v.End-v.Start > len(strconv.Itoa(int(v.Number)))+len(v.Text) {
				text.WriteByte('+') // written with its sign, or with zeros
			}
			text.WriteString(strconv.FormatFloat(v.Number, 'f', 0, 64) + v.Text)
		default:
			return 0, 0, false
		}
	}
	s := strings.ToLower(strings.TrimSpace(text.String()))
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, found := strings.Cut(s, "n")
	if !found {
		b, err := strconv.Atoi(s)
		return 0, b, err == nil
	}
	if a, ok = coefficient(before); !ok {
		return 0, 0, false
	}
	after = strings.ReplaceAll(after, " ", "")
	if after == "" {
		return a, 0, true
	}
	if after[0] != '+' && after[0] != '-' {
		return 0, 0, false
	}
	b, err := strconv.Atoi(after)
	return a, b, err == nil
}

func coefficient(s string) (int, bool) {
	switch s {
	case "", "+":
		return 1, true
	case "-":
		return -1, true
	}
	a, err := strconv.Atoi(s)
	return a, err == nil
}
