package paint_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/page"
	"github.com/platen-render/platen/internal/render/native/paint"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// studio makes fragments by hand: boxes with styles, at places, and text that is shaped as it comes.
type studio struct {
	testing.TB
	order     int
	library   *fonts.Library
	set       *fonts.Set
	segmenter shape.Segmenter
	shaper    *shape.Shaper
}

func newStudio(tb testing.TB) *studio {
	tb.Helper()
	library, err := fonts.New(tb.Context(), "")
	if err != nil {
		tb.Fatal(err)
	}
	return &studio{TB: tb, library: library, set: library.NewSet(), shaper: shape.NewShaper()}
}

// style computes the style of an element that has these declarations.
func (s *studio) style(css string) *property.Style {
	s.Helper()
	markup := `<!DOCTYPE html><html style="font: 16px/20px Noto Sans"><body><div style="` + css + `"></div>`
	doc, err := dom.Parse(s.Context(), markup, dom.Limits{})
	if err != nil {
		s.Fatal(err)
	}
	result, err := cascade.Compute(s.Context(), doc, cascade.Options{})
	if err != nil {
		s.Fatal(err)
	}
	if len(result.Findings) > 0 {
		s.Fatalf("%s: %v", css, result.Findings)
	}
	return result.Of(doc.Elements[len(doc.Elements)-1]).Style
}

// block is a block with these border edges.
func (s *studio) block(css string, x, y, width, height float64, kids ...*fragment.Fragment) *fragment.Fragment {
	s.Helper()
	style := s.style(css)
	s.order++
	b := &box.Box{Style: style, Order: s.order}
	f := &fragment.Fragment{Box: b, X: x, Y: y, Width: width, Height: height}
	w := style.BorderWidth
	f.Border = fragment.Edges{Top: w.Top, Right: w.Right, Bottom: w.Bottom, Left: w.Left}
	d := style.Padding
	f.Padding = fragment.Edges{Top: d.Top.Px, Right: d.Right.Px, Bottom: d.Bottom.Px, Left: d.Left.Px}
	f.Children = kids
	for _, k := range kids {
		k.Box.Parent = b
		b.Children = append(b.Children, k.Box)
	}
	return f
}

// root is the fragment of <html> with these children.
func (s *studio) root(width, height float64, kids ...*fragment.Fragment) *fragment.Fragment {
	s.Helper()
	s.order = -1
	f := s.block("", 0, 0, width, height, kids...)
	f.Box.Node = &dom.Node{Tag: "html"}
	return f
}

// inline is a box of a line.
func (s *studio) inline(parent *box.Box, css string) *box.Box {
	s.Helper()
	s.order++
	b := &box.Box{Kind: box.Inline, Style: s.style(css), Parent: parent, Order: s.order, First: true, Last: true}
	parent.Children = append(parent.Children, b)
	return b
}

// write shapes a text of a box, which begins at x on the base line of a line.
func (s *studio) write(line *fragment.Line, parent *box.Box, text string, x float64) *fragment.Text {
	s.Helper()
	style := parent.Style
	s.order++
	b := &box.Box{Kind: box.Text, Style: style, Parent: parent, Text: text, Order: s.order}
	parent.Children = append(parent.Children, b)
	out := &fragment.Text{Box: b, X: x, Y: line.Baseline, Size: style.FontSize}
	p := s.segmenter.Paragraph(text, shape.LTR)
	sel := s.set.Select(style.FontFamily, fonts.Style{Weight: int(style.FontWeight), Italic: style.FontStyle != "normal"})
	for _, item := range p.Items(0, len(p.Runes), sel) {
		glyphs, err := s.shaper.Shape(nil, shape.Run{
			Text: p.Runes, Start: item.Start, End: item.End, Font: item.Choice.Font, Script: item.Script, Lang: "en",
		})
		if err != nil {
			s.Fatal(err)
		}
		placed, width := p.Place(nil, glyphs, shape.Setting{Size: style.FontSize, Font: item.Choice.Font})
		out.Choice, out.Glyphs, out.Width = item.Choice, placed, width
	}
	m, em := out.Choice.Font.Metrics()
	round := func(v int) float64 { return float64(int(float64(v)*style.FontSize/float64(em) + 0.5)) }
	out.Ascent, out.Descent = round(m.Ascent), round(-m.Descent)
	line.Parts = append(line.Parts, fragment.Part{Text: out})
	return out
}

// line adds a line to a fragment.
func line(f *fragment.Fragment, top, baseline float64) *fragment.Line {
	l := &fragment.Line{Top: top, Height: 20, Width: f.Width, Baseline: baseline}
	f.Lines = append(f.Lines, l)
	f.Box.HasLines = true
	return l
}

// sheet is a page without margins.
func sheet(root *fragment.Fragment) *page.Page {
	return &page.Page{
		Number: 1, Width: root.Width, Height: root.Height, Root: root,
		Area: page.Area{Width: root.Width, Height: root.Height},
	}
}

// print paints pages and checks that the file is sound.
func (s *studio) print(options paint.Options, pages ...*page.Page) []byte {
	s.Helper()
	options.Background = true
	return s.printAs(options, &box.Tree{Root: pages[0].Root.Box}, pages...)
}

func (s *studio) printAs(options paint.Options, tree *box.Tree, pages ...*page.Page) []byte {
	s.Helper()
	var out bytes.Buffer
	doc := pdf.New(s.Context(), &out, pdf.Info{}, pdf.Limits{})
	if err := paint.Paint(s.Context(), doc, pages, tree, options); err != nil {
		s.Fatal(err)
	}
	if err := doc.Close(); err != nil {
		s.Fatal(err)
	}
	s.tool(out.Bytes(), "qpdf", "--check", "FILE")
	if dir := os.Getenv("PLATEN_TEST_PAINT_KEEP"); dir != "" {
		name := filepath.Join(dir, strings.ReplaceAll(s.Name(), "/", "_"))
		if err := os.WriteFile(name+".pdf", out.Bytes(), 0o600); err != nil {
			s.Fatal(err)
		}
	}
	return out.Bytes()
}

// tool runs a PDF tool on a document and returns what it printed.
func (s *studio) tool(document []byte, name string, args ...string) []byte {
	s.Helper()
	packages := map[string]string{"qpdf": "qpdf", "pdftoppm": "poppler-utils", "pdftotext": "poppler-utils"}
	path, err := exec.LookPath(name)
	if err != nil {
		s.Fatalf("%s is missing: install the Debian package %s", name, packages[name])
	}
	file := filepath.Join(s.TempDir(), "document.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		s.Fatal(err)
	}
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	cmd := exec.CommandContext(s.Context(), path, args...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil || problems.Len() > 0 {
		s.Fatalf("%s: %v\n%s%s", name, err, out, problems.String())
	}
	return out
}

// picture is the first page with one pixel of it to a CSS pixel.
func (s *studio) picture(document []byte) image.Image {
	s.Helper()
	return s.pictureAt(document, 96)
}

// pictureAt is the first page at a resolution.
func (s *studio) pictureAt(document []byte, dpi int) image.Image {
	s.Helper()
	img, err := png.Decode(bytes.NewReader(s.tool(document, "pdftoppm", "-r", strconv.Itoa(dpi), "-png", "-singlefile", "FILE")))
	if err != nil {
		s.Fatal(err)
	}
	return img
}

// show paints one page.
func (s *studio) show(root *fragment.Fragment) image.Image {
	s.Helper()
	return s.picture(s.print(paint.Options{}, sheet(root)))
}

// spots are colors at places.
type spots map[[2]int]color.NRGBA

var (
	white = color.NRGBA{255, 255, 255, 255}
	black = color.NRGBA{A: 255}
	red   = color.NRGBA{R: 255, A: 255}
	lime  = color.NRGBA{G: 255, A: 255}
	blue  = color.NRGBA{B: 255, A: 255}
)

// check compares colors of a picture.
func (s *studio) check(img image.Image, want spots) {
	s.Helper()
	for at, c := range want {
		got, _ := color.NRGBAModel.Convert(img.At(at[0], at[1])).(color.NRGBA)
		for _, d := range []int{int(got.R) - int(c.R), int(got.G) - int(c.G), int(got.B) - int(c.B)} {
			if d < -10 || d > 10 {
				s.Errorf("at %d,%d: %v, want %v", at[0], at[1], got, c)
				break
			}
		}
	}
}

// imageOf loads a picture of these bytes.
func (s *studio) imageOf(data []byte) *images.Image {
	s.Helper()
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		s.Fatal(err)
	}
	w, h := float64(config.Width), float64(config.Height)
	return &images.Image{Width: w, Height: h, Ratio: w / h, Data: data}
}

// flex is a flex box with items.
func (s *studio) flex(x, y, width, height float64, kids ...*fragment.Fragment) *fragment.Fragment {
	s.Helper()
	f := s.block("display:flex", x, y, width, height, kids...)
	f.Box.Kind = box.Flex
	return f
}
