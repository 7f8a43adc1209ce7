package bucket_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/s3test"
)

// on is a rule for requests with a method to keys with a part, the first n of them.
func on(method, part string, n int64, f s3test.Fault) s3test.Rule {
	var met atomic.Int64
	return func(r *http.Request) s3test.Fault {
		if r.Method != method || !strings.Contains(r.URL.RequestURI(), part) || met.Add(1) > n {
			return s3test.Fault{}
		}
		return f
	}
}

const always = 1 << 30

// bytesOf are n bytes that no server can guess.
func bytesOf(n int64) io.Reader {
	return io.LimitReader(rand.NewChaCha8([32]byte{1}), n)
}

func TestABurstOfRefusalsIsSatOut(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "burst"))
	for _, fault := range []s3test.Fault{{Status: 503, Code: "SlowDown"}, {Status: 500, Code: "InternalError"}, {CutRequest: 1}, {Hide: true}} {
		name := "a/x" + fault.Code
		server.Break(on(http.MethodPut, "/a/", 2, fault))
		if _, err := s.Put(t.Context(), name, strings.NewReader("bytes")); err != nil {
			t.Errorf("%+v: %v", fault, err)
		}
		server.Break(nil)
		if err := s.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAServerThatRefusesForLongIsUnavailable(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "refusing"))
	put(t, s, "there")
	for want, f := range map[error]s3test.Fault{
		blobs.ErrUnavailable: {Status: 503, Code: "SlowDown"}, blobs.ErrFull: {Status: 507, Code: "InsufficientStorage"},
	} {
		server.Break(on(http.MethodPut, "", always, f))
		_, err := s.Put(t.Context(), "a", strings.NewReader("bytes"))
		wantFault(t, err, want)
		wantFault(t, s.Probe(t.Context()), want)
	}
	server.Break(func(*http.Request) s3test.Fault { return s3test.Fault{Status: 403, Code: "AccessDenied"} })
	_, _, openErr := s.Open(t.Context(), "there")
	for op, err := range map[string]error{
		"open": openErr, "delete": s.Delete(t.Context(), "there"), "delete prefix": s.DeletePrefix(t.Context(), "there"),
		"walk": s.Walk(t.Context(), "", func(blobs.Info) error { return nil }), "probe": s.Probe(t.Context()),
	} {
		if !errors.Is(err, blobs.ErrUnavailable) {
			t.Errorf("%s: %v", op, err)
		}
	}
	server.Break(nil)
	wantNames(t, s, "there")
}

// The server has done what it was asked, and nobody hears of it: the library asks again and is refused, by what it did itself.
func TestAnAnswerThatIsLostIsNoConflict(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "lost"))
	server.Break(on(http.MethodPut, "/a", 1, s3test.Fault{Hide: true}))
	if _, err := s.Put(t.Context(), "a", strings.NewReader("bytes")); err != nil {
		t.Error(err)
	}
	server.Break(on(http.MethodPost, "uploadId", 1, s3test.Fault{Hide: true})) // the end of an upload in parts
	if _, err := s.Put(t.Context(), "b", bytesOf(3*s3PartSize)); err != nil && !errors.Is(err, blobs.ErrUnavailable) {
		t.Error(err)
	}
	server.Break(nil)
	if _, err := s.Put(t.Context(), "b", bytesOf(3*s3PartSize)); err != nil {
		t.Errorf("again: %v", err)
	}
}

func TestBytesThatComeBackOthersAreNotKept(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "altered"))
	server.Break(on(http.MethodGet, "/a", 1, s3test.Fault{Alter: true}))
	_, err := s.Put(t.Context(), "a", strings.NewReader("bytes"))
	wantFault(t, err, blobs.ErrUnavailable)
	if !fault.Retryable(err) || !strings.Contains(err.Error(), "other bytes") {
		t.Errorf("%v", err)
	}
	if _, err := s.Put(t.Context(), "a", strings.NewReader("bytes")); err != nil { // the bytes were right all the time
		t.Error(err)
	}
}

func TestAReadGoesOnWhereItBrokeOff(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "resumed"))
	put(t, s, "b")
	text := strings.Repeat("0123456789", 100_000)
	if _, err := s.Put(t.Context(), "a", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	server.Break(on(http.MethodGet, "/a", always, s3test.Fault{CutAnswer: 300_001}))
	if got, err := readAll(t, s); err != nil || got != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	server.Break(on(http.MethodGet, "/a", always, s3test.Fault{Status: 404, Code: "NoSuchKey"}))
	got, err := readAll(t, s)
	wantFault(t, err, blobs.ErrUnavailable)
	if got != "" {
		t.Errorf("%d bytes of a blob that is gone", len(got))
	}
}

