package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func deliveryCommands() []Command {
	return []Command{
		{"list", "List the callbacks of a job, or all that were given up", listDeliveries},
		{"replay", "Deliver again", replayDelivery},
	}
}

func listDeliveries(ctx context.Context, env Env, args []string) error {
	f := env.flags("deliveries list", "[JOB]", `
Lists the callbacks of a job, each with its attempts. Without a job it lists the dead letters: the callbacks that were
given up, newest first.`)
	asJSON, page := f.json(), f.page()
	ids, err := f.parse(args, 0, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	deliveries, err := loadDeliveries(ctx, c, ids, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, deliveries)
	}
	more(env.Stderr, deliveries.NextCursor)
	return printDeliveries(env, deliveries.Data, len(ids) > 0)
}

func loadDeliveries(ctx context.Context, c *client.Client, ids []string, page client.Page) (api.DeliveryList, error) {
	if len(ids) == 0 {
		return c.DeadDeliveryPage(ctx, page)
	}
	return c.Deliveries(ctx, ids[0])
}

func replayDelivery(ctx context.Context, env Env, args []string) error {
	f := env.flags("deliveries replay", "DELIVERY", `
Starts a new round of attempts for a delivery, dead or delivered, with the same event id.`)
	asJSON := f.json()
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	delivery, err := c.Replay(ctx, ids[0])
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, delivery)
	}
	return printDeliveries(env, []api.Delivery{delivery}, false)
}

func printDeliveries(env Env, deliveries []api.Delivery, attempts bool) error {
	rows := make([][]string, 0, len(deliveries))
	for _, d := range deliveries {
		rows = append(rows, []string{
			d.ID, string(d.Status), strconv.Itoa(d.Attempts), string(d.EventType), d.EventID, line(d.URLHost), dash(maybeMoment(d.NextAttemptAt)),
		})
	}
	heading := []string{"DELIVERY", "STATUS", "ATTEMPTS", "EVENT", "EVENT ID", "TO", "NEXT ATTEMPT"}
	if err := env.printList("deliveries", heading, rows); err != nil || !attempts {
		return err
	}
	rows = nil
	for _, d := range deliveries {
		for _, a := range d.Log {
			rows = append(rows, attemptRow(d.ID, a))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(env.Stdout); err != nil {
		return err
	}
	return printTable(env.Stdout, []string{"DELIVERY", "ATTEMPT", "STARTED", "OUTCOME", "STATUS", "TOOK", "ERROR"}, rows)
}

func attemptRow(id string, a api.DeliveryAttempt) []string {
	outcome, code, took := "running", "-", "-"
	if a.Outcome != nil {
		outcome = string(*a.Outcome)
	}
	if a.StatusCode != nil {
		code = strconv.Itoa(*a.StatusCode)
	}
	if a.LatencyMS != nil {
		took = strconv.FormatInt(*a.LatencyMS, 10) + " ms"
	}
	return []string{id, strconv.Itoa(a.Number), moment(a.StartedAt), outcome, code, took, dash(maybe(a.Error))}
}
