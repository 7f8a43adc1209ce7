package bucket_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/bucket"
	"github.com/platen-render/platen/internal/s3test"
)

const s3PartSize = bucket.PartSize

func TestAPlaceIsMarkedOnceAndAForeignOneIsRefused(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	url := server.Bucket(t, "place")
	s := opened(t, bucket.Options{URL: url})
	for round, want := range []bool{true, false} {
		if fresh, err := s.Prepare(t.Context()); err != nil || fresh != want {
			t.Errorf("round %d: fresh %v, %v", round, fresh, err)
		}
	}
	put(t, s, "a")
	if err := os.Remove(server.Path("place", ".platen-blobs")); err != nil {
		t.Fatal(err)
	}
	_, err := opened(t, bucket.Options{URL: url}).Prepare(t.Context())
	wantFault(t, err, bucket.ErrForeign)
	if _, err := os.Stat(server.Path("place", ".platen-blobs")); err == nil {
		t.Error("it was marked all the same")
	}
	folder := open(t, strings.Replace(url, "s3://place", "s3://place/some/folder", 1))
	put(t, folder, "a")
	wantNames(t, folder, "a")
	if _, err := os.Stat(server.Path("place", "some/folder/a")); err != nil {
		t.Error(err)
	}
	_, err = opened(t, bucket.Options{URL: strings.Replace(url, "s3://place", "s3://nowhere", 1)}).Prepare(t.Context())
	wantFault(t, err, blobs.ErrUnavailable)
}

func TestABucketThatIsAnotherOneIsNoticed(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "mine"))
	put(t, s, "a")
	for _, rid := range []func() error{
		func() error { return os.Remove(server.Path("mine", ".platen-blobs")) }, func() error { return os.RemoveAll(server.Path("mine", "")) },
	} {
		if err := rid(); err != nil {
			t.Fatal(err)
		}
		_, _, err := s.Open(t.Context(), "b")
		wantFault(t, err, blobs.ErrUnavailable)
		wantFault(t, s.Walk(t.Context(), "", func(blobs.Info) error { return nil }), blobs.ErrUnavailable)
		wantFault(t, s.Probe(t.Context()), blobs.ErrUnavailable)
	}
}

// Some servers do not know If-None-Match. The proxy stands for one: it answers the question whether there is something with no.
func TestAServerThatReplacesIsFoundOut(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	url := server.Bucket(t, "replacing")
	put(t, open(t, url), "a")
	server.Break(on(http.MethodPut, ".platen-blobs", always, s3test.Fault{Status: 200}))
	s := opened(t, bucket.Options{URL: url})
	if _, err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	server.Break(nil)
	if s.CreateOnly() {
		t.Error("not noticed")
	}
	put(t, s, "b")
	put(t, s, "a") // the same bytes
	_, err := s.Put(t.Context(), "a", strings.NewReader("other"))
	wantFault(t, err, blobs.ErrExists)
	if got, err := readAll(t, s); err != nil || got != "a" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestALinkGivesTheBytesForAWhile(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	url := server.Bucket(t, "links")
	put(t, open(t, url), "a/b")
	inside := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	s := opened(t, bucket.Options{URL: strings.Replace(url, "127.0.0.1", "localhost", 1), PublicEndpoint: server.URL})
	l := bucket.Link{
		Expires: time.Minute, ContentType: "application/pdf", CacheControl: "private",
		Disposition: `attachment; filename="Rechnung f_r _.pdf"; filename*=UTF-8''Rechnung%20f%C3%BCr%20%E2%82%AC.pdf`,
	}
	address, err := s.Link(t.Context(), "a/b", l)
	if err != nil || !strings.HasPrefix(address, server.URL+"/") || strings.HasPrefix(address, inside) {
		t.Fatalf("%s, %v", address, err)
	}
	status, header, text := fetch(t, address)
	if status != http.StatusOK || text != "a/b" {
		t.Fatalf("%d %s", status, text)
	}
	for name, want := range map[string]string{
		"Content-Type": l.ContentType, "Content-Disposition": l.Disposition, "Cache-Control": l.CacheControl,
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for name, other := range map[string]string{
		"another blob": strings.Replace(address, "/a/b", "/a/c", 1), "another name": strings.Replace(address, "Rechnung", "Quittung", 1),
		"without": strings.SplitN(address, "?", 2)[0],
	} {
		if status, _, _ := fetch(t, other); status != http.StatusForbidden {
			t.Errorf("%s: %d", name, status)
		}
	}
	l.Expires = time.Second
	if address, err = s.Link(t.Context(), "a/b", l); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the link ends", func() bool {
		status, _, _ := fetch(t, address)
		return status == http.StatusForbidden
	})
}

func TestWrongAddressesAreNamed(t *testing.T) {
	t.Parallel()
	for _, o := range []bucket.Options{
		{URL: "s3://"},
		{URL: "ftp://a"},
		{URL: "s3://a#b"},
		{URL: "s3://key:secret@a"},
		{URL: "s3://a/../b"},
		{URL: "s3://a?prefix=b"},
		{URL: "s3://a/b c"},
		{URL: "gs://a", PublicEndpoint: "https://b.example"},
		{URL: "s3://a", PublicEndpoint: "b.example"},
	} {
		err := bucket.Check(o)
		if err == nil || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, url := range []string{"s3://a", "gs://a/b/c", "azblob://a?storage_account=b", "s3://a/b?region=eu-central-1&endpoint=https://c.example"} {
		if err := bucket.Check(bucket.Options{URL: url}); err != nil || !bucket.IsURL(url) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func fetch(t *testing.T, address string) (status int, header http.Header, body string) {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatal("not in time:", what)
		}
	}
}

func put(t *testing.T, s blobs.Store, name string) {
	t.Helper()
	if _, err := s.Put(t.Context(), name, strings.NewReader(name)); err != nil {
		t.Fatal(err)
	}
}

// readAll reads the blob "a".
func readAll(t *testing.T, s blobs.Store) (string, error) {
	t.Helper()
	r, _, err := s.Open(t.Context(), "a")
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(r)
	return string(text), err
}

func missing(t *testing.T, s blobs.Store, name string) {
	t.Helper()
	_, _, err := s.Open(t.Context(), name)
	wantFault(t, err, blobs.ErrNotFound)
}

func wantFault(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

func wantNames(t *testing.T, s blobs.Store, want ...string) {
	t.Helper()
	var got []string
	if err := s.Walk(t.Context(), "", func(i blobs.Info) error { got = append(got, i.Name); return nil }); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
