package flex

// Lines breaks the items into lines and gives each item its Main (sections 9.3 and 9.7).
func (c *Container) Lines(items []Item) []Line {
	lines := c.collect(items)
	room := c.Main
	if room < 0 {
		room = c.Natural(items)
	}
	for _, line := range lines {
		on := items[line.First:line.End]
		resolve(on, room-gaps(len(on), c.MainGap))
	}
	return lines
}

// Natural is how long the longest line is when no item flexes: the size of a container that has none of its own.
func (c *Container) Natural(items []Item) float64 {
	longest := 0.0
	for _, line := range c.collect(items) {
		longest = max(longest, c.length(items[line.First:line.End]))
	}
	return longest
}

func (c *Container) length(on []Item) float64 {
	sum := gaps(len(on), c.MainGap)
	for i := range on {
		sum += on[i].outer(on[i].Hypothetical())
	}
	return sum
}

// collect fills lines; there is at least one item in each. Sums are compared with a hair's breadth of tolerance, because thirds of
// a width are to stand three in a line.
func (c *Container) collect(items []Item) []Line {
	if len(items) == 0 {
		return nil
	}
	room := c.Main
	if room < 0 {
		room = c.Break
	}
	if !c.Wrap || room < 0 {
		return []Line{{End: len(items)}}
	}
	var lines []Line
	first, used := 0, 0.0
	for i := range items {
		size := items[i].outer(items[i].Hypothetical())
		if i > first && used+c.MainGap+size > room+hair {
			lines = append(lines, Line{First: first, End: i})
			first, used = i, 0
		}
		if i > first {
			used += c.MainGap
		}
		used += size
	}
	return append(lines, Line{First: first, End: len(items)})
}

// hair is half of the unit in which browsers count, 1/64 pixel.
const hair = 1.0 / 128

func gaps(n int, gap float64) float64 { return float64(max(n-1, 0)) * gap }
