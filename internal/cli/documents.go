package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/platen-render/platen/api"
)

func documentCommands() []Command {
	return []Command{
		{"get", "Show a document", getDocument},
		{"download", "Save a document", downloadDocument},
		{"link", "Make an address of a document that needs no key", linkDocument},
		{"purge", "Delete the bytes of a document for good", purgeDocument},
		{"check", "Look for documents whose bytes are lost, put them back", checkDocuments},
		{"rerender", "Make a document anew, compare, put lost bytes back", rerenderDocument},
	}
}

func getDocument(ctx context.Context, env Env, args []string) error {
	f := env.flags("documents get", "DOCUMENT", "Shows what is known about a document, purged or not.")
	asJSON := f.json()
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	document, err := c.Document(ctx, ids[0])
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, document)
	}
	return printDocument(env.Stdout, document)
}

func printDocument(w io.Writer, d api.Document) error {
	fields := [][2]string{
		{"document", d.ID},
		{"status", string(d.Status)},
		{"document key", maybe(d.DocumentKey)},
		{"job", d.JobID},
		{"content", maybe(d.URL)},
		{"sha256", maybe(d.SHA256)},
		{"created", moment(d.CreatedAt)},
		{"issued", maybeMoment(d.IssuedAt)},
		{"expires", maybeMoment(d.ExpiresAt)},
		{"purged", maybeMoment(d.PurgedAt)},
	}
	if d.IssueNumber != nil {
		fields = append(fields, [2]string{"issue number", strconv.FormatInt(*d.IssueNumber, 10)})
	}
	if d.Bytes != nil && d.Pages != nil {
		fields = append(fields, [2]string{"size", fmt.Sprintf("%d bytes, %s", *d.Bytes, count(*d.Pages, "page"))})
	}
	return printFields(w, fields)
}

// errOtherBytes makes the status 1.
var errOtherBytes = errors.New("the document cannot be made anew with the bytes that were issued")

func rerenderDocument(ctx context.Context, env Env, args []string) error {
	f := env.flags("documents rerender", "DOCUMENT", `
Makes an issued document anew from the input that the server still has, with the engine that made it, and compares. The status is 0 when the bytes
are the same, and otherwise 1 with the first cause of the difference. Nothing is issued. With --restore the bytes are put back where the server has
lost them, if they are the same.`)
	asJSON := f.json()
	restore := f.Bool("restore", false, "put lost bytes back")
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	remade, err := c.Rerender(ctx, ids[0], *restore)
	if err != nil {
		return err
	}
	if *asJSON {
		err = printJSON(env.Stdout, remade)
	} else {
		err = printRemade(env.Stdout, remade)
	}
	if err == nil && !remade.Identical {
		err = errOtherBytes
	}
	return err
}

func printRemade(w io.Writer, r api.Rerender) error {
	fields := [][2]string{
		{"document", r.DocumentID},
		{"identical", yesNo(r.Identical)},
		{"sha256", r.SHA256},
		{"size", fmt.Sprintf("%d bytes, %s", r.Bytes, count(r.Pages, "page"))},
		{"engine", line(r.Engine + " " + r.EngineVersion)},
		{"stored bytes", string(r.Stored)},
	}
	if r.Restored {
		fields = append(fields, [2]string{"restored", "yes"})
	}
	if d := r.Difference; d != nil {
		fields = append(fields, [2]string{"difference", line(d.Member)}, [2]string{"was", dash(maybe(d.Was))}, [2]string{"is", dash(maybe(d.Is))})
		if d.Offset != nil {
			fields = append(fields, [2]string{"from byte", strconv.FormatInt(*d.Offset, 10)})
		}
	}
	return printFields(w, fields)
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
