package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/seal"
)

const adminKey = "a bootstrap key for the experiment"

// openProcesses starts two APIs and two workers, and waits until the APIs answer.
func (in *installation) openProcesses(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	common := in.environment()
	for n := range 2 {
		for _, kind := range []string{"api", "worker"} {
			addr, err := freeAddr(ctx)
			if err != nil {
				return err
			}
			p := &process{name: fmt.Sprintf("%s-%d", kind, n), argv: in.program(self, kind), addr: addr}
			p.env = append(slices.Clip(common), "CHAOS_NAME="+p.name, "PLATEN_ADDR="+addr, "PLATEN_WORKER_ADDR="+addr)
			if kind == "api" {
				in.apis = append(in.apis, p)
			} else {
				in.workers = append(in.workers, p)
			}
			if err := in.launch(p); err != nil {
				return err
			}
		}
	}
	return in.awaitServers(ctx)
}

// environment is what all processes are told.
func (in *installation) environment() []string {
	env := append(os.Environ(),
		"CHAOS_DIR="+in.dir, "PLATEN_BLOB_DIR="+in.blobs.Dir, "PLATEN_SECRET_KEY="+seal.GenerateKey(), "PLATEN_ADMIN_KEY="+adminKey,
		"PLATEN_EGRESS_ALLOW_CALLBACKS=127.0.0.0/8", "PLATEN_RENDER_SLOTS="+strconv.Itoa(engines[in.engine].slots),
		"PLATEN_CALLBACK_TIMEOUT=2s", "PLATEN_CALLBACK_SCHEDULE=200ms,500ms,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s",
	)
	for name, value := range in.redis.env {
		env = append(env, name+"="+value)
	}
	return env
}

// program is how a process is run: this program with the test engine, or the real one.
func (in *installation) program(self, name string) []string {
	if in.engine == testEngineName {
		return []string{self, name}
	}
	return []string{filepath.Join(in.bin, name)}
}

// launch starts a process with a log of its own.
func (in *installation) launch(p *process) error {
	log, err := logFile(in.dir, p.name)
	if err != nil {
		return err
	}
	in.logs = append(in.logs, log)
	p.log = log
	return p.start()
}

// stopProcesses asks all to end and insists after a while, or at once.
func (in *installation) stopProcesses(atOnce bool) {
	var group sync.WaitGroup
	for _, p := range append(slices.Clip(in.apis), in.workers...) {
		group.Go(func() {
			if atOnce {
				p.kill()
				return
			}
			p.signal(syscall.SIGCONT)
			p.stop()
		})
	}
	group.Wait()
}

func (in *installation) awaitServers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for _, s := range in.clients(adminKey) {
		for {
			_, err := s.KeyPage(ctx, client.Page{})
			if err == nil {
				break
			}
			if ctx.Err() != nil {
				return fmt.Errorf("%s does not answer: %w", s.BaseURL, err)
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
	return nil
}

// clients are one of each API. They repeat nothing: what they are told is written down answer by answer.
func (in *installation) clients(key string) []*client.Client {
	var all []*client.Client
	for _, p := range in.apis {
		all = append(all, &client.Client{BaseURL: "http://" + p.addr, Key: key, RetryFor: -1})
	}
	return all
}

// tenant is one that a customer belongs to.
type tenant struct {
	name    string
	servers []*client.Client // with its key
}

// openTenants makes a tenant for each customer, spread over the partitions, and returns the secrets of their callbacks.
func (in *installation) openTenants(ctx context.Context) (secrets []string, err error) {
	partitions, err := strconv.Atoi(in.redis.env["PLATEN_PARTITIONS"])
	if err != nil {
		return nil, err
	}
	admin := in.clients(adminKey)[0]
	for n := range in.customers {
		name := tenantIn(n*partitions/in.customers%partitions, n, partitions)
		created, err := admin.CreateKey(ctx, api.KeyRequest{Tenant: &name, Scopes: []api.Scope{api.ScopeRead, api.ScopeWrite}})
		if err != nil {
			return nil, fmt.Errorf("key of %s: %w", name, err)
		}
		if created.CallbackSecret == nil {
			return nil, errors.New("a new tenant has no secret for its callbacks")
		}
		secrets = append(secrets, *created.CallbackSecret)
		in.tenants = append(in.tenants, tenant{name, in.clients(created.Token)})
	}
	return secrets, nil
}

// tenantIn is the name of the nth tenant, which lies in a partition.
func tenantIn(partition, n, partitions int) string {
	for i := 0; ; i++ {
		if name := fmt.Sprintf("tenant-%d-%d", n, i); jobs.PartitionOf(name, partitions) == partition {
			return name
		}
	}
}

func freeAddr(ctx context.Context) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}
