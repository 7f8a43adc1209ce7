package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/strictjson"
)

const mimeNDJSON = "application/x-ndjson"

// submitBatch accepts many documents as a whole, or none of them.
func (s *Server) submitBatch(c *call) error {
	key, err := c.idempotencyKey()
	if err != nil {
		return err
	}
	body, err := s.openBatch(c)
	if err != nil {
		return err
	}
	sub, err := s.batchSubmission(c, body)
	if err != nil {
		return body.leave(err)
	}
	sub.IdempotencyKey = key
	got, err := s.service.SubmitBatch(c.Request().Context(), sub)
	if err != nil {
		return body.leave(webhookRefused(err))
	}
	return s.acceptedBatch(c, got)
}

// acceptedBatch answers a batch that was submitted or is tried again: 200 when it has ended, else 202.
func (s *Server) acceptedBatch(c *call, got jobs.SubmittedBatch) error {
	header := c.Response().Header()
	header.Set(echo.HeaderLocation, s.basePath+"/batches/"+string(got.Batch.ID))
	if got.Replayed {
		header.Set("Idempotency-Replayed", "true")
	}
	if got.Batch.Status.Final() {
		return c.respond(http.StatusOK, batch(got.Batch))
	}
	s.pollBatch(c)
	return c.respond(http.StatusAccepted, batch(got.Batch))
}

// batchBody is a body with items, of either kind. The header is what is said of all of them.
type batchBody struct {
	header []byte
	lines  *lines // nil for a JSON body, which has its items in the header
}

// openBatch reads as much of a body as is needed before its items.
func (s *Server) openBatch(c *call) (batchBody, error) {
	mediaType, _, err := c.mediaType(echo.MIMEApplicationJSON, mimeNDJSON)
	if err != nil {
		return batchBody{}, err
	}
	if mediaType == echo.MIMEApplicationJSON {
		body, err := s.readBody(c)
		return batchBody{header: body}, err
	}
	if err := identityCoded(c); err != nil {
		return batchBody{}, err
	}
	b := batchBody{lines: newLines(c, s.opts.BodyTimeout, s.opts.UploadTimeout)}
	b.header, err = b.lines.next(api.MaxBatchHeaderBytes)
	switch {
	case errors.Is(err, io.EOF):
		return b, strictjson.ErrMalformed.With("The body is empty; a line with a JSON object was expected.")
	case errors.Is(err, errLongLine):
		return b, b.leave(errBodyTooLarge.With("The first line is larger than the %d bytes that it may have.", api.MaxBatchHeaderBytes))
	case err != nil:
		return b, unfinished(b.lines.patience(), err)
	}
	return b, nil
}

// leave ends a body before its end, for an error.
func (b batchBody) leave(err error) error {
	if b.lines != nil {
		b.lines.leave()
	}
	return err
}

// source is what messages call the header.
func (b batchBody) source() strictjson.Source {
	if b.lines != nil {
		return "The first line"
	}
	return strictjson.Body
}

// itemsOf are those of the body.
func (s *Server) itemsOf(b batchBody, inline []json.RawMessage, declared int) rawItems {
	if b.lines == nil {
		return &inlineItems{inline}
	}
	return &itemLines{lines: b.lines, most: s.opts.MaxBody, declared: declared}
}

// batchSubmission reads what is said of the batch as a whole, and checks all of it that can be checked without looking anything up.
func (s *Server) batchSubmission(c *call, b batchBody) (jobs.BatchSubmission, error) {
	var req api.BatchRequest
	unread, err := b.source().Decode(b.header, &req)
	if err != nil {
		return jobs.BatchSubmission{}, err
	}
	wrong := wrongs(unread)
	callback := webhookOf(req, unread, &wrong)
	checkItemsOf(req, b, unread, &wrong)
	checkExpectedKeys(req.ExpectKeys, unread, &wrong)
	sub := jobs.BatchSubmission{
		Tenant: c.key.Tenant, Callback: callback, NoCallback: req.WebhookURL != nil && *req.WebhookURL == "",
		Events: webhookEvents(req, unread, &wrong), Metadata: slices.Clone(metadata(req.Metadata, &wrong)), Expect: req.ExpectKeys, Explain: submissionRefused,
	}
	wrong = append(wrong, s.defaultsWrong(req.Defaults)...)
	if err := wrong.err(); err != nil {
		return sub, err
	}
	if b.lines == nil && len(req.Items) == 0 {
		return sub, jobs.ErrBatchEmpty
	}
	sub.Items = &uploadItems{raw: s.itemsOf(b, req.Items, countOf(req)), reader: s.newItemReader(c, req.Defaults)}
	sub.Request, err = jobs.FingerprintBatch(strictjson.Members(b.header))
	return sub, err
}

