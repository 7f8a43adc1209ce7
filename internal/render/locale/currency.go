package locale

import "strings"

// places are the digits after the point of those currencies that do not have two (ISO 4217, list one: minor units).
var places = []struct {
	codes  string
	digits int
}{
	{"BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0},
	{"BHD IQD JOD KWD LYD OMR TND", 3},
	{"CLF UYW", 4},
}

// Places returns how many digits an amount of a currency has after its point (ISO 4217); known is false for what is no currency.
func Places(code string) (digits int, known bool) {
	if len(code) != 3 {
		return 0, false
	}
	if _, known = line(find(fallback)[Currencies], code); !known {
		return 0, false
	}
	for _, p := range places {
		if strings.Contains(p.codes, code) {
			return p.digits, true
		}
	}
	return 2, true
}

// currency is how a locale writes one; what is empty is as usual there.
type currency struct{ symbol, pattern, decimal, group string }

func (l Locale) currency(code string) currency {
	for _, facts := range l.facts() {
		if text, found := line(facts[Currencies], code); found {
			parts := append(strings.Split(text, "\t"), "", "", "")
			return currency{parts[0], parts[1], parts[2], parts[3]}
		}
	}
	return currency{symbol: code}
}

// line finds what follows a code in a list.
func line(list, code string) (rest string, found bool) {
	list = "\n" + list
	_, rest, found = strings.Cut(list, "\n"+code+"\t")
	rest, _, _ = strings.Cut(rest, "\n")
	return rest, found
}
