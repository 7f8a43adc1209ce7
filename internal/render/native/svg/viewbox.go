package svg

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// viewBox returns how the user units of an <svg> come into a viewport of this size (SVG 2, section 8.6 and 8.7). The box is nil when
// there is none; ok is false when nothing is to be drawn.
func viewBox(n *dom.Node, width, height float64) (m pdf.Matrix, box []float64, ok bool) {
	text, there := n.Attr("viewBox")
	s := scanner{text}
	box = s.numbers(5)
	if !there || len(box) != 4 || !s.done() || box[2] < 0 || box[3] < 0 {
		return identity, nil, true
	}
	if box[2] == 0 || box[3] == 0 {
		return identity, nil, false
	}
	kx, ky := width/box[2], height/box[3]
	alignX, alignY := 0.0, 0.0
	if keep, _ := n.Attr("preserveAspectRatio"); !strings.HasPrefix(strings.TrimSpace(keep), "none") {
		k := min(kx, ky)
		if strings.HasSuffix(strings.TrimSpace(keep), "slice") {
			k = max(kx, ky)
		}
		kx, ky = k, k
		fx, fy := alignment(keep)
		alignX, alignY = float64((width-float64(box[2]*kx))*fx), float64((height-float64(box[3]*ky))*fy)
	}
	m = pdf.Matrix{A: kx, D: ky, E: alignX - float64(box[0]*kx), F: alignY - float64(box[1]*ky)}
	return m, box, invertible(m)
}

// alignment returns which share of the room that is left comes before the picture.
func alignment(text string) (x, y float64) {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	if len(word) != 8 {
		return 0.5, 0.5
	}
	shares := map[string]float64{"Min": 0, "Mid": 0.5, "Max": 1}
	x, okX := shares[word[1:4]]
	y, okY := shares[word[5:]]
	if !okX || !okY || word[0] != 'x' || word[4] != 'Y' {
		return 0.5, 0.5
	}
	return x, y
}
