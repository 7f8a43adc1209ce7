package property

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/value"
)

// oldDisplays are other names of the same.
var oldDisplays = map[Keyword]Keyword{"-webkit-flex": "flex", "-webkit-inline-flex": "inline-flex"}

// displayWords are those that may stand together (CSS Display 3, section 2).
var displayWords = strings.Fields("block inline flow flow-root table flex grid ruby math list-item")

// display takes one word; several, which would say the same in another way, are outside.
func display(r *value.Reader) (Keyword, bool) {
	mark := r.Mark()
	k, ok := keyword(
		"none inline block inline-block flow-root list-item flex inline-flex grid inline-grid table inline-table table-row-group "+
			"table-header-group table-footer-group table-row table-cell table-column-group table-column table-caption contents "+
			"-webkit-flex -webkit-inline-flex",
		"ruby ruby-text math -webkit-box -webkit-inline-box")(r)
	if ok && r.Done() {
		if name, old := oldDisplays[k]; old {
			k = name
		}
		return k, true
	}
	r.Reset(mark)
	var words []string
	for !r.Done() {
		word, ok := r.Keyword(displayWords...)
		if !ok || slices.Contains(words, word) || len(words) == 3 {
			return "", false
		}
		words = append(words, word)
	}
	r.Refuse("displays of several words are not supported")
	return "block", len(words) > 0
}
