package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/redisd"
	"github.com/platen-render/platen/internal/seal"
)

const (
	key    = "plt_01JZZZZZZZZZZZZZZZZZZZZZZZ_0123456789abcdef0123"
	secret = "a callback secret for payroll" //nolint:gosec // of an installation that lives for a minute

	adminKey = "bootstrap key of the payroll"
)

// installation is Redis, an API and workers, and what they write.
type installation struct {
	dir, bin string
	env      []string
	url      string
	socket   string // of Redis
	api      *process
	workers  []*process
	redis    *errgroup.Group
	stop     context.CancelFunc
}

// open starts everything and waits until it is ready.
func open(ctx context.Context, o options, dir string) (*installation, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	in := &installation{dir: dir, bin: o.bin, url: "http://" + addr, redis: &errgroup.Group{}, stop: stop}
	socket := make(chan string, 1)
	server := redisd.Supervisor{Dir: filepath.Join(dir, "redis"), Logger: slog.New(slog.DiscardHandler)}
	failed := make(chan error, 1)
	in.redis.Go(func() error {
		err := server.Run(base, func(path string) { socket <- path })
		failed <- err
		return err
	})
	select {
	case path := <-socket:
		in.socket = path
		in.env = environment(o, dir, addr, path)
	case err := <-failed:
		return nil, errors.Join(err, in.close())
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), in.close())
	}
	if in.api, err = in.start("api"); err != nil {
		return nil, errors.Join(err, in.close())
	}
	for range o.workers {
		if err := in.addWorker(); err != nil {
			return nil, errors.Join(err, in.close())
		}
	}
	if err := in.ready(ctx); err != nil {
		return nil, errors.Join(err, in.close())
	}
	return in, nil
}

func environment(o options, dir, addr, socket string) []string {
	return append(os.Environ(),
		"PLATEN_ADDR="+addr, "PLATEN_WORKER_ADDR=off", "PLATEN_REDIS_URL=unix://"+socket, "PLATEN_BLOB_DIR="+filepath.Join(dir, "blobs"),
		"PLATEN_SECRET_KEY="+seal.GenerateKey(), "PLATEN_DEV_KEY="+key, "PLATEN_ADMIN_KEY="+adminKey, "PLATEN_CALLBACK_SECRET="+secret,
		"PLATEN_RENDER_SLOTS="+strconv.Itoa(o.slots), "PLATEN_EGRESS_ALLOW_CALLBACKS=127.0.0.0/8",
		"PLATEN_URL=http://"+addr, "PLATEN_KEY="+key)
}

// addWorker starts one more.
func (in *installation) addWorker() error {
	w, err := in.start("worker")
	if err == nil {
		in.workers = append(in.workers, w)
	}
	return err
}

func (in *installation) ready(ctx context.Context) error {
	asking := http.Client{Timeout: endWithin}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.url+"/readyz", http.NoBody)
		if err != nil {
			return err
		}
		if res, err := asking.Do(req); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("the API did not become ready: %w", err)
		}
	}
}

// close ends everything by its pid, Redis last.
func (in *installation) close() error {
	for _, p := range append(in.workers, in.api) {
		if p != nil {
			p.end()
		}
	}
	in.stop()
	return in.redis.Wait()
}

// process is a running program with its log.
type process struct {
	cmd  *exec.Cmd
	log  *os.File
	done chan struct{}
}

func (in *installation) start(name string) (*process, error) {
	log, err := os.CreateTemp(in.dir, name+"-*.log")
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(filepath.Join(in.bin, name)), log: log, done: make(chan struct{})} //nolint:gosec,noctx // our own program, ended by close
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = in.env, log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // how it ends is our own doing
	}()
	return p, nil
}

const endWithin = 30 * time.Second

func (p *process) end() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.done:
	case <-time.After(endWithin):
		p.kill()
	}
	_ = p.log.Close()
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// peak is the most memory that a process has had resident, in bytes; 0 when it has ended.
func (p *process) peak() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

// processor is how long a process has computed so far, in seconds; 0 when it has ended.
func processor(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ") // its name may have blanks
	fields := strings.Fields(after)
	if len(fields) < userTime+2 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[userTime], 64)
	system, _ := strconv.ParseFloat(fields[userTime+1], 64)
	return (user + system) / ticks
}

// Where proc(5) has the time in user mode, after the name; that in the kernel follows. Linux counts in hundredths of a second.
const (
	userTime = 11
	ticks    = 100
)

func freeAddr(ctx context.Context) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

// pause waits, and returns the error of a context that ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
