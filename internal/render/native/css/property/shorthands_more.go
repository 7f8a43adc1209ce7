package property

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// Here are the shorthands with a grammar of their own: font, background and those of grids.

var fontLonghands = []string{
	"font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family",
	"font-variant-ligatures", "font-variant-numeric", "font-kerning", "font-feature-settings",
}

// font reads style, weight and so on in any order, then size, line height and families (CSS Fonts 4, section 2.7).
func font(r *value.Reader) (map[string][]syntax.Value, bool) {
	if k, ok := r.Keyword("caption", "icon", "menu", "message-box", "small-caption", "status-bar"); ok {
		r.Refuse("the font of the system " + k + " is not supported")
		return nil, true
	}
	parts := map[string][]syntax.Value{}
	for range 4 {
		if v := r.Peek(); v.Kind == syntax.Percentage || v.Kind == syntax.Function && parts["font-weight"] != nil {
			break // it is the size
		}
		if _, ok := r.Keyword("normal"); !ok && !oneOf(r, fontLonghands[:4], parts) {
			break
		}
	}
	if parts["font-size"] = accepts("font-size", r); parts["font-size"] == nil {
		return nil, false
	}
	if r.Delim("/") {
		if parts["line-height"] = accepts("line-height", r); parts["line-height"] == nil {
			return nil, false
		}
	}
	parts["font-family"] = accepts("font-family", r)
	return parts, parts["font-family"] != nil
}

// otherVariants are those of letters of the East, of positions and of pictures.
var otherVariants = strings.Fields("jis78 jis83 jis90 jis04 simplified traditional full-width proportional-width ruby sub super text emoji unicode historical-forms")

func fontVariant(r *value.Reader) (map[string][]syntax.Value, bool) {
	if _, ok := r.Keyword("normal"); ok {
		return nil, true
	}
	if _, ok := r.Keyword("none"); ok {
		return map[string][]syntax.Value{"font-variant-ligatures": ident("none")}, true
	}
	parts := map[string][]syntax.Value{}
	for !r.Done() {
		mark := r.Mark()
		name := ""
		for _, longhand := range []string{"font-variant-ligatures", "font-variant-caps", "font-variant-numeric"} {
			if name == "" && accepts(longhand, r) != nil {
				name = longhand
			}
		}
		if name == "" {
			if _, ok := r.Keyword(otherVariants...); !ok {
				return nil, false
			}
			r.Refuse("these variants of fonts are not supported")
			continue
		}
		parts[name] = append(parts[name], r.Since(mark)...)
	}
	return parts, true
}

var backgroundLonghands = []string{
	"background-image", "background-position", "background-size", "background-repeat", "background-attachment",
	"background-origin", "background-clip", "background-color",
}

// backgroundDefaults are what a layer has when it says nothing.
var backgroundDefaults = map[string][]syntax.Value{
	"background-image": ident("none"), "background-position": {{Kind: syntax.Percentage}, {Kind: syntax.Percentage}},
	"background-size": ident("auto"), "background-repeat": ident("repeat"), "background-attachment": ident("scroll"),
	"background-origin": ident("padding-box"), "background-clip": ident("border-box"),
}

// background reads layers between commas; only the last one has a color.
func background(r *value.Reader) (map[string][]syntax.Value, bool) {
	all := map[string][]syntax.Value{}
	for {
		layer, ok := backgroundLayer(r)
		if !ok {
			return nil, false
		}
		comma := syntax.Value{Kind: syntax.Delim, Text: ","}
		for name, initial := range backgroundDefaults {
			v := layer[name]
			if v == nil {
				v = initial
			}
			if all[name] != nil {
				all[name] = append(all[name], comma)
			}
			all[name] = append(all[name], v...)
		}
		if !r.Delim(",") {
			all["background-color"] = layer["background-color"]
			return all, true
		}
		if layer["background-color"] != nil {
			return nil, false
		}
	}
}

// single are the parts of a layer that stand for themselves; position, size and boxes belong together.
var single = []string{"background-image", "background-attachment", "background-color"}

func backgroundLayer(r *value.Reader) (map[string][]syntax.Value, bool) {
	parts := map[string][]syntax.Value{}
	for !r.Done() && !r.Peek().Is(",") {
		if oneLayerPart(r, parts) {
			continue
		}
		return nil, false
	}
	if parts["background-origin"] != nil && parts["background-clip"] == nil {
		parts["background-clip"] = parts["background-origin"]
	}
	return parts, len(parts) > 0
}

func oneLayerPart(r *value.Reader, parts map[string][]syntax.Value) bool {
	for _, name := range single {
		if parts[name] == nil && (name != "background-color" || !r.Peek().IsIdent("none")) {
			if v := one(name, r); v != nil {
				parts[name] = v
				return true
			}
		}
	}
	if parts["background-position"] == nil {
		if v := one("background-position", r); v != nil {
			parts["background-position"] = v
			if r.Delim("/") {
				parts["background-size"] = one("background-size", r)
				return parts["background-size"] != nil
			}
			return true
		}
	}
	for _, name := range []string{"background-repeat", "background-origin", "background-clip"} {
		if parts[name] == nil {
			if v := one(name, r); v != nil {
				parts[name] = v
				return true
			}
		}
	}
	return false
}

// one reads a single layer of a longhand that is a list: what comes up to a comma is given to it piece by piece.
func one(name string, r *value.Reader) []syntax.Value {
	mark := r.Mark()
	if layerReaders[name](r) && r.Mark() > mark {
		return r.Since(mark)
	}
	r.Reset(mark)
	return nil
}

