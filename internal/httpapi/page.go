package httpapi

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/urlguard"
)

// nameShape is that of the names of templates and assets. A name of dots alone is none: it would climb in a path.
var nameShape = regexp.MustCompile(`^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

func isName(name string) bool { return len(name) <= api.MaxNameBytes && nameShape.MatchString(name) }

// storedTemplate is a template by its name. Which version a name alone means is decided when the job is accepted.
func storedTemplate(t api.Template, w *wrongs) *jobs.TemplateRef {
	ref := &jobs.TemplateRef{Name: *t.Name}
	if ref.Name != "" && !isName(ref.Name) {
		w.add("/template/name", "template.name must have 1 to %d letters, digits, dots, hyphens and underscores, and not dots alone.", api.MaxNameBytes)
	}
	if t.Version != nil {
		ref.Version = *t.Version
		if ref.Version < 1 {
			w.add("/template/version", "template.version must be 1 or more.")
		}
	}
	return ref
}

// checkPage refuses what has no meaning for a page at a URL. Where the URL leads is judged only when a new job would be made.
func checkPage(req api.JobRequest, w *wrongs) {
	if len(*req.URL) > api.MaxURLBytes {
		w.add("/url", "url must have at most %d bytes.", api.MaxURLBytes)
	}
	if isNative(req) {
		w.add("/engine", "engine must be auto or chromium for a url: only a browser loads pages.")
	}
}

func isNative(req api.JobRequest) bool { return req.Engine != nil && *req.Engine == api.EngineNative }

// waitFor is what to wait for. Nil is nothing.
func waitFor(req api.JobRequest, w *wrongs) render.Wait {
	var wait render.Wait
	if req.WaitFor == nil {
		return wait
	}
	if req.WaitFor.Selector != nil {
		wait.Selector = selector(*req.WaitFor.Selector, w)
	}
	wait.NetworkIdle = req.WaitFor.NetworkIdle != nil && *req.WaitFor.NetworkIdle
	if upTo(w, "/wait_for/timeout_seconds", req.WaitFor.TimeoutSeconds, api.MaxWaitForSeconds) {
		wait.Timeout = time.Duration(*req.WaitFor.TimeoutSeconds) * time.Second
	}
	switch {
	case req.WaitFor.Selector == nil && !wait.NetworkIdle:
		w.add("/wait_for", "wait_for needs a selector, or network_idle, or both.")
	case isNative(req):
		w.add("/wait_for", "wait_for is for a browser: the native engine runs no scripts, so there is nothing to wait for.")
	}
	return wait
}

// checkPatience refuses to wait for as long as an attempt may take: that would end first, and not say what never came.
func checkPatience(spec jobs.Spec, w *wrongs) {
	if patience := cmp.Or(spec.Wait.Timeout, render.DefaultWait); !spec.Wait.IsZero() && patience >= spec.Timeout {
		w.add("/wait_for/timeout_seconds", "wait_for.timeout_seconds, %d, must be less than timeout_seconds, %d.",
			int(patience.Seconds()), int(spec.Timeout.Seconds()))
	}
}

func selector(text string, w *wrongs) string {
	switch {
	case strings.TrimSpace(text) == "" || len(text) > api.MaxSelectorBytes:
		w.add("/wait_for/selector", "wait_for.selector must have 1 to %d bytes, and not white space alone.", api.MaxSelectorBytes)
	case strings.ContainsFunc(text, unicode.IsControl):
		w.add("/wait_for/selector", "wait_for.selector must not have control characters.")
	}
	return text
}

var (
	errPageDenied = fault.New(fault.Invalid, string(api.CodeURLDenied), "The url is not allowed.")
	errPageShape  = fault.New(fault.Invalid, string(api.CodeFieldInvalid),
		"url must be an absolute http or https URL with a host, without user, and without white space and control characters.")
)

// pageRefused says of a refusal by the guard that it is about the page. The exact reason stays the cause, for the log.
func pageRefused(err error) error {
	refusal := errPageDenied
	if errors.Is(err, urlguard.ErrShape) {
		refusal = errPageShape
	}
	return refusal.Because(err).In("/url")
}
