package chromium

import (
	"context"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// guard answers each request that the page makes through the browser's loader. WebSockets do not pass here;
// they and all that goes on are decided by the proxy.
type guard struct {
	tab     *tab
	site    *site
	log     *requestLog
	entered bool // the page itself was asked for
}

// schemes are those that a request may have. Everything else (file, chrome, devtools, ftp) is refused here,
// although the browser refuses to load it from a page in the first place.
var schemes = []string{"http:", "https:", "data:", "blob:", assetScheme}

func (g *guard) paused(ctx context.Context, event fetch.EventRequestPaused) {
	address := event.Request.URL
	main := event.ResourceType == network.ResourceTypeDocument && string(event.FrameID) == string(g.tab.target)
	switch {
	case main && g.site.visit != nil && g.site.visit.asks(event):
		g.visit(ctx, event)
	case main && g.site.served && !g.entered && address == g.site.entry():
		g.entered = true
		g.fulfil(ctx, event, http.StatusOK, "text/html; charset=utf-8", []byte(g.site.html))
	case main:
		// stayScript cancels a navigation before it begins. The parser stops as soon as one has begun, refused or
		// not, so what this page shows now may be a part of the document: there is none to be had from it.
		g.fail(ctx, event, network.ErrorReasonAborted)
		g.tab.left()
	case !allowed(address):
		g.log.warn("resource_failed", g.site.name(address)+": this kind of address is not allowed")
		g.fail(ctx, event, network.ErrorReasonAccessDenied)
	default:
		g.resource(ctx, event, address)
	}
}

// visit lets the browser ask for a page of the web, or goes no further with it.
func (g *guard) visit(ctx context.Context, event fetch.EventRequestPaused) {
	if !g.site.visit.admits(event.Request.URL) {
		g.fail(ctx, event, network.ErrorReasonAccessDenied)
		return
	}
	g.tab.page.tell(ctx, fetch.ContinueRequest.Method, fetch.ContinueRequestParams{RequestID: event.RequestID})
}

func (g *guard) resource(ctx context.Context, event fetch.EventRequestPaused, address string) {
	if f, ok := g.site.find(address); ok {
		kind := f.resource.ContentType
		if kind == "" {
			kind = "application/octet-stream"
		}
		g.fulfil(ctx, event, http.StatusOK, kind, f.resource.Body)
		return
	}
	if g.site.own(address) {
		g.fulfil(ctx, event, http.StatusNotFound, "text/plain; charset=utf-8", nil)
		return
	}
	if !local(address) {
		g.log.online()
	}
	g.tab.page.tell(ctx, fetch.ContinueRequest.Method, fetch.ContinueRequestParams{RequestID: event.RequestID})
}

// fulfil answers in place of a server. Fonts and scripts of another origin need the CORS header.
func (g *guard) fulfil(ctx context.Context, event fetch.EventRequestPaused, status int64, kind string, body []byte) {
	g.tab.page.tell(ctx, fetch.FulfillRequest.Method, fetch.FulfillRequestParams{
		RequestID: event.RequestID, ResponseCode: status, Body: body,
		ResponseHeaders: []*fetch.HeaderEntry{
			{Name: "Content-Type", Value: kind},
			{Name: "Access-Control-Allow-Origin", Value: "*"},
			{Name: "Cache-Control", Value: "no-store"},
		},
	})
}

func (g *guard) fail(ctx context.Context, event fetch.EventRequestPaused, reason network.ErrorReason) {
	g.tab.page.tell(ctx, fetch.FailRequest.Method, fetch.FailRequestParams{RequestID: event.RequestID, ErrorReason: reason})
}

func allowed(address string) bool {
	for _, scheme := range schemes {
		if len(address) >= len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}
