package resources_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/render/resources"
)

func files(names ...string) map[string]render.Resource {
	m := map[string]render.Resource{}
	for _, name := range names {
		name, body, _ := strings.Cut(name, "=")
		m[name] = render.Resource{Body: []byte(body)}
	}
	return m
}

// server answers from a map of paths; what is not in it is 404. "→" before a body makes a redirect.
func server(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.RequestURI()]
		if target, redirect := strings.CutPrefix(body, "→"); redirect {
			http.Redirect(w, r, target, http.StatusFound)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func keys(m map[string]render.Resource) []string { return slices.Sorted(maps.Keys(m)) }

func TestFilesOfTheJobAreFoundUnderTheirCleanNames(t *testing.T) {
	t.Parallel()
	l := &resources.Loader{}
	loaded, warnings := l.Load(t.Context(), `<link rel="Stylesheet" href="css/a.css?v=2"><img src="./logo.png"><img src="/img/gr%C3%B6%C3%9Fe%201.png">
		<img src="missing.png"><img src="x/../logo.png#a"><img src="../logo.png"><img src=" Logo.png "><p style="background:url(css/bg.png)">`,
		files("./css/a.css=@import 'b.css'; p{background:url(bg.png)}", "css/b.css=i{background:url('../gone.png')}", "css/bg.png=", "x//../logo.png=", "img/größe 1.png=", "unused.js="))
	want := []string{"css/a.css", "css/a.css?v=2", "css/b.css", "css/bg.png", "img/größe 1.png", "logo.png", "unused.js"}
	if diff := cmp.Diff(want, keys(loaded)); diff != "" {
		t.Error(diff)
	}
	wantWarnings := []render.Warning{
		{Code: "resource_missing", Detail: "Logo.png: the job has no file of this name"},
		{Code: "resource_missing", Detail: "gone.png: the job has no file of this name"},
		{Code: "resource_missing", Detail: "missing.png: the job has no file of this name"},
	}
	if diff := cmp.Diff(wantWarnings, warnings); diff != "" {
		t.Error(diff)
	}
}

func TestWhatAPageNamesIsFetched(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"/a.css":     `@import url("sub/b.css") print; @font-face{font-family:X;src:local(x),url(x.eot),url(x.eot?#iefix) format("embedded-opentype"),url(x.woff2) format("woff2"),url(x.ttf)}`,
		"/sub/b.css": `@import "../a.css"; p{background:image-set("i1.png" 1x, url(i2.png) 2x)} @namespace svg url(http://www.w3.org/2000/svg); i{mask:url(#m);cursor:url(\63.png)}`,
		"/x.woff2":   "font", "/sub/i1.png": "1", "/sub/i2.png": "2", "/sub/c.png": "c", "/img.png": "i", "/s1.png": "s", "/s2.png?a=1,2": "s",
		"/pic.webp": "p", "/svg.png": "v", "/xlink.png": "v", "/input.png": "n", "/bg.png": "b", "/old.png": "→/new/place.png", "/new/place.png": "n",
		"/moved.css": "→/new/moved.css", "/new/moved.css": "p{background:url(here.png)}", "/new/here.png": "h", "/inline.png": "e", "/poster.png": "o", "/q%20q.png?x=%C3%A9": "q",
	}
	s := server(t, pages)
	page := strings.ReplaceAll(`<!DOCTYPE html><link rel=stylesheet href="S/a.css"><link rel="stylesheet" href="S/moved.css"><link rel=icon href="S/favicon.ico">
		<link rel="alternate stylesheet" href="S/alternate.css"><img src="S/img.png#frag" srcset="S/s1.png 1x, S/s2.png?a=1,2 2x"><img src="data:image/png;base64,AAAA">
		<picture><source srcset="S/pic.webp"></picture><svg><image href="S/svg.png"/><image xlink:href="S/xlink.png"/><rect fill="url(#g)"/></svg>
		<input type=image src="S/input.png"><input src="S/not.png"><div style="background:url(&quot;S/bg.png&quot;)"></div><img src="S/old.png">
		<style>p{content:url(S/inline.png)}/* url(S/comment.png) */</style><video poster="S/poster.png" src="S/video.mp4"></video>
		<img src="S/q q.png?x=é"><template><img src="S/template.png"></template><!-- <img src="S/comment.png"> --><script>"<img src='S/script.png'>"</script><textarea><img src="S/text.png"></textarea>`, "S/", s.URL+"/")
	l := &resources.Loader{Client: s.Client()}
	loaded, warnings := l.Load(t.Context(), page, nil)
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
	var want []string
	for path := range pages {
		if !strings.HasPrefix(path, "/new/") || path == "/new/here.png" {
			want = append(want, s.URL+path)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, keys(loaded)); diff != "" {
		t.Error(diff)
	}
	for path, kind := range map[string]string{"/a.css": "text/css", "/x.woff2": "font/woff2", "/img.png": "image/png", "/pic.webp": "image/webp"} {
		if got := loaded[s.URL+path].ContentType; got != kind {
			t.Errorf("%s has the type %q, want %q", path, got, kind)
		}
	}
}

func TestABaseIsHonored(t *testing.T) {
	t.Parallel()
	s := server(t, map[string]string{"/base/a.png": "a", "/b.png": "b"})
	l := &resources.Loader{Client: s.Client()}
	loaded, warnings := l.Load(t.Context(), `<img src="first.png"><base target=x><base href="`+s.URL+`/base/"><base href="/other/"><img src="a.png"><img src="/b.png">`, files("first.png=1"))
	if diff := cmp.Diff([]string{"/first.png", "first.png", s.URL + "/b.png", s.URL + "/base/a.png"}, keys(loaded)); diff != "" || len(warnings) > 0 {
		t.Error(diff, warnings)
	}
	loaded, warnings = l.Load(t.Context(), `<base href="assets/"><img src="a.png"><img src="b.png"><img src="/c.png">`, files("assets/a.png=1", "b.png=2", "c.png=3"))
	if diff := cmp.Diff([]string{"/assets/a.png", "/assets/b.png", "/c.png", "assets/a.png", "b.png", "c.png"}, keys(loaded)); diff != "" || len(warnings) > 0 {
		t.Error(diff, warnings)
	}
	if string(loaded["/assets/b.png"].Body) != "2" {
		t.Error("a file is not found relative to the base")
	}
}

func TestWhatDoesNotComeIsAWarning(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow.png":
			<-r.Context().Done()
		case "/slowbody.png":
			fmt.Fprint(w, "x")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/large.png":
			fmt.Fprint(w, strings.Repeat("x", 5000))
		case "/endless.png":
			for r.Context().Err() == nil {
				fmt.Fprint(w, strings.Repeat("x", 5000))
			}
		case "/broken.png":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "x")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	denied := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host == "denied.test" {
			return nil, fault.New(fault.Invalid, "url_denied", "internal: 10.0.0.1")
		}
		return s.Client().Transport.RoundTrip(r)
	})}
	host := strings.TrimPrefix(s.URL, "http://")
	page := strings.ReplaceAll(`<img src="http://S/slow.png?token=secret"><img src="http://S/slowbody.png"><img src="http://S/large.png"><img src="http://S/endless.png">
		<img src="http://S/broken.png"><img src="http://S/none.png?token=secret#x"><img src="http://S/none.png"><img src="http://user:pass@S/x.png">
		<img src="http://denied.test/x.png"><img src="file:///etc/passwd"><img src="ftp://x/y"><img src="http://[::1/x"><img src="\\S\slash.png">`, "S", host)
	l := &resources.Loader{Client: denied, Limits: resources.Limits{MaxBytes: 1000, Timeout: time.Second}}
	loaded, warnings := l.Load(t.Context(), page, nil)
	if len(loaded) > 0 {
		t.Errorf("loaded %v", keys(loaded))
	}
	var got []string
	for _, w := range warnings {
		got = append(got, w.Code+" "+strings.ReplaceAll(w.Detail, host, "S"))
	}
	want := []string{
		"resource_denied file:///etc/passwd: only http and https addresses are loaded",
		"resource_denied ftp://x/y: only http and https addresses are loaded",
		"resource_denied http://denied.test/x.png: the address may not be called",
		"resource_denied http://S/x.png: an address with a user name or a password is not loaded",
		"resource_failed http://[::1/x: the address is malformed",
		"resource_failed http://S/broken.png: it could not be fetched",
		"resource_failed http://S/none.png: the server answered 404",
		"resource_failed https://S/slash.png: it could not be fetched",
		"resource_too_large http://S/endless.png: it is larger than 1000 bytes",
		"resource_too_large http://S/large.png: it is larger than 1000 bytes",
		"resource_unfinished http://S/slow.png: it did not come in time",
		"resource_unfinished http://S/slowbody.png: it did not come in time",
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(warnings, func(a, b render.Warning) int { return strings.Compare(a.Code+"\x00"+a.Detail, b.Code+"\x00"+b.Detail) }) {
		t.Error("the warnings are not sorted")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestLoadingIsBounded(t *testing.T) {
	t.Parallel()
	var running, most atomicMax
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		most.note(running.add(1))
		defer running.add(-1)
		if name, ok := strings.CutPrefix(r.URL.Path, "/deep"); ok {
			fmt.Fprintf(w, "@import '/deep%s1'; p{background:url(/bg%s.png)}", name, name)
			return
		}
		fmt.Fprint(w, strings.Repeat("x", 1000))
	}))
	t.Cleanup(s.Close)
	var images strings.Builder
	for i := range 40 {
		fmt.Fprintf(&images, `<img src="%s/%d.png">`, s.URL, i)
	}
	l := &resources.Loader{Client: s.Client(), Limits: resources.Limits{MaxCount: 30}}
	loaded, warnings := l.Load(t.Context(), images.String(), nil)
	if len(loaded) != 30 || len(warnings) != 10 || !strings.Contains(warnings[0].Detail, "more than 30 resources") {
		t.Errorf("count: %d loaded, warnings %v", len(loaded), warnings)
	}
	if most.value() > 6 {
		t.Errorf("%d requests at once", most.value())
	}
	l.Limits = resources.Limits{MaxTotal: 5500}
	loaded, warnings = l.Load(t.Context(), images.String(), nil)
	if len(loaded) > 5 || len(warnings) != 40-len(loaded) || warnings[0].Code != "resource_too_large" {
		t.Errorf("total: %d loaded, warnings %v", len(loaded), warnings)
	}
	l.Limits = resources.Limits{MaxDepth: 3}
	loaded, warnings = l.Load(t.Context(), `<link rel=stylesheet href="`+s.URL+`/deep">`, nil)
	// Four sheets, the images of three of them; those of the fourth are one deeper.
	if len(loaded) != 7 || len(warnings) != 2 || !strings.Contains(warnings[0].Detail, "more than 3 deep") {
		t.Errorf("depth: loaded %v, warnings %v", keys(loaded), warnings)
	}
	loaded, warnings = (&resources.Loader{}).Load(t.Context(), images.String(), nil)
	if len(loaded) != 0 || len(warnings) != 40 || warnings[0].Code != "resource_denied" {
		t.Errorf("no client: %v", warnings)
	}
}

