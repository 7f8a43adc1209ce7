package chromium_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func TestHeadersAndFootersCountPages(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<p>first</p><p style="break-before:page">second</p>`)
	req.Output.Header = `<span>Acme &amp; Sons</span><span class="date"></span>`
	req.Output.Footer = `<div style="text-align:right">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>`
	report, pdf := rendertest.Render(t, e, req)
	for i, text := range rendertest.PageTexts(t, pdf) {
		if want := fmt.Sprintf("Page %d of 2", i+1); !strings.Contains(text, want) || !strings.Contains(text, "Acme & Sons") {
			t.Errorf("page %d says %q, want %q", i+1, text, want)
		}
		if strings.Contains(text, "20") {
			t.Errorf("page %d has a date: %q", i+1, text)
		}
	}
	if len(report.Warnings) != 1 || report.Warnings[0].Code != "date_ignored" {
		t.Errorf("warnings %+v, want date_ignored", report.Warnings)
	}
}

// wordAt finds where pdftotext sees a word, in points from the top left.
func wordAt(tb testing.TB, pdf []byte, word string) (x, y float64) {
	tb.Helper()
	m := regexp.MustCompile(`xMin="([-\d.]+)" yMin="([-\d.]+)"[^>]*>` + word + `<`).FindStringSubmatch(rendertest.Boxes(tb, pdf))
	if m == nil {
		tb.Fatalf("no word %q in %s", word, rendertest.Boxes(tb, pdf))
	}
	_, err := fmt.Sscan(m[1]+" "+m[2], &x, &y)
	if err != nil {
		tb.Fatal(err)
	}
	return x, y
}

func near(a, b, tolerance float64) bool { return a > b-tolerance && a < b+tolerance }

func TestPaperAndMarginsAreInMillimetres(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<style>body{margin:0} p{margin:0;line-height:1}</style><p>corner</p>`)
	const point = 72 / 25.4
	for _, c := range []struct {
		name      string
		change    func(*render.Output)
		size      string
		left, top float64
	}{
		{"a4", func(*render.Output) {}, "595.92 x 841.92 pts (A4)", 20, 20},
		{"margins", func(o *render.Output) { o.Margin = render.Margin{Top: 50, Left: 35} }, "595.92 x 841.92 pts (A4)", 35, 50},
		{"no margins", func(o *render.Output) { o.Margin = render.Margin{} }, "595.92 x 841.92 pts (A4)", 0, 0},
		{"landscape letter", func(o *render.Output) { o.Width, o.Height, o.Landscape = 215.9, 279.4, true }, "792 x 612 pts (letter)", 20, 20},
	} {
		out := render.DefaultOutput()
		c.change(&out)
		req.Output = out
		_, pdf := rendertest.Render(t, e, req)
		if size := rendertest.Info(t, pdf)["Page size"]; size != c.size {
			t.Errorf("%s: page size %q, want %q", c.name, size, c.size)
		}
		x, y := wordAt(t, pdf, "corner")
		if !near(x, c.left*point, 2) || !near(y, c.top*point, 4) {
			t.Errorf("%s: the text begins at %.1f, %.1f mm, want %.0f, %.0f", c.name, x/point, y/point, c.left, c.top)
		}
	}
	req = rendertest.Page(`<style>@page{size:100mm 50mm;margin:5mm}</style>small`)
	_, pdf := rendertest.Render(t, e, req)
	if size := rendertest.Info(t, pdf)["Page size"]; !strings.HasPrefix(size, "282.96 x 142") {
		t.Errorf("an @page size lost: %q", size)
	}
	req.Output.Margin = render.Margin{Left: 400}
	req.HTML = "<p>no room"
	if _, err := e.Render(t.Context(), io.Discard, req); !errors.Is(err, render.ErrPageFailed) {
		t.Errorf("margins wider than the paper: %v, want page_failed", err)
	}
}

