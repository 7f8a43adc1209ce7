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

// callbackOf checks the callback but for its URL, which is judged only when a new job would be made. It never quotes
// the secret.
func callbackOf(req api.JobRequest, unread wrongs, w *wrongs) *jobs.Callback {
	if req.CallbackURL == nil && unread.unread("/callback_url") {
		return nil
	}
	if req.CallbackURL == nil {
		if req.CallbackSecret != nil {
			w.add("/callback_secret", "callback_secret needs a callback_url.")
		}
		if req.CallbackHeaders != nil {
			w.add("/callback_headers", "callback_headers needs a callback_url.")
		}
		return nil
	}
	if n := len(*req.CallbackURL); n == 0 || n > api.MaxCallbackURLBytes {
		w.add("/callback_url", "callback_url must have 1 to %d bytes.", api.MaxCallbackURLBytes)
	}
	w.take(callbacks.ValidateHeaders(req.CallbackHeaders))
	callback := &jobs.Callback{URL: *req.CallbackURL, Headers: req.CallbackHeaders}
	if req.CallbackSecret != nil {
		callback.Secret = *req.CallbackSecret
		if _, err := webhook.ParseSecret(callback.Secret); err != nil || len(callback.Secret) > api.MaxCallbackSecretBytes {
			w.addCode("/callback_secret", api.CodeCallbackSecretInvalid,
				"callback_secret must be whsec_ and the base64 of 24 to 64 bytes, or plain text of 16 to 256 bytes without control characters or white space at its ends.")
		}
	}
	return callback
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

// pointedAt names the member of the body that a refusal by the guard is about, and tells what is wrong with its spelling.
func pointedAt(pointer string, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	switch {
	case !ok, f.Code != errCallbackUnresolved.Code && f.Code != errCallbackDenied.Code:
		return err
	case errors.Is(err, urlguard.ErrShape):
		f = errCallbackShape.Because(f.Err)
	}
	return f.In(pointer)
}
