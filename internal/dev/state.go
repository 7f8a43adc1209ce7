package dev

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
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

// readState reads the state of a data folder. One that was never started has an empty state.
func readState(dir string) (state, error) {
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
	return s, nil
}

// with fills a state: given values win, and what neither knows is made.
func (s state) with(given state) state {
	fill(&s.URL, given.URL, func() string { return "" })
	fill(&s.Key, given.Key, newKey)
	fill(&s.CallbackSecret, given.CallbackSecret, func() string { return webhook.NewSecret().Reveal() })
	fill(&s.SecretKey, given.SecretKey, seal.GenerateKey)
	fill(&s.AdminKey, given.AdminKey, rand.Text)
	return s
}

// keepState reads the state of a data folder, fills it with what is given, and keeps it, if its secret key passes. opens
// reports whether a secret key, with or without those that the environment calls old, opens what is stored.
// The key that was kept is replaced only by one that opens everything by itself, so that it is never lost.
func keepState(dir string, given state, opens func(secretKey string, withOld bool) error) (state, error) {
	before, err := readState(dir)
	if err != nil {
		return before, err
	}
	s := before.with(given)
	if err := opens(s.SecretKey, true); err != nil {
		return before, err
	}
	kept := s
	if before.SecretKey != "" && before.SecretKey != s.SecretKey {
		switch err := opens(s.SecretKey, false); {
		case errors.Is(err, jobs.ErrMasterKey):
			kept.SecretKey = before.SecretKey
		case err != nil:
			return before, err
		}
	}
	return s, kept.save(dir)
}

// settleState decides on keys and secrets, those of the environment before those of the last start, and keeps them.
func (d *installation) settleState(ctx context.Context, socket string) error {
	given := state{
		URL: localURL(d.cfg), Key: d.cfg.DevKey, CallbackSecret: d.cfg.CallbackSecret, SecretKey: d.cfg.SecretKey, AdminKey: d.cfg.AdminKey,
	}
	s, err := keepState(d.dir, given, func(secretKey string, withOld bool) error {
		cfg := config.Config{RedisURL: "unix://" + socket, Partitions: d.cfg.Partitions, SecretKey: secretKey}
		if withOld {
			cfg.SecretKeyOld = d.cfg.SecretKeyOld
		}
		return app.TryMasterKey(ctx, cfg, d.logger)
	})
	d.state = s
	return err
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
