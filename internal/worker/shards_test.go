package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/urlguard"
)

// partitions is what docs/ recommend for a cluster.
const partitions = 16

// shards is an installation on a cluster, whose events go to a receiver that counts them.
type shards struct {
	*rig
	cluster  *redistest.Cluster
	client   *redis.ClusterClient
	key      *seal.Key
	receiver *httptest.Server
	events   atomic.Int32
}

func newShards(t *testing.T) *shards {
	t.Helper()
	// Without this line no node of a cluster answers while one shard is away.
	c := redistest.StartCluster(t, redistest.Config("cluster-require-full-coverage no"))
	var addrs []string
	for _, m := range c.Masters {
		addrs = append(addrs, m.Addr)
	}
	client := redis.NewClusterClient(&redis.ClusterOptions{ // as internal/app has it
		Addrs: addrs, ContextTimeoutEnabled: true, ReadTimeout: 2 * time.Second, MaxRedirects: 3, PoolSize: 30,
		ClusterStateReloadInterval: 2 * time.Second,
	})
	t.Cleanup(func() { _ = client.Close() })
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	s := &shards{rig: newRigOn(t, client, partitions), cluster: c, client: client, key: key}
	s.receiver = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { s.events.Add(1) }))
	t.Cleanup(s.receiver.Close)
	return s
}

// of is the shard that holds a key.
func (s *shards) of(key string) int {
	s.Helper()
	node, err := s.client.MasterForKey(s.Context(), key)
	if err != nil {
		s.Fatal(err)
	}
	return slices.IndexFunc(s.cluster.Masters[:], func(m *redistest.Server) bool { return m.Addr == node.Options().Addr })
}

// parts are a shard that the queue can do without, and a partition on it and one on another.
func (s *shards) parts() (shard, dead, living int) {
	s.Helper()
	needed := []int{s.of("{render}"), s.of("{callback}"), s.of("asynq:queues")}
	shard = slices.IndexFunc([]int{0, 1, 2}, func(i int) bool { return !slices.Contains(needed, i) })
	dead, living = -1, -1
	for p := range partitions {
		if s.of(fmt.Sprintf("pl:{p%d}:", p)) == shard {
			dead = p
		} else {
			living = p
		}
	}
	if shard < 0 || dead < 0 || living < 0 {
		s.Fatalf("shard %d, partitions %d and %d", shard, dead, living)
	}
	return shard, dead, living
}

// reported submits a job of a tenant in a partition, with a callback, and leaves it to a worker that dies.
func (s *shards) reported(partition int) jobs.Job {
	s.Helper()
	a := newJob(tenantIn(partition), partition)
	a.Grace = time.Hour // nobody claims it before we do
	a.Job.Spec, a.Job.Callback = s.spec("page"), &jobs.CallbackState{Host: "receiver"}
	a.Job.Sealed = jobs.Callback{URL: s.receiver.URL, Secret: "a secret of this job"}.Seal(s.key, a.Job.Delivery)
	j := s.accept(a, false)
	s.abandon(s.Context(), j)
	return j
}

func tenantIn(partition int) string {
	for n := 0; ; n++ {
		if name := fmt.Sprint("tenant-", n); jobs.PartitionOf(name, partitions) == partition {
			return name
		}
	}
}

// deliver starts a worker that sends events.
func (s *shards) deliver() {
	s.Helper()
	rules, err := urlguard.ParseRules("127.0.0.0/8")
	if err != nil {
		s.Fatal(err)
	}
	d := &callbacks.Deliverer{
		Store: s.store, Key: s.key, Logger: s.logger, Schedule: callbacks.DefaultSchedule(),
		Sender: &callbacks.Sender{Client: urlguard.Policy{Allow: rules}.Client(urlguard.Options{}), Deadline: 5 * time.Second},
	}
	server := &queue.Server{Redis: s.rdb, Lines: map[jobs.Line]int{jobs.CallbackLine: 1}, Slots: 2, Handler: d.Deliver, Logger: s.logger}
	s.start(server.Run)
}

