package e2e_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// The traps are documents for which renderers answer "success" and issue something else than what was asked for.

// bothEngines runs a trap once with each engine, on one installation that has no other fonts than its own.
func bothEngines(t *testing.T, trap func(*stack, api.Engine)) {
	t.Helper()
	s := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8", "PLATEN_FONT_DIR="+t.TempDir())
	s.up()
	s.start("worker")
	for _, engine := range []api.Engine{api.EngineNative, api.EngineChromium} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			of := *s
			of.T = t
			trap(&of, engine)
		})
	}
}

// ordered submits a job and waits for its end.
func (s *stack) ordered(r api.JobRequest) api.Job {
	s.Helper()
	got, err := s.Submit(s.Context(), client.Submission{Request: r})
	if err != nil {
		s.Fatal(err)
	}
	return s.await(got.Job.ID)
}

// issued is the document of a job that must have succeeded.
func (s *stack) issued(j api.Job) []byte {
	s.Helper()
	if j.Status != api.JobSucceeded {
		s.Fatalf("the job has %s: %+v", j.Status, j.Error)
	}
	var b bytes.Buffer
	if _, err := s.Download(s.Context(), j.DocumentID, &b); err != nil {
		s.Fatal(err)
	}
	return b.Bytes()
}

// warned fails the test unless a job has exactly one warning, of that code, and it names all of what.
func (s *stack) warned(j api.Job, code string, what ...string) {
	s.Helper()
	if len(j.Warnings) != 1 || j.Warnings[0].Code != code || !containsAll(j.Warnings[0].Detail, what) {
		s.Errorf("warnings %q, want one of %s that names %q", j.Warnings, code, what)
	}
}

// notIssued fails the test unless a job has failed with a code, for good, and its document has no bytes.
func (s *stack) notIssued(j api.Job, code string, what ...string) {
	s.Helper()
	if j.Status != api.JobFailed || string(j.Error.Code) != code || j.Error.Retryable || j.Attempt != 1 || !containsAll(j.Error.Detail, what) {
		s.Errorf("the job has %s after %d attempts: %+v, want %s that names %q", j.Status, j.Attempt, j.Error, code, what)
	}
	d, err := s.Document(s.Context(), j.DocumentID)
	if err != nil || d.Status != api.DocumentPending || d.SHA256 != nil || d.IssueNumber != nil {
		s.Errorf("the document is %+v, %v", d, err)
	}
}

func containsAll(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// pictures is a server with a picture that comes late and nothing else.
func pictures(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	picture := image.NewGray(image.Rect(0, 0, 40, 40))
	picture.SetGray(5, 5, color.Gray{200})
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/late.png" {
			http.NotFound(w, r)
			return
		}
		late := time.NewTimer(3 * time.Second) // the trap itself, not a wait of the test
		defer late.Stop()
		<-late.C
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(b.Bytes()) // whoever has gone needs none
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAPictureThatIsNotThereIsTold(t *testing.T) {
	t.Parallel()
	host := pictures(t)
	bothEngines(t, func(s *stack, engine api.Engine) {
		page := `<h1>Invoice</h1><img src="` + host + `/logo.png" width="40" height="40">`
		j := s.ordered(api.JobRequest{HTML: &page, Engine: &engine})
		s.issued(j)
		s.warned(j, "resource_failed", host+"/logo.png", "404")
		s.notIssued(s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Strict: new(true)}), "resource_failed", host+"/logo.png", "404")
	})
}

func TestAPictureThatComesLateIsInTheDocument(t *testing.T) {
	t.Parallel()
	host := pictures(t)
	bothEngines(t, func(s *stack, engine api.Engine) {
		page := `<h1>Invoice</h1><img src="` + host + `/late.png" width="40" height="40">`
		pdf := s.issued(s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Strict: new(true)}))
		if plain := rendertest.Plain(s, pdf); !strings.Contains(plain, "/Subtype /Image") {
			s.Error("the picture is missing")
		}
	})
}

