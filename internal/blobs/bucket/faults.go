package bucket

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	"google.golang.org/api/googleapi"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/fault"
)

// sourceError is an error of the reader or the visitor that a method was given: it says nothing about the storage.
type sourceError struct{ error }

func (e sourceError) Unwrap() error { return e.error }

// classify makes a fault of an error of a provider. Faults, errors of the caller's reader or visitor and the end of the caller's
// context pass. That of a context of our own is a limit that was reached.
func classify(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if source, ok := errors.AsType[sourceError](err); ok {
		return fmt.Errorf("%s: %w", op, source)
	}
	if ended := ctx.Err(); ended != nil {
		return fmt.Errorf("%s: %w", op, ended)
	}
	err = fmt.Errorf("%s: %w", op, err)
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	if isFull(err) {
		return blobs.ErrFull.Because(err)
	}
	return blobs.ErrUnavailable.Because(err)
}

// fullCodes are what servers that speak the protocol of S3 call it when there is no room.
var fullCodes = []string{"QuotaExceeded", "InsufficientStorage", "XMinioStorageFull", "StorageFull", "EntityTooLarge.Quota"}

func isFull(err error) bool {
	api, ok := errors.AsType[smithy.APIError](err)
	return ok && slices.Contains(fullCodes, api.ErrorCode()) || statusOf(err) == http.StatusInsufficientStorage
}

// statusOf is the status of the answer that an error comes from, or 0.
func statusOf(err error) int {
	if e, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return e.HTTPStatusCode()
	}
	if e, ok := errors.AsType[*googleapi.Error](err); ok {
		return e.Code
	}
	if e, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return e.StatusCode
	}
	return 0
}