// layerReaders read one layer of a background.
var layerReaders = map[string]func(*value.Reader) bool{
	"background-image":      func(r *value.Reader) bool { _, ok := r.Image(); return ok },
	"background-attachment": func(r *value.Reader) bool { _, ok := keyword("scroll local", "fixed")(r); return ok },
	"background-color":      func(r *value.Reader) bool { _, ok := r.Color(); return ok },
	"background-position":   func(r *value.Reader) bool { _, ok := r.BackgroundPosition(); return ok },
	"background-size":       func(r *value.Reader) bool { _, ok := backgroundSize(r); return ok },
	"background-repeat":     func(r *value.Reader) bool { _, ok := repeat(r); return ok },
	"background-origin": func(r *value.Reader) bool {
		_, ok := r.Keyword("border-box", "padding-box", "content-box")
		return ok
	},
	"background-clip": func(r *value.Reader) bool {
		_, ok := keyword("border-box padding-box content-box", "text border-area")(r)
		return ok
	},
}

var gridAreaNames = []string{"grid-row-start", "grid-column-start", "grid-row-end", "grid-column-end"}

// gridLines reads lines between slashes; one that is missing takes the name of the line before it, two names back
// in an area (CSS Grid 2, section 8.4).
func gridLines(names ...string) func(*value.Reader) (map[string][]syntax.Value, bool) {
	return func(r *value.Reader) (map[string][]syntax.Value, bool) {
		parts := map[string][]syntax.Value{}
		for i, name := range names {
			if i > 0 && !r.Delim("/") {
				inheritNames(names[i:], names, parts)
				break
			}
			if parts[name] = accepts(name, r); parts[name] == nil {
				return nil, false
			}
		}
		return parts, true
	}
}

func inheritNames(missing, names []string, parts map[string][]syntax.Value) {
	start := len(names) - len(missing)
	for i := start; i < len(names); i++ {
		from := max(i-2, 0)
		if len(names) == 2 {
			from = 0
		}
		parts[names[i]] = ident("auto")
		if v := parts[names[from]]; len(v) == 1 && v[0].Kind == syntax.Ident {
			parts[names[i]] = v
		}
	}
}

var templateNames = []string{"grid-template-rows", "grid-template-columns", "grid-template-areas"}

// gridTemplate reads "none", rows / columns, or strings with the sizes of their rows.
func gridTemplate(r *value.Reader) (map[string][]syntax.Value, bool) {
	parts := map[string][]syntax.Value{}
	if _, ok := r.Keyword("none"); ok && r.Done() {
		return parts, true
	}
	if hasString(r) {
		return gridAreas(r)
	}
	rows := upToSlash(r)
	if !r.Delim("/") || len(rows) == 0 || r.Done() {
		return nil, false
	}
	parts["grid-template-rows"], parts["grid-template-columns"] = rows, rest(r)
	return parts, true
}

func hasString(r *value.Reader) bool {
	for _, v := range r.Rest() {
		if v.Kind == syntax.String {
			return true
		}
	}
	return false
}

func upToSlash(r *value.Reader) []syntax.Value {
	mark := r.Mark()
	for !r.Done() && !r.Peek().Is("/") {
		r.Skip()
	}
	return r.Since(mark)
}

func rest(r *value.Reader) []syntax.Value {
	mark := r.Mark()
	for !r.Done() {
		r.Skip()
	}
	return r.Since(mark)
}

// gridAreas reads the strings; a row without size is auto.
func gridAreas(r *value.Reader) (map[string][]syntax.Value, bool) {
	parts := map[string][]syntax.Value{}
	sized := true
	for _, v := range upToSlash(r) {
		if v.Kind == syntax.String {
			if !sized {
				parts["grid-template-rows"] = append(parts["grid-template-rows"], ident("auto")...)
			}
			parts["grid-template-areas"] = append(parts["grid-template-areas"], v)
			sized = false
			continue
		}
		if v.Kind != syntax.Brackets {
			sized = true
		}
		parts["grid-template-rows"] = append(parts["grid-template-rows"], v)
	}
	if !sized {
		parts["grid-template-rows"] = append(parts["grid-template-rows"], ident("auto")...)
	}
	if r.Delim("/") {
		if parts["grid-template-columns"] = rest(r); len(parts["grid-template-columns"]) == 0 {
			return nil, false
		}
	}
	return parts, true
}

// grid reads a template, or a template of one axis and auto-flow of the other.
func grid(r *value.Reader) (map[string][]syntax.Value, bool) {
	mark := r.Mark()
	first := upToSlash(r)
	if !r.Delim("/") {
		r.Reset(mark)
		return gridTemplate(r)
	}
	second := rest(r)
	firstFlow, firstTracks := takeFlow(first)
	secondFlow, secondTracks := takeFlow(second)
	switch {
	case firstFlow != nil:
		parts := map[string][]syntax.Value{"grid-auto-flow": append(ident("row"), firstFlow...), "grid-template-columns": second}
		parts["grid-auto-rows"] = firstTracks
		return parts, len(second) > 0 && secondFlow == nil
	case secondFlow != nil:
		parts := map[string][]syntax.Value{"grid-auto-flow": append(ident("column"), secondFlow...), "grid-template-rows": first}
		parts["grid-auto-columns"] = secondTracks
		return parts, len(first) > 0
	}
	r.Reset(mark)
	return gridTemplate(r)
}

// takeFlow splits "auto-flow dense? tracks"; flow is nil when it is none.
func takeFlow(values []syntax.Value) (flow, tracks []syntax.Value) {
	found := false
	flow = []syntax.Value{}
	for _, v := range values {
		switch {
		case v.IsIdent("auto-flow"):
			found = true
		case v.IsIdent("dense"):
			flow = append(flow, v)
		default:
			tracks = append(tracks, v)
		}
	}
	if !found {
		return nil, nil
	}
	return flow, tracks
}
