package httpapi

import (
	"errors"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/webhook"
)

// callbackRequest is what a body says of a callback.
type callbackRequest struct {
	url, secret *string
	headers     map[string]string
}

// callbackOf checks a callback but for its URL, which is judged only when a new job would be made. It never quotes
// the secret. Without a URL, or with an empty one, there is none.
func callbackOf(req callbackRequest, unread wrongs, w *wrongs) *jobs.Callback {
	if req.url == nil && unread.unread("/callback_url") {
		return nil
	}
	if req.url == nil || *req.url == "" {
		if req.secret != nil {
			w.add("/callback_secret", "callback_secret needs a callback_url.")
		}
		if req.headers != nil {
			w.add("/callback_headers", "callback_headers needs a callback_url.")
		}
		return nil
	}
	checkURLLength(*req.url, w)
	w.take(callbacks.ValidateHeaders(req.headers))
	callback := &jobs.Callback{URL: *req.url, Headers: req.headers}
	if req.secret != nil {
		callback.Secret = *req.secret
		checkSecret("/callback_secret", callback.Secret, w)
	}
	return callback
}

func checkURLLength(url string, w *wrongs) {
	if len(url) > api.MaxCallbackURLBytes {
		w.add("/callback_url", "callback_url must have at most %d bytes.", api.MaxCallbackURLBytes)
	}
}

func checkSecret(pointer, text string, w *wrongs) {
	if _, err := webhook.ParseSecret(text); err != nil || len(text) > api.MaxCallbackSecretBytes {
		w.addCode(pointer, api.CodeCallbackSecretInvalid,
			"%s must be whsec_ and the base64 of 24 to 64 bytes, or plain text of 16 to 256 bytes without control characters or white space at its ends.", pointer[1:])
	}
}

var (
	// errCallbackUnresolved is weather: the name may be there the next time.
	errCallbackUnresolved = fault.New(fault.Unavailable, string(api.CodeCallbackHostUnresolved), "The host of callback_url cannot be looked up now.")
	errCallbackDenied     = fault.New(fault.Invalid, string(api.CodeURLDenied), "The callback_url is not allowed.")
	errCallbackShape      = fault.New(fault.Invalid, string(api.CodeFieldInvalid),
		"callback_url must be an absolute https URL with a host, without user and fragment, and without white space and control characters.")
)

// callbackRefused says of a refusal by the guard what it was about. The exact reason stays the cause, for the log: how the URL is
// spelled is no secret, where it leads may be one.
func callbackRefused(err error) error {
	switch {
	case errors.Is(err, urlguard.ErrUnresolved):
		return errCallbackUnresolved.Because(err)
	case errors.Is(err, urlguard.ErrDenied):
		return errCallbackDenied.Because(err)
	}
	return err
}

// submissionRefused names the member that a refusal by one of the guards is about.
func submissionRefused(err error) error {
	if errors.Is(err, jobs.ErrPageURL) {
		return pageRefused(err)
	}
	return pointedAt("/callback_url", callbackRefused(err))
}

// The same of a URL that the request does not name. An administrator set it.
const (
	defaultUnresolved = "The host of the tenant's default callback URL cannot be looked up now."
	defaultDenied     = "The tenant's default callback URL is not allowed. Give a callback_url, or an empty one to do without."
)

// pointedAt names the member of the body that a refusal by the guard is about, and tells what is wrong with its spelling. About a
// URL that is not in the body it says so.
func pointedAt(pointer string, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	switch {
	case ok && errors.Is(err, jobs.ErrDefaultURL) && f.Code == errCallbackUnresolved.Code:
		return f.With(defaultUnresolved)
	case ok && errors.Is(err, jobs.ErrDefaultURL) && f.Code == errCallbackDenied.Code:
		return f.With(defaultDenied)
	case !ok, f.Code != errCallbackUnresolved.Code && f.Code != errCallbackDenied.Code:
		return err
	case errors.Is(err, urlguard.ErrShape):
		f = errCallbackShape.Because(f.Err)
	}
	return f.In(pointer)
}
