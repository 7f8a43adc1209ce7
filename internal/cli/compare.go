package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/engines"
	"github.com/platen-render/platen/internal/render/fidelity"
)

const compareText = `
Renders FILE on this machine with the browser and with the native engine, and prints how the two documents differ: pages, words,
words that are missing, added or in another place in the text, and how far the words of the one are from those of the other, in
points. Two numbers in a column are those of the browser and of the native engine. FILE and what it uses are given as to
"platen render". pdftotext (poppler-utils) is needed.`

var (
	errNoNative = errors.New("this version has no native engine to compare with")
	errOnlyPDFs = errors.New("only PDFs are compared: leave --output-format out")
)

func compareDocument(ctx context.Context, env Env, args []string) error {
	f := &renderFlags{flags: env.flags("compare", "FILE", compareText)}
	f.pageFlags()
	if err := f.parseFile(args, 1); err != nil {
		return err
	}
	cfg, policy, request, err := f.request(ctx, env)
	if err != nil {
		return plain(err)
	}
	if request.Output.Format != render.PDF {
		return errOnlyPDFs
	}
	bounded, cancel := context.WithTimeout(ctx, cfg.RenderTimeout)
	defer cancel()
	return plain(withEngines(bounded, cfg, policy, func(engine *engines.Engine) error {
		switch {
		case engine.Native == nil:
			return errNoNative
		case engine.Browser == nil:
			return engine.Missing()
		}
		return compare(bounded, env, path.Base(f.file), request, engine.Browser, engine.Native)
	}))
}

// compare renders a page with two engines and prints how the second document differs from the first.
func compare(ctx context.Context, env Env, name string, request render.Request, measure, measured render.Engine) error {
	var documents [2]fidelity.Document
	for i, engine := range []render.Engine{measure, measured} {
		var pdf bytes.Buffer
		report, err := engine.Render(ctx, &pdf, request)
		if err != nil {
			return err
		}
		printWarnings(env, report.Warnings)
		if documents[i], err = fidelity.Read(ctx, pdf.Bytes()); err != nil {
			return fmt.Errorf("read the document of %s: %w", report.Engine, err)
		}
	}
	result := fidelity.Compare(documents[0], documents[1])
	_, err := fmt.Fprintln(env.Stdout, fidelity.Header()+"\n"+result.Row(line(name)))
	if details := result.Details(); err == nil && details != "" {
		_, err = fmt.Fprintln(env.Stdout, "\n"+details)
	}
	return err
}
