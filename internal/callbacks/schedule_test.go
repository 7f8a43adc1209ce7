package callbacks_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/callbacks"
)

func TestTheDefaultScheduleIsSixAttempts(t *testing.T) {
	t.Parallel()
	s := callbacks.DefaultSchedule()
	if err := s.Validate(); err != nil || s.Attempts() != 6 || s.String() != "1s,5s,25s,2m5s,10m25s" {
		t.Fatalf("%s, %d attempts, %v", s, s.Attempts(), err)
	}
	s[0] = time.Hour
	if callbacks.DefaultSchedule()[0] != time.Second {
		t.Fatal("the default can be changed by a caller")
	}
}

func TestAScheduleReadsWhatItWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := callbacks.Schedule(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "wait"))
		}), 1, 100).Draw(t, "schedule"))
		got, err := callbacks.ParseSchedule(s.String())
		if diff := cmp.Diff(s, got); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
	})
	if got, err := callbacks.ParseSchedule(" 1s, 2m ,3h"); err != nil || got.String() != "1s,2m0s,3h0m0s" {
		t.Errorf("with spaces: %s, %v", got, err)
	}
}

func TestAWrongScheduleIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "wait 1",
		"1s,":                             "wait 2",
		"5":                               `"5" is not a duration`,
		"1s;2s":                           "wait 1",
		"1s,0s":                           "wait 2: 0s is not positive",
		"1s,-5s":                          "not positive",
		"169h":                            "add up",
		"84h,84h,1ns":                     "add up",
		"2540400h,2540400h":               "add up",
		"1s" + strings.Repeat(",1s", 100): "101 waits",
	} {
		if _, err := callbacks.ParseSchedule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", text, err, want)
		}
	}
	if err := (callbacks.Schedule{math.MaxInt64, math.MaxInt64, math.MaxInt64}).Validate(); err == nil {
		t.Error("a sum that overflows is accepted")
	}
	if err := (callbacks.Schedule{}).Validate(); err == nil {
		t.Error("an empty schedule is accepted")
	}
	if s, err := callbacks.ParseSchedule("1s" + strings.Repeat(",1s", 99)); err != nil || s.Attempts() != 101 {
		t.Errorf("100 waits: %v", err)
	}
}

func TestWaitsAreJitteredByAFifth(t *testing.T) {
	t.Parallel()
	s := callbacks.Schedule{10 * time.Second, time.Minute}
	for random, want := range map[float64]time.Duration{0: 8 * time.Second, 0.5: 10 * time.Second, math.Nextafter(1, 0): 12 * time.Second} {
		got, ok := s.Jittered(1, func() float64 { return random })
		if !ok || (got-want).Abs() > time.Microsecond {
			t.Errorf("random %v: got %s, want %s", random, got, want)
		}
	}
	low, high := time.Hour, time.Duration(0)
	for range 1000 {
		wait, _ := s.Jittered(2, rand.Float64)
		low, high = min(low, wait), max(high, wait)
	}
	if low < 48*time.Second || low > 50*time.Second || high > 72*time.Second || high < 70*time.Second {
		t.Errorf("1000 waits of a minute lie between %s and %s", low, high)
	}
}

func TestTheScheduleEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    callbacks.Schedule
		n    int
		want bool
	}{
		{callbacks.DefaultSchedule(), 1, true},
		{callbacks.DefaultSchedule(), 5, true},
		{callbacks.DefaultSchedule(), 6, false},
		{callbacks.DefaultSchedule(), 7, false},
		{callbacks.DefaultSchedule(), 0, false},
		{callbacks.DefaultSchedule(), -1, false},
		{nil, 1, false},
	} {
		if _, ok := c.s.Next(c.n, time.Hour, rand.Float64); ok != c.want {
			t.Errorf("after attempt %d of %d: %v", c.n, c.s.Attempts(), ok)
		}
	}
}

func TestTheLongerOfScheduleAndRetryAfterCounts(t *testing.T) {
	t.Parallel()
	s := callbacks.Schedule{10 * time.Second, 2 * time.Hour}
	middle := func() float64 { return 0.5 }
	for _, c := range []struct {
		n                int
		retryAfter, want time.Duration
	}{
		{1, 0, 10 * time.Second},
		{1, 3 * time.Second, 10 * time.Second},
		{1, time.Minute, time.Minute},
		{1, 1000 * time.Hour, time.Hour},
		{1, -time.Minute, 10 * time.Second},
		{2, time.Hour, 2 * time.Hour},
	} {
		if got, ok := s.Next(c.n, c.retryAfter, middle); !ok || got != c.want {
			t.Errorf("wait %d with Retry-After %s: got %s, want %s", c.n, c.retryAfter, got, c.want)
		}
	}
}
