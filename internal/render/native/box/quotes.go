package box

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// marks are the quotation marks of a language: those outside, and those inside of others.
type marks [2][2]string

// elsewhere are the marks of all languages that have none of their own.
var elsewhere = marks{{"“", "”"}, {"‘", "’"}}

var (
	german   = marks{{"„", "“"}, {"‚", "‘"}}
	angled   = marks{{"«", "»"}, {"‹", "›"}}
	romance  = marks{{"«", "»"}, {"“", "”"}}
	slavic   = marks{{"«", "»"}, {"„", "“"}}
	nordic   = marks{{"”", "”"}, {"’", "’"}}
	norse    = marks{{"«", "»"}, {"‘", "’"}}
	arabic   = marks{{"”", "“"}, {"’", "‘"}}
	lowered  = marks{{"„", "“"}, {"„", "“"}}
	cornered = marks{{"「", "」"}, {"『", "』"}}
	eastern  = marks{{"„", "”"}, {"«", "»"}}
)

// marksOf are the marks of languages as Blink has them, in lower case.
var marksOf = map[string]marks{
	"am": angled, "ar": arabic, "az-cyrl": angled, "bg": lowered, "bs-cyrl": german, "ca": romance, "cs": german, "de": german,
	"el": romance, "et": german, "fa": angled, "fi": nordic, "fr": {{"«", "»"}, {"«", "»"}}, "fr-ca": {{"«", "»"}, {"”", "“"}},
	"fr-ch": angled, "he": nordic, "hr": german, "hu": {{"„", "”"}, {"»", "«"}}, "it": romance, "ja": cornered, "lt": lowered,
	"nb": norse, "nl": {{"‘", "’"}, {"‘", "’"}}, "nn": norse, "no": norse, "pl": eastern, "pt-pt": romance, "ro": eastern, "ru": slavic,
	"sk": german, "sl": german, "sr": {{"„", "”"}, {"’", "’"}}, "sv": nordic, "uk": slavic, "ur": arabic, "zh-hant": cornered,
}

// quote is the mark of a level, from 0: side 0 opens and 1 closes.
func quote(q property.Quotes, lang string, level, side int) string {
	if q.Auto {
		return languageMarks(lang)[min(level, 1)][side]
	}
	if len(q.Pairs) == 0 {
		return ""
	}
	return q.Pairs[min(level, len(q.Pairs)-1)][side]
}

func languageMarks(lang string) marks {
	for lang = strings.ToLower(lang); lang != ""; {
		if m, ok := marksOf[lang]; ok {
			return m
		}
		lang = lang[:max(strings.LastIndexByte(lang, '-'), 0)]
	}
	return elsewhere
}
