package grid

import "github.com/platen-render/platen/internal/render/native/align"

// Edges are where tracks begin and end, from the start of the content box.
type Edges struct{ Starts, Ends []float64 }

// Edges places tracks of these sizes in the container, whose size must be known by now.
func (s Sizing) Edges(tracks []Track, sizes []float64, mode align.Mode) Edges {
	e := Edges{Starts: make([]float64, len(sizes)), Ends: make([]float64, len(sizes))}
	solid := 0
	for i := range tracks {
		if !tracks[i].Collapsed {
			solid++
		}
	}
	before, between := mode.Share(s.Room-s.Sum(tracks, sizes), solid)
	at, first := before, true
	for i, size := range sizes {
		if !tracks[i].Collapsed {
			if !first {
				at += s.Gap + between
			}
			first = false
		}
		e.Starts[i], e.Ends[i] = at, at+size
		at += size
	}
	return e
}

// Of returns where a range of tracks begins and how large it is.
func (e Edges) Of(r Range) (at, size float64) {
	if r.Start >= len(e.Starts) || r.End <= r.Start {
		return 0, 0
	}
	end := e.Ends[min(r.End, len(e.Ends))-1]
	return e.Starts[r.Start], end - e.Starts[r.Start]
}

// Start is where what begins at a line begins; End is where what ends at a line ends: a gap lies between.
func (e Edges) Start(line int) float64 {
	if line < len(e.Starts) {
		return e.Starts[line]
	}
	return e.End(line)
}

// End is described at [Edges.Start].
func (e Edges) End(line int) float64 {
	switch {
	case len(e.Ends) == 0:
		return 0
	case line <= 0:
		return e.Starts[0]
	}
	return e.Ends[min(line, len(e.Ends))-1]
}
