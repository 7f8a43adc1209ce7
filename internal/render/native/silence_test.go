package native_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
)

// Nothing is dropped in silence: a page that the engine takes looks as in the browser. Each trial below is a bit of a page; those
// that the engine takes are printed by both, many on one sheet, each in a cell of its own, and their pictures must agree.

// trial is a bit of a page, whose doctype is html if it has none. A $ in it is a selector of its cell.
type trial struct{ name, html, doctype string }

// Doctypes of pages that are not of today: browsers read those without one in quirks mode, the other in limited quirks mode.
const (
	noDoctype  = " "
	oldDoctype = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`
)

// The sheet, in pixels.
const (
	cellWidth, cellHeight = 188, 120
	across, down          = 8, 15
	gutter                = 12
)

const sheetStyle = `%s<html lang="en"><meta charset="utf-8"><style>
@page { size: %dpx %dpx; margin: 0 }
body { margin: 0; font: 14px/18px "Noto Sans" }
body > .cell { position: absolute; overflow: hidden; width: %dpx; height: %dpx }
</style><body>`

// cell is the trial as it stands on a sheet.
func (c trial) cell(i int) string {
	x, y := gutter+i%across*(cellWidth+gutter), gutter+i/across*(cellHeight+gutter)
	id := fmt.Sprintf("cell%d", i)
	return fmt.Sprintf("<div class=cell id=%s style='left:%dpx;top:%dpx'>%s</div>\n", id, x, y, strings.ReplaceAll(c.html, "$", "#"+id))
}

// sheetOf is a page of trials, with the doctype of the first.
func sheetOf(trials []trial) render.Request {
	var b strings.Builder
	fmt.Fprintf(&b, sheetStyle, cmp.Or(trials[0].doctype, "<!DOCTYPE html>"), gutter+across*(cellWidth+gutter), gutter+down*(cellHeight+gutter), cellWidth, cellHeight)
	for i, c := range trials {
		b.WriteString(c.cell(i))
	}
	return render.Request{HTML: b.String(), Output: render.DefaultOutput()}
}

// inside are the trials that the engine takes.
func inside(t *testing.T, ours *native.Engine, trials []trial) []trial {
	t.Helper()
	var list []trial
	for _, c := range trials {
		decision, err := ours.Inspect(t.Context(), sheetOf([]trial{c}))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if decision.Inside {
			list = append(list, c)
		}
	}
	return list
}

// zoom is how many pixels of a picture a CSS pixel is. It is no simple number: at whole pixels the smallest of differences, which
// is none to the eye, would decide on which side a letter is drawn.
const zoom = 1.0973

// printed is the first page of a document.
func printed(t *testing.T, document []byte) *image.RGBA {
	t.Helper()
	program, err := exec.LookPath("pdftoppm")
	if err != nil {
		t.Fatal("pdftoppm is missing: install the Debian package poppler-utils")
	}
	file := filepath.Join(t.TempDir(), "document.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "-r", fmt.Sprint(96*zoom), "-png", "-singlefile", file).Output()
	if err != nil {
		t.Fatalf("pdftoppm: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	all := image.NewRGBA(img.Bounds())
	imagedraw.Draw(all, all.Bounds(), img, image.Point{}, imagedraw.Src)
	return all
}

// Pictures are compared in squares of so many pixels, whose means may differ by so much of 255: edges are not smoothed alike. What
// stands a pixel away is in its place.
const square, unlike, aside = 6, 48, 1

// worst is the largest difference of two pictures in a rectangle.
func worst(a, b *image.RGBA, r image.Rectangle) int {
	most := 0
	for y := r.Min.Y; y+square <= r.Max.Y; y += square / 2 {
		for x := r.Min.X; x+square <= r.Max.X; x += square / 2 {
			if at := image.Pt(x, y); difference(a, b, at, at) > most {
				most = max(most, nearest(a, b, at))
			}
		}
	}
	return most
}

// nearest is the least difference of a square in one picture from those around its place in the other.
func nearest(a, b *image.RGBA, at image.Point) int {
	least := 255
	for dy := -aside; dy <= aside; dy++ {
		for dx := -aside; dx <= aside; dx++ {
			least = min(least, difference(a, b, at, at.Add(image.Pt(dx, dy))))
		}
	}
	return least
}

// difference is that of the means of two squares, in the color that differs most.
func difference(a, b *image.RGBA, p, q image.Point) int {
	var sum [3]int
	for dy := range square {
		i, j := a.PixOffset(p.X, p.Y+dy), b.PixOffset(q.X, q.Y+dy)
		for dx := range square {
			for c := range sum {
				sum[c] += int(a.Pix[i+4*dx+c]) - int(b.Pix[j+4*dx+c])
			}
		}
	}
	most := 0
	for _, s := range sum {
		most = max(most, s/square/square, -s/square/square)
	}
	return most
}

// agree prints trials with both engines and fails for each whose picture is another.
func agree(t *testing.T, ours, theirs render.Engine, trials []trial, name string) {
	t.Helper()
	req := sheetOf(trials)
	got, want := printed(t, draw(t, ours, req, name+".native")), printed(t, draw(t, theirs, req, name+".chromium"))
	if d := got.Bounds().Max.Sub(want.Bounds().Max); max(d.X, -d.X, d.Y, -d.Y) > 1 {
		t.Fatalf("the sheet is %v, in the browser %v", got.Bounds(), want.Bounds())
	}
	for i, c := range trials {
		x, y := gutter+i%across*(cellWidth+gutter), gutter+i/across*(cellHeight+gutter)
		r := image.Rect(scaled(x), scaled(y), scaled(x+cellWidth), scaled(y+cellHeight))
		if d := worst(got, want, r); d > unlike {
			t.Errorf("%d of %s: %s", d, c.name, c.html)
			keep(t, got, want, r, c.name)
		}
	}
}

func scaled(v int) int { return int(float64(v) * zoom) }

// keep puts both pictures of a trial side by side where the environment says so.
func keep(t *testing.T, got, want *image.RGBA, r image.Rectangle, name string) {
	t.Helper()
	dir := os.Getenv("PLATEN_KEEP")
	if dir == "" {
		return
	}
	both := image.NewRGBA(image.Rect(0, 0, 2*r.Dx()+10, r.Dy()))
	imagedraw.Draw(both, image.Rect(0, 0, r.Dx(), r.Dy()), got, r.Min, imagedraw.Src)
	imagedraw.Draw(both, image.Rect(r.Dx()+10, 0, 2*r.Dx()+10, r.Dy()), want, r.Min, imagedraw.Src)
	var file bytes.Buffer
	if err := png.Encode(&file, both); err != nil {
		t.Fatal(err)
	}
	name = strings.NewReplacer("/", "_", " ", "_", ":", "").Replace(name) + ".png"
	if err := os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// trialsOf reads "name | html" lines; others go on with the one before.
func trialsOf(t *testing.T, file string) []trial {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []trial
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		if name, html, ok := strings.Cut(line, " | "); ok {
			list = append(list, trial{name: name, html: strings.ReplaceAll(html, "PIXELS", quarters)})
		} else {
			list[len(list)-1].html += "\n" + line
		}
	}
	return list
}

// compareAll prints trials, many on each sheet.
func compareAll(t *testing.T, ours, theirs render.Engine, trials []trial) {
	t.Helper()
	number := 0
	for part := range slices.Chunk(trials, across*down) {
		number++
		agree(t, ours, theirs, part, fmt.Sprintf("%s%d", t.Name(), number))
	}
}

func TestWhatTheEngineTakesLooksAsInTheBrowser(t *testing.T) {
	t.Parallel()
	ours, theirs := engine(t), browser(t)
	trials := trialsOf(t, "testdata/silence/cells.txt")
	taken := inside(t, ours, trials)
	t.Logf("%d of %d are inside", len(taken), len(trials))
	compareAll(t, ours, theirs, taken)
}
