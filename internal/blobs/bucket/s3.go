package bucket

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	gcaws "gocloud.dev/aws"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
)

// openS3 opens a bucket like the library's own opener, which leaves the client's options to itself. Parameters that are not S3's are
// gocloud.dev/aws's.
func openS3(ctx context.Context, name string, query url.Values) (*blob.Bucket, error) {
	own := map[string]string{}
	for _, key := range []string{"use_path_style", "ssetype", "kmskeyid"} {
		own[key] = query.Get(key)
		query.Del(key)
	}
	pathStyle := query.Has("endpoint") // few servers have a host name for each bucket
	if own["use_path_style"] != "" {
		var err error
		if pathStyle, err = strconv.ParseBool(own["use_path_style"]); err != nil {
			return nil, fmt.Errorf("use_path_style: %w", err)
		}
	}
	cfg, err := gcaws.V2ConfigFromURLParams(ctx, query)
	if err != nil {
		return nil, err
	}
	client := s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.UsePathStyle = pathStyle
		o.DisableLogOutputChecksumValidationSkipped = true // not every server has checksums
	})
	return s3blob.OpenBucket(ctx, client, name, &s3blob.Options{
		EncryptionType: types.ServerSideEncryption(own["ssetype"]), KMSEncryptionID: own["kmskeyid"],
		RequestChecksumCalculation: cfg.RequestChecksumCalculation,
	})
}

// abortTimeout bounds the call that throws away the parts of an upload that failed.
const abortTimeout = 10 * time.Second

// beforeWrite lets an upload to S3 that was broken off still throw its parts away: by itself the library would try that under the
// context that has ended.
func (s *Store) beforeWrite(as func(any) bool) error {
	var manager *transfermanager.Client
	var client *s3.Client
	if !as(&manager) || !s.bucket.As(&client) {
		return nil // another provider
	}
	*manager = *transfermanager.New(client, func(o *transfermanager.Options) {
		o.PartSizeBytes, o.Concurrency, o.FailTimeout = partSize, parallel, abortTimeout
		o.RequestChecksumCalculation = client.Options().RequestChecksumCalculation
	})
	return nil
}

// sweepAge is how old an upload must be before nobody can still be at it.
const sweepAge = 24 * time.Hour

// Sweep throws away the parts that interrupted uploads left more than 24 hours ago, and says of how many uploads. Only S3 has
// such parts; other providers forget them by themselves.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	var client *s3.Client
	if !s.bucket.As(&client) {
		return 0, nil
	}
	n, err := s.sweep(ctx, client, time.Now().Add(-sweepAge))
	return n, classify(ctx, "sweep", err)
}

func (s *Store) sweep(ctx context.Context, client *s3.Client, before time.Time) (removed int, err error) {
	pages := s3.NewListMultipartUploadsPaginator(client, &s3.ListMultipartUploadsInput{
		Bucket: aws.String(s.place.name), Prefix: aws.String(s.place.folder),
	})
	for pages.HasMorePages() {
		page, err := s.uploads(ctx, pages)
		if err != nil {
			return removed, fmt.Errorf("list uploads: %w", err)
		}
		for _, upload := range page {
			if !aws.ToTime(upload.Initiated).Before(before) {
				continue
			}
			if err := s.abort(ctx, client, upload); err != nil {
				return removed, fmt.Errorf("abort an upload: %w", err)
			}
			removed++
		}
	}
	return removed, nil
}

func (s *Store) uploads(ctx context.Context, pages *s3.ListMultipartUploadsPaginator) ([]types.MultipartUpload, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	page, err := pages.NextPage(ctx)
	if err != nil {
		return nil, err
	}
	return page.Uploads, nil
}

func (s *Store) abort(ctx context.Context, client *s3.Client, upload types.MultipartUpload) error {
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	_, err := client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
		Bucket: aws.String(s.place.name), Key: upload.Key, UploadId: upload.UploadId,
	})
	return err
}
