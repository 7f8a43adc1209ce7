package pictures

import (
	"archive/zip"
	"cmp"
	"context"
	"fmt"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/pdfium"
)

// one draws a page of the file and writes it as an image.
func one(w io.Writer, d *pdfium.Document, page int, o render.Output) error {
	picture, err := d.Picture(page, cmp.Or(o.DPI, render.DefaultDPI))
	if err != nil {
		return err
	}
	if o.Format == render.JPEG {
		err = jpeg.Encode(w, picture, &jpeg.Options{Quality: cmp.Or(o.Quality, render.DefaultQuality)})
	} else {
		err = png.Encode(w, picture)
	}
	if err != nil {
		return fmt.Errorf("encode page %d: %w", page, err)
	}
	return nil
}

// epoch is the time of all files in an archive: the first that the format knows.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// archive draws all pages of the file into a ZIP, "page-003.png" being the third of the whole document. Images are compressed already.
func archive(ctx context.Context, w io.Writer, d *pdfium.Document, o render.Output, drawn func(page int)) error {
	z := zip.NewWriter(w)
	for page := range d.Pages() {
		number := o.Number(page + 1)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		file, err := z.CreateHeader(&zip.FileHeader{
			Name: fmt.Sprintf("page-%03d.%s", number, o.Format), Method: zip.Store, Modified: epoch,
		})
		if err != nil {
			return fmt.Errorf("page %d: %w", number, err)
		}
		if err := one(file, d, page+1, o); err != nil {
			return err
		}
		drawn(page + 1)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("end the archive: %w", err)
	}
	return nil
}
