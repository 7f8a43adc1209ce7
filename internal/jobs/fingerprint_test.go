package jobs_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

// The vectors were computed by another program. They must never change: a stored fingerprint would no longer match.
func TestFingerprintsAreTheStoredOnes(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/fingerprints.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name, Request, Canonical string
		Files                    map[string]string
		Fingerprint              jobs.Fingerprint
	}
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) == 0 {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if got := fingerprint(t, v.Request, v.Files); got != v.Fingerprint {
			t.Errorf("%s: got %s, want %s for %s", v.Name, got, v.Fingerprint, v.Canonical)
		}
	}
}

func fingerprint(t *testing.T, request string, files map[string]string) jobs.Fingerprint {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(request), &members); err != nil {
		t.Fatal(err)
	}
	var list []jobs.File
	for name, sum := range files {
		list = append(list, jobs.File{Name: name, SHA256: sum})
	}
	fp, err := jobs.FingerprintRequest(members, list)
	if err != nil {
		t.Fatal(err)
	}
	return fp
}

func TestWhatDecidesTheDocumentChangesTheFingerprint(t *testing.T) {
	t.Parallel()
	base := `{"html":"x","data":{"a":1.1}}`
	seen := map[jobs.Fingerprint]string{}
	for _, request := range []string{
		base, `{"html":"y","data":{"a":1.1}}`, `{"html":"x","data":{"a":1.10}}`, `{"markdown":"x","data":{"a":1.1}}`,
		`{"html":"x"}`, `{"html":"x","data":{"a":1.1},"document_key":"d"}`, `{"html":"x","data":{"a":1.1},"engine":"chromium"}`,
		`{"html":"x","data":{"a":1.1},"output":{}}`,
	} {
		fp := fingerprint(t, request, nil)
		if other, ok := seen[fp]; ok {
			t.Errorf("%s and %s are one", request, other)
		}
		seen[fp] = request
	}
	if fp := fingerprint(t, base, map[string]string{"a": "1"}); seen[fp] != "" {
		t.Error("a file does not count")
	}
	if jobs.FingerprintRetry("job_1") == jobs.FingerprintRetry("job_2") {
		t.Error("retries of two jobs are one")
	}
}

func TestIdempotencyKeysArePrintable(t *testing.T) {
	t.Parallel()
	for key, ok := range map[string]bool{
		"": false, "a": true, "invoice 2026/42 ~": true, "é": false, "a\n": false,
		strings.Repeat("k", 255): true, strings.Repeat("k", 256): false,
	} {
		if err := jobs.CheckIdempotencyKey(key); (err == nil) != ok {
			t.Errorf("%q: %v", key, err)
		}
	}
}
