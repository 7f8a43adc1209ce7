package page

import "github.com/platen-render/platen/internal/render/native/fragment"

// lines goes through the lines of a block.
func (w *walk) lines() (*mark, appeal) {
	for _, o := range w.m.open {
		if o.f.Box.OutOfFlow() {
			continue
		}
		if to, a := w.choose(placed{o, o.at}, 0); to != nil {
			w.hold(to, -1, a)
		}
	}
	k := w.overflowing()
	all := len(w.m.f.Lines)
	floats, k := w.floatsBeside(k)
	if k == all {
		for _, f := range floats {
			w.hold(f, 0, perfect)
		}
		return w.end(all)
	}
	k, a := w.orphans(k)
	top := w.s.top && w.y(w.m.f.Lines[w.m.next].Top) <= epsilon
	if k > w.m.next || !top {
		return w.breakLine(k, floats), a
	}
	if k = w.m.next + 1; w.y(bottom(w.m.f.Lines[w.m.next])) > w.s.limit+epsilon {
		return w.c.slice(w.m, w.s), lastResort // a line that is higher than a page
	}
	if k < all {
		return w.breakLine(k, floats), violatesLines
	}
	if w.trail-w.s.trail > 0 {
		return w.cut(all), lastResort
	}
	return nil, lastResort
}

func bottom(line *fragment.Line) float64 { return line.Top + line.Height }

// overflowing is the first line that does not fit, or how many lines there are.
func (w *walk) overflowing() int {
	lines := w.m.f.Lines
	for k := w.m.next; k < len(lines); k++ {
		end := w.y(bottom(lines[k]))
		if k == len(lines)-1 {
			end += w.trail
		}
		if end > w.s.limit+epsilon {
			return k
		}
	}
	return len(lines)
}

// floatsBeside breaks the floats that begin before line k. One that cannot be broken goes to the next page with the line that it
// stands beside.
func (w *walk) floatsBeside(k int) ([]*mark, int) {
	var list []*mark
	lines := w.m.f.Lines
	for i := w.m.loose; i < w.seq.count(); i++ {
		f := w.seq.list[i]
		if k < len(lines) && f.Y >= lines[k].Top-epsilon {
			break
		}
		p := placed{start(f), w.y(f.Y)}
		to, a := w.choose(p, 0)
		if to == nil {
			continue
		}
		if a == lastResort && p.y > epsilon {
			for j := w.m.next; j < min(k, len(lines)); j++ {
				if lines[j].Top >= f.Y-epsilon && j > w.m.next {
					return list, j
				}
			}
			to = p.m
		}
		list = append(list, to)
	}
	return list, k
}

// orphans moves a break before line k up, so that orphans and widows are kept: orphans first, as in Chromium.
func (w *walk) orphans(k int) (int, appeal) {
	style := w.m.f.Box.Style
	next, all := w.m.next, len(w.m.f.Lines)
	if all-k < style.Widows {
		k = min(k, next+max(all-next-style.Widows, style.Orphans))
	}
	switch {
	case k == next:
		return k, lastResort
	case k-next < style.Orphans:
		return k, violatesLines
	}
	return k, perfect
}

// breakLine begins the next part with line k.
func (w *walk) breakLine(k int, floats []*mark) *mark {
	lead := w.m.f.Lines[k].Top
	to := w.to(k, lead, w.held(0, nil))
	to.loose = w.m.loose
	for to.loose < w.seq.count() && w.seq.list[to.loose].Y < lead-epsilon {
		to.loose++
	}
	for _, o := range floats {
		if o.f.Y < lead-epsilon {
			to.open = append(to.open, o)
		}
	}
	return to
}

// withinLines is the last place between lines that leaves enough of them on both sides.
func (w *walk) withinLines() (*mark, appeal) {
	all := len(w.m.f.Lines)
	if all-w.m.next < 2 {
		return nil, lastResort
	}
	k, a := w.orphans(all - 1)
	if all-k < w.m.f.Box.Style.Widows {
		a = min(a, violatesLines)
	}
	if a == lastResort {
		return nil, a
	}
	return w.breakLine(k, nil), a
}
