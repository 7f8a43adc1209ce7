package dev

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/webhook"
)

// stateFile is in the data folder; the commands read it to find the server and a key.
const stateFile = "dev.json"

// state is what a development installation keeps between starts: without the same secret key its data could not be
// read, and without the same API key every script would break.
type state struct {
	URL            string `json:"url"`
	Key            string `json:"key"`
	CallbackSecret string `json:"callback_secret"`
	SecretKey      string `json:"secret_key"`
	AdminKey       string `json:"admin_key"`
}

// loadState reads the state of a data folder, or makes a new one. Given values win and are kept.
func loadState(dir string, given state) (state, error) {
	var s state
	raw, err := os.ReadFile(filepath.Join(dir, stateFile)) //nolint:gosec // the operator's own folder
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return s, fmt.Errorf("read state: %w", err)
	default:
		if err := json.Unmarshal(raw, &s); err != nil {
			return s, fmt.Errorf("%s: %w", filepath.Join(dir, stateFile), err)
		}
	}
	fill(&s.URL, given.URL, func() string { return "" })
	fill(&s.Key, given.Key, newKey)
	fill(&s.CallbackSecret, given.CallbackSecret, func() string { return webhook.NewSecret().Reveal() })
	fill(&s.SecretKey, given.SecretKey, seal.GenerateKey)
	fill(&s.AdminKey, given.AdminKey, rand.Text)
	return s, s.save(dir)
}

// fill keeps what is given, else what is there, else makes one.
func fill(field *string, given string, fresh func() string) {
	if given != "" {
		*field = given
	}
	if *field == "" {
		*field = fresh()
	}
}

// save replaces the file as a whole: half a file would lose the secret key.
func (s state) save(dir string) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	temp := filepath.Join(dir, stateFile+".new")
	if err := os.WriteFile(temp, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return os.Rename(temp, filepath.Join(dir, stateFile))
}

func newKey() string {
	secret := make([]byte, 20)
	_, _ = rand.Read(secret) // never fails since Go 1.24
	id := strings.TrimPrefix(string(jobs.NewID(jobs.KindKey, 0)), "key_")
	return "plt_" + id + "_" + hex.EncodeToString(secret)
}
