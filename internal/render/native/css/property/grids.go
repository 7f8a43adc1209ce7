package property

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// maxTracks bounds what repeat() makes.
const maxTracks = 1000

// alignment takes the words of CSS Box Alignment 3; of "first baseline" the first word says nothing, "last
// baseline" is outside, "safe" and "unsafe" too.
func alignment(words string) func(*value.Reader) (Keyword, bool) {
	beyond := ""
	if strings.HasPrefix(words, "auto") {
		beyond = "anchor-center"
	}
	one := keyword(words, beyond)
	legacy, content := strings.Contains(words, "legacy"), strings.Contains(words, "space-between")
	return func(r *value.Reader) (Keyword, bool) {
		before := []string{"first", "last", "safe", "unsafe"}
		if legacy {
			before = append(before, "legacy")
		}
		if k, ok := r.Keyword(before...); ok {
			if k == "legacy" && r.Done() {
				return "legacy", true
			}
			if k != "first" || !r.Peek().IsIdent("baseline") {
				r.Refuse("the word " + k + " is not supported")
			}
			if k == "last" && content {
				return "", false
			}
		}
		k, ok := one(r)
		if legacy && (k == "left" || k == "right" || k == "center") {
			if _, after := r.Keyword("legacy"); after {
				r.Refuse("the word legacy is not supported")
			}
		}
		return k, ok
	}
}

// flexBasis reads what a flex item starts from. "0%" is a keyword of its own: where the container has no size of
// its own, it stands for the content.
func flexBasis(r *value.Reader) (Size, bool) {
	if v := r.Peek(); v.Kind == syntax.Percentage && v.Number == 0 {
		r.Skip()
		return Size{Keyword: "0%"}, true
	}
	return size("auto content min-content max-content fit-content", false, "stretch")(r)
}

// trackSize reads one end of a track; flexible says whether it may be a fraction.
func trackSize(r *value.Reader, flexible bool) (TrackSize, bool) {
	if k, ok := r.Keyword("auto", "min-content", "max-content"); ok {
		return TrackSize{Size: Size{Keyword: Keyword(k)}}, true
	}
	if fr, ok := r.Flex(); ok {
		return TrackSize{Fr: fr, Size: Size{Keyword: "fr"}}, flexible
	}
	l, ok := r.NonNegative()
	return TrackSize{Size: Size{Length: l}}, ok
}

func track(r *value.Reader) (Track, bool) {
	v := r.Peek()
	if v.Kind != syntax.Function || (v.Text != "minmax" && v.Text != "fit-content") {
		t, ok := trackSize(r, true)
		if t.Fr > 0 || t.Keyword == "fr" { // a bare fraction is not less than its content
			return Track{Min: TrackSize{Size: Size{Keyword: "auto"}}, Max: t}, ok
		}
		return Track{Min: t, Max: t}, ok
	}
	r.Skip()
	in := r.Inside(v)
	if v.Text == "fit-content" {
		l, ok := in.NonNegative()
		auto := TrackSize{Size: Size{Keyword: "auto"}}
		return Track{Min: auto, Max: TrackSize{Size: Size{Length: l}}, FitContent: true}, ok && r.Take(in)
	}
	low, ok := trackSize(in, false)
	if !ok || !in.Delim(",") {
		return Track{}, false
	}
	high, ok := trackSize(in, true)
	return Track{Min: low, Max: high}, ok && r.Take(in)
}

func autoTracks(r *value.Reader) ([]Track, bool) {
	var list []Track
	for !r.Done() {
		t, ok := track(r)
		if !ok {
			return nil, false
		}
		list = append(list, t)
	}
	return list, len(list) > 0
}

// tracks reads a track list with line names and repetitions (CSS Grid 2, section 7.2).
func tracks(r *value.Reader) (Tracks, bool) {
	if _, ok := r.Keyword("none"); ok {
		return Tracks{}, true
	}
	if _, ok := r.Keyword("subgrid"); ok {
		r.Refuse("subgrids are not supported")
		for !r.Done() {
			r.Skip()
		}
		return Tracks{}, true
	}
	t := Tracks{Names: [][]string{nil}}
	for !r.Done() && len(t.List) <= maxTracks {
		if !t.item(r) {
			return t, false
		}
	}
	if len(t.Repeat) > 0 { // CSS Grid 2, section 7.2.3.1: of how many there are room for is known
		return t, !slices.ContainsFunc(t.List, flexible) && !slices.ContainsFunc(t.Repeat, flexible)
	}
	return t, len(t.List) > 0 && len(t.List) <= maxTracks
}

// flexible reports whether neither end of a track is a length.
func flexible(t Track) bool { return t.FitContent || t.Min.Keyword != "" && t.Max.Keyword != "" }

// flexWrap takes the words of one that breaks evenly as well, which is outside.
func flexWrap(r *value.Reader) (Keyword, bool) {
	if _, ok := r.Keyword("balance"); ok {
		r.Refuse("the value balance is not supported")
		r.Keyword("wrap", "wrap-reverse")
		return "wrap", true
	}
	k, ok := keyword("nowrap wrap wrap-reverse")(r)
	if _, even := r.Keyword("balance"); even {
		r.Refuse("the value balance is not supported")
		ok = ok && k != "nowrap"
	}
	return k, ok
}

