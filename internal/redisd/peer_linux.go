package redisd

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peer returns the process and the user that listen at the other end (SO_PEERCRED, unix(7)).
func peer(conn *net.UnixConn) (pid, uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var cred *unix.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err := errors.Join(err, credErr); err != nil {
		return 0, 0, err
	}
	return int(cred.Pid), int(cred.Uid), nil
}
