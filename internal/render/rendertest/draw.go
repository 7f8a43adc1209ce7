package rendertest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/net/html"

	"github.com/platen-render/platen/internal/render"
)

// draw makes the document of a request. Requests that differ in their page, resources or output give
// different bytes.
func draw(req render.Request, pages int) ([]byte, error) {
	digest, err := digestOf(req)
	if err != nil {
		return nil, err
	}
	if req.Output.Format.IsImage() {
		return drawImage(digest, req.Output.Format)
	}
	lines, err := textLines(req.HTML)
	if err != nil {
		return nil, err
	}
	return drawPDF(lines, digest, pages, req.Output), nil
}

func digestOf(req render.Request) ([32]byte, error) {
	// encoding/json sorts the keys of maps.
	text, err := json.Marshal(struct {
		HTML      string
		Resources map[string]render.Resource
		Output    render.Output
	}{req.HTML, req.Resources, req.Output})
	return sha256.Sum256(text), err
}

func drawImage(digest [32]byte, format render.Format) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, 1, 1))
	img.SetRGBA(0, 0, color.RGBA{R: digest[0], G: digest[1], B: digest[2], A: 255})
	var b bytes.Buffer
	if format == render.JPEG {
		err := jpeg.Encode(&b, img, nil)
		return b.Bytes(), err
	}
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// textLines returns the words of a page that are to be read, a line per text node.
func textLines(page string) ([]string, error) {
	var lines []string
	tokens := html.NewTokenizer(strings.NewReader(page))
	silent := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return lines, nil
		case html.StartTagToken:
			name, _ := tokens.TagName()
			silent = string(name) == "style" || string(name) == "script"
		case html.EndTagToken:
			silent = false
		case html.TextToken:
			if words := strings.Fields(string(tokens.Text())); len(words) > 0 && !silent {
				lines = append(lines, strings.Join(words, " "))
			}
		default:
		}
	}
}

// drawPDF writes a PDF by hand (ISO 32000-1, 7.5): a catalog, a page tree, one font, and two objects a page.
func drawPDF(lines []string, digest [32]byte, pages int, out render.Output) []byte {
	width, height := out.Width/25.4*72, out.Height/25.4*72
	if out.Landscape {
		width, height = height, width
	}
	var content strings.Builder
	fmt.Fprintf(&content, "BT /F1 9 Tf 11 TL 36 %.2f Td\n", height-48)
	for _, line := range lines {
		fmt.Fprintf(&content, "(%s) Tj T*\n", literal(line))
	}
	content.WriteString("ET\n")

	kids := make([]string, pages)
	for i := range kids {
		kids[i] = fmt.Sprintf("%d 0 R", 5+i)
	}
	objects := []string{
		"<</Type /Catalog /Pages 2 0 R>>",
		fmt.Sprintf("<</Type /Pages /Count %d /Kids [%s]>>", pages, strings.Join(kids, " ")),
		"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>",
		fmt.Sprintf("<</Length %d>> stream\n%s\nendstream", content.Len(), content.String()),
	}
	for range pages {
		objects = append(objects, fmt.Sprintf("<</Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] "+
			"/Resources <</Font <</F1 3 0 R>>>> /Contents 4 0 R>>", width, height))
	}
	return assemble(objects, digest)
}

func assemble(objects []string, digest [32]byte) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var table strings.Builder
	fmt.Fprintf(&table, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<</Size %d /Root 1 0 R /ID [<%x> <%x>]>>\nstartxref\n%d\n%%%%EOF\n",
		table.String(), len(objects)+1, digest[:16], digest[:16], start)
	return b.Bytes()
}

// literal escapes a string of a PDF. The font has Latin letters only: others become question marks.
func literal(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r > 0xff || r >= 0x7f && r < 0xa0:
			b.WriteByte('?')
		default:
			b.WriteByte(byte(r))
		}
	}
	return b.String()
}
