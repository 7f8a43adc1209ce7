// Package native is the engine that makes PDFs of HTML without a browser. It draws a subset of CSS, and knows beforehand
// whether a page keeps to it: what does not is listed, never left out.
package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/text"
)

// Inspect is [Engine.Inspect] with the embedded fonts.
func Inspect(ctx context.Context, req render.Request) (Decision, error) {
	e, err := New(ctx, Options{})
	if err != nil {
		return Decision{}, err
	}
	return e.Inspect(ctx, req)
}

// prepared is a page with its styles, fonts and pictures: what [Inspect] judges, and what is laid out and drawn.
type prepared struct {
	request  render.Request
	document *dom.Document
	styles   *cascade.Result
	fonts    *fonts.Set
	pictures *images.Loader
	library  cascade.Library
	// notImages are the names of what stands in the place of a picture and is none.
	notImages []string
	// declared are the families of @font-face rules, in lower case: of one that did not come is warned otherwise.
	declared map[string]bool
	// stock and press are what draw shares with other jobs.
	stock *text.Stock
	press *pdf.Press
	// vectors are the pictures that are SVG documents of their own and were looked into.
	vectors  map[*images.Image]bool
	decision Decision
}

// prepare reads a page.
func (e *Engine) prepare(ctx context.Context, req render.Request) (*prepared, error) {
	document, err := dom.Parse(ctx, req.HTML, e.room.limits())
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	resources := cascade.Library{Resources: req.Resources}
	p := &prepared{
		request: req, document: document, fonts: e.library.NewSet(), library: resources, declared: map[string]bool{},
		pictures: images.New(resources, 0).Until(ctx), vectors: map[*images.Image]bool{},
	}
	found := findings{list: ofOutput(req.Output)}
	options := sheet(req.Output)
	options.Library, options.Stock = resources, &e.sheets
	var wrong map[string]cascade.Finding
	options.Fonts = func(faces []cascade.FontFace) { wrong = p.addFonts(resources, faces) }
	options.Metrics = measured(p.fonts)
	if p.styles, err = cascade.Compute(ctx, document, options); err != nil {
		return nil, fmt.Errorf("styles: %w", err)
	}
	found.add(p.styles.Findings...)
	found.more += p.styles.More
	found.add(p.named(wrong)...)
	found.add(p.quirks()...)
	if err := p.lookAtTexts(ctx, &found); err != nil {
		return nil, err
	}
	if err := p.lookAtPictures(ctx, options, &found); err != nil {
		return nil, err
	}
	slices.SortStableFunc(found.list, before)
	p.decision = Decision{Inside: len(found.list) == 0, Findings: found.list, More: found.more}
	return p, nil
}

// before orders findings: those of the output, those of the page by their places, those of its sheets.
func before(a, b cascade.Finding) int {
	rank := func(f cascade.Finding) int {
		switch {
		case f.Kind == "output":
			return 0
		case f.Source == "document" && f.Line > 0:
			return 1
		}
		return 2
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a.Source, b.Source), a.Line-b.Line, a.Column-b.Column)
}

// maxFindings are kept; more are only counted.
const maxFindings = 1000

// findings collects what is outside.
type findings struct {
	list []cascade.Finding
	more int
}

func (f *findings) add(more ...cascade.Finding) {
	keep := min(len(more), maxFindings-len(f.list))
	f.list = append(f.list, more[:keep]...)
	f.more += len(more) - keep
}
