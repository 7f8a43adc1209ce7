package templates

import (
	"fmt"
	"regexp"
	"strings"
)

// verb is one directive: flags, width, precision, letter. Three digits bound what one can write.
var verb = regexp.MustCompile(`^%([-+ 0#]*)(\d{0,3})(?:\.(\d{0,3}))?([a-zA-Z%])`)

// printf is Go's, exact for decimals and strict: what the format does not fit is an error, because
// "%!d(string=12)" must not end up on an invoice.
func (r *run) printf(format string, args ...any) (string, error) {
	if err := r.charge(append([]any{format}, args...)...); err != nil {
		return "", err
	}
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(format, "%")
		b.WriteString(text)
		if !found {
			break
		}
		v := verb.FindStringSubmatch("%" + rest)
		if v == nil {
			return "", ErrFailed.With("printf: %q is not a format.", shorten("%"+rest))
		}
		format = rest[len(v[0])-1:]
		if v[4] == "%" {
			b.WriteByte('%')
			continue
		}
		if len(args) == 0 {
			return "", ErrFailed.With("printf: nothing is left for %s.", v[0])
		}
		piece, err := directive{v[0], v[1], v[2], v[3], v[4]}.format(args[0])
		if err != nil {
			return "", err
		}
		b.WriteString(piece)
		if args = args[1:]; b.Len() > 2*maxArgBytes {
			return "", ErrFailed.With("printf: the text is longer than %d bytes.", 2*maxArgBytes)
		}
	}
	if len(args) > 0 {
		return "", ErrFailed.With("printf: %d values are left over.", len(args))
	}
	return b.String(), nil
}

type directive struct{ all, flags, width, precision, letter string }

func (d directive) format(arg any) (string, error) {
	x, isNumber, err := toExact(arg)
	switch d.letter {
	case "d":
		if err != nil {
			return "", err
		}
		if n, isWhole := wholeOf(x, isNumber); isWhole {
			return fmt.Sprintf(d.all, n), nil
		}
	case "f", "F":
		if err != nil {
			return "", err
		}
		if isNumber {
			return d.pad(x.rounded(d.places())), nil
		}
	case "s", "v", "q":
		if arg == nil {
			arg = ""
		}
		return fmt.Sprintf(d.with("s"), d.quoted(fmt.Sprint(arg))), nil
	case "t":
		if _, ok := arg.(bool); ok {
			return fmt.Sprintf(d.all, arg), nil
		}
	default:
		return "", ErrFailed.With("printf: %s is not known; there are %%d %%f %%s %%v %%q %%t.", d.all)
	}
	return "", ErrFailed.With("printf: %s cannot print %s.", d.all, describe(arg))
}

func wholeOf(x exact, isNumber bool) (n fmt.Formatter, isWhole bool) {
	if !isNumber {
		return nil, false
	}
	return x.whole()
}

func (d directive) quoted(text string) string {
	if d.letter == "q" {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// with rebuilds the directive for text, without the flags that are for numbers.
func (d directive) with(letter string) string {
	flags := ""
	if strings.Contains(d.flags, "-") {
		flags = "-"
	}
	precision := ""
	if strings.Contains(d.all, ".") {
		precision = "." + d.precision
	}
	return "%" + flags + d.width + precision + letter
}

func (d directive) places() int {
	if !strings.Contains(d.all, ".") {
		return 6
	}
	return atoi(d.precision)
}

// pad writes a rounded number with sign and width as Go does.
func (d directive) pad(x exact) string {
	text, sign := x.String(), ""
	switch {
	case strings.HasPrefix(text, "-"):
		text, sign = text[1:], "-"
	case strings.Contains(d.flags, "+"):
		sign = "+"
	case strings.Contains(d.flags, " "):
		sign = " "
	}
	missing := max(0, atoi(d.width)-len(sign)-len(text))
	switch {
	case strings.Contains(d.flags, "-"):
		return sign + text + strings.Repeat(" ", missing)
	case strings.Contains(d.flags, "0"):
		return sign + strings.Repeat("0", missing) + text
	default:
		return strings.Repeat(" ", missing) + sign + text
	}
}

// atoi reads the at most three digits of a directive; none are 0.
func atoi(digits string) int {
	n := 0
	for _, digit := range digits {
		n = 10*n + int(digit-'0')
	}
	return n
}
