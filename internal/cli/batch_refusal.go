package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// refused tells which lines of a file a server refuses, and returns the error without them. Lines are those of the items that were sent.
func (env Env) refused(err error, lines []int) error {
	p, answered := errors.AsType[*client.Problem](err)
	if answered {
		items, rest := p.Items()
		if len(items) > 0 {
			err = errors.Join(fmt.Errorf("%s (%s)%s", p.Detail, p.Code, unnamedItems(p, items)), env.printRefusal(items, rest, lines))
		}
	}
	if !answered || p.Retryable {
		return fmt.Errorf("%w\nThe same command takes the batch up again, and makes nothing twice", err)
	}
	return err
}

func (env Env) printRefusal(items []client.ItemError, rest []api.FieldError, lines []int) error {
	rows := alike(items, lines)
	for _, e := range rest {
		rows = append(rows, []string{"-", "-", dash(line(e.Pointer)), string(e.Code), line(e.Detail)})
	}
	return printTable(env.Stderr, []string{"LINE", "ITEM", "AT", "CODE", "WHAT IS WRONG"}, rows)
}

// alike are rows of a table: what is wrong with several items in the same way is told once.
func alike(items []client.ItemError, lines []int) [][]string {
	type wrong struct{ pointer, code, detail string }
	var kinds []wrong
	of := map[wrong][]int{}
	for _, item := range items {
		kind := wrong{item.Pointer, string(item.Code), item.Detail}
		if of[kind] == nil {
			kinds = append(kinds, kind)
		}
		of[kind] = append(of[kind], item.Index)
	}
	var rows [][]string
	for _, kind := range kinds {
		first := of[kind][0]
		what := line(kind.detail)
		if n := len(of[kind]) - 1; n > 0 {
			what += fmt.Sprintf(" (and the same %s)", inLines(of[kind][1:], lines))
		}
		rows = append(rows, []string{lineOf(first, lines), strconv.Itoa(first), dash(line(kind.pointer)), kind.code, what})
	}
	return rows
}

// maxLines is how many lines are listed where the same is wrong.
const maxLines = 5

func inLines(items, lines []int) string {
	var names []string
	for _, item := range items[:min(len(items), maxLines)] {
		names = append(names, lineOf(item, lines))
	}
	text := "in line " + names[0]
	if len(names) > 1 {
		text = "in lines " + strings.Join(names, ", ")
	}
	if rest := len(items) - len(names); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

func lineOf(item int, lines []int) string {
	if item >= len(lines) {
		return "-"
	}
	return strconv.Itoa(lines[item])
}

// unnamedItems says how many wrong items a refusal does not name.
func unnamedItems(p *client.Problem, items []client.ItemError) string {
	named := map[int]bool{}
	for _, item := range items {
		named[item.Index] = true
	}
	if p.ErrorCount == nil || *p.ErrorCount <= len(named) {
		return ""
	}
	return fmt.Sprintf("; %s wrong and not named", plural(*p.ErrorCount-len(named), "item more is", "items more are"))
}
