package cascade_test

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// compared are the properties whose computed values a browser tells as such, whatever the layout.
var compared = strings.Fields(`
	color background-color font-family font-size font-weight font-style line-height letter-spacing word-spacing text-align
	text-transform text-indent white-space-collapse text-wrap-mode direction visibility display position float z-index opacity overflow-x overflow-y
	border-top-style border-right-style border-bottom-style border-left-style border-top-color border-left-color
	border-top-width border-left-width border-right-width border-top-left-radius border-bottom-right-radius outline-style
	margin-top margin-right margin-bottom margin-left padding-top padding-right padding-left list-style-type list-style-position vertical-align
	flex-grow flex-shrink flex-basis flex-direction flex-wrap order justify-content align-items align-self row-gap column-gap
	orphans widows break-inside break-after border-collapse caption-side empty-cells table-layout unicode-bidi hyphens
	text-decoration-line text-decoration-style text-decoration-color font-variant-numeric box-sizing object-fit
	-webkit-border-horizontal-spacing clear overflow-wrap word-break fill-rule stroke-linejoin fill stroke`)

const probe = `<pre id="out"></pre><script>
const names = NAMES;
const all = [...document.querySelectorAll('body *')].filter(e => e.id !== 'out' && e.tagName !== 'SCRIPT');
document.getElementById('out').textContent = '[[' + JSON.stringify(all.map(e => { const s = getComputedStyle(e); return names.map(n => s.getPropertyValue(n)); })) + ']]';
</script>`

// askBrowser returns the computed values of all elements below body.
func askBrowser(t *testing.T, page string) [][]string {
	t.Helper()
	program, err := chromium.FindProgram("")
	if err != nil {
		t.Fatal(err)
	}
	names, err := json.Marshal(compared)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	page = strings.Replace(page, "</body>", strings.Replace(probe, "NAMES", string(names), 1)+"</body>", 1)
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatalf("the browser (Debian package chromium-headless-shell): %v", err)
	}
	_, text, _ := strings.Cut(string(out), `<pre id="out">[[`)
	text, _, _ = strings.Cut(text, "]]</pre>")
	var values [][]string
	if err := json.Unmarshal([]byte(html.UnescapeString(text)), &values); err != nil {
		t.Fatalf("the browser's answer %.200q: %v", out, err)
	}
	return values
}

// TestStylesAreThoseOfTheBrowser compares each of the properties for each element of a page that has a bit of
// everything, as long as the value does not depend on layout.
func TestStylesAreThoseOfTheBrowser(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("testdata/oracle.html")
	if err != nil {
		t.Fatal(err)
	}
	want := askBrowser(t, string(page))
	doc, result := mustCompute(t, string(page))
	i, pairs, wrong := 0, 0, 0
	for _, n := range doc.Elements {
		if n == doc.Root || n.Parent == doc.Root || n.Parent == doc.Head() {
			continue
		}
		if i >= len(want) {
			t.Fatalf("the browser has only %d elements", len(want))
		}
		style := result.Of(n).Style
		for j, name := range compared {
			got := property.Find(name).Text(style)
			if laidOut(name, got) {
				continue
			}
			pairs++
			if !sameValue(name, got, want[i][j], style) {
				wrong++
				t.Errorf("<%s class=%q> line %d: %s is %s, in the browser %s", n.Tag, n.Classes, n.At.Line, name, got, want[i][j])
			}
		}
		i++
	}
	if i != len(want) || pairs < 5000 {
		t.Errorf("%d elements of %d, %d pairs", i, len(want), pairs)
	}
	t.Logf("%d elements, %d pairs, %d differ", i, pairs, wrong)
}

// laidOut reports whether a browser tells what layout made of the value.
func laidOut(name, got string) bool {
	return strings.HasPrefix(name, "margin-") && got == "auto"
}

// sameValue allows for what a browser writes in another way: its own fonts, factors that were multiplied, colors
// in their own space.
func sameValue(name, got, want string, s *property.Style) bool {
	switch {
	case got == want, got == "0px" && want == "normal":
		return true
	case name == "font-family":
		return got == "serif" && want == `"Times New Roman"`
	case name == "line-height":
		return value.Px(s.LineHeight.Resolve(s.FontSize, 0)).String() == want
	case strings.HasSuffix(name, "-color"):
		return strings.HasPrefix(want, "oklch(") || strings.HasPrefix(want, "lab(") || want == "color(srgb 1 0.5 0)"
	}
	return false
}
