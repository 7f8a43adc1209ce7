package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

// held answers after a while, as Prefer asks.
func held(d time.Duration, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		<-time.After(d)
		w.Header().Set("Preference-Applied", r.Header.Get("Prefer"))
		answer(w, r)
	}
}

func unchanged(etag string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", etag)
		w.WriteHeader(http.StatusNotModified)
	}
}

func version(etag string, status api.JobStatus) http.HandlerFunc {
	return reply(http.StatusOK, job(status), "ETag", etag, "Retry-After", "7")
}

func TestWaitFollowsAJobToItsEnd(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		server := serve(t,
			version(`"1"`, api.JobQueued),
			held(25*time.Second, unchanged(`"1"`)),
			held(25*time.Second, unchanged(`"1"`)),
			held(3*time.Second, version(`"2"`, api.JobRunning)),
			held(time.Millisecond, version(`"3"`, api.JobSucceeded)),
		)
		began := time.Now()
		var seen []api.JobStatus
		got, err := server.inMemory().Wait(t.Context(), jobID, func(j api.Job) { seen = append(seen, j.Status) })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(job(api.JobSucceeded), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if diff := cmp.Diff([]api.JobStatus{api.JobQueued, api.JobRunning, api.JobSucceeded}, seen); diff != "" {
			t.Errorf("progress -want +got:\n%s", diff)
		}
		if took := time.Since(began); took != 53*time.Second+time.Millisecond {
			t.Errorf("it took %v: an answer that was held needs no pause", took)
		}
		type ask struct{ Prefer, IfNoneMatch string }
		var asks []ask
		for _, a := range server.requests() {
			asks = append(asks, ask{a.header.Get("Prefer"), a.header.Get("If-None-Match")})
		}
		want := []ask{{"", ""}, {"wait=25", `"1"`}, {"wait=25", `"1"`}, {"wait=25", `"1"`}, {"wait=25", `"2"`}}
		if diff := cmp.Diff(want, asks); diff != "" {
			t.Errorf("asked -want +got:\n%s", diff)
		}
	})
}

func TestWaitPausesWhenTheServerDoesNotHold(t *testing.T) {
	spec(t)
	tests := map[string]struct {
		answers []http.HandlerFunc
		took    time.Duration
	}{
		"Retry-After says how long": {
			[]http.HandlerFunc{version(`"1"`, api.JobQueued), version(`"2"`, api.JobRunning), unchanged(`"2"`), version(`"3"`, api.JobFailed)},
			14 * time.Second,
		},
		"a second when nothing says": {
			[]http.HandlerFunc{version(`"1"`, api.JobQueued), unchanged(`"1"`), unchanged(`"1"`), version(`"3"`, api.JobCanceled)},
			2 * time.Second,
		},
		"a server that says it held and did not": {
			[]http.HandlerFunc{version(`"1"`, api.JobQueued), held(0, unchanged(`"1"`)), held(0, version(`"1"`, api.JobQueued)), version(`"3"`, api.JobFailed)},
			8 * time.Second,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				if _, err := serve(t, test.answers...).inMemory().Wait(t.Context(), jobID, nil); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != test.took {
					t.Errorf("it took %v, want %v", took, test.took)
				}
			})
		})
	}
}

func TestWaitReturnsWhatItKnowsWhenTheContextEnds(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		server := serve(t, version(`"1"`, api.JobRunning))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		c := server.inMemory()
		inner := c.HTTP.Transport
		c.HTTP = &http.Client{Transport: sender(func(r *http.Request) (*http.Response, error) {
			if r.Header.Get("Prefer") == "" {
				return inner.RoundTrip(r)
			}
			<-r.Context().Done() // the request hangs in the network
			return nil, r.Context().Err()
		})}
		got, err := c.Wait(ctx, jobID, nil)
		if !errors.Is(err, context.DeadlineExceeded) || got.Status != api.JobRunning {
			t.Errorf("wait: %s, %v", got.Status, err)
		}
	})
}

func TestWaitSaysThatAJobIsNotThere(t *testing.T) {
	t.Parallel()
	server := serve(t, problem(http.StatusNotFound, api.CodeJobNotFound))
	if _, err := server.inMemory().Wait(t.Context(), jobID, nil); err == nil {
		t.Error("no error")
	}
}
