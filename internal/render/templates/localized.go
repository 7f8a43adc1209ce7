package templates

import (
	"errors"
	"fmt"
	"html/template"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so that the zones that are known do not depend on the machine

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/locale"
)

// stepsALocale is what looking up a locale and writing in it takes, beside the arguments.
const stepsALocale = 20

// localized are the functions whose result depends on the locale: each writes for the document's, and with "In" for one that is
// its first argument.
func (r *run) localized() template.FuncMap {
	return template.FuncMap{
		"date":      func(style, value any) (string, error) { return r.date(r.env.Locale, style, value) },
		"dateIn":    r.date,
		"number":    func(value any) (string, error) { return r.number(r.env.Locale, value) },
		"numberIn":  r.number,
		"percent":   func(value any) (string, error) { return r.percent(r.env.Locale, value) },
		"percentIn": r.percent,
		"money":     func(currency, value any) (string, error) { return r.money(r.env.Locale, currency, value) },
		"moneyIn":   r.money,
		"plural":    func(n any, forms ...any) (string, error) { return r.plural(r.env.Locale, n, forms...) },
		"pluralIn":  r.plural,
	}
}

// in charges for the arguments and finds the locale.
func (r *run) in(name string, tag any, args ...any) (locale.Locale, error) {
	if err := r.pay(weighAll(args, weigh(tag, maxArgBytes)), stepsALocale); err != nil {
		return locale.Locale{}, err
	}
	text, ok := tag.(string)
	if !ok {
		return locale.Locale{}, ErrFailed.With("%s: %s is not a locale, as de or en-GB is.", name, describe(tag))
	}
	if l, known := r.locales[text]; known {
		return l, nil
	}
	l := locale.Of(text)
	if len(r.locales) < fewLocales {
		if r.locales == nil {
			r.locales = map[string]locale.Locale{}
		}
		r.locales[text] = l
	}
	return l, nil
}

// fewLocales is how many are remembered in a run: a page has one or two, and finding one takes longer than what is then written in it.
const fewLocales = 8

// date writes a day as it is, and an instant in the document's zone: {{.issued | date "long"}}.
func (r *run) date(tag, style, value any) (string, error) {
	l, err := r.in("date", tag, style, value)
	if err != nil {
		return "", err
	}
	name, ok := style.(string)
	if !ok {
		return "", ErrFailed.With("date: %s is no style; %s are, and patterns as \"d. MMMM yyyy\".", describe(style), strings.Join(locale.Styles(), ", "))
	}
	pattern, known := l.Style(name)
	if !known {
		if pattern, err = locale.ParsePattern(name); err != nil {
			return "", inFunction("date", err, " Styles are "+strings.Join(locale.Styles(), ", ")+".")
		}
	}
	at, isDay, err := r.instant(value)
	if err != nil {
		return "", err
	}
	if isDay && pattern.NeedsClock() {
		return "", ErrFailed.With("date: %s has no time of day, which %q writes.", describe(value), shorten(name))
	}
	return l.Date(pattern, at), nil
}

// instant reads a day, 2026-03-31, or an instant of RFC 3339, which it brings into the document's zone.
func (r *run) instant(value any) (at time.Time, isDay bool, err error) {
	text, ok := value.(string)
	if !ok {
		return at, false, ErrFailed.With("date: %s is not a date, as \"2026-03-31\" or \"2026-03-31T14:00:00Z\" is.", describe(value))
	}
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at, true, nil
	}
	at, err = time.Parse(time.RFC3339, text)
	if err != nil {
		return at, false, ErrFailed.With("date: %s is not a date, as \"2026-03-31\" or \"2026-03-31T14:00:00Z\" is.", describe(value))
	}
	zone, err := r.location()
	if err != nil {
		return at, false, err
	}
	return at.In(zone), false, nil
}

// location loads the document's zone when it is first needed.
func (r *run) location() (*time.Location, error) {
	if r.zone != nil {
		return r.zone, nil
	}
	zone, err := time.LoadLocation(r.env.TimeZone)
	if err != nil || zone == time.Local {
		return nil, ErrFailed.With("date: %q is not a time zone, as Europe/Berlin is.", shorten(r.env.TimeZone))
	}
	r.zone = zone
	return zone, nil
}

