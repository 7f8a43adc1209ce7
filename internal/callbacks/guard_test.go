package callbacks_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/urlguard"
)

func TestThroughTheGuardPolicyIsDeadAndWeatherIsNot(t *testing.T) {
	t.Parallel()
	hit := make(chan struct{}, 10)
	server := serve(t, func(http.ResponseWriter, *http.Request) { hit <- struct{}{} })
	strict := callbacks.Sender{Client: urlguard.Policy{AllowHTTP: true}.Client(urlguard.Options{})}
	for _, url := range []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1), "https://169.254.169.254/", "https://[::1]/"} {
		a := strict.Send(t.Context(), newMessage(url))
		check(t, url, a, callbacks.Dead, "url_denied", 0)
		if a.Response != "" || a.Detail != "The URL is not allowed." {
			t.Errorf("%s: detail %q, response %q", url, a.Detail, a.Response)
		}
	}
	if len(hit) > 0 {
		t.Fatal("a refused target was called")
	}

	rules, err := urlguard.ParseRules("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	allowing := callbacks.Sender{Client: urlguard.Policy{Allow: rules}.Client(urlguard.Options{})}
	t.Cleanup(allowing.Client.CloseIdleConnections)
	check(t, "allowed", allowing.Send(t.Context(), newMessage(server.URL)), callbacks.Delivered, "", 200)
	check(t, "no TLS", allowing.Send(t.Context(), newMessage(strings.Replace(server.URL, "http", "https", 1))), callbacks.Retry, "tls_error", 0)
	allowing.Client.CloseIdleConnections() // or the next attempt may still find the old connection
	server.Close()
	check(t, "closed port", allowing.Send(t.Context(), newMessage(server.URL)), callbacks.Retry, "connection_refused", 0)
}
