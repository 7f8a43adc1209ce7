package app_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets more tests run at once than there are processors: those of the contract wait for Redis most of the time, on each topology.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
