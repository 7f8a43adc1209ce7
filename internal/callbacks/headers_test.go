package callbacks_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/http/httpguts"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/fault"
)

func TestUsefulHeadersAreAllowed(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"Authorization": "Bearer abc.def-ghi", "authorization": "Basic dTpw", "X-Api-Key": "k", "x_odd~name!": "v", "Cookie": "a=b; c=d",
		"Idempotency-Key": "k", "Contents": "not Content-*", "Webhook": "not webhook-*", "Proxy": "not proxy-*", "X-Host": "h",
		"X-Long": strings.Repeat("v", 1024), strings.Repeat("n", 64): "v", "X-Tab": "a\tb",
	} {
		if err := callbacks.ValidateHeaders(map[string]string{name: value}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := callbacks.ValidateHeaders(nil); err != nil {
		t.Error(err)
	}
	if err := callbacks.ValidateHeaders(many(10)); err != nil {
		t.Error(err)
	}
}

func many(n int) map[string]string {
	headers := map[string]string{}
	for i := range n {
		headers[fmt.Sprintf("X-%d", i)] = "v"
	}
	return headers
}

func TestHarmfulHeadersAreRefusedWithAPointer(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	for _, c := range []struct{ name, value, pointer string }{
		{"Host", secret, "/callback_headers/Host"},
		{"hOST", secret, "/callback_headers/hOST"},
		{"Content-Type", secret, ""},
		{"content-length", "7", ""},
		{"CONTENT-ENCODING", "gzip", ""},
		{"Content-Anything", secret, ""},
		{"Connection", "close", ""},
		{"keep-alive", secret, ""},
		{"TE", "trailers", ""},
		{"Trailer", secret, ""},
		{"Transfer-Encoding", "chunked", ""},
		{"Upgrade", "h2c", ""},
		{"HTTP2-Settings", secret, ""},
		{"Expect", "100-continue", ""},
		{"Proxy-Authorization", secret, ""},
		{"proxy-connection", secret, ""},
		{"Accept-Encoding", "gzip", ""},
		{"User-Agent", secret, ""},
		{"webhook-id", secret, ""},
		{"WebHook-Signature", secret, ""},
		{"Webhook-Anything", secret, ""},
		{"", secret, "/callback_headers/"},
		{"a b", secret, "/callback_headers/a b"},
		{"a:b", secret, ""},
		{"a/b~c", secret, "/callback_headers/a~1b~0c"},
		{"é", secret, ""},
		{"a\r\nHost", secret, ""},
		{"host\x00", secret, ""},
		{":authority", secret, ""},
		{strings.Repeat("n", 65), secret, ""},
		{"X-A", "", ""},
		{"X-A", "hunter2\r\nHost: x", ""},
		{"X-A", "hunter2\n", ""},
		{"X-A", "hunter2\x00", ""},
		{"X-A", "hunter2\x7f", ""},
		{"X-A", "hunter2é", ""},
		{"X-A", " hunter2", ""},
		{"X-A", "hunter2\t", ""},
		{"X-A", strings.Repeat("v", 1025), ""},
	} {
		err := callbacks.ValidateHeaders(map[string]string{c.name: c.value, "X-Good": "v"})
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Kind != fault.Invalid || f.Code != "field_invalid" || len(f.Fields) != 1 {
			t.Errorf("%q: %q: got %v", c.name, c.value, err)
			continue
		}
		if c.pointer != "" && f.Fields[0].Pointer != c.pointer {
			t.Errorf("%q: pointer %q", c.name, f.Fields[0].Pointer)
		}
		if strings.Contains(f.Error()+f.Fields[0].Detail, secret) {
			t.Errorf("%q: %v quotes the value", c.name, err)
		}
	}
	if err := callbacks.ValidateHeaders(many(11)); err == nil || fault.From(err).Fields[0].Pointer != "/callback_headers" {
		t.Errorf("eleven headers: %v", err)
	}
}

func TestAllWrongHeadersAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	err := callbacks.ValidateHeaders(map[string]string{"x-a": "1", "X-A": "2", "Host": "h", "X-B": "", "X-C": "c"})
	var got []string
	for _, field := range fault.From(err).Fields {
		got = append(got, field.Pointer)
	}
	if diff := cmp.Diff([]string{"/callback_headers/Host", "/callback_headers/X-B", "/callback_headers/x-a"}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzAnAcceptedHeaderIsValidAndNotOurs(f *testing.F) {
	f.Add("Host", "x")
	f.Add("X-A", "a\r\nb")
	f.Add("wEbhook-id", "x")
	f.Fuzz(func(t *testing.T, name, value string) {
		if callbacks.ValidateHeaders(map[string]string{name: value}) != nil {
			return
		}
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			t.Fatalf("%q: %q is no HTTP header", name, value)
		}
		canonical := http.CanonicalHeaderKey(name)
		for _, ours := range []string{"Host", "Content-", "Webhook-", "Proxy-", "Transfer-Encoding", "Accept-Encoding", "User-Agent"} {
			if strings.HasPrefix(canonical, ours) && (strings.HasSuffix(ours, "-") || canonical == ours) {
				t.Fatalf("%q is accepted", name)
			}
		}
	})
}
