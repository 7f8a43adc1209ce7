package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/locale"
)

// data is the folder that holds the packages.
type data struct{ dir string }

// tree is JSON whose shape is CLDR's.
type tree struct{ value any }

func (d data) read(path ...string) (tree, error) {
	text, err := os.ReadFile(filepath.Join(append([]string{d.dir}, path...)...))
	if err != nil {
		return tree{}, err
	}
	var t tree
	return t, json.Unmarshal(text, &t.value)
}

func (t tree) at(path ...string) tree {
	for _, name := range path {
		object, _ := t.value.(map[string]any)
		t = tree{object[name]}
	}
	return t
}

// text is "" where there is none.
func (t tree) text() string {
	text, _ := t.value.(string)
	return text
}

func (t tree) or(other tree) tree {
	if t.value == nil {
		return other
	}
	return t
}

// list joins the texts of names that stand in this order.
func (t tree) list(names ...string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = t.at(name).text()
	}
	return strings.Join(texts, "|")
}

func (d data) version() string {
	t, _ := d.read("cldr-core", "package.json")
	return t.at("version").text()
}

// tags are the locales that are covered well.
func (d data) tags() ([]string, error) {
	t, err := d.read("cldr-core", "coverageLevels.json")
	if err != nil {
		return nil, err
	}
	levels, _ := t.at("effectiveCoverageLevels").value.(map[string]any)
	maps.DeleteFunc(levels, func(tag string, level any) bool { return level != "modern" || tag == "und" })
	return slices.Sorted(maps.Keys(levels)), nil
}

func (d data) facts(tag string) (locale.Facts, error) {
	var f locale.Facts
	dates, err := d.read("cldr-dates-full", "main", tag, "ca-gregorian.json")
	if err != nil {
		return f, err
	}
	numbers, err := d.read("cldr-numbers-full", "main", tag, "numbers.json")
	if err != nil {
		return f, err
	}
	money, err := d.read("cldr-numbers-full", "main", tag, "currencies.json")
	if err != nil {
		return f, err
	}
	systems, err := d.read("cldr-core", "supplemental", "numberingSystems.json")
	if err != nil {
		return f, err
	}
	rules, err := d.read("cldr-core", "supplemental", "plurals.json")
	if err != nil {
		return f, err
	}
	f[locale.Plurals] = plurals(rules.at("supplemental", "plurals-type-cardinal"), tag)
	addDates(&f, dates.at("main", tag, "dates", "calendars", "gregorian"))
	system := addNumbers(&f, numbers.at("main", tag, "numbers"))
	f[locale.Digits] = systems.at("supplemental", "numberingSystems", system, "_digits").text()
	f[locale.Currencies] = currencies(money.at("main", tag, "numbers", "currencies"))
	for i, fact := range f {
		if fact == "" || strings.HasPrefix(fact, "|") {
			return f, fmt.Errorf("no %s", locale.FactNames[i])
		}
	}
	return f, nil
}

var (
	months = strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12")
	days   = strings.Fields("sun mon tue wed thu fri sat")
)

func addDates(f *locale.Facts, g tree) {
	for fact, path := range map[int]string{
		locale.MonthsWide: "format wide", locale.MonthsShort: "format abbreviated", locale.MonthsNarrow: "stand-alone narrow",
		locale.MonthsWideAlone: "stand-alone wide", locale.MonthsShortAlone: "stand-alone abbreviated",
	} {
		f[fact] = g.at("months").at(strings.Fields(path)...).list(months...)
	}
	for fact, path := range map[int]string{
		locale.DaysWide: "format wide", locale.DaysShort: "format abbreviated", locale.DaysNarrow: "stand-alone narrow",
		locale.DaysWideAlone: "stand-alone wide", locale.DaysShortAlone: "stand-alone abbreviated",
	} {
		f[fact] = g.at("days").at(strings.Fields(path)...).list(days...)
	}
	f[locale.Periods] = g.at("dayPeriods", "format", "abbreviated").list("am", "pm")
	f[locale.Era] = g.at("eras", "eraAbbr", "1").text()
	joins := g.at("dateTimeFormats-atTime", "standard")
	for i, style := range []string{"full", "long", "medium", "short"} {
		f[locale.DateFull+i] = g.at("dateFormats", style).text()
		f[locale.JoinFull+i] = joins.at(style).text()
	}
	// Parts of the day, as "in the afternoon", are known to one locale's times only; noon will do.
	f[locale.TimeShort] = strings.ReplaceAll(g.at("timeFormats", "short").text(), "B", "a")
	f[locale.TimeMedium] = strings.ReplaceAll(g.at("timeFormats", "medium").text(), "B", "a")
}

func addNumbers(f *locale.Facts, n tree) (system string) {
	system = n.at("defaultNumberingSystem").text()
	symbols := n.at("symbols-numberSystem-" + system)
	f[locale.Decimal] = symbols.at("decimal").text()
	f[locale.Group] = symbols.at("group").text()
	f[locale.Minus] = symbols.at("minusSign").text()
	f[locale.MoneyDecimal] = symbols.at("currencyDecimal").or(symbols.at("decimal")).text()
	f[locale.MoneyGroup] = symbols.at("currencyGroup").or(symbols.at("group")).text()
	f[locale.MinimumGrouping] = n.at("minimumGroupingDigits").text()
	f[locale.NumberPattern] = n.at("decimalFormats-numberSystem-"+system, "standard").text()
	f[locale.PercentPattern] = n.at("percentFormats-numberSystem-"+system, "standard").text()
	f[locale.PercentSign] = symbols.at("percentSign").text()
	f[locale.MoneyPattern] = n.at("currencyFormats-numberSystem-"+system, "standard").text()
	return system
}

// currencies writes a line for every currency.
func currencies(t tree) string {
	object, _ := t.value.(map[string]any)
	var lines []string
	for _, code := range slices.Sorted(maps.Keys(object)) {
		c := t.at(code)
		line := []string{code, c.at("symbol").or(tree{code}).text(), c.at("pattern").text(), c.at("decimal").text(), c.at("group").text()}
		lines = append(lines, strings.TrimRight(strings.Join(line, "\t"), "\t"))
	}
	return strings.Join(lines, "\n")
}

// plurals are the rules of a language, without their examples. Only few are those of a region.
func plurals(rules tree, tag string) string {
	language, _, _ := strings.Cut(tag, "-")
	if strings.HasPrefix(tag, "pt-") {
		language = "pt-PT"
	}
	own := rules.at(tag).or(rules.at(language))
	var lines []string
	for _, category := range []string{"zero", "one", "two", "few", "many"} {
		rule, _, _ := strings.Cut(own.at("pluralRule-count-"+category).text(), "@")
		if rule != "" {
			lines = append(lines, category+" "+strings.TrimSpace(rule))
		}
	}
	return strings.Join(append(lines, "other"), "|")
}
