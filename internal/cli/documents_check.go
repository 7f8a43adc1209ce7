package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// errLost makes the status 1.
var errLost = errors.New("bytes of documents are lost")

// lostDocument is a document without bytes, and what became of it.
type lostDocument struct {
	number  int64
	id, end string
}

func checkDocuments(ctx context.Context, env Env, args []string) error {
	f := env.flags("documents check", "", `
Goes through all documents of the tenant that are issued, and prints those whose bytes the server has lost. With --restore each of them is made anew and
put back, if it has the bytes that were issued. The status is 1 when bytes stay lost. "platen receipts check" looks for lost records.`)
	restore := f.Bool("restore", false, "make lost documents anew and put their bytes back")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	checked, lost, err := lostDocuments(ctx, c)
	if err != nil {
		return err
	}
	stay := len(lost)
	if *restore {
		stay = bringBack(ctx, c, lost)
	}
	if err := env.printLost(checked, lost); err != nil {
		return err
	}
	if stay > 0 {
		return errLost
	}
	return nil
}

// lostDocuments looks at all documents that are to have bytes.
func lostDocuments(ctx context.Context, c *client.Client) (checked int, lost []lostDocument, err error) {
	for n, err := range c.Numbers(ctx) {
		if err != nil {
			return checked, lost, err
		}
		if n.Status != api.NumberIssued || n.DocumentID == nil {
			continue
		}
		checked++
		gone, err := c.Lost(ctx, *n.DocumentID)
		if client.HasCode(err, api.CodeDocumentPurged) { // in this moment
			continue
		}
		if err != nil {
			return checked, lost, err
		}
		if gone {
			lost = append(lost, lostDocument{n.IssueNumber, *n.DocumentID, "lost"})
		}
	}
	return checked, lost, nil
}

// bringBack restores what it can and returns how many stay lost.
func bringBack(ctx context.Context, c *client.Client, lost []lostDocument) (stay int) {
	for i := range lost {
		remade, err := c.Rerender(ctx, lost[i].id, true)
		problem, refused := errors.AsType[*client.Problem](err)
		switch {
		case refused:
			lost[i].end = "lost: " + string(problem.Code)
		case err != nil:
			lost[i].end = "lost: " + err.Error()
		case remade.Difference != nil:
			lost[i].end = "lost: other bytes, " + remade.Difference.Member
		default:
			lost[i].end = "restored"
			continue
		}
		stay++
	}
	return stay
}

func (env Env) printLost(checked int, lost []lostDocument) error {
	_, _ = fmt.Fprintf(env.Stderr, "%s looked at, of %d the bytes were not there\n", count(checked, "document"), len(lost))
	if len(lost) == 0 {
		return nil
	}
	rows := make([][]string, len(lost))
	for i, l := range lost {
		rows[i] = []string{strconv.FormatInt(l.number, 10), l.id, line(l.end)}
	}
	return printTable(env.Stdout, []string{"NUMBER", "DOCUMENT", "BYTES"}, rows)
}
