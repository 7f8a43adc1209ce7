package interop_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/platen-render/platen/webhook"
)

// message is what both sides are asked about.
type message struct {
	ID        string `json:"id"`
	Timestamp int64  `json:"timestamp"`
	Signature string `json:"signature"`
	Body      string `json:"body"`
}

func (m message) header() http.Header {
	header := http.Header{}
	header.Set(webhook.HeaderID, m.ID)
	header.Set(webhook.HeaderTimestamp, strconv.FormatInt(m.Timestamp, 10))
	header.Set(webhook.HeaderSignature, m.Signature)
	return header
}

// library is an implementation of Standard Webhooks that is not ours. Secrets are in the spelling of [webhook.ParseSecret].
// An error says that it gave no answer.
type library interface {
	sign(secret string, m message) (signature string, err error)
	verify(secret string, m message) (accepted bool, err error)
}

// goLibrary is the one of the Standard Webhooks project for Go.
type goLibrary struct{}

func (goLibrary) sign(secret string, m message) (string, error) {
	wh, err := standardWebhook(secret)
	if err != nil {
		return "", err
	}
	return wh.Sign(m.ID, time.Unix(m.Timestamp, 0), []byte(m.Body))
}

func (goLibrary) verify(secret string, m message) (bool, error) {
	wh, err := standardWebhook(secret)
	if err != nil {
		return false, err
	}
	err = wh.Verify([]byte(m.Body), m.header())
	for _, refusal := range []error{standard.ErrNoMatchingSignature, standard.ErrMessageTooOld, standard.ErrMessageTooNew} {
		if errors.Is(err, refusal) {
			return false, nil
		}
	}
	return err == nil, err
}

func standardWebhook(secret string) (*standard.Webhook, error) {
	if strings.HasPrefix(secret, "whsec_") {
		return standard.NewWebhook(secret)
	}
	return standard.NewWebhookRaw([]byte(secret))
}
