package pgtest_test

import (
	"testing"

	"github.com/platen-render/platen/internal/pgtest"
)

func TestEachDatabaseIsEmptyAndItsOwn(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	for range 2 {
		db := pgtest.Open(t, server.Database(t))
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE mine (n integer)"); err != nil {
			t.Fatal(err)
		}
	}
}
