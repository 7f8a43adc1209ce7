package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

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
	if hasBody(c.Request()) {
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

// hasBody reports whether there is a body, or may be one that has a type.
func hasBody(r *http.Request) bool {
	return r.ContentLength > 0 || r.ContentLength < 0 && r.Header.Get(echo.HeaderContentType) != ""
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
