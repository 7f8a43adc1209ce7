package app_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
)

const (
	password = "a/password: of the test?"
	root     = "user root on nopass ~* &* +@all"
	// Whoever is not logged in may ask whether the server is there.
	nobody = "user default on nopass -@all +ping"
)

// rights is the line in the documentation.
func rights(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "user platen on ") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatal("docs/configuration.md has no line of an ACL")
	return ""
}

// asPlaten makes a server know the user platen with the documented rights.
func asPlaten(t *testing.T) redistest.Option {
	t.Helper()
	return redistest.Config(strings.Replace(rights(t), ">PASSWORD", `">`+password+`"`, 1))
}

// loggedIn is a URL with the user platen in it.
func loggedIn(raw string) string {
	return strings.Replace(raw, "://", "://"+url.UserPassword("platen", password).String()+"@", 1)
}

//nolint:tparallel // What was used is counted once everything has been.
func TestTheContractHoldsOverTLSWithTheDocumentedRightsAndNoMore(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.TLS(), redistest.Config(nobody, root), asPlaten(t))
	o := server.Options()
	o.Username, o.Password = "root", "any"
	admin := redis.NewClient(o)
	t.Cleanup(func() { _ = admin.Close() })
	cfg := config.Config{Partitions: 1, RedisURL: loggedIn(server.URL()), RedisCAFile: server.CAFile()}
	rdb := connect(t, cfg)
	store := redisstore.New(rdb, redisstore.Options{})
	if warnings, err := store.Check(t.Context()); err != nil || len(warnings) > 0 {
		t.Errorf("check: %v, %v", warnings, err)
	}
	if err := store.Room(t.Context(), jobs.DefaultTenant); err != nil {
		t.Error(err)
	}
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // made, and opened
		if away, err := jobs.CheckMasterKey(t.Context(), store, 1, key); err != nil || away > 0 {
			t.Errorf("master key: %d away, %v", away, err)
		}
	}
	t.Run("contract", func(t *testing.T) { contract(t, cfg) })
	t.Run("queue", func(t *testing.T) { carry(t, rdb) })
	t.Run("feed", func(t *testing.T) { follow(t, rdb, 1) })
	t.Run("replicas", func(t *testing.T) {
		_, err := redisstore.New(rdb, redisstore.Options{WaitReplicas: 1}).Accept(t.Context(), jobs.Acceptance{Probe: true})
		if !errors.Is(err, jobs.ErrNotReplicated) {
			t.Errorf("without a replica: %v", err)
		}
	})
	denied, err := admin.Do(t.Context(), "acl", "log").Slice()
	if err != nil || len(denied) > 0 {
		t.Errorf("denied: %v, %v", denied, err)
	}
	compareRights(t, rights(t), used(t, admin))
}

// follow reads the feed of the last partition until it tells a change.
func follow(t *testing.T, rdb redis.UniversalClient, partitions int) {
	t.Helper()
	feed := redisstore.NewFeed(rdb, partitions, slog.New(slog.NewTextHandler(t.Output(), nil)))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = feed.Run(ctx) }()
	store := redisstore.New(rdb, redisstore.Options{Partitions: partitions})
	jobstest.Eventually(t, "a change is told", func() bool {
		id := jobs.NewID(jobs.KindJob, partitions-1)
		changes, end := feed.Watch(id)
		defer end()
		_, err := store.Accept(t.Context(), jobs.Acceptance{Job: jobs.Job{
			ID: id, Document: jobs.NewID(jobs.KindDocument, partitions-1), Tenant: tenantIn(partitions-1, partitions),
		}})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-changes:
			return true
		case <-time.After(100 * time.Millisecond): // the feed had not begun
			return false
		}
	})
	stop()
	<-done
}

// carry has the queue do all that it does for a job: ring, hand out, take back, hand out again, give up, look.
func carry(t *testing.T, rdb redis.UniversalClient) {
	t.Helper()
	client := queue.NewClient(rdb)
	task := jobs.Task{Line: jobs.RenderLine, ID: jobs.NewID(jobs.KindJob, 0), Generation: 1}
	if err := client.Announce(t.Context(), task.Line); err != nil {
		t.Fatal(err)
	}
	for _, want := range []jobs.Enqueued{jobs.Rang, jobs.Waiting} {
		if got, err := client.Enqueue(t.Context(), task); err != nil || got != want {
			t.Fatalf("enqueue: %s, %v", got, err)
		}
	}
	// What cannot be read is given up.
	if _, err := client.Enqueue(t.Context(), jobs.Task{Line: task.Line, ID: "not an id", Generation: 1}); err != nil {
		t.Fatal(err)
	}
	forsaken := jobs.Task{Line: jobs.PreviewLine, ID: jobs.NewID(jobs.KindPreview, 0), Generation: 1}
	if _, err := client.Enqueue(t.Context(), forsaken); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := client.Withdraw(t.Context(), forsaken); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := client.Backlog(t.Context(), forsaken.Line); err != nil || n > 0 {
		t.Errorf("%d tasks that were taken back, %v", n, err)
	}
	calls := make(chan jobs.Task, 2)
	first := true
	server := &queue.Server{
		Redis: rdb, Lines: map[jobs.Line]int{task.Line: 1}, Slots: 1, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Handler: func(_ context.Context, got jobs.Task) error {
			calls <- got
			if first {
				first = false
				return jobs.ErrStoreUnavailable
			}
			return nil
		},
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx) }()
	for range 2 {
		if got := <-calls; got != task {
			t.Fatalf("got %v", got)
		}
	}
	for name, look := range map[string]func() error{
		"slots":   func() error { _, err := client.Slots(t.Context(), task.Line); return err },
		"active":  func() error { _, err := client.Active(t.Context(), task.Line); return err },
		"backlog": func() error { _, err := client.Backlog(t.Context(), task.Line); return err },
	} {
		if err := look(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	jobstest.Eventually(t, "the other task is given up", func() bool {
		return rdb.ZCard(t.Context(), "asynq:{render}:archived").Val() == 1
	})
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// used are the commands that the server has run, but those of root.
func used(t *testing.T, admin *redis.Client) map[string]bool {
	t.Helper()
	info, err := admin.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]bool{}
	for line := range strings.Lines(info) {
		if name, ok := strings.CutPrefix(line, "cmdstat_"); ok {
			name, _, _ = strings.Cut(name, ":")
			commands[name] = true
		}
	}
	for _, name := range []string{"acl|log", "hello"} { // hello, with which one logs in, anybody may
		delete(commands, name)
	}
	return commands
}

// rare are rights that one server does not show the use of.
var rare = map[string]string{
	"rpush":         "asynq hands back a task that it took in the moment of stopping",
	"cluster|slots": "a client of a cluster asks where the slots are",
	"command":       "and where keys stand in commands",
}

func compareRights(t *testing.T, line string, used map[string]bool) {
	t.Helper()
	for word := range strings.FieldsSeq(line) {
		name, ok := strings.CutPrefix(word, "+")
		if ok && !used[name] && rare[name] == "" {
			t.Errorf("%s was not used", name)
		}
		delete(used, name)
	}
	if len(used) > 0 {
		t.Errorf("used and not listed: +%s", strings.Join(slices.Sorted(maps.Keys(used)), " +"))
	}
}
