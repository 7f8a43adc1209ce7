package native

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/page"
	"github.com/platen-render/platen/internal/render/native/paint"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/text"
)

// producer is what documents say about who made them. It has no version, so that another build makes the same bytes.
const producer = "Platen"

// How far a render is, in percent, when a part of it is done.
const (
	doneStyles = 15
	doneLayout = 50
	donePages  = 60
)

// measured measures ex and ch in the fonts of the page.
func measured(set *fonts.Set) func(s *property.Style) (ex, ch float64) {
	setter := sync.OnceValue(func() *text.Setter { return text.New(set) }) // few pages ask
	return func(s *property.Style) (ex, ch float64) {
		m := setter().Metrics(s)
		return m.XHeight, m.ZeroWidth
	}
}

// laid is a page that has been laid out and cut.
type laid struct {
	tree  *box.Tree
	pages []*page.Page
	// missing are the characters that no font has.
	missing []rune
}

// lay lays a page out.
func (p *prepared) lay(ctx context.Context, maxPages int) (*laid, error) {
	tree, err := box.Build(ctx, p.document, p.styles, p.pictures)
	if err != nil {
		return nil, fmt.Errorf("boxes: %w", err)
	}
	setter := p.stock.New(p.fonts)
	setter.Quirks, setter.StickyImages = p.document.Quirks || p.document.LimitedQuirks, p.document.Quirks
	pages, err := p.pages(ctx, tree, setter, maxPages)
	if err != nil {
		return nil, err
	}
	return &laid{tree: tree, pages: pages, missing: setter.Missing()}, nil
}

// draw lays a page out, cuts it and writes it.
func (p *prepared) draw(ctx context.Context, w io.Writer, maxPages int) (render.Report, error) {
	p.progress(doneStyles)
	l, err := p.lay(ctx, maxPages)
	if err != nil {
		return render.Report{}, err
	}
	if p.request.Engine == render.Auto {
		if err := withoutFont(l.missing).Err(); err != nil {
			return render.Report{}, err
		}
	}
	p.progress(donePages)
	chosen := p.chosen(l.pages)
	if len(chosen) == 0 {
		return render.Report{}, render.ErrPageRange
	}
	warnings, err := p.write(ctx, w, l.tree, chosen)
	if err != nil {
		return render.Report{}, err
	}
	if len(l.missing) > 0 {
		warnings = append(warnings, render.GlyphsMissing(l.missing))
	}
	warnings = render.FewWarnings(warnings)
	return render.Report{
		Engine: render.Native, Version: Version, Pages: len(chosen), ContentType: render.PDF.ContentType(), Warnings: warnings,
	}, nil
}

// withoutFont decides about characters that no font of this engine has. Where the engine was left to choose, the page is outside: a browser
// has the fonts of its machine as well. Where it was asked for, they are empty boxes, and the job is warned.
func withoutFont(missing []rune) Decision {
	d := Decision{Inside: true}
	for i, r := range missing {
		if i == maxCharacters {
			d.More = len(missing) - i
			break
		}
		d.Inside = false
		d.Findings = append(d.Findings, cascade.Finding{
			Kind: "font", Feature: character(r), Reason: "no font of the native engine has it", Source: "document",
		})
	}
	return d
}

// pages lays out the boxes and cuts them into pages.
func (p *prepared) pages(ctx context.Context, tree *box.Tree, setter *text.Setter, most int) ([]*page.Page, error) {
	arrange := func(width, height float64) (*fragment.Fragment, error) {
		return layout.Layout(ctx, tree, setter, layout.Area{Width: width, Height: height}, layout.Limits{})
	}
	first := page.First(p.styles.Page)
	root, err := arrange(first.Width, first.Height)
	if err != nil {
		return nil, fmt.Errorf("layout: %w", err)
	}
	shrink := page.Shrink(ctx, root, first)
	if shrink > 1 {
		if root, err = arrange(first.Width*shrink, first.Height*shrink); err != nil {
			return nil, fmt.Errorf("layout: %w", err)
		}
	}
	p.progress(doneLayout)
	lang, _ := p.document.Root.Attr("lang")
	pages, err := page.Paginate(ctx, root, page.Options{
		Sheets: p.styles.Page, Relayout: arrange, Shrink: shrink,
		Margins: page.Margins{Setter: setter, Pictures: p.pictures, Lang: lang}, Limits: page.Limits{MaxPages: most},
	})
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	return pages, nil
}

// chosen are the pages that the document has of all that were laid out, with the numbers that they have among those.
func (p *prepared) chosen(pages []*page.Page) []*page.Page {
	var chosen []*page.Page
	for i, sheet := range pages {
		if p.request.Output.Chosen(i + 1) {
			chosen = append(chosen, sheet)
		}
	}
	return chosen
}

// write draws the pages.
func (p *prepared) write(ctx context.Context, w io.Writer, tree *box.Tree, pages []*page.Page) ([]render.Warning, error) {
	warnings := p.withoutPictures()
	var notes paint.Notes
	doc := p.press.New(ctx, w, p.info(), pdf.Limits{Bytes: p.request.MaxBytes})
	err := paint.Paint(ctx, doc, pages, tree, paint.Options{
		Background: p.request.Output.Background, Outline: p.request.Output.Outline, Document: p.document, Pictures: p.pictures,
		Styles: func(n *dom.Node) *property.Style { return p.styles.Of(n).Style },
		Broken: func(name string) {
			warnings = append(warnings, render.Warning{Code: render.ResourceFailed, Detail: name + ": " + noImage})
		},
		Notes:    &notes,
		Progress: func(done int) { p.progress(donePages + (100-donePages)*done/len(pages)) },
	})
	if closed := doc.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	return append(warnings, p.noticed(notes)...), nil
}

func (p *prepared) progress(percent int) {
	if p.request.Progress != nil {
		p.request.Progress(percent)
	}
}

// info is what the job says about the document, and beyond that the page about itself.
func (p *prepared) info() pdf.Info {
	info := pdf.Info{Title: p.document.Title(), Producer: producer}
	info.Lang, _ = p.document.Root.Attr("lang")
	for _, n := range p.document.Elements {
		if n.Tag != "meta" {
			continue
		}
		name, _ := n.Attr("name")
		content, _ := n.Attr("content")
		switch strings.ToLower(name) {
		case "author":
			info.Author = content
		case "description":
			info.Subject = content
		case "keywords":
			info.Keywords = content
		}
	}
	meta := p.request.Output.Meta
	info.Title, info.Author = cmp.Or(meta.Title, info.Title), cmp.Or(meta.Author, info.Author)
	info.Subject, info.Keywords = cmp.Or(meta.Subject, info.Subject), cmp.Or(meta.Keywords, info.Keywords)
	return info
}

// maxCharacters are named in one warning.
const maxCharacters = 50

func character(r rune) string { return fmt.Sprintf("%c (U+%04X)", r, r) }
