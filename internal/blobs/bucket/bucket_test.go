package bucket_test

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/blobs/bucket"
	"github.com/platen-render/platen/internal/s3test"
)

func TestMain(m *testing.M) {
	for _, pair := range s3test.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func TestABucketKeepsTheContract(t *testing.T) {
	s, n := s3test.Start(t), atomic.Int32{}
	blobstest.TestStore(t, func(t *testing.T) blobs.Store {
		t.Helper()
		return open(t, s.Bucket(t, fmt.Sprintf("bucket-%d", n.Add(1))))
	})
}

// open makes a store that is ready for use.
func open(t *testing.T, url string) *bucket.Store {
	t.Helper()
	s := opened(t, bucket.Options{URL: url})
	if _, err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !s.CreateOnly() {
		t.Fatal("the server replaces things")
	}
	return s
}

func opened(t *testing.T, o bucket.Options) *bucket.Store {
	t.Helper()
	s, err := bucket.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
