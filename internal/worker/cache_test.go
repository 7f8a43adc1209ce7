package worker_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/worker"
)

// order is everything that one job brings along, and who makes it.
type order struct {
	tenant string
	spec   jobs.Spec
	page   worker.Composed
	engine *rendertest.Engine
}

// plain is an order that may be served from the cache.
func plain() order {
	return order{
		tenant: "default",
		spec: jobs.Spec{
			Kind: jobs.InputTemplate, Engine: render.Auto, Output: render.DefaultOutput(), Timeout: jobstest.Patience, Cache: time.Hour,
		},
		page: worker.Composed{
			Request: render.Request{HTML: "<p>page", Resources: map[string]render.Resource{"a.png": {ContentType: "image/png", Body: []byte("a")}}},
			Made:    jobs.Provenance{Data: "data", Template: &jobs.TemplateRef{Name: "t", Version: 1, SHA256: "t1"}},
		},
		engine: &rendertest.Engine{},
	}
}

// with is a plain order with changes.
func with(changes ...func(*order)) order {
	o := plain()
	for _, change := range changes {
		change(&o)
	}
	return o
}

// carry makes the document of an order, and reports whether an engine was asked.
func (r *rig) carry(o order) (j jobs.Job, rendered bool) {
	r.Helper()
	runner := r.runner(r.health())
	runner.Maker.Engine = o.engine
	runner.Maker.Compose = func(_ context.Context, _ jobs.Job, s jobs.Spec) (worker.Composed, error) {
		page := o.page
		page.Request.Output = s.Output
		return page, nil
	}
	raw, err := json.Marshal(o.spec)
	if err != nil {
		r.Fatal(err)
	}
	a := newJob(o.tenant, 0)
	a.Job.Spec = raw
	before := o.engine.Renders()
	j = r.accept(a, false)
	if err := runner.Run(r.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		r.Fatal(err)
	}
	return r.await(j.ID, jobs.Succeeded), o.engine.Renders() > before
}

func (r *rig) bytes(j jobs.Job) []byte {
	r.Helper()
	body, err := r.blobs.Open(r.Context(), j.Result.Blob)
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = body.Close() }()
	raw, err := io.ReadAll(body)
	if err != nil {
		r.Fatal(err)
	}
	return raw
}

func TestAnEqualJobGetsACopyOfTheBytesUnderItsOwnIdentity(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	warned := func(o *order) { o.page.Request.HTML = "<p>page<!-- rendertest:warn=odd -->" }
	first, rendered := r.carry(with(warned))
	if !rendered {
		t.Fatal("the first one came from nowhere")
	}
	second, rendered := r.carry(with(warned))
	if rendered {
		t.Fatal("the second one was rendered")
	}
	if second.Document == first.Document || second.Result.Blob == first.Result.Blob || second.Result.SHA256 != first.Result.SHA256 {
		t.Errorf("first %+v, second %+v", first.Result, second.Result)
	}
	if !bytes.Equal(r.bytes(first), r.bytes(second)) {
		t.Error("other bytes")
	}
	if !reflect.DeepEqual(first.Warnings, second.Warnings) || len(second.Warnings) != 1 {
		t.Errorf("warnings: first %v, second %v", first.Warnings, second.Warnings)
	}
	if want := string(second.Document) + ".pdf"; second.Result.Filename != want {
		t.Errorf("filename %q, want %q", second.Result.Filename, want)
	}
}

// changes returns one change for each single input of the key. Those of the output are made of its fields, so that a new one
// cannot be forgotten.
func changes() map[string]func(*order) {
	all := map[string]func(*order){
		"tenant":           func(o *order) { o.tenant = "another" },
		"kind":             func(o *order) { o.spec.Kind = jobs.InputStored },
		"page":             func(o *order) { o.page.Request.HTML += "." },
		"data":             func(o *order) { o.page.Made.Data = "others" },
		"template digest":  func(o *order) { o.page.Made.Template.SHA256 = "t2" },
		"template version": func(o *order) { o.page.Made.Template.Version = 2 },
		"template name":    func(o *order) { o.page.Made.Template.Name = "u" },
		"no template":      func(o *order) { o.page.Made.Template = nil },
		"resource": func(o *order) {
			o.page.Request.Resources["a.png"] = render.Resource{ContentType: "image/png", Body: []byte("b")}
		},
		"resource type": func(o *order) {
			o.page.Request.Resources["a.png"] = render.Resource{ContentType: "image/gif", Body: []byte("a")}
		},
		"resource name":       func(o *order) { o.page.Request.Resources["b.png"] = o.page.Request.Resources["a.png"] },
		"no resource":         func(o *order) { o.page.Request.Resources = nil },
		"resource not loaded": func(o *order) { o.page.Warnings = []render.Warning{{Code: render.ResourceMissing, Detail: "b.png"}} },
		"engine asked":        func(o *order) { o.spec.Engine = render.Native },
		"engine":              func(o *order) { o.engine = &rendertest.Engine{Name: "another"} },
		"engine version":      func(o *order) { o.engine = &rendertest.Engine{Version: "2"} },
		"fonts":               func(o *order) { o.engine = &rendertest.Engine{Fonts: "f"} },
		"wait":                func(o *order) { o.spec.Wait.Selector = "p" },
		"strict":              func(o *order) { o.spec.Strict = true },
		"expect":              func(o *order) { o.spec.Expect.MaxPages = 9 },
	}
	for path, change := range fieldsOf(reflect.TypeFor[render.Output](), nil) {
		all["output "+path] = func(o *order) { change(reflect.ValueOf(&o.spec.Output).Elem()) }
	}
	return all
}

