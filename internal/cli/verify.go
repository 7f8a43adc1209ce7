package cli

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/strictjson"
)

const verifyText = `
Says whether FILE is a document that was issued: genuine, altered, purged (genuine, and purged by its issuer since) or unknown. "-" is the
standard input. The exit status is 0 for genuine and purged, 1 for all else.

With --receipt and --key nothing is asked of any server: FILE is compared with the receipt, and the receipt with its signature. The key must
not come with the receipt, or the receipt vouches for itself. Otherwise the server is asked, by the bytes alone or, with --document,
about that document.`

// maxReceipt bounds what is read for a receipt, or for keys.
const maxReceipt = 16 << 20

var errNotGenuine = errors.New("the file is not a genuine document")

func verifyFile(ctx context.Context, env Env, args []string) error {
	f := env.flags("verify", "FILE", verifyText)
	asJSON := f.json()
	receipt := f.String("receipt", "", "the receipt, a `FILE` as \"platen receipts get\" prints it")
	key := f.String("key", "", "the public keys, a `FILE` as \"platen receipts keys\" prints it, or PEM, or the base64 of one key")
	document := f.String("document", "", "the `ID` of the document that FILE should be")
	files, err := f.parse(args, 1, 1)
	switch {
	case err != nil:
		return err
	case (*receipt == "") != (*key == ""):
		return f.usage("--receipt and --key belong together")
	case *receipt != "" && *document != "":
		return f.usage("--document asks a server; with --receipt none is asked")
	}
	content, err := env.content(files[0])
	if err != nil {
		return err
	}
	var found api.Verification
	if *receipt != "" {
		found, err = env.verifyOffline(content, *receipt, *key)
	} else {
		found, err = env.verifyOnline(ctx, content, *document)
	}
	if err != nil {
		return err
	}
	if *asJSON {
		err = printJSON(env.Stdout, found)
	} else {
		err = printVerification(env.Stdout, found)
	}
	if err == nil && found.Status != api.VerifiedGenuine && found.Status != api.VerifiedPurged {
		return errNotGenuine
	}
	return err
}

// content reads a file, or the standard input.
func (env Env) content(file string) ([]byte, error) {
	if file != stdStream {
		return os.ReadFile(file) //nolint:gosec // the user names it
	}
	content, err := io.ReadAll(env.Stdin)
	if err != nil {
		return nil, fmt.Errorf("read the standard input: %w", err)
	}
	return content, nil
}

func (env Env) verifyOnline(ctx context.Context, content []byte, document string) (api.Verification, error) {
	c, err := env.client()
	if err != nil {
		return api.Verification{}, err
	}
	if document != "" {
		return c.VerifyDocument(ctx, document, content)
	}
	return c.Verify(ctx, content)
}

// verifyOffline compares bytes with a receipt, and that with its signature.
func (env Env) verifyOffline(content []byte, receiptFile, keyFile string) (api.Verification, error) {
	sum := sha256.Sum256(content)
	found := api.Verification{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(content))}
	text, err := readSmall(keyFile)
	if err != nil {
		return found, err
	}
	keys, err := receipts.ParseKeys(text)
	if err != nil {
		return found, fmt.Errorf("%s: %w", keyFile, err)
	}
	signed, says, err := readReceipt(receiptFile)
	if err != nil {
		return found, err
	}
	d := api.VerifiedDocument{DocumentID: says.DocumentID, Status: api.VerifiedGenuine}
	altered := alteredPart(signed, says, keys, found.SHA256)
	if altered != "" {
		d.Status, d.Altered = api.VerifiedAltered, &altered
	}
	if altered == "" || altered == api.AlteredBytes { // what nobody has signed is not repeated
		d.Receipt = &api.SignedReceipt{Receipt: says, Signature: signed.Signature}
	}
	found.Status, found.Documents = d.Status, []api.VerifiedDocument{d}
	return found, nil
}

