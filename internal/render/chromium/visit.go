package chromium

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/platen-render/platen/internal/render"
)

// maxRedirects is how often a server may send the browser on before there is a page.
const maxRedirects = 10

// visit is the way to a page on the web. Each address on it passes the guarding proxy; what is decided here is that the way has an end,
// and what the answer at its end means. But for address it belongs to the handler of the tab.
type visit struct {
	address string
	hops    int // requests for the page, redirects included
	refused bool
	answer  *network.Response // to the last of them; nil before it came
}

// ofTheWeb reports whether an address is one that a page may be at. Names and passwords in it are nobody's business here.
func ofTheWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && u.Hostname() != ""
}

// asks reports whether a request of the main frame is one for the page: the first, or what a redirect has made of it. Others are the page's
// own, who wants to leave.
func (v *visit) asks(event fetch.EventRequestPaused) bool {
	return v.hops == 0 || event.RedirectedRequestID != "" && v.answer == nil
}

// admits counts a request for the page and reports whether it may be made.
func (v *visit) admits(address string) bool {
	v.hops++
	v.refused = v.refused || v.hops > maxRedirects+1 || !ofTheWeb(address)
	return !v.refused
}

// answered notes the answer that is the page, and reports whether this is it.
func (v *visit) answered(event network.EventResponseReceived) bool {
	if v.answer != nil || event.Type != network.ResourceTypeDocument {
		return false
	}
	v.answer = event.Response
	return true
}

// shows reports whether an address is that of the page.
func (v *visit) shows(address string) bool {
	return address == v.address || v.answer != nil && address == v.answer.URL
}

// goThere brings the browser to a page on the web, or says why there is none.
func (j *job) goThere(ctx context.Context) error {
	if !ofTheWeb(j.site.entry()) {
		return render.ErrURLRefused.With("The URL is not an address of http or https, without a name and a password.")
	}
	limited, cancel := context.WithTimeout(ctx, j.engine.opts.Answer)
	defer cancel()
	went, err := ask(limited, j.tab.page, page.Navigate, page.NavigateParams{URL: j.site.entry()})
	if err == nil {
		err = j.tab.catchUp(limited)
	}
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		return render.ErrURLFailed.With("The server did not answer within %s.", seconds(j.engine.opts.Answer))
	case err != nil:
		return err
	}
	return j.site.visit.outcome(went.ErrorText)
}

// outcome is the error of a visit: nil when there is a page. That an address is not allowed looks as if nobody were there.
func (v *visit) outcome(failure string) error {
	switch {
	case v.hops > maxRedirects+1:
		return render.ErrURLRefused.With("The server sent the browser on more than %d times.", maxRedirects)
	case v.refused:
		return render.ErrURLFailed.Because(errors.New("a redirect to an address that is not of the web"))
	case v.answer != nil && byProxy(v.answer):
		return render.ErrURLFailed.Because(errors.New("the proxy refused or did not reach the host"))
	case v.answer != nil && v.answer.Status >= http.StatusMultipleChoices:
		return refusal(int(v.answer.Status))
	case failure == aborted:
		return render.ErrPageFailed.With("The URL does not lead to a page: the server sent %s.", v.kind())
	case strings.Contains(failure, "ERR_CERT_"):
		return render.ErrURLFailed.With("The server of the URL has no valid certificate.").Because(errors.New(failure))
	case failure != "":
		return render.ErrURLFailed.Because(errors.New(failure))
	}
	return nil
}

// aborted is what the browser says about an answer that it does not show: a download, or nothing.
const aborted = "net::ERR_ABORTED"

// passing are statuses of the client's that time heals (RFC 9110, RFC 6585, RFC 8470).
var passing = map[int]bool{http.StatusRequestTimeout: true, http.StatusTooEarly: true, http.StatusTooManyRequests: true}

func refusal(status int) error {
	if status >= http.StatusInternalServerError || passing[status] {
		return render.ErrURLFailed.With("The server answered %d.", status)
	}
	return render.ErrURLRefused.With("The server answered %d.", status)
}

// kind is what the server has sent, as a media type.
func (v *visit) kind() string {
	if v.answer == nil {
		return "nothing that a browser shows"
	}
	kind, _, err := mime.ParseMediaType(v.answer.MimeType)
	if err != nil || v.answer.Status == http.StatusNoContent || v.answer.Status == http.StatusResetContent {
		return "nothing that a browser shows"
	}
	return "`" + kind + "`"
}

// byProxy reports whether an answer is the guarding proxy's own (RFC 9209, section 2.1): it has not asked the server, or not reached it.
func byProxy(answer *network.Response) bool {
	for name, value := range answer.Headers {
		if text, ok := value.(string); ok && strings.EqualFold(name, "Proxy-Status") && text == "platen" {
			return true
		}
	}
	return false
}
