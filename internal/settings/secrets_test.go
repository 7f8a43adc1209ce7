package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/settings"
)

func TestCallbackSecretsAreAList(t *testing.T) {
	t.Parallel()
	const a, b = "sixteen letters a", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	for list, want := range map[string][]string{a: {a}, a + "," + b: {a, b}, " " + b + " , " + a: {b, a}} {
		got, err := settings.CallbackSecrets(list)
		var texts []string
		for _, s := range got {
			texts = append(texts, s.Reveal())
		}
		if err != nil || !slices.Equal(texts, want) {
			t.Errorf("%q: %d secrets, %v", list, len(got), err)
		}
	}
	for _, bad := range []string{"", "short", a + ",", a + ",short", strings.Repeat(a+",", 5) + a} {
		if _, err := settings.CallbackSecrets(bad); err == nil || strings.Contains(err.Error(), "letters a") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAMasterKeyOpensWhatItsPredecessorsSealed(t *testing.T) {
	t.Parallel()
	texts := []string{seal.GenerateKey(), seal.GenerateKey(), seal.GenerateKey()}
	key, err := settings.MasterKey(texts[0], texts[1]+","+texts[2])
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		single, err := settings.MasterKey(text, "")
		if err != nil {
			t.Fatal(err)
		}
		sealed := single.Seal("r", []byte("x"))
		if _, err := key.Open("r", sealed); err != nil || key.Current(sealed) != (i == 0) {
			t.Errorf("key %d: %v, current %v", i, err, key.Current(sealed))
		}
	}
	for name, pair := range map[string][2]string{"PLATEN_SECRET_KEY": {"x", ""}, "PLATEN_SECRET_KEY_OLD": {texts[0], "x"}} {
		if _, err := settings.MasterKey(pair[0], pair[1]); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
