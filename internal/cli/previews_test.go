package cli_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
)

// seen is the preview of a template.
func seen(contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(api.Preview{
			Template: api.TemplateVersion{Name: "invoice", Version: 3}, Engine: "chromium", EngineReason: new("`columns` at line 2"), Pages: 2, ContentType: contentType,
			SHA256: digest(pdf), Bytes: int64(len(pdf)), Warnings: []api.Warning{{Code: "glyph_missing", Detail: "U+65E5 \"日\""}},
			Content: base64.StdEncoding.EncodeToString([]byte(pdf)),
		})
	}
}

func TestATemplateIsPreviewedIntoAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data.json")
	if err := os.WriteFile(data, []byte(`{"total":1.10}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newServer(map[string]http.HandlerFunc{"POST /templates/{name}/preview": seen("application/pdf")})
	out := filepath.Join(dir, "out.pdf")
	got := run(t, s, "", withKey, "templates", "preview", "invoice", "--data", data, "--engine", "auto", "--version", "3", "-o", out,
		"--locale", "de-CH", "--time-zone", "Europe/Zurich", "--output-format", "pdf", "--pages", "1-2")
	if asked := s.request(t, "POST /templates/invoice/preview"); strings.TrimSpace(asked.body) != `{"version":3,"data":{"total":1.10},`+
		`"output":{"format":"pdf","locale":"de-CH","time_zone":"Europe/Zurich","pages":"1-2"},"engine":"auto"}` {
		t.Errorf("asked %s", asked.body)
	}
	if want := out + "\ninvoice version 3, 2 pages, by chromium (`columns` at line 2)\n"; got.status != 0 || got.stdout != want {
		t.Errorf("status %d, stdout %q, want %q", got.status, got.stdout, want)
	}
	if got.stderr != "warning: glyph_missing: U+65E5 \"日\"\n" {
		t.Errorf("stderr %q", got.stderr)
	}
	if saved, err := os.ReadFile(out); err != nil || string(saved) != pdf {
		t.Errorf("saved %q, %v", saved, err)
	}
}

func TestAPreviewGoesToTheStandardOutput(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"POST /templates/{name}/preview": seen("image/png")})
	got := run(t, s, `{"total":2}`, withKey, "templates", "preview", "invoice", "--data", "-", "-o", "-", "--json")
	if got.status != 0 || got.stdout != pdf || !strings.Contains(got.stderr, `"code": "glyph_missing"`) || strings.Contains(got.stderr, base64.StdEncoding.EncodeToString([]byte(pdf))) {
		t.Errorf("%+v", got)
	}
	if asked := s.request(t, "POST /templates/invoice/preview"); strings.TrimSpace(asked.body) != `{"data":{"total":2}}` {
		t.Errorf("asked %s", asked.body)
	}
}

func TestAPreviewThatCannotBeSavedIsNotAskedFor(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"it is a folder": {"-o", t.TempDir()},
		"the standard input is not valid JSON: unexpected EOF at byte 1": {"--data", "-"},
		"no such file": {"--data", filepath.Join(t.TempDir(), "none")},
	} {
		got := run(t, nil, "{", withKey, append([]string{"templates", "preview", "invoice"}, args...)...)
		if got.status != 1 || !strings.Contains(got.stderr, want) {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func remade(r api.Rerender) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		r.DocumentID, r.SHA256, r.Bytes, r.Pages, r.Engine, r.EngineVersion = documentID, digest(pdf), int64(len(pdf)), 1, "native", "1"
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(r)
	}
}

func TestTheStatusSaysWhetherADocumentIsMadeAnewAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   []string
		answer api.Rerender
		status int
		body   string
		want   []string
	}{
		{nil, api.Rerender{Identical: true, Stored: api.StoredIntact}, 0, `{"restore":false}`, []string{"identical     yes", "stored bytes  intact"}},
		{[]string{"--restore"}, api.Rerender{Identical: true, Stored: api.StoredMissing, Restored: true}, 0, `{"restore":true}`, []string{"stored bytes  missing", "restored      yes"}},
		{
			nil,
			api.Rerender{Stored: api.StoredIntact, Difference: &api.Difference{Member: "engine.version", Was: new("1"), Is: new("2"), Offset: new(int64(17))}},
			1,
			`{"restore":false}`,
			[]string{"identical     no", "difference    engine.version", "was           1", "is            2", "from byte     17"},
		},
		{[]string{"--json"}, api.Rerender{Stored: api.StoredDamaged, Difference: &api.Difference{Member: "bytes"}}, 1, `{"restore":false}`, []string{`"stored": "damaged"`}},
	} {
		s := newServer(map[string]http.HandlerFunc{"POST /documents/{id}/rerender": remade(c.answer)})
		got := run(t, s, "", withKey, append([]string{"documents", "rerender", documentID}, c.args...)...)
		if asked := s.request(t, "POST /documents/"+documentID+"/rerender"); strings.TrimSpace(asked.body) != c.body {
			t.Errorf("asked %s", asked.body)
		}
		if got.status != c.status || (got.stderr == "") != (c.status == 0) {
			t.Errorf("%q: status %d, stderr %q", c.args, got.status, got.stderr)
		}
		for _, line := range c.want {
			if !strings.Contains(got.stdout, line+"\n") && !strings.Contains(got.stdout, line+",\n") {
				t.Errorf("%q: no %q in\n%s", c.args, line, got.stdout)
			}
		}
	}
}

func TestADocumentIsShown(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"GET /documents/{id}": reply(http.StatusOK, api.Document{
		ID: documentID, Status: api.DocumentPurged, JobID: jobID, IssueNumber: new(int64(7)), SHA256: new(digest(pdf)), Bytes: new(int64(2048)), Pages: new(3),
		ContentType: new("application/pdf"), Filename: new("a.pdf"), CreatedAt: noon, IssuedAt: &noon, PurgedAt: &noon,
	})})
	got := run(t, s, "", withKey, "documents", "get", documentID)
	for _, line := range []string{"status        purged", "issue number  7", "size          2048 bytes, 3 pages", "purged        2026-03-02 12:00:00Z"} {
		if !strings.Contains(got.stdout, line+"\n") {
			t.Errorf("no %q in\n%s", line, got.stdout)
		}
	}
}

func TestLostDocumentsAreFoundAndPutBack(t *testing.T) {
	t.Parallel()
	ids := []string{documentID, "doc_01KCPDHS1S0EXAMPZE00000003", "doc_01KCPDHS1S0EXAMPZE00000004", "doc_01KCPDHS1S0EXAMPZE00000005", "doc_01KCPDHS1S0EXAMPZE00000006"}
	numbers := api.IssuedNumberList{LastNumber: 5, Data: []api.IssuedNumber{}}
	for i, id := range ids {
		n := api.IssuedNumber{IssueNumber: int64(i + 1), Status: api.NumberIssued, DocumentID: &id, IssuedAt: &noon, SHA256: new(digest(pdf))}
		if i == 1 {
			n.Status = api.NumberPurged
		}
		numbers.Data = append(numbers.Data, n)
	}
	s := newServer(map[string]http.HandlerFunc{
		"GET /receipts": reply(http.StatusOK, numbers),
		"GET /documents/{id}/content": func(w http.ResponseWriter, r *http.Request) {
			if r.PathValue("id") == ids[2] {
				w.Header().Set("Content-Range", "bytes 0-0/21")
				w.Header().Set("ETag", `"`+digest(pdf)+`"`)
				w.Header().Set("Accept-Ranges", "bytes")
				w.Header().Set("Content-Disposition", `attachment; filename="a.pdf"`)
				w.Header().Set("Content-Type", "application/pdf")
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write([]byte(pdf[:1]))
				return
			}
			problem(http.StatusServiceUnavailable, api.CodeStorageUnavailable, "Retry-After", "5")(w, r)
		},
		"POST /documents/{id}/rerender": func(w http.ResponseWriter, r *http.Request) {
			switch r.PathValue("id") {
			case ids[0]:
				remade(api.Rerender{Identical: true, Stored: api.StoredMissing, Restored: true})(w, r)
			case ids[3]:
				remade(api.Rerender{Stored: api.StoredMissing, Difference: &api.Difference{Member: "fonts", Was: new("a"), Is: new("b")}})(w, r)
			default:
				problem(http.StatusGone, api.CodeInputPurged)(w, r)
			}
		},
	})
	got := run(t, s, "", withKey, "documents", "check")
	if got.status != 1 || strings.Count(got.stdout, " lost\n") != 3 || !strings.Contains(got.stderr, "4 documents looked at, of 3 the bytes were not there") {
		t.Errorf("%+v", got)
	}
	got = run(t, s, "", withKey, "documents", "check", "--restore")
	for _, want := range []string{ids[0] + "  restored\n", ids[3] + "  lost: other bytes, fonts\n", ids[4] + "  lost: input_purged\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if got.status != 1 {
		t.Errorf("status %d", got.status)
	}
}
