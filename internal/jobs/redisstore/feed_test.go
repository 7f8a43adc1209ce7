package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// feedRig is a feed that runs, with a store that fills it.
type feedRig struct {
	*testing.T
	server *redistest.Server
	rdb    *redis.Client
	store  *redisstore.Store
	feed   *redisstore.Feed
}

func newFeedRig(t *testing.T, length int) *feedRig {
	t.Helper()
	server := redistest.Start(t)
	r := &feedRig{T: t, server: server, rdb: server.Client()}
	r.store = redisstore.New(r.rdb, redisstore.Options{FeedLength: length})
	r.feed = redisstore.NewFeed(server.Client(), 1, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan struct{})
	go func() { defer close(done); _ = r.feed.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return r
}

func (r *feedRig) newest() jobs.Position {
	r.Helper()
	at, err := r.feed.Newest(r.Context(), "ours")
	if err != nil {
		r.Fatal(err)
	}
	return at
}

// live makes a job of a tenant and takes it to its end: three changes.
func (r *feedRig) live(tenant string) jobs.ID {
	r.Helper()
	a := jobs.Acceptance{Job: jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: tenant,
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
	}}
	if _, err := r.store.Accept(r.Context(), a); err != nil {
		r.Fatal(err)
	}
	if _, err := r.store.Claim(r.Context(), a.Job.ID, 1, "me", time.Minute); err != nil {
		r.Fatal(err)
	}
	if _, err := r.store.Fail(r.Context(), a.Job.ID, jobs.Fence{Attempt: 1, Owner: "me"}, jobs.Failure{Code: "x"}, jobs.DefaultRules().Permanent); err != nil {
		r.Fatal(err)
	}
	return a.Job.ID
}

// follow reads a topic from a position until it has got so many changes. After some of them it breaks off, and goes on from where it was.
func (r *feedRig) follow(topic jobs.Topic, from jobs.Position, want int) ([]jobs.Change, error) {
	ctx, stop := context.WithTimeout(r.Context(), jobstest.Patience)
	defer stop()
	var got []jobs.Change
	for len(got) < want {
		sub := r.feed.Follow(topic, from)
		for steps := rand.IntN(4); steps >= 0 && len(got) < want; steps-- {
			changes, err := sub.Next(ctx)
			if err != nil {
				return got, fmt.Errorf("after %d of %d: %w", len(got), want, err)
			}
			for _, c := range changes {
				got = append(got, *c)
			}
		}
		from = sub.Position()
		sub.Close()
	}
	return got, nil
}

func TestWhoeverIsCutOffGoesOnWithoutAGapAndNothingTwice(t *testing.T) {
	t.Parallel()
	const each, readers = 150, 12
	r := newFeedRig(t, 0)
	from := r.newest()
	var group sync.WaitGroup
	got, errs := make([][]jobs.Change, readers), make([]error, readers)
	for i := range readers {
		group.Go(func() { got[i], errs[i] = r.follow(jobs.Topic{Tenant: "ours"}, from, 3*each) })
	}
	ids := make([]jobs.ID, each)
	for _, tenant := range []string{"ours", "theirs"} {
		group.Go(func() {
			for i := range each {
				if id := r.live(tenant); tenant == "ours" {
					ids[i] = id
				}
			}
		})
	}
	group.Wait()
	for i, changes := range got {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		n := 0
		for _, id := range ids {
			for _, status := range []jobs.Status{jobs.Queued, jobs.Running, jobs.Failed} {
				if c := changes[n]; c.Job != id || c.Status != string(status) || c.Document == "" || c.Tenant != "ours" {
					t.Fatalf("reader %d, change %d: %+v, want %s %s", i, n, c, id, status)
				}
				n++
			}
		}
	}
}

