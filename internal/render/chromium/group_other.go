//go:build !linux

package chromium

import (
	"errors"
	"fmt"
	"os"
)

// group is a process group that this process started. Only Linux can promise that nothing of it is left.
type group struct {
	pgid   int
	reaped chan struct{}
}

func startGroup(path string, _, _ []string, _ string, _ *User, _ []*os.File) (*group, error) {
	return nil, fmt.Errorf("start %s: the chromium engine runs on Linux only: %w", path, errors.ErrUnsupported)
}

func (g *group) kill() {}
