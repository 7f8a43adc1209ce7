// Package filenames makes file names of texts that somebody else has chosen: names that every file system takes, that mean nothing to a
// shell or to Windows, and of which no two are the same file anywhere.
package filenames

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxStem bounds a name without its extension in bytes: with one it fits where names are encrypted (143 bytes) and, in a folder of the
// usual depth, into the 260 characters of Windows.
const maxStem = 120

// Names gives out names. The zero value has given none. It remembers eight bytes for each. Not safe for concurrent use.
type Names struct {
	taken map[uint64]struct{}
}

// Take returns a name without an extension for a text; one that is like a name before gets a suffix, which should tell it from all others.
// The same texts in the same order always give the same names.
func (n *Names) Take(text, suffix string) string {
	name := Clean(text)
	for !n.take(name) {
		name += "~" + suffix
	}
	return name
}

// take remembers a name unless one like it is taken. That two different ones have the same hash costs one of them a suffix.
func (n *Names) take(name string) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(fold(name))) // never fails
	if _, known := n.taken[h.Sum64()]; known {
		return false
	}
	if n.taken == nil {
		n.taken = map[uint64]struct{}{}
	}
	n.taken[h.Sum64()] = struct{}{}
	return true
}

// fold makes equal what is one file on Windows or macOS, where case and the composition of letters do not count.
func fold(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// Clean turns a text into a name without an extension, of 1–121 bytes. Different texts may give the same one.
func Clean(text string) string {
	name := strings.Map(plain, norm.NFC.String(strings.ToValidUTF8(text, "_")))
	name = cut(name, maxStem)
	name = strings.TrimRight(name, " .") // Windows drops them
	if name == "" {
		return "_"
	}
	if strings.ContainsRune(" .-~", rune(name[0])) || reserved(name) { // hidden, an option, a home
		name = "_" + name
	}
	return name
}

// plain is a letter that a name may have, or "_" in its place: no separators of any system, nothing that a shell of Windows expands, and
// nothing that is not seen.
func plain(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|%`, r) || !unicode.IsPrint(r) {
		return '_'
	}
	return r
}

// cut shortens a name to at most so many bytes, between letters.
func cut(name string, most int) string {
	if len(name) <= most {
		return name
	}
	for most > 0 && !utf8.RuneStart(name[most]) {
		most--
	}
	return name[:most]
}

// reserved reports whether Windows takes a name for a device, whatever follows the first dot (Microsoft, "Naming Files, Paths, and
// Namespaces").
func reserved(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, numbered := strings.CutPrefix(base, "COM")
	if !numbered {
		port, numbered = strings.CutPrefix(base, "LPT")
	}
	return numbered && utf8.RuneCountInString(port) == 1 && strings.ContainsAny(port, "0123456789¹²³")
}
