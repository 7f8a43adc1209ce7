package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// opener is an action that an {{end}} must follow.
type opener struct {
	word   string
	offset int
}

// opening are the words that begin one.
var opening = []string{"if", "range", "with", "define", "block"}

// action finds the beginning of an action, and its first word. Comments have none.
var action = regexp.MustCompile(`\{\{(?:-\s)?\s*(\w*)`)

// comment is the beginning of an action that is one.
var comment = regexp.MustCompile(`^\{\{(?:-\s)?\s*/\*`)

// quoted are texts in an action, in which braces mean nothing, and its end.
var quoted = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`|'(?:[^'\\\\\n]|\\\\.)*'|\\}\\}")

// unclosed is the last action of a text that an {{end}} lacks. The parser only knows that the text has ended.
func (s source) unclosed() (opener, bool) {
	var open []opener
	for at := 0; ; {
		found := action.FindStringSubmatchIndex(string(s[at:]))
		if found == nil {
			break
		}
		start := at + found[0]
		switch word := string(s[at+found[2] : at+found[3]]); {
		case slices.Contains(opening, word):
			open = append(open, opener{word, start})
		case word == "end" && len(open) > 0:
			open = open[:len(open)-1]
		}
		at = s.actionEnd(start)
	}
	if len(open) == 0 {
		return opener{}, false
	}
	return open[len(open)-1], true
}

// actionEnd is where the action ends that begins at an offset.
func (s source) actionEnd(start int) int {
	rest := string(s[start:])
	if comment.MatchString(rest) {
		if end := strings.Index(rest, "*/"); end >= 0 {
			return start + end + len("*/")
		}
		return len(s)
	}
	for at := start; ; {
		found := quoted.FindStringIndex(string(s[at:]))
		if found == nil {
			return len(s)
		}
		at += found[1]
		if s[at-1] == '}' {
			return at
		}
	}
}

// undefined is what the parser says of a name that is no function.
var undefined = regexp.MustCompile(`^function "(.*)" not defined$`)

// inOtherWords says what the parser says, where its own words do not help.
func inOtherWords(message string) string {
	if m := undefined.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("there is no function %q; a member of the data is written .%s", m[1], m[1])
	}
	return message
}
