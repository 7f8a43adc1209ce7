package catalog

import (
	"bytes"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/platen-render/platen/internal/fault"
)

// ErrAssetInvalid refuses what a page cannot load.
var ErrAssetInvalid = fault.New(fault.Invalid, "asset_invalid", "The content is not what it is said to be.")

// sheetType is the media type of style sheets, which are read for what they name.
const sheetType = "text/css"

// Kinds tells people what an asset may be.
const Kinds = "PNG, JPEG, GIF, WebP, AVIF, SVG, TTF, OTF, WOFF, WOFF2 or CSS"

// kinds are the media types that an asset may have, and how each begins. Texts are told by their names only.
var kinds = map[string]func([]byte) bool{
	"image/png":  begins("\x89PNG\r\n\x1a\n"),
	"image/jpeg": begins("\xff\xd8\xff"),
	"image/gif":  begins("GIF87a", "GIF89a"),
	"image/webp": func(b []byte) bool { return http.DetectContentType(b) == "image/webp" },
	"image/avif": func(b []byte) bool {
		return len(b) > 12 && (string(b[4:12]) == "ftypavif" || string(b[4:12]) == "ftypavis")
	},
	"image/svg+xml": isSVG,
	"font/ttf":      isOpenType,
	"font/otf":      isOpenType,
	"font/woff":     begins("wOFF"),
	"font/woff2":    begins("wOF2"),
	sheetType:       func(b []byte) bool { return utf8.Valid(b) && !bytes.ContainsRune(b, 0) },
}

// endings name the media types of files whose sender does not.
var endings = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif",
	".svg": "image/svg+xml", ".ttf": "font/ttf", ".otf": "font/otf", ".woff": "font/woff", ".woff2": "font/woff2", ".css": sheetType,
}

// MediaType finds out what an asset is: what its sender says, or what its name does when the sender says nothing. It reports
// whether that is something that pages load.
func MediaType(sent, name string) (string, bool) {
	kind, _, err := mime.ParseMediaType(sent)
	if sent == "" || err == nil && kind == "application/octet-stream" {
		kind = endings[strings.ToLower(path.Ext(name))]
	}
	return kind, kinds[kind] != nil
}

// CheckAsset holds content against its media type, which MediaType gave.
func CheckAsset(kind string, content []byte) error {
	if is := kinds[kind]; is == nil || !is(content) {
		return ErrAssetInvalid.With("The content is not %s.", kind).In("")
	}
	return nil
}

// isOpenType takes both kinds of outlines: senders mix the two media types up.
func isOpenType(content []byte) bool { return begins("\x00\x01\x00\x00", "true", "OTTO")(content) }

func begins(with ...string) func([]byte) bool {
	return func(content []byte) bool {
		for _, w := range with {
			if bytes.HasPrefix(content, []byte(w)) {
				return true
			}
		}
		return false
	}
}

// isSVG reports whether the first element of a text is <svg>.
func isSVG(content []byte) bool {
	if !utf8.Valid(content) {
		return false
	}
	tokens := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			return string(name) == "svg" || bytes.HasSuffix(name, []byte(":svg"))
		case html.TextToken, html.EndTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}
