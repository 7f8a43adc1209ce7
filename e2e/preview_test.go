package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// putTemplate stores a template.
func (s *stack) putTemplate(name string, t api.TemplateRequest) {
	s.Helper()
	body, err := json.Marshal(t)
	if err != nil {
		s.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.Context(), http.MethodPut, s.BaseURL+"/templates/"+name, bytes.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+devKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode >= http.StatusMultipleChoices {
		s.Fatalf("put template: %s", res.Status)
	}
}

// blobs is the folder of all bytes.
func (s *stack) blobs() string {
	for _, e := range s.env {
		if dir, ok := strings.CutPrefix(e, "PLATEN_BLOB_DIR="); ok {
			return dir
		}
	}
	s.Fatal("no folder")
	return ""
}

const invoiceTemplate = `<h1>Invoice {{.number}}</h1><p>{{.total}} EUR`

func number(n string) json.RawMessage {
	return json.RawMessage(`{"number":"` + n + `","total":"10.50"}`)
}

func TestTemplatesAreSeenWithoutATrace(t *testing.T) {
	t.Parallel()
	bothEngines(t, func(s *stack, engine api.Engine) {
		t.Helper()
		name := "seen-" + string(engine)
		s.putTemplate(name, api.TemplateRequest{HTML: new(invoiceTemplate), Engine: &engine, Sample: number("SAMPLE-1")})
		seen, pdf, err := s.Preview(s.Context(), name, api.PreviewRequest{})
		if err != nil {
			s.Fatal(err)
		}
		if text := rendertest.Text(s, pdf); seen.Engine != string(engine) || seen.Pages != 1 || !strings.Contains(text, "SAMPLE-1") {
			s.Errorf("%+v: %q", seen, text)
		}
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				own := fmt.Sprintf("OWN-%03d", i)
				_, pdf, err := s.Preview(s.Context(), name, api.PreviewRequest{Data: number(own)})
				if err != nil {
					s.Error(err)
					return
				}
				if text := rendertest.Text(s, pdf); !strings.Contains(text, own) || strings.Count(text, "OWN-") != 1 {
					s.Errorf("%s: %q", own, text)
				}
			})
		}
		group.Wait()
		if all, err := s.JobPage(s.Context(), client.JobFilter{}, client.Page{}); err != nil || len(all.Data) > 0 {
			s.Errorf("jobs %+v, %v", all.Data, err)
		}
		jobstest.Eventually(s, "nothing is left of any preview", func() bool { // the other engine may be at it still
			left, err := filepath.Glob(s.blobs() + "/previews/*/*")
			return err == nil && len(left) == 0
		})
	})
}

func TestDocumentsAreMadeAnewWithTheSameBytesAndRestored(t *testing.T) {
	t.Parallel()
	const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#135"/></svg>`
	bothEngines(t, func(s *stack, engine api.Engine) {
		t.Helper()
		name := "anew-" + string(engine)
		s.putTemplate(name, api.TemplateRequest{HTML: new(invoiceTemplate), Engine: &engine})
		page := `<h1>Invoice</h1><img src="logo.svg">` + strings.Repeat("<p>a long page", 5000) // more than a record takes
		for what, order := range map[string]client.Submission{
			"template": {Request: api.JobRequest{Template: &api.Template{Name: &name}, Data: number("INV-1")}},
			"page":     {Request: api.JobRequest{HTML: &page, Engine: &engine}, Files: []client.File{{Name: "logo.svg", Content: []byte(logo)}}},
		} {
			sent, err := s.Submit(s.Context(), order)
			if err != nil {
				s.Fatal(err)
			}
			j := s.await(sent.Job.ID)
			was := s.issued(j)
			s.remade(j, false, api.StoredIntact)

			// The bucket is lost, but for the inputs.
			if err := os.RemoveAll(filepath.Join(s.blobs(), "default", "documents", j.DocumentID)); err != nil {
				s.Fatal(err)
			}
			s.remade(j, false, api.StoredMissing)
			s.remade(j, true, api.StoredMissing)
			if !bytes.Equal(s.issued(j), was) {
				s.Errorf("%s: other bytes were restored", what)
			}
			s.remade(j, true, api.StoredIntact)
		}
	})
}

// remade makes the document of a job anew, which must give the same bytes.
func (s *stack) remade(j api.Job, restore bool, stored api.StoredBytes) {
	s.Helper()
	r, err := s.Rerender(s.Context(), j.DocumentID, restore)
	if err != nil {
		s.Fatal(err)
	}
	if !r.Identical || r.SHA256 != j.Result.SHA256 || r.Engine != *j.Engine || r.Stored != stored || r.Restored != (restore && stored == api.StoredMissing) {
		s.Errorf("got %+v (%+v), want %s", r, r.Difference, stored)
	}
}

func TestAWorkerKilledInAPreviewKeepsNobodyFromTheNext(t *testing.T) {
	t.Parallel()
	s, host := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8"), newPageHost(t)
	s.up()
	worker := s.start("worker")
	engine := api.EngineChromium
	s.putTemplate("poison", api.TemplateRequest{HTML: new(host.page("poison")), Engine: &engine})
	s.putTemplate("invoice", api.TemplateRequest{HTML: new(invoiceTemplate), Engine: &engine, Sample: number("INV-9")})

	once := &client.Client{BaseURL: s.BaseURL, Key: devKey, RetryFor: -1}
	began := time.Now()
	answered := make(chan error, 1)
	go func() {
		_, _, err := once.Preview(t.Context(), "poison", api.PreviewRequest{})
		answered <- err
	}()
	host.await("poison")
	worker.kill()
	s.start("worker")
	if _, pdf, err := s.Preview(t.Context(), "invoice", api.PreviewRequest{}); err != nil || !strings.Contains(rendertest.Text(t, pdf), "INV-9") {
		t.Errorf("the next preview: %v", err)
	}
	if err := <-answered; !client.HasCode(err, api.CodePreviewTimeout) {
		t.Errorf("the client of the killed worker: %v", err)
	}
	if took := time.Since(began); took > 40*time.Second {
		t.Errorf("it waited %v", took)
	}
	select {
	case <-host.named("poison"):
		t.Error("another worker has taken the page that killed the first")
	default:
	}
	keys, err := s.redis.Client().Keys(t.Context(), "pl:*:preview:*").Result()
	if err != nil || len(keys) > 0 {
		t.Errorf("left: %q, %v", keys, err)
	}
}

func TestAClientThatHasGoneKeepsNoWorkerBusy(t *testing.T) {
	t.Parallel()
	s, host := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8"), newPageHost(t)
	s.up()
	s.start("worker")
	engine := api.EngineChromium
	s.putTemplate("slow", api.TemplateRequest{HTML: new(host.page("slow")), Engine: &engine})
	s.putTemplate("invoice", api.TemplateRequest{HTML: new(invoiceTemplate), Engine: &engine, Sample: number("INV-9")})
	for range 2 { // all slots of a worker
		ctx, leave := context.WithCancel(t.Context())
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			_, _, _ = s.Preview(ctx, "slow", api.PreviewRequest{})
		}()
		host.await("slow")
		leave()
		<-gone
	}
	began := time.Now()
	if _, _, err := s.Preview(t.Context(), "invoice", api.PreviewRequest{}); err != nil {
		t.Fatal(err)
	}
	t.Logf("the next preview took %v", time.Since(began).Round(time.Millisecond))
	if took := time.Since(began); took > jobstest.Patience {
		t.Errorf("the next preview took %v", took)
	}
	if left, err := filepath.Glob(s.blobs() + "/previews/*/*"); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
}
