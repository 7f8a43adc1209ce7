package pdfium_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/pdfium"
)

// compiled is where the tests of this package keep the compiled program, and reader the one that most of them share.
var (
	compiled string
	reader   *pdfium.Reader
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pdfium-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	compiled = cmp.Or(os.Getenv("PLATEN_CACHE_DIR"), dir)
	reader = pdfium.New(pdfium.Options{Dir: compiled, Pool: 2})
	code := m.Run()
	if err := reader.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// bounded is the context of a test that must come to its end.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute) // a busy machine compiles for long, and with the race detector longer
	t.Cleanup(cancel)
	return ctx
}

// document writes a PDF with these content streams, one for each page of 200 × 100 points, and extra entries for the pages.
func document(extra string, contents ...string) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
	var kids strings.Builder
	for _, content := range contents {
		n := len(objects) + 1
		fmt.Fprintf(&kids, "%d 0 R ", n)
		objects = append(objects,
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>%s>>", n+1, extra),
			fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(contents), kids.String())
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.Bytes()
}

// says is a content stream with a text.
func says(text string) string { return "BT /F 12 Tf 10 50 Td (" + text + ") Tj ET" }

func TestTheTextOfEachPageIsRead(t *testing.T) {
	t.Parallel()
	got, err := reader.Text(bounded(t), document("", says("first page"), "", says("third")))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0] != "first page" || got[1] != "" || got[2] != "third" {
		t.Errorf("%q", got)
	}
}

