package urlguard_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/urlguard"
)

func TestRulesReadBackAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	list := "receiver, Hooks.Corp.example:9000, *.svc.cluster.local, *.lan:8080, 10.1.0.0/16, 10.2.0.1:80, ::1, " +
		"[::1]:8080, fd12::/16, [fd12::/16]:8443, bücher.example, 192.168.0.0/16:3000, [fd34::1]"
	want := []string{
		"receiver", "hooks.corp.example:9000", "*.svc.cluster.local", "*.lan:8080", "10.1.0.0/16", "10.2.0.1/32:80", "::1/128",
		"[::1/128]:8080", "fd12::/16", "[fd12::/16]:8443", "xn--bcher-kva.example", "192.168.0.0/16:3000", "fd34::1/128",
	}
	parsed := rules(t, list)
	got := spell(parsed)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("rules (-want +got):\n%s", diff)
	}
	again := spell(rules(t, strings.Join(got, ",")))
	if diff := cmp.Diff(want, again); diff != "" {
		t.Fatalf("rules read back (-want +got):\n%s", diff)
	}
}

func spell(rules []urlguard.Rule) []string {
	var texts []string
	for _, r := range rules {
		texts = append(texts, r.String())
	}
	return texts
}

func TestABlankListHasNoRules(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"", " ", "\t\n"} {
		if got := rules(t, list); len(got) != 0 {
			t.Errorf("%q: %v", list, got)
		}
	}
}

func TestABadRuleIsNamed(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"*", "*.", "a b", "http://receiver", "receiver:0", "receiver:65536", "receiver:", "receiver:http", "receiver:080",
		"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/8:x", "10.0.0", "0x7f000001", "[10.0.0.0/8]:80", "[::1", "[::1]8080", "[receiver]:80",
		"fd12::1%eth0", "::ffff:10.0.0.1", "169.254.0.0/16", "169.254.169.254", "fe80::/10", "168.63.129.16", "fd00:ec2::254",
		"100.100.100.200:80", "192.0.0.192", "64:ff9b::/96", "2002::/16", "*.*.example.com", "re*ceiver", "user@receiver",
	} {
		_, err := urlguard.ParseRules("receiver, " + bad)
		if err == nil || !strings.Contains(err.Error(), "entry \""+bad+"\"") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := urlguard.ParseRules("receiver,,other"); err == nil {
		t.Error("an empty entry was accepted")
	}
	_, err := urlguard.ParseRules("*,good,receiver:0")
	if err == nil || !strings.Contains(err.Error(), "\"*\"") || !strings.Contains(err.Error(), "\"receiver:0\"") {
		t.Errorf("not every bad entry is named: %v", err)
	}
}
