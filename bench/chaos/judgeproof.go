package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/receipts"
)

// judgeReceipts asks for the receipt of every issued document, as its owner does, and checks that it is signed and says what was issued.
func (in *installation) judgeReceipts(ctx context.Context, l ledger) error {
	for _, t := range in.tenants {
		server := t.servers[0]
		listed, err := server.SigningKeys(ctx)
		if err != nil {
			return fmt.Errorf("signing keys of %s: %w", t.name, err)
		}
		text, err := json.Marshal(listed)
		if err != nil {
			return err
		}
		keys, err := receipts.ParseKeys(text)
		if err != nil {
			return fmt.Errorf("signing keys of %s: %w", t.name, err)
		}
		for number, id := range l.numbers[t.name] {
			if err := in.judgeReceipt(ctx, server, keys, number, id); err != nil {
				in.report.broken(&in.report.NotProved, "document %s: %v", id, err)
			}
		}
	}
	return nil
}

var errReceipt = errors.New("the receipt says something else")

func (in *installation) judgeReceipt(ctx context.Context, server *client.Client, keys receipts.Keys, number int64, id jobs.ID) error {
	raw, err := server.ReceiptJSON(ctx, string(id))
	if err != nil {
		return err
	}
	var signed receipts.Signed
	if err := json.Unmarshal(raw, &signed); err != nil {
		return fmt.Errorf("read the receipt: %w", err)
	}
	says, err := signed.Says()
	if err != nil {
		return err
	}
	d, err := in.store.Document(ctx, id)
	if err != nil {
		return err
	}
	if !keys.Verify(signed) || says.IssueNumber != number || says.DocumentID != string(id) || says.SHA256 != d.Result.SHA256 {
		return fmt.Errorf("%w: %s", errReceipt, raw)
	}
	return nil
}

// judgeTemplates checks that nothing needs a template any more, now that every job has ended: that it could be deleted.
func (in *installation) judgeTemplates(ctx context.Context) error {
	for _, t := range in.tenants {
		v, err := in.store.Version(ctx, jobs.Item{Tenant: t.name, Shelf: jobs.TemplateShelf, Name: templateName}, 0)
		if errors.Is(err, jobs.ErrTemplateNotFound) {
			continue // its customer never got through
		}
		if err != nil {
			return err
		}
		if v.Uses != 0 {
			in.report.broken(&in.report.Stuck, "the template of %s is held by %d jobs that have ended", t.name, v.Uses)
		}
	}
	return nil
}
