package pdf

import (
	"bytes"
	"crypto/sha256"
	"sync"
)

// Bounds of a shelf, in bytes.
const (
	shelved     = 4 << 20   // of each of the two generations
	shelvedOnce = 512 << 10 // of one thing
)

// digest names what was compressed by what it was before.
type digest [sha256.Size]byte

// pressed is something compressed: a font program, or the planes of a picture.
type pressed struct {
	data  []byte
	space string // the color space of a picture
	mask  []byte // its alpha plane; nil is none
}

// shelf keeps things that documents are likely to have in common: a letterhead's logo, the letters of a form. They depend on their digests
// alone, so that a document is the same whether it found them or made them. The zero shelf is empty. Safe for concurrent use.
type shelf struct {
	mu sync.Mutex
	// A thing is found in either generation, and is then in the young one. When that is full it is the old one, and the old one goes.
	young, old map[digest]*pressed
	size       int // of the young one, in bytes
}

// find returns what was kept, or nil.
func (s *shelf) find(key digest) *pressed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.young[key]; p != nil {
		return p
	}
	p := s.old[key]
	if p != nil {
		s.put(key, p)
	}
	return p
}

// keep takes a copy, unless the thing is too large.
func (s *shelf) keep(key digest, p *pressed) {
	if len(p.data)+len(p.mask) > shelvedOnce {
		return
	}
	p = &pressed{data: bytes.Clone(p.data), space: p.space, mask: bytes.Clone(p.mask)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(key, p)
}

func (s *shelf) put(key digest, p *pressed) {
	if s.young == nil || s.size > shelved {
		s.old, s.young, s.size = s.young, map[digest]*pressed{}, 0
	}
	if s.young[key] == nil {
		s.young[key] = p
		s.size += len(p.data) + len(p.mask)
	}
}
