package chromium

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/platen-render/platen/internal/render"
)

// Caps of what one page may make us remember.
const (
	maxRequests = 5_000
	maxWarnings = 50
)

// requestLog knows what a page has asked for, what came of it and what is still on its way.
type requestLog struct {
	site *site

	mu         sync.Mutex
	open       map[network.RequestID]underway
	count      int
	failed     map[string]bool // names that were warned about
	fontFailed bool            // some font never arrived
	outside    bool            // something was asked of the network
	warnings   []render.Warning
	changed    chan struct{} // has an item when something ended
	flooded    func()        // called once when a page asks for too much
}

// underway is a request that is not known to have ended.
type underway struct {
	address string
	whole   time.Time // when a script got the whole of a file of the job; zero before, and for what comes from elsewhere
}

// unread is how long a script may take to read such a file. The browser never tells the end of what nobody reads.
const unread = 300 * time.Millisecond

func (u underway) over() bool { return !u.whole.IsZero() && time.Since(u.whole) > unread }

func newRequestLog(s *site, flooded func()) *requestLog {
	return &requestLog{
		site: s, open: map[network.RequestID]underway{}, failed: map[string]bool{},
		changed: make(chan struct{}, 1), flooded: flooded,
	}
}

// endless are kinds of requests that nobody waits for: they carry no part of the document.
var endless = map[network.ResourceType]bool{
	network.ResourceTypeEventSource:        true,
	network.ResourceTypePing:               true,
	network.ResourceTypeCSPViolationReport: true,
	network.ResourceTypeWebSocket:          true,
	network.ResourceTypePreflight:          true,
}

func (l *requestLog) began(event network.EventRequestWillBeSent) {
	if endless[event.Type] || local(event.Request.URL) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if event.LoaderID != "" { // the end of what a worker loads is told to the worker alone
		l.open[event.RequestID] = underway{address: event.Request.URL}
	}
	if l.count++; l.count == maxRequests {
		l.flooded()
	}
}

// local reports whether an address is inside the page, so that there is nothing to wait for.
func local(address string) bool {
	return strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:")
}

// answered notes the responses that say no.
func (l *requestLog) answered(event network.EventResponseReceived) {
	status := event.Response.Status
	if event.Type == network.ResourceTypeFetch {
		l.arrived(event.RequestID)
	}
	if l.site.visit != nil && l.site.visit.answered(event) {
		return
	}
	if status < 400 || endless[event.Type] {
		return
	}
	l.noteFont(event.Type)
	name := l.site.name(event.Response.URL)
	if l.site.own(event.Response.URL) {
		if name != "favicon.ico" {
			l.fail(name, "the job has no such file")
		}
		return
	}
	if byProxy(event.Response) {
		l.fail(name, notLoaded)
		return
	}
	l.fail(name, fmt.Sprintf("HTTP status %d", status))
}

// arrived notes that a script has been given a file of the job.
func (l *requestLog) arrived(id network.RequestID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	request, known := l.open[id]
	if _, ours := l.site.find(request.address); known && (ours || l.site.own(request.address)) {
		request.whole = time.Now()
		l.open[id] = request
	}
}

func (l *requestLog) finished(event network.EventLoadingFinished) { l.close(event.RequestID) }

// broke notes a request that got no answer. Why is for nobody but the proxy's log: the reason would tell a
// stranger what listens where.
func (l *requestLog) broke(event network.EventLoadingFailed) {
	address, known := l.close(event.RequestID)
	if !known || event.Canceled {
		return
	}
	l.noteFont(event.Type)
	l.fail(l.site.name(address), notLoaded)
}

const notLoaded = "could not be loaded"

func (l *requestLog) noteFont(kind network.ResourceType) {
	if kind != network.ResourceTypeFont {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fontFailed = true
}

// failFont warns about a font that did arrive and cannot be used. One that did not has its warning already,
// and nobody can say which of them a family is.
func (l *requestLog) failFont(family string) {
	l.mu.Lock()
	known := l.fontFailed
	l.mu.Unlock()
	if !known {
		l.fail("font "+shorten(family), "could not be used")
	}
}

func (l *requestLog) close(id network.RequestID) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	request, known := l.open[id]
	delete(l.open, id)
	select {
	case l.changed <- struct{}{}:
	default:
	}
	return request.address, known
}

// fail warns about a resource, once.
func (l *requestLog) fail(name, why string) {
	l.mu.Lock()
	known := l.failed[name]
	l.failed[name] = true
	l.mu.Unlock()
	if !known {
		l.warn("resource_failed", name+": "+why)
	}
}

// unfinished warns about what is still on its way.
func (l *requestLog) unfinished() {
	l.mu.Lock()
	names := map[string]bool{}
	for _, request := range l.open {
		if !request.over() {
			names[l.site.name(request.address)] = true
		}
	}
	l.mu.Unlock()
	for name := range names {
		l.warn(render.ResourceUnfinished, name+": was not loaded in time")
	}
}

func (l *requestLog) warn(code, detail string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := render.Warning{Code: code, Detail: detail}
	if len(l.warnings) < maxWarnings && !slices.Contains(l.warnings, w) {
		l.warnings = append(l.warnings, w)
	}
}

// all returns the warnings in an order that does not depend on which answer came first.
func (l *requestLog) all() []render.Warning {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.SortedFunc(slices.Values(l.warnings), func(a, b render.Warning) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
}

// online notes that something is asked of the network.
func (l *requestLog) online() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outside = true
}

func (l *requestLog) wasOnline() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.outside
}

// state returns how many requests are on their way and how many there have been.
func (l *requestLog) state() (open, count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, request := range l.open {
		if !request.over() {
			open++
		}
	}
	return open, l.count
}

// maxNamed is how many requests a sentence names.
const maxNamed = 3

// onTheirWay says what the page is waiting for.
func (l *requestLog) onTheirWay() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := map[string]bool{}
	open := 0
	for _, request := range l.open {
		if !request.over() {
			open++
			names[l.site.name(request.address)] = true
		}
	}
	switch open {
	case 0:
		return fmt.Sprintf("it never rested, and made %d requests", l.count)
	case 1:
		return "1 request on its way: " + listed(names)
	}
	return fmt.Sprintf("%d requests on their way: %s", open, listed(names))
}

func listed(names map[string]bool) string {
	sorted := slices.Sorted(maps.Keys(names))
	if len(sorted) > maxNamed {
		sorted = append(sorted[:maxNamed], "…")
	}
	return strings.Join(sorted, ", ")
}
