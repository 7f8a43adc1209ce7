package page

import "github.com/platen-render/platen/internal/render/native/css/property"

// axis is the width or the height of a margin box (CSS Paged Media 3, section 5.3). Sizes are those of the margin box.
type axis struct {
	start, end         float64 // margins
	autoStart, autoEnd bool
	auto               bool // the size is left to the strip
	size               float64
	least, most        float64 // of the content
	floor, ceiling     float64 // min-width and max-width; negative is none
}

func newAxis(start, end, size, floor, ceiling property.Size, base, inner float64, sizing property.Keyword) axis {
	a := axis{autoStart: start.Is("auto"), autoEnd: end.Is("auto"), auto: size.Keyword != ""}
	a.start, a.end = start.Length.Resolve(base), end.Length.Resolve(base)
	outer := func(s property.Size, none float64) float64 {
		if s.Keyword != "" {
			return none
		}
		px := max(s.Length.Resolve(base), 0)
		if sizing != "border-box" {
			px += inner
		}
		return max(px, inner) + a.start + a.end
	}
	a.size = outer(size, 0)
	a.floor, a.ceiling = outer(floor, -1), outer(ceiling, -1)
	a.size = a.limited(a.size)
	return a
}

// limited keeps a size between min-width and max-width.
func (a *axis) limited(size float64) float64 {
	if a.ceiling >= 0 {
		size = min(size, a.ceiling)
	}
	return max(size, a.floor)
}

// fill makes an automatic size that of the strip.
func (a *axis) fill(length float64) {
	if a.auto {
		a.size = a.limited(length)
	}
}

// border is the size of the border box.
func (a *axis) border() float64 { return max(a.size-a.start-a.end, 0) }

// cross is where the border box begins across a strip: at the side of the page, unless margins are automatic.
func (a *axis) cross(length float64, far bool) float64 {
	free := length - a.size
	switch {
	case a.autoStart && a.autoEnd:
		return a.start + max(free, 0)/2
	case a.autoStart, !far && !a.autoEnd:
		return a.start + free
	}
	return a.start
}

// along is where the border box of the first, second or third box of a strip begins.
func (a *axis) along(i int, length float64) float64 {
	return a.start + (length-a.size)*float64(i)/2
}

// share gives the boxes of a strip their sizes (section 5.3.2.4). The one in the middle stands in the middle, and so takes its size
// beside two that are as long as the longer one of the others.
func share(boxes [3]*axis, length float64) {
	share3(boxes, length)
	again := false
	for _, a := range boxes {
		if a != nil && a.auto {
			if size := a.limited(a.size); size != a.size {
				a.auto, a.size, again = false, size, true
			}
		}
	}
	if again {
		share3(boxes, length)
	}
}

func share3(boxes [3]*axis, length float64) {
	first, middle, last := boxes[0], boxes[1], boxes[2]
	if middle == nil {
		shareTwo(first, last, length)
		return
	}
	if middle.auto {
		middle.size = max(between3(first, middle, last, length), 0)
	}
	for _, a := range []*axis{first, last} {
		if a != nil && a.auto {
			a.size = max((length-middle.size)/2, 0)
		}
	}
}

// between3 is the size of the middle box. Chromium lets only automatic boxes beside it share; others it leaves room for.
func between3(first, middle, last *axis, length float64) float64 {
	var sides axis
	room, automatic := 0.0, false
	for _, a := range []*axis{first, last} {
		switch {
		case a == nil:
		case a.auto:
			automatic = true
			sides.least, sides.most = max(sides.least, 2*a.least), max(sides.most, 2*a.most)
		default:
			room = max(room, 2*a.size)
		}
	}
	if !automatic {
		return length - room
	}
	size, _ := flexible(middle, &sides, length)
	return min(size, length-room)
}

// shareTwo shares a strip between two boxes at its ends.
func shareTwo(a, b *axis, length float64) {
	switch {
	case a == nil && b == nil:
	case a == nil || b == nil:
		if a == nil {
			a = b
		}
		if a.auto {
			a.size = length
		}
	case a.auto && b.auto:
		a.size, b.size = flexible(a, b, length)
	case a.auto:
		a.size = max(length-b.size, 0)
	case b.auto:
		b.size = max(length-a.size, 0)
	}
}

// flexible shares a length between two contents: both get what they want most and more in proportion, or what they want least and
// more in proportion to what they would like, or too little.
func flexible(a, b *axis, length float64) (float64, float64) {
	switch most, least := a.most+b.most, a.least+b.least; {
	case most <= 0:
		return length / 2, length / 2
	case most <= length:
		return length * a.most / most, length * b.most / most
	case least < length:
		share := (length - least) / (most - least)
		return a.least + float64(share*(a.most-a.least)), b.least + float64(share*(b.most-b.least))
	default:
		return length * a.least / least, length * b.least / least
	}
}
