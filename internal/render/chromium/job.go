package chromium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/platen-render/platen/internal/render"
)

// job is one render in one tab.
type job struct {
	engine *Engine
	tab    *tab
	req    render.Request
	site   *site
	log    *requestLog
	guard  *guard
	frames *frames
	paper  paper
	world  runtime.ExecutionContextID // where our own scripts run in the page; 0 before the first has
}

// renderIn renders a page in a browser. Its errors are not yet those of the port: [outcome] makes them so.
func (e *Engine) renderIn(ctx context.Context, b *browser, w io.Writer, req render.Request) (render.Report, error) {
	t, life, err := b.open(ctx, viewport(req.Output))
	if err != nil {
		return render.Report{}, err
	}
	j := &job{engine: e, tab: t, req: req, site: newSite(req)}
	j.log = newRequestLog(j.site, t.flood)
	j.guard = &guard{tab: t, site: j.site, log: j.log}
	j.frames = newFrames(t, j.site, j.log)

	document, pages, err := j.run(life)
	err = j.explain(life, err)
	t.close(ctx)
	if err != nil {
		return render.Report{}, err
	}
	if _, err := w.Write(document); err != nil {
		return render.Report{}, fmt.Errorf("write the document: %w", err)
	}
	j.progress(100)
	return render.Report{
		Engine: "chromium", Version: b.name, Pages: pages,
		ContentType: req.Output.Format.ContentType(), Fonts: e.digest(), Warnings: j.log.all(),
		Online: j.site.visit != nil || j.log.wasOnline(),
	}, nil
}

func (j *job) run(ctx context.Context) ([]byte, int, error) {
	if err := j.prepare(ctx); err != nil {
		return nil, 0, err
	}
	j.progress(10)
	if err := j.load(ctx); err != nil {
		return nil, 0, err
	}
	if err := j.await(ctx); err != nil {
		return nil, 0, err
	}
	if err := j.settle(ctx); err != nil {
		return nil, 0, fmt.Errorf("settle: %w", err)
	}
	j.progress(60)
	findings, err := j.examine(ctx, j.screen())
	if err != nil {
		return nil, 0, fmt.Errorf("examine: %w", err)
	}
	document, pages, err := j.output(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := j.judge(ctx, findings); err != nil {
		return nil, 0, fmt.Errorf("examine: %w", err)
	}
	if err := j.checkStay(ctx); err != nil {
		return nil, 0, fmt.Errorf("check that the page is still there: %w", err)
	}
	return document, pages, nil
}

func (j *job) output(ctx context.Context) ([]byte, int, error) {
	if j.req.Output.Format.IsImage() {
		picture, err := j.capture(ctx)
		return picture, 1, err
	}
	return j.print(ctx)
}

func (j *job) progress(percent int) {
	if j.req.Progress != nil {
		j.req.Progress(percent)
	}
}

// explain turns what went wrong on the page into a fault. What is already one stays, and so does the end of
// the browser, which is not the page's doing.
func (j *job) explain(ctx context.Context, err error) error {
	var answer *cdproto.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errCrashed):
		return render.ErrPageFailed.With("The page crashed; mostly this means that it took too much memory.").Because(err)
	case errors.Is(context.Cause(ctx), errLeft):
		return render.ErrPageFailed.With("The page put another document in its place, or tried to.").Because(err)
	case errors.Is(context.Cause(ctx), errReloads):
		return render.ErrPageFailed.With("A frame of the page was loaded more than %d times.", maxFrameLoads).Because(err)
	case errors.Is(context.Cause(ctx), errFlood):
		return render.ErrPageFailed.With("The page made more than %d requests.", maxRequests).Because(err)
	case errors.As(err, &answer) && !errors.Is(err, render.ErrPageRange):
		return render.ErrPageFailed.Because(err)
	default:
		return err
	}
}

// frame is the main frame of the page: it has the number of its target.
func (j *job) frame() cdp.FrameID { return cdp.FrameID(j.tab.target) }

