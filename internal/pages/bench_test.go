package pages_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/pages"
	"github.com/platen-render/platen/internal/render/resources"
)

// BenchmarkPayslip composes the page of a payslip of the payroll run.
func BenchmarkPayslip(b *testing.B) {
	store := files{blobstest.Folder(b)}
	part := func(name string) []byte {
		text, err := fs.ReadFile(examples.Templates(), "payslip/"+name)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	page, style := string(part("template.html")), string(part("style.css"))
	content, err := catalog.Canonical(api.TemplateRequest{HTML: &page, CSS: &style, Schema: part("schema.json"), Sample: part("sample.json")})
	if err != nil {
		b.Fatal(err)
	}
	if err := store.Put(b.Context(), "t/payslip", strings.NewReader(string(content))); err != nil {
		b.Fatal(err)
	}
	spec := stored(&jobs.TemplateRef{Name: "payslip", Version: 1, SHA256: sha(string(content)), Blob: "t/payslip"}, string(part("sample.json")))
	c := &pages.Composer{Blobs: store, Library: &catalog.Library{Blobs: store}, Loader: &resources.Loader{}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Compose(b.Context(), job, spec); err != nil {
			b.Fatal(err)
		}
	}
}