func TestAnUploadThatIsCutLeavesNothingToSee(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "cut"))
	for name, rule := range map[string]s3test.Rule{
		"small": on(http.MethodPut, "/a", always, s3test.Fault{CutRequest: 2}), "a part": on(http.MethodPut, "partNumber=2", always, s3test.Fault{CutRequest: 1 << 20}),
		"the end": on(http.MethodPost, "uploadId", always, s3test.Fault{Status: 500, Code: "InternalError"}),
	} {
		size := int64(3 * s3PartSize)
		if name == "small" {
			size = 10
		}
		server.Break(rule)
		_, err := s.Put(t.Context(), "a", bytesOf(size))
		wantFault(t, err, blobs.ErrUnavailable)
		server.Break(nil)
		missing(t, s, "a")
		wantNames(t, s)
	}
	if n, err := s.SweepBefore(t.Context(), time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("%d uploads were left, %v", n, err)
	}
}

// A process that dies leaves parts: the broken abort stands for it.
func TestPartsThatWereLeftAreSwept(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	url := server.Bucket(t, "parts")
	s := open(t, url)
	other := open(t, strings.Replace(url, "s3://parts", "s3://parts/folder", 1))
	server.Break(func(r *http.Request) s3test.Fault {
		if r.Method == http.MethodDelete || r.Method == http.MethodPost && strings.Contains(r.URL.RawQuery, "uploadId") {
			return s3test.Fault{Status: 403, Code: "AccessDenied"}
		}
		return s3test.Fault{}
	})
	for _, one := range []blobs.Store{s, other} {
		_, err := one.Put(t.Context(), "a", bytesOf(3*s3PartSize))
		wantFault(t, err, blobs.ErrUnavailable)
		missing(t, one, "a")
	}
	server.Break(nil)
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("swept %d that somebody may be at, %v", n, err)
	}
	if n, err := other.SweepBefore(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("swept %d of the folder, %v", n, err)
	}
	if n, err := s.SweepBefore(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
}

func TestASlowServerIsWaitedForAndADeadOneIsNot(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "slow"))
	slow := func(*http.Request) s3test.Fault {
		return s3test.Fault{Before: s3test.Slow(t.Context(), 50*time.Millisecond)}
	}
	server.Break(slow)
	put(t, s, "a")
	if got, err := readAll(t, s); err != nil || got != "a" {
		t.Errorf("%q, %v", got, err)
	}

	s.Impatient(200 * time.Millisecond)
	server.Break(func(*http.Request) s3test.Fault { return s3test.Fault{Before: s3test.Slow(t.Context(), time.Minute)} })
	began := time.Now()
	_, putErr := s.Put(t.Context(), "b", strings.NewReader("b"))
	_, _, openErr := s.Open(t.Context(), "a")
	for op, err := range map[string]error{"put": putErr, "open": openErr, "probe": s.Probe(t.Context())} {
		if !errors.Is(err, blobs.ErrUnavailable) {
			t.Errorf("%s: %v", op, err)
		}
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("waited %v", d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Delete(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, blobs.ErrUnavailable) {
		t.Errorf("a caller that gave up: %v", err)
	}
}

// Documents of 100 MB must not be in memory. The test is alone, since the heap is everybody's.
func TestALargeBlobIsStreamed(t *testing.T) {
	server := s3test.Start(t)
	s := open(t, server.Bucket(t, "large"))
	const size = 100 << 20
	var peak atomic.Uint64
	info, err := s.Put(t.Context(), "a", &metered{bytesOf(size), &peak})
	if err != nil || info.Size != size {
		t.Fatalf("%+v, %v", info, err)
	}
	if limit := uint64(96 << 20); peak.Load() > limit { // of which a good half is what this package says, the rest garbage
		t.Errorf("the heap grew to %d MB", peak.Load()>>20)
	}
	t.Logf("%d MB of heap at most for %d MB", peak.Load()>>20, size>>20)
}

// metered looks at the heap now and then.
type metered struct {
	io.Reader
	peak *atomic.Uint64
}

func (m *metered) Read(p []byte) (int, error) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	m.peak.Store(max(m.peak.Load(), now.HeapAlloc))
	return m.Reader.Read(p[:min(len(p), 1<<20)])
}
