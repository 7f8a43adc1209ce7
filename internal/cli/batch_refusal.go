package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/platen-render/platen/client"
)

// refused tells which lines of a file a server refuses, and returns the error without them. Lines are those of the items that were sent.
func (env Env) refused(err error, lines []int) error {
	p, answered := errors.AsType[*client.Problem](err)
	if !answered {
		return fmt.Errorf("%w\nThe same command takes the batch up again, and makes nothing twice", err)
	}
	items, rest := p.Items()
	if len(items) == 0 {
		return err
	}
	rows := make([][]string, 0, len(items)+len(rest))
	for _, item := range items {
		at := "-"
		if item.Index < len(lines) {
			at = strconv.Itoa(lines[item.Index])
		}
		rows = append(rows, []string{at, strconv.Itoa(item.Index), dash(line(item.Pointer)), string(item.Code), line(item.Detail)})
	}
	for _, e := range rest {
		rows = append(rows, []string{"-", "-", dash(line(e.Pointer)), string(e.Code), line(e.Detail)})
	}
	if err := printTable(env.Stderr, []string{"LINE", "ITEM", "AT", "CODE", "WHAT IS WRONG"}, rows); err != nil {
		return err
	}
	return fmt.Errorf("%s (%s)%s", p.Detail, p.Code, unnamedItems(p, items))
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
