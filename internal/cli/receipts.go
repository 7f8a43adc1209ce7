package cli

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
)

func receiptCommands() []Command {
	return []Command{
		{"get", "Print the receipt of a document", getReceipt},
		{"keys", "Print the public keys that verify receipts", printSigningKeys},
		{"check", "Look for documents that were removed", checkNumbers},
		{"rotate", "Give a tenant a new key to sign receipts with", rotateSigningKey},
	}
}

func getReceipt(ctx context.Context, env Env, args []string) error {
	f := env.flags("receipts get", "DOCUMENT", `
Prints the signed receipt of a document, as JSON and member for member as it was signed: keep it in a file. It says what was issued and what
made it, without any of the data, and outlives a purge.`)
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	receipt, err := c.ReceiptJSON(ctx, ids[0])
	if err != nil {
		return err
	}
	_, err = env.Stdout.Write(receipt)
	return err
}

func printSigningKeys(ctx context.Context, env Env, args []string) error {
	f := env.flags("receipts keys", "", `
Prints all public keys that ever signed receipts of the tenant, as JSON. Keep them where the server is not: with them and a receipt,
"platen verify" needs no server.`)
	asPEM := f.Bool("pem", false, "print them as OpenSSL reads them, the current one last")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	keys, err := c.SigningKeys(ctx)
	if err != nil {
		return err
	}
	if !*asPEM {
		return printJSON(env.Stdout, keys)
	}
	for _, k := range keys.Data {
		if err := env.printPEM(k); err != nil {
			return err
		}
	}
	return nil
}

func (env Env) printPEM(k api.SigningKey) error {
	raw, err := base64.StdEncoding.DecodeString(k.PublicKey)
	if err != nil {
		return fmt.Errorf("key %s: %w", line(k.KeyID), err)
	}
	text, err := receipts.PEM(ed25519.PublicKey(raw))
	if err != nil {
		return fmt.Errorf("key %s: %w", line(k.KeyID), err)
	}
	_, err = env.Stdout.Write(text)
	return err
}

var errMissing = errors.New("documents are missing: their records were removed, and not by a purge")

func checkNumbers(ctx context.Context, env Env, args []string) error {
	f := env.flags("receipts check", "", `
Goes through all issue numbers of the tenant, which have no gaps, and prints those whose documents are missing: their records were removed from
the store, and not by a purge. What it cannot see is that the last ones were removed and the count set back: keep the last number that it
prints, and compare.`)
	asJSON := f.json()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	missing, last := []api.IssuedNumber{}, int64(0)
	for n, err := range c.Numbers(ctx) {
		if err != nil {
			return err
		}
		last = n.IssueNumber
		if n.Status == api.NumberMissing {
			missing = append(missing, n)
		}
	}
	if *asJSON {
		err = printJSON(env.Stdout, missing)
	} else {
		err = env.printMissing(missing, last)
	}
	if err == nil && len(missing) > 0 {
		return errMissing
	}
	return err
}

func (env Env) printMissing(missing []api.IssuedNumber, last int64) error {
	_, _ = fmt.Fprintf(env.Stderr, "the last number is %d, %d are missing\n", last, len(missing))
	if len(missing) == 0 {
		return nil
	}
	rows := make([][]string, len(missing))
	for i, n := range missing {
		rows[i] = []string{strconv.FormatInt(n.IssueNumber, 10), dash(maybe(n.DocumentID))}
	}
	return printTable(env.Stdout, []string{"NUMBER", "DOCUMENT"}, rows)
}

func rotateSigningKey(ctx context.Context, env Env, args []string) error {
	f := env.flags("receipts rotate", "", `
Gives a tenant a new key, which signs the receipts of what is issued from now on. Those before it verify what they signed for ever. Needs
PLATEN_ADMIN_KEY.`)
	asJSON := f.json()
	tenant := f.String("tenant", "default", "the `NAME` of the tenant")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	made, err := c.RotateSigningKey(ctx, *tenant)
	if err != nil {
		return advise(err, *tenant)
	}
	if *asJSON {
		return printJSON(env.Stdout, made)
	}
	return printFields(env.Stdout, [][2]string{{"signing key", line(made.KeyID)}, {"public key", line(made.PublicKey)}, {"made", moment(made.CreatedAt)}})
}
