package seal_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/platen-render/platen/internal/seal"
)

func TestOnlyTheSameKeyAndRecordOpenASealedText(t *testing.T) {
	t.Parallel()
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	other, _ := seal.ParseKey(seal.GenerateKey())
	sealed := key.Seal("dlv_1", []byte("secret"))
	if bytes.Contains(sealed, []byte("secret")) {
		t.Fatal("the text is in the clear")
	}
	plain, err := key.Open("dlv_1", sealed)
	if err != nil || string(plain) != "secret" {
		t.Fatalf("got %q, %v", plain, err)
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	for name, open := range map[string]func() ([]byte, error){
		"another record": func() ([]byte, error) { return key.Open("dlv_2", sealed) },
		"another key":    func() ([]byte, error) { return other.Open("dlv_1", sealed) },
		"changed":        func() ([]byte, error) { return key.Open("dlv_1", changed) },
		"cut":            func() ([]byte, error) { return key.Open("dlv_1", sealed[:5]) },
	} {
		if _, err := open(); !errors.Is(err, seal.ErrOpen) {
			t.Errorf("%s: got %v, want ErrOpen", name, err)
		}
	}
	if bytes.Equal(key.MAC("a"), key.MAC("b")) || bytes.Equal(key.MAC("a"), other.MAC("a")) {
		t.Error("two texts or two keys share a MAC")
	}
	if fmt.Sprint(key) != "set" {
		t.Error("the key prints itself")
	}
}

func TestABadKeyIsRefused(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "c2hvcnQ=", "not base64!"} {
		if _, err := seal.ParseKey(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}
