package redisd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

var errNotOurs = errors.New("not ours")

// adopt takes over the server that holds server.lock and answers at the socket. ErrForeign means that the one
// who answers is not the one who holds the data; any other error, that nobody answered properly yet.
func adopt(ctx context.Context, home folder) (*server, error) {
	pid, err := identify(ctx, home)
	if errors.Is(err, errNotOurs) || refused(err) {
		return nil, ErrForeign.With("A Redis that Platen did not start answers at %s.", home.socket).Because(err)
	}
	if err != nil {
		return nil, err
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	srv := &server{process: process, adopted: true, done: make(chan struct{})}
	go srv.watch(home)
	return srv, nil
}

// watch closes done when the server is dead. It is not our child, so that nobody tells us; but the lock it
// inherited is free then, even while a process 1 that does not reap keeps a zombie of it.
func (srv *server) watch(home folder) {
	defer close(srv.done)
	tick := time.NewTicker(10 * pollEvery)
	defer tick.Stop()
	for range tick.C {
		lock, err := tryLock(home.file("server.lock"))
		if err == nil {
			_ = lock.Close() // free again for the one who starts the next server
			return
		}
	}
}

// identify returns the process id of the server at the socket after checking that it is of this user, that
// it is the process that listens there, and that its data lies in home.
func identify(ctx context.Context, home folder) (int, error) {
	conn, err := dial(ctx, home.socket)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	info, err := exchange(conn, "INFO server")
	if err != nil {
		return 0, err
	}
	dir, err := exchange(conn, "CONFIG GET dir")
	if err != nil {
		return 0, err
	}
	if len(dir) != 2 || dir[1] != home.dir {
		return 0, fmt.Errorf("data in %q: %w", dir, errNotOurs)
	}
	pid, err := processID(info)
	if err != nil {
		return 0, err
	}
	return pid, checkPeer(conn, pid)
}

func processID(info []string) (int, error) {
	for line := range strings.Lines(strings.Join(info, "\n")) {
		if value, found := strings.CutPrefix(strings.TrimSpace(line), "process_id:"); found {
			return strconv.Atoi(value)
		}
	}
	return 0, fmt.Errorf("no process_id in INFO: %w", errNotOurs)
}

// checkPeer asks the kernel who listens. Another process id than the one Redis believes in means another
// process namespace, where signals would hit a stranger.
func checkPeer(conn *net.UnixConn, pid int) error {
	peerPID, peerUID, err := peer(conn)
	if err != nil {
		return err
	}
	if peerPID != pid || peerUID != os.Geteuid() {
		return fmt.Errorf("INFO says process %d, the kernel process %d of user %d: %w", pid, peerPID, peerUID, errNotOurs)
	}
	return nil
}
