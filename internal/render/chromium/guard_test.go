package chromium_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// proxy is a guarding proxy that refuses all and remembers what it was asked for.
type proxy struct {
	addr string

	mu    sync.Mutex
	asked []string
}

func newProxy(tb testing.TB) *proxy {
	tb.Helper()
	p := &proxy{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, r.Method+" "+r.RequestURI)
		p.mu.Unlock()
		w.WriteHeader(http.StatusForbidden)
	}))
	tb.Cleanup(server.Close)
	p.addr = server.Listener.Addr().String()
	return p
}

func (p *proxy) saw(part string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.asked, func(line string) bool { return strings.Contains(line, part) })
}

// victim is a service on loopback that must not be reached: TCP and UDP on one port.
type victim struct {
	addr string
	hits chan string
}

func newVictim(tb testing.TB) *victim {
	tb.Helper()
	v := &victim{hits: make(chan string, 100)}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	v.addr = tcp.Addr().String()
	udp, err := net.ListenPacket("udp", v.addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _, _ = tcp.Close(), udp.Close() })
	go func() {
		for {
			conn, err := tcp.Accept()
			if err != nil {
				return
			}
			v.hits <- "a TCP connection"
			_ = conn.Close()
		}
	}()
	go func() {
		for {
			n, _, err := udp.ReadFrom(make([]byte, 2000))
			if err != nil {
				return
			}
			v.hits <- "a UDP packet of " + strconv.Itoa(n) + " bytes"
		}
	}()
	return v
}

func (v *victim) untouched(tb testing.TB) {
	tb.Helper()
	select {
	case hit := <-v.hits:
		tb.Errorf("the service on loopback got %s", hit)
	default:
	}
}

// attack tries every way out that a page has. VICTIM becomes the service's address.
const attack = `
<link rel="preconnect" href="http://VICTIM/"><link rel="dns-prefetch" href="//prefetch.victim.test/">
<link rel="stylesheet" href="http://VICTIM/style.css">
<style>@font-face{font-family:X;src:url(http://VICTIM/font.ttf)}p{font-family:X;background:url(http://VICTIM/bg.png)}</style>
<p>kept</p><img src="http://VICTIM/img.png"><iframe src="http://VICTIM/frame.html"></iframe>
<object data="http://VICTIM/object.svg"></object><embed src="http://VICTIM/embed.pdf"><video src="http://VICTIM/video.mp4"></video>
<svg><image href="http://VICTIM/svg.png"/></svg>
<script>
fetch("http://VICTIM/fetch").catch(() => 0);
fetch("https://VICTIM/tls").catch(() => 0);
navigator.sendBeacon("http://VICTIM/beacon", "x");
new WebSocket("ws://VICTIM/socket");
new EventSource("http://VICTIM/events");
window.open("http://VICTIM/popup");
try { new WebTransport("https://VICTIM/transport"); } catch (e) {}
try {
  const worker = new Worker(URL.createObjectURL(new Blob(["fetch('http://VICTIM/worker').catch(()=>0); new WebSocket('ws://VICTIM/wsocket')"])));
} catch (e) {}
try {
  const peer = new RTCPeerConnection({iceServers: [{urls: "stun:VICTIM"}, {urls: "turn:VICTIM?transport=tcp", username: "u", credential: "c"}]});
  peer.createDataChannel("x");
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
} catch (e) {}
fetch("http://169.254.169.254/latest/meta-data/").catch(() => 0);
const until = Date.now() + 300; // time for what is not awaited
(function again() { if (Date.now() < until) fetch("data:,x").then(() => setTimeout(again, 20)); })();
setTimeout(() => document.body.append("scripts ran"), 0);
</script>`

