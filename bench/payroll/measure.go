package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// report is what a run was like, one line of JSON.
type report struct {
	Items     int     `json:"items"`
	Workers   int     `json:"workers"`
	Slots     int     `json:"slots"` // of each worker
	Processor int     `json:"processors"`
	Engine    string  `json:"engine"`
	Killed    int     `json:"workers_killed"`
	Accepted  float64 `json:"accepted_s"` // from the start of the command line to the answer, checks and upload included
	Total     float64 `json:"total_s"`    // to the end of the last payslip
	Reported  float64 `json:"reported_s"` // to the report of the last one
	Rendering float64 `json:"rendering_s"`
	PerItem   float64 `json:"beside_rendering_ms"` // (total - rendering ÷ slots of all workers) ÷ items
	Bar       float64 `json:"bar_s"`               // 1.15 × rendering ÷ slots of all workers + 2 ms each
	APIPeak   float64 `json:"api_peak_mb"`
	WorkPeak  float64 `json:"worker_peak_mb"`
	Redis     float64 `json:"redis_mb"`
	APITime   float64 `json:"api_cpu_s"`
	WorkTime  float64 `json:"workers_cpu_s"` // of those that live
	RedisTime float64 `json:"redis_cpu_s"`
	Attempts  int     `json:"attempts"`
	Issued    int     `json:"issued"`
	Documents int     `json:"documents"` // different ones
	Callbacks int     `json:"callbacks"` // documents that were reported
	Twice     int     `json:"callbacks_twice"`
	Missing   int     `json:"missing"`

	Manifest float64 `json:"manifest_mb"`
	Archive  float64 `json:"archive_mb"`
	Archived float64 `json:"archived_s"` // by the command line, after the run
	Checked  float64 `json:"checked_s"`  // the archive by the manifest, as well

	// How long most single jobs of another tenant waited for a worker, before the run and beside it, and how long they may.
	SingleIdle   float64 `json:"single_idle_p95_ms"`
	SingleBeside float64 `json:"single_beside_p95_ms"`
	SingleBar    float64 `json:"single_bar_ms"` // max(2 × idle, 250 ms) + 2 renders
}

func (r *report) verdict() error {
	if r.Issued != r.Items || r.Documents != r.Items || r.Missing != 0 || r.Callbacks != 0 && r.Callbacks != r.Items {
		return fmt.Errorf("of %d payslips %d were issued as %d documents, %d are missing, %d were reported", r.Items, r.Issued, r.Documents, r.Missing, r.Callbacks)
	}
	if r.SingleBeside > r.SingleBar {
		return fmt.Errorf("a single job of another tenant waited %.0f ms, and may for %.0f", r.SingleBeside, r.SingleBar)
	}
	return nil
}

// measure makes a run.
func measure(ctx context.Context, o options) (_ *report, err error) {
	dir := o.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "payroll"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	in, err := open(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	to, err := newReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer to.close()
	m := &measurement{options: o, in: in, to: to, client: &client.Client{BaseURL: in.url, Key: key}, report: &report{
		Items: o.items, Workers: o.workers, Slots: o.slots, Engine: o.engine, Processor: runtime.GOMAXPROCS(0),
	}}
	return m.report, m.run(ctx)
}

type measurement struct {
	options
	in      *installation
	to      *receiver
	client  *client.Client
	other   *neighbor
	report  *report
	started time.Time
}

func (m *measurement) run(ctx context.Context) error {
	table := filepath.Join(m.in.dir, "payslips.csv")
	if err := errors.Join(m.table(ctx, table), m.store(ctx)); err != nil {
		return err
	}
	var err error
	if m.other, err = newNeighbor(ctx, m.in.url); err != nil {
		return err
	}
	if m.report.SingleIdle, err = m.other.waits(ctx, nil); err != nil {
		return err
	}
	batch, err := m.batch(ctx, table)
	if err != nil {
		return err
	}
	m.report.Total = batch.FinishedAt.Sub(m.started).Seconds()
	for m.callbacks && !m.to.heard(m.items) {
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("wait for callbacks: %w", err)
		}
	}
	m.report.Reported = time.Since(m.started).Seconds()
	if err := m.archive(ctx, batch.ID); err != nil {
		return err
	}
	return errors.Join(m.costs(ctx), m.compare(ctx))
}

// archive fetches all documents as one file, and has it compared with the manifest.
func (m *measurement) archive(ctx context.Context, batch string) error {
	file := filepath.Join(m.in.dir, "payslips.zip")
	began := time.Now()
	if err := m.platen(ctx, "batch", "archive", batch, "-o", file); err != nil {
		return err
	}
	m.report.Archived = time.Since(began).Seconds()
	stat, err := os.Stat(file)
	if err != nil {
		return err
	}
	m.report.Archive = float64(stat.Size()) / 1e6
	began = time.Now()
	if err := m.platen(ctx, "batch", "manifest", "--check", m.manifest(), "--files", file); err != nil {
		return err
	}
	m.report.Checked = time.Since(began).Seconds()
	return nil
}

// batch is the run itself, with single jobs of another tenant beside it.
func (m *measurement) batch(ctx context.Context, table string) (batch api.Batch, err error) {
	group, ctx := errgroup.WithContext(ctx)
	accepted, over := make(chan struct{}), make(chan struct{})
	m.started = time.Now()
	group.Go(func() error { return m.submit(ctx, table) })
	group.Go(func() (err error) {
		defer close(over)
		batch, err = m.follow(ctx, accepted)
		return err
	})
	group.Go(func() (err error) {
		select {
		case <-accepted:
		case <-ctx.Done():
			return nil // for the reason of another
		}
		m.report.SingleBeside, err = m.other.waits(ctx, over)
		return err
	})
	return batch, group.Wait()
}

