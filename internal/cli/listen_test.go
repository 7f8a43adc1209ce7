package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/webhook"
)

const secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// listening is a "platen listen" that runs.
type listening struct {
	t              *testing.T
	url            string
	stdout, stderr *bufio.Scanner
}

// startListen starts it and waits for its address. It is ended with the test, and must end well.
func startListen(t *testing.T, server http.Handler, environ []string, args ...string) *listening {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	env := environment(t, server, environ)
	stdout, printed := io.Pipe()
	stderr, noted := io.Pipe()
	env.Stdout, env.Stderr = printed, noted
	status := make(chan int, 1)
	go func() {
		status <- cli.Main(ctx, env, cli.Commands(), append([]string{"listen"}, args...))
		_, _ = printed.Close(), noted.Close() // a pipe in memory
	}()
	l := &listening{t: t, stdout: bufio.NewScanner(stdout), stderr: bufio.NewScanner(stderr)}
	_, address, found := strings.Cut(l.next(l.stderr), "listening on ")
	t.Cleanup(func() {
		cancel()
		go func() { _, _ = io.Copy(io.Discard, stderr) }() // ends with the pipe
		if s := <-status; s != 0 {
			t.Errorf("listen ended with status %d", s)
		}
	})
	if !found {
		t.Fatal("listen did not say where")
	}
	l.url = address
	return l
}

// next returns a line; it fails the test when the output ends.
func (l *listening) next(from *bufio.Scanner) string {
	l.t.Helper()
	if !from.Scan() {
		l.t.Fatalf("the output ended: %v", from.Err())
	}
	return from.Text()
}

// send makes a callback, and returns the answer's status once the receiver has given it.
func (l *listening) send(event api.Event, secret string) <-chan int {
	l.t.Helper()
	body, err := json.Marshal(event)
	if err != nil {
		l.t.Fatal(err)
	}
	key, err := webhook.ParseSecret(secret)
	if err != nil {
		l.t.Fatal(err)
	}
	header, err := webhook.Sign([]webhook.Secret{key}, eventID, time.Now(), body)
	if err != nil {
		l.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.url, bytes.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header = header
	answered := make(chan int, 1)
	go func() {
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			answered <- 0
			return
		}
		_ = res.Body.Close() // nothing of it was read
		answered <- res.StatusCode
	}()
	return answered
}

func event(status api.JobStatus) api.Event {
	return api.Event{Type: api.EventType("job." + string(status)), Timestamp: noon, Data: api.EventData{
		JobID: jobID, DocumentID: documentID, Status: status, Sequence: 1, JobURL: "http://elsewhere.test/", DocumentURL: "http://elsewhere.test/",
	}}
}

func TestListenVerifiesAndLooksAtTheDocument(t *testing.T) {
	t.Parallel()
	routes := renders(api.JobSucceeded, pdf)
	routes["GET /jobs/{id}"] = reply(http.StatusOK, job(api.JobSucceeded), "ETag", `"1"`)
	l := startListen(t, newServer(routes), append([]string{"PLATEN_CALLBACK_SECRET=" + secretText}, withKey...))
	answered := l.send(event(api.JobSucceeded), secretText)
	first, second := l.next(l.stdout), l.next(l.stdout)
	if code := <-answered; code != http.StatusNoContent {
		t.Errorf("answered %d", code)
	}
	for _, part := range []string{eventID, "job.succeeded", " succeeded ", documentID, "answered 204"} {
		if !strings.Contains(first, part) {
			t.Errorf("%q lacks %q", first, part)
		}
	}
	if want := "    GET of the document: 200, sha256 " + digest(pdf) + " as the job says"; second != want {
		t.Errorf("printed %q, want %q", second, want)
	}
}

