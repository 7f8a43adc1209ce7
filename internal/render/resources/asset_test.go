package resources_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/resources"
)

const assetPage = `<base href="https://a.example/x/"><link rel="stylesheet" href="ASSET:a.css#x"><img src=" asset:b.png?v=1"><img srcset="asset:c.png 2x, asset:b.png 3x">
	<style>@import "asset:d.css"; @font-face { src: url('asset:e.woff') }</style><p style="background:url(asset:f.png)">asset:none</p><template><img src="asset:g.png"></template>`

func TestThePageTellsWhichAssetsItLoads(t *testing.T) {
	t.Parallel()
	want := []string{"a.css", "b.png", "c.png", "d.css", "e.woff", "f.png"}
	if diff := cmp.Diff(want, resources.Assets(assetPage)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"x.css", "y.png"}, resources.SheetAssets(`@import url(asset:x.css); p { background: url("asset:y.png") /* asset:z.png */ }`)); diff != "" {
		t.Error(diff)
	}
}

func TestAssetsAreLoadedUnderTheirAddresses(t *testing.T) {
	t.Parallel()
	l := &resources.Loader{}
	loaded, warnings := l.Load(t.Context(), assetPage, files("asset:a.css=p{background:url(asset:h.png)} q{background:url(rel.png)}", "asset:b.png=", "asset:c.png=", "asset:d.css=@import 'asset:a.css'", "asset:h.png=", "c.png="))
	want := []string{"asset:a.css", "asset:b.png", "asset:b.png?v=1", "asset:c.png", "asset:d.css", "asset:h.png", "c.png"}
	if diff := cmp.Diff(want, keys(loaded)); diff != "" {
		t.Error(diff)
	}
	wantWarnings := []render.Warning{
		{Code: render.ResourceFailed, Detail: "rel.png: the address is malformed"},
		{Code: render.ResourceMissing, Detail: "asset:e.woff: there is no asset of this name"},
		{Code: render.ResourceMissing, Detail: "asset:f.png: there is no asset of this name"},
	}
	if diff := cmp.Diff(wantWarnings, warnings); diff != "" {
		t.Error(diff)
	}
}

// Most style sheets name nothing, which is seen without reading them; however a name is spelled, it is found.
func TestAnAddressIsFoundHoweverItIsSpelled(t *testing.T) {
	t.Parallel()
	for _, sheet := range []string{
		`p { background: url(asset:x.png) }`, `p { background: URL( "asset:x.png" ) }`, `p { background: \75rl("asset:x.png") }`, `@import "asset:x.png";`, `@IMPORT "asset:x.png";`,
		`@\69mport "asset:x.png";`, `p { background: Image-Set("asset:x.png" 1x) }`, `p { background: \69mage-set("asset:x.png" 1x) }`, `p { background: SRC("asset:x.png") }`,
	} {
		if got := resources.SheetAssets(sheet); !slices.Equal(got, []string{"x.png"}) {
			t.Errorf("%s: got %q", sheet, got)
		}
	}
	if got := resources.SheetAssets(`p { content: "asset:x.png"; color: red }`); got != nil {
		t.Errorf("got %q", got)
	}
}