func TestAnEndedContextLeavesFilesAndWarnings(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := &resources.Loader{Client: s.Client()}
	loaded, warnings := l.Load(ctx, `<img src="a.png"><img src="`+s.URL+`/b.png">`, files("a.png=1"))
	if len(loaded) != 1 || len(warnings) != 1 || warnings[0].Code != "resource_unfinished" {
		t.Errorf("loaded %v, warnings %v", keys(loaded), warnings)
	}
}

func TestWarningsHaveAnEnd(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&page, `<img src="%d.png">`, i)
	}
	_, warnings := (&resources.Loader{}).Load(t.Context(), page.String(), nil)
	if len(warnings) != 101 || warnings[100].Detail != "19900 more resources were not loaded" {
		t.Errorf("%d warnings, the last is %v", len(warnings), warnings[len(warnings)-1])
	}
}

func TestRealDocuments(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"../../../examples/invoice.html": nil, "testdata/certificate.html": nil,
		"../testdata/malformed.html": nil, "../testdata/nested_divs_5000.html": nil,
		"../testdata/ssrf.html": {
			"resource_denied file:///srv/platen/logo.png", "resource_denied file:///usr/share/fonts/truetype/noto/NotoSerif-Regular.ttf",
			"resource_failed http://127.0.0.1:9911/assets/logo.png", "resource_failed http://127.0.0.1:9911/bg.png", "resource_failed http://127.0.0.1:9911/font.ttf",
			"resource_failed http://127.0.0.1:9911/img.png", "resource_failed http://127.0.0.1:9911/import.css", "resource_failed http://127.0.0.1:9911/protorel.png",
			"resource_failed http://127.0.0.1:9911/srv/platen/logo.png", "resource_failed http://127.0.0.1:9911/style.css", "resource_failed http://127.0.0.1:9911/svgimg.png",
		},
	} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			refuse := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, fmt.Errorf("refused") })}
			_, warnings := (&resources.Loader{Client: refuse}).Load(t.Context(), rendertest.Document(t, path), nil)
			var got []string
			for _, w := range warnings {
				detail, _, _ := strings.Cut(w.Detail, ": ")
				got = append(got, w.Code+" "+detail)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Scanning cannot be interrupted, so that it must be linear whatever the page is.
func TestAHostilePageIsScannedInTime(t *testing.T) {
	t.Parallel()
	const n = 300_000
	for name, page := range map[string]string{
		"open tags":       strings.Repeat("<", n),
		"nested tags":     strings.Repeat("<b>", n),
		"attributes":      "<p " + strings.Repeat("a ", n) + ">",
		"comments":        strings.Repeat("<!--", n),
		"srcset":          `<img srcset="` + strings.Repeat("a (,", n) + `">`,
		"unclosed urls":   "<style>" + strings.Repeat("url(", n),
		"bad urls":        "<style>" + strings.Repeat("url(a'b ", n),
		"css comments":    "<style>" + strings.Repeat("/*", n),
		"css strings":     "<style>" + strings.Repeat("'\n", n),
		"css escapes":     "<style>" + strings.Repeat(`\`, n),
		"css functions":   "<style>p{a:" + strings.Repeat("f(", n),
		"css dashes":      "<style>" + strings.Repeat("-", n),
		"css unicode":     "<style>" + strings.Repeat("u+", n),
		"css less than":   "<style>" + strings.Repeat("<!-", n),
		"unclosed styles": strings.Repeat("<style>", n),
		"percent signs":   `<img src="` + strings.Repeat("%", n) + `">`,
		"dots":            `<img src="` + strings.Repeat("../", n) + `">`,
		"long host":       `<img src="http://` + strings.Repeat("ü.", n) + `">`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			resources.Inspect(page)
			(&resources.Loader{}).Load(t.Context(), page, nil)
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