func TestCharactersWithoutAGlyphAreNamed(t *testing.T) {
	t.Parallel()
	const text = "日本語 עברית فارسی 😀"
	bothEngines(t, func(s *stack, engine api.Engine) {
		page := `<style>@page { @bottom-center { content: "` + text + `" } }</style><p>` + text
		j := s.ordered(api.JobRequest{HTML: &page, Engine: &engine})
		s.issued(j)
		s.warned(j, "glyph_missing", `U+65E5 "日"`, "U+1F600")
		s.notIssued(s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Strict: new(true)}), "glyph_missing", "U+65E5", "U+1F600")
	})
}

func TestCharactersWithoutAGlyphInAFooterAreNamed(t *testing.T) {
	t.Parallel()
	s := newStack(t, "PLATEN_FONT_DIR="+t.TempDir())
	s.up()
	s.start("worker")
	page, footer := "<p>plain", "<span>日本語</span>"
	r := api.JobRequest{HTML: &page, Output: &api.Output{FooterHTML: &footer}}
	j := s.ordered(r)
	s.issued(j)
	s.warned(j, "glyph_missing", `U+65E5 "日"`, `U+672C "本"`, `U+8A9E "語"`)
	r.Strict = new(true)
	s.notIssued(s.ordered(r), "glyph_missing", "U+65E5")
}

func TestATallTableHeaderStandsOnEachPage(t *testing.T) {
	t.Parallel()
	const rows = 420
	var b strings.Builder
	b.WriteString(`<style>table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:2mm}</style>` +
		`<table><thead><tr><th>Number<br>of the<br>entry</th><th>Amount<br>in euros<br>HEADEND</th></tr></thead><tbody>`)
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td>row%04d</td><td>1.00</td></tr>", i)
	}
	b.WriteString("</tbody></table>")
	page := b.String()
	bothEngines(t, func(s *stack, engine api.Engine) {
		pdf := s.issued(s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Strict: new(true)}))
		pages := rendertest.PageTexts(s, pdf)
		if len(pages) < 10 {
			s.Errorf("%d pages", len(pages))
		}
		next := 0
		for n, text := range pages {
			if strings.Count(text, "HEADEND") != 1 {
				s.Errorf("page %d has the header %d times", n+1, strings.Count(text, "HEADEND"))
			}
			for strings.Contains(text, fmt.Sprintf("row%04d", next)) {
				next++
			}
		}
		if next != rows {
			s.Errorf("row %d is missing, or in the wrong place", next)
		}
	})
}

func TestAHeaderThatDoesNotFitItsMarginIsTold(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.start("worker")
	page := "<h1>Body</h1>"
	header := `<div style="font-size:14pt">` + strings.Repeat("A header that is taller than its margin<br>", 6) + `</div>`
	r := api.JobRequest{HTML: &page, Output: &api.Output{HeaderHTML: &header, MarginMM: &api.Margin{Top: new(15.0)}}}
	j := s.ordered(r)
	s.issued(j)
	s.warned(j, "text_clipped", "header")
	r.Strict = new(true)
	s.notIssued(s.ordered(r), "text_clipped", "header")
}

func TestWhatNeverComesIsNamed(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.start("worker")
	page := "<h1>Invoice</h1>"
	j := s.ordered(api.JobRequest{HTML: &page, WaitFor: &api.WaitFor{Selector: new("#total"), TimeoutSeconds: new(1)}})
	s.notIssued(j, "wait_for_timeout", "#total", "1 s")
}

