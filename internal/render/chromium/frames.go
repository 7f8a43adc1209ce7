package chromium

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// maxFrameLoads is how often a frame inside the page may show another document. One that reloads itself would
// never come to rest.
const maxFrameLoads = 20

// frames follows what the frames of a page show. Its methods are called by the handler of the tab, one after
// another, in the order in which the browser did what they tell.
type frames struct {
	tab  *tab
	site *site
	log  *requestLog

	begun  bool // the main frame shows the page,
	parsed bool // has read its markup to the end
	over   bool // and has loaded it
	loaded chan struct{}
	known  map[cdp.FrameID]frame
}

// frame is the document that a frame shows, and how many it has shown.
type frame struct {
	loader cdp.LoaderID
	loads  int
}

func newFrames(t *tab, s *site, log *requestLog) *frames {
	return &frames{tab: t, site: s, log: log, loaded: make(chan struct{}), known: map[cdp.FrameID]frame{}}
}

// navigated ends the page when its own frame shows something else, or another frame never stops. Requests of
// the main frame are refused before; this is for what needs none, as about:blank in the history.
func (f *frames) navigated(event page.EventFrameNavigated) {
	shown := event.Frame
	now := frame{loader: shown.LoaderID, loads: f.known[shown.ID].loads + 1}
	f.known[shown.ID] = now
	switch {
	case len(f.known) > maxRequests:
		f.tab.flood()
	case shown.ParentID != "":
		if now.loads > maxFrameLoads {
			f.tab.reloads()
		}
	case f.begun && (f.site.visit != nil || !f.site.isEntry(shown.URL)):
		f.tab.left()
	case f.site.isEntry(shown.URL):
		f.begun = true
	}
}

// opened notes that the markup of a page that is not served goes into the empty page.
func (f *frames) opened(event page.EventDocumentOpened) {
	if event.Frame.ParentID == "" && !f.site.served {
		f.begun = true
	}
}

// requested ends a page that sends a form while its markup is still being read. The parser stops for that and
// does not go on when stayScript cancels it, so there would be a part of a document and never a load event.
func (f *frames) requested(event page.EventFrameRequestedNavigation) {
	form := event.Reason == page.ClientNavigationReasonFormSubmissionGet || event.Reason == page.ClientNavigationReasonFormSubmissionPost
	here := event.Disposition == page.ClientNavigationDispositionCurrentTab && f.main(event.FrameID)
	if form && here && !f.parsed {
		f.tab.left()
	}
}

// read notes that the markup was read to its end.
func (f *frames) read() { f.parsed = f.begun }

// stopped notes that the browser loads nothing more for a frame. That is mostly the load event, but also comes
// when there will be none: the page has called stop, or never closes a document that it has opened. The
// document's own request is over then, even if nobody says so.
func (f *frames) stopped(event page.EventFrameStoppedLoading) {
	if shown, ok := f.known[event.FrameID]; ok {
		f.log.close(network.RequestID(shown.loader))
	}
	if f.main(event.FrameID) {
		f.arrived()
	}
}

// arrived notes that the main frame has loaded. The empty page before ours has loaded, too.
func (f *frames) arrived() {
	if f.begun && !f.over {
		f.over = true
		close(f.loaded)
	}
}

// main reports whether a frame is that of the page, which has the number of its target.
func (f *frames) main(id cdp.FrameID) bool { return id == cdp.FrameID(f.tab.target) }
