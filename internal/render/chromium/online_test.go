package chromium_test

import (
	"io"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
)

// Whoever takes a document again must know whether its request is all that it was made of.
func TestAPageThatAsksTheNetworkIsToldOfApart(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{ProxyAddr: newProxy(t).addr})
	for page, want := range map[string]bool{
		`<p>none</p>`: false,
		`<img src="logo.svg"><img src="data:,x">`:                                                   false,
		`<img src="https://a.example/logo.svg">`:                                                    false,
		`<video src="https://a.example/v.mp4"></video>`:                                             true,
		`<p><template shadowrootmode="open"><img src="https://a.example/other.svg"></template></p>`: true,
	} {
		logo := render.Resource{ContentType: "image/svg+xml", Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}
		req := render.Request{
			HTML: page, Output: render.DefaultOutput(),
			Resources: map[string]render.Resource{"logo.svg": logo, "https://a.example/logo.svg": logo},
		}
		report, err := e.Render(t.Context(), io.Discard, req)
		if err != nil || report.Online != want {
			t.Errorf("%s: online %v, %v", page, report.Online, err)
		}
	}
}
