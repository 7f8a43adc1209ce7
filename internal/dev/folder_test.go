package dev_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/dev"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/redisd"
	"github.com/platen-render/platen/internal/seal"
)

// withRedis does something while somebody has a data folder and serves its Redis.
func withRedis(t *testing.T, dir string, do func(socket string)) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*patience)
	sockets, done := make(chan string, 1), make(chan error, 1)
	s := redisd.Supervisor{Dir: filepath.Join(dir, "redis"), Logger: slog.New(slog.DiscardHandler)}
	go func() { done <- s.Run(ctx, func(socket string) { sockets <- socket }) }()
	select {
	case socket := <-sockets:
		do(socket)
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	case err := <-done:
		stop()
		t.Fatal(err)
	}
}

// started is a data folder that was served with a secret key, and the text of its dev.json.
func started(t *testing.T, key string) (dir string, kept []byte) {
	t.Helper()
	dir = t.TempDir()
	load(t, dir, dev.State{URL: "http://127.0.0.1:1", SecretKey: key})
	withRedis(t, dir, func(socket string) {
		cfg := config.Config{RedisURL: "unix://" + socket, Partitions: 1, SecretKey: key}
		if err := app.TryMasterKey(t.Context(), cfg, slog.New(slog.DiscardHandler)); err != nil {
			t.Error(err)
		}
	})
	return dir, stateOf(t, dir)
}

func stateOf(t *testing.T, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "dev.json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// run is platen dev with programs that only wait.
func run(t *testing.T, dir string, pairs ...string) error {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"api", "worker"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexec sleep 60\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	err := dev.Run(ctx, dev.Options{
		Getenv: environ(append(pairs, "PLATEN_DATA_DIR", dir)...), Environ: os.Environ(), Stdout: t.Output(), Stderr: t.Output(), BinDir: bin,
	})
	if ctx.Err() != nil {
		t.Errorf("it served")
	}
	return err
}

func TestASecondRunInAFolderLeavesTheStateAsItIs(t *testing.T) {
	t.Parallel()
	dir, before := started(t, seal.GenerateKey())
	withRedis(t, dir, func(string) {
		if err := run(t, dir, "PLATEN_DEV_KEY", "plt_01JZZZZZZZZZZZZZZZZZZZZZZZ_0123456789abcdef0123"); !errors.Is(err, redisd.ErrInUse) {
			t.Errorf("got %v", err)
		}
	})
	if after := stateOf(t, dir); !bytes.Equal(before, after) {
		t.Errorf("%s became %s", before, after)
	}
}

func TestASecretKeyThatDoesNotOpenTheDataIsRefusedAndNotKept(t *testing.T) {
	t.Parallel()
	dir, before := started(t, seal.GenerateKey())
	if err := run(t, dir, "PLATEN_SECRET_KEY", seal.GenerateKey()); !errors.Is(err, jobs.ErrMasterKey) {
		t.Errorf("got %v", err)
	}
	if after := stateOf(t, dir); !bytes.Equal(before, after) {
		t.Errorf("%s became %s", before, after)
	}
}

func TestTheSecretKeyIsReplacedOnlyByOneThatNeedsNoOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := seal.GenerateKey(), seal.GenerateKey()
	load(t, dir, dev.State{SecretKey: first})
	resealed := false
	opens := func(_ string, withOld bool) error {
		if withOld || resealed {
			return nil
		}
		return jobs.ErrMasterKey
	}
	for _, want := range []string{first, second} {
		if s, err := dev.KeepState(dir, dev.State{SecretKey: second}, opens); err != nil || s.SecretKey != second {
			t.Errorf("it runs with %v, %v", s, err)
		}
		if !bytes.Contains(stateOf(t, dir), []byte(want)) {
			t.Errorf("resealed %v: %s is kept", resealed, stateOf(t, dir))
		}
		resealed = true
	}
}

func TestWithoutADocumentWordsSayHowToFetchOne(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	dev.Usage(&out, t.TempDir(), "plt_x_y")
	if regexp.MustCompile(`(?m)^fetch +curl`).Match(out.Bytes()) || !regexp.MustCompile(`(?m)^fetch .*url in the result`).Match(out.Bytes()) {
		t.Errorf("got %s", &out)
	}
}
