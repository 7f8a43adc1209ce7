package property

import (
	"fmt"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/tmp/w/n3npm/chromium.txt")
	for _, n := range strings.Fields(string(b)) {
		if c, _ := Classify(n); c == Unknown {
			fmt.Print(n, " ")
		}
	}
	for i, p := range All {
		var s Style
		if len(initialValues[i]) == 0 {
			t.Error(p.Name)
		}
		if o, ok := p.Set(&s, &ctx, initialValues[i]); !ok || o != "" {
			t.Error(p.Name, p.Initial, o, ok)
		}
	}
}

var ctx = value.Context{FontSize: 16, RootFontSize: 16, ParentSize: 16, ParentWeight: 400}
