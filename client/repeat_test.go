package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// sender is a RoundTripper.
type sender func(*http.Request) (*http.Response, error)

func (s sender) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func TestRetryAfterIsHonored(t *testing.T) {
	spec(t) // outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		server := serve(t, problem(http.StatusServiceUnavailable, api.CodeStoreFull, "Retry-After", "20"), accepted(job(api.JobQueued)))
		c := server.inMemory()
		var told []time.Duration
		c.Retrying = func(cause error, pause time.Duration) {
			if !client.HasCode(cause, api.CodeStoreFull) {
				t.Errorf("the cause is %v", cause)
			}
			told = append(told, pause)
		}
		began := time.Now()
		if _, err := c.Submit(t.Context(), page("a")); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("it took %v, want the 20 s that the server asked for", took)
		}
		if len(told) != 1 || told[0] != 20*time.Second {
			t.Errorf("told of the pauses %v", told)
		}
	})
}

func TestAPauseBeyondTheBoundIsNotBegun(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		server := serve(t, problem(http.StatusServiceUnavailable, api.CodeStoreUnavailable, "Retry-After", "61"))
		began := time.Now()
		_, err := server.inMemory().Job(t.Context(), jobID)
		var p *client.Problem
		if !errors.As(err, &p) || p.RetryAfter != 61*time.Second {
			t.Errorf("the error is %v", err)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v, want none", took)
		}
	})
}

func TestRepetitionIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused, tries := errors.New("connection refused"), 0
		c := &client.Client{BaseURL: "http://platen.test", HTTP: &http.Client{Transport: sender(func(*http.Request) (*http.Response, error) {
			tries++
			return nil, refused
		})}}
		began := time.Now()
		if _, err := c.Job(t.Context(), jobID); !errors.Is(err, refused) {
			t.Errorf("the error is %v", err)
		}
		took := time.Since(began)
		if took > client.DefaultRetryFor || took < client.DefaultRetryFor/2 {
			t.Errorf("it took %v", took)
		}
		if tries < 9 || tries > 25 {
			t.Errorf("%d tries in %v", tries, took)
		}
	})
}

func TestANegativeBoundMeansNoRepetition(t *testing.T) {
	t.Parallel()
	server := serve(t, cut)
	c := server.overTCP()
	c.RetryFor = -1
	if _, err := c.Job(t.Context(), jobID); err == nil {
		t.Error("no error")
	}
}

func TestAServerThatNeverAnswersIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		c := &client.Client{BaseURL: "http://platen.test", HTTP: &http.Client{Transport: sender(func(r *http.Request) (*http.Response, error) {
			tries++
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}}
		began := time.Now()
		if _, err := c.Job(t.Context(), jobID); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v", err)
		}
		if took := time.Since(began); tries != 1 || took > 2*time.Minute {
			t.Errorf("%d tries in %v", tries, took)
		}
	})
}

func TestTheContextEndsAPause(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		server := serve(t, problem(http.StatusServiceUnavailable, api.CodeStoreUnavailable, "Retry-After", "30"))
		enough := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, enough)
		defer cancel()
		if _, err := server.inMemory().Job(ctx, jobID); !errors.Is(err, enough) {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestAKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"cut": cut,
		"503": problem(http.StatusServiceUnavailable, api.CodeStoreUnavailable, "Retry-After", "1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, answer)
			if _, err := server.overTCP().CreateKey(t.Context(), api.KeyRequest{}); err == nil {
				t.Error("no error")
			}
			if n := len(server.requests()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}
