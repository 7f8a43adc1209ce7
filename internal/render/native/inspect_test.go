package native_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

func page(body string) render.Request {
	return render.Request{HTML: "<!doctype html>\n" + body, Output: render.DefaultOutput()}
}

func inspect(t *testing.T, req render.Request) native.Decision {
	t.Helper()
	d, err := native.Inspect(t.Context(), req)
	if err != nil {
		t.Fatalf("inspect: %v", err)
	}
	if d.Inside != (len(d.Findings) == 0) || d.Inside != (d.Err() == nil) || d.Inside != (d.Reason() == "") {
		t.Errorf("a decision that contradicts itself: %+v, %v", d, d.Err())
	}
	return d
}

func TestTheFirstFindingIsTheReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, want string }{
		{"<p>plain", ""},
		{"<style>\np { columns: 2 }</style><p>a", "`columns: 2` at line 3"},
		{"<style>p { columns: 2;\n filter: blur(2px); text-shadow: 0 0 2px red }</style>\n<p>a<video>", "`columns: 2` at line 2, and 3 more"},
		{"<p>a</p>\n<canvas></canvas>", "`<canvas>` at line 3"},
		{"<script>1</script>", "`<script>` at line 2"},
		{"<p>a</p>\n<p>สวัสดี</p><p>ซึ่ง</p><p hidden>ສະບາຍດີ", "`text in Thai` at line 3"},
		{"<style>p::after { content: 'ខ្មែរ' }</style>\n<p>a</p>", "`text in Khmer` at line 3"},
		{"<style>td { columns: 2 }</style><p>a rule that holds for nothing", ""},
		{"<style>p { columns: 2 }</style><div style='display: none'><video></video></div>", ""},
	} {
		if got := inspect(t, page(c.body)).Reason(); got != c.want {
			t.Errorf("%s\nreason %q, want %q", c.body, got, c.want)
		}
	}
}

func TestASheetThatIsLoadedIsNamed(t *testing.T) {
	t.Parallel()
	req := page(`<link rel="stylesheet" href="css/own.css"><p>a`)
	req.Resources = map[string]render.Resource{"css/own.css": {ContentType: "text/css", Body: []byte("\n\np { columns: 2 }")}}
	if got := inspect(t, req).Reason(); got != "`columns: 2` at line 3 of css/own.css" {
		t.Errorf("reason %q", got)
	}
}

func TestWhatOnlyABrowserMakesOfTheOutputIsOutside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(o *render.Output)
		want   string
	}{
		"default":     {func(*render.Output) {}, ""},
		"landscape":   {func(o *render.Output) { o.Landscape, o.Margin.Top, o.FullPage = true, 0, false }, ""},
		"png":         {func(o *render.Output) { o.Format = render.PNG }, "`output.format: png`"},
		"header":      {func(o *render.Output) { o.Header = "<b>h" }, "`output.header_html`"},
		"footer":      {func(o *render.Output) { o.Footer = "<b>h" }, "`output.footer_html`"},
		"tagged":      {func(o *render.Output) { o.Tagged = true }, "`output.tagged: true`"},
		"scale":       {func(o *render.Output) { o.Scale = 0.8 }, "`output.scale`"},
		"backgrounds": {func(o *render.Output) { o.Background = false }, "`output.background: false`"},
	} {
		req := page("<p>a")
		c.change(&req.Output)
		if got := inspect(t, req).Reason(); got != c.want {
			t.Errorf("%s: reason %q, want %q", name, got, c.want)
		}
	}
}

