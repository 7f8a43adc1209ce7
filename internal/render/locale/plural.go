package locale

import (
	"slices"
	"strconv"
	"strings"
)

// Categories are the names that [Locale.Plural] returns.
func Categories() []string { return []string{"zero", "one", "two", "few", "many", "other"} }

// Plural returns the CLDR category of a number in plain decimal notation: the digits after its point count, 1.0 is not 1.
func (l Locale) Plural(plain string) string {
	o := operandsOf(plain)
	for rule := range strings.SplitSeq(l.fact(Plurals), "|") {
		category, condition, _ := strings.Cut(rule, " ")
		if o.satisfy(condition) {
			return category
		}
	}
	return "other"
}

// operands are what rules speak of (UTS 35, part 3, section 5.1.1). Compact notation, c and e, is never used here.
type operands struct {
	isWhole                                 bool
	integer, visible, fraction, significant int // i, v, f and t
}

func operandsOf(plain string) operands {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	trimmed := strings.TrimRight(fraction, "0")
	return operands{trimmed == "", tail(whole), len(fraction), tail(fraction), tail(trimmed)}
}

// tail reads the last digits, which are enough for every rule. What was longer stays large: 10000000001 is not 1.
func tail(digits string) int {
	const most = 9
	if len(digits) > most {
		digits = "1" + digits[len(digits)-most:]
	}
	n, _ := strconv.Atoi(digits) // "" is 0
	return n
}

// satisfy evaluates a condition, as "i % 10 = 2..4 and i % 100 != 12..14 or v != 0". An empty one holds always.
func (o operands) satisfy(condition string) bool {
	for alternative := range strings.SplitSeq(condition, " or ") {
		relations := strings.Split(alternative, " and ")
		if !slices.ContainsFunc(relations, func(r string) bool { return !o.holds(r) }) {
			return true
		}
	}
	return false
}

// holds evaluates a relation, as "n % 10 != 2..4,7".
func (o operands) holds(relation string) bool {
	left, ranges, isRelation := strings.Cut(relation, "= ")
	if !isRelation {
		return true
	}
	left, isNot := strings.CutSuffix(left, "!")
	name, modulus, hasModulus := strings.Cut(strings.TrimSpace(left), " % ")
	value, exists := o.operand(name)
	if m, _ := strconv.Atoi(modulus); hasModulus && m > 0 {
		value %= m
	}
	return (exists && within(value, ranges)) != isNot
}

// operand returns the value of a letter. n is in no range of whole numbers when it has a fraction.
func (o operands) operand(name string) (value int, exists bool) {
	switch name {
	case "n":
		return o.integer, o.isWhole
	case "i":
		return o.integer, true
	case "v":
		return o.visible, true
	case "f":
		return o.fraction, true
	case "t":
		return o.significant, true
	case "c", "e":
		return 0, true
	default:
		return 0, false
	}
}

func within(value int, ranges string) bool {
	for r := range strings.SplitSeq(ranges, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(r), "..")
		if !isRange {
			to = from
		}
		low, _ := strconv.Atoi(from)
		high, _ := strconv.Atoi(to)
		if low <= value && value <= high {
			return true
		}
	}
	return false
}
