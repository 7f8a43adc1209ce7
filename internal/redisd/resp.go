package redisd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Three commands are all that a supervisor says, so it speaks the protocol (RESP2) itself and leaves go-redis
// to the packages that use Redis.

const (
	askTimeout = time.Second
	maxReply   = 1 << 20 // bytes; INFO has a few thousand
)

// refusal is an error that Redis answered, such as LOADING.
type refusal string

func (r refusal) Error() string { return string(r) }

func refused(err error) bool {
	_, ok := errors.AsType[refusal](err)
	return ok
}

// ask sends one command on a connection of its own.
func ask(ctx context.Context, socket, command string) ([]string, error) {
	conn, err := dial(ctx, socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return exchange(conn, command)
}

// dial connects; whatever follows must be done within a second.
func dial(ctx context.Context, socket string) (*net.UnixConn, error) {
	dialer := net.Dialer{Timeout: askTimeout}
	conn, err := dialer.DialUnix(ctx, "unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(askTimeout)); err != nil {
		_ = conn.Close() // unused
		return nil, err
	}
	return conn, nil
}

func exchange(conn net.Conn, command string) ([]string, error) {
	if _, err := io.WriteString(conn, command+"\r\n"); err != nil {
		return nil, err
	}
	return reply(bufio.NewReader(conn))
}

// reply reads one answer: a status, a string, or an array of those.
func reply(r *bufio.Reader) ([]string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	line = strings.TrimSpace(line)
	if line == "" {
		return nil, errors.New("empty reply")
	}
	switch rest := line[1:]; line[0] {
	case '+':
		return []string{rest}, nil
	case '-':
		return nil, refusal(rest)
	case '$':
		return bulk(r, rest)
	case '*':
		return array(r, rest)
	}
	return nil, fmt.Errorf("unknown reply %.40q", line)
}

func bulk(r *bufio.Reader, length string) ([]string, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > maxReply {
		return nil, fmt.Errorf("reply of %.20q bytes", length)
	}
	b := make([]byte, n+2) // and the line end
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	return []string{string(b[:n])}, nil
}

func array(r *bufio.Reader, length string) ([]string, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n > 16 {
		return nil, fmt.Errorf("reply of %.20q items", length)
	}
	var all []string
	for range n {
		item, err := reply(r)
		if err != nil {
			return nil, err
		}
		all = append(all, item...)
	}
	return all, nil
}
