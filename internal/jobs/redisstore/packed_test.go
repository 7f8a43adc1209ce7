package redisstore_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs/redisstore"
)

func TestWhatIsPackedIsUnpacked(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{}", `{"receipt":{"attempts":1,"bytes":27639,"cached_from":null},"signature":{"algorithm":"ed25519"}}`, "plain", strings.Repeat("日本", 10_000),
	} {
		packed := redisstore.Pack(text)
		if got := redisstore.Unpack(packed); got != text {
			t.Errorf("got %.100q, want %.100q", got, text)
		}
		if len(packed) > len(text) {
			t.Errorf("%d bytes became %d", len(text), len(packed))
		}
	}
	if got := redisstore.Unpack(redisstore.Pack(strings.Repeat("a", 1000))[:5]); len(got) > 1000 {
		t.Errorf("a broken one gave %d bytes", len(got))
	}
}

// What earlier builds have packed is in stores for ever.
func TestWhatWasPackedOnceIsReadForEver(t *testing.T) {
	t.Parallel()
	const text = `{"receipt":{"attempts":1,"bytes":27639,"cached_from":null,"content_type":"application/pdf","tenant":"default","version":1,"wait_for":null}}`
	const packed = "012258461b999b195b1253266396aba4f9a316100000ffff"
	raw, err := hex.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	if got := redisstore.Unpack(string(raw)); got != text {
		t.Errorf("got %q, and now it is %x", got, redisstore.Pack(text))
	}
}
