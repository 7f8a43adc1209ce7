package templates

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	texttemplate "text/template"
	"text/template/parse"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/fault"
)

// rootName is the name of the template that the text itself is; nobody defines one of this name by accident.
const rootName = "the template"

// source is the text of a template; it turns errors of the library, which are only text, into faults.
type source string

// position is a line and a column, both from 1; the zero position is unknown.
type position struct{ line, column int }

// at returns the position of a byte.
func (s source) at(offset int) position {
	before := string(s[:min(max(offset, 0), len(s))])
	start := strings.LastIndexByte(before, '\n') + 1
	return position{1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])}
}

// line returns the offsets at which line n begins and ends.
func (s source) line(n int) (start, end int) {
	for ; n > 1; n-- {
		i := strings.IndexByte(string(s[start:]), '\n')
		if i < 0 {
			break
		}
		start += i + 1
	}
	if i := strings.IndexByte(string(s[start:]), '\n'); i >= 0 {
		return start, start + i
	}
	return start, len(s)
}

func (s source) invalid(p position, format string, args ...any) error {
	detail := fmt.Sprintf(format, args...)
	if p != (position{}) {
		detail = fmt.Sprintf("Line %d, column %d: %s", p.line, p.column, detail)
	}
	return fault.At("/template/html", ErrInvalid.Code, "%s", shortMessage(detail))
}

// parseMessage is "template: name:line: message".
var parseMessage = regexp.MustCompile(`(?s)^template: ` + rootName + `:(\d+): (.*)$`)

// parseError adds the column, which the parser does not tell: it stops at the first error, so that the
// shortest beginning of the text with the very same error ends where the error is.
func (s source) parseError(err error, parse func(text string) error) error {
	m := parseMessage.FindStringSubmatch(err.Error())
	if m == nil {
		return s.invalid(position{}, "%v", err)
	}
	if m[2] == "unexpected EOF" {
		if open, ok := s.unclosed(); ok {
			p := s.at(open.offset)
			return s.invalid(p, "the {{%s}} that opened at line %d is not closed: its {{end}} is missing.", open.word, p.line)
		}
	}
	number, _ := strconv.Atoi(m[1]) // the pattern lets only digits through
	start, end := s.line(number)
	n := sort.Search(end-start, func(n int) bool {
		other := parse(string(s[:start+n]))
		return other != nil && other.Error() == err.Error()
	})
	word := strings.LastIndexAny(string(s[start:start+n]), " \t{(|")
	return s.invalid(s.at(start+word+1), "%s", inOtherWords(m[2]))
}

// execMessage is "template: name:line:column: executing "name" at <node>: message"; the column counts bytes
// from 0.
var execMessage = regexp.MustCompile(`(?s)^template: ` + rootName + `:(\d+):(\d+): executing "(?:[^"\\]|\\.)*" at <(.*?)>: (.*)$`)

// missing recognizes the three ways in which the library says that data is not there.
var missing = regexp.MustCompile(`^(?:map has no entry for key|nil data; no entry for key|nil pointer evaluating) `)

// execError places an error of an execution. What is no [texttemplate.ExecError] is an error of the writer.
func (s source) execError(err error) error {
	if err == nil {
		return nil
	}
	inner := innermost(err)
	if inner == nil {
		return err
	}
	where, message := "", inner.Error()
	if m := execMessage.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1]) // the pattern lets only digits through
		column, _ := strconv.Atoi(m[2])
		start, _ := s.line(line)
		p := s.at(start + column)
		where, message = fmt.Sprintf("Line %d, column %d: ", p.line, p.column), m[4]
		if missing.MatchString(message) {
			return ErrDataMissing.With("%sthe data has no %s.", where, shorten(m[3])).Because(err)
		}
	}
	if f, ok := errors.AsType[*fault.Error](inner); ok {
		return f.With("%s%s", where, f.Message)
	}
	return ErrFailed.With("%s%s", where, shortMessage(message)).Because(err)
}

// innermost finds where a template inside a template failed.
func innermost(err error) *texttemplate.ExecError {
	var found *texttemplate.ExecError
	for {
		e, ok := errors.AsType[texttemplate.ExecError](err)
		if !ok {
			return found
		}
		found, err = &e, e.Err
	}
}

func shortMessage(s string) string {
	const most = 300
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// parse reads the text into trees by name. It knows the functions that a template may call and no others.
func (s source) parse() (map[string]*parse.Tree, error) {
	if n := strings.Count(string(s), "{{"); n > maxActions {
		return nil, s.invalid(position{}, "There are %d actions; %d are allowed.", n, maxActions)
	}
	known := callable()
	trees, err := parse.Parse(rootName, string(s), "", "", known)
	if err != nil {
		return nil, s.parseError(err, func(text string) error {
			_, err := parse.Parse(rootName, text, "", "", known)
			return err
		})
	}
	return trees, nil
}
