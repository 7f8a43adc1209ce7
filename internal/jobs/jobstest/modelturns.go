package jobstest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/jobs"
)

// count counts the jobs that are as said.
func (m *model) count(is func(*modelJob) bool) int {
	n := 0
	for j := range maps.Values(m.jobs) {
		if is(j) {
			n++
		}
	}
	return n
}

func (m *model) handed(line jobs.Line) int {
	return m.count(func(j *modelJob) bool { return j.handed && j.Class.Line() == line })
}

func (m *model) waits(tenant string, line jobs.Line) int {
	return m.count(func(j *modelJob) bool { return j.ready && j.Tenant == tenant && j.Class.Line() == line })
}

func (m *model) crowded(tenant string) bool {
	busy := m.count(func(j *modelJob) bool { return j.Tenant == tenant && (j.handed || j.Status == jobs.Running) })
	return m.limits[tenant] > 0 && busy >= m.limits[tenant]
}

// turns is the order of a line, without the tenants none of whose jobs is ready any more.
func (m *model) turns(line jobs.Line) []string {
	m.order[line] = slices.DeleteFunc(m.order[line], func(tenant string) bool { return m.waits(tenant, line) == 0 })
	return m.order[line]
}

// await makes a job ready: its tenant is the last one of its line, unless it waits already.
func (m *model) await(j *modelJob) {
	line := j.Class.Line()
	if order := m.turns(line); !slices.Contains(order, j.Tenant) {
		m.order[line] = append(order, j.Tenant)
	}
	j.ready, j.handed, j.due = true, false, false
}

// begin says whether a new job is handed out at once, and else makes it ready.
func (m *model) begin(j *modelJob, most int, due bool) {
	line := j.Class.Line()
	if m.waits(j.Tenant, line) > 0 || most > 0 && m.handed(line) >= most || m.crowded(j.Tenant) {
		m.await(j)
		return
	}
	j.handed, j.due = true, due
}

// next is whose turn it is in a line, or "": then it is the last one's.
func (m *model) next(line jobs.Line) string {
	for range m.turns(line) {
		tenant := m.order[line][0]
		m.order[line] = append(m.order[line][1:], tenant)
		if !m.crowded(tenant) {
			return tenant
		}
	}
	return ""
}

// handOut draws quotas. Which of the ready jobs of a tenant is the oldest is not compared here: the model has no clock.
func (p *player) handOut(t *rapid.T) {
	var quotas []jobs.Quota
	for _, line := range jobs.RenderLines {
		quotas = append(quotas, jobs.Quota{Line: line, Most: oneOf(t, "most", 0, 1, 3, plenty), Limit: oneOf(t, "limit", 0, 1, 2, 5, plenty)})
	}
	grace := oneOf(t, "grace", 0, far)
	got, err := p.HandOut(t.Context(), 0, quotas, grace)
	tasks := got.Tasks
	p.refused("hand out", err, nil)
	left := false
	for _, q := range quotas {
		for range max(0, min(q.Limit, q.Most-p.model.handed(q.Line))) {
			tenant := p.model.next(q.Line)
			if tenant == "" {
				break
			}
			if len(tasks) == 0 {
				p.Fatalf("nothing is handed out of %s, where it is the turn of %s", q.Line, tenant)
			}
			p.handed(tasks[0], q.Line, tenant, grace)
			tasks = tasks[1:]
		}
		left = left || len(p.model.turns(q.Line)) > 0
	}
	if len(tasks) > 0 {
		p.Fatalf("too much is handed out: %+v", tasks)
	}
	answer(p, "more", got.More, nil, left)
}

// handed checks that a task is one of a ready job of the tenant whose turn it is.
func (p *player) handed(task jobs.Task, line jobs.Line, tenant string, grace time.Duration) {
	j := p.model.jobs[task.ID]
	if j == nil || !j.ready || j.Class.Line() != line || j.Tenant != tenant || task != (jobs.Task{Line: line, ID: j.ID, Generation: j.generation}) {
		p.Fatalf("handed out %+v of %+v; it is the turn of %s in %s", task, j, tenant, line)
	}
	j.ready, j.handed, j.due = false, true, grace == 0
}

// limit changes how many jobs of a tenant may be handed out and running.
func (p *player) limit(t *rapid.T) {
	name := oneOf(t, "tenant", tenant, "other")
	n := oneOf[int64](t, "at most", 0, 1, 2, 4)
	if _, err := p.EnsureTenant(t.Context(), name, []byte("sealed")); err != nil {
		p.Fatalf("ensure tenant: %v", err)
	}
	changes := map[jobs.Limit]*int64{jobs.LimitRenders: &n}
	if n == 0 {
		changes[jobs.LimitRenders] = nil
	}
	p.refused("set limits", p.SetLimits(t.Context(), name, changes), nil)
	p.model.limits[name] = int(n)
}

// compareTurns compares what waits for a turn and what is handed out.
func (p *player) compareTurns() {
	for _, line := range jobs.RenderLines {
		waiting := 0
		for _, tenant := range []string{tenant, "other"} {
			n := p.model.waits(tenant, line)
			p.length("ready:"+string(line)+":"+tenant, n)
			waiting += n
		}
		p.length("turn:"+string(line), len(p.model.turns(line)))
		p.length("handed:"+string(line), p.model.handed(line))
		load, err := p.Load(p.Context(), classOf(line))
		answer(p, "waiting in "+string(line), load.Waiting, err, waiting+p.model.handed(line))
	}
	for _, tenant := range []string{tenant, "other"} {
		p.length("hands:"+tenant, p.model.count(func(j *modelJob) bool { return j.handed && j.Tenant == tenant }))
	}
}

func classOf(line jobs.Line) jobs.Class {
	i := slices.IndexFunc(jobs.Classes, func(c jobs.Class) bool { return c.Line() == line })
	return jobs.Classes[i]
}

// dueJobs are the tasks of all lines that the queue may have lost.
func (p *player) compareDueJobs() {
	due, err := p.Due(p.Context(), 0, jobs.RenderLine, 1000)
	var want []jobs.Task
	for _, line := range jobs.RenderLines {
		for id, t := range p.turns(line) {
			if t.due {
				want = append(want, jobs.Task{Line: line, ID: id, Generation: t.generation})
			}
		}
	}
	byTask := func(a, b jobs.Task) int { return strings.Compare(string(a.ID), string(b.ID)) }
	slices.SortFunc(due.Tasks, byTask)
	slices.SortFunc(want, byTask)
	answer(p, "due jobs", due.Tasks, err, want)
}