// number writes a number with the digits that it has: {{.total | fixed 2 | number}}.
func (r *run) number(tag, value any) (string, error) {
	l, err := r.in("number", tag, value)
	if err != nil {
		return "", err
	}
	if text, _, ok := plain(value); ok {
		return l.Number(text), nil
	}
	x, err := amount("number", value)
	if err != nil {
		return "", err
	}
	return l.Number(x.String()), nil
}

// percent writes a share of one in hundredths, exactly and without zeros at the end: {{percent 0.055}} is 5.5%.
func (r *run) percent(tag, value any) (string, error) {
	l, err := r.in("percent", tag, value)
	if err != nil {
		return "", err
	}
	x, err := amount("percent", value)
	if err != nil {
		return "", err
	}
	return l.Percent(x.mul(exact{big.NewInt(100), 0}).trimmed().String()), nil
}

// money writes an amount with the digits that its currency has, rounded as fixed does: {{.total | money "EUR"}}.
func (r *run) money(tag, currency, value any) (string, error) {
	l, err := r.in("money", tag, currency, value)
	if err != nil {
		return "", err
	}
	code, _ := currency.(string)
	places, known := locale.Places(code)
	if !known {
		return "", ErrFailed.With("money: %s is not a currency; codes of ISO 4217 are, as \"EUR\".", describe(currency))
	}
	if text, has, ok := plain(value); ok && has == places {
		return l.Money(code, text), nil
	}
	x, err := amount("money", value)
	if err != nil {
		return "", err
	}
	return l.Money(code, x.rounded(places).String()), nil
}

// numberToken is a number as JSON writes it (RFC 8259, section 6).
var numberToken = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$`)

// amount reads a number, or a text that is one.
func amount(name string, v any) (exact, error) {
	if text, ok := v.(string); ok && numberToken.MatchString(text) {
		return parseExact(text)
	}
	return operand(name, v)
}

// plural chooses a text by number: {{plural .n "one" "# item" "other" "# items"}}. A "#" is the number, "##" a single "#".
func (r *run) plural(tag, n any, forms ...any) (string, error) {
	l, err := r.in("plural", tag, append(forms, n)...)
	if err != nil {
		return "", err
	}
	x, err := amount("plural", n)
	if err != nil {
		return "", err
	}
	texts, err := pluralForms(forms)
	if err != nil {
		return "", err
	}
	text, exactly := texts["="+x.String()]
	if !exactly {
		var given bool
		if text, given = texts[l.Plural(x.String())]; !given {
			text = texts["other"]
		}
	}
	number := l.Number(x.String())
	if strings.Count(text, "#")*len(number) > maxArgBytes {
		return "", ErrFailed.With("plural: the text is longer than %d bytes.", maxArgBytes)
	}
	return strings.NewReplacer("##", "#", "#", number).Replace(text), nil
}

// exactForm is the name of a form for one number only.
var exactForm = regexp.MustCompile(`^=-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?$`)

// pluralForms reads pairs of a category and a text. "other" must be there: it stands for every category that is not.
func pluralForms(forms []any) (map[string]string, error) {
	texts := map[string]string{}
	for pair := range slices.Chunk(forms, 2) {
		name, isName := pair[0].(string)
		known := isName && (exactForm.MatchString(name) || slices.Contains(locale.Categories(), name))
		if !known {
			return nil, ErrFailed.With("plural: %s is no category; %s are, and \"=1\" for the very number 1.", describe(pair[0]), strings.Join(locale.Categories(), ", "))
		}
		text, isText := pair[len(pair)-1].(string)
		if len(pair) < 2 || !isText {
			return nil, ErrFailed.With("plural: the category %q has no text.", name)
		}
		texts[name] = text
	}
	if _, given := texts["other"]; !given {
		return nil, ErrFailed.With("plural: there is no text for the category \"other\".")
	}
	return texts, nil
}

// inFunction says of a fault in which function it happened, and what else is to be known.
func inFunction(name string, err error, more string) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return fmt.Errorf("%s: %w", name, err)
	}
	return ErrFailed.With("%s: %s%s", name, f.Message, more).Because(err)
}
