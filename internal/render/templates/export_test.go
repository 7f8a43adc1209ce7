package templates

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
)

// ErrPanicked lets a test see that the library panicked and was caught.
var ErrPanicked = errPanicked

// Functions are the names that a template may call.
func Functions() []string { return slices.Sorted(maps.Keys(callable())) }

// ExecuteByLibrary is Execute without a program.
func (t *Template) ExecuteByLibrary(ctx context.Context, w io.Writer, data json.RawMessage, env Environment) (Report, error) {
	read, err := ReadData(data, nil)
	if err != nil {
		return Report{}, err
	}
	p, err := t.prepare()
	if err != nil {
		return Report{}, err
	}
	report, err := t.execute(w, &prepared{run: p.run, set: p.set}, run{ctx: ctx, env: env, root: read.root, set: p.set})
	return report, t.source.execError(err)
}

// FillsByProgram reports whether data can be filled in without the library.
func (t *Template) FillsByProgram(ctx context.Context, data json.RawMessage, env Environment) bool {
	read, err := ReadData(data, nil)
	if err != nil {
		return false
	}
	p, err := t.prepare()
	if err != nil {
		return false
	}
	*p.run = run{ctx: ctx, env: env, root: read.root, set: p.set, maxSteps: defaultMaxSteps}
	_, ok := p.fill(read.root, defaultMaxBytes)
	return ok
}
