package templates

import (
	"errors"
	"html/template"
	"strconv"
	"strings"
)

// plainly says for a person what the contextual escaper found. Its own words show the states of its machine.
var plainly = map[template.ErrorCode]string{
	template.ErrAmbigContext:      "A value stands where it cannot be told which part of the URL it is.",
	template.ErrBadHTML:           "The tag is not well-formed: there is a quote, a bracket or an equals sign too much, or a space is missing.",
	template.ErrBranchEnd:         "The branches do not end at the same kind of place: one leaves a tag, an attribute, a script or a style open, the other does not.",
	template.ErrEndContext:        "The text ends inside of a tag, an attribute, a script or a style that is not closed.",
	template.ErrOutputContext:     "A template calls itself in such a way that it cannot be told at what kind of place it ends.",
	template.ErrPartialCharset:    "A regular expression is cut inside of its brackets.",
	template.ErrPartialEscape:     `An escape sequence, which begins with \, is cut in its middle.`,
	template.ErrPredefinedEscaper: "The functions html and urlquery stand at the end of a pipeline only. Values are escaped without them.",
	template.ErrRangeLoopReentry:  "A pass of the loop begins at another kind of place than the one before: it leaves a tag, an attribute, a script or a style open.",
	template.ErrSlashAmbig:        "It cannot be told whether a slash divides or begins a regular expression. Put what is before it in parentheses.",
}

// escapeError is what the contextual escaper found.
func (s source) escapeError(err error) error {
	e, ok := errors.AsType[*template.Error](err)
	if !ok {
		return s.invalid(s.at(len(s)), "A value stands where it cannot be told how to escape it.")
	}
	message, ok := plainly[e.ErrorCode]
	switch {
	case e.ErrorCode == template.ErrNoSuchTemplate:
		message = e.Description // it has the name
	case !ok:
		message = "A value stands where it cannot be told how to escape it."
	}
	return s.invalid(s.placeOf(e), "%s", message)
}

// placeOf is where an error is. Some do not say, but end with the text at which the escaper stopped: when that is there once,
// it is the place.
func (s source) placeOf(e *template.Error) position {
	switch {
	case e.Node != nil:
		return s.at(int(e.Node.Position()))
	case e.Line > 0:
		start, _ := s.line(e.Line)
		return s.at(start)
	case e.ErrorCode == template.ErrEndContext:
		return s.at(len(s))
	}
	if text := quotedEnd(e.Description); text != "" && strings.Count(string(s), text) == 1 {
		return s.at(strings.Index(string(s), text))
	}
	return position{}
}

// quotedEnd is the Go string that a message ends with, or "".
func quotedEnd(message string) string {
	for i := range len(message) {
		if message[i] != '"' {
			continue
		}
		if text, err := strconv.Unquote(message[i:]); err == nil {
			return text
		}
	}
	return ""
}
