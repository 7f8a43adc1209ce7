package memory_test

import (
	"testing"
	"testing/fstest"

	"github.com/platen-render/platen/internal/memory"
)

func TestTheLeastLimitCounts(t *testing.T) {
	t.Parallel()
	const meminfo = "MemTotal:        8388608 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing is told": {nil, memory.Unknown},
		"the machine":     {map[string]string{"proc/meminfo": meminfo}, 8 << 30},
		"a container":     {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "1073741824\n", "proc/self/cgroup": "0::/\n"}, 1 << 30},
		"no limit":        {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "max\n"}, 8 << 30},
		"a service": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/platen.service\n",
			"sys/fs/cgroup/system.slice/platen.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "3221225472\n",
		}, 3 << 30},
		"version 1": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "9:cpu:/a\n4:memory:/docker/abc\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":            "9223372036854771712\n",
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "536870912\n",
		}, 512 << 20},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memory.Of(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if memory.Limit() < 64<<20 {
		t.Errorf("this process may have %d bytes", memory.Limit())
	}
}
