package cli

import (
	"context"
	"fmt"
	"path"
	"strconv"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/urlguard"
)

const inspectText = `
Says which engine FILE is for, without rendering it: the native one when it draws the whole page, or else the browser; and then
what the native one does not draw, line by line. FILE and what it uses are given as to "platen render". Style sheets are read
wherever they come from. Lines are those of the page as the engine gets it: after the template is filled in, and Markdown is HTML.

The status is 0 when the page is for the native engine and 1 when it is not.`

// inspection is what --json prints.
type inspection struct {
	Engine   string    `json:"engine"`        // native or chromium
	Reason   *string   `json:"engine_reason"` // as in a job
	Findings []finding `json:"findings"`
	More     int       `json:"more"` // findings that are not listed
}

// finding is what the native engine does not draw.
type finding struct {
	Kind    string `json:"kind"`
	Feature string `json:"feature"`
	Value   string `json:"value,omitempty"`
	Reason  string `json:"reason"`
	Source  string `json:"source,omitempty"` // of what stands in a file: "document", or the address of a style sheet
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

func inspectDocument(ctx context.Context, env Env, args []string) error {
	f := &renderFlags{flags: env.flags("inspect", "FILE", inspectText)}
	f.pageFlags()
	f.BoolVar(&f.asJSON, "json", false, "print the decision and the findings as JSON")
	if err := f.parseFile(args, 1); err != nil {
		return err
	}
	cfg, _, request, err := f.request(ctx, env)
	if err != nil {
		return plain(err)
	}
	engine, err := native.New(ctx, native.Options{FontDir: cfg.FontDir})
	if err != nil {
		return fmt.Errorf("PLATEN_FONT_DIR: %w", err)
	}
	if request.Output.Printed() {
		request.Output.Format = render.PDF // images of chosen pages are drawn from one
	}
	decision, err := engine.Inspect(ctx, request)
	if err != nil {
		return plain(err)
	}
	if f.asJSON {
		err = printJSON(env.Stdout, inspectionOf(decision))
	} else {
		err = printDecision(env, decision)
	}
	if err != nil || decision.Inside {
		return err
	}
	return fmt.Errorf("%s is not for the native engine: %s", path.Base(f.file), line(decision.Reason()))
}

// request makes of the flags what an engine is asked.
func (f *renderFlags) request(ctx context.Context, env Env) (config.Config, urlguard.Policy, render.Request, error) {
	cfg, policy, err := localSettings(env)
	if err != nil {
		return cfg, policy, render.Request{}, err
	}
	submission, err := f.submission()
	if err != nil {
		return cfg, policy, render.Request{}, err
	}
	request, warnings, err := localPage(ctx, cfg, policy, submission)
	printWarnings(env, warnings)
	return cfg, policy, request, err
}

func inspectionOf(d native.Decision) inspection {
	shown := inspection{Engine: render.Native, Findings: []finding{}, More: d.More}
	if !d.Inside {
		reason := d.Reason()
		shown.Engine, shown.Reason = render.Chromium, &reason
	}
	for _, f := range d.Findings {
		shown.Findings = append(shown.Findings, finding(f))
	}
	return shown
}

func printDecision(env Env, d native.Decision) error {
	if d.Inside {
		_, err := fmt.Fprintln(env.Stdout, "native: all of the page is drawn")
		return err
	}
	rows := make([][]string, 0, len(d.Findings))
	for _, f := range d.Findings {
		rows = append(rows, []string{placeOf(f), line(native.Name(f)), line(f.Reason)})
	}
	if err := printTable(env.Stdout, []string{"LINE", "FEATURE", "REASON"}, rows); err != nil || d.More == 0 {
		return err
	}
	_, err := fmt.Fprintf(env.Stderr, "and %d more\n", d.More)
	return err
}

// placeOf is a line of the page, or a sheet and a line of it.
func placeOf(f cascade.Finding) string {
	place := ""
	if f.Line > 0 {
		place = strconv.Itoa(f.Line)
	}
	if f.Source != "document" && f.Source != "" {
		place = line(f.Source) + ":" + place
	}
	return dash(place)
}
