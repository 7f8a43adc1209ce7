package httpapi

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/output"
	"github.com/platen-render/platen/internal/strictjson"
)

// submission reads a request for a document and checks all that can be checked without looking anything up.
func (s *Server) submission(c *call) (jobs.Submission, error) {
	idempotencyKey, err := c.idempotencyKey()
	if err != nil {
		return jobs.Submission{}, err
	}
	f, err := s.readForm(c)
	if err != nil {
		return jobs.Submission{}, err
	}
	c.jobAt = f.jobAt
	sub, err := s.judge(&f, c.key.Tenant, s.library)
	sub.Tenant, sub.RequestID, sub.IdempotencyKey, sub.Uploads = c.key.Tenant, c.requestID, idempotencyKey, f.uploads
	return sub, err
}

// judge makes a submission of a job, wherever it came in. All that is wrong with it is told at once.
func (s *Server) judge(f *form, tenant string, library freezes) (jobs.Submission, error) {
	req, unread, err := f.request()
	if err != nil {
		return jobs.Submission{}, below(f.jobAt, err)
	}
	in, wrongInput := f.input(req, unread)
	if in.kind == jobs.InputURL && len(f.uploads) > 0 {
		wrongInput.add("/"+api.PartFile, "A page at a url takes no files: it has its own.")
	}
	sub, wrong := s.fill(req, in, unread)
	if err := slices.Concat(unread.below(f.jobAt), wrongInput, wrong.below(f.jobAt)).err(); err != nil {
		return jobs.Submission{}, err
	}
	sub.Freeze = freezer(library, tenant, sub, req)
	sub.Fingerprint, err = f.fingerprint()
	return sub, err
}

// readForm takes a body of either kind.
func (s *Server) readForm(c *call) (form, error) {
	mediaType, params, err := c.mediaType(echo.MIMEApplicationJSON, echo.MIMEMultipartForm)
	if err != nil {
		return form{}, err
	}
	body, err := s.readBody(c)
	if err != nil {
		return form{}, err
	}
	if mediaType == echo.MIMEApplicationJSON {
		return form{job: body}, nil
	}
	return parseForm(body, params["boundary"])
}

// request decodes the job. What could not be read of it is returned apart: the rest can be judged all the same.
func (f *form) request() (api.JobRequest, wrongs, error) {
	var req api.JobRequest
	source := cmp.Or(f.source, strictjson.Body)
	if f.members != nil {
		wrong := source.DecodeMembers(f.members, &req)
		return req, wrong, nil
	}
	if f.job == nil {
		f.job = []byte("{}") // a form need not have one
	}
	wrong, err := source.Decode(f.job, &req)
	if err != nil {
		return req, nil, err
	}
	f.members = strictjson.Members(f.job)
	return req, wrong, nil
}

// size is how many bytes the job has, about.
func (f *form) size() int {
	n := 0
	for name, value := range f.members {
		n += len(name) + len(value)
	}
	return n
}

// input is what a document is made of.
type input struct {
	kind          jobs.InputKind
	text, pointer string
}

// input finds the one input of a request, in the job or in a part.
func (f *form) input(req api.JobRequest, unread wrongs) (input, wrongs) {
	var found []input
	add := func(kind jobs.InputKind, text *string, pointer string) {
		if text != nil {
			found = append(found, input{kind, *text, pointer})
		}
	}
	if req.Template != nil {
		add(jobs.InputTemplate, req.Template.HTML, f.jobAt+"/template/html")
		add(jobs.InputStored, req.Template.Name, f.jobAt+"/template/name")
	}
	add(jobs.InputHTML, req.HTML, f.jobAt+"/html")
	add(jobs.InputMarkdown, req.Markdown, f.jobAt+"/markdown")
	add(jobs.InputURL, req.URL, f.jobAt+"/url")
	for _, t := range f.texts {
		add(jobs.InputKind(t.name), &t.text, "/"+t.name)
	}
	if len(found) == 0 && unread.unread("/template", "/html", "/markdown", "/url") {
		return input{}, nil // there is one, and what is wrong with it is told
	}
	if len(found) == 0 && req.Template != nil {
		return input{}, wrongs{{Pointer: f.jobAt + "/template", Code: string(api.CodeFieldMissing), Detail: "template needs html or name."}}
	}
	return theOnly(found)
}

func theOnly(found []input) (input, wrongs) {
	var w wrongs
	switch len(found) {
	case 0:
		w.addCode("", api.CodeInputMissing, "Give one of template, html, markdown and url.")
		return input{}, w
	case 1:
		if found[0].text == "" {
			w.add(found[0].pointer, "The input must not be empty.")
		}
		return found[0], w
	}
	for _, in := range found {
		w.addCode(in.pointer, api.CodeInputConflict, "Give only one of template, html, markdown and url, and of a template only html or name.")
	}
	return input{}, w
}

