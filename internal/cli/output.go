package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// printJSON writes a value of the API as it travels, for people to read too.
func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// printTable writes rows under a heading.
func printTable(w io.Writer, heading []string, rows [][]string) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, row := range append([][]string{heading}, rows...) {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// printList writes a table, or says on standard error that there is nothing to write.
func (env Env) printList(things string, heading []string, rows [][]string) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stderr, "no", things)
		return err
	}
	return printTable(env.Stdout, heading, rows)
}

// printFields writes names and values; what has no value is left out.
func printFields(w io.Writer, fields [][2]string) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, f := range fields {
		if f[1] != "" {
			_, _ = fmt.Fprintf(table, "%s\t%s\n", f[0], f[1])
		}
	}
	return table.Flush()
}

// more says how to get the next page of a list.
func more(w io.Writer, cursor *string) {
	if cursor != nil {
		_, _ = fmt.Fprintf(w, "there are more: --cursor %s\n", *cursor)
	}
}

// line makes text that somebody else wrote safe to print: no control characters, and so no tricks with the terminal or
// the table.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

func maybeMoment(t *time.Time) string {
	if t == nil {
		return ""
	}
	return moment(*t)
}

func maybe(text *string) string {
	if text == nil {
		return ""
	}
	return line(*text)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
