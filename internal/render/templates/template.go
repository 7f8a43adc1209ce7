// Package templates fills in a caller's own HTML template with the caller's own JSON.
//
// The language is Go's html/template: escaping follows the place where a value stands. The root is the JSON
// value itself and there is nothing else to reach: no files, no methods of ours, no "call". What differs from
// the standard language:
//
//   - Numbers are decimals and stay as written: 1.10 prints 1.10, a 20-digit integer is exact. They can be
//     compared with each other and with literals, and calculated with: add, sub, mul, fixed.
//   - Data that is not there is an error that names the path. "index" is how a template asks for what may be
//     missing: {{with index . "note"}}.
//   - documentID, documentKey, jobID and verifyURL give the identity of the document that is being made.
//   - default gives what stands for data that is missing, null or empty: {{.note | default "-"}}; it may be missing.
//   - date, number, percent, money and plural write for the locale and the zone of the document; nothing reads the clock.
//   - qr and barcode draw, asset names a stored file, dict and list make values.
//   - printf knows %d %f %s %v %q %t and refuses what it cannot print, instead of printing a complaint.
//
// Neither a template nor its data is trusted with the machine: work, output, recursion and even the time that
// the standard library spends on analysing a template are bounded.
package templates

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"text/template/parse"

	"github.com/platen-render/platen/internal/fault"
)

// Faults.
var (
	// ErrInvalid is a template that cannot be used with any data.
	ErrInvalid = fault.New(fault.Invalid, "template_invalid", "The template is not valid.")
	// ErrDataInvalid is data that is not one JSON value.
	ErrDataInvalid = fault.New(fault.Invalid, "template_data_invalid", "The data is not one JSON value.")
	// ErrDataMissing is a template that names data that is not there.
	ErrDataMissing = fault.New(fault.Invalid, "template_data_missing", "The template names data that is not there.")
	// ErrFailed is a template that cannot be filled in with this data.
	ErrFailed = fault.New(fault.Invalid, "template_failed", "The template could not be filled in.")
	// ErrTooLong is a template that does not come to an end within its bounds.
	ErrTooLong = fault.New(fault.Invalid, "template_too_long", "The template takes too many steps.")
	// ErrTooLarge is a template that writes more than it may.
	ErrTooLarge = fault.New(fault.Invalid, "template_too_large", "The filled-in template is larger than this server allows.")
)

// Identity is what a document may print about itself.
type Identity struct {
	DocumentID, DocumentKey, JobID string
	// VerifyURL is where the reader of the document can have it verified.
	VerifyURL string
}

// Nobody is the identity where there is no document yet: for a trial, or on a machine without a server. Its ids are zeros, and its
// address leads nowhere (RFC 6761, section 6.4).
func Nobody(documentKey string) Identity {
	zeros := strings.Repeat("0", 26)
	return Identity{
		DocumentID: "doc_" + zeros, DocumentKey: documentKey, JobID: "job_" + zeros,
		VerifyURL: "https://platen.invalid/verify/doc_" + zeros + "?code=" + strings.Repeat("0", 32),
	}
}

// Environment is what surrounds a template, beside its data. The zero value is for nobody, in English, in UTC.
type Environment struct {
	Identity Identity
	Locale   string // BCP 47; en when empty
	TimeZone string // an IANA name; UTC when empty
}

// Report tells about an execution.
type Report struct {
	// OwnIdentity is true when the template asked for any part of the identity, so that no two documents of it are alike.
	OwnIdentity bool
}

// Limits bound one execution. A zero field means its default.
type Limits struct {
	MaxBytes int64 // written; 64 MiB
	// MaxSteps bounds the work; 5,000,000. A printed value, a pass through a loop and a call of a template or
	// of a function are a step each; a function takes another one for every 64 bytes of its arguments.
	MaxSteps int
}

const (
	defaultMaxBytes = 64 << 20
	defaultMaxSteps = 5_000_000
)

func (l Limits) withDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = defaultMaxBytes
	}
	if l.MaxSteps <= 0 {
		l.MaxSteps = defaultMaxSteps
	}
	return l
}

// Template is a parsed and checked template. It is safe for concurrent use once Limits are set.
type Template struct {
	// Limits may be set between Parse and the first Execute.
	Limits Limits

	source  source
	set     *template.Template // never executed itself, only its clones
	entries []string           // the templates that call themselves, in order
	ready   sync.Pool          // of *prepared, whose executions have ended
}

// Parse checks a template completely, its escaping included.
//
// Errors: [ErrInvalid] with the line and the column, both counted from 1, the column in characters.
func Parse(text string) (t *Template, err error) {
	defer recoverAs(&err)
	src := source(text)
	trees, err := src.parse()
	if err != nil {
		return nil, err
	}
	for _, tree := range trees {
		tolerate(tree)
	}
	entries := cutRecursion(trees)
	if err := checkCost(trees, entries); err != nil {
		return nil, err
	}
	set, err := assemble(trees)
	if err != nil {
		return nil, src.invalid(position{}, "%v", err)
	}
	t = &Template{source: src, set: set, entries: entries}
	if _, err := t.escaped(&run{dry: true}); err != nil {
		return nil, err
	}
	return t, nil
}

// Execute is [Template.Fill] with data that is not read yet. Empty data is {}.
//
// Errors: those of [ReadData], and of Fill.
func (t *Template) Execute(ctx context.Context, w io.Writer, data json.RawMessage, env Environment) (Report, error) {
	read, err := ReadData(data, nil)
	if err != nil {
		return Report{}, err
	}
	return t.Fill(ctx, w, read, env)
}

// Fill writes the template, filled in with data, to w. Equal input gives equal bytes: nothing reads the clock. After an error the caller
// discards what was written.
//
// Errors: [ErrDataMissing], [ErrFailed], [ErrTooLong] and [ErrTooLarge]; the cause of ctx, wrapped, soon after ctx ends; an error of w.
func (t *Template) Fill(ctx context.Context, w io.Writer, data Data, env Environment) (report Report, err error) {
	defer recoverAs(&err)
	p, err := t.prepare()
	if err != nil {
		return Report{}, err
	}
	report, err = t.execute(w, p, run{ctx: ctx, env: env, root: data.root, set: p.set})
	t.ready.Put(p)
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return report, fmt.Errorf("fill in template: %w", cause)
	}
	return report, t.source.execError(err)
}

// execute does what the run says, with what is prepared for it.
func (t *Template) execute(w io.Writer, p *prepared, as run) (Report, error) {
	limits := t.Limits.withDefaults()
	as.maxSteps = limits.MaxSteps
	r := p.run
	defer func() { *r = run{} }() // it keeps nothing of this execution
	out := &boundedWriter{w: w, left: limits.MaxBytes}
	*r = as
	if text, ok := p.fill(as.root, limits.MaxBytes); ok {
		_, err := out.Write(text)
		return r.report, err
	}
	*r = as
	r.include = func(name string, data any) (template.HTML, error) { return include(r, out.left, name, data) }
	err := p.set.Execute(out, as.root)
	return r.report, err
}

// prepared is a copy of the set that has been through the contextual escaper, and the run that its functions are bound to. One execution
// at a time has it. To make it takes longer than most executions.
type prepared struct {
	run     *run
	set     *template.Template
	program *program // nil where the set is not for one
}

// fill runs the program. It is not ok where the set has to be executed: whatever is not for a program, errors among it.
func (p *prepared) fill(root any, most int64) (text []byte, ok bool) {
	if p.program == nil {
		return nil, false
	}
	text, err := p.program.fill(root, most)
	return text, err == nil
}

// prepare returns one whose execution has ended, or a new one.
func (t *Template) prepare() (*prepared, error) {
	if p, ok := t.ready.Get().(*prepared); ok {
		return p, nil
	}
	r := &run{dry: true}
	set, err := t.escaped(r)
	if err != nil {
		return nil, err
	}
	p := &prepared{run: r, set: set}
	if p.program, err = compile(set, r); err != nil {
		p.program = nil
	}
	return p, nil
}

// escaped returns a copy of the set that runs with r and has been through the contextual escaper, which works
// on a set when it is first executed. In a dry run the first step, with which every template begins, ends it.
func (t *Template) escaped(r *run) (*template.Template, error) {
	set, err := t.set.Clone()
	if err != nil {
		return nil, fmt.Errorf("clone template: %w", err)
	}
	set.Funcs(r.functions())
	for _, name := range append([]string{rootName}, t.entries...) {
		err := set.ExecuteTemplate(io.Discard, name, nil)
		if !errors.Is(err, errDryRun) {
			return nil, t.source.escapeError(err)
		}
	}
	if err := t.source.checkIncludes(set); err != nil {
		return nil, err
	}
	return set, nil
}

// assemble makes an html/template of trees that have been checked.
func assemble(trees map[string]*parse.Tree) (*template.Template, error) {
	steps, err := newStepNodes()
	if err != nil {
		return nil, err
	}
	set := template.New(rootName).Option("missingkey=error").Funcs((&run{}).functions())
	for name, tree := range trees {
		steps.insert(tree)
		if _, err := set.AddParseTree(name, tree); err != nil {
			return nil, fmt.Errorf("add %q: %w", name, err)
		}
	}
	return set, nil
}

var errPanicked = errors.New("panic in the template library")

// recoverAs turns a panic of the template library, which has paths that re-panic, into an error.
func recoverAs(err *error) {
	if p := recover(); p != nil {
		*err = ErrFailed.Because(fmt.Errorf("%w: %v", errPanicked, p))
	}
}
