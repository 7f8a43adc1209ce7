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
)

// TestOpenSSLVerifiesAReceipt runs the commands of docs/receipts.md as they stand there.
func TestOpenSSLVerifiesAReceipt(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"openssl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: install the package %s", err, tool)
		}
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(read(t, "docs/receipts.md"))
	if block == nil {
		t.Fatal("docs/receipts.md has no commands")
	}
	genuine := func(map[string]string) {}
	for name, test := range map[string]struct {
		change func(map[string]string)
		fails  bool
	}{
		"genuine": {genuine, false},
		"spaced":  {func(f map[string]string) { f["receipt.json"] = indented(t, f["receipt.json"]) }, false},
		"bytes":   {func(f map[string]string) { f["invoice.pdf"] += " " }, true},
		"receipt": {func(f map[string]string) {
			f["receipt.json"] = strings.Replace(f["receipt.json"], `"issue_number":42`, `"issue_number":43`, 1)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := signedFiles(t)
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

// signedFiles are a document, its receipt and the list of keys.
func signedFiles(t *testing.T) map[string]string {
	t.Helper()
	const document = "%PDF-1.7 the document"
	sum := sha256.Sum256([]byte(document))
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	older := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	signed, err := receipts.Sign(api.Receipt{
		Version: 1, Tenant: "default", DocumentID: "doc_01KCPDHS1S0EXAMPZE00000002", IssueNumber: 42, IssuedAt: time.Date(2026, 3, 2, 9, 15, 0, 334e6, time.UTC),
		SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(document)), Pages: 2, Filename: "Rechnung Müller & <Söhne>.pdf", Resources: []api.ReceiptResource{},
		Output: &api.ReceiptOutput{WidthMM: 215.9, HeightMM: 279.4, Scale: 0.85},
	}, key)
	if err != nil {
		t.Fatal(err)
	}
	var keys api.SigningKeyList
	for _, k := range []ed25519.PrivateKey{older, key} {
		public, _ := k.Public().(ed25519.PublicKey)
		keys.Data = append(keys.Data, api.SigningKey{
			KeyID: receipts.KeyID(public), Algorithm: receipts.Algorithm, PublicKey: base64.StdEncoding.EncodeToString(public),
		})
	}
	return map[string]string{"invoice.pdf": document, "receipt.json": marshal(t, signed), "keys.json": marshal(t, keys)}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func indented(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
