package cli_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/strictjson"
)

const manifestBatch = "bat_01KCPDHS1S0EXAMPZE0000000D"

// signedManifest is a manifest of two slips that were issued, one that was purged since, one that failed and one that was never sent.
func signedManifest(t *testing.T) string {
	t.Helper()
	entry := func(n int, key, file, content string) api.ManifestEntry {
		return api.ManifestEntry{
			Index: &n, DocumentKey: &key, Status: api.EntryIssued, DocumentID: new(documentID), IssueNumber: new(int64(n + 1)), SHA256: new(digest(content)),
			Bytes: new(int64(len(content))), Pages: new(1), File: &file,
		}
	}
	purged := entry(2, "slip:3", "slip_3.pdf", "three")
	purged.Purged, purged.File = true, nil
	manifest := api.Manifest{
		Version: 1, Tenant: "shop", BatchID: manifestBatch, Sequence: 1, Status: api.BatchCompleted, CreatedAt: noon, FinishedAt: noon, Items: 4, Expected: new(4),
		Counts: api.ManifestCounts{Issued: 3, Failed: 1, Missing: 1, Unexpected: 1},
		Entries: []api.ManifestEntry{
			entry(0, "slip:1", "slip_1.pdf", "one"), entry(1, "slip:Größe", "slip_Größe.pdf", "two"), purged,
			{Index: new(3), DocumentKey: new("slip:4"), Status: api.EntryFailed, Unexpected: true, DocumentID: new(documentID)},
			{DocumentKey: new("slip:5"), Status: api.EntryMissing},
		},
	}
	raw, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := strictjson.Canonical(raw)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := json.Marshal(receipts.SignManifest(sha256.Sum256(canonical), signingKey))
	if err != nil {
		t.Fatal(err)
	}
	return `{"manifest":` + string(canonical) + `,"signature":` + string(signature) + "}\n"
}

// asWritten writes files below a folder of their own, which it returns.
func asWritten(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func pinnedKeys(t *testing.T) string {
	t.Helper()
	keys, err := json.Marshal(api.SigningKeyList{Data: []api.SigningKey{publicKey()}})
	if err != nil {
		t.Fatal(err)
	}
	return string(keys)
}

func TestAManifestIsCheckedWithoutAnyServer(t *testing.T) {
	t.Parallel()
	text := signedManifest(t)
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, []byte(text), "", "  "); err != nil {
		t.Fatal(err)
	}
	var members any
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatal(err)
	}
	escaped, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	escaped = bytes.ReplaceAll(escaped, []byte("ö"), []byte(`\u00f6`))
	dir := asWritten(t, map[string]string{
		"keys.json": pinnedKeys(t), "other.txt": "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=",
		"good.json": text, "spaced.json": spaced.String(), "escaped.json": string(escaped),
		"count.json": strings.Replace(text, `"issued":3`, `"issued":4`, 1), "twice.json": strings.Replace(text, `"items":4`, `"items":4,"items":5`, 1),
		"cut.json": text[:200], "none.json": "{}",
	})
	for _, test := range []struct {
		file, keys string
		status     int
		want       []string
	}{
		{"good.json", "keys.json", 0, []string{"genuine\n", manifestBatch, "3 issued, 1 failed, 1 missing, 1 unexpected", "failed, unexpected  slip:4", "missing             slip:5", "issued, purged      slip:3", "keys       from "}},
		{"spaced.json", "keys.json", 0, []string{"genuine\n"}},
		{"escaped.json", "keys.json", 0, []string{"genuine\n"}},
		{"good.json", "other.txt", 1, []string{"none of the keys has signed the manifest"}},
		{"count.json", "keys.json", 1, []string{"count.json: the manifest is not what was signed"}},
		{"twice.json", "keys.json", 1, []string{`two members named "items"`}},
		{"cut.json", "keys.json", 1, []string{"cut.json: "}},
		{"none.json", "keys.json", 1, []string{"not a signed manifest"}},
	} {
		got := run(t, nil, "", nil, "batch", "manifest", "--check", filepath.Join(dir, test.file), "--keys", filepath.Join(dir, test.keys))
		if got.status != test.status {
			t.Errorf("%s: status %d, %s%s", test.file, got.status, got.stdout, got.stderr)
		}
		for _, want := range test.want {
			if !strings.Contains(got.stdout+got.stderr, want) {
				t.Errorf("%s: no %q in\n%s%s", test.file, want, got.stdout, got.stderr)
			}
		}
	}
}