func TestNothingGoesPastTheProxy(t *testing.T) {
	t.Parallel()
	p, v := newProxy(t), newVictim(t)
	e := newEngine(t, chromium.Options{ProxyAddr: p.addr})
	report, pdf := rendertest.Render(t, e, rendertest.Page(strings.ReplaceAll(attack, "VICTIM", v.addr)))
	if text := rendertest.Text(t, pdf); !strings.Contains(text, "kept") || !strings.Contains(text, "scripts ran") {
		t.Errorf("the page is not complete: %q", text)
	}
	if !slices.ContainsFunc(report.Warnings, func(w render.Warning) bool { return strings.Contains(w.Detail, "/img.png") }) {
		t.Errorf("no warning names the refused image: %+v", report.Warnings)
	}
	if slices.ContainsFunc(report.Warnings, func(w render.Warning) bool { return w.Code == "resource_unfinished" }) {
		t.Errorf("a refused request is said to be unfinished: %+v", report.Warnings)
	}
	for _, part := range []string{
		"/style.css", "/font.ttf", "/bg.png", "/img.png", "/frame.html", "/object.svg", "/video.mp4",
		"/svg.png", "/fetch", "/beacon", "/events", "/worker", "CONNECT " + v.addr, "http://169.254.169.254/",
	} {
		if !p.saw(part) {
			t.Errorf("the proxy was not asked for %s", part)
		}
	}
	v.untouched(t)
}

func TestWebSocketsAskTheProxy(t *testing.T) {
	t.Parallel()
	p, v := newProxy(t), newVictim(t)
	e := newEngine(t, chromium.Options{ProxyAddr: p.addr})
	rendertest.Render(t, e, rendertest.Page(`<script>new WebSocket("ws://`+v.addr+`/socket")</script>`))
	eventually(t, "the proxy is asked for the WebSocket", 5*time.Second, func() bool { return p.saw("CONNECT " + v.addr) })
	v.untouched(t)
}

func TestWithoutAProxyNothingIsReached(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	e := newEngine(t, chromium.Options{})
	report, _ := rendertest.Render(t, e, rendertest.Page(strings.ReplaceAll(attack, "VICTIM", v.addr)))
	if len(report.Warnings) == 0 {
		t.Error("no warning")
	}
	rendertest.Render(t, e, document(t, "../testdata/ssrf.html"))
	v.untouched(t)
}

func TestHeadersAndFootersReachNothing(t *testing.T) {
	t.Parallel()
	p, v := newProxy(t), newVictim(t)
	e := newEngine(t, chromium.Options{ProxyAddr: p.addr})
	req := rendertest.Page("<p>kept</p>")
	req.Output.Header = `<img src="http://` + v.addr + `/header.png" onerror="fetch('http://` + v.addr + `/onerror')">` +
		`<iframe src="file:///etc/passwd" style="width:500px;height:60px"></iframe><embed src="file:///etc/passwd">` +
		`<script>document.write("ran")</script><b>header</b>`
	_, pdf := rendertest.Render(t, e, req)
	text := rendertest.Text(t, pdf)
	if !strings.Contains(text, "header") || strings.Contains(text, "root:") || strings.Contains(text, "ran") {
		t.Errorf("text %q", text)
	}
	v.untouched(t)
}

func TestFilesAreNeverRead(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for name, markup := range map[string]string{
		"static": `<iframe src="file:///etc/passwd" width=600 height=400></iframe><embed src="file:///etc/passwd"><object data="file:///etc/passwd"></object>
			<img src="file:///etc/passwd"><link rel="stylesheet" href="file:///etc/passwd"><iframe src="view-source:file:///etc/passwd"></iframe>
			<iframe src="chrome://version"></iframe>`,
		"script": `<pre id=out></pre><script>
			fetch("file:///etc/passwd").then((r) => r.text()).then((t) => out.append(t)).catch((e) => out.append("refused "));
			const x = new XMLHttpRequest(); x.onload = () => out.append(x.responseText);
			try { x.open("GET", "file:///etc/passwd", false); x.send(); } catch (e) { out.append("refused ") }
			const f = document.createElement("iframe"); f.src = "file:///etc/passwd"; document.body.append(f);
			try { new Worker("file:///etc/passwd") } catch (e) {}
			import("file:///etc/passwd").catch(() => 0);
			</script>`,
		"location": `<p>kept</p><script>location = "file:///etc/passwd"</script>`,
		"refresh":  `<meta http-equiv="refresh" content="0;url=file:///etc/passwd"><p>kept</p>`,
		"base":     `<base href="file:///etc/"><p>kept</p><iframe src="passwd"></iframe><img src="passwd">`,
		"popup":    `<p>kept</p><script>window.open("file:///etc/passwd")</script>`,
	} {
		_, pdf := rendertest.Render(t, e, rendertest.Page(markup))
		if text := rendertest.Plain(t, pdf) + rendertest.Text(t, pdf); strings.Contains(text, "root:") {
			t.Errorf("%s: the page shows a file: %q", name, rendertest.Text(t, pdf))
		}
	}
}

