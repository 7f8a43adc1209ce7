package native_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
)

// cutOff are texts of which nothing, something or all is cut off.
const cutOff = `<!DOCTYPE html><html lang="en"><style>body{font:16px/20px "Noto Sans"}body>div{margin:0 0 10px;overflow:hidden}</style>
<div style="height:0">secret</div>
<div style="width:0">narrow</div>
<div style="height:5px">five fingers</div>
<div style="height:30px">first<br>second<br>third</div>
<div style="height:21px">upper<br>lower</div>
<div style="width:50px;white-space:nowrap">alpha <b>beta</b> <i>gamma</i> <a href="https://example.com/">delta</a></div>
<div style="height:20px;line-height:10px">tight<br>lines<br>gone</div>
<div style="height:20px;position:relative">box<span style="position:absolute;top:30px">inner</span></div>
<div style="height:20px">free<span style="position:absolute;left:300px">outer</span></div>
<div style="height:20px"><p style="margin:-18px 0 0">gypsy</p></div>
<div style="height:20px"><p style="margin:0;transform:translateY(30px)">pushed</p></div>
<div style="height:20px"><p style="margin:0;transform:rotate(4deg);opacity:.5">turned</p></div>
<div style="height:20px"><p style="margin:30px 0 0;transform:translateY(-30px)">returned</p></div>
<div style="height:20px"><p style="margin:30px 0 0;transform:translateY(-30px);overflow:hidden;height:0">hidden</p></div>
<div style="height:0"><p style="margin:0;text-decoration:underline">underlined</p></div>`

// TestTextThatIsCutOffIsNotInTheDocument has the same text in both documents, to the letter.
func TestTextThatIsCutOffIsNotInTheDocument(t *testing.T) {
	t.Parallel()
	req := render.Request{HTML: cutOff, Output: render.DefaultOutput()}
	words := func(e render.Engine, name string) []string {
		pdf := draw(t, e, req, name)
		checked(t, pdf)
		return strings.Fields(tool(t, pdf, "pdftotext", "poppler-utils", "-raw", "-enc", "UTF-8", "-", "-"))
	}
	got, want := words(engine(t), "cut-off.native"), words(browser(t), "cut-off.chromium")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(want) < 10 || strings.Contains(strings.Join(got, " "), "secret") {
		t.Errorf("the document has %q", got)
	}
}
