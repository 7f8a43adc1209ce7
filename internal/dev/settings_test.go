package dev_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/dev"
	"github.com/platen-render/platen/internal/seal"
)

// environ makes a getenv of pairs, on a free port.
func environ(pairs ...string) func(string) string {
	values := map[string]string{"PLATEN_ADDR": "127.0.0.1:0"}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return values[name] }
}

func TestEverySettingThatAPIOrWorkerWouldRefuseIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("no certificate, no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := []string{
		"PLATEN_PUBLIC_URL", "docs.example.com", "PLATEN_SECRET_KEY", "c2hvcnQ=", "PLATEN_CALLBACK_SECRET", "short",
		"PLATEN_DEV_KEY", "plt_x", "PLATEN_EGRESS_ALLOW_CALLBACKS", "*", "PLATEN_EGRESS_ALLOW_PAGES", "10.0.0.0/99",
		"PLATEN_CALLBACK_CA_FILE", plain, "PLATEN_CALLBACK_SCHEDULE", "soon", "PLATEN_CHROMIUM", plain, "PLATEN_FONT_DIR", filepath.Join(dir, "none"),
	}
	_, err := dev.Settings(t.Context(), environ(wrong...))
	if err == nil {
		t.Fatal("taken")
	}
	for i := 0; i < len(wrong); i += 2 {
		if !strings.Contains(err.Error(), wrong[i]+": ") {
			t.Errorf("%s is not named in: %v", wrong[i], err)
		}
		if strings.HasSuffix(wrong[i], "_KEY") && strings.Contains(err.Error(), wrong[i+1]) {
			t.Errorf("%s is shown in: %v", wrong[i], err)
		}
	}
	c, _ := config.Load(environ(wrong...)) // each value alone is well-formed
	for name := range strings.Lines(app.CheckSettings(c).Error()) {
		if name, _, _ = strings.Cut(name, ": "); !strings.Contains(err.Error(), name+": ") {
			t.Errorf("API and worker refuse %s", name)
		}
	}
	if _, err := dev.Settings(t.Context(), environ("PLATEN_MAX_BODY", "ten")); err == nil || !strings.Contains(err.Error(), "PLATEN_MAX_BODY") {
		t.Errorf("a size that is none: %v", err)
	}
}

func TestSettingsThatAreRightAreTaken(t *testing.T) {
	t.Parallel()
	c, err := dev.Settings(t.Context(), environ("PLATEN_PUBLIC_URL", "https://docs.example.com/", "PLATEN_SECRET_KEY", seal.GenerateKey(),
		"PLATEN_CALLBACK_SECRET", "a callback secret for tests", "PLATEN_DEV_KEY", "plt_01JZZZZZZZZZZZZZZZZZZZZZZZ_0123456789abcdef0123",
		"PLATEN_EGRESS_ALLOW_CALLBACKS", "erp.internal:8443", "PLATEN_CALLBACK_SCHEDULE", "1s,2s", "PLATEN_WORKER_ADDR", "127.0.0.1:0"))
	if err != nil || c.PublicURL != "https://docs.example.com" || c.WorkerAddr != "127.0.0.1:0" {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestPort0IsAFreePortThatEverybodyKnows(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":0", "127.0.0.1:0", "localhost:0", "0.0.0.0:"} {
		c, err := dev.Settings(t.Context(), environ("PLATEN_ADDR", addr))
		if err != nil {
			t.Fatal(err)
		}
		host, port, err := net.SplitHostPort(c.Addr)
		if err != nil || port == "0" || port == "" || host+":" != strings.TrimSuffix(addr, "0") && addr != "0.0.0.0:" {
			t.Errorf("%s became %s, %v", addr, c.Addr, err)
		}
		if !strings.HasSuffix(c.PublicURL, ":"+port) || strings.HasPrefix(c.PublicURL, "http://:") {
			t.Errorf("the public URL is %s", c.PublicURL)
		}
		if c.WorkerAddr != "off" {
			t.Errorf("the worker listens on %s", c.WorkerAddr)
		}
	}
}

func TestABusyPortIsAnErrorThatNamesTheSetting(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	for _, name := range []string{"PLATEN_ADDR", "PLATEN_WORKER_ADDR"} {
		for _, addr := range []string{ln.Addr().String(), "8080", "127.0.0.1:http:1"} {
			if _, err := dev.Settings(t.Context(), environ(name, addr)); err == nil || !strings.Contains(err.Error(), "set "+name+" to another") {
				t.Errorf("%s=%s: %v", name, addr, err)
			}
		}
	}
}

// TestAPathBelowThisFolderIsShortAndAnyOtherWhole changes the folder, so it is not parallel.
func TestAPathBelowThisFolderIsShortAndAnyOtherWhole(t *testing.T) {
	parent := t.TempDir()
	here := filepath.Join(parent, "here")
	if err := os.Mkdir(here, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	for path, want := range map[string]string{
		filepath.Join(here, ".platen"): ".platen", filepath.Join(parent, "data"): filepath.Join(parent, "data"), parent: parent,
	} {
		if got := dev.Relative(path); got != want {
			t.Errorf("%s is shown as %s, want %s", path, got, want)
		}
	}
}
