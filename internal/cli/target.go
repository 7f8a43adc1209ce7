package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/api"
)

// target returns where to save: the path of -o, or the name of the page with the extension of the format. It is an error
// when nothing can be saved there, for that must be known before a document is issued.
func (f *renderFlags) target(request api.JobRequest) (string, error) {
	out := f.out
	if out == "" {
		format := api.FormatPDF
		if request.Output != nil && request.Output.Format != nil {
			format = *request.Output.Format
		}
		out = f.title(request) + "." + string(format)
	}
	if out == stdStream {
		return out, nil
	}
	if err := f.checkExtension(out, request); err != nil {
		return "", err
	}
	if f.file != stdStream && sameFile(out, f.file) {
		return "", f.usage("%s is the page itself; -o names another file", out)
	}
	return out, checkTarget(out)
}

// imageExtensions are those of files that are no PDF.
var imageExtensions = map[string]api.Format{".png": api.FormatPNG, ".jpg": api.FormatJPEG, ".jpeg": api.FormatJPEG}

// checkExtension refuses the name of an image for a PDF. What a stored template makes it says itself.
func (f *renderFlags) checkExtension(out string, request api.JobRequest) error {
	format, image := imageExtensions[strings.ToLower(filepath.Ext(out))]
	stored := request.Template != nil && request.Template.Name != nil
	chosen := request.Output != nil && request.Output.Format != nil && *request.Output.Format != api.FormatPDF
	if image && !stored && !chosen {
		return f.usage("%s would be a PDF; --output-format %s makes an image", out, format)
	}
	return nil
}

// title is what a document is called that -o has no name for.
func (f *renderFlags) title(request api.JobRequest) string {
	switch t := request.Template; {
	case t != nil && t.Name != nil:
		return *t.Name
	case f.file == "" || f.file == stdStream || isAddress(f.file):
		return "document"
	}
	name := filepath.Base(f.file)
	return cmp.Or(strings.TrimSuffix(name, filepath.Ext(name)), name)
}

// final is where a document is saved once it is known what it is, unless -o has a name for it: several images are an archive, and a
// stored template has a format of its own.
func (f *renderFlags) final(out, contentType string) string {
	if f.out != "" || f.file != "" && contentType != "application/zip" {
		return out
	}
	return strings.TrimSuffix(out, filepath.Ext(out)) + extensionOf(contentType)
}

// checkTarget reports why a file cannot be saved under a path, or nil. It tries: rights alone do not tell of a file
// system that is read-only.
func checkTarget(out string) error {
	path := out
	if linked, err := filepath.EvalSymlinks(out); err == nil {
		path = linked
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("cannot save %s: it is a folder; -o names a file", out)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("cannot save %s: it is not a regular file; -o - is the standard output", out)
	}
	folder := filepath.Dir(path)
	probe, err := os.CreateTemp(folder, ".platen-*")
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("cannot save %s: folder %s: %w", out, folder, failed.Err)
	}
	if err != nil {
		return fmt.Errorf("cannot save %s: %w", out, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// sameFile reports whether two paths lead to the same existing file.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// unnamed writes to a file whose name nobody has chosen, and does not tell it.
type unnamed struct{ file *os.File }

func (u unnamed) Write(p []byte) (int, error) {
	n, err := u.file.Write(p)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	return n, err
}
