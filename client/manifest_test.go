package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// example is an example of the contract, as JSON.
func example(t *testing.T, name string) []byte {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(doc.Components.Examples[name].Value.Value) // which sorts members, as the canonical form does
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func pinnedKeys(t *testing.T) []api.SigningKey {
	t.Helper()
	var keys api.SigningKeyList
	if err := json.Unmarshal(example(t, "SigningKeys"), &keys); err != nil {
		t.Fatal(err)
	}
	return keys.Data
}

func TestTheManifestOfTheContractIsGenuineHoweverItIsSpaced(t *testing.T) {
	t.Parallel()
	text := example(t, "SignedManifest")
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, text, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{text, spaced.Bytes()} {
		m, err := client.CheckManifest(text, pinnedKeys(t))
		if err != nil || len(m.Entries) != 4 || *m.Entries[0].File != "payslip_2026-03_7.pdf" {
			t.Errorf("%+v, %v", m, err)
		}
	}
}

func TestAManifestThatWasTouchedIsNone(t *testing.T) {
	t.Parallel()
	text := string(example(t, "SignedManifest"))
	keys := pinnedKeys(t)
	other := keys[0]
	other.PublicKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" // the id is that of the other one, and is not believed
	for name, test := range map[string]struct {
		text string
		keys []api.SigningKey
		want error
	}{
		"a count":            {strings.Replace(text, `"issued":1`, `"issued":2`, 1), keys, client.ErrManifestAltered},
		"an entry":           {strings.Replace(text, `"status":"failed"`, `"status":"issued"`, 1), keys, client.ErrManifestAltered},
		"one more member":    {strings.Replace(text, `"version":1`, `"version":1,"x":1`, 1), keys, client.ErrManifestAltered},
		"the algorithm":      {strings.Replace(text, `"ed25519"`, `"none"`, 1), keys, client.ErrManifestAltered},
		"the signature":      {strings.Replace(text, `"wokq`, `"Wokq`, 1), keys, client.ErrManifestAltered},
		"another's key":      {text, []api.SigningKey{other}, client.ErrManifestKey},
		"no key":             {text, nil, client.ErrManifestKey},
		"a key that is none": {text, []api.SigningKey{{PublicKey: "x"}}, client.ErrManifestKey},
		"cut":                {text[:len(text)-20], keys, client.ErrManifest},
		"a receipt":          {string(example(t, "SignedReceipt")), keys, client.ErrManifest},
		"nothing":            {"", keys, client.ErrManifest},
	} {
		if m, err := client.CheckManifest([]byte(test.text), test.keys); !errors.Is(err, test.want) || m.Entries != nil {
			t.Errorf("%s: %v, %+v", name, err, m)
		}
	}
}

// begun sends the beginning of what is not sent to its end.
func begun(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("PK"))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// whole answers with something long.
func whole(mediaType string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		_, _ = w.Write(content)
	}
}

func TestACloseOutThatBreaksOffIsFetchedAgain(t *testing.T) {
	t.Parallel()
	manifest, archive := example(t, "SignedManifest"), []byte("PK and more")
	c := serve(t, begun, whole("application/json", manifest), begun, whole("application/zip", archive)).overTCP()
	if text, err := c.ManifestJSON(t.Context(), batchID); err != nil || !bytes.Equal(text, manifest) {
		t.Errorf("%s, %v", text, err)
	}
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := c.ArchiveFile(t.Context(), batchID, path); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, archive) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnArchiveThatBreaksOffIsAnError(t *testing.T) {
	t.Parallel()
	c := serve(t, begun).overTCP()
	var part bytes.Buffer
	if err := c.Archive(t.Context(), batchID, &part); err == nil || part.String() != "PK" {
		t.Errorf("%q, %v", part.String(), err)
	}
	if err := c.ArchiveFile(t.Context(), "../x", filepath.Join(t.TempDir(), "a.zip")); !errors.Is(err, client.ErrArgument) {
		t.Error(err)
	}
}

func TestABatchThatIsPendingHasNoManifest(t *testing.T) {
	t.Parallel()
	c := serve(t, problem(http.StatusConflict, api.CodeBatchPending, "Retry-After", "3")).inMemory()
	if text, err := c.ManifestJSON(t.Context(), batchID); !client.HasCode(err, api.CodeBatchPending) || text != nil {
		t.Errorf("%q, %v", text, err)
	}
}
