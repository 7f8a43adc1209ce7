package redisstore

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// The names of all keys. Everything of a tenant lies in one partition, whose keys share the hash tag {pN}, so that
// one script changes all of it atomically, on a cluster too. The Lua prelude is made from this table: a name is
// written down once.
//
// A name with a colon at its end takes arguments, which follow it, separated by colons.
var keyNames = []struct{ lua, name, content string }{
	{"job", "job:", "hash: a job, by id"},
	{"document", "document:", "hash without expiry: a document, by id; in the end its tombstone"},
	{"doc", "doc:", "string without expiry: the document of a document key, by tenant and key hash"},
	{"idem", "idem:", "string: fingerprint and job of an idempotency key, by tenant and key hash; lives as long as the job"},
	{"binds", "binds:", "set: hashes of the idempotency keys bound to a job, by job"},
	{"djobs", "djobs:", "zset, score 0: the jobs of a document, by document"},
	{"out", "out", "zset: jobs to be dispatched, by due time in ms; not those that are ready"},
	{"ready", "ready:", "zset: jobs that wait for the turn of their tenant, by since when in ms; by line and tenant"},
	{"turn", "turn:", "zset: tenants with ready jobs, in the order of their turns; by line"},
	{"depth", "depth", "hash: how many jobs are ready, by line"},
	{"handed", "handed:", "zset: jobs that were handed out and are not claimed, by since when; by line"},
	{"hands", "hands:", "zset: the same, by tenant"},
	{"run", "run", "zset: running attempts, by the end of their lease"},
	{"sent", "sent:", "set: what was dispatched and is not claimed, by line"},
	{"evt", "evt:", "hash: an event with its frozen body, by id"},
	{"dlv", "dlv:", "hash: a delivery with its attempts, by id"},
	{"dlvq", "dlvq", "zset: due deliveries, by due time; during an attempt by the end of its lease"},
	{"dlvs", "dlvs:", "zset, score 0: delivery ids, by tenant and status"},
	{"died", "died", "zset: dead letters, by the time they died"},
	{"ended", "ended", "hash without expiry: how many deliveries have ended, by how"},
	{"unack", "unack:", "zset, score 0: jobs whose callback URL has not taken the event, by tenant"},
	{"lane", "lane:", "zset: deliveries that have a place of a host, by since when; by tenant@host, or @tenant for tests"},
	{"park", "park:", "zset: due deliveries that wait for a place of a host, by since when; by tenant@host, or @tenant for tests"},
	{"host", "host:", "hash: a host that does not answer a tenant, by tenant@host; absent when it does"},
	{"hosts", "hosts", "zset: hosts with parked deliveries, by when to look at them"},
	{"gone", "gone:", "hash: URLs that answered 410 with when, delivery and host; by tenant"},
	{"replay", "replay:", "hash: a replay of many deliveries, by id"},
	{"replays", "replays", "zset: replays that go on, by the time of their next step"},
	{"going", "going:", "set: replays that go on, by tenant"},
	{"runs", "runs:", "zset, score 0: replay ids, by tenant"},
	{"idx", "idx:", "zset, score 0: job ids, by tenant or by tenant and status"},
	{"seq", "seq:", "string: the last issue number, by tenant"},
	{"nums", "nums:", "hash without expiry, of a hundred at most: documents by issue number; by tenant and number divided by 100"},
	{"sums", "sums:", "zset without expiry, score 0: hashes of issued bytes with the issue number, by tenant"},
	{"ret", "ret", "zset: ended jobs, by the time their record ends"},
	{"exp", "exp", "zset: issued documents, by the time their bytes end"},
	{"inp", "inp", "zset: ended jobs, by the time their input ends, where that is before the record"},
	{"feed", "feed", "stream of about 10,000: what happened to jobs and batches"},
	{"cached", "cached:", "string: when the document was issued whose bytes may be issued again, and what is known of it; by tenant and key"},
	{"preview", "preview:", "hash of a minute or so: a preview with its answer, by id"},
	{"owed", "owed", "string: bytes that unfinished work will still need"},
	{"took", "took:", "list of 64: durations of recent renders in ms, by class"},
	{"mark", "mark", "string: written before a WAIT, which covers only what its own connection has written"},
	{"cat", "cat:", "hash without expiry: an item of the catalog with its versions by SHA-256, the current and the last one; by tenant and shelf:name"},
	{"ver", "ver:", "hash without expiry: a version of an item, by tenant and shelf:name:number"},
	{"vers", "vers:", "zset: numbers of the versions of an item, by tenant and shelf:name"},
	{"names", "names:", "zset, score 0: names of items, by tenant and shelf"},
	{"batch", "batch:", "hash: a batch, by id"},
	{"batches", "batches:", "zset, score 0: ids of sealed batches, by tenant or by tenant and status"},
	{"item", "item:", "hash: an item until it becomes a job, with the fields of that; by batch and index"},
	{"rows", "rows:", "hash: where each item stands, by batch"},
	{"items", "items:", "zset: indexes of items, by batch and status"},
	{"expects", "expects:", "zset: expected document keys, score 1 once sent; by batch"},
	{"reserved", "reserved:", "string: batch and index of a document key until it is a job's, by tenant and key hash"},
	{"watch", "watch:", "set: batch and index of the items that a job is for, by job"},
	{"flaws", "flaws:", "hash: why items have failed without a job, by batch"},
	{"codes", "codes:", "hash: how many items have failed for which reason, by batch"},
	{"pace", "pace:", "list of 64: when items have ended, in ms; by batch"},
	{"tasks", "tasks", "zset: batches that have something to be done, by when"},
	{"repeats", "repeats", "zset, score 0: batches with items whose jobs are to be made again"},
	{"bret", "bret", "zset: ended batches, by the time their record ends"},
	{"tenant", "tenant:", "hash: a tenant with its sealed secrets and callback URL, and its limits; by name"},
	{"used", "used:", "hash without expiry: what a tenant uses of what it may: stored bytes and versions, queued jobs of batches, requests; by name"},
	{"tenants", "tenants", "zset, score 0: names of tenants"},
	{"canary", "canary", "string: nothing, sealed with the master key, to tell a wrong one at the start"},
}

// Keys outside the partitions: an API key is looked up before its tenant is known.
const (
	keyPrefix   = "pl:key:"   // hash: an API key, by the SHA-256 of its text
	keyIDPrefix = "pl:keyid:" // string: that SHA-256, by the key's id
	keyIndex    = "pl:keys"   // zset, score 0: ids of API keys
)

// prefix begins the names of a partition.
func prefix(partition int) string { return fmt.Sprintf("pl:{p%d}:", partition) }

// key is the name that the prelude's K[lua](args…) gives.
func key(partition int, name string, args ...string) string {
	return prefix(partition) + name + strings.Join(args, ":")
}

// keyTable is the Lua side of keyNames: strings for single keys, functions for families. KEYS[1] is the prefix.
func keyTable() []definition {
	table := make([]definition, len(keyNames))
	for i, k := range keyNames {
		text := fmt.Sprintf("K.%s = P .. '%s'\n", k.lua, k.name)
		if strings.HasSuffix(k.name, ":") {
			text = fmt.Sprintf("K.%s = function(a, b) if b then a = a .. ':' .. b end return P .. '%s' .. a end\n", k.lua, k.name)
		}
		table[i] = definition{names: []string{keyUse + k.lua}, text: text}
	}
	return table
}

// hashed shortens a key that a caller chose to 128 bits of its SHA-256.
func hashed(callerKey string) string {
	if callerKey == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(callerKey))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
