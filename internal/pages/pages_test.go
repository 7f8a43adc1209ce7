package pages_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/pages"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/worker"
)

// files is a file store as the domain wants it.
type files struct{ blobs.FileStore }

func (f files) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := f.FileStore.Put(ctx, name, r)
	return err
}

func (f files) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := f.FileStore.Open(ctx, name)
	return r, err
}

type bench struct {
	*testing.T
	blobs    files
	composer *pages.Composer
}

func newBench(t *testing.T) bench {
	t.Helper()
	store := files{blobstest.Folder(t)}
	return bench{t, store, &pages.Composer{Blobs: store, Library: &catalog.Library{Blobs: store}, Loader: &resources.Loader{}}}
}

var job = jobs.Job{ID: "job_1", Document: "doc_1", DocumentKey: "key-1", Tenant: "default"}

func (b bench) compose(s jobs.Spec) worker.Composed {
	b.Helper()
	page, err := b.composer.Compose(b.Context(), job, s)
	if err != nil {
		b.Fatal(err)
	}
	return page
}

func (b bench) put(name, content string) (blob, sum string) {
	b.Helper()
	if err := b.blobs.Put(b.Context(), name, strings.NewReader(content)); err != nil {
		b.Fatal(err)
	}
	return name, sha(content)
}

func (b bench) template(request api.TemplateRequest) *jobs.TemplateRef {
	b.Helper()
	content, err := catalog.Canonical(request)
	if err != nil {
		b.Fatal(err)
	}
	blob, sum := b.put("t/"+sha(string(content)), string(content))
	return &jobs.TemplateRef{Name: "invoice", Version: 3, SHA256: sum, Blob: blob}
}

func (b bench) asset(name, kind, content string) jobs.AssetRef {
	b.Helper()
	blob, sum := b.put("a/"+name, content)
	return jobs.AssetRef{Name: name, Version: 1, ContentType: kind, SHA256: sum, Blob: blob}
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func stored(ref *jobs.TemplateRef, data string) jobs.Spec {
	return jobs.Spec{Kind: jobs.InputStored, Template: ref, Data: json.RawMessage(data), Output: render.DefaultOutput(), Engine: "auto"}
}

func TestAStoredTemplateIsFilledInWithItsStyleAndItsMargins(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ref := b.template(api.TemplateRequest{
		HTML: new("<!doctype html><head><title>{{.n}}</title></head><body><p>{{.n}}"), CSS: new("p > b {}"),
		HeaderHTML: new("{{.n}} {{documentID}}"), FooterHTML: new("{{.n}} below"),
	})
	page := b.compose(stored(ref, `{"n": 1.10}`))
	if want := "<!doctype html><head><title>1.10</title><style>p > b {}</style></head><body><p>1.10"; page.Request.HTML != want {
		t.Errorf("got %s", page.Request.HTML)
	}
	out := page.Request.Output
	if out.Header != "1.10 doc_1" || out.Footer != "1.10 below" || !page.OwnIdentity {
		t.Errorf("header %q, footer %q, own identity %v", out.Header, out.Footer, page.OwnIdentity)
	}
	want := jobs.Provenance{
		Input: jobs.InputStored, Text: ref.SHA256, Template: &jobs.TemplateRef{Name: "invoice", Version: 3, SHA256: ref.SHA256},
		Data: sha(`{"n":1.10}`), Asked: "auto", Output: out,
	}
	if diff := cmp.Diff(want, page.Made); diff != "" {
		t.Error(diff)
	}
}

func TestTheMarginsOfAJobWin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	spec := stored(b.template(api.TemplateRequest{HTML: new("x"), HeaderHTML: new("theirs"), FooterHTML: new("theirs")}), `{}`)
	spec.Output.Header, spec.Bare = "ours", jobs.Bare{Header: true}
	if out := b.compose(spec).Request.Output; out.Header != "ours" || out.Footer != "theirs" {
		t.Errorf("%q, %q", out.Header, out.Footer)
	}
	spec.Output.Header = ""
	if out := b.compose(spec).Request.Output; out.Header != "" {
		t.Errorf("an empty header gave way to %q", out.Header)
	}
	spec.Output.Format = render.PNG
	if out := b.compose(spec).Request.Output; out.Footer != "" {
		t.Errorf("an image has the footer %q", out.Footer)
	}
}

