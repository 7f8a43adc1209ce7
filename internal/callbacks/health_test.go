package callbacks_test

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"testing"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/jobs"
)

func TestAnAttemptSaysHowItsHostIs(t *testing.T) {
	t.Parallel()
	answered := func(status int) callbacks.Attempt {
		return callbacks.Attempt{Verdict: callbacks.JudgeStatus(status), Status: status}
	}
	failed := func(err error) callbacks.Attempt {
		return callbacks.Attempt{Verdict: callbacks.JudgeError(err), Err: err}
	}
	broken := answered(http.StatusInternalServerError)
	broken.Err = context.DeadlineExceeded
	for name, c := range map[string]struct {
		attempt callbacks.Attempt
		want    jobs.Health
	}{
		"delivered":          {answered(204), jobs.HealthUp},
		"redirected":         {answered(302), jobs.HealthUp},
		"not found":          {answered(404), jobs.HealthUp},
		"gone":               {answered(410), jobs.HealthUp},
		"throttled":          {answered(429), jobs.HealthUp},
		"server error":       {answered(500), jobs.HealthUp},
		"broken off":         {broken, jobs.HealthDown},
		"bad gateway":        {answered(502), jobs.HealthDown},
		"unavailable":        {answered(503), jobs.HealthDown},
		"gateway timeout":    {answered(504), jobs.HealthDown},
		"timeout":            {failed(context.DeadlineExceeded), jobs.HealthDown},
		"connection refused": {failed(syscall.ECONNREFUSED), jobs.HealthDown},
		"something else":     {failed(errors.New("other")), jobs.HealthDown},
		"interrupted":        {failed(context.Canceled), jobs.HealthUnknown},
		"not allowed":        {callbacks.Attempt{Verdict: callbacks.Verdict{Outcome: callbacks.Dead, Code: "url_denied"}, Err: errors.New("policy")}, jobs.HealthUnknown},
		"not signed":         {callbacks.Attempt{Verdict: callbacks.Verdict{Code: "signing_failed"}, Err: errors.New("no secret")}, jobs.HealthUnknown},
	} {
		if got := c.attempt.Health(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
