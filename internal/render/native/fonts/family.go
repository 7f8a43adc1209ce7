package fonts

import (
	"slices"
	"strings"
)

// aliases are what the generic families (CSS Fonts 4 section 2.1.3), and the names that everybody writes, stand for. The first family
// that the library has wins; the Liberation and Croscore families have the widths of those they stand for, the
// Noto families do not. The browser is told the same (package chromium).
var aliases = []struct {
	names  []string
	prefer []string
}{
	{
		[]string{"sans-serif", "system-ui", "ui-sans-serif", "ui-rounded", "cursive", "fantasy", "arial", "helvetica", "helvetica neue"},
		[]string{"liberation sans", "arimo", "noto sans"},
	},
	{
		[]string{"serif", "ui-serif", "math", "fangsong", "times", "times new roman"},
		[]string{"liberation serif", "tinos", "noto serif"},
	},
	{
		[]string{"monospace", "ui-monospace", "courier", "courier new"},
		[]string{"liberation mono", "cousine", "noto sans mono"},
	},
}

// lookup returns the faces of a family by its own name, or by what that name stands for. A family that is really there is itself.
func (l *Library) lookup(name string) []*Font {
	name = strings.ToLower(strings.TrimSpace(name))
	if own := l.family[name]; own != nil {
		return own
	}
	for _, a := range aliases {
		if slices.Contains(a.names, name) {
			return l.firstOf(a.prefer)
		}
	}
	return nil
}

func (l *Library) firstOf(families []string) []*Font {
	for _, name := range families {
		if found := l.family[name]; found != nil {
			return found
		}
	}
	return nil
}