func TestEveryFileThatIsNotAsIssuedIsNamed(t *testing.T) {
	t.Parallel()
	keys := filepath.Join(asWritten(t, map[string]string{"keys.json": pinnedKeys(t)}), "keys.json")
	text := signedManifest(t)
	for name, test := range map[string]struct {
		files  map[string]string
		status int
		want   string
	}{
		"as issued":       {map[string]string{"slip_1.pdf": "one", "slip_Größe.pdf": "two", "manifest.json": "of another day"}, 0, ""},
		"taken apart":     {map[string]string{"slip_1.pdf": "one", "slip_Gro\u0308ße.pdf": "two"}, 0, ""},
		"a purged copy":   {map[string]string{"slip_1.pdf": "one", "slip_Größe.pdf": "two", "slip_3.pdf": "three"}, 0, ""},
		"altered":         {map[string]string{"slip_1.pdf": "onE", "slip_Größe.pdf": "two"}, 1, "altered  slip_1.pdf\n"},
		"missing, extra":  {map[string]string{"slip_1.pdf": "one", "b/slip.pdf": "x", "a.pdf": "one"}, 1, "missing  slip_Größe.pdf\nextra    a.pdf\nextra    b/slip.pdf\n"},
		"a purged forged": {map[string]string{"slip_1.pdf": "one", "slip_Größe.pdf": "two", "slip_3.pdf": "thrEe"}, 1, "extra  slip_3.pdf\n"},
		"nothing":         {nil, 1, "missing  slip_1.pdf\nmissing  slip_Größe.pdf\n"},
	} {
		folder := asWritten(t, test.files)
		if err := os.WriteFile(filepath.Join(folder, "the list.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{folder, zipOf(t, test.files)} {
			got := run(t, nil, "", nil, "batch", "manifest", "--check", filepath.Join(folder, "the list.json"), "--keys", keys, "--files", path)
			_, rows, _ := strings.Cut(got.stdout, " NAME\n")
			if got.status != test.status || rows != test.want {
				t.Errorf("%s, %s: status %d, %s%s", name, filepath.Base(path), got.status, got.stdout, got.stderr)
			}
		}
	}
}

func zipOf(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "files.zip")
	var text bytes.Buffer
	z := zip.NewWriter(&text)
	for name, content := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestADamagedZipNamesWhatIsDamaged(t *testing.T) {
	t.Parallel()
	path := zipOf(t, map[string]string{"slip_1.pdf": "one", "slip_Größe.pdf": "two"})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(raw, []byte("one"), []byte("0ne"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := asWritten(t, map[string]string{"keys.json": pinnedKeys(t)})
	got := run(t, nil, signedManifest(t), nil, "batch", "manifest", "--check", "-", "--keys", filepath.Join(dir, "keys.json"), "--files", path)
	if got.status != 1 || !strings.HasSuffix(got.stdout, "FILE     NAME\naltered  slip_1.pdf\n") || !strings.Contains(got.stderr, "1 file as issued") {
		t.Errorf("status %d, %s%s", got.status, got.stdout, got.stderr)
	}
}

func TestAManifestIsCheckedBeforeItIsSaved(t *testing.T) {
	t.Parallel()
	text := signedManifest(t)
	forged := strings.Replace(text, `"issued":3`, `"issued":2`, 1)
	answer := func(text string) http.Handler {
		return newServer(map[string]http.HandlerFunc{
			"GET /batches/" + manifestBatch + "/manifest": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, text)
			},
			"GET /keys/signing": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, pinnedKeys(t))
			},
		})
	}
	path := filepath.Join(t.TempDir(), "manifest.json")
	got := run(t, answer(text), "", withKey, "batch", "manifest", manifestBatch, "-o", path)
	saved, err := os.ReadFile(path)
	if got.status != 0 || err != nil || cmp.Diff(text, string(saved)) != "" || !strings.Contains(got.stderr, "sequence 1: 3 issued, 1 failed") {
		t.Errorf("status %d, %v, %s%s", got.status, err, got.stdout, got.stderr)
	}
	if got := run(t, answer(text), "", withKey, "batch", "manifest", manifestBatch); got.status != 0 || got.stdout != text {
		t.Errorf("status %d, %s%s", got.status, got.stdout, got.stderr)
	}
	if got := run(t, answer(text), "", withKey, "batch", "manifest", "--check", path); got.status != 0 || !strings.Contains(got.stdout, "from the server") {
		t.Errorf("status %d, %s%s", got.status, got.stdout, got.stderr)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	got = run(t, answer(forged), "", withKey, "batch", "manifest", manifestBatch, "-o", path)
	if _, err := os.Stat(path); got.status != 1 || err == nil || !strings.Contains(got.stderr, "not what was signed") {
		t.Errorf("a forged one was saved: status %d, %s", got.status, got.stderr)
	}
	for _, args := range [][]string{{}, {manifestBatch, "--check", path}, {"--check", path, "-o", path}, {manifestBatch, "--files", path}} {
		if got := run(t, nil, "", withKey, append([]string{"batch", "manifest"}, args...)...); got.status != 2 {
			t.Errorf("%q: status %d, %s", args, got.status, got.stderr)
		}
	}
}
