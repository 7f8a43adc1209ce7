// Package deploy_test holds what is deployed to what was promised about it.
package deploy_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/config"
)

// profile is the part of Docker's seccomp format that ours uses.
type profile struct {
	DefaultAction string    `json:"defaultAction"`
	ArchMap       []arch    `json:"archMap"`
	Syscalls      []syscall `json:"syscalls"`
}

type arch struct {
	Architecture     string   `json:"architecture"`
	SubArchitectures []string `json:"subArchitectures"`
}

type syscall struct {
	Comment string   `json:"comment"`
	Names   []string `json:"names"`
	Action  string   `json:"action"`
	Args    []arg    `json:"args"`
}

type arg struct {
	Index uint   `json:"index"`
	Value uint64 `json:"value"`
	Op    string `json:"op"`
}

func TestTheBrowsersProfileRefusesWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	p := load(t)
	if p.DefaultAction != "SCMP_ACT_ERRNO" {
		t.Errorf("default action: %s", p.DefaultAction)
	}
	for _, rule := range p.Syscalls {
		if rule.Action != "SCMP_ACT_ALLOW" {
			t.Errorf("%s: action %s in a list of what is allowed", rule.Comment, rule.Action)
		}
	}
	for _, a := range p.ArchMap {
		if len(a.SubArchitectures) != 0 {
			t.Errorf("%s lets the calls of %q in", a.Architecture, a.SubArchitectures)
		}
	}
}

func TestTheBrowsersProfileAllowsItsSandboxAndNoMore(t *testing.T) {
	t.Parallel()
	names := allowed(load(t))
	for name := range strings.FieldsSeq("clone clone3 unshare chroot seccomp execve futex memfd_create") {
		if !slices.Contains(names, name) {
			t.Errorf("%s is refused, and the browser needs it", name)
		}
	}
	const dangerous = `init_module finit_module delete_module kexec_load kexec_file_load reboot swapon mount umount2 pivot_root
		move_mount fsopen fsmount open_tree keyctl add_key request_key bpf perf_event_open userfaultfd io_uring_setup ptrace
		process_vm_writev pidfd_getfd open_by_handle_at setns settimeofday clock_settime iopl ioperm syslog personality socket`
	for name := range strings.FieldsSeq(dangerous) {
		if slices.Contains(names, name) {
			t.Errorf("%s is allowed without a condition", name)
		}
	}
}

func TestTheExampleSettingsAreThoseOfTheComposeFile(t *testing.T) {
	t.Parallel()
	compose, example := read(t, "../docker-compose.yml"), read(t, ".env.example")
	used := regexp.MustCompile(`\$\{(PLATEN_\w+)`).FindAllStringSubmatch(compose, -1)
	if len(used) == 0 {
		t.Fatal("docker-compose.yml takes no settings")
	}
	for _, match := range used {
		// Which image a service runs is a matter for those who build them.
		if strings.HasSuffix(match[1], "_API_IMAGE") || strings.HasSuffix(match[1], "_WORKER_IMAGE") {
			continue
		}
		if !strings.Contains(example, "\n"+match[1]+"=") {
			t.Errorf(".env.example lacks %s", match[1])
		}
	}
	for _, match := range regexp.MustCompile(`(?m)^(PLATEN_\w+)=`).FindAllStringSubmatch(example, -1) {
		if !strings.Contains(compose, "${"+match[1]) {
			t.Errorf(".env.example: docker-compose.yml does not take %s", match[1])
		}
	}
}

// The compose file decides where things are; all else is the operator's to set.
func TestTheComposeFilePassesEverySettingOn(t *testing.T) {
	t.Parallel()
	compose := read(t, "../docker-compose.yml")
	decided := strings.Fields(`PLATEN_ADDR PLATEN_WORKER_ADDR PLATEN_REDIS_URL PLATEN_BLOB_DIR PLATEN_CHROMIUM PLATEN_FONT_DIR PLATEN_CACHE_DIR
		PLATEN_REDIS_CA_FILE PLATEN_REDIS_WAIT_REPLICAS PLATEN_CALLBACK_CA_FILE PLATEN_DATA_DIR PLATEN_DEV_KEY`)
	for _, s := range config.Settings() {
		passed := regexp.MustCompile(`(?m)^ +` + s.Name + `: \$\{` + s.Name + `:[-?]`).MatchString(compose)
		if passed == slices.Contains(decided, s.Name) {
			t.Errorf("%s: passed on is %v", s.Name, passed)
		}
	}
}

// allowed returns the calls that are allowed whatever their arguments.
func allowed(p profile) []string {
	var names []string
	for _, rule := range p.Syscalls {
		if len(rule.Args) == 0 {
			names = append(names, rule.Names...)
		}
	}
	return names
}

func load(t *testing.T) profile {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(read(t, "seccomp/chromium.json")))
	decoder.DisallowUnknownFields()
	var p profile
	if err := decoder.Decode(&p); err != nil {
		t.Fatalf("decode the profile: %v", err)
	}
	return p
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return string(data)
}
