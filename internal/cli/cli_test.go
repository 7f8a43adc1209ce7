package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/cli"
)

func TestACommandLineThatIsNotUnderstoodIsStatus2WithAHint(t *testing.T) {
	t.Parallel()
	tests := []struct{ args, says, hint string }{
		{"", "a command is missing", `Run "platen help"`},
		{"rendr a.html", `no command "rendr"; did you mean "render"?`, `Run "platen help"`},
		{"frobnicate", `no command "frobnicate"`, `Run "platen help"`},
		{"help frobnicate", `no command "frobnicate"`, `Run "platen help"`},
		{"jobs", "jobs: a command is missing", `Run "platen help jobs"`},
		{"jobs gte x", `no command "jobs gte"; did you mean "jobs get"?`, `Run "platen help jobs"`},
		{"jobs get", "jobs get: JOB is missing", `Run "platen help jobs get"`},
		{"jobs get a b", `"b" is one argument too many`, `Run "platen help jobs get"`},
		{"jobs get a --frob", "no such flag: -frob", `Run "platen help jobs get"`},
		{"jobs list --limit x", "want 1 to 200", `Run "platen help jobs list"`},
		{"jobs list --limit 0", "want 1 to 200", `Run "platen help jobs list"`},
		{"keys list --limit 201", "want 1 to 200", `Run "platen help keys list"`},
		{"version now", `"now" is one argument too many`, `Run "platen help version"`},
		{"render", "render: FILE is missing", `Run "platen help render"`},
		{"render rig_test.go --as pdf", "--as \"pdf\" is none of", `Run "platen help render"`},
		{"render a.html --local --strict", "--strict needs a server", `Run "platen help render"`},
		{"render a.html --local --wait-for p", "--wait-for needs a server", `Run "platen help render"`},
		{"render https://shop.example/ --local", "an address needs a server", `Run "platen help render"`},
		{"render https://shop.example/ -o a.pdf --data a.json", "--data is only for a template", `Run "platen help render"`},
		{"render a.html --local --document-key k", "--document-key needs a server", `Run "platen help render"`},
		{"render a.html --local --json", "--json prints a job", `Run "platen help render"`},
		{"render - --data -", "only one of FILE and --data", `Run "platen help render"`},
		{"render rig_test.go -o a.JPG", "a.JPG would be a PDF; --output-format jpeg makes an image", `Run "platen help render"`},
		{"render rig_test.go -o ./rig_test.go", "is the page itself", `Run "platen help render"`},
		{"deliveries replay", "DELIVERY is missing, or --all", `Run "platen help deliveries replay"`},
		{"deliveries replay a --all", "only one of DELIVERY and --all", `Run "platen help deliveries replay"`},
		{"deliveries replay a --dry-run", "--dry-run is not for one DELIVERY", `Run "platen help deliveries replay"`},
		{"deliveries replay a --url-host b", "--url-host is not for one DELIVERY", `Run "platen help deliveries replay"`},
		{"deliveries replay --all --after yesterday", "want a time as 2026-03-02T09:15:00Z", `Run "platen help deliveries replay"`},
		{"deliveries list a --status dead", "--status is not for one JOB", `Run "platen help deliveries list"`},
		{"tenants set shop", "nothing to change", `Run "platen help tenants set"`},
		{"secrets rotate --overlap 500ms", "whole seconds", `Run "platen help secrets rotate"`},
		{"keys revoke plt_01KCPCP2C00EXAMPZE0000000B_x", "that is the key itself", `Run "platen help keys revoke"`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			got := run(t, nil, "", withKey, strings.Fields(test.args)...)
			if got.status != 2 || got.stdout != "" || !strings.Contains(got.stderr, test.says) || !strings.Contains(got.stderr, test.hint) {
				t.Errorf("status %d, stdout %q, stderr %q, want %q and %q", got.status, got.stdout, got.stderr, test.says, test.hint)
			}
		})
	}
}

