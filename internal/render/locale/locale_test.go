package locale_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render/locale"
)

func TestMoneyIsWrittenAsTheLocaleDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, code, plain, want string }{
		{"de", "EUR", "1234.50", "1.234,50\u00a0€"},
		{"de-AT", "EUR", "1234.50", "€\u00a01.234,50"},
		{"de-CH", "CHF", "-1234.50", "CHF-1'234.50"},
		{"en", "EUR", "1234.50", "€1,234.50"},
		{"en", "CHF", "1234.50", "CHF\u00a01,234.50"},
		{"en-IN", "INR", "-123456789.00", "-₹12,34,56,789.00"},
		{"fr", "EUR", "1234.50", "1\u202f234,50\u00a0€"},
		{"ja", "JPY", "1234", "￥1,234"},
		{"sv", "SEK", "-1234.50", "−1\u00a0234,50\u00a0kr"},
		{"es", "EUR", "1234.50", "1234,50\u00a0€"},
		{"es", "EUR", "12345.50", "12.345,50\u00a0€"},
		{"nl", "EUR", "-1.00", "€\u00a0-1,00"},
		{"pt-CV", "CVE", "1234.50", "1234$50\u00a0\u200b"},
		{"fa", "USD", "1234.50", "\u200e$۱٬۲۳۴٫۵۰"},
		{"hi", "USD", "1234567.00", "$12,34,567.00"},
	} {
		if got := locale.Of(c.tag).Money(c.code, c.plain); got != c.want {
			t.Errorf("%s: got %q, want %q", c.tag, got, c.want)
		}
	}
}

func TestANumberOfFortyDigitsIsExact(t *testing.T) {
	t.Parallel()
	plain := "-1234567890123456789012345678901234567890.1200"
	for tag, want := range map[string]string{
		"en":    "-1,234,567,890,123,456,789,012,345,678,901,234,567,890.1200",
		"de":    "-1.234.567.890.123.456.789.012.345.678.901.234.567.890,1200",
		"en-IN": "-1,23,45,67,89,01,23,45,67,89,01,23,45,67,89,01,23,45,67,890.1200",
	} {
		if got := locale.Of(tag).Number(plain); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

func TestAnUnknownLocaleIsThatOfItsParents(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"de-XX": "1.234,5", "de_DE": "1.234,5", "de-DE-1996": "1.234,5", "DE": "1.234,5", "en-ZZ": "1,234.5", "tlh": "1,234.5",
		"": "1,234.5", "!!": "1,234.5", "root": "1,234.5", "x-private": "1,234.5", "und-AT": "1,234.5",
		strings.Repeat("de-", 100_000): "1,234.5", "pt-AO": "1\u00a0234,5", "iw": "1,234.5",
	} {
		if got := locale.Of(tag).Number("1234.5"); got != want {
			t.Errorf("%.20s: got %q, want %q", tag, got, want)
		}
	}
	if got := (locale.Locale{}).Number("1234.5"); got != "1,234.5" {
		t.Errorf("the zero value: %q", got)
	}
	day := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	for tag, want := range map[string]string{"zh-TW": "2026年3月31日 星期二", "zh-HK": "2026年3月31日星期二", "zh": "2026年3月31日星期二"} {
		l := locale.Of(tag)
		full, _ := l.Style("full")
		if got := l.Date(full, day); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
}

// Whatever the table says must be usable: every style of every locale, and every list has all its names.
func TestEveryLocaleWritesEverything(t *testing.T) {
	t.Parallel()
	tags := locale.Tags()
	if len(tags) < 350 || !slices.IsSorted(tags) {
		t.Fatalf("%d locales, sorted: %v", len(tags), slices.IsSorted(tags))
	}
	all, err := locale.ParsePattern("G y QQ MMM MMMM MMMMM LLL LLLL E EEEE EEEEE ccc cccc a h")
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range tags {
		l := locale.Of(tag)
		for _, style := range locale.Styles() {
			p, known := l.Style(style)
			if !known {
				t.Errorf("%s: no style %s", tag, style)
			}
			for month := range 12 {
				if text := l.Date(p, time.Date(2026, time.Month(month+1), 1+month*2, 7+month, 4, 5, 0, time.UTC)); strings.TrimSpace(text) == "" {
					t.Errorf("%s: %s writes nothing", tag, style)
				}
			}
		}
		for day := range 7 {
			l.Date(all, time.Date(2026, time.Month(day+6), day+1, 12, 0, 0, 0, time.UTC))
		}
		for _, plain := range []string{"0", "1", "2", "5", "11", "0.1", "1.50", "1000000"} {
			if category := l.Plural(plain); !slices.Contains(locale.Categories(), category) {
				t.Errorf("%s: %s is %q", tag, plain, category)
			}
		}
		if text := l.Money("EUR", "-1234567.89") + l.Number("0.5") + l.Number("-12345678901") + l.Percent("-12.5"); strings.ContainsAny(text, "#¤;") {
			t.Errorf("%s: %q", tag, text)
		}
	}
}

func TestStylesOfDates(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 15, 4, 5, 0, time.UTC)
	for _, c := range []struct{ tag, style, want string }{
		{"en", "short", "3/1/26"},
		{"en", "medium", "Mar 1, 2026"},
		{"en", "long", "March 1, 2026"},
		{"en", "full", "Sunday, March 1, 2026"},
		{"en", "time", "3:04\u202fPM"},
		{"en", "datetime", "Mar 1, 2026, 3:04\u202fPM"},
		{"en-GB", "datetime-long", "1 March 2026 at 15:04"},
		{"de", "short", "01.03.26"},
		{"de", "medium", "01.03.2026"},
		{"de", "long", "1. März 2026"},
		{"de", "datetime-full", "Sonntag, 1. März 2026 um 15:04"},
		{"de-AT", "long", "1. März 2026"},
		{"fr", "long", "1 mars 2026"},
		{"ru", "long", "1 марта 2026\u202fг."},
		{"fi", "full", "sunnuntai 1. maaliskuuta 2026"},
		{"ar-EG", "short", "١\u200f/٣\u200f/٢٠٢٦"},
		{"th", "long", "1 มีนาคม ค.ศ. 2026"},
		{"zh-Hant", "time", "下午3:04"},
		{"de", "time-seconds", "15:04:05"},
	} {
		l := locale.Of(c.tag)
		p, known := l.Style(c.style)
		if got := l.Date(p, at); !known || got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.tag, c.style, got, c.want)
		}
	}
}

