package main

import (
	"context"
	"encoding/json"
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
		if want := "Invoice " + in.keyOf(j) + "\n"; !strings.Contains(rendertest.Text(h, body), want) {
			h.Fatal(fmt.Errorf("%w: %q", errOtherText, want))
		}
	})
	if err != nil {
		in.report.broken(&in.report.NotDocuments, "document %s: %v", j.Document, err)
	}
}

// keyOf is what the page of a job names: what its submitter was told that it has, or what the item of a batch says of itself.
func (in *installation) keyOf(j jobs.Job) string {
	if key, ok := in.told.keys[string(j.ID)]; ok {
		return key
	}
	var l label
	_ = json.Unmarshal(j.Metadata, &l) // no key is on no page
	return l.Key
}