// follow waits until the batch has ended, tells when it is accepted, and kills a worker half-way. Another takes its place.
func (m *measurement) follow(ctx context.Context, accepted chan<- struct{}) (api.Batch, error) {
	for {
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return api.Batch{}, err
		}
		found, err := m.client.BatchPage(ctx, client.BatchFilter{}, client.Page{Limit: 1})
		if err != nil {
			return api.Batch{}, err
		}
		if len(found.Data) == 0 {
			continue
		}
		b := found.Data[0]
		if m.report.Accepted == 0 {
			m.report.Accepted = b.CreatedAt.Sub(m.started).Seconds()
			close(accepted)
		}
		if m.kill && m.report.Killed == 0 && b.Progress >= 40 {
			m.report.Killed++
			m.in.workers[0].kill()
			if err := m.in.addWorker(); err != nil {
				return b, err
			}
		}
		if client.BatchTerminal(b.Status) {
			return b, nil
		}
	}
}

// compare looks at the manifest.
func (m *measurement) compare(ctx context.Context) error {
	text, err := os.ReadFile(m.manifest())
	if err != nil {
		return err
	}
	m.report.Manifest = float64(len(text)) / 1e6
	keys, err := m.client.SigningKeys(ctx)
	if err != nil {
		return err
	}
	manifest, err := client.CheckManifest(text, keys.Data)
	if err != nil {
		return err
	}
	documents := map[string]bool{}
	for _, e := range manifest.Entries {
		switch {
		case e.Status == api.EntryMissing:
			m.report.Missing++
		case e.Status == api.EntryIssued && e.SHA256 != nil:
			m.report.Issued++
			documents[*e.DocumentID] = true
		}
	}
	m.report.Documents = len(documents)
	m.to.mu.Lock()
	defer m.to.mu.Unlock()
	m.report.Callbacks, m.report.Twice = len(m.to.ended), m.to.twice
	return nil
}

// costs adds up what the workers have logged, the one that was killed too, and what memory was needed.
func (m *measurement) costs(ctx context.Context) error {
	r := m.report
	r.APIPeak, r.APITime = float64(m.in.api.peak())/1e6, processor(m.in.api.cmd.Process.Pid)
	for _, w := range m.in.workers {
		r.WorkTime += processor(w.cmd.Process.Pid)
		r.WorkPeak = max(r.WorkPeak, float64(w.peak())/1e6)
		if err := m.attempts(w.log.Name()); err != nil {
			return err
		}
	}
	slots := float64(m.workers * m.slots)
	r.PerItem = (r.Total - r.Rendering/slots) * 1000 / float64(m.items)
	r.Bar = 1.15*r.Rendering/slots + 0.002*float64(m.items)
	r.SingleBar = max(2*r.SingleIdle, 250) + 2000*r.Rendering/float64(r.Attempts)
	return m.redisCosts(ctx)
}

func (m *measurement) attempts(log string) error {
	f, err := os.Open(log) //nolint:gosec // our own
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var line struct {
			Message   string  `json:"msg"`
			Job       string  `json:"job_id"`
			Rendering float64 `json:"render_ms"`
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "attempt ended" && !m.other.jobs[line.Job] {
			m.report.Attempts++
			m.report.Rendering += line.Rendering / 1000
		}
	}
	return nil
}

// redisCosts is what Redis needs at the end of the run, when it has every record of it.
func (m *measurement) redisCosts(ctx context.Context) error {
	rdb := redis.NewClient(&redis.Options{Network: "unix", Addr: m.in.socket})
	defer func() { _ = rdb.Close() }() // nothing is under way
	info, err := rdb.InfoMap(ctx, "memory", "server").Result()
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(info["Server"]["process_id"])
	if err != nil {
		return err
	}
	m.report.RedisTime = processor(pid)
	bytes, err := strconv.ParseFloat(info["Memory"]["used_memory"], 64)
	m.report.Redis = bytes / 1e6
	return err
}

// table writes the payslips.
func (m *measurement) table(ctx context.Context, path string) error {
	f, err := os.Create(path) //nolint:gosec // our own
	if err != nil {
		return err
	}
	generate := exec.CommandContext(ctx, "go", "run", "./examples/payroll", "-n", strconv.Itoa(m.items)) //nolint:gosec // our own program
	generate.Stdout, generate.Stderr = f, os.Stderr
	return errors.Join(generate.Run(), f.Close())
}

// store puts the template where the run finds it.
func (m *measurement) store(ctx context.Context) error {
	return m.platen(ctx, "templates", "put", "examples/templates/payslip")
}

func (m *measurement) manifest() string { return filepath.Join(m.in.dir, "manifest.json") }

// submit types what a payroll clerk would type.
func (m *measurement) submit(ctx context.Context, table string) error {
	args := []string{
		"batch", "submit", table, "--template", "payslip", "--defaults", "examples/payroll/defaults.json", "--key", "payslip:2026-10:{{.number}}",
		"--without", "number", "--omit-empty", "--wait", "--manifest", m.manifest(), "--webhook-url", m.to.url,
	}
	if m.callbacks {
		args = append(args, "--event", "batch.completed", "--event", "job.succeeded")
	}
	return m.platen(ctx, args...)
}

// platen runs the command line.
func (m *measurement) platen(ctx context.Context, args ...string) error {
	run := exec.CommandContext(ctx, filepath.Join(m.bin, "platen"), args...) //nolint:gosec // our own program
	run.Env, run.Stdout, run.Stderr = m.in.env, os.Stderr, os.Stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("platen %s %s: %w", args[0], args[1], err)
	}
	return nil
}
