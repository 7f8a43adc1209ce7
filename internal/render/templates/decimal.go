package templates

import (
	"math/big"
	"strconv"
	"strings"
)

// decimal is a number whose text is kept as it was written. There are two of them because text/template
// decides by kind what {{if}} takes for false: a struct never is, an empty slice is.
type decimal interface{ String() string }

// number is any decimal but zero.
type number struct{ token string }

// String returns the token.
func (n number) String() string { return n.token }

// MarshalJSON returns the token: inside a script a number stays a number.
func (n number) MarshalJSON() ([]byte, error) { return []byte(n.token), nil }

// zero is 0, 0.00, -0 or 0e5: an empty slice, whose one element beyond its length is the token.
type zero []string

// String returns the token.
func (z zero) String() string { return z[:1][0] }

// MarshalJSON returns the token.
func (z zero) MarshalJSON() ([]byte, error) { return []byte(z.String()), nil }

// newDecimal keeps a token that is a JSON number.
func newDecimal(token string) decimal {
	digits, _, _ := strings.Cut(strings.ToLower(token), "e")
	if strings.ContainsAny(digits, "123456789") {
		return number{token}
	}
	return zero([]string{token}[:0])
}

// Bounds of what is calculated with. What is only printed has none.
const (
	maxDigits   = 1000
	maxExponent = 1000
)

// exact is unscaled × 10^-scale; scale is never negative.
type exact struct {
	unscaled *big.Int
	scale    int
}

// parseExact reads a JSON number token.
func parseExact(token string) (exact, error) {
	tooLong := func() error {
		return ErrFailed.With("The number %s has too many digits to calculate with.", shorten(token))
	}
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(token), "e")
	shift := 0
	if scientific {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil || shift > maxExponent || shift < -maxExponent {
			return exact{}, tooLong()
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(whole)+len(fraction) > maxDigits+1 {
		return exact{}, tooLong()
	}
	unscaled, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return exact{}, ErrFailed.With("%s is not a number.", shorten(token))
	}
	scale := len(fraction) - shift
	if scale < 0 {
		unscaled.Mul(unscaled, powerOfTen(-scale))
		scale = 0
	}
	return exact{unscaled, scale}, nil
}

// plain is the text of a number, or of a text that is one, which is in plain notation already, and how many decimal places it has. It is not ok
// for others, and for what may be negative zero.
func plain(v any) (text string, places int, ok bool) {
	switch v := v.(type) {
	case string:
		text = v
	case number:
		text = v.token
	}
	digits, isNegative := strings.CutPrefix(text, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	switch {
	case len(text) > maxDigits || !isDigits(whole) || len(whole) > 1 && whole[0] == '0' || hasFraction && !isDigits(fraction):
		return "", 0, false
	case isNegative && strings.Trim(digits, "0.") == "":
		return "", 0, false
	}
	return text, len(fraction), true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// toExact reads a decimal or a number literal of a template.
func toExact(v any) (x exact, isNumber bool, err error) {
	switch v := v.(type) {
	case decimal:
		x, err = parseExact(v.String())
	case int:
		x = exact{big.NewInt(int64(v)), 0}
	case byte: // index "abc" 0 makes one
		x = exact{big.NewInt(int64(v)), 0}
	case float64:
		x, err = parseExact(strconv.FormatFloat(v, 'g', -1, 64))
	default:
		return exact{}, false, nil
	}
	return x, true, err
}

// decimal returns x in plain notation with all its decimal places.
func (x exact) decimal() (decimal, error) {
	token := x.String()
	if len(token) > 2*maxDigits {
		return nil, ErrFailed.With("A calculated number has more than %d digits.", 2*maxDigits)
	}
	return newDecimal(token), nil
}

// String writes x in plain notation.
func (x exact) String() string {
	digits := new(big.Int).Abs(x.unscaled).String()
	if missing := x.scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	text := digits[:len(digits)-x.scale]
	if x.scale > 0 {
		text += "." + digits[len(digits)-x.scale:]
	}
	if x.unscaled.Sign() < 0 {
		return "-" + text
	}
	return text
}

// rounded returns x with exactly places decimal places, half away from zero: the commercial rule (DIN 1333),
// 2.5 to 3 and -2.5 to -3.
func (x exact) rounded(places int) exact {
	if places >= x.scale {
		return x.rescaled(places)
	}
	divisor := powerOfTen(x.scale - places)
	quotient, rest := new(big.Int).QuoRem(x.unscaled, divisor, new(big.Int))
	if rest.Abs(rest).Lsh(rest, 1).Cmp(divisor) >= 0 {
		quotient.Add(quotient, big.NewInt(int64(x.unscaled.Sign())))
	}
	return exact{quotient, places}
}

// rescaled returns x with more decimal places.
func (x exact) rescaled(scale int) exact {
	return exact{new(big.Int).Mul(x.unscaled, powerOfTen(scale-x.scale)), scale}
}

// trimmed returns x without zeros at the end of its decimal places.
func (x exact) trimmed() exact {
	for ten := big.NewInt(10); x.scale > 0; x.scale-- {
		quotient, rest := new(big.Int).QuoRem(x.unscaled, ten, new(big.Int))
		if rest.Sign() != 0 {
			return x
		}
		x.unscaled = quotient
	}
	return x
}

func (x exact) add(y exact) exact {
	scale := max(x.scale, y.scale)
	return exact{new(big.Int).Add(x.rescaled(scale).unscaled, y.rescaled(scale).unscaled), scale}
}

func (x exact) sub(y exact) exact { return x.add(exact{new(big.Int).Neg(y.unscaled), y.scale}) }

func (x exact) mul(y exact) exact {
	return exact{new(big.Int).Mul(x.unscaled, y.unscaled), x.scale + y.scale}
}

func (x exact) cmp(y exact) int { return x.sub(y).unscaled.Sign() }

// whole returns x as an integer, if it is one.
func (x exact) whole() (*big.Int, bool) {
	quotient, rest := new(big.Int).QuoRem(x.unscaled, powerOfTen(x.scale), new(big.Int))
	return quotient, rest.Sign() == 0
}

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// shorten keeps a message readable.
func shorten(s string) string {
	const most = 60
	runes := []rune(s[:min(len(s), 4*most)])
	if len(runes) <= most && len(s) <= 4*most {
		return s
	}
	return string(runes[:min(len(runes), most)]) + "…"
}
