// Package syntax reads style sheets into rules, declarations and component values (CSS Syntax 3). It knows no
// property and no unit: anything well formed comes through, and what is not is dropped as browsers drop it.
package syntax

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"github.com/platen-render/platen/internal/fault"
)

// Faults of style sheets.
var (
	ErrTooLarge = fault.New(fault.Invalid, "css_too_large", "The style sheets of the page are larger than this server allows.")
	ErrTooDeep  = fault.New(fault.Invalid, "css_too_deep", "The blocks of a style sheet are nested too deep.")
)

const (
	maxTokens = 2_000_000 // of one sheet
	maxDepth  = 64        // of blocks, brackets and functions
)

// Kind tells component values apart.
type Kind uint8

// The kinds. A Delim is a single character, comma, colon and semicolon among them, or an attribute matcher
// ("~=") or "||".
const (
	Ident Kind = iota + 1
	Function
	AtKeyword
	Hash
	String
	URL
	Number
	Percentage
	Dimension
	UnicodeRange
	Delim
	Space
	Parens
	Brackets
	Braces
	Bad
)

// Value is a component value: a token, or a function or a block with what is in it.
type Value struct {
	Kind Kind
	// Integer: a Number without point and exponent.
	Integer bool
	// Text is the name of an Ident, Function (lower case), AtKeyword (lower case) or Hash (without #), the unit
	// of a Dimension (lower case), the content of a String or a URL, the character of a Delim. Escapes are resolved.
	Text   string
	Number float64 // of Number, Percentage and Dimension
	Args   []Value // in a Function, Parens, Brackets or Braces
	Start  int     // offsets in the text of the sheet
	End    int
}

// Is reports whether the value is this delimiter.
func (v Value) Is(delim string) bool { return v.Kind == Delim && v.Text == delim }

// IsIdent reports whether the value is this keyword, in any case.
func (v Value) IsIdent(name string) bool { return v.Kind == Ident && strings.EqualFold(v.Text, name) }

// closers are not values; the kinds stand beyond those of values.
const (
	closeParen Kind = iota + 100
	closeBracket
	closeBrace
)

// kinds maps the lexer's tokens to ours.
var kinds = [...]Kind{
	css.IdentToken: Ident, css.CustomPropertyNameToken: Ident, css.FunctionToken: Function, css.AtKeywordToken: AtKeyword,
	css.HashToken: Hash, css.StringToken: String, css.BadStringToken: Bad, css.URLToken: URL, css.BadURLToken: Bad,
	css.NumberToken: Number, css.PercentageToken: Percentage, css.DimensionToken: Dimension,
	css.UnicodeRangeToken: UnicodeRange, css.WhitespaceToken: Space, css.LeftParenthesisToken: Parens,
	css.LeftBracketToken: Brackets, css.LeftBraceToken: Braces, css.RightParenthesisToken: closeParen,
	css.RightBracketToken: closeBracket, css.RightBraceToken: closeBrace, css.CustomPropertyValueToken: Bad,
}

// tokenize returns the tokens of a text, comments left out.
func tokenize(ctx context.Context, text string) ([]Value, error) {
	lexer := css.NewLexer(parse.NewInputString(text))
	tokens := make([]Value, 0, len(text)/3+8)
	for offset := 0; ; {
		if len(tokens)&4095 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(tokens) > maxTokens {
			return nil, ErrTooLarge
		}
		kind, data := lexer.Next()
		if kind == css.ErrorToken {
			return tokens, nil // the end: a string has no other error
		}
		start := offset
		offset = min(offset+len(data), len(text))
		if last := len(tokens) - 1; kind == css.LeftParenthesisToken && last >= 0 && tokens[last].namesFunction(start) {
			tokens[last].Kind, tokens[last].Text, tokens[last].End = Function, strings.ToLower(tokens[last].Text), offset
			continue
		}
		if kind != css.CommentToken && kind != css.CDOToken && kind != css.CDCToken {
			tokens = append(tokens, token(kind, text[start:offset], start))
		}
	}
}