// fill checks each member and gives those left out their defaults. What depends on a member that could not be read is not
// judged.
func (s *Server) fill(req api.JobRequest, in input, unread wrongs) (jobs.Submission, wrongs) {
	var w wrongs
	sub := jobs.Submission{
		DocumentKey: documentKey(req.DocumentKey, &w),
		Callback:    callbackOf(callbackRequest{req.CallbackURL, req.CallbackSecret, req.CallbackHeaders}, unread, &w),
		NoCallback:  req.CallbackURL != nil && *req.CallbackURL == "",
		Metadata:    metadata(req.Metadata, &w),
		Class:       class(req.Priority, &w),
		Spec: jobs.Spec{
			Kind: in.kind, Text: in.text, Data: req.Data, Engine: engine(req.Engine, &w), Timeout: s.opts.DefaultTimeout,
			Wait: waitFor(req, &w), Expect: expect(req.Expect, unread, &w), Strict: req.Strict != nil && *req.Strict, Cache: maxAge(req.Cache, &w),
		},
	}
	if !unread.unread("/output") {
		var wrong []fault.Field
		sub.Spec.Output, sub.Spec.Filename, wrong = output.Of(req.Output)
		if in.kind != jobs.InputStored { // what lies below it is not known yet
			w = append(w, wrong...)
		}
	}
	if upTo(&w, "/timeout_seconds", req.TimeoutSeconds, s.maxTimeoutSeconds()) {
		sub.Spec.Timeout = time.Duration(*req.TimeoutSeconds) * time.Second
	}
	if upTo(&w, "/retention_seconds", req.RetentionSeconds, api.MaxRetentionSeconds) {
		sub.Retention = time.Duration(*req.RetentionSeconds) * time.Second
	}
	sub.InputRetention = inputRetention(req, &w)
	switch in.kind {
	case jobs.InputStored:
		sub.Spec.Text, sub.Spec.Template = "", storedTemplate(*req.Template, &w)
	case jobs.InputURL:
		checkPage(req, &w)
	case jobs.InputTemplate:
		if req.Template != nil && req.Template.Version != nil {
			w.add("/template/version", "template.version is only for a stored template, which has a template.name.")
		}
	case jobs.InputHTML, jobs.InputMarkdown:
	}
	if req.Data != nil && in.kind != "" && in.kind != jobs.InputTemplate && in.kind != jobs.InputStored {
		w.add("/data", "data is only for a template.")
	}
	checkTogether(sub.Spec, unread, &w)
	checkPatience(sub.Spec, &w)
	return sub, w
}

func (s *Server) maxTimeoutSeconds() int {
	return min(api.MaxTimeoutSeconds, int(s.opts.MaxTimeout/time.Second))
}

func documentKey(key *string, w *wrongs) string {
	switch {
	case key == nil:
		return ""
	case *key == "" || len(*key) > api.MaxDocumentKeyBytes:
		w.add("/document_key", "document_key must have 1 to %d bytes.", api.MaxDocumentKeyBytes)
	case strings.ContainsFunc(*key, unicode.IsControl):
		w.add("/document_key", "document_key must not have control characters.")
	}
	return *key
}

func engine(e *api.Engine, w *wrongs) string {
	switch {
	case e == nil:
		return string(api.EngineAuto)
	case *e != api.EngineAuto && *e != api.EngineNative && *e != api.EngineChromium:
		w.add("/engine", "engine must be auto, native or chromium.")
	}
	return string(*e)
}

func metadata(raw json.RawMessage, w *wrongs) json.RawMessage {
	switch {
	case raw == nil:
	case raw[0] != '{':
		w.add("/metadata", "metadata must be an object.")
	case len(raw) > api.MaxMetadataBytes:
		w.add("/metadata", "metadata must be at most %d bytes of JSON, not %d.", api.MaxMetadataBytes, len(raw))
	}
	return raw
}

// fingerprint is that of the members as they were sent; a part counts as the member of its name.
func (f *form) fingerprint() (jobs.Fingerprint, error) {
	for _, t := range f.texts {
		f.members[t.name], _ = json.Marshal(t.text) // a string always encodes
	}
	files := make([]jobs.File, len(f.uploads))
	for i, u := range f.uploads {
		files[i] = u.File
	}
	return jobs.FingerprintRequest(f.members, files)
}

// idempotencyKey is the header's value, or "" when there is none.
func (c *call) idempotencyKey() (string, error) {
	values := c.Request().Header.Values("Idempotency-Key")
	switch len(values) {
	case 0:
		return "", nil
	case 1:
		return values[0], jobs.CheckIdempotencyKey(values[0])
	}
	return "", jobs.ErrIdempotencyKey.With("There is more than one Idempotency-Key.")
}