// alteredPart names what is not as it was signed, or is "". Whether a receipt or its signature was changed shows only when the
// signature is none.
func alteredPart(signed receipts.Signed, says api.Receipt, keys receipts.Keys, sum string) api.AlteredPart {
	value, err := base64.StdEncoding.DecodeString(signed.Signature.Value)
	const size = 64 // of a signature
	_, known := keys[signed.Signature.KeyID]
	switch {
	case !known || err != nil || len(value) != size || signed.Signature.Algorithm != receipts.Algorithm:
		return api.AlteredSignature
	case !keys.Verify(signed):
		return api.AlteredReceipt
	case says.SHA256 != sum:
		return api.AlteredBytes
	}
	return ""
}

// readReceipt reads a receipt, strictly: what is read twice must be read the same.
func readReceipt(file string) (receipts.Signed, api.Receipt, error) {
	var signed receipts.Signed
	text, err := readSmall(file)
	if err != nil {
		return signed, api.Receipt{}, err
	}
	if err := strictjson.Source("The receipt").Check(text); err != nil {
		return signed, api.Receipt{}, fmt.Errorf("%s: %w", file, err)
	}
	if err := json.Unmarshal(text, &signed); err != nil {
		return signed, api.Receipt{}, fmt.Errorf("%s is not a receipt: %w", file, err)
	}
	says, err := signed.Says()
	if err == nil && (says.Version == 0 || signed.Signature.Value == "") {
		err = errors.New("want the JSON of GET /documents/{id}/receipt")
	}
	if err != nil {
		return signed, says, fmt.Errorf("%s is not a receipt: %w", file, err)
	}
	return signed, says, nil
}

func readSmall(file string) ([]byte, error) {
	f, err := os.Open(file) //nolint:gosec // the user names it
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, maxReceipt))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return text, nil
}

// alterations are what people are told.
var alterations = map[api.AlteredPart]string{
	api.AlteredBytes:     "the file is not the document of this receipt",
	api.AlteredReceipt:   "the receipt is not what was signed",
	api.AlteredSignature: "none of the keys made the signature of the receipt",
}

// printVerification writes the verdict, what the file is, and then what was issued: one of them is not the other when it is altered.
func printVerification(w io.Writer, found api.Verification) error {
	if _, err := fmt.Fprintln(w, found.Status); err != nil {
		return err
	}
	fields := [][2]string{{"file sha256", line(found.SHA256)}, {"file size", fmt.Sprintf("%d bytes", found.Bytes)}}
	for _, d := range found.Documents {
		fields = append(fields, verifiedFields(d, len(found.Documents) > 1)...)
	}
	return printFields(w, fields)
}

// verifiedFields are one document of those that were found. Each of several has a verdict of its own.
func verifiedFields(d api.VerifiedDocument, several bool) [][2]string {
	var fields [][2]string
	if d.Altered != nil {
		fields = append(fields, [2]string{"altered", string(*d.Altered) + ": " + alterations[*d.Altered]})
	}
	fields = append(fields, [2]string{"document", line(d.DocumentID)})
	if several {
		fields = append(fields, [2]string{"status", string(d.Status)})
	}
	if d.Receipt != nil {
		fields = append(fields, receiptFields(*d.Receipt)...)
	}
	return fields
}

// receiptFields are what a receipt says, for people.
func receiptFields(signed api.SignedReceipt) [][2]string {
	r := signed.Receipt
	fields := [][2]string{
		{"document key", maybe(r.DocumentKey)},
		{"tenant", line(r.Tenant)},
		{"number", strconv.FormatInt(r.IssueNumber, 10)},
		{"issued", moment(r.IssuedAt)},
		{"issued sha256", line(r.SHA256)},
		{"issued size", fmt.Sprintf("%d bytes, %s, %s", r.Bytes, count(r.Pages, "page"), line(r.ContentType))},
		{"engine", line(r.Engine.Name + " " + r.Engine.Version)},
	}
	if t := r.Template; t != nil {
		fields = append(fields, [2]string{"template", fmt.Sprintf("%s, version %d", line(t.Name), t.Version)})
	}
	return append(fields, [2]string{"data sha256", maybe(r.DataSHA256)}, [2]string{"signed by", line(signed.Signature.KeyID)})
}
