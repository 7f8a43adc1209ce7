package cascade_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// alike are pages whose sheets differ in little more than where they stand.
var alike = []string{
	"<!doctype html><style>%s</style>", "<!doctype none><style>%s</style>", "<!doctype html> <style>%s</style>",
	"<!doctype html>\n<style>%s</style>", "<!doctype html>\n\n<style>%s</style>", "<!doctype html><style media=print>%s</style>",
	"<!doctype html><style>@media (min-width:700px){%s}</style>", "<!doctype html><style>%s</style><style>%[1]s p{color:blue}</style>",
	"<!doctype html><style>@layer a,b;@layer b{%s}</style>", "<!doctype html><style>@import 'css/a.css';%s</style>",
	"<!doctype html><link rel=stylesheet href=css/a.css>%.0s", "<!doctype html><link rel=stylesheet href=css/b.css>%.0s",
	"<!doctype html><link rel=stylesheet href=css/c.css>%.0s",
}

const sheetText = `p{color:rgb(1,2,3);margin:1ex 2px;width:50vw;height:5;background:url(x.png)}
@media (min-width:600px){p,b:not(.x){columns:2;background:url(x.png);&.c,em{border:1px solid var(--c)}}}
@page :first{margin:2cm;@top-left{content:"a"}}@page wide{margin:0}
:root{--c:red}@supports (display:grid){p::before{content:counter(p);animation:k 1s}}@keyframes k{}
@font-face{font-family:F;src:url(f.ttf);size-adjust:90%}@container (width>1px){p{color:red}}`

// TestADocumentIsTheSameWhateverTheStockHas computes pages with sheets of others in the stock, side by side, on papers of two sizes and with two
// folders of files.
func TestADocumentIsTheSameWhateverTheStockHas(t *testing.T) {
	t.Parallel()
	var stock cascade.Stock
	var all sync.WaitGroup
	for i := range 4 * len(alike) {
		page := fmt.Sprintf(alike[i/4], sheetText) + "<body><p class=c style='color:red'>a<b>b</b><em>c</em></p>"
		options := a4()
		plain := render.Resource{Body: []byte(strings.Replace(sheetText, "url(x.png)", "none", 1))}
		options.Library.Resources = map[string]render.Resource{"css/a.css": {Body: []byte(sheetText)}, "css/b.css": plain, "css/c.css": plain, "x.png": {}}
		if i&1 == 0 {
			options.Width = 500
		}
		if i&2 == 0 {
			options.Library.Resources["css/x.png"] = render.Resource{}
		}
		want := computed(t, page, options)
		options.Stock = &stock
		for range 2 {
			all.Go(func() {
				for range 3 {
					if got := computed(t, page, options); !reflect.DeepEqual(got, want) {
						t.Errorf("with a stock another one:\n%s", page)
					}
				}
			})
		}
	}
	all.Wait()
}

// outcome is all that a page can see of its styles.
type outcome struct {
	Fonts    []cascade.FontFace
	Findings []cascade.Finding
	More     int
	Elements []look
	Distinct []look
	Pages    []*cascade.Page
}

type look struct {
	Style, Before, After, Marker *property.Style
	Hidden                       bool
}

func lookOf(s *cascade.Styled) look { return look{s.Style, s.Before, s.After, s.Marker, s.Hidden()} }

func computed(t *testing.T, page string, options cascade.Options) outcome {
	t.Helper()
	doc, err := dom.Parse(t.Context(), page, dom.Limits{})
	if err != nil {
		t.Error(err)
		return outcome{}
	}
	result, err := cascade.Compute(t.Context(), doc, options)
	if err != nil {
		t.Error(err)
		return outcome{}
	}
	o := outcome{Fonts: result.Fonts, Findings: result.Findings, More: result.More}
	for _, n := range doc.Elements {
		o.Elements = append(o.Elements, lookOf(result.Of(n)))
	}
	for _, s := range result.Distinct() {
		o.Distinct = append(o.Distinct, lookOf(s))
	}
	for kind := range 8 {
		o.Pages = append(o.Pages, result.Page(kind&1 != 0, kind&2 != 0, kind&4 != 0))
	}
	return o
}

// TestAStockHasItsBounds fills a stock with sheets whose declarations have hundreds of longhands, and with the styles of elements in elements.
func TestAStockHasItsBounds(t *testing.T) {
	var stock cascade.Stock
	options := a4()
	options.Stock = &stock
	before := heap()
	for i := range 60 {
		sheet := fmt.Sprintf("<style>.c%d{color:red}%s</style>", i, strings.Repeat("a{all:unset}", 200))
		for range 3 { // a sheet is kept when it is seen again, and styles when that was
			computed(t, "<!doctype html>"+sheet+strings.Repeat("<b>", 100), options)
		}
	}
	if grown := (heap() - before) >> 20; grown < 8 || grown > 32 {
		t.Errorf("the stock has %d MB", grown)
	}
	runtime.KeepAlive(&stock)
}

// heap is what is in use, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
