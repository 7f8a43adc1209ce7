// Package bucket keeps blobs in a bucket: Amazon S3 and what speaks its protocol, Google Cloud Storage, Azure Blob
// Storage. It is the only package that knows their libraries.
//
// What a bucket promises is less than what a file system does, so three things are done about it. A write says that it makes and does not
// replace (If-None-Match), which the server decides. What was written is read back and its hash compared, since a server may
// take bytes and give others. And nothing waits for ever: calls have a limit, and transfers that stand still are broken off.
package bucket

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"gocloud.dev/blob"
	// Both make their schemes known to blob.OpenBucket.
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"

	"github.com/platen-render/platen/internal/blobs"
)

// limits bound what is done.
type limits struct {
	call  time.Duration // one call that moves no blob
	stall time.Duration // a transfer in which nothing moves
	put   time.Duration // all of a Put, the read-back included
}

func defaults() limits { return limits{call: time.Minute, stall: time.Minute, put: 15 * time.Minute} }

// Store keeps each blob as an object of its own. [Open] makes one, and [Store.Prepare] comes first. All methods are
// safe for use by several goroutines, but for Prepare.
type Store struct {
	bucket *blob.Bucket
	signer *blob.Bucket // the same bucket under the address that others know it by
	place  place
	limits limits
	// blind says that the server replaces what it was asked not to, so that a look comes before each write.
	blind bool
}

// Options say which bucket.
type Options struct {
	// URL is s3://, gs:// or azblob://, the name of the bucket, and a folder in it that is optional. Its query is for the library:
	// region, endpoint and so on. Credentials come from where the provider's own tools find them, never from here.
	URL string
	// PublicEndpoint is where those find an S3 server who get a link to a blob; "" is where we do.
	PublicEndpoint string
}

// IsURL reports whether text names a bucket and not a folder.
func IsURL(text string) bool { return strings.Contains(text, "://") }

// Open makes a store. It does not ask the bucket anything yet. The caller closes it.
func Open(ctx context.Context, o Options) (*Store, error) {
	p, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	s := &Store{place: p, limits: defaults()}
	if s.bucket, err = p.open(ctx); err != nil {
		return nil, err
	}
	s.signer = s.bucket
	if o.PublicEndpoint == "" {
		return s, nil
	}
	public, err := p.at(o.PublicEndpoint)
	if err == nil {
		s.signer, err = public.open(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.bucket.Close())
	}
	return s, nil
}

// Check finds what is wrong with options without opening anything.
func Check(o Options) error {
	p, err := parse(o.URL)
	if err == nil && o.PublicEndpoint != "" {
		_, err = p.at(o.PublicEndpoint)
	}
	return err
}

// Close gives back what the store holds.
func (s *Store) Close() error {
	err := s.bucket.Close()
	if s.signer != s.bucket {
		err = errors.Join(err, s.signer.Close())
	}
	return err
}

// String names the bucket and the folder in it, for logs.
func (s *Store) String() string { return s.place.String() }

// Schemes of the providers.
const (
	schemeS3    = "s3"
	schemeGCS   = "gs"
	schemeAzure = "azblob"
)

// place is where blobs lie: a bucket, and what the keys of all objects begin with.
type place struct {
	scheme, name string
	folder       string // "" or with a slash at its end
	query        url.Values
}

var errURL = errors.New("want a folder, or an address such as s3://bucket/folder?region=eu-central-1")

func parse(text string) (place, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Fragment != "" {
		return place{}, errURL
	}
	if u.User != nil {
		return place{}, errors.New("credentials do not belong in the address: the provider's own variables and files are read")
	}
	p := place{scheme: u.Scheme, name: u.Host, query: u.Query()}
	if folder := strings.Trim(u.Path, "/"); folder != "" {
		if err := blobs.CheckName(folder); err != nil {
			return place{}, fmt.Errorf("the folder in the bucket: %w", err)
		}
		p.folder = folder + "/"
	}
	for _, other := range []string{"prefix", "key"} {
		if p.query.Has(other) {
			return place{}, fmt.Errorf("there is no %q: the folder in the bucket stands behind its name", other)
		}
	}
	if p.scheme != schemeS3 && p.scheme != schemeGCS && p.scheme != schemeAzure {
		return place{}, errURL
	}
	return p, nil
}

// at is the same place under another address of the server.
func (p place) at(endpoint string) (place, error) {
	u, err := url.Parse(endpoint)
	if p.scheme != schemeS3 || err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return place{}, errors.New("want an address such as https://documents.example.com, for a bucket s3://")
	}
	p.query = maps.Clone(p.query)
	p.query.Set("endpoint", endpoint)
	return p, nil
}

func (p place) open(ctx context.Context) (b *blob.Bucket, err error) {
	if p.scheme == schemeS3 {
		b, err = openS3(ctx, p.name, maps.Clone(p.query))
	} else {
		b, err = blob.OpenBucket(ctx, (&url.URL{Scheme: p.scheme, Host: p.name, RawQuery: p.query.Encode()}).String())
	}
	if err != nil {
		return nil, fmt.Errorf("open the bucket: %w", err)
	}
	if p.folder != "" {
		b = blob.PrefixedBucket(b, p.folder)
	}
	return b, nil
}

func (p place) String() string { return p.scheme + "://" + p.name + "/" + p.folder }
