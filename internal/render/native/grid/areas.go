package grid

import "slices"

// addAreas makes the lines that areas name, and the tracks that they need beyond the template (section 7.3).
func (a *Axis) addAreas(areas [][]string, rows bool) {
	count := len(areas)
	if !rows && count > 0 {
		count = len(areas[0])
	}
	for _, area := range extents(areas) {
		lines := area.Columns
		if rows {
			lines = area.Rows
		}
		a.insert(area.name+"-start", lines.Start)
		a.insert(area.name+"-end", lines.End)
	}
	for len(a.Explicit) < count {
		a.Explicit = append(a.Explicit, a.track(len(a.Explicit)))
	}
}

// insert names a line among others in order.
func (a *Axis) insert(name string, line int) {
	list := a.lines[name]
	i, found := slices.BinarySearch(list, line)
	if !found {
		a.lines[name] = slices.Insert(list, i, line)
	}
}

type named struct {
	Area
	name string
}

// extents are the areas in the order in which they begin.
func extents(areas [][]string) []named {
	var list []named
	index := map[string]int{}
	for y, row := range areas {
		for x, name := range row {
			if name == "." {
				continue
			}
			i, seen := index[name]
			if !seen {
				i = len(list)
				index[name] = i
				list = append(list, named{name: name, Area: Area{Range{x, x}, Range{y, y}}})
			}
			list[i].Columns.End = max(list[i].Columns.End, x+1)
			list[i].Rows.End = max(list[i].Rows.End, y+1)
		}
	}
	return list
}
