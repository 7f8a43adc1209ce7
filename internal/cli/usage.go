package cli

import (
	"errors"
	"fmt"
)

// errHelp says that help was asked for and printed.
var errHelp = errors.New("help")

// usageError is a command line that is not understood.
type usageError struct {
	text string
	hint string
}

func (e usageError) Error() string { return e.text }

// usagef makes a usageError that points to a help page.
func usagef(page, format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...), fmt.Sprintf("Run \"platen %s\" for what there is.", page)}
}

// nearest returns the name that word is most likely a slip of, or "".
func nearest(word string, names []string) string {
	best, bound := "", 3
	for _, name := range names {
		if d := distance(word, name); d < bound && d < len(name) {
			best, bound = name, d
		}
	}
	return best
}

// distance counts the insertions, deletions and replacements that lead from a to b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
