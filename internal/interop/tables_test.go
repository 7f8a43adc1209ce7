package interop_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// cases are all that the samples are asked.
func cases(t *testing.T) []testCase {
	t.Helper()
	var all []testCase
	for _, v := range vectors(t) {
		all = append(all, aboutVector(v)...)
	}
	return append(append(append(all, aboutSignatures()...), aboutSyntax()...), aboutSecrets()...)
}

// vectors are those of version v1 in the file that the page names. Their names say what is special about each.
func vectors(t *testing.T) []testCase {
	t.Helper()
	raw, err := os.ReadFile("../../webhook/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file []struct {
		Name, Version, Secret, ID, Body, Signature string
		Timestamp                                  int64
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	var all []testCase
	for _, v := range file {
		if v.Version == "v1" {
			at := strconv.FormatInt(v.Timestamp, 10)
			all = append(all, testCase{v.Name, at, v.Secret, v.ID, at, v.Signature, v.Body, accepted})
		}
	}
	if len(all) == 0 {
		t.Fatal("no vectors")
	}
	return all
}

// Signatures that are not ours: with another key, and of another version.
const (
	other   = "v1,AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	ed25519 = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=="
)

func aboutVector(v testCase) []testCase {
	all := []testCase{
		v,
		v.change("the clock at the limit, ahead", accepted, func(c *testCase) { c.now = c.later(300) }),
		v.change("stale", refused, func(c *testCase) { c.now = c.later(301) }),
		v.change("the real clock", refused, func(c *testCase) { c.now = "" }),
		v.change("a byte more", refused, func(c *testCase) { c.body += "\n" }),
		v.change("another id", refused, func(c *testCase) { c.id += "x" }),
		v.change("another timestamp", refused, func(c *testCase) { c.timestamp = c.later(1) }),
		v.change("another secret", refused, func(c *testCase) { c.secret = whsec(make([]byte, 32)) }),
		v.change("ours is the second signature", accepted, func(c *testCase) { c.signatures = other + " " + c.signatures }),
		v.change("ours is the first signature", accepted, func(c *testCase) { c.signatures += " " + other }),
		v.change("no signature is ours", refused, func(c *testCase) { c.signatures = other + " " + other }),
	}
	if v.timestamp == "0" {
		return all // no clock shows a time before 1970
	}
	return append(all,
		v.change("the clock at the limit, behind", accepted, func(c *testCase) { c.now = c.later(-300) }),
		v.change("early", refused, func(c *testCase) { c.now = c.later(-301) }))
}

// base is a good message of this moment.
func base() testCase {
	return testCase{
		name: "now", secret: whsec([]byte("0123456789abcdef0123456789abcdef")), id: "evt_01KE0000000000000000000000",
		timestamp: strconv.FormatInt(time.Now().Unix(), 10), body: `{"type":"ping"}`, want: accepted,
	}.resigned()
}

func aboutSignatures() []testCase {
	v := base()
	all := []testCase{v}
	for name, edit := range map[string]func(string) string{
		"one of another version before ours": func(s string) string { return ed25519 + " " + s },
		"32 signatures":                      func(s string) string { return strings.Repeat("v1,x ", 31) + s },
		"junk before ours":                   func(s string) string { return "* v1 , v1, é " + s },
	} {
		all = append(all, v.change(name, accepted, func(c *testCase) { c.signatures = edit(c.signatures) }))
	}
	for name, edit := range map[string]func(string) string{
		"none":                                 func(string) string { return "" },
		"a space":                              func(string) string { return " " },
		"a star":                               func(string) string { return "*" },
		"ed25519 only":                         func(string) string { return ed25519 },
		"ours, as another version":             func(s string) string { return "v1a" + strings.TrimPrefix(s, "v1") },
		"no version":                           func(s string) string { return strings.TrimPrefix(s, "v1,") },
		"no padding":                           func(s string) string { return strings.TrimSuffix(s, "=") },
		"a character outside ASCII at the end": func(s string) string { return strings.TrimSuffix(s, "=") + "é" },
		"in lower case":                        strings.ToLower,
		"a part":                               func(s string) string { return s[:10] },
		"a character more":                     func(s string) string { return s + "=" },
		"the version only":                     func(string) string { return "v1," },
	} {
		all = append(all, v.change("signature: "+name, refused, func(c *testCase) { c.signatures = edit(c.signatures) }))
	}
	return all
}

// aboutSyntax has messages whose signature is right, so that only their syntax can be what is refused, and bodies that
// only their bytes tell apart.
func aboutSyntax() []testCase {
	v := base()
	var all []testCase
	for _, timestamp := range []string{
		"", "+" + v.timestamp, "-" + v.timestamp, "0" + v.timestamp, v.timestamp + ".0", " " + v.timestamp, v.timestamp + " ", v.timestamp + "\n",
		v.timestamp[:1] + "_" + v.timestamp[1:], "1e9", "0x6955B900", "１７６７２２５６００", "NaN", "now", "99999999999999999999",
	} {
		all = append(all, v.change("timestamp "+strconv.Quote(timestamp), refused, func(c *testCase) {
			c.timestamp = timestamp
			*c = c.resigned()
		}))
	}
	all = append(all, v.change("a timestamp that would do in octal and in decimal", refused, func(c *testCase) {
		c.now, c.timestamp = "10", "010"
		*c = c.resigned()
	}))
	for _, id := range []string{"", "evt.1", "evt 1", "evt_é", "evt_1\n", "*", "evt/1"} {
		all = append(all, v.change("id "+strconv.Quote(id), refused, func(c *testCase) {
			c.id = id
			*c = c.resigned()
		}))
	}
	for _, body := range []string{"", "\n", "{}\n", "{}\r\n", "\x00{}\x00", "\xef\xbb\xbf{}", "\xff\xfe", "-n", strings.Repeat("é", 10_000)} {
		all = append(all, v.change("body "+strconv.Quote(body[:min(len(body), 8)]), accepted, func(c *testCase) {
			c.body = body
			*c = c.resigned()
		}))
	}
	return all
}

func aboutSecrets() []testCase {
	v := base()
	var all []testCase
	for _, secret := range []string{"0123456789abcdef", "-n 456789abcdef%s\\n", "$(exit) `*` \"'0123", strings.Repeat("€", 256), whsec(make([]byte, 24)), whsec(make([]byte, 64))} {
		all = append(all, v.change("secret "+strconv.Quote(secret), accepted, func(c *testCase) {
			c.secret = secret
			*c = c.resigned()
		}))
	}
	for _, secret := range []string{"", "whsec_", "short", whsec(make([]byte, 9))} {
		all = append(all, v.change("secret "+strconv.Quote(secret), failed, func(c *testCase) {
			c.secret = secret
			*c = c.resigned()
		}))
	}
	return all
}
