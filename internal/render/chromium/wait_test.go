package chromium_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func waiting(markup string, wait render.Wait) render.Request {
	req := rendertest.Page(markup)
	req.Wait = wait
	return req
}

func TestAPageIsReadyWhenItsSelectorHasABox(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for name, markup := range map[string]string{
		"at once":     `<p id="total">ready</p>`,
		"later":       `<script>setTimeout(() => { document.body.innerHTML = '<p id="total">ready</p>' }, 700)</script>`,
		"shown later": `<p id="total" style="display:none">ready</p><script>setTimeout(() => { total.style.display = "block" }, 700)</script>`,
		"after its document is another": `<script>onload = () => setTimeout(() => { document.open(); document.write("<p>x"); document.close();
			setTimeout(() => { document.body.innerHTML = '<p id="total">ready</p>' }, 300) }, 300)</script>`,
	} {
		_, text, err := renderSoon(t, e, waiting(markup, render.Wait{Selector: "#total"}))
		if err != nil || text != "ready" {
			t.Errorf("%s: %q, %v, want ready", name, text, err)
		}
	}
}

func TestWhatNeverCameIsNamed(t *testing.T) {
	t.Parallel()
	host := webServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if strings.HasPrefix(r.URL.Path, "/slow/") {
			select {
			case <-r.Context().Done():
			case <-time.After(20 * time.Second):
			}
		}
	})
	e, _ := guarded(t, chromium.Options{Pool: 4}, host)
	fetches := `<script>for (const n of [1, 2, 3, 4]) fetch("http://` + host + `/slow/" + n + "?token=secret")</script>`
	for name, c := range map[string]struct {
		markup string
		wait   render.Wait
		says   string
	}{
		"no such element": {`<p>x`, render.Wait{Selector: "#total"}, `The selector "#total" did not appear within 1.5 s.`},
		"no box":          {`<p id="total" hidden>x`, render.Wait{Selector: "#total"}, `The selector "#total" did not appear within 1.5 s.`},
		"a liar": {`<script>document.querySelector = document.querySelectorAll = () => [document.body]; Element.prototype.getClientRects = () => [1];
			performance.now = () => 0; setTimeout = () => 0</script>`, render.Wait{Selector: "#total"}, `The selector "#total" did not appear within 1.5 s.`},
		"busy for ever": {`<script>setTimeout(() => { for (;;); }, 200)</script>`, render.Wait{Selector: "#total"}, `The selector "#total" did not appear within 1.5 s.`},
		"requests": {fetches, render.Wait{NetworkIdle: true}, "The network was not idle within 1.5 s: 4 requests on their way: http://" + host + "/slow/1, http://" +
			host + "/slow/2, http://" + host + "/slow/3, …."},
		"one image": {`<img src="http://` + host + `/slow/a.png">`, render.Wait{NetworkIdle: true, Selector: "img"}, "The network was not idle within 1.5 s: 1 request on its way: http://" + host + "/slow/a.png."},
	} {
		c.wait.Timeout = 1500 * time.Millisecond
		began := time.Now()
		_, err := e.Render(t.Context(), io.Discard, waiting(c.markup, c.wait))
		if f := fault.From(err); !errors.Is(err, render.ErrWaitTimeout) || f.Message != c.says || fault.Retryable(err) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		if took := time.Since(began); took > soon {
			t.Errorf("%s: took %s", name, took)
		}
	}
	_, err := e.Render(t.Context(), io.Discard, waiting(`<script>(async () => { for (;;) await fetch("x.txt"); })()</script>`,
		render.Wait{NetworkIdle: true, Timeout: time.Second}))
	if !errors.Is(err, render.ErrWaitTimeout) || !strings.Contains(fault.From(err).Message, "The network was not idle within 1 s: ") {
		t.Errorf("a page that never rests: %v", err)
	}
}

func TestAnIdleNetworkHasRestedForHalfASecond(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := waiting(`<p id="p">0</p><script>let n = 0; const next = async () => { await (await fetch("x.txt")).text(); p.textContent = ++n; if (n < 4) setTimeout(next, 300); };
		setTimeout(next, 300)</script>`, render.Wait{NetworkIdle: true})
	req.Resources = map[string]render.Resource{"x.txt": {ContentType: "text/plain", Body: []byte("x")}}
	if _, text, err := renderSoon(t, e, req); err != nil || text != "4" {
		t.Errorf("%q, %v, want 4", text, err)
	}
}

func TestWhatIsNoSelectorIsNamed(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for _, selector := range []string{"#", "p:nope(", `a"]`, "\u2028<", "</script>"} {
		_, err := e.Render(t.Context(), io.Discard, waiting("<p>x", render.Wait{Selector: selector}))
		if !errors.Is(err, render.ErrPageFailed) || !strings.Contains(fault.From(err).Message, "is not a selector of CSS") || fault.Retryable(err) {
			t.Errorf("%q: %v, want page_failed", selector, err)
		}
	}
}

func TestAPageThatCrashesWhileItIsWaitedForIsNamed(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	_, err := e.Render(t.Context(), io.Discard, waiting(`<script>setTimeout(() => { location = "/away" }, 300); setTimeout(() => history.back(), 600)</script>`,
		render.Wait{Selector: "#never", Timeout: 5 * time.Second}))
	if !errors.Is(err, render.ErrPageFailed) {
		t.Errorf("a page that leaves: %v, want page_failed", err)
	}
}
