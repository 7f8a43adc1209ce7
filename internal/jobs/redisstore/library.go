package redisstore

import (
	"regexp"
	"strings"
)

// library is what scripts share, in Lua: values, functions and names of keys. Redis runs all of a script at each call, the definitions at
// its head too, so a script carries what it uses and no more: that of all is 20 µs, more than most scripts take for their work.
type library struct {
	all   []definition     // the fields of K, then what is shared; each may use those before it
	named map[string][]int // which of them give a name
}

// definition is a piece of Lua that gives something a name.
type definition struct {
	names []string
	text  string
	uses  []string
}

var (
	// luaName is a name where it stands for a local variable: neither a field nor the text of a string.
	luaName    = regexp.MustCompile(`(?:^|[^.\w'"])([A-Za-z_]\w*)`)
	luaKey     = regexp.MustCompile(`\bK\.(\w+)`)
	luaComment = regexp.MustCompile(`(?m)(?:^|[ \t])--.*\n?`)
	luaDefines = regexp.MustCompile(`^(?:local function (\w+)|local ([\w, ]+?)(?: =|\n|$)|(\w+) = function)`)
)

// keyUse marks a field of K among the uses of a definition.
const keyUse = "K."

// newLibrary splits the text of shared definitions: each begins with a line that is not indented.
func newLibrary(keys []definition, text string) *library {
	l := &library{all: keys, named: map[string][]int{}}
	var piece strings.Builder
	end := func() {
		if piece.Len() > 0 {
			l.all = append(l.all, define(piece.String()))
		}
		piece.Reset()
	}
	for line := range strings.Lines(luaComment.ReplaceAllString(text, "\n")) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if luaDefines.MatchString(line) {
			end()
		}
		piece.WriteString(line)
	}
	end()
	for i, d := range l.all {
		for _, name := range d.names {
			l.named[name] = append(l.named[name], i)
		}
	}
	return l
}

// define finds out what a piece of Lua names and uses.
func define(text string) definition {
	d := definition{text: text, uses: usesOf(text)}
	found := luaDefines.FindStringSubmatch(text)
	for name := range strings.SplitSeq(found[1]+found[2]+found[3], ",") {
		d.names = append(d.names, strings.TrimSpace(name))
	}
	return d
}

func usesOf(text string) []string {
	var uses []string
	for _, found := range luaName.FindAllStringSubmatch(text, -1) {
		uses = append(uses, found[1])
	}
	for _, found := range luaKey.FindAllStringSubmatch(text, -1) {
		uses = append(uses, keyUse+found[1])
	}
	return uses
}

// before is what a script needs at its head, in the order of the library.
func (l *library) before(script string) string {
	script = luaComment.ReplaceAllString(script, "\n")
	wanted := make([]bool, len(l.all))
	var want func(uses []string)
	want = func(uses []string) {
		for _, name := range uses {
			for _, i := range l.named[name] {
				if !wanted[i] {
					wanted[i] = true
					want(l.all[i].uses)
				}
			}
		}
	}
	want(usesOf(script))
	var b strings.Builder
	b.WriteString("local P = KEYS[1]\nlocal K = {}\n")
	for i, d := range l.all {
		if wanted[i] {
			b.WriteString(d.text)
		}
	}
	return b.String()
}
