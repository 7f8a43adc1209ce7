package urlguard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

var errTunnelFull = errors.New("more bytes than the limit")

// connect answers CONNECT (RFC 9110, section 9.3.6): it dials the target, takes the connection over and copies both
// ways until one side fails, both have ended, or a limit is reached.
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	upstream, err := p.policy.DialContext(r.Context(), "tcp", r.RequestURI)
	if err != nil {
		p.answer(w, r, err)
		return
	}
	defer upstream.Close()

	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.answer(w, r, fmt.Errorf("take over the connection: %w", err))
		return
	}
	defer client.Close()

	if err := confirm(client); err != nil {
		return // the browser is gone; there is nobody to tell
	}
	t := &tunnel{client: client, fromClient: io.MultiReader(early(buffered.Reader), client), upstream: upstream}
	t.left.Store(p.options.MaxBytes)
	if err := t.run(r.Context()); err != nil {
		p.options.Logger.InfoContext(r.Context(), "tunnel cut",
			slog.String("host", r.RequestURI), slog.String("reason", err.Error()))
	}
}

// early is what the browser sent before the tunnel stood. Only that much is read through the server's buffer: when a
// read behind it sees the end of the stream, the server ends the context of the request, and a tunnel that is closed
// in one direction may still have much to say in the other.
func early(buffered *bufio.Reader) io.Reader {
	return io.LimitReader(buffered, int64(buffered.Buffered()))
}

// confirm lifts the deadlines of the server and tells the browser that the tunnel stands.
func confirm(client net.Conn) error {
	if err := client.SetDeadline(time.Time{}); err != nil {
		return err
	}
	_, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	return err
}

// tunnel is a pair of connections that share one budget of bytes.
type tunnel struct {
	client     net.Conn
	fromClient io.Reader
	upstream   net.Conn
	left       atomic.Int64
}

// run copies until the end, and closes both connections. It returns why it cut the tunnel, nil if it did not.
func (t *tunnel) run(ctx context.Context) error {
	ctx, cut := context.WithCancelCause(ctx)
	var closer, copies sync.WaitGroup
	closer.Go(func() {
		<-ctx.Done()
		_ = t.client.Close()   // nothing can be done about a socket
		_ = t.upstream.Close() // that does not close
	})
	copies.Go(func() { t.pipe(cut, t.upstream, t.fromClient) })
	copies.Go(func() { t.pipe(cut, t.client, t.upstream) })
	copies.Wait()
	cut(errEnded)
	closer.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errEnded) {
		return err
	}
	return nil
}

var errEnded = errors.New("both sides have ended")

// pipe copies one direction. An end is passed on as a half-close; an error ends the other direction too.
func (t *tunnel) pipe(cut context.CancelCauseFunc, dst net.Conn, src io.Reader) {
	_, err := io.Copy(dst, metered{src, &t.left})
	if err != nil {
		cut(err)
		return
	}
	half, ok := dst.(interface{ CloseWrite() error })
	if !ok {
		cut(errEnded)
		return
	}
	if err := half.CloseWrite(); err != nil {
		cut(err)
	}
}

// metered reads until the budget is spent. The read that would overdraw it is dropped entire.
type metered struct {
	io.Reader
	left *atomic.Int64
}

func (m metered) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	if m.left.Add(-int64(n)) < 0 {
		return 0, errTunnelFull
	}
	return n, err
}
