//go:build !linux

package dev

import "syscall"

const terminate = syscall.SIGTERM

// childAttributes cannot ask for more: outside Linux a killed platen dev leaves its children running.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