// item reads names, a repetition or a track.
func (t *Tracks) item(r *value.Reader) bool {
	v := r.Peek()
	switch {
	case v.Kind == syntax.Brackets:
		r.Skip()
		names, ok := lineNames(v)
		t.addNames(names)
		return ok
	case v.Kind == syntax.Function && v.Text == "repeat":
		r.Skip()
		return t.repetition(r, r.Inside(v))
	}
	one, ok := track(r)
	t.add(one)
	return ok
}

func (t *Tracks) add(one Track) {
	t.List = append(t.List, one)
	t.Names = append(t.Names, nil)
}

func (t *Tracks) addNames(names []string) {
	last := len(t.Names) - 1
	t.Names[last] = append(t.Names[last], names...)
}

func lineNames(v syntax.Value) ([]string, bool) {
	var names []string
	for _, a := range syntax.WithoutSpace(v.Args) {
		if a.Kind != syntax.Ident || a.IsIdent("auto") || a.IsIdent("span") {
			return nil, false
		}
		names = append(names, a.Text)
	}
	return names, true
}

// repetition reads repeat(); one with a number is written out.
func (t *Tracks) repetition(r, in *value.Reader) bool {
	auto, isAuto := in.Keyword("auto-fill", "auto-fit")
	times := 1
	if !isAuto {
		n, ok := in.Integer()
		if !ok || n < 1 {
			return false
		}
		times = n
	}
	if !in.Delim(",") {
		return false
	}
	part := Tracks{Names: [][]string{nil}}
	for !in.Done() {
		if in.Peek().Kind == syntax.Function && in.Peek().Text == "repeat" || !part.item(in) {
			return false
		}
	}
	r.Refuse(in.Outside)
	if len(part.List) == 0 {
		return false
	}
	if isAuto {
		if t.Repeat != nil {
			return false
		}
		t.Repeat, t.RepeatNames, t.At, t.Fit = part.List, part.Names, len(t.List), auto == "auto-fit"
		return true
	}
	for range min(times, maxTracks/len(part.List)+1) {
		t.splice(part)
	}
	return true
}

func (t *Tracks) splice(part Tracks) {
	for i, one := range part.List {
		t.addNames(part.Names[i])
		t.add(one)
	}
	t.addNames(part.Names[len(part.List)])
}

// areas reads strings of cell names; each name must make a rectangle.
func areas(r *value.Reader) ([][]string, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	var rows [][]string
	for r.Peek().Kind == syntax.String {
		row := strings.Fields(r.Peek().Text)
		for i := range row {
			if strings.Trim(row[i], ".") == "" {
				row[i] = "."
			} else if strings.ContainsAny(row[i], notInNames) {
				return nil, false
			}
		}
		if len(row) == 0 || len(rows) > 0 && len(row) != len(rows[0]) || len(rows) > maxTracks || len(row) > maxTracks {
			return nil, false
		}
		rows = append(rows, row)
		r.Skip()
	}
	return rows, len(rows) > 0 && rectangles(rows)
}

// notInNames are characters that no name of an area has.
const notInNames = "!\"#$%&'()*+,./:;<=>?@[\\]^`{|}~"

func rectangles(rows [][]string) bool {
	type box struct{ top, left, bottom, right, cells int }
	boxes := map[string]box{}
	for y, row := range rows {
		for x, name := range row {
			b, seen := boxes[name]
			if !seen {
				b = box{top: y, left: x, bottom: y, right: x}
			}
			b.left, b.bottom, b.right = min(b.left, x), max(b.bottom, y), max(b.right, x)
			b.cells++
			boxes[name] = b
		}
	}
	for name, b := range boxes {
		if name != "." && b.cells != (b.bottom-b.top+1)*(b.right-b.left+1) {
			return false
		}
	}
	return true
}

func autoFlow(r *value.Reader) (Keyword, bool) {
	axis, dense := "", false
	for !r.Done() {
		if k, ok := r.Keyword("row", "column"); ok && axis == "" {
			axis = k
			continue
		}
		if _, ok := r.Keyword("dense"); !ok || dense {
			return "", false
		}
		dense = true
	}
	if axis == "" {
		axis = "row"
		if !dense {
			return "", false
		}
	}
	if dense {
		axis += " dense"
	}
	return Keyword(axis), true
}

// gridLine reads auto, a number, a name, or a span of either.
func gridLine(r *value.Reader) (GridLine, bool) {
	if _, ok := r.Keyword("auto"); ok {
		return GridLine{}, true
	}
	var g GridLine
	numbered := false
	for !r.Done() && !r.Peek().Is("/") {
		if _, ok := r.Keyword("span"); ok && !g.Span {
			g.Span = true
		} else if n, ok := r.Integer(); ok && !numbered {
			g.Line, numbered = n, true
		} else if _, ok := r.Keyword("none"); ok && g.Name == "" {
			g.Name = "none"
		} else if name, ok := identifier(r); ok && g.Name == "" && !strings.EqualFold(name, "auto") {
			g.Name = name
		} else {
			return g, false
		}
	}
	if g.Span && !numbered {
		g.Line = 1
	}
	good := (numbered || g.Name != "") && (!numbered || g.Line != 0) && (!g.Span || g.Line > 0)
	g.Line = min(max(g.Line, -10000), 10000)
	return g, good
}
