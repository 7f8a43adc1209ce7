package redisstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

//go:embed lua/*.lua
var sources embed.FS

// settings are the head of each script of a partition: what differs from store to store.
func settings(o Options) string {
	return fmt.Sprintf("local FEED, MAX_AGE, HOST_LIMIT, PATIENCE, PAUSE = %d, %d, %d, %d, %d\n",
		o.FeedLength, o.MaxQueueAge.Milliseconds(), o.HostLimit, o.HostPatience.Milliseconds(), o.HostPause.Milliseconds())
}

// shared is what several scripts of a partition have in common.
func shared() *library {
	var b strings.Builder
	fmt.Fprintf(&b, "local DAY, DELIVERY_BYTES, LOGGED, VERSIONS = %d, %d, %d, %d\n", (24 * time.Hour).Milliseconds(), deliveryBytes, logged, jobs.DefaultVersions)
	fmt.Fprintf(&b, "local UNMADE = {url_gone = [==[%s]==], host_down = [==[%s]==]}\n", encode(jobs.AttemptURLGone), encode(jobs.AttemptHostDown))
	b.WriteString(flaws())
	for _, part := range []string{"prelude", "prelude_limits", "prelude_turns", "prelude_age", "prelude_deliveries", "prelude_places", "prelude_batches", "prelude_jobs", "prelude_items"} {
		b.WriteString(source(part))
	}
	return newLibrary(keyTable(), b.String())
}

// wholeTexts are the scripts of a partition, each with what it uses of [shared]. They are put together once: all stores of a process have them
// in common.
var wholeTexts = sync.OnceValue(func() map[string]string {
	library, whole := shared(), map[string]string{}
	files, _ := sources.ReadDir("lua") // they are embedded
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".lua")
		if text := source(name); !strings.HasPrefix(name, "prelude") {
			whole[name] = library.before(text) + text
		}
	}
	return whole
})

// bare is for scripts outside the partitions, which know no key table.
func bare(name string) *redis.Script { return redis.NewScript(source(name)) }

func source(name string) string {
	text, err := sources.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(fmt.Sprintf("script %s is not embedded", name)) // a mistake of the programmer, found by every test
	}
	return string(text)
}

// scripts are all atomic steps of the store.
type scripts struct {
	accept, cancel, purge, job            *redis.Script
	claim, beat, complete, fail, overdue  *redis.Script
	claimDelivery, finishDelivery, replay *redis.Script
	due, dispatched, orphaned, pull       *redis.Script
	handOut                               *redis.Script
	test, reporting, deadLetters          *redis.Script
	countDeliveries                       *redis.Script
	startReplay, replayStep               *redis.Script
	clean, expire                         *redis.Script
	tenant, ensureTenant, swapTenant      *redis.Script
	putKey, getKey                        *redis.Script
	putPreview, claimPreview              *redis.Script
	answerPreview                         *redis.Script
	remember, cached                      *redis.Script
	putReceipt, byHash, forgetInputs      *redis.Script
	storeVersion, version, removeVersion  *redis.Script
	batches                               batchScripts
	setLimits, charge, queueAge           *redis.Script
}

func loadScripts(o Options) scripts {
	head, whole := settings(o), wholeTexts()
	script := func(name string) *redis.Script {
		text, ok := whole[name]
		if !ok {
			panic(fmt.Sprintf("script %s is not embedded", name)) // a mistake of the programmer, found by every test
		}
		return redis.NewScript(head + text)
	}
	return scripts{
		accept: script("accept"), cancel: script("cancel"), purge: script("purge"), job: script("job"),
		claim: script("claim"), beat: script("beat"), complete: script("complete"), fail: script("fail"),
		overdue:       script("overdue"),
		claimDelivery: script("claim_delivery"), finishDelivery: script("finish_delivery"), replay: script("replay"),
		due: script("due"), dispatched: script("dispatched"), orphaned: script("orphaned"), pull: script("pull"),
		handOut: script("hand_out"),
		test:    script("test"), reporting: script("reporting"), deadLetters: script("dead_letters"),
		countDeliveries: script("count_deliveries"), startReplay: script("start_replay"), replayStep: script("replay_step"),
		clean: script("clean"), expire: script("expire"),
		tenant: script("tenant"), ensureTenant: script("ensure_tenant"), swapTenant: script("swap_tenant"),
		remember: script("remember"), cached: script("cached"),
		putReceipt: script("put_receipt"), byHash: script("by_hash"), forgetInputs: script("forget_inputs"),
		putPreview: script("put_preview"), claimPreview: script("claim_preview"), answerPreview: script("answer_preview"),
		storeVersion: script("store_version"), version: script("version"), removeVersion: script("remove_version"),
		setLimits: script("set_limits"), charge: script("charge"), queueAge: script("queue_age"),
		putKey: bare("put_key"), getKey: bare("get_key"),
		batches: loadBatchScripts(script),
	}
}

// run calls a script in a partition. With [jobs.ErrNotReplicated] comes the answer too.
func (s *Store) run(ctx context.Context, sc *redis.Script, partition int, args ...any) (any, error) {
	if s.opts.WaitReplicas > 0 && slices.Contains(s.scripts.acknowledging(), sc) {
		return s.confirmed(ctx, sc, partition, args...)
	}
	v, err := sc.Run(ctx, s.rdb, []string{prefix(partition)}, args...).Result()
	return v, unavailable(err)
}

// list calls a script that answers a list of strings.
func (s *Store) list(ctx context.Context, sc *redis.Script, partition int, args ...any) ([]string, error) {
	v, err := s.run(ctx, sc, partition, args...)
	return texts(v), err
}

// word calls a script that answers one string.
func (s *Store) word(ctx context.Context, sc *redis.Script, partition int, args ...any) (string, error) {
	v, err := s.run(ctx, sc, partition, args...)
	if err != nil {
		return "", err
	}
	return text(v), nil
}

// unavailable classifies what go-redis reports. A missing value is not an error here: callers see empty answers.
func unavailable(err error) error {
	switch {
	case err == nil || errors.Is(err, redis.Nil):
		return nil
	case strings.HasPrefix(err.Error(), "OOM "):
		return jobs.ErrStoreFull.Because(err)
	case redis.IsNoReplicasError(err):
		return jobs.ErrNotReplicated.Because(err)
	}
	return jobs.ErrStoreUnavailable.Because(err)
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// texts reads a flat list of an answer; nested lists are left to the caller.
func texts(v any) []string {
	items, _ := v.([]any)
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = text(item)
	}
	return out
}

// item is one element of a list answer, or nil past its end.
func item(v any, i int) any {
	items, _ := v.([]any)
	if i >= len(items) {
		return nil
	}
	return items[i]
}