func TestTheBackgroundIsPrintedOnRequest(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<style>body{background:#ff0000}</style>x`)
	for _, background := range []bool{true, false} {
		req.Output.Background = background
		_, pdf := rendertest.Render(t, e, req)
		img, err := png.Decode(bytes.NewReader(rendertest.Picture(t, pdf, 1, 20)))
		if err != nil {
			t.Fatal(err)
		}
		r, g, _, _ := img.At(img.Bounds().Dx()/2, img.Bounds().Dy()/2).RGBA()
		if red := r > 0xf000 && g < 0x1000; red != background {
			t.Errorf("background %v: the page is red: %v", background, red)
		}
	}
}

func TestLocaleAndZoneAreThoseOfTheOutput(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<script>
		document.write("lang=" + navigator.language + ";", new Intl.NumberFormat().format(1234.5) + ";",
			new Date(Date.UTC(2026, 0, 31, 23, 30)).toLocaleString(undefined, {dateStyle: "short", timeStyle: "short", hour12: false}) + ";");
		</script>`)
	for want, change := range map[string]func(*render.Output){
		"lang=en;1,234.5;1/31/26, 23:30;":     func(*render.Output) {},
		"lang=de-DE;1.234,5;01.02.26, 00:30;": func(o *render.Output) { o.Locale, o.TimeZone = "de-DE", "Europe/Berlin" },
		"lang=ja;1,234.5;2026/02/01 8:30;":    func(o *render.Output) { o.Locale, o.TimeZone = "ja", "Asia/Tokyo" },
	} {
		req.Output = render.DefaultOutput()
		change(&req.Output)
		_, pdf := rendertest.Render(t, e, req)
		if text := strings.TrimSpace(rendertest.Text(t, pdf)); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	req.Output = render.DefaultOutput()
	req.Output.TimeZone = "Mars/Olympus"
	if _, err := e.Render(t.Context(), io.Discard, req); !errors.Is(err, render.ErrPageFailed) {
		t.Errorf("an unknown zone: %v, want page_failed", err)
	}
}

func TestTaggingIsAChoice(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := document(t, "../../../examples/invoice.html")
	for _, tagged := range []bool{false, true} {
		req.Output.Tagged = tagged
		_, pdf := rendertest.Render(t, e, req)
		want := map[bool]string{false: "no", true: "yes"}[tagged]
		if got := rendertest.Info(t, pdf)["Tagged"]; got != want {
			t.Errorf("tagged %v: pdfinfo says %q", tagged, got)
		}
		_, again := rendertest.Render(t, e, req)
		if !bytes.Equal(pdf, again) {
			t.Errorf("tagged %v: the same request has other bytes", tagged)
		}
	}
}

// A renderer that has shown other pages before names its nodes by higher numbers.
func TestATaggedPageHasEqualBytesInWhicheverProcess(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Pool: 3})
	req := document(t, "../../../examples/invoice.html")
	req.Output.Tagged = true
	_, first := rendertest.Render(t, e, req)
	rendertest.CheckPDF(t, first)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for range 6 {
				if _, again := rendertest.Render(t, e, req); !bytes.Equal(first, again) {
					t.Error("the same request has other bytes")
					return
				}
			}
		})
	}
	group.Wait()
	if names := regexp.MustCompile(`/ID \(node(\d{8})\)`).FindAllSubmatch(first, -1); len(names) == 0 || string(names[0][1]) != "00000001" {
		t.Errorf("names of nodes: %q", names)
	}
	empty := rendertest.Page("")
	empty.Output.Tagged = true
	if _, err := e.Render(t.Context(), io.Discard, empty); err != nil {
		t.Errorf("an empty page: %v", err)
	}
}

func TestAPageThatPrintsItsAddressIsDeterministic(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<a href="relative.html">relative</a> <a href="#there">inside</a> <a href="https://example.com/x">out</a>
		<p id="there">there</p><script>document.title = location.href; document.write(location.origin)</script>`)
	req.Output.Footer = `<span class="url"></span> <span class="title"></span>`
	_, first := rendertest.Render(t, e, req)
	_, second := rendertest.Render(t, e, req)
	if !bytes.Equal(first, second) {
		t.Error("the same page has other bytes")
	}
	if plain := rendertest.Plain(t, first); !strings.Contains(plain, "(https://example.com/x)") {
		t.Error("the link to the outside is gone")
	}
}

func TestTitlesCannotForgeTheNumberOfPages(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	title := `>> /Pages 1 0 R /Count 999 ) (\ /CreationDate (D:20200101000000) endobj << /Type /Pages /Count 77 >>`
	report, pdf := rendertest.Render(t, e, rendertest.Page(`<title>`+strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(title)+`</title>x`))
	if report.Pages != 1 {
		t.Errorf("%d pages, want 1", report.Pages)
	}
	info := rendertest.Info(t, pdf)
	if info["Title"] != title {
		t.Errorf("title %q, want %q", info["Title"], title)
	}
	if _, ok := info["CreationDate"]; ok {
		t.Error("the document has a date")
	}
}

func TestAnImageHasThePixelsOfItsPaper(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{MaxHeight: 3000})
	long := rendertest.Page(`<style>body{margin:0;background:#00f}</style><div style="height:2000px">x</div>`)
	for _, c := range []struct {
		name          string
		change        func(*render.Output)
		width, height int
	}{
		{"whole page", func(*render.Output) {}, 794, 2000},
		{"one sheet", func(o *render.Output) { o.FullPage = false }, 794, 1123},
		{"landscape sheet", func(o *render.Output) { o.FullPage, o.Landscape = false, true }, 1123, 794},
		{"scaled sheet", func(o *render.Output) { o.FullPage, o.Scale = false, 2 }, 1588, 2246},
	} {
		long.Output = render.DefaultOutput()
		long.Output.Format = render.PNG
		c.change(&long.Output)
		report, picture := rendertest.Render(t, e, long)
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if size := img.Bounds().Size(); size.X != c.width || size.Y != c.height {
			t.Errorf("%s: %v, want %d×%d", c.name, size, c.width, c.height)
		}
		if _, _, b, a := img.At(5, 5).RGBA(); b != 0xffff || a != 0xffff {
			t.Errorf("%s: the background is not blue", c.name)
		}
		if report.ContentType != "image/png" || report.Pages != 1 {
			t.Errorf("%s: report %+v", c.name, report)
		}
		_, again := rendertest.Render(t, e, long)
		if !bytes.Equal(picture, again) {
			t.Errorf("%s: the same page has other bytes", c.name)
		}
	}
	long.Output = render.DefaultOutput()
	long.Output.Format, long.Output.Scale = render.PNG, 2
	if _, err := e.Render(t.Context(), io.Discard, long); !errors.Is(err, render.ErrDocumentTooLarge) {
		t.Errorf("an image of 4,000 pixels: %v, want document_too_large", err)
	}
}

