package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
)

const (
	jobID      = "job_01KCPDHS1S0EXAMPZE00000001"
	documentID = "doc_01KCPDHS1S0EXAMPZE00000002"
	content    = "%PDF-1.7 the invoice"
)

// platen speaks as much of the API as the service asks for. Fetching the document is a step between the claim of an event and
// its effect, so a drill can hold it there.
type platen struct {
	url     string
	fetches chan chan struct{} // each fetch that is held sends what ends the hold
	hold    chan struct{}      // has one element for each fetch to hold
}

func startPlaten(t *testing.T) *platen {
	t.Helper()
	p := &platen{fetches: make(chan chan struct{}, 1), hold: make(chan struct{}, 1)}
	ended := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("POST /jobs", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusAccepted, api.Job{ID: jobID, DocumentID: documentID, Status: api.JobQueued, CreatedAt: time.Now()})
	})
	mux.HandleFunc("GET /documents/{id}", func(w http.ResponseWriter, _ *http.Request) {
		sum := digest(content)
		answer(w, http.StatusOK, api.Document{ID: documentID, Status: api.DocumentIssued, JobID: jobID, SHA256: &sum})
	})
	mux.HandleFunc("GET /documents/{id}/content", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case <-p.hold:
			release := make(chan struct{})
			p.fetches <- release
			select {
			case <-release:
			case <-ended:
			}
		default:
		}
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, content) // a service that was killed does not read it
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(ended)
		server.Close()
	})
	p.url = server.URL
	return p
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
