package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/strictjson"
)

// theItem is what messages call an item.
const theItem strictjson.Source = "The item"

// batchOnly are the members of a job that an item leaves to its batch, and what to do instead.
var batchOnly = map[string]string{ //nolint:gosec // names of members, no secrets
	"callback_url":     "An item has no callback_url. The batch reports: give it a webhook_url, and job events in webhook_events.",
	"callback_secret":  "An item has no callback_secret. The batch has a webhook_secret.",
	"callback_headers": "An item has no callback_headers.",
	"priority":         "An item has no priority: batches are a class of their own.",
}

// itemReader makes submissions of items.
type itemReader struct {
	server    *Server
	tenant    string
	requestID string
	library   *catalog.Sitting
	defaults  defaults
}

func (s *Server) newItemReader(c *call, raw json.RawMessage) *itemReader {
	return &itemReader{
		server: s, tenant: c.key.Tenant, requestID: c.requestID, library: s.library.Sit(), defaults: defaultsOf(raw),
	}
}

// read judges an item.
func (r *itemReader) read(raw []byte) jobs.UploadItem {
	if err := theItem.Check(raw); err != nil {
		return jobs.UploadItem{Wrong: err}
	}
	members := strictjson.Members(raw)
	if members == nil {
		return r.judge(&form{job: raw}, nil) // which says what it is instead
	}
	return r.readMembers(raw, members)
}

// readMembers judges an item that was taken apart. Its members are parts of raw, so all of that is kept for as long as any of them.
func (r *itemReader) readMembers(raw []byte, members map[string]json.RawMessage) jobs.UploadItem {
	wrong := takeOut(members)
	item := r.judge(&form{members: r.defaults.under(members)}, wrong)
	item.Size = max(item.Size, len(raw))
	return item
}

// takeOut removes the members that only a batch has.
func takeOut(members map[string]json.RawMessage) wrongs {
	var wrong wrongs
	for _, name := range slices.Sorted(maps.Keys(batchOnly)) {
		if _, there := members[name]; there {
			wrong.add("/"+name, "%s", batchOnly[name])
			delete(members, name)
		}
	}
	return wrong
}

func (r *itemReader) judge(f *form, wrong wrongs) jobs.UploadItem {
	f.source = theItem
	sub, err := r.server.judge(f, r.tenant, r.library)
	if len(wrong) > 0 {
		wrong.take(err)
		err = wrong.err()
	}
	if err != nil {
		sub.Fingerprint, _ = f.fingerprint() // without one it equals no item that was accepted
		return jobs.UploadItem{Submission: sub, Wrong: err}
	}
	sub.RequestID = r.requestID
	sub.Freeze = r.afresh(sub.Freeze)
	return jobs.UploadItem{Submission: sub, Size: f.size()}
}

// afresh forgets what the library knows before an item is frozen again: what it found was deleted meanwhile.
func (r *itemReader) afresh(freeze func(context.Context, *jobs.Spec) error) func(context.Context, *jobs.Spec) error {
	again := false
	return func(ctx context.Context, s *jobs.Spec) error {
		if again {
			r.library.Forget()
		}
		again = true
		return freeze(ctx, s)
	}
}

// rawItems gives the items of a request one by one, io.EOF after the last.
type rawItems interface {
	next() (raw []byte, err error)
}

// inlineItems are those of a JSON body.
type inlineItems struct{ rest []json.RawMessage }

func (i *inlineItems) next() ([]byte, error) {
	if len(i.rest) == 0 {
		return nil, io.EOF
	}
	first := i.rest[0]
	i.rest = i.rest[1:]
	return first, nil
}

// itemLines are those of an NDJSON body, after its header.
type itemLines struct {
	lines    *lines
	most     int64 // bytes of one
	declared int   // how many there are to be; 0 when nobody said
	count    int
}

