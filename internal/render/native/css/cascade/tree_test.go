package cascade_test

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
)

// inCommon is a sheet that many documents have.
const inCommon = `<style>:root{--c:red;--w:stretch}p{color:var(--c)}b{width:var(--w);height:1vw}i{columns:2}u{display:none}s{font-size:2em}
p+p{margin-left:2vw}li::marker{color:blue;columns:3}li::before{content:"x"}em::after{content:none;columns:4}
@layer a{s{color:red}}@layer b{s{color:blue}}q{color:green}*{--d:var(--c)}</style>`

// What documents have of their own before it, and in it.
var (
	ownHeads = []string{
		"", "<style>@page{size:200px 300px}</style>", "<style>@page{size:400px 300px}</style>", "<style>@layer a,b</style>", "<style>@layer b,a</style>",
		"<style>@page{@top-left{content:'a'}}</style>", "<style>@page{@top-left{content:'b'}@top-right{content:'b'}}</style>",
		"<style>q{color:red}</style>", "<style>q{color:blue}</style>", "<style>q{width:2ex}</style>", "<style>@media screen{q{color:red}}</style>",
	}
	ownBodies = []string{
		"<p>a<b>b</b><p>c", "<b>a</b><p>b<b>c</b>", "<i>a</i>", "<p style='color:green'>a<b>b</b></p><i>c</i>", "<p style='color:blue'>a<b>b</b></p><b>c</b>",
		"<p style='width:2ex'>a<b>b</b></p><em>c</em>", "<p style='--c:blue'>a<s>b</s>", "<table width=50%><td><s>a</s></table>", "<table width=60%><td><s>a</s></table>",
		"<ul><li>a<li>b</ul><p>c", "<em>a</em>", "<u>a<s>b</s></u><s>c</s>", "<s>a<s>b<s>c</s></s></s>", "<q>a</q>", "<body style='color:red'><q>a</q>", "<svg><path fill=red /></svg><b>a</b>",
	}
)

// TestADocumentIsTheSameWhateverItsStylesWereBefore computes documents that have much in common, in any order and side by side.
func TestADocumentIsTheSameWhateverItsStylesWereBefore(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, kind := range []string{"<!doctype html>", "<!doctype none>"} {
		for _, head := range ownHeads {
			for _, body := range ownBodies {
				pages = append(pages, kind+inCommon+head+body, kind+head+inCommon+body)
			}
		}
	}
	want := make([]outcome, len(pages))
	for i, page := range pages {
		want[i] = computed(t, page, a4())
	}
	var all sync.WaitGroup
	for seed := range uint64(2) {
		var stock cascade.Stock
		for range 2 {
			all.Go(func() {
				options := a4()
				options.Stock = &stock
				random := rand.New(rand.NewPCG(seed, seed))
				for _, i := range random.Perm(len(pages)) {
					if got := computed(t, pages[i], options); !reflect.DeepEqual(got, want[i]) {
						t.Errorf("with styles of others another one: %s", pages[i])
					}
				}
			})
		}
	}
	all.Wait()
}