func TestOfTwoJobsWithOtherDataForOneKeyOneIsAccepted(t *testing.T) {
	t.Parallel()
	bothEngines(t, func(s *stack, engine api.Engine) {
		html, key := "<p>{{.n}}", "invoice:"+string(engine)
		jobs, errs := make([]client.Submitted, 2), make([]error, 2)
		var group sync.WaitGroup
		for i := range jobs {
			group.Go(func() {
				jobs[i], errs[i] = s.Submit(s.Context(), client.Submission{Request: api.JobRequest{
					Template: &api.Template{HTML: &html}, Data: fmt.Appendf(nil, `{"n": %d}`, i), DocumentKey: &key, Engine: &engine,
				}})
			})
		}
		group.Wait()
		won := 0
		if errs[0] != nil {
			won = 1
		}
		if errs[won] != nil || errs[1-won] == nil || !strings.Contains(errs[1-won].Error(), jobs[won].Job.DocumentID) {
			s.Fatalf("got %v and %v", errs[0], errs[1])
		}
		pdf := s.issued(s.await(jobs[won].Job.ID))
		if text := rendertest.Text(s, pdf); strings.TrimSpace(text) != fmt.Sprint(won) {
			s.Errorf("the document says %q, want %d", text, won)
		}
	})
}

// tokens is how many documents are made at once, and rivals how many of them have a script.
const tokens, rivals = 500, 150

func TestEachOfManyDocumentsHasItsOwnDataOnly(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.start("worker")
	page := func(i int) (string, api.Engine) {
		if i >= rivals {
			return fmt.Sprintf("<p>token-%04d.", i), api.EngineNative
		}
		return fmt.Sprintf(`<p>token-%04d.<p id="kept"></p><script>
			const kept = localStorage.getItem("token"); localStorage.setItem("token", "token-%04d");
			document.getElementById("kept").textContent = "before: " + kept + ", now: " + localStorage.getItem("token");
		</script>`, i, i), api.EngineChromium
	}
	ids := make([]string, tokens)
	var group sync.WaitGroup
	for lane := range 20 {
		group.Go(func() {
			for i := lane; i < tokens; i += 20 {
				html, engine := page(i)
				got, err := s.Submit(s.Context(), client.Submission{Request: api.JobRequest{HTML: &html, Engine: &engine}})
				if err != nil {
					s.Error(err)
					return
				}
				ids[i] = got.Job.ID
			}
		})
	}
	if group.Wait(); s.Failed() {
		return
	}
	for i, id := range ids {
		text := rendertest.Text(t, s.issued(s.await(id)))
		own := fmt.Sprintf("token-%04d", i)
		want := 1
		if i < rivals {
			want = 2
		}
		if strings.Count(text, own) != want || strings.Count(text, "token-") != want || i < rivals && !strings.Contains(text, "before: null") {
			t.Errorf("the document of %s says %q", own, text)
		}
	}
}

func TestNamesOfFilesAreKeptOrRefused(t *testing.T) {
	t.Parallel()
	bothEngines(t, func(s *stack, engine api.Engine) {
		page := "<p>x"
		for _, name := range []string{"Rechnung_Müller.pdf", "faktura_Łódź_€.pdf", "請求書.pdf"} {
			j := s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Output: &api.Output{Filename: &name}})
			if s.issued(j); j.Result.Filename != name {
				s.Errorf("%q became %q", name, j.Result.Filename)
			}
			if got := s.offered(j.DocumentID); got != name {
				s.Errorf("%q is offered as %q", name, got)
			}
		}
		for _, name := range []string{strings.Repeat("ä", 300), "../../x", "a\r\nSet-Cookie: b.pdf"} {
			_, err := s.Submit(s.Context(), client.Submission{Request: api.JobRequest{HTML: &page, Engine: &engine, Output: &api.Output{Filename: &name}}})
			if err == nil || !strings.Contains(err.Error(), "output.filename") {
				s.Errorf("%.20q: %v", name, err)
			}
		}
	})
}

// offered is the name that a browser would save a document under (RFC 6266).
func (s *stack) offered(document string) string {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), http.MethodHead, s.BaseURL+"/documents/"+document+"/content", nil)
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+devKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	_ = res.Body.Close()
	_, params, err := mime.ParseMediaType(res.Header.Get("Content-Disposition"))
	if err != nil {
		s.Fatalf("%q: %v", res.Header.Get("Content-Disposition"), err)
	}
	return params["filename"]
}
