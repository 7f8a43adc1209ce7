package grid

import "math/bits"

// widest is how many tracks the minor axis may have: explicit ones and those before and after that can be named, and spans.
const widest = 5 * maxTracks

// occupancy says which cells are taken: a row of bits for each major track in which something stands, as long as it needs to be.
type occupancy struct {
	rows   [][]uint64
	most   int      // major tracks
	merged []uint64 // bits of several rows together
}

// full reports whether a place that begins here is beyond the last track.
func (o *occupancy) full(major, span int) bool { return major+span >= o.most }

// take marks cells; what is out of bounds is left.
func (o *occupancy) take(major, minor Range) {
	end := min(minor.End, widest)
	for y := major.Start; y < min(major.End, o.most+maxTracks); y++ {
		for len(o.rows) <= y {
			o.rows = append(o.rows, nil)
		}
		row := o.rows[y]
		for len(row)*64 < end {
			row = append(row, 0)
		}
		for x := minor.Start; x < end; {
			n := min(64-x%64, end-x)
			row[x/64] |= mask(n) << (x % 64)
			x += n
		}
		o.rows[y] = row
	}
}

// mask is n ones, at most 64.
func mask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// merge puts the rows of a range over each other. The result is good until the next call.
func (o *occupancy) merge(major Range) []uint64 {
	o.merged = o.merged[:0]
	for y := major.Start; y < min(major.End, len(o.rows)); y++ {
		for i, word := range o.rows[y] {
			if i == len(o.merged) {
				o.merged = append(o.merged, word)
				continue
			}
			o.merged[i] |= word
		}
	}
	return o.merged
}

// after is where to go on with the search for room in a range of rows that has none: below the last row that has none by itself,
// so that long spans do not look at each row again and again.
func (o *occupancy) after(major Range, from, span, limit int) int {
	for y := min(major.End, len(o.rows)) - 1; y > major.Start; y-- {
		if gap(o.rows[y], from, span, limit)+span > limit {
			return y + 1
		}
	}
	return major.Start + 1
}

// gap returns where the next run of free tracks begins that is long enough, from a track on and below limit; when there is none
// it returns limit.
func gap(row []uint64, from, span, limit int) int {
	for from+span <= limit {
		last := lastTaken(row, from, from+span)
		if last < 0 {
			return from
		}
		from = nextFree(row, last)
	}
	return limit
}

// lastTaken is the last taken track in a range, or -1: whatever fits begins after it.
func lastTaken(row []uint64, from, end int) int {
	end = min(end, len(row)*64)
	for x := end; x > from; {
		base := (x - 1) / 64 * 64
		low := max(base, from)
		word := row[base/64] >> (low - base) & mask(x-low)
		if word != 0 {
			return low + 63 - bits.LeadingZeros64(word)
		}
		x = low
	}
	return -1
}

// nextFree is the first track from here on that is free.
func nextFree(row []uint64, x int) int {
	for x < len(row)*64 {
		free := ^row[x/64] >> (x % 64)
		if free != 0 {
			return x + bits.TrailingZeros64(free)
		}
		x = (x/64 + 1) * 64
	}
	return x
}
