package chromium_test

import (
	"bytes"
	"testing"

	"github.com/platen-render/platen/internal/render/chromium"
)

func TestOnlyPagesThatNeedAnOriginAreServed(t *testing.T) {
	t.Parallel()
	for markup, want := range map[string]bool{
		`<p>text</p>`:                                 false,
		`<img src="data:image/png;base64,AA">`:        false,
		`<img src="https://cdn.test/a.png">`:          false,
		`<img src="HTTPS://cdn.test/a.png">`:          false,
		`<a href="https://a.test">x</a><a href="#t">`: false,
		`<a href="other.html">x</a>`:                  false,
		`<style>p{background:url(https://a.test/x.png)} @import "https://a.test/x.css";</style>`: false,
		`<style>p{background:url("data:image/png,x")}</style>`:                                   false,
		`<base href="https://a.test/"><img src="a.png">`:                                         false,
		`<meta http-equiv="content-type" content="text/html">`:                                   false,
		`<svg><use href="#a"/><rect fill="url(#b)"/></svg>`:                                      false,

		`<img src="a.png">`:                                    true,
		`<img src="/a.png">`:                                   true,
		`<img src="//cdn.test/a.png">`:                         true,
		`<img srcset="https://a.test/1.png 1x, 2.png 2x">`:     true,
		`<link rel="stylesheet" href="x.css">`:                 true,
		`<svg><image xlink:href="a.svg"/></svg>`:               true,
		`<style>p{background:url( 'a.png' )}</style>`:          true,
		`<style>@import "x.css";</style>`:                      true,
		`<style>p{background:u\72l(a.png)}</style>`:            true,
		`<p style="background:url(a.png)">`:                    true,
		`<base href="sub/"><img src="a.png">`:                  true,
		`<script>1</script>`:                                   true,
		`<SCRIPT src="https://a.test/x.js"></SCRIPT>`:          true,
		`<p onclick="1">`:                                      true,
		`<a href=" java&#115;cript:alert(1)">`:                 true,
		`<iframe srcdoc="<p>x"></iframe>`:                      true,
		`<META Http-Equiv=" Refresh" content="5">`:             true,
		`<template shadowrootmode=open><img src=a></template>`: true,
	} {
		if got := chromium.IsServed(markup); got != want {
			t.Errorf("%s: served %v, want %v", markup, got, want)
		}
	}
}

// minimal is a PDF as Chromium writes it, with nothing drawn.
const minimal = "%PDF-1.4\n1 0 obj\n<</Title (a \\) >> /Count 9)\n/Keys [1 (]) <41> /N <</X 2 0 R>>]\n/CreationDate (D:20260101000000+00'00')\n" +
	"/ModDate (D:20260101000000+00'00')>>\nendobj\n2 0 obj\n<</Type /Catalog\n/Lang (/Pages 1 0 R)\n/Pages 3 0 R>>\nendobj\n" +
	"3 0 obj\n<</Type /Pages\n/Count 3\n/Kids []>>\nendobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000164 00000 n \n" +
	"0000000232 00000 n \ntrailer\n<</Size 4\n/Root 2 0 R\n/Info 1 0 R>>\nstartxref\n282\n%%EOF\n"

func TestDatesAreBlankedInPlace(t *testing.T) {
	t.Parallel()
	file := []byte(minimal)
	pages, err := chromium.CountPages(file)
	if err != nil || pages != 3 {
		t.Fatalf("%d pages, %v, want 3", pages, err)
	}
	if len(file) != len(minimal) || bytes.Contains(file, []byte("Date")) || bytes.Contains(file, []byte("D:2026")) {
		t.Errorf("the dates are still there: %s", file)
	}
	if !bytes.Contains(file, []byte("/Title (a \\) >> /Count 9)")) {
		t.Error("the title has changed")
	}
}

func FuzzAFileThatIsNoPDFIsAnError(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte("startxref\n0\n%%EOF"))
	f.Add([]byte("xref\n0 1\n9 0 n trailer<</Root 0 0 R/Info 0 0 R startxref\n0\n%%EOF"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if pages, err := chromium.CountPages(file); err == nil && pages < 1 {
			t.Errorf("%d pages and no error", pages)
		}
	})
}