func TestDialogsAndPopupsDoNotHoldAPage(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var pdf bytes.Buffer
	req := rendertest.Page(`<script>alert(1); const yes = confirm("2"); const text = prompt("3"); print();
		for (let i = 0; i < 5; i++) window.open("about:blank");
		onbeforeunload = () => "stay";
		document.body.append("confirm=" + yes + " prompt=" + text);
		Notification.requestPermission().then((p) => document.body.append(" notification=" + p));
		navigator.geolocation.getCurrentPosition(() => document.body.append(" located"), () => document.body.append(" unlocated"));
		const a = document.createElement("a"); a.href = "data:text/plain,x"; a.download = "x.txt"; a.click();</script>`)
	if _, err := e.Render(ctx, &pdf, req); err != nil {
		t.Fatal(err)
	}
	text := rendertest.Text(t, pdf.Bytes())
	if !strings.Contains(text, "confirm=false prompt=null") || strings.Contains(text, "notification=granted") || strings.Contains(text, " located") {
		t.Errorf("text %q", text)
	}
}

func TestJobsShareNothing(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Pool: 2})
	page := rendertest.Page(`<script type="module">
		let busy = true; // a request on its way keeps the engine waiting
		(async () => { while (busy) await fetch("hold.txt"); })();
		const seen = [document.cookie, localStorage.getItem("k"), sessionStorage.getItem("k"), (await caches.keys()).length,
			(await indexedDB.databases()).length, (await navigator.serviceWorker.getRegistrations()).length].join("|");
		document.cookie = "k=v; max-age=10000"; localStorage.setItem("k", "v"); sessionStorage.setItem("k", "v");
		await caches.open("k"); indexedDB.open("k");
		await navigator.serviceWorker.register("/worker.js").catch(() => 0);
		document.body.append("seen:" + seen + ":end set:" + localStorage.getItem("k"));
		busy = false;
		</script>`)
	page.Resources = map[string]render.Resource{
		"hold.txt": {}, "worker.js": {ContentType: "text/javascript", Body: []byte("onfetch = () => 0")},
	}
	var renders sync.WaitGroup
	for range 4 {
		renders.Go(func() {
			var pdf bytes.Buffer
			if _, err := e.Render(t.Context(), &pdf, page); err != nil {
				t.Error(err)
				return
			}
			if text := rendertest.Text(t, pdf.Bytes()); !strings.Contains(text, "seen:|||0|0|0:end set:v") {
				t.Errorf("text %q", text)
			}
		})
	}
	renders.Wait()
}

