package chromium

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/platen-render/platen/internal/render"
)

// The browser can tell of a console by itself, too: everything, at any length, through the process that all pages share. So it is not asked to.
// These scripts pass on the beginning of the first errors.
var (
	//go:embed complain.js
	complainScript string
	//go:embed hear.js
	hearScript string
)

// Bounds of what is told of errors.
const (
	maxErrors   = 10
	maxErrorLen = 300
)

// complaint is an error of a script.
type complaint struct {
	Text string `json:"text"`
	File string `json:"file"` // the address of the script; that of the page for one that is part of it
	Line int    `json:"line"` // counted from 1; 0 if it is not known
}

// abortedNavigation is what a script learns about a navigation that stayScript has canceled. That has a warning of its own.
const abortedNavigation = "AbortError: Navigation was aborted"

// complain warns about errors of scripts.
func (j *job) complain(all []complaint) {
	for _, c := range all[:min(len(all), maxErrors)] {
		if !strings.Contains(c.Text, abortedNavigation) {
			j.log.warn(render.ConsoleError, cut(c.Text)+j.place(c))
		}
	}
}

func (j *job) place(c complaint) string {
	switch name := j.site.name(c.File); {
	case c.File == "" || c.Line == 0:
		return ""
	case name == "the page itself":
		return fmt.Sprintf(" (line %d)", c.Line)
	default:
		return fmt.Sprintf(" (%s:%d)", name, c.Line)
	}
}

// cut bounds a text and puts it into one line.
func cut(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if runes := []rune(text); len(runes) > maxErrorLen {
		return string(runes[:maxErrorLen]) + "…"
	}
	return text
}
