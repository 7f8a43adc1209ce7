package dev_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/dev"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/webhook"
)

func load(t *testing.T, dir string, given dev.State) dev.State {
	t.Helper()
	s, err := dev.LoadState(dir, given)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAFirstStartMakesWhatIsNotGiven(t *testing.T) {
	t.Parallel()
	s := load(t, t.TempDir(), dev.State{URL: "http://127.0.0.1:8080"})
	if s.URL != "http://127.0.0.1:8080" || len(s.AdminKey) < 20 {
		t.Errorf("URL %q, admin key of %d letters", s.URL, len(s.AdminKey))
	}
	if _, err := seal.ParseKey(s.SecretKey); err != nil {
		t.Errorf("the secret key: %v", err)
	}
	if _, err := webhook.ParseSecret(s.CallbackSecret); err != nil {
		t.Errorf("the callback secret: %v", err)
	}
	id, secret, ok := strings.Cut(strings.TrimPrefix(s.Key, "plt_"), "_")
	if _, err := jobs.ParseID(jobs.KindKey, "key_"+id); !ok || err != nil || len(secret) != 40 {
		t.Errorf("the key %q: %v", s.Key, err)
	}
	if other := load(t, t.TempDir(), dev.State{}); other.Key == s.Key || other.SecretKey == s.SecretKey || other.AdminKey == s.AdminKey || other.CallbackSecret == s.CallbackSecret {
		t.Error("two installations have a secret in common")
	}
}

func TestASecondStartKeepsEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := load(t, dir, dev.State{URL: "http://127.0.0.1:8080"})
	if diff := cmp.Diff(first, load(t, dir, dev.State{})); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsGivenWinsAndIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := load(t, dir, dev.State{})
	given := dev.State{URL: "http://127.0.0.1:9090", Key: "plt_x_y", SecretKey: seal.GenerateKey()}
	want := given
	want.CallbackSecret, want.AdminKey = first.CallbackSecret, first.AdminKey
	for _, g := range []dev.State{given, {}} {
		if diff := cmp.Diff(want, load(t, dir, g)); diff != "" {
			t.Errorf("given %q: %s", g.URL, diff)
		}
	}
}

func TestABrokenStateIsAnErrorThatNamesTheFileAndKeepsIt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"key": 1}`, `[]`} {
		path := filepath.Join(t.TempDir(), "dev.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := dev.LoadState(filepath.Dir(path), dev.State{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: got %v, want an error that names %s", text, err, path)
		}
		// It may hold the only copy of the secret key.
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
}

func TestTheStateIsForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "dev.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	load(t, dir, dev.State{})
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v, want the state alone", len(files), err)
	}
	info, err := files[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestAFolderThatCannotBeReadOrWrittenIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := dev.LoadState(filepath.Join(t.TempDir(), "none"), dev.State{}); err == nil {
		t.Error("a folder that is not there took the state")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dev.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := dev.LoadState(dir, dev.State{}); err == nil {
		t.Error("a folder was read as a state")
	}
}
