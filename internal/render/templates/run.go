package templates

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/render/locale"
)

// errDryRun ends a run that was only started to have the template escaped.
var errDryRun = errors.New("dry run")

const (
	maxDepth    = 500     // templates inside templates
	maxArgBytes = 1 << 20 // arguments of one call of a function that makes text
	bytesAStep  = 64

	stepsAnInclude = 10
)

// run is one execution: what it may still spend, and the functions bound to it. One goroutine uses it.
type run struct {
	ctx      context.Context // a template function has no other way to it
	env      Environment
	zone     *time.Location // of env, when it was needed
	locales  map[string]locale.Locale
	root     any
	loads    map[uintptr]int // see [run.rootLoads]
	load     int
	report   Report
	set      *template.Template
	maxSteps int
	steps    int
	depth    int
	dry      bool
	include  func(name string, data any) (template.HTML, error)
}

// enter, step and leave are called by the nodes that [stepNodes] puts into every template.
func (r *run) enter() (string, error) {
	if r.depth++; r.depth > maxDepth {
		return "", ErrTooLong.With("The templates call each other more than %d deep.", maxDepth)
	}
	return r.step()
}

func (r *run) step() (string, error) { return "", r.spend(1) }

func (r *run) leave() string {
	r.depth--
	return ""
}

func (r *run) spend(n int) error {
	if r.dry {
		return errDryRun
	}
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	if r.steps += n; r.steps > r.maxSteps {
		return ErrTooLong.With("The template takes more than %d steps.", r.maxSteps)
	}
	return nil
}

// charge spends for the arguments of a function that makes text, and refuses very long ones: print, html and
// the like would otherwise double a variable in every pass of a loop.
func (r *run) charge(args ...any) error {
	return r.pay(weighAll(args, maxArgBytes), 0)
}

// pay spends for arguments that leave so much of the budget of a call, and for more.
func (r *run) pay(left, more int) error {
	if left < 0 {
		return ErrFailed.With("A function was given more than %d bytes.", maxArgBytes)
	}
	return r.spend(1 + (maxArgBytes-left)/bytesAStep + more)
}

func weighAll(args []any, left int) int {
	for _, arg := range args {
		left = weigh(arg, left)
	}
	return left
}

// weigh returns what is left of a budget after v; it stops when nothing is.
func weigh(v any, left int) int {
	left -= 8
	if left < 0 {
		return left
	}
	switch v := v.(type) {
	case string:
		left -= len(v)
	case template.HTML:
		left -= len(v)
	case template.URL:
		left -= len(v)
	case decimal:
		left -= len(v.String())
	case map[string]any:
		for key, value := range v {
			if left = weigh(value, left-len(key)); left < 0 {
				return left
			}
		}
	case []any:
		for _, value := range v {
			if left = weigh(value, left); left < 0 {
				return left
			}
		}
	}
	return left
}

// include runs a template that calls itself, for [cutRecursion].
func include(r *run, maxBytes int64, name string, data any) (template.HTML, error) {
	if err := r.spend(stepsAnInclude); err != nil {
		return "", err
	}
	var b strings.Builder
	if err := r.set.ExecuteTemplate(&boundedWriter{w: &b, left: maxBytes}, name, data); err != nil {
		return "", fmt.Errorf("template %q: %w", name, err)
	}
	return template.HTML(b.String()), nil //nolint:gosec // G203: it is the escaper's own output
}

// boundedWriter passes left bytes on and then fails.
type boundedWriter struct {
	w    io.Writer
	left int64
}

// Write implements io.Writer.
func (b *boundedWriter) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, ErrTooLarge
	}
	n, err := b.w.Write(p)
	if err != nil {
		return n, fmt.Errorf("write: %w", err)
	}
	return n, nil
}