func TestJSONIsThatOfTheAPI(t *testing.T) {
	t.Parallel()
	jobs := api.JobList{Data: []api.Job{job(api.JobSucceeded)}}
	dead := api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryDead)}}
	s := newServer(map[string]http.HandlerFunc{
		"GET /jobs/{id}":  reply(http.StatusOK, job(api.JobSucceeded), "ETag", `"1"`),
		"GET /jobs":       reply(http.StatusOK, jobs),
		"GET /deliveries": reply(http.StatusOK, dead),
	})
	for args, want := range map[string]any{
		"jobs get --json " + jobID: job(api.JobSucceeded), "jobs list --json": jobs, "deliveries list --json": dead,
	} {
		got := run(t, s, "", withKey, strings.Fields(args)...)
		wire, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decode(t, string(wire)), decode(t, got.stdout)); got.status != 0 || diff != "" {
			t.Errorf("platen %s: status %d, -want +got:\n%s", args, got.status, diff)
		}
		if !strings.Contains(got.stdout, "1.10") && strings.HasPrefix(args, "jobs") {
			t.Errorf("platen %s: the number in the metadata has changed: %s", args, got.stdout)
		}
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestProblemsAreStatus1AndReadable(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"GET /jobs/{id}": problem(http.StatusNotFound, api.CodeJobNotFound)})
	got := run(t, s, "", withKey, "jobs", "get", jobID)
	if diff := cmp.Diff(outcome{1, "", "platen: It is so. (job_not_found)\n"}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheVersionIsAlsoAFlag(t *testing.T) {
	t.Parallel()
	if got := run(t, nil, "", nil, "--version"); got.stdout != "platen v0.1.0\n" || got.status != 0 {
		t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
	}
}

func TestAnEmptyListSaysSo(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{
		"GET /jobs":                 reply(http.StatusOK, api.JobList{Data: []api.Job{}}),
		"GET /admin/keys":           reply(http.StatusOK, api.KeyList{Data: []api.Key{}}),
		"GET /deliveries":           reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{}}),
		"GET /jobs/{id}/deliveries": reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{}}),
	})
	for args, says := range map[string]string{
		"jobs list": "no jobs\n", "keys list": "no keys\n", "deliveries list": "no deliveries\n",
		"deliveries list --url-host a.example:8443": "no deliveries\n",
		"deliveries list --url-host 127.0.0.1":      "no deliveries\nhosts are kept with their port, as 127.0.0.1:8443, unless it is the scheme's own\n",
		"deliveries list " + jobID:                  "no deliveries\n",
	} {
		if got := run(t, s, "", withKey, strings.Fields(args)...); got.status != 0 || got.stdout != "" || got.stderr != says {
			t.Errorf("platen %s: status %d, stdout %q, stderr %q", args, got.status, got.stdout, got.stderr)
		}
	}
}

func TestACancelThatIsOnlyRequestedSaysSo(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"DELETE /jobs/{id}": reply(http.StatusAccepted, job(api.JobRunning), "Retry-After", "1")})
	if got := run(t, s, "", withKey, "jobs", "cancel", jobID); got.status != 0 || !strings.HasPrefix(got.stderr, "cancel requested") {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}

func TestAnIDThatIsNoneIsSaidPlainly(t *testing.T) {
	t.Parallel()
	if got := run(t, nil, "", withKey, "jobs", "get", "a b"); got.status != 1 || got.stderr != "platen: \"a b\" is not an id\n" {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}

// A closed port refuses at once; the test ends the command when it has seen enough.
func TestAServerThatDoesNotAnswerIsNamedOnce(t *testing.T) {
	t.Parallel()
	env := environment(t, nil, []string{"PLATEN_KEY=plt_user_secret", "PLATEN_URL=http://platen.test/"})
	ctx, cancel := context.WithCancel(t.Context())
	tries := 0
	env.HTTP = &http.Client{Transport: refusing(func() {
		if tries++; tries == 3 {
			cancel()
		}
	})}
	var stdout, stderr bytes.Buffer
	env.Stdout, env.Stderr = &stdout, &stderr
	if status := cli.Main(ctx, env, cli.Commands(), []string{"jobs", "list"}); status != 1 || tries < 3 {
		t.Errorf("status %d after %d tries", status, tries)
	}
	first, rest, _ := strings.Cut(stderr.String(), "\n")
	if first != "http://platen.test/ does not answer: connection refused (PLATEN_URL names another server); trying again for 30s" ||
		strings.Contains(rest, "trying again") {
		t.Errorf("stderr %q", stderr.String())
	}
}

// refusing is a network whose every connection is refused.
type refusing func()

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) {
	r()
	return nil, errors.New("connection refused")
}

func TestSettingsNameTheServerAndTheKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file(t, dir, "dev.json", `{"url":"http://dev.test","key":"plt_dev_secret","callback_secret":"whsec_x","admin_key":"dev-admin","secret_key":"other"}`)
	dev := "PLATEN_DATA_DIR=" + dir
	tests := map[string]struct {
		environ []string
		args    string
		want    string // the Authorization header
	}{
		"the environment's key":               {[]string{"PLATEN_KEY=plt_env_secret"}, "jobs list", "Bearer plt_env_secret"},
		"the environment's key comes first":   {[]string{"PLATEN_KEY=plt_env_secret", dev}, "jobs list", "Bearer plt_env_secret"},
		"the key that dev left":               {[]string{"PLATEN_URL=", dev}, "jobs list", "Bearer plt_dev_secret"},
		"the key that dev left, for its URL":  {[]string{"PLATEN_URL=http://dev.test/", dev}, "jobs list", "Bearer plt_dev_secret"},
		"the bootstrap key for keys":          {[]string{"PLATEN_KEY=plt_env_secret", "PLATEN_ADMIN_KEY=bootstrap"}, "keys list", "Bearer bootstrap"},
		"any key for keys when there is none": {[]string{"PLATEN_KEY=plt_env_secret"}, "keys list", "Bearer plt_env_secret"},
		"the bootstrap key that dev left":     {[]string{"PLATEN_URL=", dev}, "keys list", "Bearer dev-admin"},
		"the bootstrap key only for keys":     {[]string{"PLATEN_ADMIN_KEY=bootstrap"}, "jobs list", ""},
		"the key of dev for no other server":  {[]string{"PLATEN_URL=http://elsewhere.test", dev}, "jobs list", ""},
		"a tenant's key hides it not":         {[]string{"PLATEN_URL=", "PLATEN_KEY=plt_env_secret", dev}, "keys list", "Bearer dev-admin"},
		"but keeps it from other servers":     {[]string{"PLATEN_KEY=plt_env_secret", dev}, "keys list", "Bearer plt_env_secret"},
		"nor its bootstrap key":               {[]string{"PLATEN_URL=http://elsewhere.test", dev}, "keys list", ""},
		"the key of dev, exported, is dev's":  {[]string{"PLATEN_URL=", "PLATEN_KEY=plt_dev_secret", dev}, "keys list", "Bearer dev-admin"},
		"no key":                              {nil, "jobs list", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(map[string]http.HandlerFunc{
				"GET /jobs":       reply(http.StatusOK, api.JobList{Data: []api.Job{}}),
				"GET /admin/keys": reply(http.StatusOK, api.KeyList{Data: []api.Key{}}),
			})
			got := run(t, s, "", test.environ, strings.Fields(test.args)...)
			if test.want == "" {
				if got.status != 1 || !strings.Contains(got.stderr, "there is no key") || len(s.asked) > 0 {
					t.Errorf("status %d, stderr %q, asked %+v", got.status, got.stderr, s.asked)
				}
				return
			}
			if got.status != 0 || len(s.asked) != 1 || s.asked[0].authorization != test.want {
				t.Errorf("status %d, stderr %q, asked %+v, want %q", got.status, got.stderr, s.asked, test.want)
			}
		})
	}
}

func TestNeitherStoreNorQueueIsLinked(t *testing.T) {
	t.Parallel()
	linked, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(linked), "platen/client\n") {
		t.Errorf("the list of packages lacks the client: %s", linked)
	}
	for _, library := range []string{"github.com/redis/go-redis", "github.com/hibiken/asynq", "github.com/labstack/echo"} {
		if strings.Contains(string(linked), library) {
			t.Errorf("%s is linked", library)
		}
	}
}

func TestABrokenFileOfDevIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := file(t, dir, "dev.json", `{"url":`)
	got := run(t, nil, "", []string{"PLATEN_DATA_DIR=" + dir}, "jobs", "list")
	if got.status != 1 || !strings.Contains(got.stderr, path) {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}

// TestTheFileOfDevIsFoundInThisFolder changes the folder, so it is not parallel.
func TestTheFileOfDevIsFoundInThisFolder(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, filepath.Join(".platen", "dev.json"), `{"url":"http://dev.test","key":"plt_dev_secret"}`)
	t.Chdir(dir)
	s := newServer(map[string]http.HandlerFunc{"GET /jobs": reply(http.StatusOK, api.JobList{Data: []api.Job{}})})
	got := run(t, s, "", []string{"PLATEN_URL=", "PLATEN_DATA_DIR="}, "jobs", "list")
	if got.status != 0 || s.request(t, "GET /jobs").authorization != "Bearer plt_dev_secret" {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}
