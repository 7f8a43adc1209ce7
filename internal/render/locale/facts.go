package locale

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Facts are what is known of one locale, each as CLDR writes it. Names in a list are separated by "|". An empty fact is that of the
// parent; the last parent is en, which has all.
type Facts [factCount]string

// The facts.
const (
	MonthsWide       = iota // as part of a date: "3. März", "3 марта"
	MonthsShort             //
	MonthsNarrow            // one letter
	MonthsWideAlone         // as a heading: "Март"
	MonthsShortAlone        //
	DaysWide                // from Sunday on
	DaysShort               //
	DaysNarrow              //
	DaysWideAlone           //
	DaysShortAlone          //
	Periods                 // before and after noon
	Era                     // of our time
	DateFull                // patterns of dates, of times, and of both: {1} is the date
	DateLong                //
	DateMedium              //
	DateShort               //
	TimeShort               // without seconds
	TimeMedium              // with seconds
	JoinFull                // by the style of the date
	JoinLong                //
	JoinMedium              //
	JoinShort               //
	Digits                  // from 0 to 9
	Decimal                 // the point of numbers, and the rest of what they are made of
	Group                   //
	Minus                   //
	MinimumGrouping         // how many digits must stand before the first separator
	NumberPattern           //
	PercentPattern          //
	PercentSign             //
	MoneyPattern            //
	MoneyDecimal            //
	MoneyGroup              //
	Currencies              // lines of a code, its symbol and, for some, a pattern, a decimal and a group of their own; tabs between
	Plurals                 // rules by category, the first that holds wins: "one i = 1 and v = 0|few …"
	factCount
)

// FactNames are the names of the facts, for whoever writes the table.
var FactNames = [factCount]string{
	"MonthsWide", "MonthsShort", "MonthsNarrow", "MonthsWideAlone", "MonthsShortAlone", "DaysWide", "DaysShort", "DaysNarrow",
	"DaysWideAlone", "DaysShortAlone", "Periods", "Era", "DateFull", "DateLong", "DateMedium", "DateShort", "TimeShort",
	"TimeMedium", "JoinFull", "JoinLong", "JoinMedium", "JoinShort", "Digits", "Decimal", "Group", "Minus", "MinimumGrouping",
	"NumberPattern", "PercentPattern", "PercentSign", "MoneyPattern", "MoneyDecimal", "MoneyGroup", "Currencies", "Plurals",
}

type entry struct {
	tag   string
	facts Facts
}

// Parents returns the tags whose facts hold for a tag, the nearest first, en last; known tells of which tags there are facts. What
// is no tag has en alone.
func Parents(tag string, known func(tag string) bool) []string {
	chain := make([]string, 0, 5)
	if len(tag) <= maxTagBytes {
		t := withScript(tag, known)
		for range maxParents {
			if name := t.String(); name != fallback && known(name) {
				chain = append(chain, name)
			}
			t = t.Parent()
		}
	}
	return append(chain, fallback)
}

const (
	maxTagBytes = 64
	maxParents  = 8
	fallback    = "en"
)

// withScript parses a tag, and names the script where that leads nearer: the facts of zh-HK are those of zh-Hant-HK, and those of
// zh-TW stand with zh-Hant.
func withScript(tag string, known func(tag string) bool) language.Tag {
	t, err := language.Parse(tag)
	if err != nil && t == language.Und {
		return language.Und
	}
	base, script, region := t.Raw()
	if script != (language.Script{}) {
		return t
	}
	script, _ = t.Script()
	for _, parts := range [][]any{{base, script, region}, {base, script}} {
		if with, err := language.Compose(parts...); err == nil && known(with.String()) && !known(t.String()) {
			return with
		}
	}
	return t
}

// english are the facts that are asked for most.
var english = find(fallback)

// find returns the facts of a tag, or nil.
func find(tag string) *Facts {
	i, found := slices.BinarySearchFunc(table, tag, func(e entry, tag string) int { return strings.Compare(e.tag, tag) })
	if !found {
		return nil
	}
	return &table[i].facts
}

// Tags returns the tags that have facts of their own, in order.
func Tags() []string {
	tags := make([]string, len(table))
	for i, e := range table {
		tags[i] = e.tag
	}
	return tags
}
