package resources_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/resources"
)

func TestInspect(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]resources.Page{
		``: {},
		`<p>x</p><a href="x.html">x</a><img src="data:,x"><img src="#a"><img src=""><img src="https://x/y.png">`: {},
		`<script>1</script>`:                                                                {HasScript: true},
		`<script type="module">1</script>`:                                                  {HasScript: true},
		`<script type="application/ld+json">{}</script>`:                                    {},
		`<SCRIPT SRC="https://x/y.js"></SCRIPT>`:                                            {HasScript: true},
		`<script src="y.js"></script>`:                                                      {HasScript: true, HasRelative: true},
		`<body onload="x()">`:                                                               {HasScript: true},
		`<iframe src="javascript:1"></iframe>`:                                              {HasScript: true, HasFrames: true},
		`<iframe srcdoc="&lt;script&gt;"></iframe>`:                                         {HasScript: true, HasFrames: true},
		`<img src="x.png">`:                                                                 {HasRelative: true},
		`<img src="//x/y.png">`:                                                             {HasRelative: true},
		`<img srcset="https://x/y.png 1x, y.png 2x">`:                                       {HasRelative: true},
		`<style>p{background:url(x.png)}</style>`:                                           {HasRelative: true},
		`<p style="background:url(x.png)">`:                                                 {HasRelative: true},
		`<svg><use href="#a"/><rect fill="url(#b)"/></svg>`:                                 {},
		`<svg><use href="x.svg#a"/></svg>`:                                                  {HasRelative: true},
		`<base href="https://x/"><img src="x.png"><img src="//x/y">`:                        {},
		`<base href="sub/"><img src="x.png">`:                                               {HasRelative: true},
		`<script type="text/x-javascript">1</script>`:                                       {HasScript: true},
		`<script type=" text/JavaScript1.5 ">1</script>`:                                    {HasScript: true},
		`<svg><template><script>1</script></template></svg>`:                                {HasScript: true},
		`<svg><title><script>1</script></title></svg>`:                                      {HasScript: true},
		`<svg><style><b onclick="1"></style></svg>`:                                         {HasScript: true},
		`<svg><![CDATA[><!--]]><script>1</script>--></svg>`:                                 {HasScript: true},
		`<svg><title>a &lt; b, c < d</title><style>p>q{}</style><!-- <b> --></svg>`:         {},
		`<title><b></title><svg></svg><!-- <script> -->`:                                    {},
		`<template><script>1</script><img src="x.png"></template>`:                          {},
		`<p><template shadowrootmode="open"><script>1</script><img src="x.png"></template>`: {HasScript: true, HasRelative: true},
		`<template><p><template shadowrootmode="open"><script>1</script></template></template><img src="x.png">`: {HasRelative: true},
		`<!-- <script>1</script> --><textarea><script></textarea>`:                                               {},
		`<object data="x.svg"></object>`:                                                                         {HasRelative: true, HasFrames: true},
		`<link rel="stylesheet" href="x.css">`:                                                                   {HasRelative: true},
		`<style>@import "x.css";</style>`:                                                                        {HasRelative: true},
		`<title><img src="x.png"></title><style><!-- </style><p></p>`:                                            {},
	} {
		if diff := cmp.Diff(want, resources.Inspect(page)); diff != "" {
			t.Errorf("%s: %s", page, diff)
		}
	}
}

// atomicMax is a counter and the most it was.
type atomicMax struct {
	mu sync.Mutex
	n  int
}

func (a *atomicMax) add(d int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n += d
	return a.n
}

func (a *atomicMax) note(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n = max(a.n, n)
}

func (a *atomicMax) value() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n
}

// FuzzLoad: whatever a page and a style sheet are, nothing but http and https is asked for, never with a user,
// and never the page's own origin.
func FuzzLoad(f *testing.F) {
	f.Add(`<base href="http://a/"><img src="b" srcset="c 1x, d 2x"><style>@import "e";</style><p style="x:url(f)">`, `@import url(g); @font-face{src:url(h) format("woff")}`)
	f.Add(`<link rel=stylesheet href=s.css><svg><image href="\\x\y"/></svg>`, `p{x:url("\68\74tp://u:p@z/");y:image-set("a" 1x)}`)
	f.Add(`<img src=" java	script:x"><img src="file:///x"><img src="%zz?é#f">`, `@import "file:///x"`)
	f.Fuzz(func(t *testing.T, page, sheet string) {
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if (r.URL.Scheme != "http" && r.URL.Scheme != "https") || r.URL.User != nil || r.URL.Host == "" || strings.HasSuffix(r.URL.Host, "platen.invalid") {
				t.Errorf("asked for %s", r.URL)
			}
			return nil, iotest.ErrTimeout
		})}
		l := &resources.Loader{Client: client}
		l.Load(context.Background(), page, map[string]render.Resource{"s.css": {Body: []byte(sheet)}})
	})
}
