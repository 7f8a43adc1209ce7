package paint_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/paint"
)

// plain is the document with its objects readable.
func (s *studio) plain(document []byte) string {
	s.Helper()
	dir := s.TempDir()
	in, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, "out.pdf")
	if err := os.WriteFile(in, document, 0o600); err != nil {
		s.Fatal(err)
	}
	if problems, err := exec.CommandContext(s.Context(), "qpdf", "--qdf", "--object-streams=disable", in, out).CombinedOutput(); err != nil {
		s.Fatalf("qpdf: %v\n%s", err, problems)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

var rectangles = regexp.MustCompile(`/Rect \[\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+\]`)

// areas are the corners of the links, sorted.
func areas(plain string) []string {
	var list []string
	for _, m := range rectangles.FindAllStringSubmatch(plain, -1) {
		list = append(list, strings.Join(m[1:], " "))
	}
	slices.Sort(list)
	return list
}

func TestEachPartOfALinkInALineIsOneArea(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	f := s.block("", 20, 20, 200, 40)
	link := s.inline(f.Box, "")
	link.Link = "https://example.org/"
	bold := s.inline(link, "")
	for i := range 2 {
		l := line(f, float64(20*i), float64(20*i+16))
		s.write(l, f.Box, "x", 0)
		s.write(l, link, "xx", 40).Width = 20
		s.write(l, bold, "xx", 60).Width = 20
	}
	got := areas(s.plain(s.print(paint.Options{}, sheet(s.root(400, 100, f)))))
	// 17 above the base line and 5 below, in points from below
	want := []string{"45 29.25 75 45.75", "45 44.25 75 60.75"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAPictureInALinkIsAnArea(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	f := s.block("", 20, 20, 200, 40)
	link := s.inline(f.Box, "")
	link.Link = "mailto:a@b.example"
	picture := s.block("", 40, 0, 40, 20, s.block("", 0, 0, 10, 10))
	picture.Box.Inline, picture.Box.Parent = true, link
	l := line(f, 0, 16)
	l.Parts = append(l.Parts, fragment.Part{Atomic: picture})
	got := areas(s.plain(s.print(paint.Options{}, sheet(s.root(400, 100, f)))))
	if diff := cmp.Diff([]string{"45 45 75 60"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestALinkedBlockIsOneAreaWhereItIsSeen(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	inner := s.block("", 10, 10, 80, 20)
	card := s.block("transform:translate(100px,0)", 20, 20, 100, 40, inner)
	card.Box.Link = "#there"
	s.write(line(inner, 0, 16), inner.Box, "text", 0)
	there := s.block("", 0, 90, 10, 10)
	there.Box.Anchor = "there"
	plain := s.plain(s.print(paint.Options{}, sheet(s.root(400, 100, card, there))))
	if diff := cmp.Diff([]string{"90 30 165 60"}, areas(plain)); diff != "" {
		t.Error(diff)
	}
	if !regexp.MustCompile(`/XYZ\s+0\s+7.5\s`).MatchString(plain) {
		t.Error("the link does not lead to the place")
	}
}

func TestOnlyHarmlessAddressesAreLinks(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	var kids []*fragment.Fragment
	for _, address := range []string{
		"https://a.example/", "HTTP://b.example/", "mailto:a@b.example", "tel:+4712345678", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x",
		"ftp://c.example/", "https:", "#nowhere", "relative.html",
	} {
		f := s.block("", 0, 0, 10, 10)
		f.Box.Link = address
		kids = append(kids, f)
	}
	plain := s.plain(s.print(paint.Options{}, sheet(s.root(100, 100, kids...))))
	if n := strings.Count(plain, "/URI ("); n != 4 || len(areas(plain)) != 4 {
		t.Errorf("%d addresses, %d areas", n, len(areas(plain)))
	}
	for _, bad := range []string{"javascript", "file:", "data:", "ftp"} {
		if strings.Contains(plain, bad) {
			t.Errorf("a link to %s", bad)
		}
	}
}

func TestHeadingsMakeTheOutline(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	heading := func(level int, text string, y float64) *fragment.Fragment {
		f := s.block("", 0, y, 100, 20)
		f.Box.Heading = level
		s.write(line(f, 0, 16), f.Box, text, 0)
		return f
	}
	first, second := s.root(200, 100, heading(1, "One  two", 0), heading(2, "Below", 30)), s.root(200, 100, heading(1, "Next", 10))
	shown := heading(3, "Again", 50)
	shown.Repeated = true
	second.Children = append(second.Children, shown)
	if none := s.plain(s.print(paint.Options{}, sheet(first))); strings.Contains(none, "/Outlines") {
		t.Error("an outline that nobody asked for")
	}
	plain := s.plain(s.print(paint.Options{Outline: true}, sheet(first), sheet(second)))
	var titles []string
	for _, m := range regexp.MustCompile(`/Title \((.*)\)`).FindAllStringSubmatch(plain, -1) {
		titles = append(titles, m[1])
	}
	slices.Sort(titles)
	if diff := cmp.Diff([]string{"Below", "Next", "One two"}, titles); diff != "" {
		t.Error(diff)
	}
}

func TestEqualPagesGiveEqualBytes(t *testing.T) {
	t.Parallel()
	draw := func() []byte {
		s := newStudio(t)
		f := s.block("position:relative;opacity:0.9", 20, 20, 200, 40, s.block("background:linear-gradient(red,blue) 0 0/7px 9px", 0, 0, 50, 50))
		for range 3 {
			apart := s.inline(f.Box, "position:relative;opacity:0.5")
			s.write(line(f, 0, 16), apart, "text", 0)
		}
		return s.print(paint.Options{}, sheet(s.root(400, 100, f)))
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("the same pages give other bytes")
	}
}

func TestInlineBoxesHaveALayerOfTheirOwnWhenTheyWantOne(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	f := s.block("font:bold 40px Noto Sans Mono", 0, 0, 200, 60)
	l := line(f, 0, 40)
	faint := s.inline(f.Box, "font:bold 40px Noto Sans Mono;opacity:0.5;color:red")
	s.write(l, f.Box, "█", 0)
	l.Parts = append(l.Parts, fragment.Part{Inline: &fragment.Inline{Box: faint, X: 40, Y: 10, Width: 40, Height: 40, Start: true, End: true}})
	s.write(l, faint, "█", 40)
	over := s.inline(f.Box, "font:bold 40px Noto Sans Mono;position:relative;color:blue")
	s.write(l, over, "█", 60)
	s.write(l, f.Box, "█", 60)
	atomic := s.block("background:lime", 120, 10, 20, 20)
	atomic.Box.Inline, atomic.Box.Parent = true, over
	l.Parts = append(l.Parts, fragment.Part{Atomic: atomic})
	img := s.show(s.root(200, 60, f))
	s.check(img, spots{{10, 30}: black, {50, 30}: {R: 255, G: 127, B: 127, A: 255}, {70, 30}: blue, {130, 20}: lime})
}

func TestRowsAreColoredBehindTheirCells(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	kind := func(k box.Kind, f *fragment.Fragment) *fragment.Fragment {
		f.Box.Kind = k
		return f
	}
	cell := func(css string, x, height float64) *fragment.Fragment {
		return kind(box.TableCell, s.block(css, x, 0, 30, height))
	}
	empty := cell("background:lime", 80, 30)
	empty.Hidden = true
	first := kind(box.TableRow, s.block("background:red", 0, 10, 120, 30, cell("", 10, 70), cell("background:lime", 45, 30), empty))
	second := kind(box.TableRow, s.block("background:blue", 0, 50, 120, 30, cell("", 45, 30)))
	grid := kind(box.TableGrid, s.block("background:#ffff00", 10, 10, 120, 90, kind(box.TableRowGroup, s.block("", 0, 0, 120, 90, first, second))))
	column := kind(box.TableColumn, s.block("background:black", 80, 10, 30, 70))
	grid.Table = &fragment.Table{Columns: []*fragment.Fragment{column}, Collapsed: []fragment.Rule{
		{X1: 0, Y1: 90, X2: 120, Y2: 90, Width: 3, Style: "solid", Color: [4]float64{1, 0, 0, 1}},
		{X1: 120, Y1: 0, X2: 120, Y2: 90, Width: 6, Style: "double", Color: [4]float64{0, 0, 1, 1}},
	}}
	img := s.show(s.root(150, 120, grid))
	s.check(img, spots{
		{15, 15}: {R: 255, G: 255, A: 255}, {25, 30}: red, {25, 80}: red, {60, 30}: lime, {52, 30}: {R: 255, G: 255, A: 255}, {60, 70}: blue,
		{100, 30}: black, {60, 100}: red, {128, 60}: blue, {130, 60}: white, {132, 60}: blue,
	})
}
