package callbacks_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/callbacks"
)

func TestTheBeginningOfAnAnswerIsKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sent, want string }{
		"empty":                  {"", ""},
		"short":                  {"not found: é€😀\n", "not found: é€😀\n"},
		"exactly 1 KiB":          {strings.Repeat("x", 1024), strings.Repeat("x", 1024)},
		"longer":                 {strings.Repeat("x", 1<<20), strings.Repeat("x", 1024)},
		"cut inside a character": {"x" + strings.Repeat("é", 600), "x" + strings.Repeat("é", 511)},
		"not UTF-8":              {"a\xff\xfeb\xc3", "a��b"},
		"nothing but bad bytes":  {strings.Repeat("\xff", 1024), strings.Repeat("�", 341)},
		"terminal controls":      {"a\x1b[2J\x00\r\nb\tc\u009b", "a�[2J��\nb\tc�"},
	} {
		server := answering(t, http.StatusNotFound, map[string]string{"Content-Type": "text/plain"}, c.sent)
		a := newSender(t).Send(t.Context(), newMessage(server.URL))
		if a.Response != c.want || a.Code != "client_error" || !utf8.ValidString(a.Response) {
			t.Errorf("%s: kept %d bytes %.60q, want %d bytes", name, len(a.Response), a.Response, len(c.want))
		}
	}
}

func TestAGzipBombIsNotInflated(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	zip, err := gzip.NewWriterLevel(&bomb, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(zip, io.LimitReader(zeros{}, 8<<20)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 1)
	for _, encoding := range []string{"gzip", "GZIP", "br"} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked <- r.Header.Get("Accept-Encoding")
			w.Header().Set("Content-Encoding", encoding)
			_, _ = w.Write(bomb.Bytes())
		})
		a := newSender(t).Send(t.Context(), newMessage(server.URL))
		check(t, encoding, a, callbacks.Delivered, "", http.StatusOK)
		if got := <-asked; got != "identity" || a.Response != "" {
			t.Errorf("asked for %q and kept %d bytes: %.20q", got, len(a.Response), a.Response)
		}
	}
	plain := answering(t, 200, map[string]string{"Content-Encoding": "identity"}, "plain")
	if a := newSender(t).Send(t.Context(), newMessage(plain.URL)); a.Response != "plain" {
		t.Errorf("identity: kept %q", a.Response)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func FuzzAnExcerptIsShortAndValid(f *testing.F) {
	f.Add([]byte("é"))
	f.Add(bytes.Repeat([]byte{0xf0, 0x9f, 0x98}, 341))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := callbacks.Excerpt(raw[:min(len(raw), 1024)])
		if len(got) > 1024 || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\x7f") {
			t.Fatalf("%q", got)
		}
	})
}
