package fonts

import "slices"

// Alias says what some names stand for when there is no family of that name: the first of Prefer that is there.
type Alias struct{ Names, Prefer []string }

// Aliases returns what the generic families (CSS Fonts 4 section 2.1.3), and the names that everybody writes, stand for, in lower
// case. The Liberation and Croscore families have the widths of those they stand for, the Noto families do not; the last of each
// Prefer is in the binary, but for emoji. Every engine is told the same.
func Aliases() []Alias { return aliases }

var aliases = []Alias{
	{
		[]string{"sans-serif", "sans", "system-ui", "ui-sans-serif", "ui-rounded", "cursive", "fantasy", "arial", "helvetica", "helvetica neue"},
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
	{[]string{"emoji"}, []string{"noto color emoji"}}, // not in the binary
}

// lookup returns the faces of a family by its own name, in lower case, or by what that name stands for. A family that is really there is itself.
func (l *Library) lookup(name string) []face {
	if own := l.faces[name]; own != nil {
		return own
	}
	for _, a := range aliases {
		if slices.Contains(a.Names, name) {
			return l.firstOf(a.Prefer)
		}
	}
	return nil
}

func (l *Library) firstOf(families []string) []face {
	for _, name := range families {
		if found := l.faces[name]; found != nil {
			return found
		}
	}
	return nil
}
