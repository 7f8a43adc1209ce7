package cli_test

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func TestInspectSaysWhatThePageNeeds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file(t, dir, "own.css", "p { color: red }\np { columns: 2 }")
	for _, c := range []struct {
		name, page     string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"in.html", "<!doctype html><p>a", nil, 0, "native: all of the page is drawn\n", ""},
		{"in.md", "# Title\n\n- [x] done\n", nil, 0, "native: all of the page is drawn\n", ""},
		{
			"out.html", "<!doctype html>\n<link rel=stylesheet href=own.css><p>a\n<video></video>",
			[]string{"--file", "own.css"},
			1,
			"LINE       FEATURE       REASON\n3          `<video>`     media are not supported\nown.css:2  `columns: 2`  the property is not supported\n",
			"platen: out.html is not for the native engine: `<video>` at line 3, and 1 more\n",
		},
		{
			"png.html", "<!doctype html><p>a",
			[]string{"--output-format", "png"},
			1,
			"LINE  FEATURE               REASON\n-     `output.format: png`  the native engine makes PDFs only\n",
			"platen: png.html is not for the native engine: `output.format: png`\n",
		},
		{"pages.html", "<!doctype html><p>a", []string{"--output-format", "jpeg", "--pages", "1"}, 0, "native: all of the page is drawn\n", ""},
		{
			"a.tmpl", "<!doctype html>\n<p>{{.x}}<canvas>",
			[]string{"--data", file(t, dir, "x.json", `{"x": 1}`), "--json"},
			1,
			`{
  "engine": "chromium",
  "engine_reason": "` + "`<canvas>`" + ` at line 2",
  "findings": [
    {
      "kind": "element",
      "feature": "<canvas>",
      "reason": "only scripts draw on it",
      "source": "document",
      "line": 2,
      "column": 5
    }
  ],
  "more": 0
}
`,
			"platen: a.tmpl is not for the native engine: `<canvas>` at line 2\n",
		},
		{"in2.html", "<!doctype html><p>a", []string{"--json"}, 0, "{\n  \"engine\": \"native\",\n  \"engine_reason\": null,\n  \"findings\": [],\n  \"more\": 0\n}\n", ""},
		{"gone.tmpl", "{{.x}}", []string{"--data", file(t, dir, "y.json", `{}`)}, 1, "", "(template_data_missing)\n"},
	} {
		got := run(t, nil, "", nil, append([]string{"inspect", file(t, dir, c.name, c.page)}, c.args...)...)
		if got.status != c.status || got.stdout != c.stdout || !strings.HasSuffix(got.stderr, c.stderr) {
			t.Errorf("%s: status %d, stdout\n%s\nstderr %q", c.name, got.status, got.stdout, got.stderr)
		}
	}
	if got := run(t, nil, "", nil, "inspect"); got.status != 2 {
		t.Errorf("without a file: status %d", got.status)
	}
	if got := run(t, nil, "", nil, "inspect", filepath.Join(dir, "none.html")); got.status != 1 {
		t.Errorf("no such file: status %d", got.status)
	}
}

func TestCompareTellsHowTwoDocumentsDiffer(t *testing.T) {
	t.Parallel()
	one, other := &rendertest.Engine{Name: render.Chromium}, careless{&rendertest.Engine{Name: render.Native, Subset: true}}
	compare := func(body string) (string, error) {
		var stdout, stderr bytes.Buffer
		err := cli.Compare(t.Context(), cli.Env{Stdout: &stdout, Stderr: &stderr}, "a.html", rendertest.Page(body), one, other)
		return stdout.String(), err
	}
	same, err := compare("<p>Total 12.34 EUR")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(same, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "document") || !strings.HasPrefix(lines[1], "a.html") || !strings.Contains(lines[1], "100") {
		t.Errorf("the same document:\n%s", same)
	}
	different, err := compare("<p>Total 12.34 EUR CHANGED")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(different, "CHANGED") || !strings.Contains(different, "another") {
		t.Errorf("a document with another word:\n%s", different)
	}
	if _, err := compare("<!-- rendertest:outside=columns -->"); err == nil || !strings.Contains(err.Error(), "`columns`") {
		t.Errorf("what one engine does not draw: %v", err)
	}
}

// careless is an engine that writes another word here and there.
type careless struct{ *rendertest.Engine }

func (c careless) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	req.HTML = strings.ReplaceAll(req.HTML, "CHANGED", "another")
	return c.Engine.Render(ctx, w, req)
}

func TestCompareNeedsBothEngines(t *testing.T) {
	t.Parallel()
	page := file(t, t.TempDir(), "a.html", "<p>a")
	got := run(t, nil, "", []string{"PLATEN_CHROMIUM=off"}, "compare", page)
	if got.status != 1 || got.stdout != "" || got.stderr == "" {
		t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
	}
}

func TestAPageOnTheWebIsNotInspectedHere(t *testing.T) {
	t.Parallel()
	got := run(t, nil, "", nil, "inspect", "https://shop.example/")
	if got.status != 1 || !strings.Contains(got.stderr, "url needs a server") {
		t.Errorf("status %d, %s", got.status, got.stderr)
	}
}
