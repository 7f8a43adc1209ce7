package locale

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number writes a number that is in plain decimal notation, with the digits after its point as they are.
func (l Locale) Number(plain string) string {
	return l.write(plain, l.fact(NumberPattern), shape{decimal: l.fact(Decimal), group: l.fact(Group)})
}

// Percent writes a number of hundredths that is in plain decimal notation, with the digits after its point as they are.
func (l Locale) Percent(plain string) string {
	pattern := strings.ReplaceAll(l.fact(PercentPattern), "%", l.fact(PercentSign))
	return l.write(plain, pattern, shape{decimal: l.fact(Decimal), group: l.fact(Group)})
}

// Money writes an amount, in plain decimal notation and with as many digits after the point as shall be seen, of a currency. The
// code of a currency that has no symbol in the locale stands for it.
func (l Locale) Money(code, plain string) string {
	c := l.currency(code)
	pattern, s := l.fact(MoneyPattern), shape{symbol: c.symbol, decimal: l.fact(MoneyDecimal), group: l.fact(MoneyGroup)}
	for _, own := range []struct {
		text string
		to   *string
	}{{c.pattern, &pattern}, {c.decimal, &s.decimal}, {c.group, &s.group}} {
		if own.text != "" {
			*own.to = own.text
		}
	}
	return l.write(plain, pattern, s)
}

// shape is what a number is made of, beside its digits.
type shape struct{ symbol, decimal, group string }

// write fills in a pattern, as "¤#,##0.00;¤-#,##0.00" (UTS 35, part 3, section 3.1).
func (l Locale) write(plain, pattern string, s shape) string {
	digits, isNegative := strings.CutPrefix(plain, "-")
	pattern, negative, hasNegative := strings.Cut(pattern, ";")
	switch {
	case isNegative && hasNegative:
		pattern = negative
	case isNegative:
		pattern = "-" + pattern
	}
	start := strings.IndexAny(pattern, "#0")
	end := strings.LastIndexAny(pattern, "#0") + 1
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	number := l.grouped(whole, pattern[start:end], s.group)
	if hasFraction {
		number += s.decimal + fraction
	}
	return l.affix(pattern[:start], s, false) + l.localDigits(number) + l.affix(pattern[end:], s, true)
}

// affix is what stands before or after the digits. A symbol that ends in a letter does not touch them.
func (l Locale) affix(text string, s shape, after bool) string {
	text = strings.ReplaceAll(text, "-", l.fact(Minus))
	symbol := s.symbol
	if first, _ := utf8.DecodeRuneInString(symbol); after && strings.HasPrefix(text, "¤") && !standsApart(first) {
		symbol = "\u00a0" + symbol
	}
	if last, _ := utf8.DecodeLastRuneInString(symbol); !after && strings.HasSuffix(text, "¤") && !standsApart(last) {
		symbol += "\u00a0"
	}
	return strings.ReplaceAll(text, "¤", symbol)
}

func standsApart(r rune) bool { return unicode.IsSymbol(r) || unicode.In(r, unicode.Z) }

// grouped cuts the digits before the point as a pattern like "#,##,##0.00" tells: the last group and those before it may differ.
func (l Locale) grouped(whole, pattern, separator string) string {
	pattern, _, _ = strings.Cut(pattern, ".")
	comma := strings.LastIndexByte(pattern, ',')
	if comma < 0 {
		return whole
	}
	last := len(pattern) - comma - 1
	others := last
	if before := strings.LastIndexByte(pattern[:comma], ','); before >= 0 {
		others = comma - before - 1
	}
	least := int(l.fact(MinimumGrouping)[0] - '0')
	if len(whole) < last+least {
		return whole
	}
	cut := len(whole) - last
	var grouped strings.Builder
	for from, to := 0, cmp.Or(cut%others, others); from < cut; from, to = to, to+others {
		grouped.WriteString(whole[from:to])
		grouped.WriteString(separator)
	}
	grouped.WriteString(whole[cut:])
	return grouped.String()
}

// localDigits replaces the digits 0 to 9.
func (l Locale) localDigits(text string) string {
	if l.fact(Digits)[0] == '0' {
		return text
	}
	digits := []rune(l.fact(Digits))
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return digits[r-'0']
		}
		return r
	}, text)
}
