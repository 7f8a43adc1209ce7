package layouttest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/platen-render/platen/internal/render/chromium"
)

// shared is the browser of a test binary.
var shared atomic.Pointer[browser]

// Main runs the tests of a package with a browser that they share, and returns the exit status. The browser is started by the first
// test that asks it.
func Main(m *testing.M) int {
	b := &browser{}
	shared.Store(b)
	defer b.close()
	return m.Run()
}

// Browser returns the border boxes of all elements of a page that have an id, as the browser lays it out for paper.
func Browser(tb testing.TB, page string) map[string]Rect {
	tb.Helper()
	b := shared.Load()
	if b == nil {
		tb.Fatal("the tests of this package do not run in layouttest.Main")
	}
	rects, err := b.ask(tb.Context(), page)
	if err != nil {
		tb.Fatalf("the browser (Debian package chromium-headless-shell): %v", err)
	}
	return rects
}

// browser is a headless shell that is spoken to over pipes, one page at a time.
type browser struct {
	mu      sync.Mutex
	started bool
	home    string
	cmd     *exec.Cmd
	in      *os.File
	out     *bufio.Reader
	number  int
	session string
	frame   string
}

// question asks for the border boxes once everything is there. A rectangle that is empty counts: it has a position.
const question = `(async () => {
	await Promise.all([...document.images].map(i => i.decode().catch(() => {})));
	await document.fonts.ready;
	const all = {};
	for (const e of document.querySelectorAll('[id]')) {
		const r = e.getBoundingClientRect();
		if (getComputedStyle(e).display !== 'none') all[e.id] = {X: r.x + scrollX, Y: r.y + scrollY, Width: r.width, Height: r.height};
	}
	return all;
})()`

func (b *browser) ask(ctx context.Context, page string) (map[string]Rect, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.started {
		if err := b.start(ctx); err != nil {
			return nil, err
		}
	}
	if err := b.call("Page.setDocumentContent", map[string]any{"frameId": b.frame, "html": page}, nil); err != nil {
		return nil, err
	}
	var answer struct {
		Result struct {
			Value map[string]Rect `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	err := b.call("Runtime.evaluate", map[string]any{"expression": question, "awaitPromise": true, "returnByValue": true}, &answer)
	if err == nil && answer.ExceptionDetails != nil {
		err = fmt.Errorf("ask for rectangles: %s", answer.ExceptionDetails)
	}
	return answer.Result.Value, err
}

// start starts the program, which ends when its pipes do, and opens a page.
func (b *browser) start(ctx context.Context) error {
	program, err := chromium.FindProgram("")
	if err != nil {
		return err
	}
	if b.home, err = os.MkdirTemp("", "platen-layout-"); err != nil {
		return err
	}
	conf, err := chromium.WriteFonts(ctx, "", b.home, false)
	if err != nil {
		return err
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	//nolint:gosec // the program is the browser
	b.cmd = exec.CommandContext(context.WithoutCancel(ctx), program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
		"--font-render-hinting=none", "--disable-dev-shm-usage", "--user-data-dir="+filepath.Join(b.home, "profile"))
	b.cmd.Env = append(os.Environ(), "FONTCONFIG_FILE="+conf, "HOME="+b.home)
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	err = b.cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return err
	}
	b.in, b.out, b.started = in, bufio.NewReader(out), true
	return b.open()
}

func (b *browser) open() error {
	var target, attached struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	if err := b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return err
	}
	b.session = attached.SessionID
	if err := b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": Width, "height": Height, "deviceScaleFactor": 1, "mobile": false}, nil); err != nil {
		return err
	}
	if err := b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil); err != nil {
		return err
	}
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	err := b.call("Page.getFrameTree", map[string]any{}, &tree)
	b.frame = tree.FrameTree.Frame.ID
	return err
}

// call sends a command and waits for its answer; what else the browser says is left aside.
func (b *browser) call(method string, params map[string]any, answer any) error {
	b.number++
	message := map[string]any{"id": b.number, "method": method, "params": params}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := b.in.Write(append(data, 0)); err != nil {
		return err
	}
	for {
		line, err := b.out.ReadBytes(0)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		var reply struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(line[:len(line)-1], &reply); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case reply.ID != b.number:
		case reply.Error != nil:
			return errors.New(method + ": " + reply.Error.Message)
		case answer == nil:
			return nil
		default:
			return json.Unmarshal(reply.Result, answer)
		}
	}
}

func (b *browser) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.started {
		_ = b.call("Browser.close", map[string]any{}, nil)
		_ = b.in.Close()
		_ = b.cmd.Wait()
	}
	if b.home != "" {
		_ = os.RemoveAll(b.home)
	}
}
