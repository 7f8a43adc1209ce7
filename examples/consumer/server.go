package main

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/platen-render/platen/webhook"
)

// maxRequest bounds the body of a request for an invoice, in bytes.
const maxRequest = 1 << 20

// service is the HTTP side.
type service struct {
	books     *books
	callbacks *webhook.Handler
	logger    *slog.Logger
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /callbacks", s.callbacks)
	mux.HandleFunc("POST /invoices", s.postInvoice)
	mux.HandleFunc("GET /stats", s.getStats)
	return mux
}

func (s *service) postInvoice(w http.ResponseWriter, r *http.Request) {
	var invoice struct{ Number, HTML string }
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&invoice)
	if err != nil || invoice.Number == "" || invoice.HTML == "" {
		http.Error(w, `The body is not like {"number": "2026-00417", "html": "…"}.`, http.StatusBadRequest)
		return
	}
	job, err := s.books.issue(r.Context(), invoice.Number, invoice.HTML)
	if err != nil {
		s.logger.ErrorContext(r.Context(), "invoice not issued", slog.String("number", invoice.Number), slog.Any("error", err))
		http.Error(w, "The invoice was not issued. Send it again.", http.StatusBadGateway)
		return
	}
	s.answer(w, r, http.StatusAccepted, map[string]string{"Job": job})
}

// getStats is what to watch: the age of the oldest pending and failed entry, and what was refused for which reason.
func (s *service) getStats(w http.ResponseWriter, r *http.Request) {
	stats, err := s.callbacks.Inbox.Stats(r.Context())
	if err != nil {
		s.logger.ErrorContext(r.Context(), "no stats", slog.Any("error", err))
		http.Error(w, "The database does not answer.", http.StatusServiceUnavailable)
		return
	}
	s.answer(w, r, http.StatusOK, map[string]any{
		"Inbox": stats, "Requests": s.callbacks.Counts(), "Attempts": s.callbacks.Inbox.Counts(),
	})
}

func (s *service) answer(w http.ResponseWriter, r *http.Request, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.logger.WarnContext(r.Context(), "answer not written", slog.Any("error", err))
	}
}
