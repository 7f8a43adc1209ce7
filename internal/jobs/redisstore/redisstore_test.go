package redisstore_test

import (
	"testing"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

func open(t *testing.T, s jobstest.Settings) jobs.Store {
	t.Helper()
	return redisstore.New(redistest.Start(t).Client(), redisstore.Options{
		PublicURL: "https://docs.example", JobRetention: s.JobRetention, DeadRetention: s.DeadRetention, OrphanAfter: s.OrphanAfter,
		HostLimit: s.HostLimit, HostPatience: s.HostPatience, HostPause: s.HostPause, UploadTime: s.UploadTime, MaxQueueAge: s.MaxQueueAge,
	})
}

func TestRedisKeepsTheContract(t *testing.T) {
	t.Parallel()
	jobstest.TestStore(t, 1, open)
}
