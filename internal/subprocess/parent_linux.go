package subprocess

import "syscall"

func dieWithParent(attributes *syscall.SysProcAttr, sig syscall.Signal) { attributes.Pdeathsig = sig }
