package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func deliveryCommands() []Command {
	return []Command{
		{"list", "List the callbacks of a job, or all of a status", listDeliveries},
		{"show", "Show a callback with its attempts", showDelivery},
		{"replay", "Deliver one again, or many", replayDelivery},
		{"replays", "List replays of many", listReplays},
		{"test", "Send a test to a callback URL", testCallback},
	}
}

// filter adds the flags that select deliveries.
func (f *flags) filter(status string) *client.DeliveryFilter {
	filter := &client.DeliveryFilter{}
	f.StringVar((*string)(&filter.Status), "status", status, "only those of this `STATUS`: pending, delivered or dead")
	f.StringVar(&filter.URLHost, "url-host", "", "only those to this `HOST`, with its port unless that is the scheme's own")
	f.StringVar((*string)(&filter.Type), "type", "", "only those of this `TYPE` of event: job.succeeded, job.failed or job.canceled")
	f.moment(&filter.CreatedAfter, "after", "only those of jobs accepted at or after this `TIME`, as 2026-03-02T09:15:00Z")
	f.moment(&filter.CreatedBefore, "before", "only those of jobs accepted before this `TIME`")
	return filter
}

// alone refuses flags beside an argument that leaves them nothing to say.
func (f *flags) alone(argument string) error {
	var err error
	f.Visit(func(one *flag.Flag) {
		if one.Name != "json" {
			err = f.usage("--%s is not for one %s", one.Name, argument)
		}
	})
	return err
}

// moment adds a flag for a time.
func (f *flags) moment(t *time.Time, name, usage string) {
	f.Func(name, usage, func(value string) error {
		var err error
		if *t, err = time.Parse(time.RFC3339, value); err != nil {
			return errors.New("want a time as 2026-03-02T09:15:00Z")
		}
		return nil
	})
}

func listDeliveries(ctx context.Context, env Env, args []string) error {
	f := env.flags("deliveries list", "[JOB]", `
Lists the callbacks of a job, each with its attempts. Without a job it lists one page of the tenant's callbacks of a status, those of the
newest job first: without flags the dead letters, which are those that were given up.`)
	asJSON, page, filter := f.json(), f.page(), f.filter("dead")
	ids, err := f.parse(args, 0, 1)
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		if err := f.alone("JOB"); err != nil {
			return err
		}
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	deliveries, err := loadDeliveries(ctx, c, ids, *filter, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, deliveries)
	}
	more(env.Stderr, deliveries.NextCursor)
	if len(deliveries.Data) == 0 {
		defer hintPort(env.Stderr, filter.URLHost)
	}
	if len(ids) == 0 && filter.Status == api.DeliveryDead {
		return printDead(env, deliveries.Data)
	}
	return printDeliveries(env, deliveries.Data, len(ids) > 0)
}

func loadDeliveries(ctx context.Context, c *client.Client, ids []string, filter client.DeliveryFilter, page client.Page) (api.DeliveryList, error) {
	if len(ids) == 0 {
		return c.DeliveryPage(ctx, filter, page)
	}
	return c.Deliveries(ctx, ids[0])
}

func showDelivery(ctx context.Context, env Env, args []string) error {
	f := env.flags("deliveries show", "DELIVERY", "Shows a callback with its attempts and replays.")
	asJSON := f.json()
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	delivery, err := c.Delivery(ctx, ids[0])
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, delivery)
	}
	if err := printDeliveries(env, []api.Delivery{delivery}, true); err != nil {
		return err
	}
	for _, r := range delivery.Replays {
		if _, err := fmt.Fprintf(env.Stdout, "replayed %s with %s\n", moment(r.CreatedAt), line(r.CreatedBy)); err != nil {
			return err
		}
	}
	return nil
}

// errNotDelivered is how a script notices.
var errNotDelivered = errors.New("the test was not delivered")

// testWait is longer than an attempt may take.
const testWait = 30 * time.Second

func testCallback(ctx context.Context, env Env, args []string) error {
	f := env.flags("deliveries test", "[URL]", `
Sends a test to a callback URL, or to the tenant's default one, waits for the outcome and shows it. It is signed and guarded like a
callback about a job. The exit status is 1 when it was not delivered.`)
	asJSON := f.json()
	urls, err := f.parse(args, 0, 1)
	if err != nil {
		return err
	}
	var request api.TestRequest
	if len(urls) > 0 {
		request.CallbackURL = &urls[0]
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	delivery, err := c.TestCallback(ctx, request, testWait)
	if err != nil {
		return err
	}
	if *asJSON {
		err = printJSON(env.Stdout, delivery)
	} else {
		err = printDeliveries(env, []api.Delivery{delivery}, true)
	}
	if err == nil && delivery.Status != api.DeliveryDelivered {
		err = errNotDelivered
	}
	return err
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
