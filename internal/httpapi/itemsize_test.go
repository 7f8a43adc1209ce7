package httpapi_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/httpapi"
)

// Chunks of an upload end by what their items take, and an item keeps the whole line that it came in.
func TestAnItemCountsForTheLineThatItKeeps(t *testing.T) {
	t.Parallel()
	line := `{"html":"x",` + strings.Repeat(" ", 1<<20) + `"metadata":{}}`
	if got := httpapi.SizeOfItem([]byte(line)); got != len(line) {
		t.Errorf("%d bytes, want %d", got, len(line))
	}
}