// A shard may refuse connections, or take them and not answer, which costs whoever asks it seconds each time.
func TestADeadShardHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ end, back func(*redistest.Server) }{
		"refusing": {(*redistest.Server).Kill, (*redistest.Server).Restart},
		"hanging":  {(*redistest.Server).Pause, (*redistest.Server).Resume},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShards(t)
			shard, dead, living := s.parts()
			s.work(time.Millisecond)
			s.deliver()
			s.reconcile()
			before := s.reported(living)
			s.await(before.ID, jobs.Succeeded)

			stuck := s.reported(dead)
			c.end(s.cluster.Replicas[shard])
			c.end(s.cluster.Masters[shard])
			for range 6 { // longer than asynq's heart takes to beat
				j, began := s.reported(living), time.Now()
				s.finished(j)
				took := time.Since(began) - lease
				t.Logf("reaped, made and reported %v after the end of its lease", took.Round(time.Millisecond))
				if took > 10*time.Second { // held up it takes as long as the shard is away
					t.Errorf("it took %v", took)
				}
			}

			c.back(s.cluster.Masters[shard])
			c.back(s.cluster.Replicas[shard])
			s.finished(stuck)
			if n := s.events.Load(); n != 8 {
				t.Errorf("%d events", n)
			}
		})
	}
}

func TestTasksOfADeadShardDoNotTakeTheSlots(t *testing.T) {
	t.Parallel()
	s := newShards(t)
	shard, dead, living := s.parts()
	queued := func(partition int) jobs.Job {
		a := newJob(tenantIn(partition), partition)
		a.Job.Spec, a.Grace = s.spec("page"), time.Hour
		return s.accept(a, true)
	}
	stuck := make([]jobs.Job, 100)
	for i := range stuck {
		stuck[i] = queued(dead)
	}
	s.cluster.Replicas[shard].Pause()
	s.cluster.Masters[shard].Pause()
	j, began := queued(living), time.Now() // behind all of them
	s.work(time.Millisecond)
	s.await(j.ID, jobs.Succeeded)
	// A claim that is not answered takes half a lease, and there are two slots.
	if took, slow := time.Since(began), lease/2*time.Duration(len(stuck))/2; took > slow/3 {
		t.Errorf("done after %v", took)
	} else {
		t.Logf("done after %v instead of %v", took.Round(time.Millisecond), slow)
	}
	s.cluster.Masters[shard].Resume()
	s.cluster.Replicas[shard].Resume()
	s.reconcile()
	for _, j := range stuck {
		if got := s.eventually(j.ID); got.Status != jobs.Succeeded {
			t.Errorf("job is %s", got.Status)
		}
	}
}

// eventually waits until a job is done, whatever the store answers meanwhile.
func (s *shards) eventually(id jobs.ID) jobs.Job {
	s.Helper()
	var now jobs.Job
	jobstest.Eventually(s, "the job is done", func() bool {
		var err error
		now, err = s.store.Job(s.Context(), id)
		return err == nil && now.Status.Final()
	})
	return now
}

// finished waits until another worker has done a job and its event has arrived.
func (s *shards) finished(j jobs.Job) {
	s.Helper()
	var now jobs.Job
	jobstest.Eventually(s, "the job is done and reported", func() bool {
		ctx, cancel := context.WithTimeout(s.Context(), time.Second)
		defer cancel()
		var err error
		now, err = s.store.Job(ctx, j.ID)
		return err == nil && now.Callback.Status == jobs.DeliveryDelivered
	})
	if now.Status != jobs.Succeeded || now.Attempt != 2 || now.Callback.Attempts != 1 {
		s.Errorf("job %s is %s after %d attempts and reported with %d", j.ID, now.Status, now.Attempt, now.Callback.Attempts)
	}
}
