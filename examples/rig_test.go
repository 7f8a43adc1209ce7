package examples_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/output"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/templates"
)

// limit bounds one render on a busy machine.
const limit = 2 * time.Minute

// childVariable makes the test binary a process that renders all samples and prints the digests of what came out.
const childVariable = "PLATEN_EXAMPLES_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	sums, err := digests(context.Background())
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(sums)
	}
	if err != nil {
		slog.Error("child", slog.Any("error", err))
		os.Exit(1)
	}
}

// identity is what the documents say about themselves.
var identity = templates.Identity{
	DocumentID:  "doc_01K8Q3V6YB4M2N7X9T5R0HZCWE",
	DocumentKey: "example",
	JobID:       "job_01K8Q3V6YB9D1F3G5J7K8M2P4S",
	VerifyURL:   "https://documents.tavelmark.example/verify/doc_01K8Q3V6YB4M2N7X9T5R0HZCWE?code=5f0c2b9d417e83aa60d1c4f2937be865",
}

// shipped is a template as it is stored.
type shipped struct {
	request api.TemplateRequest
	assets  map[string]render.Resource
}

// read reads a folder.
func read(name string) (s shipped, err error) {
	folder, err := fs.Sub(examples.Templates(), name)
	if err != nil {
		return s, err
	}
	texts := map[string]string{}
	err = fs.WalkDir(folder, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, file)
		texts[file] = string(text)
		return err
	})
	if err != nil {
		return s, err
	}
	settings := json.NewDecoder(bytes.NewReader([]byte(texts["template.json"])))
	settings.DisallowUnknownFields()
	if err := settings.Decode(&s.request); err != nil {
		return s, fmt.Errorf("%s/template.json: %w", name, err)
	}
	page, style := texts["template.html"], texts["style.css"]
	s.request.HTML, s.request.CSS = &page, &style
	s.request.Sample, s.request.Schema = json.RawMessage(texts["sample.json"]), json.RawMessage(texts["schema.json"])
	s.assets = map[string]render.Resource{}
	for file, text := range texts {
		if path.Dir(file) == "assets" {
			kind, _ := catalog.MediaType("", file)
			s.assets["asset:"+path.Base(file)] = render.Resource{ContentType: kind, Body: []byte(text)}
		}
	}
	return s, nil
}

// parsed is the template as the server and the worker read it.
func (s shipped) parsed() (*catalog.Template, error) {
	content, err := catalog.Canonical(s.request)
	if err != nil {
		return nil, err
	}
	return catalog.Parse(content)
}

// page fills data in, after the schema has seen it.
func (s shipped) page(ctx context.Context, data json.RawMessage) (render.Request, error) {
	t, err := s.parsed()
	if err != nil {
		return render.Request{}, err
	}
	if err := t.CheckData(ctx, data, "/data"); err != nil {
		return render.Request{}, err
	}
	out, _, wrong := output.Of(t.Output)
	if len(wrong) > 0 {
		return render.Request{}, fmt.Errorf("output: %+v", wrong)
	}
	filled, err := t.Fill(ctx, data, templates.Environment{Identity: identity, Locale: out.Locale, TimeZone: out.TimeZone})
	if err != nil {
		return render.Request{}, err
	}
	return render.Request{HTML: filled.HTML, Resources: s.assets, Output: out}, nil
}

// digests are those of all samples, by both engines, as "invoice by native".
func digests(ctx context.Context) (sums map[string]string, err error) {
	ours, err := native.New(ctx, native.Options{})
	if err != nil {
		return nil, err
	}
	theirs := chromium.New(chromium.Options{Pool: 1})
	defer func() { err = errors.Join(err, theirs.Close()) }()
	sums = map[string]string{}
	for _, name := range examples.TemplateNames() {
		s, err := read(name)
		if err != nil {
			return nil, err
		}
		req, err := s.page(ctx, s.request.Sample)
		if err != nil {
			return nil, err
		}
		for _, e := range []render.Engine{ours, theirs} {
			pdf, report, err := draw(ctx, e, req)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			sum := sha256.Sum256(pdf)
			sums[name+" by "+report.Engine] = hex.EncodeToString(sum[:])
		}
	}
	return sums, nil
}

func draw(ctx context.Context, e render.Engine, req render.Request) ([]byte, render.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var pdf bytes.Buffer
	report, err := e.Render(ctx, &pdf, req)
	return pdf.Bytes(), report, err
}

// engines are both, the native one first.
func engines(tb testing.TB) (ours *native.Engine, theirs *chromium.Engine) {
	tb.Helper()
	ours, err := native.New(tb.Context(), native.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	theirs = chromium.New(chromium.Options{Pool: 2})
	tb.Cleanup(func() {
		if err := theirs.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	if err := theirs.Probe(tb.Context()); err != nil {
		tb.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	return ours, theirs
}

// example reads a template that is there.
func example(tb testing.TB, name string) shipped {
	tb.Helper()
	s, err := read(name)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