func TestFontsComeFromTheDirectoryAlone(t *testing.T) {
	t.Parallel()
	fonts := dataDir(t)
	for _, name := range []string{"LiberationSerif-Regular.ttf", "LiberationSans-Regular.ttf"} {
		font, err := os.ReadFile(filepath.Join("/usr/share/fonts/truetype/liberation", name))
		if err != nil {
			t.Fatalf("install the Debian package fonts-liberation: %v", err)
		}
		if err := os.WriteFile(filepath.Join(fonts, name), font, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	req := rendertest.Page(`<p style="font-family:'DejaVu Sans Mono'">mono</p><p style="font-family:serif">serif</p><p style="font-family:Helvetica">sans</p>`)
	e := newEngine(t, chromium.Options{FontDir: fonts})
	_, pdf := rendertest.Render(t, e, req)
	plain := rendertest.Plain(t, pdf)
	if strings.Contains(plain, "DejaVu") || !strings.Contains(plain, "LiberationSerif") || !strings.Contains(plain, "LiberationSans") {
		t.Error("the fonts are not those of the directory")
	}
	if _, lone := rendertest.Render(t, e, alone(req)); !bytes.Equal(pdf, lone) {
		t.Error("the document has other bytes when it is rendered alone")
	}
	_, pdf = rendertest.Render(t, newEngine(t, chromium.Options{}), req)
	plain = rendertest.Plain(t, pdf)
	if !strings.Contains(plain, "DejaVuSansMono") {
		t.Error("without a directory the fonts of the system are missing")
	}
	if strings.Contains(plain, "Liberation") || !strings.Contains(plain, "NotoSerif") || !strings.Contains(plain, "NotoSans") {
		t.Error("without a directory serif and Helvetica are not the built-in families, which the native engine takes")
	}
}

func TestWhatEverybodyWritesIsThereWithoutSuchFonts(t *testing.T) {
	t.Parallel()
	for _, fonts := range []string{"", dataDir(t)} {
		e := newEngine(t, chromium.Options{FontDir: fonts})
		for family, want := range map[string]string{
			"Nowhere, 'Helvetica Neue', Arial": "NotoSans-Regular", "'Times New Roman'": "NotoSerif-Regular", "'Courier New'": "NotoSansMono-Regular",
			"Nowhere": "NotoSerif-Regular",
		} {
			_, pdf := rendertest.Render(t, e, rendertest.Page(`<p style="font-family:`+family+`">x</p>`))
			if !strings.Contains(rendertest.Plain(t, pdf), want) {
				t.Errorf("with the directory %q, %s is not %s", fonts, family, want)
			}
		}
	}
}

func TestHostileDocumentsEndInTime(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for _, path := range []string{
		"testdata/multiscript.html", "../testdata/nested_divs_5000.html", "testdata/nested_tables_60.html",
		"testdata/crash_hang_var_cycle_min.html", "testdata/crash_hang_var_cycle_fuzz.html",
	} {
		_, pdf := rendertest.Render(t, e, document(t, path))
		rendertest.CheckPDF(t, pdf)
	}
	// These have an endless script and, without it, a thousand million pixels of padding.
	for _, path := range []string{"../testdata/malformed.html", "testdata/crash_panic_fontsize.html"} {
		endless := document(t, path)
		huge := endless
		huge.HTML = strings.ReplaceAll(endless.HTML, "<script>while(1){}</script>", "")
		for _, req := range []render.Request{endless, huge} {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			began := time.Now()
			report, err := e.Render(ctx, io.Discard, req)
			cancel()
			took := time.Since(began)
			t.Logf("%s: %d pages, %v, %s", path, report.Pages, err, took)
			if err != nil && !errors.Is(err, render.ErrTimeout) || took > 15*time.Second {
				t.Errorf("%s: %v after %s, want a document or render_timeout", path, err, took)
			}
		}
	}
	rendertest.Render(t, e, rendertest.Page("still there"))
}

func TestTheEnvironmentOfThisProcessIsNotTheBrowsers(t *testing.T) {
	t.Setenv("PLATEN_SECRET_KEY", "hush")
	dir := dataDir(t)
	newEngine(t, chromium.Options{DataDir: dir})
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", leaders(t, dir)[0].pid))
	if err != nil {
		t.Fatal(err)
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(environ), "\x00"), "\x00") {
		key, _, _ := strings.Cut(entry, "=")
		switch key {
		case "PATH", "HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LANG", "TZ", "FONTCONFIG_FILE":
		default:
			t.Errorf("the browser sees %s", key)
		}
	}
}
