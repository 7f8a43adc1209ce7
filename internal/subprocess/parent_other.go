//go:build !linux

package subprocess

import "syscall"

// dieWithParent cannot ask for it: outside Linux a test binary that is killed leaves its programs running.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}