// picture is a PNG of one color.
func picture(tb testing.TB, c color.Color) []byte {
	tb.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		img.Set(i%8, i/8, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestResourcesAreFoundUnderTheNamesOfThePage(t *testing.T) {
	t.Parallel()
	p := newProxy(t)
	e := newEngine(t, chromium.Options{ProxyAddr: p.addr})
	red := render.Resource{ContentType: "image/png", Body: picture(t, color.RGBA{R: 255, A: 255})}
	for name, markup := range map[string]string{
		"logo.png":                       `<img src="logo.png">`,
		"./a/../logo.png":                `<img src="logo.png">`,
		"img/größe 1.png":                `<img src="img/gr%C3%B6%C3%9Fe%201.png">`,
		"deep/style/x.png":               `<style>p{content:url("deep/style/x.png")}</style><p>`,
		"https://cdn.test/a.png?v=1&w=2": `<img src="https://cdn.test/a.png?v=1&amp;w=2">`,
		"https://CDN.test:443/b c.png":   `<img src="https://cdn.test/b%20c.png">`,
		"http://insecure.test/c.png":     `<img src="http://insecure.test/c.png"><script>1</script>`,
		"https://bücher.test/d.png":      `<img src="https://bücher.test/d.png">`,
		"//protocol.test/e.png":          `<img src="//protocol.test/e.png">`,
		"https://base.test/assets/f.png": `<base href="https://base.test/assets/"><img src="f.png">`,
		"https://srcset.test/g.png":      `<img srcset="https://srcset.test/g.png 1x, https://srcset.test/g.png 2x">`,
		"https://frame.test/h.png":       `<iframe srcdoc="&lt;img src=https://frame.test/h.png&gt;"></iframe>`,
		"worker.js":                      `<script>new Worker("worker.js")</script><img src="https://cdn.test/i.png">`,
		"lazy.png":                       `<div style="height:5000px;border-left:1px solid"></div><img loading="lazy" src="lazy.png">`,
		"https://print.test/only.png":    `<style>@media print{p{background:url(https://print.test/only.png);-webkit-print-color-adjust:exact}}</style><p>x`,
	} {
		req := rendertest.Page(markup)
		req.Resources = map[string]render.Resource{"https://cdn.test/i.png": red, name: red}
		if strings.HasSuffix(name, ".js") {
			req.Resources[name] = render.Resource{ContentType: "text/javascript", Body: []byte("self.x = 1")}
		}
		report, pdf := rendertest.Render(t, e, req)
		if len(report.Warnings) != 0 {
			t.Errorf("%s: warnings %+v", name, report.Warnings)
		}
		if !strings.Contains(rendertest.Plain(t, pdf), "/Subtype /Image") {
			t.Errorf("%s: no image is in the document", name)
		}
	}
	if len(p.asked) != 0 {
		t.Errorf("the proxy was asked for %v", p.asked)
	}
}

func TestBrokenAndSlowResourcesAreWarnings(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.RequestURI, "slow") {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	e := newEngine(t, chromium.Options{ProxyAddr: server.Listener.Addr().String(), Settle: time.Second})
	req := rendertest.Page(`<p>kept</p><img src="http://a.test/gone.png?token=secret"><img src="http://a.test/slow.png?token=secret"><img src="torn.png">
		<style>@font-face{font-family:T;src:url(torn.woff2)} p{font-family:T}</style>`)
	req.Resources = map[string]render.Resource{
		"torn.png":   {ContentType: "image/png", Body: []byte("not a picture")},
		"torn.woff2": {ContentType: "font/woff2", Body: []byte("not a font")},
	}
	report, pdf := rendertest.Render(t, e, req)
	if !strings.Contains(rendertest.Text(t, pdf), "kept") {
		t.Error("the text is gone")
	}
	want := []render.Warning{
		{Code: "resource_failed", Detail: "http://a.test/gone.png: HTTP status 404"},
		{Code: "resource_unfinished", Detail: "http://a.test/slow.png: was not loaded in time"},
	}
	for _, w := range want {
		if !slices.Contains(report.Warnings, w) {
			t.Errorf("warnings %+v lack %+v", report.Warnings, w)
		}
	}
	for _, w := range report.Warnings {
		if strings.Contains(w.Detail, "secret") {
			t.Errorf("a warning tells a query: %+v", w)
		}
	}

	e = newEngine(t, chromium.Options{})
	req.HTML = strings.NewReplacer("http://a.test", "data:,").Replace(req.HTML)
	report, _ = rendertest.Render(t, e, req)
	for _, name := range []string{"torn.png", "font T"} {
		if !slices.ContainsFunc(report.Warnings, func(w render.Warning) bool { return strings.HasPrefix(w.Detail, name+":") }) {
			t.Errorf("warnings %+v lack %s", report.Warnings, name)
		}
	}
}

func TestAFloodOfRequestsEndsThePage(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := e.Render(ctx, io.Discard, rendertest.Page(`<script>for (let i = 0; i < 5100; i++) fetch("/" + i)</script>`))
	if err == nil || !strings.Contains(err.Error(), "page_failed") {
		t.Errorf("%v, want page_failed", err)
	}
}
