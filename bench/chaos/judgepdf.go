package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render/rendertest"
)

var errOtherText = errors.New("lacks the text of its page")

// judgeBytes checks that the document of a real engine is a sound PDF with the text of its own page. What the test engine
// draws its own tests check.
func (in *installation) judgeBytes(ctx context.Context, j jobs.Job, body []byte) {
	if in.engine == testEngineName {
		return
	}
	h := &host{ctx: ctx, dir: in.dir}
	err := h.try(func() { //nolint:contextcheck // the host has it
		rendertest.CheckPDF(h, body)
		if want := "Invoice " + in.told.keys[string(j.ID)] + "\n"; !strings.Contains(rendertest.Text(h, body), want) {
			h.Fatal(fmt.Errorf("%w: %q", errOtherText, want))
		}
	})
	if err != nil {
		in.report.broken(&in.report.NotDocuments, "document %s: %v", j.Document, err)
	}
}
