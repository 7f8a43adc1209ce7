package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

func TestAnIDNamesItsPartitionAndTime(t *testing.T) {
	t.Parallel()
	for _, p := range []int{0, 1, 15, 255} {
		id := jobs.NewID(jobs.KindJob, p)
		back, err := jobs.ParseID(jobs.KindJob, string(id))
		if err != nil || back != id || id.Partition() != p || time.Since(id.Time()).Abs() > time.Minute {
			t.Errorf("%s: partition %d, time %v, %v", id, id.Partition(), id.Time(), err)
		}
	}
}

func TestIDsDoNotCollideWithinAMillisecond(t *testing.T) {
	t.Parallel()
	seen := map[jobs.ID]bool{}
	for range 200_000 {
		id := jobs.NewID(jobs.KindJob, 7)
		if seen[id] {
			t.Fatalf("%s was drawn twice", id)
		}
		seen[id] = true
	}
}

func TestOnlyTheCanonicalSpellingIsAnID(t *testing.T) {
	t.Parallel()
	id := string(jobs.NewID(jobs.KindJob, 1))
	for _, s := range []string{"", "job_", id[4:], strings.ToLower(id), id + "0", id[:len(id)-1], "doc" + id[3:], "job_" + strings.Repeat("Z", 26), strings.Replace(id, "0", "O", 1)} {
		if got, err := jobs.ParseID(jobs.KindJob, s); err == nil {
			t.Errorf("%q was read as %q", s, got)
		}
	}
}

func TestATenantsPartitionNeverChanges(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(jobs.PartitionOf("default", 1), jobs.PartitionOf("default", 16), jobs.PartitionOf("acme", 16), jobs.PartitionOf("acme", 256))
	if want := "0 14 15 175"; got != want {
		t.Errorf("got %s, want %s: existing records would not be found", got, want)
	}
}
