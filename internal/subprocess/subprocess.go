// Package subprocess runs programs for tests, and sees to it that they end with the test binary, however that ends.
package subprocess

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
)

// Process is a program that was started. Its methods may be called from anywhere.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// Start starts a command that is set up but for being started. When the test binary dies the command gets the signal sig
// (on Linux).
//
// A locked thread stays until the command has ended: the kernel ends a child together with the thread that made it, not
// with the process (prctl(2), PR_SET_PDEATHSIG).
func Start(cmd *exec.Cmd, sig syscall.Signal) (*Process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	dieWithParent(cmd.SysProcAttr, sig)
	p := &Process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // whoever asks is told by Done, and how it ended is in its log
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// Done is closed when the program has ended and has been waited for.
func (p *Process) Done() <-chan struct{} { return p.done }

// PID is its process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends a signal. One that comes too late is an error.
func (p *Process) Signal(sig syscall.Signal) error { return p.cmd.Process.Signal(sig) }

// End sends a signal that ends the program and waits until it has. A program that has ended already is fine.
func (p *Process) End(sig syscall.Signal) {
	_ = p.Signal(sig) // it may have ended by itself
	<-p.done
}
