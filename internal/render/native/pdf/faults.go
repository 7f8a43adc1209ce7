package pdf

import "github.com/platen-render/platen/internal/fault"

// Faults. More bytes than [Limits.Bytes] is render.ErrDocumentTooLarge.
var (
	ErrImageInvalid  = fault.New(fault.Invalid, "image_invalid", "An image is damaged or is neither PNG nor JPEG.")
	ErrImageTooLarge = fault.New(fault.Invalid, "image_too_large", "An image has more pixels than this server allows.")
	ErrPageTooLarge  = fault.New(fault.Invalid, "page_too_large", "A page draws more than this server allows.")
	ErrFontInvalid   = fault.New(fault.Invalid, "font_invalid", "A font is damaged or of an unknown kind.")
)

// Limits bounds what one document may take. A zero field means the default named beside it.
type Limits struct {
	// Bytes bounds the file; zero means no bound.
	Bytes int64
	// PageBytes bounds the drawing operations of one page before compression: 64 MiB.
	PageBytes int
	// ImagePixels bounds width times height of one image, asked before it is decoded: 50 million. A decoded pixel takes
	// up to four bytes for as long as [Document.Image] runs.
	ImagePixels int64
}

func (l Limits) withDefaults() Limits {
	if l.PageBytes == 0 {
		l.PageBytes = 64 << 20
	}
	if l.ImagePixels == 0 {
		l.ImagePixels = 50_000_000
	}
	return l
}
