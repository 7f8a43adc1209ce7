package templates

import (
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/codes"
)

// What the drawing of a code takes: its modules are set, tried eight times and written.
const (
	stepsAModule   = 2
	stepsAnEncoder = 20
)

// qr draws a QR code: {{verifyURL | qr}}, {{qr "H" .text}}. Without a level it is M.
func (r *run) qr(args ...any) (template.HTML, error) {
	if err := r.charge(args...); err != nil {
		return "", err
	}
	level := "M"
	switch len(args) {
	case 1:
	case 2:
		name, ok := args[0].(string)
		if !ok || !slices.Contains(codes.Levels(), name) {
			return "", ErrFailed.With("qr: %s is no level; %s are.", describe(args[0]), strings.Join(codes.Levels(), ", "))
		}
		level = name
	default:
		return "", ErrFailed.With("qr: it takes a text, and a level before it.")
	}
	text, err := encodable("qr", args[len(args)-1])
	if err != nil {
		return "", err
	}
	picture, err := codes.QR(level, text)
	return r.picture("qr", picture, err)
}

// drawers are the kinds of bar codes.
var drawers = map[string]func(string) (codes.Picture, error){"code128": codes.Code128, "ean13": codes.EAN13}

// barcode draws a bar code: {{.sku | barcode "ean13"}}.
func (r *run) barcode(kind, value any) (template.HTML, error) {
	if err := r.charge(kind, value); err != nil {
		return "", err
	}
	name, _ := kind.(string)
	draw, known := drawers[name]
	if !known {
		return "", ErrFailed.With("barcode: %s is no kind; \"code128\" and \"ean13\" are.", describe(kind))
	}
	text, err := encodable("barcode", value)
	if err != nil {
		return "", err
	}
	picture, err := draw(text)
	return r.picture("barcode", picture, err)
}

func (r *run) picture(name string, p codes.Picture, err error) (template.HTML, error) {
	if err != nil {
		return "", inFunction(name, err, "")
	}
	if err := r.spend(stepsAnEncoder + stepsAModule*p.Modules()); err != nil {
		return "", err
	}
	return template.HTML(p.SVG()), nil //nolint:gosec // G203: the text is escaped there, the rest are numbers
}

// encodable is a text, or a number as it was written.
func encodable(name string, v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case template.URL:
		return string(v), nil
	case decimal:
		return v.String(), nil
	default:
		return "", ErrFailed.With("%s: %s is not a text.", name, describe(v))
	}
}

// assetName is the name of an asset.
var assetName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// asset is the address of a stored file: <img src="{{asset "logo.png"}}">.
func (r *run) asset(name any) (template.URL, error) {
	if err := r.charge(name); err != nil {
		return "", err
	}
	text, ok := name.(string)
	if !ok || !assetName.MatchString(text) {
		return "", ErrFailed.With("asset: %s is no name of an asset: 1 to 100 letters, digits, dots, hyphens and underscores.", describe(name))
	}
	return template.URL("asset:" + text), nil //nolint:gosec // G203: the name has nothing that an address or a style sheet would take for its end
}
