package config_test

import (
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/config"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestDefaultsAreValid(t *testing.T) {
	t.Parallel()
	c, err := config.Load(env())
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:8080" || c.PublicURL != "http://127.0.0.1:8080" || c.LogLevel != slog.LevelInfo ||
		c.Lease != 10*time.Second || c.MaxBody != 10<<20 || c.JobRetention != 30*24*time.Hour || c.ChromiumNoSandbox {
		t.Errorf("got %+v", c)
	}
}

func TestSettingsAreRead(t *testing.T) {
	t.Parallel()
	c, err := config.Load(env("PLATEN_PUBLIC_URL", "https://docs.example/", "PLATEN_MAX_BODY", "2KiB", "PLATEN_LEASE", "300ms",
		"PLATEN_CHROMIUM_NO_SANDBOX", "1", "PLATEN_RENDER_SLOTS", "3", "PLATEN_LOG_LEVEL", "debug"))
	if err != nil {
		t.Fatal(err)
	}
	if c.PublicURL != "https://docs.example" || c.MaxBody != 2048 || c.Lease != 300*time.Millisecond || !c.ChromiumNoSandbox ||
		c.RenderSlots != 3 || c.LogLevel != slog.LevelDebug {
		t.Errorf("got %+v", c)
	}
}

func TestEveryWrongSettingIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	wrong := []string{
		"PLATEN_MAX_BODY", "ten", "PLATEN_LEASE", "5", "PLATEN_RENDER_SLOTS", "-1", "PLATEN_CALLBACK_HTTP", "perhaps",
		"PLATEN_LOG_LEVEL", "loud", "PLATEN_ADMIN_KEY", "short", "PLATEN_RENDER_TIMEOUT", "400s",
	}
	_, err := config.Load(env(wrong...))
	if err == nil {
		t.Fatal("taken")
	}
	for i := 0; i < len(wrong); i += 2 {
		if !strings.Contains(err.Error(), wrong[i]+":") {
			t.Errorf("%s is not named in: %v", wrong[i], err)
		}
	}
	if err := (config.Config{}).Require("PLATEN_BLOB_DIR", "PLATEN_SECRET_KEY"); err == nil ||
		!strings.Contains(err.Error(), "PLATEN_BLOB_DIR") || !strings.Contains(err.Error(), "PLATEN_SECRET_KEY") {
		t.Errorf("missing ones: %v", err)
	}
}

// The page and the code are one table: same settings, same defaults, same order.
func TestTheConfigurationPageIsTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `PLATEN_") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	settings := config.Settings()
	if len(rows) < len(settings) {
		t.Fatalf("%d rows for %d settings", len(rows), len(settings))
	}
	for i, s := range settings {
		value := "–"
		if s.Default != "" {
			value = "`" + s.Default + "`"
		}
		if want := "| `" + s.Name + "` | " + value + " | " + s.Help + " |"; rows[i] != want {
			t.Errorf("row %d is\n%s, want\n%s", i, rows[i], want)
		}
	}
}
