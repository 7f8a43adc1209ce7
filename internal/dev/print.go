package dev

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/platen-render/platen/examples"
)

// printer writes for people: a word in the first column, then what it is about.
type printer struct{ w io.Writer }

func (p printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.w, format+"\n", args...) // a closed terminal is no reason to stop serving
}

func (d *installation) banner() {
	d.line("platen    serving on %s, data in %s", localURL(d.cfg), relative(d.dir))
}

// usage prints what a user needs next. The commands work as they are printed; the second one fetches the document of the
// demo. Without one there is nothing to fetch yet, and words say how.
func (d *installation) usage(document string) {
	curl := "curl -sS -H 'Authorization: Bearer " + d.state.Key + "'"
	d.line("key       %s", d.state.Key)
	d.line("secret    %s  (signs callbacks)", d.state.CallbackSecret)
	d.line("try       %s -H 'Prefer: wait=30' -F html=@%s %s/jobs", curl, d.example(), localURL(d.cfg))
	if document != "" {
		d.line("fetch     %s -o invoice.pdf %s/documents/%s/content", curl, localURL(d.cfg), document)
	} else {
		d.line("fetch     the same curl with -o invoice.pdf and, as the address, the url in the result")
	}
	d.line("stop      Ctrl-C")
}

// example is a path of the example invoice that curl can read from here: the repository's, or a copy in the data folder.
func (d *installation) example() string {
	const ours = "examples/invoice.html"
	if _, err := os.Stat(ours); err == nil {
		return ours
	}
	path := filepath.Join(d.dir, "invoice.html")
	if err := os.WriteFile(path, examples.Invoice, 0o600); err != nil {
		return ours
	}
	return relative(path)
}

// relative is a path below this folder as it is from here, and any other one in full.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}
