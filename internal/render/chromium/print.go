package chromium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/chromedp/cdproto"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/page"
	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/platen-render/platen/internal/render"
)

// print makes the PDF and counts its pages.
func (j *job) print(ctx context.Context) ([]byte, int, error) {
	params, err := j.printParams()
	if err != nil {
		return nil, 0, err
	}
	printed, err := ask(ctx, j.tab.page, page.PrintToPDF, params)
	if err != nil {
		return nil, 0, ofRange(err)
	}
	j.progress(90)
	document, err := j.readStream(ctx, printed.Stream)
	if err != nil {
		return nil, 0, err
	}
	pdf, err := parsePDF(document)
	if err != nil {
		return nil, 0, fmt.Errorf("read the browser's PDF: %w", err)
	}
	pages, err := pdf.pages()
	if err != nil {
		return nil, 0, fmt.Errorf("count the pages of the browser's PDF: %w", err)
	}
	j.look(ctx, pdf)
	if err := pdf.blankDates(); err != nil {
		return nil, 0, fmt.Errorf("blank the dates of the browser's PDF: %w", err)
	}
	if *params.GenerateTaggedPDF {
		if err := pdf.renumberNodes(); err != nil {
			return nil, 0, fmt.Errorf("number the nodes of the browser's PDF: %w", err)
		}
	}
	if document, err = pdf.withMeta(j.req.Output.Meta); err != nil {
		return nil, 0, fmt.Errorf("describe the browser's PDF: %w", err)
	}
	if j.req.MaxBytes > 0 && int64(len(document)) > j.req.MaxBytes {
		return nil, 0, render.ErrDocumentTooLarge
	}
	return document, pages, nil
}

// pageRanges are the chosen pages as the browser takes them.
func pageRanges(chosen []render.PageRange) string {
	var b strings.Builder
	for i, r := range chosen {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%d-", r.First)
		if r.Last > 0 {
			fmt.Fprintf(&b, "%d", r.Last)
		}
	}
	return b.String()
}

// ofRange names the answer of a browser that has none of the chosen pages. With some of them it prints those.
func ofRange(err error) error {
	var answer *cdproto.Error
	if errors.As(err, &answer) && strings.HasPrefix(answer.Message, "Page range exceeds page count") {
		return render.ErrPageRange.Because(err)
	}
	return err
}

func (j *job) printParams() (page.PrintToPDFParams, error) {
	out := j.req.Output
	yes := true
	tagged := out.Tagged || out.Outline // the browser makes an outline of the headings among the tags, and of nothing else
	inch := func(mm float64) *float64 { in := mm / mmPerInch; return &in }
	params := page.PrintToPDFParams{
		Landscape: &out.Landscape, PrintBackground: &out.Background, Scale: out.Scale,
		PaperWidth: *inch(out.Width), PaperHeight: *inch(out.Height),
		MarginTop: inch(out.Margin.Top), MarginRight: inch(out.Margin.Right),
		MarginBottom: inch(out.Margin.Bottom), MarginLeft: inch(out.Margin.Left),
		PreferCSSPageSize: &yes, GenerateTaggedPDF: &tagged, GenerateDocumentOutline: &out.Outline,
		PageRanges:   pageRanges(out.Pages),
		TransferMode: page.PrintToPDFTransferModeReturnAsStream,
	}
	if out.Header == "" && out.Footer == "" {
		return params, nil
	}
	params.DisplayHeaderFooter = &yes
	var err error
	if params.HeaderTemplate, err = j.marginTemplate(out.Header); err != nil {
		return params, err
	}
	params.FooterTemplate, err = j.marginTemplate(out.Footer)
	return params, err
}

// marginTemplate makes a header or footer of the browser's kind. The browser gives it no font, and a date if
// it asks for one; a document has no clock in it, so that class is taken away.
func (j *job) marginTemplate(markup string) (string, error) {
	if markup == "" {
		return "<span></span>", nil // an empty template would be the browser's own
	}
	body := &xhtml.Node{Type: xhtml.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := xhtml.ParseFragment(strings.NewReader(markup), body)
	if err != nil {
		return "", render.ErrPageFailed.With("The header or footer is not HTML that can be read.").Because(err)
	}
	var b strings.Builder
	m := j.req.Output.Margin
	fmt.Fprintf(&b, `<div style="width:100%%;box-sizing:border-box;padding:0 %gmm 0 %gmm;`+
		`font:8pt %s;color:#000;-webkit-print-color-adjust:exact">`, m.Right, m.Left, html.EscapeString(marginFont))
	for _, n := range nodes {
		if dropDate(n) {
			j.log.warn("date_ignored", "the class date of a header or footer: a document has no clock in it")
		}
		if err := xhtml.Render(&b, n); err != nil {
			return "", render.ErrPageFailed.With("The header or footer is not HTML that can be read.").Because(err)
		}
	}
	b.WriteString("</div>")
	return b.String(), nil
}

const marginFont = `"Liberation Sans", "Noto Sans", Arial, sans-serif`

// dropDate takes the class date from a tree and reports whether it was there.
func dropDate(root *xhtml.Node) bool {
	found := false
	for i, a := range root.Attr {
		if a.Key != "class" {
			continue
		}
		kept := strings.Fields(a.Val)
		n := len(kept)
		kept = without(kept, "date")
		found = found || len(kept) < n
		root.Attr[i].Val = strings.Join(kept, " ")
	}
	for n := range root.ChildNodes() {
		found = dropDate(n) || found
	}
	return found
}

func without(words []string, word string) []string {
	kept := words[:0]
	for _, w := range words {
		if w != word {
			kept = append(kept, w)
		}
	}
	return kept
}

const chunk = 1 << 20

// readStream collects what the browser has ready, within the bounds of the request.
func (j *job) readStream(ctx context.Context, handle cdpio.StreamHandle) ([]byte, error) {
	var document bytes.Buffer
	for {
		part, err := ask(ctx, j.tab.page, cdpio.Read, cdpio.ReadParams{Handle: handle, Size: chunk})
		if err != nil {
			return nil, err
		}
		document.Write(part.Data)
		if j.req.MaxBytes > 0 && int64(document.Len()) > j.req.MaxBytes {
			return nil, render.ErrDocumentTooLarge // the stream ends with the tab
		}
		if part.EOF {
			return document.Bytes(), nil
		}
	}
}
