package bucket

import (
	"context"
	"errors"
	"net/url"
	"time"

	"cloud.google.com/go/storage"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/platen-render/platen/internal/blobs"
)

// Link describes an address that gives the bytes of one blob to whoever has it, for a while.
type Link struct {
	Expires time.Duration
	// ContentType, Disposition and CacheControl are headers of the answer.
	ContentType, Disposition, CacheControl string
}

// ErrNoLink says that this store cannot make such addresses: Azure's would give the blob without its file name, and Google's need a key
// or the right to sign.
var ErrNoLink = errors.New("the storage makes no links")

// Link makes the address. It does not look whether there is such a blob, nor ask the bucket anything, but a provider that signs
// for us may be asked.
func (s *Store) Link(ctx context.Context, name string, l Link) (string, error) {
	if err := blobs.CheckName(name); err != nil {
		return "", err
	}
	if s.place.scheme == schemeAzure {
		return "", ErrNoLink
	}
	call, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	address, err := s.signer.SignedURL(call, name, &blob.SignedURLOptions{Expiry: l.Expires, BeforeSign: l.sign})
	if gcerrors.Code(err) == gcerrors.Unimplemented {
		return "", ErrNoLink
	}
	return address, classify(ctx, "link", err)
}

// sign puts the headers into what is signed.
func (l Link) sign(as func(any) bool) error {
	var in *s3.GetObjectInput
	if as(&in) {
		in.ResponseContentType, in.ResponseContentDisposition = aws.String(l.ContentType), aws.String(l.Disposition)
		in.ResponseCacheControl = aws.String(l.CacheControl)
		return nil
	}
	var o *storage.SignedURLOptions
	if as(&o) {
		o.Scheme = storage.SigningSchemeV4
		o.QueryParameters = url.Values{
			"response-content-type": {l.ContentType}, "response-content-disposition": {l.Disposition}, "response-cache-control": {l.CacheControl},
		}
	}
	return nil
}