func TestWhoeverIsSlowReadsTheSameAsTheOthers(t *testing.T) {
	t.Parallel()
	const each = 200 // three times as many changes as are kept for him
	r := newFeedRig(t, 0)
	sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, r.newest())
	defer sub.Close()
	if got, err := sub.Kept(t.Context()); err != nil || len(got) > 0 {
		t.Fatalf("at first: %v, %v", got, err)
	}
	var ids []jobs.ID
	for range each {
		ids = append(ids, r.live("ours"))
	}
	var got []jobs.ID
	for len(got) < 3*each {
		changes, err := sub.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			got = append(got, c.Job)
		}
	}
	var want []jobs.ID
	for _, id := range ids {
		want = append(want, id, id, id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTopicsGetWhatIsTheirsAndNoMore(t *testing.T) {
	t.Parallel()
	r := newFeedRig(t, 0)
	from := r.newest()
	one, other := r.live("ours"), r.live("ours")
	r.live("theirs")
	for topic, want := range map[jobs.Topic][]jobs.ID{
		{Tenant: "ours"}:               {one, one, one, other, other, other},
		{Tenant: "ours", Job: other}:   {other, other, other},
		{Tenant: "theirs", Job: other}: nil,
		{Tenant: "nobody"}:             nil,
		{}:                             nil,
	} {
		sub := r.feed.Follow(topic, from)
		changes, err := sub.Kept(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []jobs.ID
		for _, c := range changes {
			got = append(got, c.Job)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: %s", topic, diff)
		}
		sub.Close()
	}
}

func TestAPositionThatTheFeedDoesNotReachIsAGap(t *testing.T) {
	t.Parallel()
	r := newFeedRig(t, 10)
	from := r.newest()
	for range 100 {
		r.live("ours")
	}
	newest := r.newest()
	future := jobs.Position{Milliseconds: newest.Milliseconds + 1000}
	for name, at := range map[string]jobs.Position{"too old": from, "before all": {}, "never was": future} {
		sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, at)
		if got, err := sub.Kept(t.Context()); !errors.Is(err, jobs.ErrFeedGap) {
			t.Errorf("%s: %d changes, %v", name, len(got), err)
		}
		sub.Close()
	}
	sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, newest)
	defer sub.Close()
	if got, err := sub.Kept(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("newest: %v, %v", got, err)
	}
}

func TestAProcessThatWasAwayForTooLongKnowsThatItHasMissedSomething(t *testing.T) {
	t.Parallel()
	r := newFeedRig(t, 10)
	sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, r.newest())
	defer sub.Close()
	if _, err := sub.Kept(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Entries that the server drops before the feed can read them: one script is one step.
	const burst = `for i = 1, 500 do redis.call('XADD', KEYS[1], 'MAXLEN', 10, '*', 'tenant', 'ours', 'job', 'job_' .. i, 'status', 'queued') end`
	if err := r.rdb.Eval(t.Context(), burst, []string{"pl:{p0}:feed"}).Err(); err != nil && !errors.Is(err, redis.Nil) {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), jobstest.Patience)
	defer stop()
	if got, err := sub.Next(ctx); !errors.Is(err, jobs.ErrFeedGap) {
		t.Errorf("%d changes, %v", len(got), err)
	}
}

// gate holds back what blocking reads have found.
type gate struct {
	redis.Hook

	open chan struct{}
}

func (g gate) DialHook(next redis.DialHook) redis.DialHook { return next }

func (g gate) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (g gate) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if cmd.Name() == "xread" && slices.Contains(cmd.Args(), any("block")) {
			<-g.open
		}
		return err
	}
}

func TestWhoeverHasReadFurtherThanHisServerReadsNothingTwice(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	r := &feedRig{T: t, server: server, rdb: server.Client()}
	r.store = redisstore.New(r.rdb, redisstore.Options{})
	g := gate{open: make(chan struct{})}
	behind := server.Client()
	behind.AddHook(g)
	r.feed = redisstore.NewFeed(behind, 1, slog.New(slog.DiscardHandler))
	from := r.newest()
	r.live("ours")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = r.feed.Run(ctx) }()
	release := sync.OnceFunc(func() { close(g.open) })
	t.Cleanup(func() { release(); stop(); <-done })

	sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, from)
	defer sub.Close()
	first := r.live("ours")
	if got, err := sub.Kept(t.Context()); err != nil || len(got) != 6 || got[5].Job != first {
		t.Fatalf("%v, %v", got, err)
	}
	if got, err := sub.Kept(t.Context()); err != nil || len(got) > 0 { // takes part now
		t.Fatalf("%v, %v", got, err)
	}
	release()
	second := r.live("ours")
	for n := 0; n < 3; {
		got, err := sub.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got {
			if n++; c.Job != second {
				t.Fatalf("got %+v once more", c)
			}
		}
	}
}

func TestAFeedOutlivesItsRedis(t *testing.T) {
	t.Parallel()
	r := newFeedRig(t, 0)
	sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, r.newest())
	defer sub.Close()
	first := r.live("ours")
	read := func(want jobs.ID) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), jobstest.Patience)
		defer stop()
		for n := 0; n < 3; {
			changes, err := sub.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes {
				if c.Job != want {
					t.Fatalf("got %s, want %s", c.Job, want)
				}
				n++
			}
		}
	}
	read(first)
	r.server.Kill()
	away, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if got, err := sub.Next(away); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it is away: %v, %v", got, err)
	}
	r.server.Restart()
	read(r.live("ours"))
}

func TestPositionsMoveOnWithWhatOthersDo(t *testing.T) {
	t.Parallel()
	r := newFeedRig(t, 0)
	from := r.newest()
	sub := r.feed.Follow(jobs.Topic{Tenant: "ours"}, from)
	defer sub.Close()
	if _, err := sub.Kept(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.live("theirs")
	newest := r.newest()
	jobstest.Eventually(t, "the position is that of the newest", func() bool { return sub.Position() == newest })
	r.live("ours")
	if changes, err := sub.Next(t.Context()); err != nil || changes[0].Status != string(jobs.Queued) {
		t.Errorf("%v, %v", changes, err)
	}
}
