package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/platen-render/platen/api"
)

// CountReplay returns how many deliveries [Client.ReplayAll] would look at now.
func (c *Client) CountReplay(ctx context.Context, which api.ReplayRequest) (int, error) {
	which.DryRun = new(true)
	req, err := jsonRequest("/deliveries/replay", which)
	if err != nil {
		return 0, err
	}
	var count api.ReplayCount
	_, err = c.do(ctx, req, &count)
	return count.Matched, err
}

// ReplayAll begins a replay of all deliveries that a request selects, and returns it at once: [Client.WaitReplay] waits for
// its end. The request is sent once; after an error without an answer look at [Client.Replays] before you send it again.
func (c *Client) ReplayAll(ctx context.Context, which api.ReplayRequest) (api.Replay, error) {
	which.DryRun = nil
	req, err := jsonRequest("/deliveries/replay", which)
	if err != nil {
		return api.Replay{}, err
	}
	req.once = true
	var replay api.Replay
	_, err = c.do(ctx, req, &replay)
	return replay, err
}

// ReplayRun returns a replay as it is now. Error: [api.CodeReplayNotFound].
func (c *Client) ReplayRun(ctx context.Context, id string) (api.Replay, error) {
	path, err := segment("/deliveries/replays/", id, "")
	if err != nil {
		return api.Replay{}, err
	}
	var replay api.Replay
	_, err = c.do(ctx, request{method: http.MethodGet, path: path}, &replay)
	return replay, err
}

// WaitReplay looks at a replay each second until it has finished, and returns it. Progress, when not nil, is told each look,
// the last one included. When ctx ends first the replay goes on all the same.
func (c *Client) WaitReplay(ctx context.Context, id string, progress func(api.Replay)) (api.Replay, error) {
	for {
		replay, err := c.ReplayRun(ctx, id)
		if err != nil {
			return replay, err
		}
		if progress != nil {
			progress(replay)
		}
		if replay.Status == api.ReplayFinished {
			return replay, nil
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return replay, err
		}
	}
}

// ReplayPage returns one page of the tenant's replays of many, newest first.
func (c *Client) ReplayPage(ctx context.Context, page Page) (api.ReplayList, error) {
	var list api.ReplayList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/deliveries/replays", query: page.query(url.Values{})}, &list)
	return list, err
}

// Replays goes through the tenant's replays of many, newest first, page by page. After an error it ends.
func (c *Client) Replays(ctx context.Context) iter.Seq2[api.Replay, error] {
	return all(func(page Page) ([]api.Replay, *string, error) {
		list, err := c.ReplayPage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}
