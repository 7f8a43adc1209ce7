package httpapi

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// retryBatch tries the failed items of a batch again, with new inputs for those that the body names.
func (s *Server) retryBatch(c *call) error {
	id, err := c.id(jobs.KindBatch, jobs.ErrBatchNotFound)
	if err != nil {
		return err
	}
	key, err := c.idempotencyKey()
	if err != nil {
		return err
	}
	mending := jobs.BatchMending{Tenant: c.key.Tenant, Batch: id, IdempotencyKey: key, Explain: submissionRefused}
	var body batchBody
	there, err := s.hasBody(c)
	if err != nil {
		return err
	}
	if there {
		if body, err = s.openBatch(c); err != nil {
			return err
		}
		if mending.Items, err = s.mending(c, body); err != nil {
			return body.leave(err)
		}
	}
	got, err := s.service.RetryBatch(c.Request().Context(), mending)
	if err != nil {
		return body.leave(callbackRefused(err))
	}
	if got.Replayed {
		_ = body.leave(nil) // it was not read
	}
	return s.acceptedBatch(c, got)
}

// hasBody reports whether there is a body. Of one whose length is not told the first byte says so, and is still read.
func (s *Server) hasBody(c *call) (bool, error) {
	r := c.Request()
	if r.ContentLength >= 0 {
		return r.ContentLength > 0, nil
	}
	connection := http.NewResponseController(c.Response())
	_ = connection.SetReadDeadline(time.Now().Add(s.opts.BodyTimeout)) // as in readBody
	body := bufio.NewReader(r.Body)
	switch _, err := body.Peek(1); {
	case errors.Is(err, io.EOF):
		_ = connection.SetReadDeadline(time.Time{})
		return false, nil
	case err != nil:
		return false, unfinished(s.opts.BodyTimeout, err)
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	return true, nil
}

// mending reads what is said of all new inputs.
func (s *Server) mending(c *call, b batchBody) (jobs.MendedSource, error) {
	var req api.BatchRetryRequest
	wrong, err := b.source().Decode(b.header, &req)
	if err != nil {
		return nil, err
	}
	w := wrongs(wrong)
	checkItemsOf(api.BatchRequest{Items: req.Items}, b, w, &w)
	w = append(w, s.defaultsWrong(req.Defaults)...)
	return &mendedItems{raw: s.itemsOf(b, req.Items, 0), reader: s.newItemReader(c, req.Defaults)}, w.err()
}
