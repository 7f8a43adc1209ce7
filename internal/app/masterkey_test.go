package app_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/settings"
)

// installation is a Redis and what processes try on it.
type installation struct {
	*testing.T
	cfg   config.Config
	rdb   redis.UniversalClient
	store *redisstore.Store
}

func install(t *testing.T, partitions int) *installation {
	t.Helper()
	cfg := config.Config{Partitions: partitions, RedisURL: redistest.Start(t).URL()}
	rdb := connect(t, cfg)
	return &installation{T: t, cfg: cfg, rdb: rdb, store: redisstore.New(rdb, redisstore.Options{Partitions: partitions})}
}

func (i *installation) logger() *slog.Logger { return slog.New(slog.NewTextHandler(i.Output(), nil)) }

// start is what a process does about the key at its start.
func (i *installation) start(current, old string) error {
	cfg := i.cfg
	cfg.SecretKey, cfg.SecretKeyOld = current, old
	return app.TryMasterKey(i.Context(), cfg, i.logger())
}

func (i *installation) starts(current, old string) {
	i.Helper()
	if err := i.start(current, old); err != nil {
		i.Errorf("refused: %v", err)
	}
}

func (i *installation) refuses(current, old string) {
	i.Helper()
	err := i.start(current, old)
	if !errors.Is(err, jobs.ErrMasterKey) || !strings.Contains(err.Error(), "PLATEN_SECRET_KEY nor PLATEN_SECRET_KEY_OLD") {
		i.Errorf("got %v, want a refusal", err)
	}
}

// service works with keys.
func (i *installation) service(current, old string) *jobs.Service {
	i.Helper()
	key, err := settings.MasterKey(current, old)
	if err != nil {
		i.Fatal(err)
	}
	return &jobs.Service{Store: i.store, Key: key, Logger: i.logger(), Partitions: i.cfg.Partitions}
}

func TestAProcessWithAnotherMasterKeyDoesNotStart(t *testing.T) {
	t.Parallel()
	i := install(t, 1)
	right, wrong := seal.GenerateKey(), seal.GenerateKey()
	i.starts(right, "")
	i.starts(right, "")
	i.refuses(wrong, "")
	i.refuses(wrong, seal.GenerateKey())
	cfg := i.cfg
	cfg.Addr, cfg.WorkerAddr, cfg.BlobDir, cfg.SecretKey, cfg.CallbackSchedule = "127.0.0.1:0", "off", t.TempDir(), wrong, "1s"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := app.API(ctx, cfg, i.logger()); !errors.Is(err, jobs.ErrMasterKey) {
		t.Errorf("api: %v", err)
	}
	if err := app.Worker(ctx, cfg, i.logger(), nil); !errors.Is(err, jobs.ErrMasterKey) {
		t.Errorf("worker: %v", err)
	}
	i.starts(right, "")
}

func TestTheMasterKeyIsChangedByTheDocumentedSteps(t *testing.T) {
	t.Parallel()
	i := install(t, 3)
	before, after := seal.GenerateKey(), seal.GenerateKey()
	i.starts(before, "")
	if err := i.service(before, "").SetCallbackSecrets(t.Context(), "shop", "a callback secret for tests"); err != nil {
		t.Fatal(err)
	}
	i.starts(before, after)
	i.starts(after, before)
	i.starts(before, after) // who has not got the second step yet may start again
	i.refuses(after, "")    // too early: nothing is rewritten
	service := i.service(after, before)
	for cursor, more := "", true; more; more = cursor != "" {
		done, err := service.Reseal(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		cursor = done.Next
	}
	i.starts(after, before)
	i.starts(after, "")
	i.refuses(before, "")
}

func TestOfTwoKeysThatStartAtOnceOneStands(t *testing.T) {
	t.Parallel()
	i := install(t, 2)
	keys := []string{seal.GenerateKey(), seal.GenerateKey()}
	errs := make([]error, 20)
	var group sync.WaitGroup
	for n := range errs {
		group.Go(func() { errs[n] = i.start(keys[n%2], "") })
	}
	group.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Fatalf("got %v and %v, want one of them", errs[0], errs[1])
	}
	for n, err := range errs {
		if (err == nil) != (errs[n%2] == nil) || err != nil && !errors.Is(err, jobs.ErrMasterKey) {
			t.Errorf("%d: %v, while %v", n, err, errs[n%2])
		}
	}
}

func TestStoredSecretsFromBeforeThereWasACanaryTellTheKey(t *testing.T) {
	t.Parallel()
	for _, tenant := range []string{jobs.DefaultTenant, "shop"} {
		i := install(t, 2)
		right, wrong := seal.GenerateKey(), seal.GenerateKey()
		if err := i.service(right, "").SetCallbackSecrets(t.Context(), tenant, "a callback secret for tests"); err != nil {
			t.Fatal(err)
		}
		i.refuses(wrong, "")
		i.starts(right, "") // who was refused has left nothing
		i.starts(wrong, right)
	}
}

func TestAnOperatorWhoHasLostTheKeyCanGoOnWithANewOne(t *testing.T) {
	t.Parallel()
	i := install(t, 1)
	i.starts(seal.GenerateKey(), "")
	fresh := seal.GenerateKey()
	i.refuses(fresh, "")
	if err := i.rdb.Set(t.Context(), "pl:{p0}:canary", "lost", 0).Err(); err != nil {
		t.Fatal(err)
	}
	i.starts(fresh, "")
	i.refuses(seal.GenerateKey(), "")
}

func TestAProcessNamesAllWrongSettingsAtOnce(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"PLATEN_PARTITIONS": "0", "PLATEN_RENDER_TIMEOUT_MAX": "soon", "PLATEN_CALLBACK_SCHEDULE": "soon", "PLATEN_SECRET_KEY_OLD": "x",
		"PLATEN_SECRET_KEY": "abc", "PLATEN_REDIS_URL": "foo",
	}
	var stderr bytes.Buffer
	status := app.Process{Name: "api"}.Main(nil, func(name string) string { return env[name] }, t.Output(), &stderr)
	if status != 1 {
		t.Errorf("status %d", status)
	}
	for name := range env {
		if !strings.Contains(stderr.String(), name+": ") {
			t.Errorf("%s is not named in %s", name, &stderr)
		}
	}
	if !strings.Contains(stderr.String(), "PLATEN_BLOB_DIR: required") || strings.Contains(stderr.String(), "PLATEN_RENDER_TIMEOUT: ") {
		t.Errorf("got %s", &stderr)
	}
}
