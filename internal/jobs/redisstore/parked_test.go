package redisstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// One script gives up so many deliveries that Redis does not stand still, however many hosts are silent, and the next ones the others.
func TestOneLookGivesUpABoundedNumber(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{HostPatience: time.Second})
	const hosts, parked = 4, 150
	pipe := rdb.Pipeline()
	for h := range hosts {
		host := fmt.Sprint("host-", h)
		pipe.HSet(t.Context(), "pl:{p0}:host:"+host, "fails", 5, "since", 1, "open", time.Now().Add(time.Hour).UnixMilli())
		pipe.ZAdd(t.Context(), "pl:{p0}:hosts", redis.Z{Score: 1, Member: host})
		for i := range parked {
			id := fmt.Sprintf("dlv_%d_%d", h, i)
			pipe.HSet(t.Context(), "pl:{p0}:dlv:"+id, "status", "pending", "tenant", "shop", "host", host, "url", "u", "job", "j", "event", "e", "gen", 1, "att", 0)
			pipe.ZAdd(t.Context(), "pl:{p0}:park:"+host, redis.Z{Score: 1, Member: id})
		}
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{2 * parked, 4 * parked, 4 * parked} {
		if _, err := store.Due(t.Context(), 0, jobs.CallbackLine, 200); err != nil {
			t.Fatal(err)
		}
		if n := rdb.ZCard(t.Context(), "pl:{p0}:died").Val(); n != want {
			t.Errorf("%d are given up, want %d", n, want)
		}
	}
}
