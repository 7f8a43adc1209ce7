// Package pdf writes PDF 1.7 (ISO 32000-1) in one pass: what is finished goes out at once, and only fonts, page records and the
// cross-reference wait for the end. It draws what it is told, where it is told; it knows no layout, no HTML and
// no font format.
//
//	doc := pdf.New(ctx, w, pdf.Info{Title: "Invoice 417", Lang: "en"}, pdf.Limits{})
//	page := doc.Page(595.28, 841.89)
//	page.Fill(pdf.Rect(40, 40, 200, 100), color.NRGBA{R: 250, A: 255})
//	page.Text(pdf.Run{Font: face, Size: 12, X: 50, Y: 80, Glyphs: glyphs})
//	page.Finish()
//	err := doc.Close()
//
// Rules of the package:
//
//   - Lengths are points (1/72 inch). The origin is the upper left corner of the page and y grows downwards.
//   - Equal calls give equal bytes: there are no dates, numbers are rounded to fixed decimals before they are written, maps are
//     only looked things up in, and /ID is a digest of the file. Products are rounded before sums (float64(a*b) + c),
//     because a fused multiply-add gives other last bits on other machines.
//   - The first error sticks: drawing methods return nothing, and [Document.Close] returns what went wrong first. Everything
//     after it is cheap and writes nothing.
//   - Extracted text is the text that went in. What a ToUnicode map cannot say, ActualText says.
//
// A Document and what belongs to it are for one goroutine. Different documents share nothing.
package pdf
