package locale

import (
	"strings"
	"sync"
)

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
	if _, known = english.currencies()[code]; !known {
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
		if c, found := facts.currencies()[code]; found {
			return c
		}
	}
	return currency{symbol: code}
}

// read are the lists of currencies that were needed so far, as map[string]currency by *Facts: pages of amounts ask for the same again and
// again.
var read sync.Map

func (f *Facts) currencies() map[string]currency {
	if known, ok := read.Load(f); ok {
		return known.(map[string]currency) //nolint:forcetypeassert // nothing else is put in
	}
	list := map[string]currency{}
	for line := range strings.SplitSeq(f[Currencies], "\n") {
		code, text, _ := strings.Cut(line, "\t")
		parts := append(strings.Split(text, "\t"), "", "", "")
		list[code] = currency{parts[0], parts[1], parts[2], parts[3]}
	}
	read.Store(f, list)
	return list
}
