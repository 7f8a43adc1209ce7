package svg

import (
	"math"
	"strconv"
	"strings"
)

// scanner reads the numbers of paths, points and transformations: signs, points and commas may stand for separators.
type scanner struct{ rest string }

const blanks = " \t\r\n\f"

func (s *scanner) blank() { s.rest = strings.TrimLeft(s.rest, blanks) }

// comma skips blanks with at most one comma among them.
func (s *scanner) comma() {
	s.blank()
	if strings.HasPrefix(s.rest, ",") {
		s.rest = s.rest[1:]
		s.blank()
	}
}

func (s *scanner) done() bool {
	s.blank()
	return s.rest == ""
}

// number reads a number; what is too large is clamped.
func (s *scanner) number() (float64, bool) {
	end := numberEnd(s.rest)
	if end == 0 {
		return 0, false
	}
	v, _ := strconv.ParseFloat(s.rest[:end], 64) // out of range gives ±Inf
	s.rest = s.rest[end:]
	if math.IsNaN(v) {
		return 0, false
	}
	return min(max(v, -most), most), true
}

// most keeps sums of coordinates finite and squares of them exact enough.
const most = 1e7

// numberEnd is how many bytes at the start of a text are a number.
func numberEnd(text string) int {
	i := 0
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	start := i
	i = digits(text, i)
	whole := i - start
	if i < len(text) && text[i] == '.' {
		fraction := digits(text, i+1)
		if whole == 0 && fraction == i+1 {
			return 0
		}
		i = fraction
	} else if whole == 0 {
		return 0
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if end := digits(text, j); end > j {
			i = end
		}
	}
	return i
}

func digits(text string, i int) int {
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	return i
}

// flag reads a 0 or a 1, which need no separator behind them.
func (s *scanner) flag() (set, ok bool) {
	if s.rest == "" || s.rest[0] != '0' && s.rest[0] != '1' {
		return false, false
	}
	set = s.rest[0] == '1'
	s.rest = s.rest[1:]
	return set, true
}

// numbers reads as many as there are, at most limit.
func (s *scanner) numbers(limit int) []float64 {
	var list []float64
	for len(list) < limit {
		s.blank()
		v, ok := s.number()
		if !ok {
			break
		}
		list = append(list, v)
		s.comma()
	}
	return list
}
