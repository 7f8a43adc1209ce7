package cli

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

func goneCommands() []Command {
	return []Command{
		{"list", "List callback URLs that answered 410", listGone},
		{"lift", "Call such a URL again", liftGone},
	}
}

func listGone(ctx context.Context, env Env, args []string) error {
	f := env.flags("gone list", "", "Lists the callback URLs that answered 410, of which only an id and the host are shown. Events to them become dead letters without a call.")
	asJSON := f.json()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	gone, err := c.GoneURLs(ctx)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, gone)
	}
	rows := make([][]string, 0, len(gone.Data))
	for _, g := range gone.Data {
		rows = append(rows, []string{line(g.ID), line(g.URLHost), moment(g.GoneAt), g.DeliveryID})
	}
	return env.printList("URLs are gone", []string{"ID", "HOST", "SINCE", "DELIVERY"}, rows)
}

func liftGone(ctx context.Context, env Env, args []string) error {
	f := env.flags("gone lift", "URL|ID", `
Lets later events go to a callback URL again, which is given as the jobs name it, or by its id in the list. What is dead stays so until it
is replayed.`)
	urls, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	if err := c.LiftGoneURL(ctx, goneID(urls[0])); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, "lifted", urls[0])
	return err
}

// goneID returns the id of a gone URL, given the URL or the id: 128 bits of the URL's SHA-256, for the server does not
// tell the URLs themselves.
func goneID(urlOrID string) string {
	if !strings.Contains(urlOrID, "://") {
		return urlOrID
	}
	sum := sha256.Sum256([]byte(urlOrID))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
