package text

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
)

// numeric and ligatures are the features behind the words of CSS Fonts 4, sections 6.4 and 6.7.
var numeric = map[string]string{
	"lining-nums": "lnum", "oldstyle-nums": "onum", "proportional-nums": "pnum", "tabular-nums": "tnum",
	"diagonal-fractions": "frac", "stacked-fractions": "afrc", "ordinal": "ordn", "slashed-zero": "zero",
}

var ligatures = map[string][]string{
	"common-ligatures": {"liga", "clig"}, "discretionary-ligatures": {"dlig"}, "historical-ligatures": {"hlig"}, "contextual": {"calt"},
}

// features are what a style asks of OpenType, the settings that override all else last (CSS Fonts 4, section 7.2).
func features(s *property.Style) []shape.Feature {
	var list []shape.Feature
	if s.FontKerning == "none" {
		list = append(list, shape.Feature{Tag: "kern"})
	}
	switch {
	case s.FontVariantLigatures == "none":
		for _, tag := range []string{"liga", "clig", "dlig", "hlig", "calt"} {
			list = append(list, shape.Feature{Tag: tag})
		}
	case s.LetterSpacing != 0: // spaced letters do not stand together
		list = append(list, shape.Feature{Tag: "liga"}, shape.Feature{Tag: "clig"})
	}
	for word := range strings.FieldsSeq(string(s.FontVariantLigatures)) {
		name, off := strings.CutPrefix(word, "no-")
		for _, tag := range ligatures[name] {
			list = append(list, shape.Feature{Tag: tag, Value: on(!off)})
		}
	}
	for word := range strings.FieldsSeq(string(s.FontVariantNumeric)) {
		if tag, ok := numeric[word]; ok {
			list = append(list, shape.Feature{Tag: tag, Value: 1})
		}
	}
	for _, f := range s.FontFeatures {
		list = append(list, shape.Feature{Tag: f.Tag, Value: uint32(f.Value)}) //nolint:gosec // G115: not negative
	}
	return list
}

func on(v bool) uint32 {
	if v {
		return 1
	}
	return 0
}
