// Package corpus holds the documents by which the native engine is measured against a browser: invoices, payslips,
// statements, letters, reports and more, as people write them. They were written before the engine. README.md lists them, says
// what each exercises and whether the native engine is meant to take it, and is what [Documents] reads. No product binary
// links this package.
package corpus

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/compose"
)

//go:embed README.md testdata
var files embed.FS

// folder holds the documents, and assets what they load.
const (
	folder = "testdata"
	assets = "assets"
)

// Document is one row of README.md.
type Document struct {
	File  string // below testdata
	Pages int    // that a browser makes of it with the fonts of [FontDir]
	// Outside is why the native engine is not meant to take it; "" when it is.
	Outside string
	// Notes say what it exercises.
	Notes string
}

// row is a line of the table: a link to the file, the pages, "yes" or "no: why", and the notes.
var row = regexp.MustCompile(`(?m)^\| \[[^\]]+\]\(testdata/([^)]+)\) \| (\d+) \| (?:yes|no: ([^|]+)) \| ([^|]+) \|$`)

// Documents returns all documents, in the order of README.md.
func Documents() ([]Document, error) {
	text, err := files.ReadFile("README.md")
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var documents []Document
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		pages, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, fmt.Errorf("corpus: pages of %s: %w", m[1], err)
		}
		documents = append(documents, Document{File: m[1], Pages: pages, Outside: m[3], Notes: m[4]})
	}
	return documents, nil
}

// Source returns the document as it was written: HTML or Markdown, by the ending of its name.
func (d Document) Source() (compose.Source, error) {
	text, err := files.ReadFile(path.Join(folder, d.File))
	if err != nil {
		return compose.Source{}, fmt.Errorf("corpus: %w", err)
	}
	kind := compose.HTML
	if path.Ext(d.File) == ".md" {
		kind = compose.Markdown
	}
	return compose.Source{Kind: kind, Text: string(text)}, nil
}

// Request asks for a PDF of the document in the default output, with everything that it loads.
func (d Document) Request(ctx context.Context) (render.Request, error) {
	source, err := d.Source()
	if err != nil {
		return render.Request{}, err
	}
	page, err := compose.Compose(ctx, source, compose.Identity{})
	if err != nil {
		return render.Request{}, fmt.Errorf("corpus: %s: %w", d.File, err)
	}
	resources, err := loaded()
	if err != nil {
		return render.Request{}, err
	}
	return render.Request{HTML: page.HTML, Resources: resources, Output: render.DefaultOutput()}, nil
}

// loaded returns the files that documents load, by the addresses that they use.
func loaded() (map[string]render.Resource, error) {
	entries, err := fs.ReadDir(files, path.Join(folder, assets))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	resources := map[string]render.Resource{}
	for _, e := range entries {
		body, err := files.ReadFile(path.Join(folder, assets, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("corpus: %w", err)
		}
		resources[path.Join(assets, e.Name())] = render.Resource{ContentType: http.DetectContentType(body), Body: body}
	}
	return resources, nil
}
