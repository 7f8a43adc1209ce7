package seal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
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
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(format, key); got != "set" {
			t.Errorf("the key prints itself: %s", got)
		}
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

// What was sealed and signed before keys had names, with the bytes 0 to 31 as the key.
const (
	storedKey    = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	storedSealed = "YnmmyCn3xwih7s/zUMXbF+pqymmq6nGnyey2Tj+QUM2ZdPbmgtwBcUMJ"
	storedRecord = "dlv_01KCPDHS780EXAMPZE00000006"
	storedMAC    = "a2ae236daf3eb6234f20e961fda223f8d4fbcaa532507c17788cc19bdb2b4c5d"
	storedText   = "doc_01KCPDHS1S0EXAMPZE00000002 1772529300"
)

func TestWhatWasSealedBeforeKeysHadNamesStillOpens(t *testing.T) {
	t.Parallel()
	sealed, _ := base64.StdEncoding.DecodeString(storedSealed)
	mac, _ := hex.DecodeString(storedMAC)
	for name, list := range map[string]string{"the current key": storedKey, "an old key": seal.GenerateKey() + ", " + storedKey} {
		key, err := seal.ParseKeys(list)
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := key.Open(storedRecord, sealed); err != nil || string(plain) != "the plain text" {
			t.Errorf("%s: got %q, %v", name, plain, err)
		}
		if _, err := key.Open("dlv_2", sealed); !errors.Is(err, seal.ErrOpen) {
			t.Errorf("%s: another record: %v", name, err)
		}
		if key.Current(sealed) {
			t.Errorf("%s: it is said to be the current key's", name)
		}
		if !key.Verify(storedText, mac) || key.Verify("other", mac) {
			t.Errorf("%s: the MAC", name)
		}
	}
}

func TestAnOldKeyOpensAndVerifiesAndTheCurrentOneMakes(t *testing.T) {
	t.Parallel()
	old, _ := seal.ParseKey(seal.GenerateKey())
	fresh, _ := seal.ParseKey(seal.GenerateKey())
	both := fresh.Before(old)
	made := old.Seal("r", []byte("secret"))
	if plain, err := both.Open("r", made); err != nil || string(plain) != "secret" || both.Current(made) || !old.Current(made) {
		t.Errorf("made with the old key: %q, %v", plain, err)
	}
	again := both.Seal("r", []byte("secret"))
	if !both.Current(again) || !fresh.Current(again) {
		t.Error("it was not made with the current key")
	}
	if plain, err := fresh.Open("r", again); err != nil || string(plain) != "secret" {
		t.Errorf("without the old key: %q, %v", plain, err)
	}
	if _, err := fresh.Open("r", made); !errors.Is(err, seal.ErrOpen) {
		t.Errorf("a key that was dropped still opens: %v", err)
	}
	if !both.Verify("t", old.MAC("t")) || !both.Verify("t", fresh.MAC("t")) || fresh.Verify("t", old.MAC("t")) || !bytes.Equal(both.MAC("t"), fresh.MAC("t")) {
		t.Error("MACs do not follow the keys")
	}
	if twice := both.Before(old).Before(fresh); twice.Name() != fresh.Name() || !twice.Verify("t", old.MAC("t")) {
		t.Error("a key given twice changes something")
	}
}

func TestAListOfKeysIsCheckedWhole(t *testing.T) {
	t.Parallel()
	good := seal.GenerateKey()
	for _, bad := range []string{"", ",", good + ",", good + ",c2hvcnQ=", "x," + good} {
		if _, err := seal.ParseKeys(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
