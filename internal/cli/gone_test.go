package cli_test

import (
	"net/http"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func TestAGoneURLIsLiftedByItselfOrByItsID(t *testing.T) {
	t.Parallel()
	const url = "https://shop.example.com/hook?a=1"
	id := jobs.Target(url) // what the API answers for it in the list
	for _, given := range []string{url, id} {
		s := newServer(map[string]http.HandlerFunc{
			"DELETE /gone-urls/{id}": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		})
		got := run(t, s, "", withKey, "gone", "lift", given)
		s.request(t, "DELETE /gone-urls/"+id)
		if got.status != 0 || got.stdout != "lifted "+given+"\n" {
			t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
		}
	}
}
