package chromium_test

import (
	"io"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/chromium"
)

func TestMessagesThatAreTooLongAreDropped(t *testing.T) {
	t.Parallel()
	const limit = 100
	long := strings.Repeat("x", 200_000) // more than is read at once
	for name, c := range map[string]struct{ in, want string }{
		"short ones":    {"{a}\x00{b}\x00", "{a}\x00{b}\x00"},
		"a long event":  {`{"method":"` + long + "\x00{b}\x00", "{b}\x00"},
		"a long answer": {`{"id":12,"result":"` + long + "\x00{b}\x00", `{"id":12,"error":{"code":-32000,"message":"the answer is longer than 100 bytes"}}` + "\x00{b}\x00"},
		"just as long":  {strings.Repeat("x", limit-1) + "\x00", strings.Repeat("x", limit-1) + "\x00"},
		"an open end":   {"{a}\x00{b", "{a}\x00"},
	} {
		got, err := io.ReadAll(chromium.NewMessages(io.NopCloser(strings.NewReader(c.in)), limit))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %.200q, %v, want %q", name, got, err, c.want)
		}
	}
}