func TestAPageIsDrawnOnWhite(t *testing.T) {
	t.Parallel()
	pdf := document("", says("x"), "1 0 0 rg 0 0 100 100 re f")
	err := reader.Read(bounded(t), pdf, func(d *pdfium.Document) error {
		if w, h, err := d.Size(2); d.Pages() != 2 || w != 200 || h != 100 || err != nil {
			t.Errorf("%d pages, %v × %v, %v", d.Pages(), w, h, err)
		}
		picture, err := d.Picture(2, 144)
		if err != nil {
			return err
		}
		if picture.Rect != image.Rect(0, 0, 400, 200) {
			t.Errorf("a picture of %v", picture.Rect)
		}
		red, white := color.NRGBA{255, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}
		if l, r := picture.NRGBAAt(50, 100), picture.NRGBAAt(350, 100); l != red || r != white {
			t.Errorf("left %v, right %v", l, r)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestATransparentPageIsDrawnOnWhiteToo(t *testing.T) {
	t.Parallel()
	pdf := document("/Group<</S/Transparency/CS/DeviceRGB>>", "q Q")
	err := reader.Read(bounded(t), pdf, func(d *pdfium.Document) error {
		picture, err := d.Picture(1, 72)
		if err == nil && picture.NRGBAAt(5, 5) != (color.NRGBA{255, 255, 255, 255}) {
			t.Errorf("the paper is %v", picture.NRGBAAt(5, 5))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestATurnedPageIsDrawnAsItIsShown(t *testing.T) {
	t.Parallel()
	err := reader.Read(bounded(t), document("/Rotate 90", says("x")), func(d *pdfium.Document) error {
		picture, err := d.Picture(1, 72)
		if err == nil && picture.Rect != image.Rect(0, 0, 100, 200) {
			t.Errorf("a picture of %v", picture.Rect)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAPageThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	err := reader.Read(bounded(t), document("", says("x")), func(d *pdfium.Document) error {
		for _, page := range []int{-1, 0, 2} {
			if _, err := d.Text(page); !errors.Is(err, pdfium.ErrNoPage) {
				t.Errorf("text of page %d: %v", page, err)
			}
			if _, err := d.Picture(page, 72); !errors.Is(err, pdfium.ErrNoPage) {
				t.Errorf("picture of page %d: %v", page, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAPictureBeyondTheBoundIsRefused(t *testing.T) {
	t.Parallel()
	pdf := bytes.ReplaceAll(document("", says("x")), []byte("[0 0 200 100]"), []byte("[0 0 9999 9999]"))
	err := reader.Read(bounded(t), pdf, func(d *pdfium.Document) error {
		_, err := d.Picture(1, 72)
		return err
	})
	if !errors.Is(err, pdfium.ErrTooLarge) {
		t.Error(err)
	}
}

func TestHostileDocumentsAreErrors(t *testing.T) {
	t.Parallel()
	whole := document("", says("x"))
	loop := bytes.ReplaceAll(whole, []byte("/Kids[4 0 R ]"), []byte("/Kids[2 0 R ]"))
	many := bytes.ReplaceAll(whole, []byte("/Count 1/"), []byte("/Count 2000000000/"))
	for name, pdf := range map[string][]byte{
		"nothing": nil, "zeros": make([]byte, 1<<20), "a text": []byte("%PDF-1.7\nno more"), "half": whole[:len(whole)/3],
		"a tree that is its own branch": loop, "encrypted": encrypted(whole),
	} {
		if _, err := reader.Text(bounded(t), pdf); !errors.Is(err, pdfium.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if pages, err := reader.Text(bounded(t), many); err != nil || len(pages) != 1 {
		t.Errorf("more pages than there are: %d, %v", len(pages), err)
	}
	if _, err := reader.Text(bounded(t), whole); err != nil {
		t.Errorf("a good one after them: %v", err)
	}
}

// encrypted says of a document that it is encrypted with a password that nobody knows.
func encrypted(pdf []byte) []byte {
	zeros := strings.Repeat("00", 32)
	return bytes.ReplaceAll(pdf, []byte("/Root 1 0 R>>"),
		[]byte("/Root 1 0 R/ID[<00><00>]/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O<"+zeros+">/U<"+zeros+">>>>>"))
}

// endless takes minutes to draw.
func endless() []byte {
	return document("", strings.Repeat("0 0 m 200 100 l 13 90 l 180 5 l f* ", 1_000_000))
}

func TestAPageThatTakesForEverEndsWithItsContext(t *testing.T) {
	t.Parallel()
	r := pdfium.New(pdfium.Options{Dir: compiled})
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(bounded(t))
	defer cancel(nil)
	var ended time.Time
	err := r.Read(ctx, endless(), func(d *pdfium.Document) error {
		time.AfterFunc(200*time.Millisecond, func() { ended = time.Now(); cancel(cause) })
		_, err := d.Picture(1, 300)
		return err
	})
	if !errors.Is(err, cause) {
		t.Fatalf("ended with %v", err)
	}
	if took := time.Since(ended); took > 5*time.Second {
		t.Errorf("it went on for %v", took)
	}
	if text, err := r.Text(bounded(t), document("", says("next"))); err != nil || text[0] != "next" {
		t.Errorf("the next one: %q, %v", text, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestADocumentThatWantsTooMuchMemoryIsAnError(t *testing.T) {
	t.Parallel()
	r := pdfium.New(pdfium.Options{Dir: compiled, Memory: 48 << 20})
	err := r.Read(bounded(t), document("", says("x")), func(d *pdfium.Document) error {
		_, err := d.Picture(1, 2000) // 15 million pixels, of four bytes
		return err
	})
	if err == nil {
		t.Error("drawn")
	}
	if _, err := r.Text(bounded(t), make([]byte, 30<<20)); !errors.Is(err, pdfium.ErrTooLarge) {
		t.Errorf("a document of more than half: %v", err)
	}
	if _, err := r.Text(bounded(t), document("", says("x"))); err != nil {
		t.Errorf("a small one after them: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestManyReadAtOnceAndDoNotMix(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			want := fmt.Sprintf("token %d", i)
			if got, err := reader.Text(bounded(t), document("", says(want))); err != nil || got[0] != want {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
		})
	}
	all.Wait()
}

func TestAPassedContextReadsNothing(t *testing.T) {
	t.Parallel()
	cause := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := reader.Text(ctx, document("", says("x"))); !errors.Is(err, cause) {
		t.Error(err)
	}
}

// A damaged cache is one of no use: the program comes to a folder of the reader's own, which goes with it.
func TestADamagedCacheCostsTimeAndLeavesNothing(t *testing.T) {
	if err := reader.Start(bounded(t)); err != nil {
		t.Fatal(err)
	}
	temp, dir := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	t.Setenv("TMPDIR", temp)
	if err := os.CopyFS(dir, os.DirFS(compiled)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the cache has %v, %v", files, err)
	}
	for _, file := range files {
		if err := os.Truncate(file, 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	r := pdfium.New(pdfium.Options{Dir: dir})
	if text, err := r.Text(bounded(t), document("", says("x"))); err != nil || text[0] != "x" {
		t.Errorf("%q, %v", text, err)
	}
	if own, err := filepath.Glob(filepath.Join(temp, "platen-pdfium-*")); err != nil || len(own) != 1 {
		t.Errorf("folders %v, %v", own, err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := r.Text(bounded(t), document("", says("x"))); err == nil {
		t.Error("read after the end")
	}
}

func TestAFolderThatOthersCanWriteToIsNoPlaceForPrograms(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "cache")
	if err := pdfium.Private(dir); err != nil {
		t.Errorf("a new one: %v", err)
	}
	for _, mode := range []os.FileMode{0o777, 0o770, 0o702} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := pdfium.Private(dir); err == nil {
			t.Errorf("%o is private", mode)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := pdfium.Private(dir); err != nil {
		t.Errorf("one that others can read: %v", err)
	}
}

func TestTheVersionIsThatOfTheLibrary(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile(filepath.Join("..", "..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(mod, []byte("github.com/klippa-app/go-pdfium v"+pdfium.Version)) {
		t.Errorf("go.mod has another version than %s", pdfium.Version)
	}
}

// A machine that cannot start PDFium is to blame, and no document: another worker may have it.
func TestPDFiumThatDoesNotStartIsAnEngineThatIsNotThere(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	r := pdfium.New(pdfium.Options{})
	if _, err := r.Text(bounded(t), document("", says("x"))); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("got %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.Text(bounded(t), document("", says("x"))); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("after the end: %v", err)
	}
}
