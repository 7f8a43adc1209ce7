package redisstore

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// The stored form of records: hashes whose fields Lua reads, with JSON only where Lua does not look.

// fields is a hash as Redis returns it.
type fields map[string]string

// hash reads the flat field, value, field, value list that HGETALL gives inside a script.
func hash(v any) fields {
	flat := texts(v)
	f := make(fields, len(flat)/2)
	for i := 0; i+1 < len(flat); i += 2 {
		f[flat[i]] = flat[i+1]
	}
	return f
}

func (f fields) int(name string) int { return int(f.int64(name)) }

// int64 reads a number; a field that is absent is 0.
func (f fields) int64(name string) int64 {
	n, _ := strconv.ParseInt(f[name], 10, 64)
	return n
}

// time reads an instant in ms; a field that is absent or 0 is the zero time.
func (f fields) time(name string) time.Time { return instant(f.int64(name)) }

func (f fields) duration(name string) time.Duration {
	return time.Duration(f.int64(name)) * time.Millisecond
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// decode reads a JSON field into v and reports whether it was there.
func (f fields) decode(name string, v any) bool {
	return f[name] != "" && json.Unmarshal([]byte(f[name]), v) == nil
}

func encode(v any) string {
	raw, _ := json.Marshal(v) // the records are structs of strings and numbers
	return string(raw)
}

// newJobFields are the fields that a job has from its acceptance, beside those that the script sets.
func newJobFields(a jobs.Acceptance, o Options) []any {
	j := a.Job
	f := map[string]any{
		"class": string(j.Class), "evt": string(j.Event), "dlv": string(j.Delivery),
		"keep": o.JobRetention.Milliseconds(), "retention": j.Retention.Milliseconds(),
		"base": escaped(o.PublicURL), "key_json": "null", "metadata": "null",
	}
	if j.DocumentKey != "" {
		f["key"], f["key_json"] = j.DocumentKey, encode(j.DocumentKey)
	}
	if len(j.Metadata) > 0 {
		f["metadata"] = string(j.Metadata)
	}
	if len(a.Uses) > 0 {
		f["uses"] = spaced(a.Uses)
	}
	if j.Template != nil {
		f["template"] = encode(j.Template)
	}
	if j.InputRetention > 0 {
		f["input_keep"] = j.InputRetention.Milliseconds()
	}
	if j.SpecBlob != "" {
		f["spec_blob"] = j.SpecBlob
	} else {
		f["spec"] = string(j.Spec)
	}
	if j.Failure != nil && j.Failure.RequestID != "" {
		f["request_id"] = j.Failure.RequestID
	}
	if j.Batch != "" {
		f["batch"] = string(j.Batch)
	}
	if j.Reports != nil {
		f["reports"] = strings.Join(j.Reports, " ")
	}
	if len(j.Sealed) > 0 && j.Callback != nil {
		f["sealed"], f["host"], f["url"] = string(j.Sealed), j.Callback.Host, j.Target
	}
	var args []any
	for _, name := range slices.Sorted(maps.Keys(f)) {
		args = append(args, name, f[name])
	}
	return args
}

// escaped is a text as it stands between the quotes of a JSON string.
func escaped(s string) string { return strings.Trim(encode(s), `"`) }

func jobFrom(id jobs.ID, f fields) jobs.Job {
	j := jobs.Job{
		ID: id, Document: jobs.ID(f["document"]), DocumentKey: f["key"], Tenant: f["tenant"],
		Status: jobs.Status(f["status"]), Progress: f.int("progress"), Attempt: f.int("att"), Owner: f["owner"],
		EngineLost: f.int("engine_lost"), Lost: f.int("lost"), Generation: f.int("gen"), Class: jobs.Class(f["class"]), Fingerprint: jobs.Fingerprint(f["fingerprint"]),
		SpecBlob: f["spec_blob"], Retention: f.duration("retention"), InputRetention: f.duration("input_keep"),
		Event: jobs.ID(f["evt"]), Delivery: jobs.ID(f["dlv"]), Target: f["url"], Batch: jobs.ID(f["batch"]), CancelRequested: f["cancel"] != "",
		Created: f.time("created"), Started: f.time("started"), Finished: f.time("finished"), Expires: f.time("expires"),
	}
	if f["spec"] != "" {
		j.Spec = []byte(f["spec"])
	}
	if f["metadata"] != "" {
		j.Metadata = json.RawMessage(f["metadata"])
	}
	if f["sealed"] != "" {
		j.Sealed = []byte(f["sealed"])
		j.Callback = &jobs.CallbackState{Host: f["host"], Status: jobs.DeliveryPending}
	}
	if reports, ok := f["reports"]; ok {
		j.Reports = strings.Fields(reports)
		if j.Status.Final() && !slices.Contains(j.Reports, "job."+string(j.Status)) {
			j.Callback = nil // nothing is reported of this end
		}
	}
	var template jobs.TemplateRef
	if f.decode("template", &template) {
		j.Template = &template
	}
	var result jobs.Result
	if f.decode("result", &result) {
		j.Result = &result
	}
	var failure jobs.Failure
	if f.decode("error", &failure) {
		failure.RequestID = f["request_id"]
		j.Failure = &failure
	}
	var warnings []render.Warning
	if f.decode("warnings", &warnings) {
		j.Warnings = warnings
	}
	return j
}

func documentFrom(id jobs.ID, f fields) jobs.Document {
	d := jobs.Document{
		ID: id, Key: f["key"], Tenant: f["tenant"], Status: jobs.DocumentStatus(f["status"]),
		Fingerprint: jobs.Fingerprint(f["fingerprint"]), Job: jobs.ID(f["job"]),
		Number: f.int64("number"), Sequence: f.int64("sequence"),
		Created: f.time("created"), Issued: f.time("issued"), Expires: f.time("expires"), PurgedAt: f.time("purged"),
	}
	var result jobs.Result
	if f.decode("result", &result) {
		d.Result = &result
	}
	var made jobs.Provenance
	if (fields{"made": unpack(f["made"])}).decode("made", &made) {
		d.Made = &made
	}
	d.Receipt = bytesOf(unpack(f["receipt"]))
	return d
}

// logged is how many attempts, and how many replays, are kept of a delivery: the last ones.
const logged = 100

func deliveryFrom(id jobs.ID, f fields) jobs.Delivery {
	d := jobs.Delivery{
		ID: id, Event: jobs.ID(f["event"]), EventType: f["type"], Job: jobs.ID(f["job"]), Document: jobs.ID(f["document"]), Batch: jobs.ID(f["batch"]),
		Tenant: f["tenant"], Host: f["host"], Target: f["url"], Ping: f["ping"] != "", Status: jobs.DeliveryStatus(f["status"]), Generation: f.int("gen"),
		Attempt: f.int("att"), Base: f.int("from"), Owner: f["owner"], Accepted: f.time("accepted"),
		Created: f.time("created"), Died: f.time("died"), Expired: f["expired"] != "",
	}
	if d.Status == jobs.DeliveryPending {
		d.Next = f.time("next")
	}
	for n := max(1, d.Attempt-logged+1); n <= d.Attempt; n++ {
		number := strconv.Itoa(n)
		a := jobs.DeliveryAttempt{}
		f.decode("end:"+number, &a)
		a.Number, a.Started = n, f.time("start:"+number)
		d.Log = append(d.Log, a)
	}
	for n := max(1, f.int("reps")-logged+1); n <= f.int("reps"); n++ {
		at, by, _ := strings.Cut(f["rep:"+strconv.Itoa(n)], " ")
		d.Replays = append(d.Replays, jobs.DeliveryReplay{At: fields{"at": at}.time("at"), By: jobs.ID(by)})
	}
	return d
}

func keyFrom(f fields, now int64) jobs.APIKey {
	k := jobs.APIKey{
		ID: jobs.ID(f["id"]), Tenant: f["tenant"], Name: f["name"], Created: f.time("created"), Expires: f.time("expires"),
	}
	for s := range strings.FieldsSeq(f["scopes"]) {
		k.Scopes = append(k.Scopes, jobs.Scope(s))
	}
	k.Expired = f.int64("expires") > 0 && f.int64("expires") <= now
	return k
}
