package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
)

// lineMaker makes a body of lines while it is read.
type lineMaker struct {
	n, most int
	rest    []byte
	line    func(int) string
}

func (l *lineMaker) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if l.n == l.most {
			return 0, io.EOF
		}
		l.rest = []byte(l.line(l.n) + "\n")
		l.n++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// payslips are lines over the template that payslipTemplate stores.
func payslips(most int) *lineMaker {
	return &lineMaker{most: most + 1, line: func(n int) string {
		if n == 0 {
			return fmt.Sprintf(`{"defaults":{"template":{"name":"payslip"},"data":{"month":"2026-03"}},"item_count":%d}`, most)
		}
		return fmt.Sprintf(`{"document_key":"payslip:%d","data":{"name":"Ada %d","lines":[{"what":"Salary","amount":4000.00},{"what":"Bonus","amount":120.50}],"net":4120.50}}`, n, n)
	}}
}

func (r *rig) payslipTemplate() {
	r.Helper()
	a := r.do(http.MethodPut, "/templates/payslip", jsonBody(`{
		"html":"<h1>{{.name}}</h1><table>{{range .lines}}<tr><td>{{.what}}<td>{{fixed 2 .amount}}{{end}}</table><p>{{.month}} {{fixed 2 .net}} EUR",
		"css":"h1 { font-size: 14pt } table { width: 100% }", "footer_html":"<p>{{documentKey}}",
		"schema":{"type":"object","required":["name","net"],"properties":{"name":{"type":"string"},"net":{"type":"number"}}}
	}`))
	if a.status != http.StatusCreated {
		r.Fatalf("got %d %s", a.status, a.body)
	}
}

// A batch of any size takes the memory of a chunk of it.
func TestTheMemoryOfAnUploadIsThatOfAPart(t *testing.T) { // not parallel: others would use memory meanwhile
	const items, most = 10_000, 64 << 20
	r := newRig(t)
	r.payslipTemplate()
	begun := time.Now()
	more := r.heapOf(items, payslips(items))
	took := time.Since(begun)
	t.Logf("%d items in %v, %v each; %d MB of heap more", items, took, took/items, more>>20)
	if more > most {
		t.Errorf("the heap grew by %d MB", more>>20)
	}
}

// That holds for items that are large, too, whose input is no part of what the store is given.
func TestTheMemoryOfAnUploadOfLargeItemsIsThatOfAPart(t *testing.T) { // not parallel, as above
	const items, most = 20, 120 << 20 // kept whole they take 160
	text := strings.Repeat("x", 4<<20)
	more := newRig(t).heapOf(items, &lineMaker{most: items + 1, line: func(n int) string {
		if n == 0 {
			return "{}"
		}
		return fmt.Sprintf(`{"html":"<p>%d %s"}`, n, text)
	}})
	t.Logf("%d MB of heap more", more>>20)
	if more > most {
		t.Errorf("the heap grew by %d MB", more>>20)
	}
}

// heapOf is by how much the heap grows while a batch of so many items is uploaded.
func (r *rig) heapOf(items int, body io.Reader) int64 {
	r.Helper()
	url := r.listen()
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	ctx, stop := context.WithCancel(r.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		watchHeap(ctx, &peak)
	}()
	a, err := r.upload(url, "run", body)
	stop()
	<-done
	if err != nil {
		r.Fatal(err)
	}
	if b := read[api.Batch](r.T, a, http.StatusAccepted); b.Items != items {
		r.Errorf("got %+v", b)
	}
	return int64(peak.Load()) - int64(before.HeapAlloc)
}

// watchHeap notes the largest heap until ctx ends.
func watchHeap(ctx context.Context, peak *atomic.Uint64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak.Store(max(peak.Load(), m.HeapAlloc))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