// prepare sets the page up. All commands are sent before the first answer is awaited.
func (j *job) prepare(ctx context.Context) error {
	j.tab.handle(ctx, j.hear)
	out := j.req.Output
	media := ""
	if !out.Format.IsImage() {
		media = "print" // so that what only the printed page shows is loaded before it is printed
	}
	steps := []struct {
		method string
		params any
	}{
		{page.Enable.Method, page.EnableParams{}},
		{network.Enable.Method, network.EnableParams{}},
		{fetch.Enable.Method, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*"}}}},
		{page.AddScriptToEvaluateOnNewDocument.Method, page.AddScriptToEvaluateOnNewDocumentParams{Source: stayScript, WorldName: worldName}},
		{emulation.SetLocaleOverride.Method, emulation.SetLocaleOverrideParams{Locale: out.Locale}},
		{emulation.SetTimezoneOverride.Method, emulation.SetTimezoneOverrideParams{TimezoneID: out.TimeZone}},
		{emulation.SetUserAgentOverride.Method, emulation.SetUserAgentOverrideParams{UserAgent: j.tab.browser.agent, AcceptLanguage: out.Locale}},
		{emulation.SetEmulatedMedia.Method, emulation.SetEmulatedMediaParams{Media: media}},
	}
	if out.Format.IsImage() {
		steps = append(steps, struct {
			method string
			params any
		}{emulation.SetDeviceMetricsOverride.Method, metrics(out)})
	}
	if j.site.script {
		for world, script := range map[string]string{"": complainScript, worldName: hearScript} {
			steps = append(steps, struct {
				method string
				params any
			}{page.AddScriptToEvaluateOnNewDocument.Method, page.AddScriptToEvaluateOnNewDocumentParams{Source: script, WorldName: world}})
		}
	}
	waiting := make([]*pending, 0, len(steps))
	for _, step := range steps {
		call, err := j.tab.page.send(ctx, step.method, step.params)
		if err != nil {
			return err
		}
		waiting = append(waiting, call)
	}
	for _, call := range waiting {
		if err := call.wait(ctx, nil); err != nil {
			return fmt.Errorf("prepare the page: %w", err)
		}
	}
	return nil
}

// load brings the markup into the page.
func (j *job) load(ctx context.Context) error {
	if !j.site.served {
		_, err := ask(ctx, j.tab.page, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: j.frame(), HTML: j.site.html})
		return err
	}
	if j.site.visit != nil {
		return j.goThere(ctx)
	}
	went, err := ask(ctx, j.tab.page, page.Navigate, page.NavigateParams{URL: j.site.entry()})
	if err != nil {
		return err
	}
	if went.ErrorText != "" {
		return render.ErrPageFailed.Because(errors.New(went.ErrorText))
	}
	return nil
}

// hear handles the events of the page, one after another.
func (j *job) hear(ctx context.Context, msg *cdproto.Message) {
	switch string(msg.Method) {
	case fetch.RequestPaused.Method:
		on(msg, fetch.RequestPaused, func(e fetch.EventRequestPaused) { j.guard.paused(ctx, e) })
	case network.RequestWillBeSent.Method:
		on(msg, network.RequestWillBeSent, j.log.began)
	case network.ResponseReceived.Method:
		on(msg, network.ResponseReceived, j.log.answered)
	case network.LoadingFinished.Method:
		on(msg, network.LoadingFinished, j.log.finished)
	case network.LoadingFailed.Method:
		on(msg, network.LoadingFailed, j.log.broke)
	case page.FrameNavigated.Method:
		on(msg, page.FrameNavigated, j.frames.navigated)
	case page.DocumentOpened.Method:
		on(msg, page.DocumentOpened, j.frames.opened)
	case page.FrameRequestedNavigation.Method:
		on(msg, page.FrameRequestedNavigation, j.frames.requested)
	case page.DomContentEventFired.Method:
		j.frames.read()
	case page.LoadEventFired.Method:
		j.frames.arrived()
	case page.FrameStoppedLoading.Method:
		on(msg, page.FrameStoppedLoading, j.frames.stopped)
	case page.JavascriptDialogOpening.Method:
		j.tab.page.tell(ctx, page.HandleJavaScriptDialog.Method, page.HandleJavaScriptDialogParams{Accept: false})
	}
}

func on[E any](msg *cdproto.Message, kind cdp.Event[E], f func(E)) {
	if event, ok := decodeEvent(msg, kind); ok {
		f(event)
	}
}

const (
	pixelsPerInch = 96
	mmPerInch     = 25.4
)

// viewport is the size of the page while it loads: what the sheet leaves between its margins or, for an
// image, the whole sheet.
func viewport(out render.Output) size {
	width, height := out.Width, out.Height
	if out.Landscape {
		width, height = height, width
	}
	if !out.Format.IsImage() {
		width -= out.Margin.Left + out.Margin.Right
		height -= out.Margin.Top + out.Margin.Bottom
	}
	return size{width: pixels(width), height: pixels(height)}
}

func pixels(mm float64) int64 {
	return max(1, int64(math.Round(mm/mmPerInch*pixelsPerInch)))
}
