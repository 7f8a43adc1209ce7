package svg

import "strings"

// pathReader reads the d of a <path> (SVG 2, section 9.3).
type pathReader struct {
	scanner
	outline
	at, start point
	// handle is the last handle of a curve, for the smooth ones; last is the command that drew it.
	handle point
	last   byte
	limit  int
}

// parsePath returns what can be drawn: everything up to the first error (section 9.3.9), at most limit segments.
func parsePath(d string, limit int) outline {
	r := &pathReader{scanner: scanner{d}, limit: limit}
	for !r.done() && len(r.outline) < limit {
		command := r.rest[0]
		if !strings.ContainsRune("MmZzLlHhVvCcSsQqTtAa", rune(command)) || len(r.outline) == 0 && command|' ' != 'm' {
			break
		}
		r.rest = r.rest[1:]
		if !r.command(command) {
			break
		}
	}
	return r.outline
}

// command draws a command with all its arguments and reports whether it was right.
func (r *pathReader) command(command byte) bool {
	if command|' ' == 'z' {
		r.close()
		r.at, r.last = r.start, 'z'
		return true
	}
	for first := true; len(r.outline) < r.limit; first = false {
		r.blank()
		if !first && numberEnd(r.rest) == 0 {
			return true
		}
		if !r.piece(command|' ', command >= 'a') {
			return false
		}
		r.comma()
		if command == 'M' || command == 'm' { // more pairs are lines
			command-- // M becomes L, m becomes l
		}
	}
	return true
}

// piece draws one set of arguments.
func (r *pathReader) piece(kind byte, relative bool) bool {
	var base point
	if relative {
		base = r.at
	}
	switch kind {
	case 'h', 'v':
		return r.straight(kind, base)
	case 'a':
		return r.elliptic(base)
	}
	p, ok := r.points(base, pairs[kind])
	if !ok {
		return false
	}
	if kind != 'm' && r.last == 'z' { // after a close a part begins where the last one did
		r.move(r.at)
	}
	end := p[max(pairs[kind]-1, 0)]
	handle := end
	switch kind {
	case 'm':
		r.move(end)
		r.start = end
	case 'l':
		r.line(end)
	case 'c':
		r.curve(p[0], p[1], end)
		handle = p[1]
	case 's':
		r.curve(r.reflected("cs"), p[0], end)
		handle = p[0]
	case 'q':
		r.quadratic(p[0], end)
		handle = p[0]
	case 't':
		handle = r.reflected("qt")
		r.quadratic(handle, end)
	}
	r.at, r.handle, r.last = end, handle, kind
	return true
}

// pairs is how many points a command has.
var pairs = map[byte]int{'m': 1, 'l': 1, 't': 1, 's': 2, 'q': 2, 'c': 3}

func (r *pathReader) points(base point, n int) (p [3]point, ok bool) {
	for i := range n {
		if i > 0 {
			r.comma()
		}
		x, ok := r.number()
		if !ok {
			return p, false
		}
		r.comma()
		y, ok := r.number()
		if !ok {
			return p, false
		}
		p[i] = base.plus(point{x, y})
	}
	return p, true
}

// reflected is the handle opposite to the last one, if the last command had one.
func (r *pathReader) reflected(after string) point {
	if !strings.ContainsRune(after, rune(r.last)) {
		return r.at
	}
	return r.at.plus(r.at.minus(r.handle))
}

func (r *pathReader) quadratic(handle, end point) {
	third := func(a, b point) point {
		return point{a.x + float64((b.x-a.x)*2/3), a.y + float64((b.y-a.y)*2/3)}
	}
	r.curve(third(r.at, handle), third(end, handle), end)
}

func (r *pathReader) straight(kind byte, base point) bool {
	v, ok := r.number()
	if !ok {
		return false
	}
	end := point{base.x + v, r.at.y}
	if kind == 'v' {
		end = point{r.at.x, base.y + v}
	}
	if r.last == 'z' {
		r.move(r.at)
	}
	r.line(end)
	r.at, r.last = end, kind
	return true
}

func (r *pathReader) elliptic(base point) bool {
	var v [3]float64
	for i := range v {
		var ok bool
		if v[i], ok = r.number(); !ok {
			return false
		}
		r.comma()
	}
	large, ok := r.flag()
	if !ok {
		return false
	}
	r.comma()
	sweep, ok := r.flag()
	if !ok {
		return false
	}
	r.comma()
	p, ok := r.points(base, 1)
	if !ok {
		return false
	}
	if r.last == 'z' {
		r.move(r.at)
	}
	r.arc(r.at, p[0], v[0], v[1], v[2], large, sweep)
	r.at, r.last = p[0], 'a'
	return true
}
