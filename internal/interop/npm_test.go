package interop_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// npmLibrary is the npm package standardwebhooks, asked through one node process.
type npmLibrary struct {
	mu        sync.Mutex
	questions *json.Encoder
	answers   *json.Decoder
}

type question struct {
	Op     string `json:"op"`
	Secret string `json:"secret"`
	message
}

type reply struct {
	Signature string `json:"signature"`
	Accepted  bool   `json:"accepted"`
}

// startNPM starts node, which ends with the test.
func startNPM(t *testing.T) library {
	t.Helper()
	folder := filepath.Join("testdata", "npm")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "standardwebhooks", "package.json")); err != nil {
		t.Fatal("the npm package standardwebhooks is missing: install it with `make setup-test`")
	}
	cmd := command(t, "node", "nodejs", "peer.js")
	cmd.Dir = folder
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said := &bytes.Buffer{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close() // ends its loop
		_, _ = io.Copy(io.Discard, stdout)
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v\n%s", err, said)
		}
	})
	return &npmLibrary{questions: json.NewEncoder(stdin), answers: json.NewDecoder(stdout)}
}

func (l *npmLibrary) ask(q question) (reply, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.questions.Encode(q); err != nil {
		return reply{}, fmt.Errorf("ask node: %w", err)
	}
	var r reply
	if err := l.answers.Decode(&r); err != nil {
		return reply{}, fmt.Errorf("answer of node: %w", err)
	}
	return r, nil
}

func (l *npmLibrary) sign(secret string, m message) (string, error) {
	r, err := l.ask(question{"sign", secret, m})
	return r.Signature, err
}

func (l *npmLibrary) verify(secret string, m message) (bool, error) {
	r, err := l.ask(question{"verify", secret, m})
	return r.Accepted, err
}
