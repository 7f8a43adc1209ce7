package bidi

import "golang.org/x/text/unicode/bidi"

// maxDepth is the deepest level that is opened (definition BD2).
const maxDepth = 125

// status is a direction that was opened (section 3.3.2).
type status struct {
	level    uint8
	override bidi.Class // L or R; ON for none
	isolate  bool
}

// embedder follows what opens and closes directions.
type embedder struct {
	stack []status
	// Those that were too deep, and so do nothing, and the isolates on the stack.
	lostIsolates, lostEmbeddings, isolates int
}

// embed finds the levels of embeddings, overrides and isolates (rules X1 to X8).
func (p *paragraph) embed() {
	e := embedder{stack: []status{{p.base, bidi.ON, false}}}
	for i, c := range p.classes {
		switch c {
		case bidi.PDI:
			e.closeIsolate()
		case bidi.PDF:
			e.closeEmbedding()
		default:
		}
		top := e.top()
		p.embedded[i] = top.level
		if top.override != bidi.ON && !isRemoved(c) && c != bidi.B {
			p.types[i] = top.override
		}
		switch c {
		case bidi.LRE, bidi.RLE:
			e.open(status{e.next(c == bidi.RLE), bidi.ON, false})
		case bidi.LRO:
			e.open(status{e.next(false), bidi.L, false})
		case bidi.RLO:
			e.open(status{e.next(true), bidi.R, false})
		case bidi.LRI, bidi.RLI:
			e.open(status{e.next(c == bidi.RLI), bidi.ON, true})
		case bidi.FSI:
			e.open(status{e.next(p.firstStrong(i+1, p.match[i]) == bidi.R), bidi.ON, true})
		case bidi.B:
			p.embedded[i] = p.base
		default:
		}
	}
}

func (e *embedder) top() status { return e.stack[len(e.stack)-1] }

// next is the next level of a direction.
func (e *embedder) next(rtl bool) uint8 {
	if rtl {
		return e.top().level + 1 | 1
	}
	return (e.top().level + 2) &^ 1
}

func (e *embedder) open(s status) {
	switch {
	case s.level <= maxDepth && e.lostIsolates == 0 && e.lostEmbeddings == 0:
		e.stack = append(e.stack, s)
		if s.isolate {
			e.isolates++
		}
	case s.isolate:
		e.lostIsolates++
	case e.lostIsolates == 0:
		e.lostEmbeddings++
	}
}

func (e *embedder) closeIsolate() {
	switch {
	case e.lostIsolates > 0:
		e.lostIsolates--
	case e.isolates > 0:
		e.lostEmbeddings = 0
		for !e.top().isolate {
			e.stack = e.stack[:len(e.stack)-1]
		}
		e.stack = e.stack[:len(e.stack)-1]
		e.isolates--
	}
}

func (e *embedder) closeEmbedding() {
	switch {
	case e.lostIsolates > 0:
	case e.lostEmbeddings > 0:
		e.lostEmbeddings--
	case !e.top().isolate && len(e.stack) > 1:
		e.stack = e.stack[:len(e.stack)-1]
	}
}
