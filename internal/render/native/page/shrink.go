package page

import (
	"context"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

// maxShrink is by how much a document is made smaller at most; what is still too wide then is cut off.
const maxShrink = 1.5

// Shrink says how many times larger the area of the first page must be for content that is too wide for it: 1 when it fits. As in
// Chromium, all of the document is then laid out for larger areas and drawn smaller, but for its margin boxes. Root was laid out for
// that area. What reaches out to the left is cut off: a document from right to left is not made smaller.
func Shrink(ctx context.Context, root *fragment.Fragment, first Area) float64 {
	reach := root.Extent(func() bool { return ctx.Err() != nil }).X1
	// Less than half a pixel is nothing that was meant.
	if root.Box.Style.Direction == "rtl" || reach < first.Width+0.5 {
		return 1
	}
	return min(reach/first.Width, maxShrink)
}