func TestListenFailsAsOftenAsItIsTold(t *testing.T) {
	t.Parallel()
	l := startListen(t, nil, nil, "--secret", secretText, "--fail", "2", "--json")
	for _, want := range []int{500, 500, 204} {
		answered := l.send(event(api.JobFailed), secretText)
		var got map[string]any
		if err := json.Unmarshal([]byte(l.next(l.stdout)), &got); err != nil {
			t.Fatal(err)
		}
		delete(got, "at")
		delete(got, "timestamp")
		diff := cmp.Diff(map[string]any{
			"id": eventID, "type": "job.failed", "status": "failed", "job_id": jobID, "document_id": documentID, "sequence": 1.0,
			"answered": float64(want), "document": nil,
		}, got)
		if code := <-answered; code != want || diff != "" {
			t.Errorf("answered %d, want %d; printed -want +got:\n%s", code, want, diff)
		}
	}
}

func TestListenRefusesWhatIsNotSigned(t *testing.T) {
	t.Parallel()
	l := startListen(t, nil, nil, "--secret", secretText)
	answered := l.send(event(api.JobFailed), "another secret, and a wrong one")
	if said := l.next(l.stderr); !strings.Contains(said, "refused a request") || !strings.Contains(said, "no matching signature") {
		t.Errorf("it said %q", said)
	}
	if code := <-answered; code != http.StatusUnauthorized {
		t.Errorf("answered %d", code)
	}
}

func TestListenSaysWhatIsWrongWithTheDocument(t *testing.T) {
	t.Parallel()
	otherJob := job(api.JobSucceeded)
	otherJob.Result.SHA256 = digest("other bytes")
	tests := map[string]struct {
		change func(map[string]http.HandlerFunc)
		says   string
	}{
		"not there": {
			func(r map[string]http.HandlerFunc) {
				r["GET /documents/{id}"] = problem(http.StatusNotFound, api.CodeDocumentNotFound)
			},
			"    GET of the document: 404: It is so. (document_not_found)",
		},
		"other bytes": {
			func(r map[string]http.HandlerFunc) {
				r["GET /documents/{id}/content"] = renders(api.JobSucceeded, "%PDF forged")["GET /documents/{id}/content"]
			},
			"    GET of the document: 200: client: the bytes are not those of the document: their sha256 is " + digest("%PDF forged"),
		},
		"not the job's": {
			func(r map[string]http.HandlerFunc) {
				r["GET /jobs/{id}"] = reply(http.StatusOK, otherJob, "ETag", `"1"`)
			},
			"    GET of the document: 200: the job names other bytes",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			routes := renders(api.JobSucceeded, pdf)
			test.change(routes)
			l := startListen(t, newServer(routes), withKey, "--secret", secretText)
			answered := l.send(event(api.JobSucceeded), secretText)
			_ = l.next(l.stdout)
			if got := l.next(l.stdout); got != test.says {
				t.Errorf("printed %q\nwant    %q", got, test.says)
			}
			if code := <-answered; code != http.StatusNoContent {
				t.Errorf("answered %d: the callback itself was well", code)
			}
		})
	}
}

func TestTheKeyOfDevBringsItsSecretAlong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file(t, dir, "dev.json", `{"url":"http://dev.test","key":"plt_dev_secret","callback_secret":"tiny"}`)
	got := run(t, nil, "", []string{"PLATEN_KEY=plt_dev_secret", "PLATEN_URL=", "PLATEN_DATA_DIR=" + dir}, "listen")
	if got.status != 1 || !strings.Contains(got.stderr, "unusable secret") {
		t.Errorf("status %d, stderr %q: the secret of dev was not looked at", got.status, got.stderr)
	}
}

func TestListenNeedsAUsableSecret(t *testing.T) {
	t.Parallel()
	for args, says := range map[string]string{
		"listen":               "there is no secret",
		"listen --secret tiny": "unusable secret",
	} {
		got := run(t, nil, "", nil, strings.Fields(args)...)
		if got.status != 1 || !strings.Contains(got.stderr, says) || strings.Contains(got.stderr, "tiny") {
			t.Errorf("platen %s: status %d, stderr %q", args, got.status, got.stderr)
		}
	}
}
