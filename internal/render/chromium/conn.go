package chromium

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// errGone is what calls get when the browser no longer answers because it is dead.
var errGone = errors.New("the browser is gone")

// conn speaks the DevTools protocol over the pipe of one browser. Nobody but the process that holds the two
// ends can speak it, which no port on loopback could promise. Safe for concurrent use.
type conn struct {
	pipe *chromedp.PipeConn
	out  chan *cdproto.Message
	gone chan struct{} // closed when the browser has hung up

	mu        sync.Mutex
	last      int64
	calls     map[int64]chan *cdproto.Message
	listeners map[target.SessionID]func(*cdproto.Message)
}

func newConn(pipe *chromedp.PipeConn) *conn {
	return &conn{
		pipe: pipe, out: make(chan *cdproto.Message, 64), gone: make(chan struct{}),
		calls: map[int64]chan *cdproto.Message{}, listeners: map[target.SessionID]func(*cdproto.Message){},
	}
}

// run carries messages until the browser hangs up or the pipe is closed.
func (c *conn) run() {
	var writer sync.WaitGroup
	writer.Go(c.write)
	c.read()
	close(c.gone)
	_ = c.pipe.Close() // frees a writer that is stuck in a full pipe
	writer.Wait()
}

func (c *conn) read() {
	for {
		msg := new(cdproto.Message)
		if err := c.pipe.Read(context.Background(), msg); err != nil {
			return
		}
		c.deliver(msg)
	}
}

func (c *conn) write() {
	for {
		select {
		case <-c.gone:
			return
		case msg := <-c.out:
			// A message that cannot be written has no answer either: the reader sees the same broken pipe.
			_ = c.pipe.Write(context.Background(), msg)
		}
	}
}

// deliver hands an answer to its caller, or an event to the listener of its session.
func (c *conn) deliver(msg *cdproto.Message) {
	c.mu.Lock()
	answer, listener := c.calls[msg.ID], c.listeners[msg.SessionID]
	delete(c.calls, msg.ID)
	c.mu.Unlock()
	switch {
	case answer != nil:
		answer <- msg
	case msg.ID == 0 && listener != nil:
		listener(msg)
	}
}

// listen sends the events of a session to f, which must not wait for an answer of the browser: the goroutine
// that would bring it is the one that calls f. A nil f ends it. The session of the browser itself is "".
func (c *conn) listen(session target.SessionID, f func(*cdproto.Message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil {
		delete(c.listeners, session)
		return
	}
	c.listeners[session] = f
}

// peer is one end point in the browser: the browser itself (no session) or a page.
type peer struct {
	conn    *conn
	session target.SessionID
}

// pending is a command on its way.
type pending struct {
	conn   *conn
	method string
	id     int64
	answer chan *cdproto.Message
}

// send starts a command. The browser obeys the commands of one peer in the order in which they were sent, so
// many can be on their way at once.
func (p peer) send(ctx context.Context, method string, params any) (*pending, error) {
	body, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	call := &pending{conn: p.conn, method: method, answer: make(chan *cdproto.Message, 1)}
	p.conn.mu.Lock()
	p.conn.last++
	call.id = p.conn.last
	p.conn.calls[call.id] = call.answer
	p.conn.mu.Unlock()

	msg := &cdproto.Message{ID: call.id, SessionID: p.session, Method: cdproto.MethodType(method), Params: body}
	select {
	case p.conn.out <- msg:
		return call, nil
	case <-p.conn.gone:
		call.forget()
		return nil, fmt.Errorf("%s: %w", method, errGone)
	case <-ctx.Done():
		call.forget()
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// tell sends a command whose answer nobody needs.
func (p peer) tell(ctx context.Context, method string, params any) {
	if call, err := p.send(ctx, method, params); err == nil {
		call.forget()
	}
}

// wait returns when the command was obeyed, and decodes what came back into result unless that is nil.
func (c *pending) wait(ctx context.Context, result any) error {
	select {
	case msg := <-c.answer:
		return c.decode(msg, result)
	case <-ctx.Done():
		c.forget()
		return fmt.Errorf("%s: %w", c.method, ctx.Err())
	case <-c.conn.gone:
		c.forget()
		return fmt.Errorf("%s: %w", c.method, errGone)
	}
}

func (c *pending) decode(msg *cdproto.Message, result any) error {
	if msg.Error != nil {
		return fmt.Errorf("%s: %w", c.method, msg.Error)
	}
	if result == nil {
		return nil
	}
	if err := jsonv2.Unmarshal(msg.Result, result, chromedp.DefaultUnmarshalOptions); err != nil {
		return fmt.Errorf("decode the answer to %s: %w", c.method, err)
	}
	return nil
}

func (c *pending) forget() {
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	delete(c.conn.calls, c.id)
}

// ask sends a command and waits for its answer.
func ask[P, R any](ctx context.Context, p peer, command cdp.Command[P, R], params P) (R, error) {
	var result R
	call, err := p.send(ctx, command.Method, params)
	if err != nil {
		return result, err
	}
	err = call.wait(ctx, &result)
	return result, err
}

// decodeEvent reads the parameters of an event. What cannot be read is an event of a newer browser.
func decodeEvent[E any](msg *cdproto.Message, _ cdp.Event[E]) (E, bool) {
	var event E
	err := jsonv2.Unmarshal(msg.Params, &event, chromedp.DefaultUnmarshalOptions)
	return event, err == nil
}