func (i *itemLines) next() ([]byte, error) {
	line, err := i.lines.next(i.most)
	switch {
	case errors.Is(err, io.EOF):
		return nil, i.end()
	case err != nil && !errors.Is(err, errLongLine):
		return nil, unfinished(i.lines.patience(), err)
	}
	i.count++
	switch {
	case i.count > api.MaxBatchItems:
		return nil, fault.At("/items", string(api.CodeFieldInvalid), "A batch has at most %d items.", api.MaxBatchItems)
	case i.declared > 0 && i.count > i.declared:
		return nil, fault.At("/item_count", string(api.CodeFieldInvalid), "There are more items than item_count says, %d.", i.declared)
	}
	return line, err
}

// end compares what came with what was to come: a proxy may end a body cleanly that its client did not.
func (i *itemLines) end() error {
	if i.count < i.declared {
		return strictjson.ErrMalformed.With("The body ended after %d items, and item_count is %d.", i.count, i.declared).ForNow()
	}
	return io.EOF
}

// uploadItems are items as [jobs.Service.SubmitBatch] takes them.
type uploadItems struct {
	raw    rawItems
	reader *itemReader
}

// Next implements [jobs.ItemSource].
func (u *uploadItems) Next() (jobs.UploadItem, error) {
	raw, err := u.raw.next()
	if errors.Is(err, errLongLine) {
		return jobs.UploadItem{Wrong: u.reader.tooLong()}, nil
	}
	if err != nil {
		return jobs.UploadItem{}, err
	}
	return u.reader.read(raw), nil
}

func (r *itemReader) tooLong() error {
	return fault.At("", string(api.CodeBodyTooLarge), "The line is longer than the %d bytes that this server takes.", r.server.opts.MaxBody)
}

// mendedItems are new inputs as [jobs.Service.RetryBatch] takes them.
type mendedItems struct {
	raw    rawItems
	reader *itemReader
}

// Next implements [jobs.MendedSource].
func (m *mendedItems) Next(keyOf func(int) (string, error)) (jobs.MendedItem, error) {
	raw, err := m.raw.next()
	if errors.Is(err, errLongLine) {
		return badMending(m.reader.tooLong()), nil
	}
	if err != nil {
		return jobs.MendedItem{}, err
	}
	if err := theItem.Check(raw); err != nil {
		return badMending(err), nil
	}
	members := strictjson.Members(raw)
	if members == nil {
		return badMending(m.reader.read(raw).Wrong), nil
	}
	index, err := takeIndex(members)
	if err != nil {
		return badMending(err), nil
	}
	key, err := keyOf(index)
	if fault.From(err) != nil && fault.From(err).Kind == fault.Invalid {
		return badMending(err), nil
	}
	if err != nil {
		return jobs.MendedItem{}, err
	}
	if _, given := members["document_key"]; !given && key != "" {
		members["document_key"], _ = json.Marshal(key) // a string always encodes
	}
	return jobs.MendedItem{UploadItem: m.reader.readMembers(raw, members), Index: index}, nil
}

// badMending is an item of which not even the index is known.
func badMending(err error) jobs.MendedItem {
	return jobs.MendedItem{UploadItem: jobs.UploadItem{Wrong: err}, Index: -1}
}

// takeIndex reads the index of an item, and removes it from its members.
func takeIndex(members map[string]json.RawMessage) (int, error) {
	raw, there := members["index"]
	if !there {
		return 0, fault.At("/index", string(api.CodeFieldMissing), "index is required.")
	}
	delete(members, "index")
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 0 {
		return 0, fault.At("/index", string(api.CodeFieldInvalid), "index must be an integer, 0 or more.")
	}
	return n, nil
}

// defaultsWrong says what is wrong with defaults by themselves, so that not each item says so.
func (s *Server) defaultsWrong(raw json.RawMessage) wrongs {
	if raw == nil {
		return nil
	}
	members := strictjson.Members(raw)
	wrong := takeOut(members)
	if _, there := members["document_key"]; there {
		wrong.add("/document_key", "Defaults have no document_key: each document has its own.")
		delete(members, "document_key")
	}
	f := form{job: raw, source: "The defaults"}
	if len(wrong) > 0 {
		f.job = strictjson.Object(members)
	}
	req, unread, err := f.request()
	if err != nil {
		wrong.take(err)
		return wrong.below("/defaults")
	}
	_, judged := s.fill(req, input{}, unread)
	return slices.Concat(wrong, unread, judged).below("/defaults")
}
