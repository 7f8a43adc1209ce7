package native_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/fidelity"
)

// A document that is too wide for its pages is made smaller, as a browser does it: not its margin boxes, and not by what is hidden.
func TestWhatIsTooWideIsShrunkAsInTheBrowser(t *testing.T) {
	t.Parallel()
	ours, theirs := engine(t), browser(t)
	const sheet = "@page{size:400px 300px;margin:40px;@top-left{content:'top';font:10px 'Noto Sans'}@bottom-right{content:'end';font:10px 'Noto Sans'}}"
	const last = "<div style='text-align:right'>right</div><div style='position:absolute;bottom:0'>bottom</div>"
	for name, c := range map[string]struct{ css, body string }{
		"a block":           {"", "<div style='width:384px;text-align:right'>a</div><div style='position:fixed;top:100px'>fixed</div>"},
		"more than most":    {"", "<div style='width:640px'>a</div>"},
		"positioned":        {"", "<div style='position:absolute;left:350px;width:34px'>a</div>"},
		"relative":          {"", "<div style='position:relative;left:350px;width:34px'>a</div>"},
		"hidden":            {"", "<div style='overflow:hidden'><div style='width:384px'>a</div></div>"},
		"transformed":       {"", "<div style='transform:translateX(300px);width:84px'>a</div>"},
		"a negative margin": {"", "<div style='margin-right:-50px'>a</div>"},
		"text":              {"", "<div style='white-space:nowrap'>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</div>"},
		"a root that hides": {"html{overflow:hidden}", "<div style='width:384px'>a</div>"},
		"more pages":        {"", "<div style='width:384px'>a</div><div style='height:230px'></div><div>b</div><div style='height:90px'></div>"},
		"a margin":          {"", "<div style='width:320px;margin-right:64px;text-align:right'>a</div>"},
		"other areas":       {"@page:first{margin:20px}", "<div style='width:384px;text-align:right'>a</div><div style='height:500px'></div>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := render.Request{
				HTML:   "<!DOCTYPE html><meta charset=utf-8><style>" + sheet + c.css + "body{margin:0;font:10px 'Noto Sans'}</style>" + c.body + last,
				Output: render.DefaultOutput(),
			}
			var made [2]fidelity.Document
			for i, e := range []render.Engine{theirs, ours} {
				var err error
				if made[i], err = fidelity.Read(t.Context(), draw(t, e, req, "shrink")); err != nil {
					t.Fatal(err)
				}
			}
			if r := fidelity.Compare(made[0], made[1]); !r.SameText() || r.Share() != 1 || r.PagesA != r.PagesB || r.Max > 1 {
				t.Errorf("it differs from the browser's:\n%s\n%s\n%s", fidelity.Header(), r.Row(name), r.Details())
			}
		})
	}
}
