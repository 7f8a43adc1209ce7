package httpapi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
)

// BenchmarkUpload accepts a payroll run, as "platen batch submit" sends it, in one batch. What counts is cpu-µs/op, the time of a processor that this process takes
// for an item; the store is one of its own.
func BenchmarkUpload(b *testing.B) {
	server, key := payrollServer(b)
	header, items := payrollLines(b)
	n := 0
	body := &lineMaker{most: b.N + 1, line: func(i int) string {
		if i == 0 {
			return fmt.Sprintf(`{"defaults":%s,"item_count":%d}`, header, b.N)
		}
		n++
		return fmt.Sprintf(`{"data":%s,"document_key":"payslip:%d"}`, items[n%len(items)], n)
	}}
	b.ReportAllocs()
	b.ResetTimer()
	before := processor(b)
	if a := send(b, server, key, http.MethodPost, "/batches", "application/x-ndjson", body); a.Code != http.StatusAccepted {
		b.Fatalf("got %d %s", a.Code, a.Body)
	}
	b.ReportMetric(float64((processor(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

// payrollServer is one that has the template payslip.
func payrollServer(b *testing.B) (server *httpapi.Server, key string) {
	b.Helper()
	store := redisstore.New(redistest.Start(b).Client(), redisstore.Options{PublicURL: publicURL})
	sealing, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		b.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	service := &jobs.Service{Store: store, Queue: enqueue(func(jobs.Task) {}), Blobs: files{blobstest.Folder(b)}, Key: sealing, Logger: logger}
	b.Cleanup(service.Close)
	registry := prometheus.NewRegistry()
	server = httpapi.New(httpapi.Options{
		PublicURL: publicURL + "/", AdminKey: adminKey, Service: service, Gatherer: registry, Registerer: registry, Logger: logger,
	})
	k, err := service.CreateKey(b.Context(), jobs.APIKey{Tenant: "default", Scopes: []jobs.Scope{jobs.ScopeRead, jobs.ScopeWrite}}, "whsec_unused")
	if err != nil {
		b.Fatal(err)
	}
	part := func(name string) []byte {
		text, err := fs.ReadFile(examples.Templates(), "payslip/"+name)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	page, style := string(part("template.html")), string(part("style.css"))
	request, err := json.Marshal(api.TemplateRequest{HTML: &page, CSS: &style, Schema: part("schema.json"), Sample: part("sample.json")})
	if err != nil {
		b.Fatal(err)
	}
	if a := send(b, server, k.Text, http.MethodPut, "/templates/payslip", "application/json", bytes.NewReader(request)); a.Code != http.StatusCreated {
		b.Fatalf("got %d %s", a.Code, a.Body)
	}
	return server, k.Text
}

// payrollLines are the data of payslips of examples/payroll, and the defaults of all.
func payrollLines(b *testing.B) (defaults string, items []string) {
	b.Helper()
	text, err := os.ReadFile("testdata/payroll.ndjson")
	if err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		items = append(items, lines.Text())
	}
	return items[0], items[1:]
}

func send(b *testing.B, server http.Handler, key, method, target, mediaType string, body interface{ Read([]byte) (int, error) }) *httptest.ResponseRecorder {
	b.Helper()
	req := httptest.NewRequestWithContext(b.Context(), method, "http://platen.test"+target, body)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", mediaType)
	a := httptest.NewRecorder()
	server.ServeHTTP(a, req)
	return a
}

// processor is the time of a processor that this process has had.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
