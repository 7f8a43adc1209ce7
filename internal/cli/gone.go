package cli

import (
	"context"
	"fmt"
)

func goneCommands() []Command {
	return []Command{
		{"list", "List callback URLs that answered 410", listGone},
		{"lift", "Call such a URL again", liftGone},
	}
}

func listGone(ctx context.Context, env Env, args []string) error {
	f := env.flags("gone list", "", "Lists the callback URLs that answered 410, of which only the host is shown. Events to them become dead letters without a call.")
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
	return env.printList("URLs are gone", []string{"URL", "HOST", "SINCE", "DELIVERY"}, rows)
}

func liftGone(ctx context.Context, env Env, args []string) error {
	f := env.flags("gone lift", "URL", `
Lets later events go to a URL again. URL is its id in the list. What is dead stays so until it is replayed.`)
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	if err := c.LiftGoneURL(ctx, ids[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, "lifted", ids[0])
	return err
}
