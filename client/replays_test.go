package client_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

func TestAReplayOfManyIsCountedBegunAndWaitedFor(t *testing.T) {
	spec(t) // outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		server := serve(t,
			reply(http.StatusOK, api.ReplayCount{DryRun: true, Matched: 7}),
			reply(http.StatusAccepted, replay(api.ReplayRunning), "Location", "/deliveries/replays/"+replayID),
			reply(http.StatusOK, replay(api.ReplayRunning)), reply(http.StatusOK, replay(api.ReplayFinished)),
		)
		c := server.inMemory()
		which := api.ReplayRequest{URLHost: new("shop.example.com")}
		if n, err := c.CountReplay(t.Context(), which); err != nil || n != 7 {
			t.Errorf("counted %d, %v", n, err)
		}
		begun, err := c.ReplayAll(t.Context(), which)
		if err != nil {
			t.Fatal(err)
		}
		looks, began := 0, time.Now()
		end, err := c.WaitReplay(t.Context(), begun.ID, func(api.Replay) { looks++ })
		if err != nil || end.Status != api.ReplayFinished || looks != 2 || time.Since(began) != time.Second {
			t.Errorf("after %d looks and %v: %+v, %v", looks, time.Since(began), end, err)
		}
		want := []string{`{"url_host":"shop.example.com","dry_run":true}`, `{"url_host":"shop.example.com"}`}
		if diff := cmp.Diff(want, server.bodies()[:2]); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWhatWouldBeDoneTwiceIsSentOnce(t *testing.T) {
	t.Parallel()
	made := api.SecretCreated{Secret: "whsec_bm90QVJlYWxTZWNyZXRKdXN0QW5FeGFtcGxl"}
	server := serve(t, cut, cut, cut, reply(http.StatusCreated, made))
	c := server.overTCP()
	if _, err := c.ReplayAll(t.Context(), api.ReplayRequest{}); err == nil {
		t.Error("the replay got an answer")
	}
	if _, err := c.RotateSecret(t.Context(), "shop", api.SecretRequest{}); err == nil {
		t.Error("the rotation got an answer")
	}
	// With a secret of one's own the same again is the same.
	if got, err := c.RotateSecret(t.Context(), "shop", api.SecretRequest{Secret: new("a secret of my own")}); err != nil || got != made {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestResealingGoesFromPartToPart(t *testing.T) {
	t.Parallel()
	next := "shop/" + jobID
	server := serve(t,
		reply(http.StatusOK, api.Resealed{Checked: 5, Rewritten: 4, Contended: 1, NextCursor: &next}),
		reply(http.StatusOK, api.Resealed{Checked: 2, Rewritten: 1, Unreadable: 1}),
	)
	told := 0
	got, err := server.inMemory().Reseal(t.Context(), func(api.Resealed) { told++ })
	if want := (api.Resealed{Checked: 7, Rewritten: 5, Contended: 1, Unreadable: 1}); err != nil || got != want || told != 2 {
		t.Errorf("got %+v, %v, told %d times", got, err, told)
	}
	if diff := cmp.Diff([]string{`{}`, `{"cursor":"` + next + `"}`}, server.bodies()); diff != "" {
		t.Error(diff)
	}
}

// bodies are those of the requests.
func (s *script) bodies() []string {
	var bodies []string
	for _, a := range s.requests() {
		bodies = append(bodies, strings.TrimSpace(string(a.body)))
	}
	return bodies
}
