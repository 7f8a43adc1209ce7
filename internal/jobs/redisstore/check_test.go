package redisstore_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

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
	if _, err := store.Claim(t.Context(), a.Job.ID, 1, "me", time.Minute); err != nil {
		t.Fatal(err)
	}
	// The feed may begin after the first changes; whoever waits looks at the record first, so only a later one counts.
	progress := 0
	jobstest.Eventually(t, "a change is told", func() bool {
		progress++
		if _, err := store.Beat(t.Context(), a.Job.ID, jobs.Fence{Attempt: 1, Owner: "me"}, time.Minute, progress); err != nil {
			t.Fatal(err)
		}
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

func TestOfAClusterEveryMasterIsLookedAtAndOnlyFullOnesRefuse(t *testing.T) {
	t.Parallel()
	const partitions = 16
	c := redistest.StartCluster(t, redistest.Config("cluster-require-full-coverage no"))
	rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{c.Masters[0].Addr}})
	t.Cleanup(func() { _ = rdb.Close() })
	check := func(o redisstore.Options) string {
		t.Helper()
		warnings, err := redisstore.New(rdb, o).Check(t.Context())
		if err != nil {
			return fault.From(err).Message
		}
		return strings.Join(warnings, "\n")
	}
	if said := check(redisstore.Options{Partitions: partitions, WaitReplicas: 1}); said != "" {
		t.Errorf("a good cluster: %s", said)
	}
	if said := check(redisstore.Options{WaitReplicas: 1}); !strings.Contains(said, "one partition") {
		t.Errorf("with one partition: %q", said)
	}
	picky := c.Masters[1].Client()
	for value, want := range map[string]bool{"yes": true, "no": false} {
		if err := picky.ConfigSet(t.Context(), "cluster-require-full-coverage", value).Err(); err != nil {
			t.Fatal(err)
		}
		if said := check(redisstore.Options{Partitions: partitions, WaitReplicas: 1}); strings.Contains(said, "full-coverage") != want {
			t.Errorf("full coverage %s: %q", value, said)
		}
	}
	full := c.Masters[2].Client()
	if err := full.ConfigSet(t.Context(), "maxmemory", "1mb").Err(); err != nil {
		t.Fatal(err)
	}
	store := redisstore.New(rdb, redisstore.Options{Partitions: partitions})
	refused := 0
	for p := range partitions {
		tenant := ""
		for n := 0; tenant == "" || jobs.PartitionOf(tenant, partitions) != p; n++ {
			tenant = fmt.Sprint("tenant-", n)
		}
		slot, err := full.ClusterKeySlot(t.Context(), fmt.Sprintf("{p%d}", p)).Result()
		if err != nil {
			t.Fatal(err)
		}
		onFull := slot >= 2*16384/3
		if err := store.Room(t.Context(), tenant); errors.Is(err, jobs.ErrStoreFull) != onFull {
			t.Errorf("partition %d in slot %d: %v", p, slot, err)
		}
		if onFull {
			refused++
		}
	}
	if refused == 0 || refused == partitions {
		t.Errorf("%d of %d partitions refused", refused, partitions)
	}
	if err := full.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru").Err(); err != nil {
		t.Fatal(err)
	}
	if said := check(redisstore.Options{Partitions: partitions}); !strings.Contains(said, "must be noeviction") {
		t.Errorf("one master that evicts: %q", said)
	}

	c.Replicas[1].Kill()
	c.Masters[1].Kill()
	if said := check(redisstore.Options{Partitions: partitions}); !strings.Contains(said, "must be noeviction") {
		t.Errorf("one that evicts, and one that is away: %q", said)
	}
	if err := full.ConfigSet(t.Context(), "maxmemory-policy", "noeviction").Err(); err != nil {
		t.Fatal(err)
	}
	if said := check(redisstore.Options{Partitions: partitions}); !strings.Contains(said, "does not answer") {
		t.Errorf("one that is away: %q", said)
	}
	for _, s := range append(c.Masters[:], c.Replicas[:]...) {
		s.Kill()
	}
	if warnings, err := redisstore.New(rdb, redisstore.Options{Partitions: partitions}).Check(t.Context()); err == nil {
		t.Errorf("none answers: %v", warnings)
	}
}

// Redis keeps every text of a script that it has seen: each start of a process would add one.
func TestScriptsAreTheSameInEveryProcess(t *testing.T) {
	t.Parallel()
	first := redisstore.Head("return FLAWS, finish(), promote()")
	for range 10 {
		if redisstore.Head("return FLAWS, finish(), promote()") != first {
			t.Fatal("the prelude differs from one time to the next")
		}
	}
}