func TestFontsThatCannotBeUsedAreOutsideWhenTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	const face = "<style>@font-face { font-family: Own; src: url(own.woff2) format('woff2') }</style>"
	good, err := os.ReadFile("fonts/noto/OFL.txt")
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]render.Resource{"own.woff2": {Body: good}} // a text is no font
	for _, c := range []struct {
		name, body string
		resources  map[string]render.Resource
		want       string
	}{
		{"missing", face + "<p style='font-family: Own'>a", nil, ""},
		{"broken, not used", face + "<p>a", broken, ""},
		{"broken", face + "<p style='font-family: own, serif'>a", broken, "`@font-face: Own` at line 2"},
		{"broken, in a margin box", face + "<style>@page { @top-left { content: 'x'; font-family: Own } }</style>", broken, "`@font-face: Own` at line 2"},
	} {
		req := page(c.body)
		req.Resources = c.resources
		if got := inspect(t, req).Reason(); got != c.want {
			t.Errorf("%s: reason %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPicturesThatCannotBeDrawnAreOutside(t *testing.T) {
	t.Parallel()
	resources := map[string]render.Resource{
		"a.avif":     {Body: []byte("\x00\x00\x00\x1cftypavif, or so")},
		"img/b.avif": {Body: []byte("\x00\x00\x00\x1cftypavif, or so")},
		"css/s.css":  {Body: []byte("p { background: url(../img/b.avif) }")},
		"text.svg":   {Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>a</text></svg>`)},
		"rect.svg":   {Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`)},
	}
	for _, c := range []struct{ body, want string }{
		{"<img src=missing.png>", ""},
		{"<img src=rect.svg>", ""},
		{"<img src=a.avif>", "`<img>: a.avif` at line 2"},
		{"<img src=a.avif style='display: none'>", ""},
		{"<img src=text.svg>", "`<text>` at line 1 of text.svg"},
		{"<p style='background: url(a.avif)'>a", "`url(): a.avif`"},
		{"<link rel=stylesheet href=css/s.css><p>a", "`url(): img/b.avif`"},
		{"<style>p::before { content: url(a.avif) }</style><p>a", "`url(): a.avif`"},
	} {
		req := page(c.body)
		req.Resources = resources
		if got := inspect(t, req).Reason(); got != c.want {
			t.Errorf("%s: reason %q, want %q", c.body, got, c.want)
		}
	}
}

func TestTheErrorListsAllFindingsUpToABound(t *testing.T) {
	t.Parallel()
	few := inspect(t, page("<style>p { columns: 2 }</style>\n<p>a<video></video>")).Err()
	var outside *render.OutsideError
	if !errors.As(few, &outside) || !errors.Is(few, render.ErrOutsideSubset) || fault.From(few).Kind != fault.Invalid {
		t.Fatalf("error %v", few)
	}
	const want = "The native engine does not draw `columns: 2` at line 2 (the property is not supported); `<video>` at line 3 (media are not supported)."
	if diff := cmp.Diff(want, fault.From(few).Message); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	many := inspect(t, page(strings.Repeat("<video></video>\n", 3000)))
	if len(many.Findings) != 1000 || many.More != 2000 {
		t.Errorf("%d findings and %d more", len(many.Findings), many.More)
	}
	if text := fault.From(many.Err()).Message; len(text) > 4200 || !strings.HasSuffix(text, "; and 2950 more.") {
		t.Errorf("message of %d bytes: …%s", len(text), text[max(0, len(text)-60):])
	}
}

func TestTheCorpusIsWhereItsTableSays(t *testing.T) {
	t.Parallel()
	documents, err := corpus.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		t.Run(d.File, func(t *testing.T) {
			t.Parallel()
			req, err := d.Request(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			req.Engine = render.Native // the fonts of multiscript are not in the binary
			if got := inspect(t, req); got.Inside != (d.Outside == "") {
				t.Errorf("inside is %t; the table says %q; %s", got.Inside, d.Outside, got.Reason())
			}
		})
	}
}

func BenchmarkInspect(b *testing.B) {
	documents, err := corpus.Documents()
	if err != nil {
		b.Fatal(err)
	}
	req, err := documents[0].Request(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	req.Engine = render.Native // without looking for characters that no font has, which takes a layout
	b.ReportAllocs()
	for b.Loop() {
		if d, err := native.Inspect(b.Context(), req); err != nil || !d.Inside {
			b.Fatal(d, err)
		}
	}
}