// fieldsOf returns a change for each field of a structure, those of its structures included.
func fieldsOf(of reflect.Type, at []int) map[string]func(reflect.Value) {
	all := map[string]func(reflect.Value){}
	for i := range of.NumField() {
		field, path := of.Field(i), append(append([]int{}, at...), i)
		if field.Type.Kind() == reflect.Struct {
			for name, change := range fieldsOf(field.Type, path) {
				all[field.Name+"."+name] = change
			}
			continue
		}
		all[field.Name] = func(v reflect.Value) { turn(v.FieldByIndex(path)) }
	}
	return all
}

// turn makes another value of one.
func turn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.String:
		v.SetString(cmp.Or(map[string]string{"pdf": "png", "en": "de", "UTC": "Europe/Berlin"}[v.String()], "x"))
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
	default:
		panic(fmt.Sprintf("a field of kind %s", v.Kind()))
	}
}

func TestEachSingleInputOfTheKeyThatIsAnotherMisses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if _, rendered := r.carry(plain()); !rendered {
		t.Fatal("the first one came from nowhere")
	}
	for name, change := range changes() {
		if _, rendered := r.carry(with(change)); !rendered {
			t.Errorf("%s: served from the cache", name)
		}
		if _, rendered := r.carry(with(change)); rendered {
			t.Errorf("%s: not served from the cache when it is the same", name)
		}
	}
	if _, rendered := r.carry(plain()); rendered {
		t.Error("the first one is forgotten")
	}
}

func TestWhatDoesNotAskForTheCacheNeitherTakesNorGives(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	never := func(o *order) { o.spec.Cache = 0 }
	for _, o := range []order{with(never), plain(), with(never)} {
		if _, rendered := r.carry(o); !rendered {
			t.Error("served from the cache")
		}
	}
}

func TestBytesThatAreTooOldAreMadeAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	brief := func(o *order) { o.spec.Cache = 50 * time.Millisecond }
	r.carry(with(brief))
	jobstest.Eventually(t, "the bytes are too old", func() bool {
		_, rendered := r.carry(with(brief))
		return rendered
	})
}

func TestWhatIsNotCacheableSaysSo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*order){
		"url":      func(o *order) { o.spec.Kind = jobs.InputURL },
		"identity": func(o *order) { o.page.OwnIdentity = true },
		"script":   func(o *order) { o.page.Request.HTML = "<script>document.write(new Date())</script>" },
		"handler":  func(o *order) { o.page.Request.HTML = "<body onload='x()'>" },
		"shadow": func(o *order) {
			o.page.Request.HTML = "<p><template shadowrootmode=open><script>document.write(new Date())</script></template>"
		},
		"frame": func(o *order) { o.page.Request.HTML = "<iframe src='https://a.example/'></iframe>" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			for range 2 {
				j, rendered := r.carry(with(change))
				if !rendered {
					t.Error("served from the cache")
				}
				if len(j.Warnings) != 1 || j.Warnings[0].Code != worker.CacheBypassed {
					t.Errorf("warnings %v", j.Warnings)
				}
			}
		})
	}
}

// What the world had no answer for may be there the next time.
func TestADocumentWithTroubleOnTheWayIsNotTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	failed := func(o *order) { o.page.Request.HTML = "<p>page<!-- rendertest:warn=" + render.ResourceFailed + " -->" }
	for range 2 {
		if _, rendered := r.carry(with(failed)); !rendered {
			t.Error("served from the cache")
		}
	}
}

// What is in no key may be another one the next time: a video, say.
func TestADocumentWhosePageWentOutByItselfIsNotTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	out := func(o *order) { o.page.Request.HTML = "<p>page<!-- rendertest:online -->" }
	for range 2 {
		if _, rendered := r.carry(with(out)); !rendered {
			t.Error("served from the cache")
		}
	}
}

// A purged document has no bytes to copy, and damaged ones are no document.
func TestWithoutSoundBytesTheDocumentIsMade(t *testing.T) {
	t.Parallel()
	t.Run("purged", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		first, _ := r.carry(plain())
		if _, err := r.store.Purge(t.Context(), first.Document); err != nil {
			t.Fatal(err)
		}
		if _, rendered := r.carry(plain()); !rendered {
			t.Error("served from the cache")
		}
	})
	t.Run("damaged", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		first, _ := r.carry(plain())
		damage(t, filepath.Join(r.blobs.Dir, filepath.FromSlash(first.Result.Blob)))
		second, rendered := r.carry(plain())
		if !rendered || !strings.HasPrefix(string(r.bytes(second)), "%PDF-") {
			t.Error("served from the cache")
		}
	})
	t.Run("lost", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		first, _ := r.carry(plain())
		if err := r.blobs.Delete(t.Context(), first.Result.Blob); err != nil {
			t.Fatal(err)
		}
		if _, rendered := r.carry(plain()); !rendered {
			t.Error("served from the cache")
		}
	})
}

// damage changes the first byte of a file.
func damage(t *testing.T, name string) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	raw[0] ^= 1
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
