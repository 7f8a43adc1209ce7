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

func (p printer) banner(d *installation) {
	p.line("platen    serving on %s, data in %s", localURL(d.cfg), relative(d.dir))
}

// usage prints what a user needs next. The command works as it is printed.
func (p printer) usage(d *installation) {
	p.line("key       %s", d.state.Key)
	p.line("secret    %s  (signs callbacks)", d.state.CallbackSecret)
	p.line("try       curl -sS -H 'Authorization: Bearer %s' -H 'Prefer: wait=30' -F html=@%s %s/jobs", d.state.Key, d.example(), localURL(d.cfg))
	p.line("          then fetch the result's url: curl -sS -H 'Authorization: Bearer %s' -o invoice.pdf URL", d.state.Key)
	p.line("stop      Ctrl-C")
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

// relative is a path as it is shortest from here.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || len(rel) > len(path) {
		return path
	}
	return rel
}
