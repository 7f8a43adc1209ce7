package docs_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/strictjson"
)

// TestOpenSSLVerifiesAManifest runs the commands of docs/manifest.md as they stand there.
func TestOpenSSLVerifiesAManifest(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"openssl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: install the package %s", err, tool)
		}
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(read(t, "docs/manifest.md"))
	if block == nil {
		t.Fatal("docs/manifest.md has no commands")
	}
	for name, test := range map[string]struct {
		change func(map[string]string)
		fails  bool
	}{
		"genuine": {func(map[string]string) {}, false},
		"spaced":  {func(f map[string]string) { f["manifest.json"] = indented(t, f["manifest.json"]) }, false},
		"bytes":   {func(f map[string]string) { f["Lohn März_1.pdf"] += " " }, true},
		"missing": {func(f map[string]string) { delete(f, "Lohn März_1.pdf") }, true},
		"entry": {func(f map[string]string) {
			f["manifest.json"] = strings.Replace(f["manifest.json"], `"issued":1`, `"issued":2`, 1)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := manifestFiles(t)
			test.change(files)
			dir := t.TempDir()
			for file, text := range files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-euc", block[1])
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); (err != nil) != test.fails {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// manifestFiles are a document, the manifest of its batch and the list of keys.
func manifestFiles(t *testing.T) map[string]string {
	t.Helper()
	const document, name = "%PDF-1.7 the document", "Lohn März_1.pdf"
	sum := sha256.Sum256([]byte(document))
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	ended := time.Date(2026, 3, 31, 18, 0, 0, 480e6, time.UTC)
	raw := marshal(t, api.Manifest{
		Version: 1, Tenant: "default", BatchID: "bat_01KCPDHS1S0EXAMPZE0000000D", Sequence: 1, Status: api.BatchCompleted, CreatedAt: ended, FinishedAt: ended, Items: 1,
		Counts: api.ManifestCounts{Issued: 1, Missing: 1}, Expected: new(2),
		Entries: []api.ManifestEntry{
			{
				Index: new(0), DocumentKey: new("Lohn März:1 <&>"), Status: api.EntryIssued, DocumentID: new("doc_01KCPDHS1S0EXAMPZE00000002"), IssueNumber: new(int64(1)),
				SHA256: new(hex.EncodeToString(sum[:])), Bytes: new(int64(len(document))), Pages: new(1), File: new(name),
			},
			{DocumentKey: new("Lohn März:2\u2028"), Status: api.EntryMissing},
		},
	})
	canonical, err := strictjson.Canonical([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	public, _ := key.Public().(ed25519.PublicKey)
	return map[string]string{
		name: document,
		"manifest.json": marshal(t, map[string]any{
			"manifest": json.RawMessage(canonical), "signature": receipts.SignManifest(sha256.Sum256(canonical), key),
		}),
		"keys.json": marshal(t, api.SigningKeyList{Data: []api.SigningKey{
			{KeyID: receipts.KeyID(public), Algorithm: receipts.Algorithm, PublicKey: base64.StdEncoding.EncodeToString(public)},
		}}),
	}
}
