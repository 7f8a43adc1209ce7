package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/resources"
)

// CacheBypassed is the code of the warning that the bytes of an earlier document could not have been asked for.
const CacheBypassed = "cache_bypassed"

// ingredients are everything that decides about the bytes of a document. Whoever adds one to a job adds it here: two documents
// with equal ingredients have equal bytes.
type ingredients struct {
	Tenant   string
	Kind     jobs.InputKind
	Template jobs.TemplateRef  // the stored one; zero without
	Page     string            // digest of the markup, filled in
	Data     string            // digest
	Fetched  map[string]string // kinds and digests of all that the page can load, by name
	Warnings []render.Warning  // of what it could not load
	Output   render.Output     // header, footer, locale and time zone are in it
	Wait     render.Wait
	Expect   render.Expect
	Strict   bool
	Asked    string        // the engine that was asked for
	Engines  []render.Self // that could be chosen from, with their fonts
}

// key is a digest of the ingredients.
func (i ingredients) key() string {
	raw, _ := json.Marshal(i) // strings, numbers and maps, whose keys are sorted
	return jobs.Digest(raw)
}

// reuse is how one job stands to the cache.
type reuse struct {
	key      string          // "" when nothing may be looked up or noted
	bypassed *render.Warning // why, when the job had wished it
}

// bypassed says why the bytes of a page may be its own, or "".
func bypassed(s jobs.Spec, page Composed) string {
	traits := resources.Inspect(page.Request.HTML)
	switch {
	case s.Kind == jobs.InputURL:
		return "a page of the web may be another one each time"
	case page.OwnIdentity:
		return "the page prints which document it is"
	case traits.HasScript:
		return "the page has a script, which can read the time"
	case traits.HasFrames:
		return "the page has a frame, whose content is not known before it is rendered"
	}
	return ""
}

// consider decides whether a job may have the bytes of an earlier one, and under which key.
func (m *Maker) consider(ctx context.Context, j jobs.Job, s jobs.Spec, page Composed) (reuse, error) {
	if s.Cache <= 0 {
		return reuse{}, nil
	}
	if why := bypassed(s, page); why != "" {
		return reuse{bypassed: &render.Warning{Code: CacheBypassed, Detail: "Nothing was taken from the cache: " + why + "."}}, nil
	}
	engines, ok := m.Engine.(render.Identified)
	if !ok {
		return reuse{}, errors.New("the engine does not say what it is")
	}
	selves, err := engines.Selves(ctx)
	if err != nil {
		return reuse{}, err
	}
	i := ingredients{
		Tenant: j.Tenant, Kind: s.Kind, Page: jobs.Digest([]byte(page.Request.HTML)), Data: page.Made.Data, Fetched: map[string]string{},
		Warnings: page.Warnings, Output: page.Request.Output, Wait: s.Wait, Expect: s.Expect, Strict: s.Strict, Asked: s.Engine, Engines: selves,
	}
	if page.Made.Template != nil {
		i.Template = *page.Made.Template
	}
	for name, r := range page.Request.Resources {
		i.Fetched[name] = r.ContentType + " " + jobs.Digest(r.Body)
	}
	return reuse{key: i.key()}, nil
}

// again copies the bytes of an earlier document, if there is one that is young enough. Whatever speaks against it is no error: the
// document is then made.
func (a *attempt) again(ctx context.Context, s jobs.Spec, page Composed, key string) (Made, bool) {
	if key == "" {
		return Made{}, false
	}
	m, err := a.copied(ctx, s, page, key)
	if err != nil {
		a.logger.WarnContext(ctx, "nothing taken from the cache", slog.String("error", err.Error()))
	}
	return m, err == nil && m.Result.Blob != ""
}

// copied returns nothing when there is nothing to copy.
func (a *attempt) copied(ctx context.Context, s jobs.Spec, page Composed, key string) (Made, error) {
	r := a.runner
	cached, found, err := r.Cache.Cached(ctx, a.job.Tenant, key, s.Cache)
	if err != nil || !found {
		return Made{}, err
	}
	earlier, err := r.Cache.Document(ctx, cached.Document)
	if err != nil {
		return Made{}, err
	}
	if earlier.Status != jobs.Issued || earlier.Tenant != a.job.Tenant {
		return Made{}, nil
	}
	result := *earlier.Result
	if r.Maker.MaxBytes > 0 && result.Bytes > r.Maker.MaxBytes {
		return Made{}, nil
	}
	if err := r.Maker.copy(ctx, result, a.blob); err != nil {
		return Made{}, fmt.Errorf("copy %s: %w", earlier.ID, err)
	}
	if earlier.Made != nil {
		page.Made.Fonts = earlier.Made.Fonts
	}
	page.Made.CachedFrom, page.Made.Attempts = earlier.ID, a.job.Attempt
	result.Blob, result.Filename, result.Made = a.blob, filename(a.job, s, result.ContentType), &page.Made
	return Made{Result: result, Warnings: cached.Warnings}, nil
}

// copy puts the bytes of a document under another name: those that were issued, or none.
func (m *Maker) copy(ctx context.Context, from jobs.Result, to string) error {
	body, err := m.Blobs.Open(ctx, from.Blob)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it was only read
	return m.Blobs.Put(ctx, to, jobs.Sound(body, from.SHA256))
}

// remember lets later jobs have these bytes. What came with trouble on the way may be better the next time, and what the engine got from the
// network by itself is in no key.
func (a *attempt) remember(ctx context.Context, m Made) {
	r := a.runner
	if a.cacheKey == "" || m.Result.Made == nil || m.Result.Made.CachedFrom != "" || m.Online || slices.ContainsFunc(m.Warnings, isTrouble) {
		return
	}
	err := r.Cache.Remember(context.WithoutCancel(ctx), a.job.Tenant, a.cacheKey, jobs.Cached{Document: a.job.Document, Warnings: m.Warnings})
	if err != nil {
		a.logger.WarnContext(ctx, "document not noted for the cache", slog.String("error", err.Error()))
	}
}

// isTrouble reports whether a warning is about the world rather than the page.
func isTrouble(w render.Warning) bool {
	return w.Code == render.ResourceFailed || w.Code == render.ResourceUnfinished
}
