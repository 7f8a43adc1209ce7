package catalog_test

import (
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/catalog"
)

func TestTheTemplatesThatComeWithPlatenCanBeStored(t *testing.T) {
	t.Parallel()
	for _, name := range examples.TemplateNames() {
		dir, err := fs.Sub(examples.Templates(), name)
		if err != nil {
			t.Fatal(err)
		}
		part := func(file string) []byte {
			content, err := fs.ReadFile(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			return content
		}
		request := api.TemplateRequest{}
		if err := json.Unmarshal(part("template.json"), &request); err != nil {
			t.Fatal(err)
		}
		request.HTML, request.CSS = new(string(part("template.html"))), new(string(part("style.css")))
		request.Sample, request.Schema = part("sample.json"), part("schema.json")
		if wrong := catalog.Check(t.Context(), request); len(wrong) > 0 {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}
