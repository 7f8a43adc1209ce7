package chromium

import (
	"bytes"
	"strconv"
)

// operation is one step of a content stream (ISO 32000-1, 7.8.2): an operator and what stands before it.
type operation struct {
	name  []byte
	args  [][]byte // the numbers, those of arrays and dictionaries too
	label []byte   // the last name, without its slash
	text  []byte   // the hexadecimal digits of the strings
}

// numbers returns the last n of them, and reports whether there are as many.
func (op *operation) numbers(n int) ([]float64, bool) {
	if len(op.args) < n {
		return nil, false
	}
	numbers := make([]float64, n)
	for i, arg := range op.args[len(op.args)-n:] {
		numbers[i], _ = strconv.ParseFloat(string(arg), 64) // the browser's own: what is none is 0
	}
	return numbers, true
}

// steps takes a content stream apart, as the browser writes it: strings are hexadecimal, and nothing is inline.
type steps struct {
	content []byte
	op      operation
}

// next reads the next operation, and reports whether there was one. What it returns is good until the next call.
func (s *steps) next() (*operation, bool) {
	s.op.args, s.op.label, s.op.text = s.op.args[:0], nil, s.op.text[:0]
	for {
		start := 0
		for start < len(s.content) && s.content[start] <= ' ' {
			start++
		}
		if s.content = s.content[start:]; len(s.content) == 0 {
			return nil, false
		}
		if end := s.token(); end > 0 {
			s.op.name, s.content = s.content[:end], s.content[end:]
			return &s.op, true
		}
	}
}

// token takes an operand in, or returns the length of the operator that is there.
func (s *steps) token() int {
	c := s.content
	switch b := c[0]; {
	case b == '<' && len(c) > 1 && c[1] != '<':
		end := bytes.IndexByte(c, '>')
		if end < 0 {
			end = len(c) - 1
		}
		s.op.text = append(s.op.text, c[1:end]...)
		s.content = c[end+1:]
	case b == '(':
		s.content = c[skipString(c, 0):]
	case b == '/':
		end := word(c)
		s.op.label = c[1:end]
		s.content = c[end:]
	case delimits(b): // what is in arrays and dictionaries is taken as it comes
		s.content = c[1:]
	case b >= '+' && b <= '9':
		end := word(c)
		s.op.args = append(s.op.args, c[:end])
		s.content = c[end:]
	default:
		return word(c)
	}
	return 0
}

// word returns where a name, number or operator at the beginning of c ends.
func word(c []byte) int {
	end := 1
	for end < len(c) && c[end] > ' ' && !delimits(c[end]) {
		end++
	}
	return end
}

// delimits reports whether a byte is a delimiter (ISO 32000-1, 7.2.2).
func delimits(b byte) bool {
	switch b {
	case '/', '<', '>', '[', ']', '(', ')', '{', '}', '%':
		return true
	}
	return false
}

// matrix is a transformation (ISO 32000-1, 8.3.3).
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times is what n does after m has.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// area is an upright rectangle in points from the lower left corner of the sheet.
type area struct{ left, bottom, right, top float64 }

// box is the area that a rectangle takes.
func (m matrix) box(x, y, width, height float64) area {
	x1, y1 := m.apply(x, y)
	x2, y2 := m.apply(x+width, y+height)
	return area{min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)}
}

func (a area) size() float64 { return (a.right - a.left) * (a.top - a.bottom) }

// holds reports whether b lies in a, but for what rounding does.
func (a area) holds(b area) bool {
	const slack = 1.5
	return b.left > a.left-slack && b.right < a.right+slack && b.bottom > a.bottom-slack && b.top < a.top+slack
}
