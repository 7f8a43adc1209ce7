package catalog

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/output"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/templates"
)

// trialTime bounds the trial of a template; the steps and bytes that it may take are bounded too.
const trialTime = 10 * time.Second

// Asked is what a caller says of a document beside its spec: what a stored template has defaults for.
type Asked struct {
	Engine *api.Engine
	Output *api.Output
	// DocumentKey is what the page may print.
	DocumentKey string
}

// Freeze completes the spec of a tenant's document: a stored template becomes one version of it, what the page names of the assets
// becomes versions too, and a template is filled in for nobody, so that what is wrong is told at once and not by a failed job.
// Errors are faults that point into the request.
func (l *Library) Freeze(ctx context.Context, tenant string, spec *jobs.Spec, asked Asked) error {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	texts, err := l.texts(ctx, tenant, spec, asked)
	if errors.Is(err, context.DeadlineExceeded) {
		err = templates.ErrTooLong.With("The template takes longer than %v.", trialTime).Because(err).In(textAt(spec.Kind))
	}
	if err == nil {
		spec.Assets, err = l.Assets(ctx, tenant, texts...)
	}
	return err
}

// textAt is where a template stands in the request.
func textAt(kind jobs.InputKind) string {
	if kind == jobs.InputStored {
		return "/template/name"
	}
	return "/template/html"
}

// texts are the parts of the page, as far as they are known before it has an identity.
func (l *Library) texts(ctx context.Context, tenant string, spec *jobs.Spec, asked Asked) ([]Text, error) {
	own := []Text{{"/output/header_html", spec.Output.Header}, {"/output/footer_html", spec.Output.Footer}}
	switch spec.Kind {
	case jobs.InputURL:
		return nil, nil
	case jobs.InputStored:
		return l.stored(ctx, tenant, spec, asked)
	case jobs.InputTemplate:
		html, err := l.tryInline(ctx, *spec, asked)
		return append(own, Text{"/template/html", html}), err
	case jobs.InputHTML, jobs.InputMarkdown:
	}
	return append(own, Text{"/" + string(spec.Kind), spec.Text}), nil
}

// stored finds the version that a name means now, and tries it.
func (l *Library) stored(ctx context.Context, tenant string, spec *jobs.Spec, asked Asked) ([]Text, error) {
	v, err := l.version(ctx, tenant, *spec.Template)
	if err != nil {
		return nil, err
	}
	spec.Template = &v
	t, err := l.Template(ctx, v)
	if err != nil {
		return nil, err
	}
	if err := t.complete(spec, asked); err != nil {
		return nil, err
	}
	data, err := t.readData(ctx, spec.Data, "/data")
	if err != nil {
		return nil, err
	}
	filled, err := t.fill(ctx, data, nobody(*spec, asked))
	if err != nil {
		return nil, placed(inStored(err), "/template/name", "/data")
	}
	out := t.Margins(*spec, filled)
	return []Text{{"/template/name", filled.HTML}, {"/template/name", out.Header}, {"/template/name", out.Footer}}, nil
}

// inStored names the part of a stored template in the message: the request has none to point to.
func inStored(err error) error {
	part, inPart := errors.AsType[partError](err)
	f, isFault := errors.AsType[*fault.Error](err)
	if !inPart || !isFault || part.pointer == "/html" {
		return unplaced(err)
	}
	return f.With("%s: %s", part.pointer[1:], f.Message)
}

// unplaced is the error of a part without its place.
func unplaced(err error) error {
	if part, ok := errors.AsType[partError](err); ok {
		return part.err
	}
	return err
}

// version is the one that a reference means.
func (l *Library) version(ctx context.Context, tenant string, ref jobs.TemplateRef) (jobs.TemplateRef, error) {
	item := jobs.Item{Tenant: tenant, Shelf: jobs.TemplateShelf, Name: ref.Name}
	v, err := l.Store.Version(ctx, item, ref.Version)
	f := fault.From(err)
	switch {
	case f == nil:
		return jobs.TemplateRef{Name: ref.Name, Version: v.Version, SHA256: v.SHA256, Blob: v.Blob}, nil
	case f.Kind != fault.NotFound:
		return ref, err
	}
	if ref.Version != 0 {
		if _, err := l.Store.Version(ctx, item, 0); err == nil {
			return ref, jobs.ErrTemplateUnknown.With("The template %s has no version %d.", shorten(ref.Name), ref.Version).In("/template/version")
		}
	}
	return ref, jobs.ErrTemplateUnknown.With("There is no template named %q.", shorten(ref.Name)).In("/template/name")
}

// complete gives a spec what the caller left to the template, member by member. Defaults that the format has no use for stay out.
func (t *Template) complete(spec *jobs.Spec, asked Asked) error {
	if asked.Engine == nil && t.Engine != nil {
		spec.Engine = string(*t.Engine)
	}
	merged := overlay(output.Fit(t.Output, asked.Output), asked.Output)
	out, filename, wrong := output.Of(merged)
	if len(wrong) > 0 {
		return &fault.Error{Kind: fault.Invalid, Code: wrong[0].Code, Message: wrong[0].Detail, Fields: wrong}
	}
	spec.Output, spec.Filename = out, filename
	if o := asked.Output; o != nil {
		spec.Bare = jobs.Bare{Header: o.HeaderHTML != nil, Footer: o.FooterHTML != nil}
	}
	return nil
}

// Margins is the output of a document that has the margins of its template, where the caller has no own ones and the format has any.
func (t *Template) Margins(spec jobs.Spec, filled Filled) render.Output {
	out := spec.Output
	if !out.Printed() {
		return out
	}
	if !spec.Bare.Header && t.header != nil {
		out.Header = filled.Header
	}
	if !spec.Bare.Footer && t.footer != nil {
		out.Footer = filled.Footer
	}
	return out
}

// tryInline fills in a template that came with the request.
func (l *Library) tryInline(ctx context.Context, spec jobs.Spec, asked Asked) (string, error) {
	t, err := l.memory.parse(spec.Text)
	if err != nil {
		return "", placed(err, "/template/html", "/data")
	}
	var b strings.Builder
	if _, err = t.Execute(ctx, &b, spec.Data, nobody(spec, asked)); err != nil {
		return "", placed(err, "/template/html", "/data")
	}
	return b.String(), nil
}

// nobody is a placeholder for the identity: the real one does not exist yet.
func nobody(spec jobs.Spec, asked Asked) templates.Environment {
	return templates.Environment{
		Identity: templates.Nobody(asked.DocumentKey), Locale: spec.Output.Locale, TimeZone: spec.Output.TimeZone,
	}
}
