package redisd

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peer returns the process and the user that listen at the other end (LOCAL_PEERPID and LOCAL_PEERCRED, unix(4)).
func peer(conn *net.UnixConn) (pid, uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var cred *unix.Xucred
	var pidErr, credErr error
	err = raw.Control(func(fd uintptr) {
		pid, pidErr = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		cred, credErr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if err := errors.Join(err, pidErr, credErr); err != nil {
		return 0, 0, err
	}
	return pid, int(cred.Uid), nil
}
