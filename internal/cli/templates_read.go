package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/strictjson"
)

// templateFolder is a template as it lies on a disk.
type templateFolder struct {
	name    string
	request api.TemplateRequest
	assets  []client.File
}

// templateSettings is template.json, what a template has beside its texts.
type templateSettings struct {
	Engine *api.Engine `json:"engine,omitempty"`
	Output *api.Output `json:"output,omitempty"`
}

// readTemplate reads a folder, a page, or the JSON of the API.
func readTemplate(path string) (templateFolder, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return templateFolder{}, err
	}
	base := filepath.Base(absolute)
	t := templateFolder{name: strings.TrimSuffix(base, filepath.Ext(base))}
	info, err := os.Stat(path)
	if err != nil {
		return t, err
	}
	if info.IsDir() {
		t.name = base
		return t, t.readFolder(path)
	}
	kind := strings.ToLower(filepath.Ext(path))
	if kind != ".json" && kind != ".html" && kind != ".htm" {
		return t, fmt.Errorf("%s is no template: that is a folder, a page that ends in .html, or JSON that ends in .json", path)
	}
	content, err := os.ReadFile(path) //nolint:gosec // the user's own file
	if err != nil {
		return t, err
	}
	if kind == ".json" {
		return t, decodeFile(path, content, &t.request)
	}
	t.request.HTML = new(string(content))
	return t, nil
}

// templateParts are what a folder may have, in the order in which people are told.
var templateParts = []string{
	"template.html", "style.css", "header.html", "footer.html", "schema.json", "sample.json", "template.json", assetsFolder,
}

const assetsFolder = "assets"

// onlyKnown refuses what no part of a template is: a style sheet that is misspelled would be left out. Names that begin with a dot are
// those of other programs.
func onlyKnown(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var unknown []string
	for _, entry := range entries {
		name := entry.Name()
		isPart := slices.Contains(templateParts, name) && entry.IsDir() == (name == assetsFolder)
		if !isPart && !strings.HasPrefix(name, ".") {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%s: no part of a template: %s; a folder may have %s", dir, strings.Join(unknown, ", "), strings.Join(templateParts, ", "))
	}
	return nil
}

func (t *templateFolder) readFolder(dir string) error {
	if err := onlyKnown(dir); err != nil {
		return err
	}
	for _, part := range []struct {
		file string
		to   **string
	}{
		{"template.html", &t.request.HTML},
		{"style.css", &t.request.CSS},
		{"header.html", &t.request.HeaderHTML},
		{"footer.html", &t.request.FooterHTML},
	} {
		content, err := optional(filepath.Join(dir, part.file))
		if err != nil {
			return err
		}
		if content != nil {
			*part.to = new(string(content))
		}
	}
	if t.request.HTML == nil {
		return fmt.Errorf("%s: there is no template.html in it", dir)
	}
	return errors.Join(t.readJSON(dir), t.readAssets(filepath.Join(dir, assetsFolder)))
}

// readJSON reads the parts of a folder that are JSON.
func (t *templateFolder) readJSON(dir string) error {
	var settings templateSettings
	for _, part := range []struct {
		file string
		take func(path string, content []byte) error
	}{
		{"template.json", func(path string, content []byte) error { return decodeFile(path, content, &settings) }},
		{"schema.json", rawInto(&t.request.Schema)},
		{"sample.json", rawInto(&t.request.Sample)},
	} {
		path := filepath.Join(dir, part.file)
		content, err := optional(path)
		if err != nil {
			return err
		}
		if content == nil {
			continue
		}
		if err := part.take(path, content); err != nil {
			return err
		}
	}
	t.request.Engine, t.request.Output = settings.Engine, settings.Output
	return nil
}

// rawInto keeps a file as it is.
func rawInto(to *json.RawMessage) func(string, []byte) error {
	return func(path string, content []byte) error {
		*to = content
		return checkJSON(path, content)
	}
}

// checkJSON refuses what is not JSON, with the place.
func checkJSON(path string, content []byte) error {
	if path == stdStream {
		path = "the standard input"
	}
	return strictjson.Source(path).Check(content)
}

// decodeFile reads a file that has members of the API and no others: a misspelled one would be left out.
func decodeFile(path string, content []byte, into any) error {
	wrong, err := strictjson.Source(path).Decode(content, into)
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%s: %s %s", path, wrong[0].Pointer, wrong[0].Detail)
	}
	return err
}

// readAssets reads the files of a folder, if it is there, but those whose names begin with a dot. Names of assets have no folders.
func (t *templateFolder) readAssets(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if entry.IsDir() {
			return fmt.Errorf("%s is a folder: assets have names without folders", filepath.Join(dir, entry.Name()))
		}
		content, err := os.ReadFile(filepath.Join(dir, entry.Name())) //nolint:gosec // as above
		if err != nil {
			return err
		}
		t.assets = append(t.assets, client.File{Name: entry.Name(), Content: content})
	}
	return nil
}

// optional reads a file; nil when there is none.
func optional(path string) ([]byte, error) {
	content, err := os.ReadFile(path) //nolint:gosec // as above
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}
