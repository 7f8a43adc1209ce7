package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/platen-render/platen/examples"
)

// templatesFolder is where the templates go when nothing is said.
const templatesFolder = "templates"

func initTemplates(_ context.Context, env Env, args []string) error {
	all := examples.TemplateNames()
	f := env.flags("templates init", "[DIR [NAME…]]", `
Writes the templates that come with Platen into DIR, by default `+templatesFolder+`: a folder for each, with template.html, style.css, sample.json,
schema.json and template.json, to be changed and stored. There are `+strings.Join(all[:len(all)-1], ", ")+" and "+all[len(all)-1]+`; with names, only those are
written. What is there already is never overwritten: when one of the folders exists, nothing is written.`)
	rest, err := f.parse(args, 0, math.MaxInt)
	if err != nil {
		return err
	}
	dir, names := templatesFolder, all
	if len(rest) > 0 {
		dir = rest[0]
	}
	if len(rest) > 1 {
		names = rest[1:]
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return f.usage("there is no template %q, only %s", name, strings.Join(all, ", "))
		}
	}
	return writeTemplates(env, dir, slices.Compact(slices.Sorted(slices.Values(names))))
}

// writeTemplates writes all of them or, when one is there already, none.
func writeTemplates(env Env, dir string, names []string) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s exists already; nothing was written", path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, name := range names {
		folder, err := fs.Sub(examples.Templates(), name)
		if err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
		path := filepath.Join(dir, name)
		if err := os.CopyFS(path, folder); err != nil { // it overwrites nothing either
			return err
		}
		if _, err := fmt.Fprintln(env.Stdout, path); err != nil {
			return err
		}
	}
	return nil
}