func countOf(req api.BatchRequest) int {
	if req.ItemCount == nil {
		return 0
	}
	return *req.ItemCount
}

// checkItemsOf judges how many items there are, as far as it is known before they are read.
func checkItemsOf(req api.BatchRequest, b batchBody, unread wrongs, w *wrongs) {
	declared := upTo(w, "/item_count", req.ItemCount, api.MaxBatchItems)
	switch {
	case b.lines != nil && req.Items != nil:
		w.add("/items", "The first line has no items: each has a line of its own.")
	case len(req.Items) > api.MaxInlineItems:
		w.add("/items", "items must have at most %d entries. Send more as %s.", api.MaxInlineItems, mimeNDJSON)
	case b.lines == nil && declared && !unread.unread("/items") && *req.ItemCount != len(req.Items):
		w.add("/item_count", "item_count is %d, and there are %d items.", *req.ItemCount, len(req.Items))
	}
}

// checkExpectedKeys holds the keys to the rules of a document_key.
func checkExpectedKeys(keys []string, unread wrongs, w *wrongs) {
	if len(keys) > api.MaxBatchItems {
		w.add("/expect_keys", "expect_keys must have at most %d keys.", api.MaxBatchItems)
		return
	}
	for i := range keys {
		at := "/expect_keys/" + strconv.Itoa(i)
		var wrong wrongs
		documentKey(&keys[i], &wrong)
		if len(wrong) > 0 && !unread.unread(at) {
			w.add(at, "A document_key has 1 to %d bytes, and no control characters.", api.MaxDocumentKeyBytes)
		}
		if len(*w) > maxErrors {
			return
		}
	}
}

// webhookOf is where the batch reports, under the rules of a job's callback.
func webhookOf(req api.BatchRequest, unread wrongs, w *wrongs) *jobs.Callback {
	var wrong wrongs
	renamed := wrongs(each(unread, func(f fault.Field) fault.Field {
		f.Pointer = strings.Replace(f.Pointer, "/webhook_", "/callback_", 1)
		return f
	}))
	callback := callbackOf(callbackRequest{url: req.WebhookURL, secret: req.WebhookSecret}, renamed, &wrong)
	*w = append(*w, each(wrong, aboutWebhook)...)
	return callback
}

// aboutWebhook calls what a job has by the name that it has in a batch.
func aboutWebhook(f fault.Field) fault.Field {
	rename := strings.NewReplacer("callback_url", "webhook_url", "callback_secret", "webhook_secret")
	f.Pointer, f.Detail = rename.Replace(f.Pointer), rename.Replace(f.Detail)
	return f
}

// webhookRefused says of a refusal by the guard that it is about the webhook. What is wrong with items has been told.
func webhookRefused(err error) error {
	f, ok := errors.AsType[*fault.Error](submissionRefused(err))
	if !ok || f.Total > 0 {
		return err
	}
	moved := *f
	moved.Message = aboutWebhook(fault.Field{Detail: f.Message}).Detail
	moved.Fields = each(f.Fields, aboutWebhook)
	return &moved
}

// batchEvents are what a batch can report.
var batchEvents = []string{jobs.EventBatchCompleted, string(api.EventJobSucceeded), string(api.EventJobFailed), string(api.EventJobCanceled)}

func webhookEvents(req api.BatchRequest, unread wrongs, w *wrongs) []string {
	if req.WebhookEvents == nil || unread.unread("/webhook_events") {
		return []string{jobs.EventBatchCompleted}
	}
	if len(req.WebhookEvents) == 0 {
		w.add("/webhook_events", "webhook_events must name at least one event. To report nothing, have no webhook_url.")
	}
	seen := map[string]bool{}
	for i, e := range req.WebhookEvents {
		at := "/webhook_events/" + strconv.Itoa(i)
		switch {
		case !slices.Contains(batchEvents, e):
			w.add(at, "An event is %s.", strings.Join(batchEvents, ", "))
		case seen[e]:
			w.addCode(at, api.CodeFieldDuplicate, "The event %s is there twice.", e)
		}
		seen[e] = true
	}
	return req.WebhookEvents
}
