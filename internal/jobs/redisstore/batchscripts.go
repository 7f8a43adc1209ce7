package redisstore

import (
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// maxWatchers is how many items may wait for one job.
const maxWatchers = 16

// batchScripts are the atomic steps of batches.
type batchScripts struct {
	begin, expect, stage, seal, drop  *redis.Script
	step, cancel                      *redis.Script
	mend, retry, again, restage       *redis.Script
	get, items, missing, clean, since *redis.Script
}

func loadBatchScripts(script func(name string) *redis.Script) batchScripts {
	return batchScripts{
		begin: script("begin_batch"), expect: script("expect_keys"), stage: script("stage_items"), seal: script("seal_batch"),
		drop: script("drop_batch"), step: script("step_batches"), get: script("get_batch"), items: script("list_items"),
		missing: script("missing_keys"), cancel: script("cancel_batch"), mend: script("mend_items"), retry: script("retry_batch"),
		again: script("again_items"), restage: script("restage_items"), clean: script("clean_batches"),
		since: script("begun_since"),
	}
}

// acknowledging lists those whose answer is a promise.
func (s batchScripts) acknowledging() []*redis.Script {
	return []*redis.Script{s.seal, s.cancel, s.retry}
}

// flaws is what scripts say of items that fail without a job. Its order is fixed: Redis keeps every text of a script that it has seen.
func flaws() string {
	var b strings.Builder
	fmt.Fprintf(&b, "local SLACK, WATCHERS, FLAWS = %d, %d, {\n", (clockSlack * 2 / 3).Milliseconds(), maxWatchers)
	for _, flaw := range []struct {
		name    string
		failure jobs.Failure
	}{{"conflict", jobs.ItemConflict}, {"crowded", jobs.ItemCrowded}, {"taken", jobs.ItemIDTaken}, {"purged", jobs.ItemInputPurged}} {
		fmt.Fprintf(&b, "%s = [==[%s]==],\n", flaw.name, encode(flaw.failure))
	}
	b.WriteString("}\n")
	return b.String()
}
