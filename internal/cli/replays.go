package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// replayFlags are those of "deliveries replay".
type replayFlags struct {
	*flags
	asJSON, all, dryRun, wait *bool
	rate                      *int
	filter                    *client.DeliveryFilter
}

func replayDelivery(ctx context.Context, env Env, args []string) error {
	f := &replayFlags{flags: env.flags("deliveries replay", "[DELIVERY]", `
Starts a new round of attempts for a delivery, dead or delivered, with the same event id. With --all it does so for all deliveries that
the other flags select, in the background; they are the dead letters of the tenant unless --status says delivered. --dry-run counts them.`)}
	f.asJSON = f.json()
	f.all = f.Bool("all", false, "replay all that the other flags select")
	f.filter = f.flags.filter("dead")
	f.dryRun = f.Bool("dry-run", false, "with --all: only count")
	f.rate = f.Int("rate", api.DefaultReplayRate, "with --all: at most `N` a second, up to 1000")
	f.wait = f.Bool("wait", false, "with --all: wait until the replay has finished")
	ids, err := f.parse(args, 0, 1)
	switch {
	case err != nil:
		return err
	case *f.all && len(ids) > 0:
		return f.usage("only one of DELIVERY and --all")
	case !*f.all && len(ids) == 0:
		return f.usage("DELIVERY is missing, or --all")
	case !*f.all: // or a --dry-run that was overlooked would deliver
		if err := f.alone("DELIVERY"); err != nil {
			return err
		}
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	if *f.all {
		return f.replayAll(ctx, c)
	}
	delivery, err := c.Replay(ctx, ids[0])
	if err != nil {
		return err
	}
	if *f.asJSON {
		return printJSON(env.Stdout, delivery)
	}
	return printDeliveries(env, []api.Delivery{delivery}, false)
}

func (f *replayFlags) replayAll(ctx context.Context, c *client.Client) error {
	which := f.request()
	if *f.dryRun {
		n, err := c.CountReplay(ctx, which)
		if err != nil {
			return err
		}
		if *f.asJSON {
			return printJSON(f.env.Stdout, api.ReplayCount{DryRun: true, Matched: n})
		}
		if n == 0 {
			defer hintPort(f.env.Stderr, f.filter.URLHost)
		}
		_, err = fmt.Fprintln(f.env.Stdout, plural(n, "delivery", "deliveries"), "would be replayed")
		return err
	}
	replay, err := c.ReplayAll(ctx, which)
	if err == nil && *f.wait {
		replay, err = c.WaitReplay(ctx, replay.ID, func(r api.Replay) {
			_, _ = fmt.Fprintf(f.env.Stderr, "replayed %d, skipped %d\n", r.Replayed, r.Skipped)
		})
	}
	if err != nil {
		return err
	}
	if *f.asJSON {
		return printJSON(f.env.Stdout, replay)
	}
	return printReplays(f.env, []api.Replay{replay})
}

// request is what the flags select.
func (f *replayFlags) request() api.ReplayRequest {
	which := api.ReplayRequest{Status: &f.filter.Status, RatePerSecond: f.rate}
	if f.filter.URLHost != "" {
		which.URLHost = &f.filter.URLHost
	}
	if f.filter.Type != "" {
		which.Type = &f.filter.Type
	}
	which.CreatedAfter, which.CreatedBefore = timeOrNil(f.filter.CreatedAfter), timeOrNil(f.filter.CreatedBefore)
	return which
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func listReplays(ctx context.Context, env Env, args []string) error {
	f := env.flags("deliveries replays", "", "Lists one page of the tenant's replays of many in the last 90 days, newest first: who replayed what, and how many.")
	asJSON, page := f.json(), f.page()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	replays, err := c.ReplayPage(ctx, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, replays)
	}
	more(env.Stderr, replays.NextCursor)
	return printReplays(env, replays.Data)
}

func printReplays(env Env, replays []api.Replay) error {
	rows := make([][]string, 0, len(replays))
	for _, r := range replays {
		rows = append(rows, []string{
			r.ID, string(r.Status), strconv.Itoa(r.Replayed), strconv.Itoa(r.Skipped), string(r.Filter.Status), dash(maybe(r.Filter.URLHost)),
			moment(r.CreatedAt), line(r.CreatedBy), dash(maybeMoment(r.FinishedAt)),
		})
	}
	return env.printList("replays", []string{"REPLAY", "STATUS", "REPLAYED", "SKIPPED", "OF", "TO", "BEGUN", "BY", "FINISHED"}, rows)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
