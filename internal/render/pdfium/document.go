package pdfium

import (
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Bounds of what is drawn and read.
const (
	// MaxPixels bounds one picture: A2 at 300 dpi has 35 million. Each takes four bytes here and as many in PDFium.
	MaxPixels = 50_000_000
	// MaxPages bounds the pages of a document, in whose place a number in a file may claim any number.
	MaxPages = 100_000
)

// Document is an open PDF. It is for one goroutine, and for the call that it was made for.
type Document struct {
	instance pdfium.Pdfium
	document references.FPDF_DOCUMENT
	pages    int
}

func open(instance pdfium.Pdfium, pdf []byte) (*Document, error) {
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &pdf})
	if err != nil {
		return nil, ErrUnreadable.Because(err)
	}
	count, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return nil, ErrUnreadable.Because(err)
	}
	if count.PageCount < 1 || count.PageCount > MaxPages {
		return nil, ErrUnreadable.Because(fmt.Errorf("%d pages", count.PageCount))
	}
	return &Document{instance: instance, document: opened.Document, pages: count.PageCount}, nil
}

// Pages returns how many pages the document has: one at least.
func (d *Document) Pages() int { return d.pages }

// Size returns the size of a page, counted from 1, in points, as it is shown: turned where the document says so.
func (d *Document) Size(page int) (width, height float64, err error) {
	if page < 1 || page > d.pages {
		return 0, 0, ErrNoPage
	}
	size, err := d.instance.FPDF_GetPageSizeByIndex(&requests.FPDF_GetPageSizeByIndex{Document: d.document, Index: page - 1})
	if err != nil {
		return 0, 0, ErrUnreadable.Because(err)
	}
	if !(size.Width > 0 && size.Height > 0) {
		return 0, 0, ErrUnreadable.Because(errors.New("a page without a size"))
	}
	return size.Width, size.Height, nil
}

// Text returns the text of a page, counted from 1, in the order in which it was written, with line breaks (CR LF) where PDFium sees them.
func (d *Document) Text(page int) (text string, err error) {
	err = d.with(page, func(handle requests.Page) error {
		found, err := d.instance.GetPageText(&requests.GetPageText{Page: handle})
		if err == nil {
			text = found.Text
		}
		return err
	})
	return text, err
}

// Picture draws a page, counted from 1, on white, at so many dots an inch. A picture of more than [MaxPixels] is [ErrTooLarge].
func (d *Document) Picture(page, dpi int) (picture *image.NRGBA, err error) {
	width, height, err := d.pixels(page, dpi)
	if err != nil {
		return nil, err
	}
	err = d.with(page, func(handle requests.Page) error {
		picture, err = d.draw(handle, width, height)
		return err
	})
	return picture, err
}

// pixels is the size of a page at so many dots an inch. What is a hair more than whole is whole.
func (d *Document) pixels(page, dpi int) (width, height int, err error) {
	const hair = 1e-3
	w, h, err := d.Size(page)
	if err != nil {
		return 0, 0, err
	}
	w, h = math.Ceil(w*float64(dpi)/72-hair), math.Ceil(h*float64(dpi)/72-hair)
	if !(w*h <= MaxPixels) {
		return 0, 0, ErrTooLarge.With("A page would be a picture of more than %d pixels.", MaxPixels)
	}
	return max(1, int(w)), max(1, int(h)), nil
}

// draw draws a page that is open. The library's own way puts some pages on black.
func (d *Document) draw(handle requests.Page, width, height int) (*image.NRGBA, error) {
	made, err := d.instance.FPDFBitmap_CreateEx(&requests.FPDFBitmap_CreateEx{
		Width: width, Height: height, Format: enums.FPDF_BITMAP_FORMAT_BGRX, Pointer: uint64(0),
	})
	if err != nil {
		return nil, err
	}
	bitmap := made.Bitmap
	_, err = d.instance.FPDFBitmap_FillRect(&requests.FPDFBitmap_FillRect{Bitmap: bitmap, Width: width, Height: height, Color: 0xffffffff})
	if err != nil {
		return nil, err
	}
	_, err = d.instance.FPDF_RenderPageBitmap(&requests.FPDF_RenderPageBitmap{
		Bitmap: bitmap, Page: handle, SizeX: width, SizeY: height,
		Flags: enums.FPDF_RENDER_FLAG_ANNOT | enums.FPDF_RENDER_FLAG_REVERSE_BYTE_ORDER,
	})
	if err != nil {
		return nil, err
	}
	picture, err := d.copy(bitmap, width, height)
	if err != nil {
		return nil, err
	}
	_, err = d.instance.FPDFBitmap_Destroy(&requests.FPDFBitmap_Destroy{Bitmap: bitmap})
	return picture, err
}

// copy takes the pixels out of PDFium, whose fourth byte means nothing.
func (d *Document) copy(bitmap references.FPDF_BITMAP, width, height int) (*image.NRGBA, error) {
	buffer, err := d.instance.FPDFBitmap_GetBuffer(&requests.FPDFBitmap_GetBuffer{Bitmap: bitmap})
	if err != nil {
		return nil, err
	}
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	if len(buffer.Buffer) != len(picture.Pix) {
		return nil, ErrTooLarge
	}
	copy(picture.Pix, buffer.Buffer)
	for i := 3; i < len(picture.Pix); i += 4 {
		picture.Pix[i] = 0xff
	}
	return picture, nil
}

// with opens a page for a call, and closes it, so that a long document is not open as a whole.
func (d *Document) with(page int, do func(requests.Page) error) error {
	if page < 1 || page > d.pages {
		return ErrNoPage
	}
	opened, err := d.instance.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.document, Index: page - 1})
	if err != nil {
		return ErrUnreadable.Because(err)
	}
	if err := do(requests.Page{ByReference: &opened.Page}); err != nil {
		if errors.Is(err, ErrTooLarge) {
			return err
		}
		return ErrUnreadable.Because(err)
	}
	if _, err := d.instance.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: opened.Page}); err != nil {
		return ErrUnreadable.Because(err)
	}
	return nil
}
