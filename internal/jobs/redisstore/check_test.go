package redisstore_test

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

func TestAnUnsuitableRedisIsRefusedOrWarnedOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ setting, value, refused, warned string }{
		{"appendfsync", "always", "", ""},
		{"maxmemory-policy", "allkeys-lru", "must be noeviction", ""},
		{"appendfsync", "everysec", "", "appendfsync is everysec"},
		{"appendonly", "no", "", "appendonly is off"},
	} {
		t.Run(c.setting+" "+c.value, func(t *testing.T) {
			t.Parallel()
			rdb := redistest.Start(t).Client()
			if err := rdb.ConfigSet(t.Context(), c.setting, c.value).Err(); err != nil {
				t.Fatal(err)
			}
			warnings, err := redisstore.New(rdb, redisstore.Options{}).Check(t.Context())
			if c.refused != "" {
				if err == nil || !strings.Contains(fault.From(err).Message, c.refused) {
					t.Errorf("got %v, want a refusal that says %q", err, c.refused)
				}
				return
			}
			said := strings.Join(warnings, "\n")
			if err != nil || (c.warned == "") != (said == "") || !strings.Contains(said, c.warned) {
				t.Errorf("warnings %q, %v; want %q", said, err, c.warned)
			}
		})
	}
}

func TestNewWorkIsRefusedBeforeRedisIsFull(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{})
	if err := store.Room(t.Context(), "default"); err != nil {
		t.Fatalf("an empty server: %v", err)
	}
	if err := rdb.Set(t.Context(), "ballast", strings.Repeat("x", 16<<20), 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := rdb.ConfigSet(t.Context(), "maxmemory", "20mb").Err(); err != nil {
		t.Fatal(err)
	}
	jobstest.Eventually(t, "new work is refused", func() bool {
		got := fault.From(store.Room(t.Context(), "default"))
		return got != nil && got.Code == jobs.ErrStoreFull.Code && got.RetryAfter > 0
	})
}

func TestAStoreThatDoesNotAnswerIsUnavailable(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	store := redisstore.New(server.Client(), redisstore.Options{})
	server.Kill()
	if err := store.Ping(t.Context()); fault.From(err).Code != jobs.ErrStoreUnavailable.Code {
		t.Errorf("ping: %v", err)
	}
	if _, err := store.Accept(t.Context(), jobs.Acceptance{}); fault.From(err).Code != jobs.ErrStoreUnavailable.Code {
		t.Errorf("accept: %v", err)
	}
}

func TestTheFeedTellsWhoeverWatches(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	store := redisstore.New(server.Client(), redisstore.Options{})
	feed := redisstore.NewFeed(server.Client(), 1, slog.New(slog.DiscardHandler))
	go func() { _ = feed.Run(t.Context()) }()

	a := jobs.Acceptance{Job: jobs.Job{ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default"}}
	changes, stop := feed.Watch(a.Job.ID)
	other, stopOther := feed.Watch("job_other")
	defer stopOther()
	if _, err := store.Accept(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	// The feed may begin after the first change; whoever waits looks at the record first, so only a later one counts.
	jobstest.Eventually(t, "a change is told", func() bool {
		if _, err := store.Claim(t.Context(), a.Job.ID, 1, "me", 1); err != nil {
			t.Fatal(err)
		}
		_, _ = store.Cancel(t.Context(), a.Job.ID)
		select {
		case <-changes:
			return true
		default:
			return false
		}
	})
	stop()
	if len(other) != 0 {
		t.Error("a watcher of another job was told")
	}
}

func TestEveryKeyNameIsInTheArchitecture(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range redisstore.KeyNames() {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s is not listed", name)
		}
	}
}
