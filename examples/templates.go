package examples

import (
	"embed"
	"io/fs"
)

//go:embed templates
var folders embed.FS

// Templates holds the templates that come with the project, each in a folder of its name: template.html, style.css, sample.json, schema.json
// (of its data), template.json (engine and output), and in assets what it names.
func Templates() fs.FS {
	sub, err := fs.Sub(folders, "templates")
	if err != nil {
		return folders // the name is a valid one, so this does not happen
	}
	return sub
}

// TemplateNames lists them, sorted.
func TemplateNames() []string {
	entries, err := fs.ReadDir(folders, "templates")
	if err != nil {
		return nil // the folder is in the binary
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