func TestAssetsComeWithThePage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	spec := jobs.Spec{Kind: jobs.InputHTML, Text: `<link rel="stylesheet" href="asset:a.css"><img src="asset:a.svg?v=1"><img src="asset:none">`, Output: render.DefaultOutput()}
	spec.Output.Header, spec.Output.Footer = `<img src="asset:a.svg"> asset:a.svg`, `<p style="background:url(asset:a.svg)"><img src="asset:none">`
	spec.Assets = []jobs.AssetRef{b.asset("a.css", "text/css", "p { background: url(asset:none2) }"), b.asset("a.svg", "image/svg+xml", "<svg/>")}
	page := b.compose(spec)
	for _, name := range []string{"asset:a.css", "asset:a.svg", "asset:a.svg?v=1"} {
		if _, ok := page.Request.Resources[name]; !ok {
			t.Errorf("%s is not there", name)
		}
	}
	want := []render.Warning{
		{Code: render.ResourceMissing, Detail: "asset:none2: there is no asset of this name"}, {Code: render.ResourceMissing, Detail: "asset:none: there is no asset of this name"},
	}
	if diff := cmp.Diff(want, page.Warnings); diff != "" {
		t.Error(diff)
	}
	out := page.Request.Output
	if out.Header != `<img src="data:image/svg+xml;base64,PHN2Zy8+"> asset:a.svg` || out.Footer != `<p style="background:url(data:image/svg+xml;base64,PHN2Zy8+)"><img src="asset:none">` {
		t.Errorf("%s %s", out.Header, out.Footer)
	}
	digests := []jobs.ResourceDigest{{Name: "asset:a.css", SHA256: sha("p { background: url(asset:none2) }")}, {Name: "asset:a.svg", SHA256: sha("<svg/>")}, {Name: "asset:a.svg?v=1", SHA256: sha("<svg/>")}}
	if diff := cmp.Diff(digests, page.Made.Resources); diff != "" {
		t.Error(diff)
	}
}

func TestAPageAtAURLIsHandedOn(t *testing.T) {
	t.Parallel()
	wait := render.Wait{Selector: "#done"}
	page := newBench(t).compose(jobs.Spec{Kind: jobs.InputURL, Text: "https://a.example/", Output: render.DefaultOutput(), Wait: wait})
	if page.Request.URL != "https://a.example/" || page.Request.HTML != "" || page.Request.Wait != wait || page.Made.Text != sha("https://a.example/") {
		t.Errorf("%+v", page)
	}
}

func TestWhatIsStoredAndCannotBeReadMayComeBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, spec := range map[string]jobs.Spec{
		"template": stored(&jobs.TemplateRef{Name: "t", Version: 1, SHA256: "aa", Blob: "none"}, `{}`),
		"asset":    {Kind: jobs.InputHTML, Text: "x", Assets: []jobs.AssetRef{{Name: "a", Version: 1, Blob: "none"}}},
		"file":     {Kind: jobs.InputHTML, Text: "x", Files: []jobs.File{{Name: "a.png", SHA256: sha("one"), Blob: "none"}}},
	} {
		_, err := b.composer.Compose(t.Context(), job, spec)
		if f := fault.From(err); f == nil || f.Code != "storage_unavailable" || !f.Retryable() || !jobs.IsInfrastructure(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDataThatLacksSomethingIsToldByItsPath(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.composer.Compose(t.Context(), job, stored(b.template(api.TemplateRequest{HTML: new("x"), FooterHTML: new("{{.a.b}}")}), `{"a":{}}`))
	if f := fault.From(err); f == nil || f.Code != "template_data_missing" || !bytes.Contains([]byte(f.Message), []byte("a.b")) {
		t.Errorf("got %v", err)
	}
}

func TestWhatTheStorageHasDamagedIsNotDrawn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	text := func(html string) string {
		content, err := catalog.Canonical(api.TemplateRequest{HTML: &html})
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	template, asset := b.template(api.TemplateRequest{HTML: new("pay 10")}), b.asset("a.svg", "image/svg+xml", "<svg/>")
	template.Blob, _ = b.put("t/damaged", text("pay 90"))
	asset.Blob, _ = b.put("a/damaged", "<SVG/>")
	file, _ := b.put("f/damaged", "other")
	for name, spec := range map[string]jobs.Spec{
		"template": stored(template, `{}`),
		"asset":    {Kind: jobs.InputHTML, Text: "x", Assets: []jobs.AssetRef{asset}},
		"file":     {Kind: jobs.InputHTML, Text: "x", Files: []jobs.File{{Name: "a.png", SHA256: sha("one"), Blob: file}}},
	} {
		page, err := b.composer.Compose(t.Context(), job, spec)
		if !errors.Is(err, jobs.ErrDamaged) {
			t.Errorf("%s: %v, %q", name, err, page.Request.HTML)
		}
	}
}

// Keys that cannot be read hold up only what cannot do without them.
func TestOnlyATemplateThatNamesItsVerificationNeedsASigningKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	noKey := errors.New("no signing key")
	b.composer.VerifyURL = func(context.Context, string, jobs.ID) (string, error) { return "", noKey }
	inline := func(text string) jobs.Spec {
		return jobs.Spec{Kind: jobs.InputTemplate, Text: text, Output: render.DefaultOutput()}
	}
	for name, test := range map[string]struct {
		spec jobs.Spec
		want error
	}{
		"inline":           {inline("{{documentID}}"), nil},
		"inline, verified": {inline("{{ verifyURL }}"), noKey},
		"stored":           {stored(b.template(api.TemplateRequest{HTML: new("x")}), `{}`), nil},
		"stored, verified": {stored(b.template(api.TemplateRequest{HTML: new("x"), FooterHTML: new("{{verifyURL|qr}}")}), `{}`), noKey},
		"no template":      {jobs.Spec{Kind: jobs.InputHTML, Text: "verifyURL", Output: render.DefaultOutput()}, nil},
	} {
		if _, err := b.composer.Compose(t.Context(), job, test.spec); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
