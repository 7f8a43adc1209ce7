package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// Anybody who has the link that is printed on a document can ask here whether a copy of it is genuine. The link says nothing of the
// copy that it stands on, for links can be copied: until bytes were compared, the page promises nothing. It has no script and loads
// nothing.

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
	Host     string // where the documents are issued
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
		Altered: orNil(api.AlteredPart(f.Altered)), DocumentID: string(d.ID),
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
		return c.showPage(status, s.refusedPage(status, c.fault.Message))
	}
	return c.showPage(http.StatusOK, s.foundPage(found, c.Request().Method == http.MethodPost))
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

func (s *Server) refusedPage(status int, detail string) pageData {
	data := pageData{Host: s.host, Verdict: "wrong", Headline: "This could not be checked", Text: detail}
	if status == http.StatusNotFound {
		data.Headline = "No document has this address"
		data.Text = "Check that the address is exactly the one on your copy. If it is, your copy was not issued at " + s.host + "."
	}
	return data
}

// verdicts are what people are told of their file.
var verdicts = map[api.VerificationStatus][2]string{
	api.VerifiedGenuine: {"Genuine", "Your file is the document that was issued, byte for byte."},
	api.VerifiedPurged:  {"Genuine", "Your file is the document that was issued, byte for byte. The issuer no longer keeps a copy."},
	api.VerifiedAltered: {
		"Not what was issued",
		"Your file is not the document that was issued. A scan, a print to PDF and a file that was saved anew are other files, too: ask for the original.",
	},
}

func (s *Server) foundPage(f *api.PublicVerification, asked bool) pageData {
	data := pageData{
		Facts: f, Host: s.host, Asked: asked, Headline: "Is your copy what was issued?",
		Text: "A document was issued with this address. Whether your copy is that document shows only when the file is compared.",
		Rows: s.factRows(f),
	}
	switch {
	case f.Status == nil && f.PurgedAt != nil:
		data.Text = "A document was issued with this address. The issuer no longer keeps a copy of this document. Your copy can still be compared."
	case f.Status == nil:
	case f.Altered != nil && *f.Altered != api.AlteredBytes:
		data.Verdict, data.Headline = string(api.VerifiedAltered), "The record was changed"
		data.Text = "What is kept of this document is not what was signed when it was issued. Ask the issuer."
	default:
		data.Verdict, data.Headline, data.Text = string(*f.Status), verdicts[*f.Status][0], verdicts[*f.Status][1]
	}
	return data
}

// factRows are what anybody may know. The document key is not among them: it may tell of the customer.
func (s *Server) factRows(f *api.PublicVerification) [][2]string {
	rows := [][2]string{{"Issued at", s.host}, {"Issued on", spelled(f.IssuedAt)}}
	if f.PurgedAt != nil {
		rows = append(rows, [2]string{"Kept until", spelled(*f.PurgedAt)})
	}
	pages := "1 page"
	if f.Pages != 1 {
		pages = grouped(int64(f.Pages)) + " pages"
	}
	bytes := "1 byte"
	if f.Bytes != 1 {
		bytes = grouped(f.Bytes) + " bytes"
	}
	rows = append(rows, [2]string{"Size", pages + ", " + bytes}, [2]string{"Identity", f.DocumentID})
	if f.Key != nil {
		rows = append(rows, [2]string{"Signed with", "Ed25519 key " + f.Key.KeyID})
	}
	return append(rows, [2]string{"SHA-256", f.SHA256})
}

func spelled(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05 UTC") }

// grouped is a number that is not negative, with commas between thousands, as the page is in English.
func grouped(n int64) string {
	const thousand = 1000
	if n < thousand {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/thousand), n%thousand)
}