// namesFunction reports whether a parenthesis right after a name makes it that of a function: the lexer keeps the two apart when two
// dashes begin the name.
func (v *Value) namesFunction(parenthesis int) bool {
	return v.Kind == Ident && v.End == parenthesis && strings.HasPrefix(v.Text, "--")
}

func token(kind css.TokenType, raw string, start int) Value {
	v := Value{Kind: kinds[kind], Text: raw, Start: start, End: start + len(raw)}
	switch v.Kind {
	case Ident:
		v.Text = Unescape(raw)
	case Function:
		v.Text = strings.ToLower(Unescape(strings.TrimSuffix(raw, "(")))
	case AtKeyword:
		v.Text = strings.ToLower(Unescape(raw[1:]))
	case Hash:
		v.Text = Unescape(raw[1:])
	case String:
		v.Text = Unescape(unquote(raw))
	case URL:
		v.Text = address(raw)
	case Number, Percentage, Dimension:
		v.number(raw)
	case Space:
		v.Text = " "
	case 0:
		v.Kind = Delim
	default:
	}
	return v
}

// number splits a numeric token. What is too large for a float64 becomes infinite, which readers clamp.
func (v *Value) number(raw string) {
	end := numberEnd(raw)
	v.Number, _ = strconv.ParseFloat(raw[:end], 64) // a range error gives an infinity, which is meant
	v.Integer = !strings.ContainsAny(raw[:end], ".eE")
	v.Text = strings.ToLower(Unescape(raw[end:]))
}

func numberEnd(s string) int {
	i := 0
	digits := func() {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
	}
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	digits()
	if i+1 < len(s) && s[i] == '.' && s[i+1] >= '0' && s[i+1] <= '9' {
		i++
		digits()
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		mark := i
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if from := i; true {
			if digits(); i == from {
				return mark
			}
		}
	}
	return i
}

// address returns what a url() token names.
func address(raw string) string {
	inner := raw
	if i := strings.IndexByte(inner, '('); i >= 0 {
		inner = inner[i+1:]
	}
	inner = strings.Trim(strings.TrimSuffix(inner, ")"), " \t\n\r\f")
	return Unescape(unquote(inner))
}

func unquote(s string) string {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		return strings.TrimSuffix(s[1:], s[:1])
	}
	return s
}

// Unescape resolves the escapes of CSS Syntax 3, section 4.3.7.
func Unescape(s string) string {
	if !strings.ContainsAny(s, "\\\x00") {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		b.WriteString(strings.ReplaceAll(before, "\x00", "\uFFFD"))
		if !found {
			return b.String()
		}
		s = unescapeOne(&b, after)
	}
}

// unescapeOne writes what follows a backslash and returns the rest.
func unescapeOne(b *strings.Builder, s string) (rest string) {
	digits := 0
	for digits < len(s) && digits < 6 && isHex(s[digits]) {
		digits++
	}
	if digits > 0 {
		code, err := strconv.ParseUint(s[:digits], 16, 32)
		if err != nil || code == 0 || code > utf8.MaxRune || (code >= 0xD800 && code <= 0xDFFF) {
			code = utf8.RuneError
		}
		b.WriteRune(rune(code)) //nolint:gosec // G115: it is at most utf8.MaxRune
		return afterNewline(s[digits:], " \t\n\r\f")
	}
	if s != "" && strings.IndexByte("\n\r\f", s[0]) >= 0 {
		return afterNewline(s, "\n\r\f") // a string that goes on in the next line
	}
	r, size := utf8.DecodeRuneInString(s)
	if size > 0 {
		b.WriteRune(r)
	}
	return s[size:]
}

// afterNewline is s without its first character if it is one of these, CR LF counting as one.
func afterNewline(s, blanks string) string {
	if strings.HasPrefix(s, "\r\n") {
		return s[2:]
	}
	if s != "" && strings.IndexByte(blanks, s[0]) >= 0 {
		return s[1:]
	}
	return s
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }
