package pictures_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // pictures come as either
	_ "image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/pdfium"
	"github.com/platen-render/platen/internal/render/pictures"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// reader is shared by all tests, since its start takes seconds, and compiled is where it keeps what takes them.
var (
	reader   *pdfium.Reader
	compiled string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pictures-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	compiled = cmp.Or(os.Getenv("PLATEN_CACHE_DIR"), dir)
	reader = pdfium.New(pdfium.Options{Dir: compiled, Pool: 2})
	if err := reader.Start(context.Background()); err != nil { // a test has a minute, and a busy machine compiles for longer
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := reader.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// newEngine draws what the native engine prints.
func newEngine(t *testing.T) *pictures.Engine {
	t.Helper()
	printer, err := native.New(t.Context(), native.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &pictures.Engine{Printer: printer, Reader: reader}
}

// colors are those of the pages of a document.
var colors = []string{"red", "lime", "blue", "black"}

// colored asks for pictures of pages of 100 × 50 mm, each all of one color.
func colored(format render.Format, ends ...int) render.Request {
	var b strings.Builder
	b.WriteString("<style>@page{size:100mm 50mm;margin:0} body{margin:0} div{height:50mm} div+div{break-before:page}</style>")
	for _, color := range colors {
		fmt.Fprintf(&b, `<div style="background:%s"></div>`, color)
	}
	req := rendertest.Page(b.String())
	req.Output.Format, req.Output.DPI = format, 72
	for pair := range slices.Chunk(ends, 2) {
		req.Output.Pages = append(req.Output.Pages, render.PageRange{First: pair[0], Last: pair[1]})
	}
	return req
}

// colorOf decodes a picture and names the color in its middle.
func colorOf(t *testing.T, file []byte, format string) string {
	t.Helper()
	picture, got, err := image.Decode(bytes.NewReader(file))
	if err != nil || got != format {
		t.Fatalf("%q, %v", got, err)
	}
	size := picture.Bounds()
	if size.Dx() != 284 || size.Dy() != 142 {
		t.Errorf("a picture of %v", size)
	}
	const half = 0x8000
	r, g, b, _ := picture.At(size.Dx()/2, size.Dy()/2).RGBA()
	i := slices.Index([]bool{r > half, g > half, b > half, true}, true)
	return colors[i]
}

func TestOneChosenPageIsAPicture(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	for _, format := range []render.Format{render.PNG, render.JPEG} {
		report, file := rendertest.Render(t, e, colored(format, 3, 3))
		if got := colorOf(t, file, string(format)); got != "blue" {
			t.Errorf("%s: the page is %s", format, got)
		}
		if report.Pages != 1 || report.ContentType != format.ContentType() || report.Engine != render.Native || !strings.Contains(report.Version, pdfium.Version) || report.Fonts == "" {
			t.Errorf("%s: report %+v", format, report)
		}
	}
}

func TestSeveralChosenPagesAreAnArchive(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	var told []int
	req := colored(render.PNG, 2, 2, 4, 0)
	req.Progress = func(percent int) { told = append(told, percent) }
	report, file := rendertest.Render(t, e, req)
	if report.Pages != 2 || report.ContentType != render.ArchiveType {
		t.Errorf("report %+v", report)
	}
	if !slices.IsSorted(told) || told[len(told)-1] != 100 {
		t.Errorf("progress %v", told)
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range archive.File {
		if f.Method != zip.Store || f.Modified.Year() != 1980 {
			t.Errorf("%s: method %d, of %v", f.Name, f.Method, f.Modified)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		picture, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = colorOf(t, picture, "png")
	}
	if d := gocmp.Diff(map[string]string{"page-002.png": "lime", "page-004.png": "black"}, got); d != "" {
		t.Error(d)
	}
}

func TestEqualRequestsGiveEqualPictures(t *testing.T) {
	t.Parallel()
	other := pdfium.New(pdfium.Options{Dir: compiled})
	t.Cleanup(func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, format := range []render.Format{render.PNG, render.JPEG} {
		one, two := newEngine(t), newEngine(t)
		two.Reader = other
		_, a := rendertest.Render(t, one, colored(format, 1, 0))
		_, b := rendertest.Render(t, two, colored(format, 1, 0))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: other bytes", format)
		}
	}
}

func TestDotsAnInchAndQualityAreThoseThatWereAsked(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	req := colored(render.JPEG, 1, 1)
	req.Output.DPI = 0
	_, usual := rendertest.Render(t, e, req)
	config, _, err := image.DecodeConfig(bytes.NewReader(usual))
	if err != nil || config.Width != 567 || config.Height != 284 {
		t.Errorf("by default %+v, %v: not 144 dots an inch", config, err)
	}
	req.HTML = `<style>@page{size:100mm 50mm;margin:0} body{margin:0}</style><div style="height:50mm;background:linear-gradient(45deg,red,blue)">text</div>`
	_, usual = rendertest.Render(t, e, req)
	req.Output.Quality = 10
	if _, poor := rendertest.Render(t, e, req); len(poor) >= len(usual) {
		t.Errorf("quality 10 takes %d bytes, the default %d", len(poor), len(usual))
	}
}

func TestMoreThanIsAllowedIsAnError(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, whole := rendertest.Render(t, e, colored(render.PNG, 1, 0))
	for name, c := range map[string]struct {
		want   error
		change func(*render.Request)
	}{
		"more bytes":     {render.ErrDocumentTooLarge, func(r *render.Request) { r.Output.DPI, r.MaxBytes = 300, int64(len(whole)) }},
		"more pixels":    {render.ErrDocumentTooLarge, func(r *render.Request) { r.HTML = "<style>@page{size:5000mm 5000mm}</style>x"; r.Output.DPI = 300 }},
		"no such page":   {render.ErrPageRange, func(r *render.Request) { r.Output.Pages = []render.PageRange{{First: 9}} }},
		"another writer": {errFull, nil},
	} {
		req, w := colored(render.PNG, 1, 0), io.Discard
		if c.change == nil {
			w = full{}
		} else {
			c.change(&req)
		}
		if _, err := e.Render(ctx, w, req); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestThePassedDeadlineIsATimeout(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	req := colored(render.PNG, 1, 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cause := errors.New("no longer wanted")
	stopped, stop := context.WithCancelCause(ctx)
	req.Progress = func(percent int) {
		if percent >= 60 {
			stop(cause)
		}
	}
	if _, err := e.Render(stopped, io.Discard, req); !errors.Is(err, cause) {
		t.Errorf("canceled between print and picture: %v", err)
	}
	passed, end := context.WithDeadline(ctx, time.Now())
	defer end()
	req.Progress = nil
	if _, err := e.Render(passed, io.Discard, req); !errors.Is(err, render.ErrTimeout) {
		t.Errorf("passed: %v", err)
	}
}

func TestAllElseIsThePrinters(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	req := colored(render.PDF, 2, 3)
	report, pdf := rendertest.Render(t, e, req)
	rendertest.CheckPDF(t, pdf)
	if report.Pages != 2 || report.ContentType != "application/pdf" || strings.Contains(report.Version, "PDFium") {
		t.Errorf("report %+v", report)
	}
	if err := e.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	req = colored(render.PNG) // of the screen, which the native engine does not have
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := e.Render(ctx, io.Discard, req); !errors.Is(err, render.ErrOutsideSubset) {
		t.Error(err)
	}
}
