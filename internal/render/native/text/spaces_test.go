package text_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
	"github.com/platen-render/platen/internal/render/native/text"
)

// liberation kerns letters with spaces; it has the widths of Arial, and is what that name finds where it is there.
const liberation = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"

func TestFontsThatKernWithSpacesDoSo(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(liberation)
	if err != nil {
		t.Fatalf("install the Debian package fonts-liberation: %v", err)
	}
	library, err := fonts.New(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	faces := library.NewSet()
	if err := faces.Add(fonts.Declaration{Family: "Arial"}, data); err != nil {
		t.Fatal(err)
	}
	content := []string{"x A x", "A A L T Y Y", "To Avail You P. A", "plain words of no letters that matter"}
	var page strings.Builder
	fmt.Fprintf(&page, "<!doctype html><style>@font-face{font-family:L;src:url(data:font/ttf;base64,%s)}"+
		"span{font:50px L;text-rendering:geometricPrecision;white-space:nowrap}</style>", base64.StdEncoding.EncodeToString(data))
	for _, c := range content {
		page.WriteString("<p><span>" + c + "</span>")
	}
	var want []float64
	layouttest.Evaluate(t, page.String(), `(async () => {
		await document.fonts.load('50px L');
		await document.fonts.ready;
		return [...document.querySelectorAll('span')].map(s => s.getBoundingClientRect().width);
	})()`, &want)
	setter := text.New(faces)
	style := plain()
	style.FontFamily, style.FontSize = []string{"Arial"}, 50
	for i, c := range content {
		if got := set(t, setter, paragraph(style, c), 5000)[0].Width; math.Abs(got-want[i]) > 0.1 {
			t.Errorf("%q is %.2f wide, in the browser %.2f", c, got, want[i])
		}
	}
}
