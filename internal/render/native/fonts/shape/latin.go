package shape

import (
	"github.com/go-text/typesetting/language"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

// LatinItem is a text of n characters from left to right in one face, all of them ASCII: what [Paragraph.Items] would find, without
// looking for it.
func LatinItem(n int, choice fonts.Choice) Item {
	return Item{End: n, Script: language.Latin, Choice: choice}
}