func TestPatternsOfDates(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("Somewhere/Else", -5400)
	at := time.Date(2026, 3, 1, 0, 4, 5, 123456789, zone)
	for pattern, want := range map[string]string{
		"": "", "d. MMMM yyyy": "1. März 2026", "dd.MM.yy": "01.03.26", "EEE, d MMM y": "So., 1 März 2026", "LLLL LLL L": "März Mär 3",
		"cccc ccc EEEEE MMMMM": "Sonntag So S M", "h:mm a": "12:04 AM", "HH:mm:ss.SSS": "00:04:05.123", "xxx XXX Z VV": "-01:30 -01:30 -0130 Somewhere/Else",
		"'KW' ''yy'' 'o''clock'": "KW '26' o'clock", "D DDD Q": "60 060 1", "y G": "2026 n. Chr.", "日": "日", "yyyy年M月": "2026年3月", "''": "'",
	} {
		p, err := locale.ParsePattern(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		if got := locale.Of("de").Date(p, at); got != want {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
	for pattern, want := range map[string]string{
		"lang": "'l' is no field of a date", "ddd": "'d' may not stand 3 times", "'": "not closed", "d 'x": "not closed", "w": "no field",
		strings.Repeat("d ", 200): "200 bytes", "\xff": "UTF-8", "MMMMMM": "6 times", strings.Repeat("y", 150): "150 times",
	} {
		if _, err := locale.ParsePattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: got %v, want %q", pattern, err, want)
		}
	}
}

func TestPlurals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tag, plain, want string }{
		{"en", "1", "one"},
		{"en", "1.0", "other"},
		{"en", "0", "other"},
		{"en", "-1", "one"},
		{"en", "10000001", "other"},
		{"en", "1000000000000000000000001", "other"},
		{"fr", "0", "one"},
		{"fr", "1.5", "one"},
		{"pl", "2", "few"},
		{"pl", "5", "many"},
		{"pl", "22", "few"},
		{"ru", "21", "one"},
		{"ru", "1000000000021", "one"},
		{"ar", "0", "zero"},
		{"ar", "2", "two"},
		{"ar", "11", "many"},
		{"ja", "1", "other"},
		{"xx", "1", "one"},
		{"mk", "11", "other"},
		{"he", "100", "other"},
		{"is", "1.5", "other"},
		{"lv", "0.1", "one"},
		{"es", "1000000", "many"},
		{"pt", "1.5", "one"},
		{"pt-PT", "1.5", "other"},
		{"da", "0.5", "one"},
		{"lt", "1.5", "many"},
		{"sl", "2.0", "few"},
		{"br", "1", "one"},
	} {
		if got := locale.Of(c.tag).Plural(c.plain); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.tag, c.plain, got, c.want)
		}
	}
}

func TestPlacesOfCurrencies(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{"EUR": 2, "JPY": 0, "KWD": 3, "CLF": 4, "HUF": 2, "IQD": 3} {
		if got, known := locale.Places(code); !known || got != want {
			t.Errorf("%s: got %d, %v", code, got, known)
		}
	}
	for _, code := range []string{"", "EU", "eur", "ABC", "€", "E\nR", "UR\t", "F C"} {
		if _, known := locale.Places(code); known {
			t.Errorf("%q is known", code)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("d. MMMM yyyy 'um' HH:mm", "de")
	f.Add("''xxx''VV S", "ar-EG")
	f.Fuzz(func(t *testing.T, text, tag string) {
		p, err := locale.ParsePattern(text)
		if err != nil {
			return
		}
		if got := locale.Of(tag).Date(p, time.Date(2026, 12, 31, 23, 59, 59, 999, time.UTC)); len(got) > 40*len(text)+40 {
			t.Fatalf("%d bytes from %d", len(got), len(text))
		}
	})
}
