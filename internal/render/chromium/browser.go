package chromium

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/platen-render/platen/internal/render"
)

// command is all that it takes to start a browser.
type command struct {
	path  string
	args  func(profile string) []string
	env   []string
	home  string
	user  *User
	limit time.Duration
}

// browser is one browser process, from its start to the removal of its files. It is never started again:
// the engine makes another.
type browser struct {
	cmd    command
	before *browser // must be gone first: there is never more than one that is shared; nil for none
	logger *slog.Logger

	started chan struct{} // closed when failure, conn, name and agent are final
	done    chan struct{} // closed when nothing of it is left
	failure error
	conn    *conn
	name    string // "156.0.8078.108"
	agent   string // the User-Agent header

	mu      sync.Mutex
	stopped bool
	group   *group
	tabs    map[cdp.BrowserContextID]*tab
}

func newBrowser(cmd command, before *browser, logger *slog.Logger) *browser {
	return &browser{
		cmd: cmd, before: before, logger: logger,
		started: make(chan struct{}), done: make(chan struct{}), tabs: map[cdp.BrowserContextID]*tab{},
	}
}

// usable reports whether the browser is starting or running, and shall go on.
func (b *browser) usable() bool {
	if b.wasStopped() {
		return false
	}
	select {
	case <-b.started:
	default:
		return true
	}
	if b.failure != nil {
		return false
	}
	select {
	case <-b.conn.gone:
		return false
	default:
		return true
	}
}

// await returns when the browser has started, or why it has not.
func (b *browser) await(ctx context.Context) error {
	select {
	case <-b.started:
	case <-ctx.Done():
		return ended(ctx)
	}
	if b.failure != nil {
		return render.ErrEngineUnavailable.Because(b.failure)
	}
	return nil
}

// isGone reports whether nothing of the browser is left.
func (b *browser) isGone() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
}

// run starts the browser and waits until it is gone.
func (b *browser) run() {
	defer close(b.done)
	if b.before != nil {
		<-b.before.done
		b.before = nil
	}
	profile, err := b.makeProfile()
	if err != nil {
		b.fail(err)
		return
	}
	defer func() { _ = os.RemoveAll(profile) }() // Close removes the whole home once more, and reports
	if err := b.live(profile); err != nil {
		b.fail(err)
	}
}

func (b *browser) fail(err error) {
	b.failure = err
	close(b.started)
}

func (b *browser) makeProfile() (string, error) {
	profile, err := os.MkdirTemp(b.cmd.home, "profile-")
	if err != nil {
		return "", fmt.Errorf("make a profile: %w", err)
	}
	if b.cmd.user != nil {
		if err := os.Lchown(profile, int(b.cmd.user.UID), int(b.cmd.user.GID)); err != nil {
			_ = os.RemoveAll(profile)
			return "", fmt.Errorf("make a profile: %w", err)
		}
	}
	return profile, nil
}

// live returns an error when the browser did not start, and else when it is gone: with all of its processes,
// whatever it was that ended.
func (b *browser) live(profile string) error {
	pipes, err := openPipes()
	if err != nil {
		return fmt.Errorf("open pipes: %w", err)
	}
	g, err := startGroup(b.cmd.path, b.cmd.args(profile), b.cmd.env, b.cmd.home, b.cmd.user, pipes.theirs)
	pipes.closeTheirs()
	if err != nil {
		pipes.closeOurs()
		return err
	}
	b.conn = newConn(chromedp.NewPipeConn(newMessages(pipes.answers, maxMessage), pipes.commands))
	var parts sync.WaitGroup
	parts.Go(b.conn.run)
	said := &tail{max: 4096}
	parts.Go(func() { _, _ = io.Copy(said, pipes.output) })
	b.adopt(g)

	failure := b.greet()
	if failure == nil {
		b.logger.Info("browser started", slog.String("version", b.name), slog.Int("pid", g.pgid))
		close(b.started)
		<-b.conn.gone
	}
	g.kill()
	<-g.reaped
	_ = pipes.output.SetReadDeadline(time.Now().Add(time.Second)) // nobody is left to write
	parts.Wait()
	pipes.closeOurs()
	if failure != nil {
		return fmt.Errorf("%w; it said: %q", failure, said.String())
	}
	level := slog.LevelWarn
	if b.wasStopped() {
		level = slog.LevelInfo
	}
	b.logger.Log(context.Background(), level, "browser ended", slog.String("version", b.name), slog.Int("pid", g.pgid))
	return nil
}

// adopt makes the group killable by stop, which may have come already.
func (b *browser) adopt(g *group) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.group = g
	if b.stopped {
		g.kill()
	}
}

// stop kills the browser, now or as soon as it is there. It does not wait.
func (b *browser) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	if b.group != nil {
		b.group.kill()
	}
}

// end kills the browser and waits until nothing of it is left.
func (b *browser) end() {
	b.stop()
	<-b.done
}

func (b *browser) wasStopped() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stopped
}

// greet waits for the first answer, and asks to be told of every page that opens or crashes.
func (b *browser) greet() error {
	ctx, cancel := context.WithTimeout(context.Background(), b.cmd.limit)
	defer cancel()
	version, err := b.version(ctx)
	if err != nil {
		return fmt.Errorf("greet the browser: %w", err)
	}
	_, b.name, _ = strings.Cut(version.Product, "/")
	b.agent = version.UserAgent
	b.conn.listen("", b.hear)
	_, err = ask(ctx, b.peer(), target.SetDiscoverTargets, target.SetDiscoverTargetsParams{
		Discover: true, Filter: target.Filter{{Type: "page"}},
	})
	return err
}

func (b *browser) peer() peer { return peer{conn: b.conn} }

func (b *browser) version(ctx context.Context) (cdpbrowser.GetVersionResult, error) {
	return ask(ctx, b.peer(), cdpbrowser.GetVersion, cdp.Empty{})
}

// hear handles the events of the browser itself: it closes popups and tells a tab that its page crashed.
func (b *browser) hear(msg *cdproto.Message) {
	switch string(msg.Method) {
	case target.TargetCreated.Method:
		if event, ok := decodeEvent(msg, target.TargetCreated); ok {
			b.closePopup(event.TargetInfo)
		}
	case target.TargetCrashed.Method:
		if event, ok := decodeEvent(msg, target.TargetCrashed); ok {
			b.crashed(event.TargetID)
		}
	}
}

// closePopup closes any page of a job but its first, which is made before a script of the job can run, and any
// page of no job, as the one with which the browser begins.
func (b *browser) closePopup(info *target.Info) {
	b.mu.Lock()
	t := b.tabs[info.BrowserContextID]
	if t != nil && t.target == "" {
		t.target = info.TargetID
	}
	wanted := t != nil && t.target == info.TargetID
	b.mu.Unlock()
	if !wanted {
		b.peer().tell(context.Background(), target.CloseTarget.Method, target.CloseTargetParams{TargetID: info.TargetID})
	}
}

func (b *browser) crashed(id target.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs {
		if t.target == id {
			t.crash()
		}
	}
}
