package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// Anybody who has the link that is printed on a document can ask here whether a copy of it is genuine. The page has no script and
// loads nothing.

//go:embed verify.html
var verifyHTML string

//go:embed verify.css
var verifyCSS string

var (
	verifyPage = template.Must(template.New("verify").Parse(verifyHTML))
	// verifyPolicy allows the page its own style, its own form, and nothing else (Content Security Policy Level 3).
	verifyPolicy = "default-src 'none'; style-src 'sha256-" + hashOf(verifyCSS) + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// pageData is what the page shows: a document, or what is wrong.
type pageData struct {
	Style    template.CSS
	Facts    *api.PublicVerification
	Asked    bool   // bytes came
	Verdict  string // a word for the style: "", genuine, altered, purged or wrong
	Headline string
	Text     string
	Rows     [][2]string
}

// getVerifyPage shows what is known of a document, and a form.
func (s *Server) getVerifyPage(c *call) error {
	return s.answerPublic(c, func() (*api.PublicVerification, error) {
		d, err := s.linkedByCode(c)
		if err != nil {
			return nil, err
		}
		return s.publicFound(c, d, "")
	})
}

// postVerifyPage compares a file with the document.
func (s *Server) postVerifyPage(c *call) error {
	return s.answerPublic(c, func() (*api.PublicVerification, error) {
		d, err := s.linkedByCode(c) // before the bytes are read
		if err != nil {
			return nil, err
		}
		body, err := s.hashBody(c)
		if err != nil {
			return nil, err
		}
		return s.publicFound(c, d, body.sha256)
	})
}

// linkedByCode is the document of a verification link. A wrong code, a document that is not there and one that was never issued are
// the same.
func (s *Server) linkedByCode(c *call) (jobs.Document, error) {
	id, err := c.id(jobs.KindDocument, jobs.ErrDocumentNotFound)
	if err != nil {
		return jobs.Document{}, err
	}
	d, err := s.service.Store.Document(c.Request().Context(), id)
	if err != nil {
		return jobs.Document{}, err
	}
	valid, err := s.signer.CheckCode(c.Request().Context(), d, c.QueryParam("code"))
	if err == nil && (!valid || d.Result == nil) {
		err = jobs.ErrDocumentNotFound
	}
	return d, err
}

func (s *Server) publicFound(c *call, d jobs.Document, sha256 string) (*api.PublicVerification, error) {
	ctx, cancel := c.lasting()
	defer cancel()
	f, err := s.signer.Compare(ctx, d, sha256)
	if err != nil {
		return nil, err
	}
	shown := &api.PublicVerification{
		Altered: orNil(api.AlteredPart(f.Altered)), DocumentID: string(d.ID), DocumentKey: orNil(d.Key),
		IssuedAt: d.Issued.UTC(), PurgedAt: timeOrNil(d.PurgedAt),
		SHA256: d.Result.SHA256, Bytes: d.Result.Bytes, Pages: d.Result.Pages, ContentType: d.Result.ContentType,
	}
	if f.Key.ID != "" {
		shown.Key = orNil(signingKey(f.Key))
	}
	if sha256 != "" || f.Status == jobs.Altered {
		shown.Status = orNil(api.VerificationStatus(f.Status))
	}
	return shown, nil
}

// answerPublic answers as a page, or as JSON when that is asked for.
func (s *Server) answerPublic(c *call, find func() (*api.PublicVerification, error)) error {
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is what opens the page
	c.Response().Header().Set("X-Robots-Tag", "noindex")
	found, err := find()
	if !wantsPage(c.Request().Header) {
		if err != nil {
			return err
		}
		return c.respond(http.StatusOK, found)
	}
	if err != nil {
		c.fault = asFault(err)
		status := statusOf(c.fault)
		c.explain(status)
		return c.showPage(status, refusedPage(status, c.fault.Message))
	}
	return c.showPage(http.StatusOK, foundPage(found, c.Request().Method == http.MethodPost))
}

// wantsPage reports whether a page is wanted: by all who do not ask for JSON alone.
func wantsPage(header http.Header) bool {
	accept := strings.ToLower(strings.Join(header.Values(echo.HeaderAccept), ","))
	return strings.Contains(accept, "text/html") || !strings.Contains(accept, "json")
}

func (c *call) showPage(status int, data pageData) error {
	data.Style = template.CSS(verifyCSS) //nolint:gosec // it is ours
	var page bytes.Buffer
	if err := verifyPage.Execute(&page, data); err != nil {
		return fmt.Errorf("verification page: %w", err)
	}
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, verifyPolicy)
	return c.Blob(status, echo.MIMETextHTMLCharsetUTF8, page.Bytes())
}

func refusedPage(status int, detail string) pageData {
	if status == http.StatusNotFound {
		return pageData{
			Verdict: "wrong", Headline: "There is no such document here",
			Text: "Check that the address is exactly the one that is printed on your copy. If it is, the document was not issued here.",
		}
	}
	return pageData{Verdict: "wrong", Headline: "This could not be checked", Text: detail}
}

// verdicts are what people are told.
var verdicts = map[api.VerificationStatus][2]string{
	api.VerifiedGenuine: {"Genuine", "Your file is the document that was issued, byte for byte."},
	api.VerifiedPurged:  {"Genuine, and withdrawn since", "Your file is the document that was issued, byte for byte. The issuer no longer keeps it."},
	api.VerifiedAltered: {"Not what was issued", "Your file is not the document that was issued. A scan, a print to PDF or a file that was saved anew is another file as well."},
}

func foundPage(f *api.PublicVerification, asked bool) pageData {
	data := pageData{
		Facts: f, Asked: asked, Headline: "This document was issued here",
		Text: "Choose your copy to find out whether it is the document that was issued, unchanged.",
		Rows: factRows(f),
	}
	if f.Status == nil {
		return data
	}
	data.Verdict = string(*f.Status)
	data.Headline, data.Text = verdicts[*f.Status][0], verdicts[*f.Status][1]
	if f.Altered != nil && *f.Altered != api.AlteredBytes {
		data.Headline, data.Text = "The record was changed", "What is kept of this document is not what was signed when it was issued. Ask the issuer."
	}
	return data
}

func factRows(f *api.PublicVerification) [][2]string {
	rows := [][2]string{{"Issued", spelled(f.IssuedAt)}}
	if f.DocumentKey != nil {
		rows = append([][2]string{{"Document", *f.DocumentKey}}, rows...)
	}
	if f.PurgedAt != nil {
		rows = append(rows, [2]string{"Withdrawn", spelled(*f.PurgedAt)})
	}
	size := fmt.Sprintf("%d bytes", f.Bytes)
	if f.Pages == 1 {
		size = "1 page, " + size
	} else {
		size = fmt.Sprintf("%d pages, %s", f.Pages, size)
	}
	rows = append(rows, [2]string{"Size", size}, [2]string{"Identity", f.DocumentID})
	if f.Key != nil {
		rows = append(rows, [2]string{"Signed with", "Ed25519 key " + f.Key.KeyID})
	}
	return rows
}

func spelled(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05 UTC") }
