package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/webhook"
)

const bootstrapKey = "bootstrap-key-of-the-tests"

// newTenants is a stack whose tenants have secrets of their own, with one tenant, as which it talks to the API.
func newTenants(t *testing.T, env ...string) (s *stack, served *process, firstSecret string) {
	t.Helper()
	s = newStack(t, append([]string{"PLATEN_CALLBACK_SECRET=", "PLATEN_DEV_KEY=", "PLATEN_ADMIN_KEY=" + bootstrapKey}, env...)...)
	served = s.up()
	var made api.KeyCreated
	s.platen(&made, "keys", "create", "--tenant", "shop", "--json")
	s.Key = made.Token
	return s, served, *made.CallbackSecret
}

// platen runs a command as the administrator, and decodes what it prints unless into is nil.
func (s *stack) platen(into any, args ...string) {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), filepath.Join(bin, "platen"), args...)
	cmd.Env = append(s.env, "PLATEN_URL="+s.BaseURL)
	cmd.Stderr = s.Output()
	out, err := cmd.Output()
	if err != nil {
		s.Fatalf("platen %s: %v", strings.Join(args, " "), err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(out, into); err != nil {
		s.Fatalf("platen %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// letters is a receiver that keeps what it gets, verified or not, and answers as it is told.
type letters struct {
	url string

	mu     sync.Mutex
	answer int
	got    []letter
}

type letter struct {
	header http.Header
	body   []byte
}

func newLetters(t *testing.T) *letters {
	t.Helper()
	l := &letters{answer: http.StatusNoContent}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.got = append(l.got, letter{r.Header.Clone(), body})
		w.WriteHeader(l.answer)
	}))
	t.Cleanup(server.Close)
	l.url = server.URL + "/"
	return l
}

func (l *letters) answers(status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer = status
}

// last is the latest one, after how many.
func (l *letters) last() (int, letter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.got) == 0 {
		return 0, letter{}
	}
	return len(l.got), l.got[len(l.got)-1]
}

// verifies reports whether a receiver that knows one secret takes it.
func (l letter) verifies(t *testing.T, secret string) bool {
	t.Helper()
	key, err := webhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	_, err = webhook.Receive([]webhook.Secret{key}, l.header, l.body, webhook.Options{})
	return err == nil
}

func TestOldAndNewSecretSignUntilTheOverlapIsOver(t *testing.T) {
	t.Parallel()
	s, _, first := newTenants(t)
	s.start("worker")
	receiver := newLetters(t)
	ping := func() letter {
		d, err := s.TestCallback(t.Context(), api.TestRequest{CallbackURL: &receiver.url}, 20*time.Second)
		if err != nil || d.Status != api.DeliveryDelivered {
			t.Fatalf("test: %+v, %v", d, err)
		}
		_, l := receiver.last()
		return l
	}
	if l := ping(); !l.verifies(t, first) {
		t.Fatal("the first secret does not sign")
	}
	var made api.SecretCreated
	s.platen(&made, "secrets", "rotate", "--tenant", "shop", "--overlap", "4s", "--json")
	l := ping()
	if !l.verifies(t, first) || !l.verifies(t, made.Secret) {
		t.Errorf("in the overlap: the old one signs %v, the new one %v", l.verifies(t, first), l.verifies(t, made.Secret))
	}
	current, rest, _ := strings.Cut(l.header.Get(webhook.HeaderSignature), " ")
	one := letter{l.header.Clone(), l.body}
	one.header.Set(webhook.HeaderSignature, current)
	if !one.verifies(t, made.Secret) || rest == "" {
		t.Errorf("the current one is not the first of %s", l.header.Get(webhook.HeaderSignature))
	}
	jobstest.Eventually(t, "the overlap ends", func() bool {
		l := ping()
		return l.verifies(t, made.Secret) && !l.verifies(t, first)
	})
}

func TestTheMasterKeyIsChangedAndNothingIsLost(t *testing.T) {
	t.Parallel()
	oldKey, newKey := seal.GenerateKey(), seal.GenerateKey()
	s, served, signing := newTenants(t, "PLATEN_SECRET_KEY="+oldKey, "PLATEN_CALLBACK_SCHEDULE=10ms")
	receiver := newLetters(t)
	receiver.answers(http.StatusInternalServerError)
	s.platen(nil, "tenants", "set", "shop", "--callback-url", receiver.url)
	running := []*process{served, s.start("worker")}
	j := s.await(s.submitHTML("<p>one</p>", "").ID)
	if j.Status != api.JobSucceeded || j.Callback == nil {
		t.Fatalf("got %+v", j)
	}
	var dead api.Delivery
	jobstest.Eventually(t, "the delivery is dead", func() bool {
		list, err := s.DeliveryPage(t.Context(), client.DeliveryFilter{Status: api.DeliveryDead}, client.Page{})
		if err == nil && len(list.Data) == 1 {
			dead = list.Data[0]
		}
		return dead.ID != ""
	})
	link, err := s.Link(t.Context(), j.DocumentID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	restart := func(env ...string) {
		for _, p := range running {
			p.stop()
		}
		s.env = append(s.env, env...)
		running = []*process{s.up(), s.start("worker")}
	}
	restart("PLATEN_SECRET_KEY="+newKey, "PLATEN_SECRET_KEY_OLD="+oldKey)
	var first, second api.Resealed
	s.platen(&first, "secrets", "reseal", "--json")
	s.platen(&second, "secrets", "reseal", "--json")
	// The secrets of shop, its URL, its signing keys, the job and its delivery.
	if first != (api.Resealed{Checked: 5, Rewritten: 5}) || second != (api.Resealed{Checked: 5}) {
		t.Errorf("resealed %+v, then %+v", first, second)
	}
	if got := statusAt(t, link.URL); got != http.StatusOK {
		t.Errorf("the link of the old key: %d", got)
	}

	restart("PLATEN_SECRET_KEY_OLD=")
	if got := statusAt(t, link.URL); got != http.StatusForbidden {
		t.Errorf("the link of a key that was dropped: %d", got)
	}
	receiver.answers(http.StatusNoContent)
	before, _ := receiver.last()
	if _, err := s.Replay(t.Context(), dead.ID); err != nil {
		t.Fatal(err)
	}
	jobstest.Eventually(t, "the replay arrives", func() bool { n, _ := receiver.last(); return n > before })
	if _, l := receiver.last(); !l.verifies(t, signing) || l.header.Get(webhook.HeaderID) != dead.EventID {
		t.Error("the replay does not verify")
	}
	if again := s.submitHTML("<p>two</p>", ""); again.Callback == nil {
		t.Error("the default URL is lost")
	}
}

func statusAt(t *testing.T, url string) int {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}
