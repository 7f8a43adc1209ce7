package httpapi

import (
	"fmt"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// expect is what a document must be like. Nil is anything.
func expect(e *api.Expect, unread wrongs, w *wrongs) render.Expect {
	if e == nil {
		return render.Expect{}
	}
	expected := render.Expect{Contains: e.Contains, NotContains: e.NotContains}
	checkTexts("/expect/contains", e.Contains, w)
	checkTexts("/expect/not_contains", e.NotContains, w)
	if e.Pages != nil {
		expected.MinPages, expected.MaxPages = expectPages(*e.Pages, unread, w)
	}
	if e.MaxBytes != nil {
		expected.MaxBytes = *e.MaxBytes
		if *e.MaxBytes < 1 {
			w.add("/expect/max_bytes", "expect.max_bytes must be 1 or more.")
		}
	}
	return expected
}

func expectPages(p api.ExpectPages, unread wrongs, w *wrongs) (least, most int) {
	if p.Min == nil && p.Max == nil && !unread.unread("/expect/pages") {
		w.add("/expect/pages", "expect.pages needs min, or max, or both.")
	}
	least, lowOK := atLeastOne("/expect/pages/min", p.Min, w)
	most, highOK := atLeastOne("/expect/pages/max", p.Max, w)
	if lowOK && highOK && least > most {
		w.add("/expect/pages", "expect.pages.min must not be more than expect.pages.max.")
	}
	return least, most
}

// atLeastOne is a number of pages that was given, and reports whether it was and is good.
func atLeastOne(pointer string, n *int, w *wrongs) (int, bool) {
	if n == nil {
		return 0, false
	}
	if *n < 1 {
		w.add(pointer, "%s must be 1 or more.", strings.ReplaceAll(pointer[1:], "/", "."))
	}
	return *n, *n >= 1
}

func checkTexts(pointer string, texts []string, w *wrongs) {
	name := strings.ReplaceAll(pointer[1:], "/", ".")
	if len(texts) > api.MaxExpectTexts {
		w.add(pointer, "%s must have at most %d texts.", name, api.MaxExpectTexts)
		return
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" || len(text) > api.MaxExpectTextBytes {
			w.add(fmt.Sprintf("%s/%d", pointer, i), "A text of %s must have 1 to %d bytes, and not white space alone.", name, api.MaxExpectTextBytes)
		}
	}
}

// checkTogether refuses texts where the document has none.
func checkTogether(spec jobs.Spec, unread wrongs, w *wrongs) {
	if !spec.Output.Format.IsImage() || unread.unread("/output", "/expect") {
		return
	}
	const only = "%s is only for pdf: a picture has no text."
	if len(spec.Expect.Contains) > 0 {
		w.add("/expect/contains", only, "expect.contains")
	}
	if len(spec.Expect.NotContains) > 0 {
		w.add("/expect/not_contains", only, "expect.not_contains")
	}
}

// maxAge is how old the bytes of an equal document may be. 0 is that they must be new.
func maxAge(c *api.Cache, w *wrongs) time.Duration {
	if c == nil || !upTo(w, "/cache/max_age_seconds", c.MaxAgeSeconds, api.MaxCacheSeconds) {
		return 0
	}
	return time.Duration(*c.MaxAgeSeconds) * time.Second
}

// inputRetention is how long the input is kept. What a document was made of must not outlive it.
func inputRetention(req api.JobRequest, w *wrongs) time.Duration {
	if !upTo(w, "/input_retention_seconds", req.InputRetentionSeconds, api.MaxRetentionSeconds) {
		return 0
	}
	if req.RetentionSeconds != nil && *req.InputRetentionSeconds > *req.RetentionSeconds {
		w.add("/input_retention_seconds", "input_retention_seconds must not be more than retention_seconds.")
	}
	return time.Duration(*req.InputRetentionSeconds) * time.Second
}
