package jobs_test

import (
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func TestWhatLeadsToOneHostHasOneName(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := r.InstallKey(t.Context(), jobs.DefaultTenant, "plt_01JZZZZZZZZZZZZZZZZZZZZZZZ_0123456789abcdef0123"); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"https://Receiver.Example/a":      "receiver.example",
		"https://receiver.example:443/b":  "receiver.example",
		"https://receiver.example:8443/":  "receiver.example:8443",
		"http://receiver.example:80/":     "receiver.example",
		"http://receiver.example:443/":    "receiver.example:443",
		"https://[2606:4700::1111]:443/x": "[2606:4700::1111]",
	} {
		d, err := r.TestCallback(t.Context(), jobs.DefaultTenant, &jobs.Callback{URL: url, Secret: "a secret of sixteen"})
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if d.Host != want {
			t.Errorf("%s: host %q, want %q", url, d.Host, want)
		}
	}
}
