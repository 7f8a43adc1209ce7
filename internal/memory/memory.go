// Package memory says how much memory this process may have. A program that takes more is killed, with all that it was doing.
package memory

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// Unknown is the limit where the system does not tell any.
const Unknown = 2 << 30

// Limit is the least of what the process was told (GOMEMLIMIT), what its control groups allow, and what the machine has, in bytes.
func Limit() int64 { return min(debug.SetMemoryLimit(-1), limit(os.DirFS("/"))) }

// relaxed lets the heap grow to three times of what is used before garbage is collected: documents are short-lived garbage, and collecting it
// at twice took an eighth of the processor of a payroll run.
const relaxed = 200

// Heed has garbage collected less often than Go would by itself, unless GOGC has said how often; and more often as the process nears its limit,
// unless GOMEMLIMIT has said when. The rest is for what is not the heap, and for a browser in the same control group.
func Heed() {
	if os.Getenv("GOGC") == "" { //nolint:forbidigo // the Go runtime's own setting
		debug.SetGCPercent(relaxed)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(limit(os.DirFS("/")) / 4 * 3)
	}
}

// limit reads what Linux tells (cgroups(7), proc(5)) in root.
func limit(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	for _, name := range files(root) {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 { // version 2 says max for none
			least = min(least, n)
		}
	}
	least = min(least, machine(root))
	if least == math.MaxInt64 {
		return Unknown
	}
	return least
}

// files are where limits of the process may stand: those of its groups, and of the groups that these are in.
func files(root fs.FS) []string {
	const first, second = "sys/fs/cgroup/memory/%smemory.limit_in_bytes", "sys/fs/cgroup/%smemory.max"
	names := []string{fmt.Sprintf(first, ""), fmt.Sprintf(second, "")} // seen from inside of a container
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return names
	}
	for line := range strings.Lines(string(text)) { // number:controllers:/path
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		form := second
		if parts[1] != "" {
			form = first
		}
		for group := strings.Trim(path.Clean(parts[2]), "/"); group != "" && group != "."; group, _ = path.Split(group) {
			group = strings.Trim(group, "/")
			names = append(names, fmt.Sprintf(form, group+"/"))
		}
	}
	return names
}

// machine is how much there is in all.
func machine(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return math.MaxInt64
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var kilobytes int64
		if n, _ := fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &kilobytes); n == 1 && kilobytes > 0 {
			return kilobytes << 10
		}
	}
	return math.MaxInt64
}
