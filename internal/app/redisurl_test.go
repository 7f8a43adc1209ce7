package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/redistest"
)

func TestAWrongRedisURLIsRefusedWithoutShowingItsPassword(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"":                                   "redis",
		"http://h:6379":                      "scheme",
		"redis://u:hunter2@h:6379/x":         "database",
		"redis://u:hunter2/@h:6379":          "want redis://",
		"redis://u:hunter2@h:port":           "want redis://",
		"redis+raft://u:hunter2@h:1":         "want redis://",
		"http+cluster://u:hunter2@h:1":       "scheme",
		"redis+cluster://":                   "want redis://",
		"redis+cluster://u:hunter2@":         "want redis://",
		"redis+cluster://u:hunter2@h:1/3":    "no databases",
		"redis+cluster://h:1?read_only=true": "sentinel_username",
		"redis+sentinel://u:hunter2@h:1":     "name of the master",
		"redis+sentinel://h:1/mymaster/one":  "database",
		"redis+sentinel://h:1/mymaster?db=1": "sentinel_username",
	} {
		_, err := app.NewRedis(config.Config{RedisURL: raw}, slots)
		if err == nil || !strings.HasPrefix(err.Error(), "PLATEN_REDIS_URL: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the password is in %v", raw, err)
		}
	}
}

func TestAURLOfSeveralHostsNamesThemAll(t *testing.T) {
	t.Parallel()
	rdb := connect(t, config.Config{RedisURL: "rediss+cluster://u:p%40ss@h1:7000,h2,[::1]:7002", Partitions: 16})
	o := rdb.(*redis.ClusterClient).Options()
	got := []any{o.Addrs, o.Username, o.Password, o.TLSConfig.ServerName, o.ReadOnly, o.RouteRandomly, o.ClusterStateReloadInterval, o.ReadTimeout}
	want := []any{[]string{"h1:7000", "h2:6379", "[::1]:7002"}, "u", "p@ss", "", false, false, 2 * time.Second, 2 * time.Second}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	one := connect(t, config.Config{RedisURL: "redis+sentinel://u:p%40ss@h1:26379,h2/mymaster/7"}).(*redis.Client).Options()
	if one.Username != "u" || one.Password != "p@ss" || one.DB != 7 || one.MaxRetries != 3 || !one.ContextTimeoutEnabled {
		t.Errorf("got %+v", one)
	}
}

func TestOnlyTheAuthorityThatIsNamedIsTrusted(t *testing.T) {
	t.Parallel()
	mine, another := redistest.Start(t, redistest.TLS()), redistest.Start(t, redistest.TLS())
	noPEM := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(noPEM, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, file, refused string }{
		{"redis://127.0.0.1:1", mine.CAFile(), "does not ask for TLS"},
		{mine.URL(), noPEM, "no PEM"},
		{mine.URL(), noPEM + ".not", "no such file"},
	} {
		_, err := app.NewRedis(config.Config{RedisURL: c.url, RedisCAFile: c.file}, slots)
		if err == nil || !strings.Contains(err.Error(), "PLATEN_REDIS_CA_FILE: ") || !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s with %s: %v", c.url, c.file, err)
		}
	}
	if err := connect(t, config.Config{RedisURL: mine.URL(), RedisCAFile: mine.CAFile()}).Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
	for _, file := range []string{"", another.CAFile()} {
		err := connect(t, config.Config{RedisURL: mine.URL(), RedisCAFile: file}).Ping(t.Context()).Err()
		if err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("with the authority %q: %v", file, err)
		}
	}
}
