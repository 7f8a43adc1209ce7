package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/urlguard"
)

// badBodies are requests for a document that must be refused, each with what its problem must say.
var badBodies = []struct {
	name    string
	body    option
	status  int
	code    api.ErrorCode
	pointer string // of the first error; "-" for none
	detail  string // part of the detail
}{
	{"no JSON", jsonBody(`html=<p>`), 400, api.CodeBodyMalformed, "", ""},
	{"an empty body", jsonBody(``), 400, api.CodeBodyMalformed, "", "The body is empty"},
	{"two values", jsonBody(`{"html":"<p>"}{}`), 400, api.CodeBodyMalformed, "", "more than one"},
	{"invalid UTF-8 in JSON", jsonBody("{\"html\":\"\xff\"}"), 400, api.CodeBodyMalformed, "/html", ""},
	{"too deep", jsonBody(`{"template":{"html":"x"},"data":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`), 400, api.CodeBodyMalformed, "", "deeper"},
	{"an array", jsonBody(`[]`), 422, api.CodeFieldInvalid, "", "object"},
	{"null", jsonBody(`null`), 422, api.CodeFieldInvalid, "", ""},

	{"an unknown member", jsonBody(`{"html":"<p>","colour":"red"}`), 422, api.CodeFieldUnknown, "/colour", "colour"},
	{"an unknown member below", jsonBody(`{"html":"<p>","output":{"margin_mm":{"up":1}}}`), 422, api.CodeFieldUnknown, "/output/margin_mm/up", "up"},
	{"a member in another case", jsonBody(`{"HTML":"<p>"}`), 422, api.CodeFieldUnknown, "/HTML", ""},
	{"a member twice", jsonBody(`{"html":"<p>","html":"<b>"}`), 422, api.CodeFieldDuplicate, "/html", "html"},
	{"a member twice in data", jsonBody(`{"template":{"html":"x"},"data":{"a":{"b":1,"b":2}}}`), 422, api.CodeFieldDuplicate, "/data/a/b", ""},
	{"a wrong type", jsonBody(`{"html":7}`), 422, api.CodeFieldInvalid, "/html", "a string"},
	{"a wrong type below", jsonBody(`{"html":"<p>","output":{"landscape":"yes"}}`), 422, api.CodeFieldInvalid, "/output/landscape", "output.landscape must be a boolean, not a string."},
	{"a fraction for an integer", jsonBody(`{"html":"<p>","timeout_seconds":1.5}`), 422, api.CodeFieldInvalid, "/timeout_seconds", "an integer"},
	{"an integer out of range", jsonBody(`{"html":"<p>","timeout_seconds":1e300}`), 422, api.CodeFieldInvalid, "/timeout_seconds", "out of range"},
	{"a null member", jsonBody(`{"html":"<p>","output":null}`), 422, api.CodeFieldInvalid, "/output", "Leave it out for its default"},
	{"a required member that is null", jsonBody(`{"html":"<p>","cache":{"max_age_seconds":null}}`), 422, api.CodeFieldInvalid, "/cache/max_age_seconds", "cache.max_age_seconds is required and must not be null."},

	{"no input", jsonBody(`{}`), 422, api.CodeInputMissing, "", "template, html, markdown and url"},
	{"two inputs", jsonBody(`{"html":"<p>","markdown":"# A"}`), 422, api.CodeInputConflict, "/html", ""},
	{"an empty input", jsonBody(`{"html":""}`), 422, api.CodeFieldInvalid, "/html", "empty"},
	{"a template without html", jsonBody(`{"template":{}}`), 422, api.CodeFieldMissing, "/template", "template needs html or name."},
	{"a template with html and a name", jsonBody(`{"template":{"html":"x","name":"invoice"}}`), 422, api.CodeInputConflict, "/template/html", "only html or name"},
	{"a version of an inline template", jsonBody(`{"template":{"html":"x","version":1}}`), 422, api.CodeFieldInvalid, "/template/version", "stored template"},
	{"a version alone", jsonBody(`{"template":{"version":1}}`), 422, api.CodeFieldMissing, "/template", "html or name"},
	{"a version 0", jsonBody(`{"template":{"name":"invoice","version":0}}`), 422, api.CodeFieldInvalid, "/template/version", "1 or more"},
	{"a template without a name", jsonBody(`{"template":{"name":""}}`), 422, api.CodeFieldInvalid, "/template/name", "empty"},
	{"a template of a bad name", jsonBody(`{"template":{"name":"a/b"}}`), 422, api.CodeFieldInvalid, "/template/name", "1 to 100 letters"},
	{"a template of dots", jsonBody(`{"template":{"name":".."}}`), 422, api.CodeFieldInvalid, "/template/name", "dots alone"},
	{"a template of a long name", jsonBody(`{"template":{"name":"` + strings.Repeat("n", 101) + `"}}`), 422, api.CodeFieldInvalid, "/template/name", "1 to 100"},
	{"a template and a page", jsonBody(`{"template":{"name":"invoice"},"html":"<p>"}`), 422, api.CodeInputConflict, "/template/name", ""},

	{"an empty URL", jsonBody(`{"url":""}`), 422, api.CodeFieldInvalid, "/url", "empty"},
	{"a URL that is relative", jsonBody(`{"url":"/invoice"}`), 422, api.CodeFieldInvalid, "/url", "absolute http or https"},
	{"a URL of another scheme", jsonBody(`{"url":"file:///etc/passwd"}`), 422, api.CodeFieldInvalid, "/url", "absolute http or https"},
	{"a URL with a user", jsonBody(`{"url":"https://a:b@shop.example/"}`), 422, api.CodeFieldInvalid, "/url", "without user"},
	{"a URL too long", jsonBody(`{"url":"https://shop.example/` + strings.Repeat("x", 2048) + `"}`), 422, api.CodeFieldInvalid, "/url", "2048"},
	{"a URL that the guard refuses", jsonBody(`{"url":"https://denied.example/"}`), 422, api.CodeURLDenied, "/url", "The url is not allowed."},
	{"the same in a form", form(part{name: "job", text: `{"url":"https://denied.example/"}`}), 422, api.CodeURLDenied, "/job/url", ""},
	{"a URL and a page", jsonBody(`{"url":"https://shop.example/","html":"<p>"}`), 422, api.CodeInputConflict, "/html", ""},
	{"a URL with data", jsonBody(`{"url":"https://shop.example/","data":{}}`), 422, api.CodeFieldInvalid, "/data", "template"},
	{"a URL with files", form(part{name: "job", text: `{"url":"https://shop.example/"}`}, part{name: "file", file: "a", text: "x"}), 422, api.CodeFieldInvalid, "/file", "no files"},
	{"a URL for the native engine", jsonBody(`{"url":"https://shop.example/","engine":"native"}`), 422, api.CodeFieldInvalid, "/engine", "browser"},

	{"nothing to wait for", jsonBody(`{"html":"<p>","wait_for":{}}`), 422, api.CodeFieldInvalid, "/wait_for", "selector, or network_idle"},
	{"no idle network to wait for", jsonBody(`{"html":"<p>","wait_for":{"network_idle":false}}`), 422, api.CodeFieldInvalid, "/wait_for", "selector, or network_idle"},
	{"an empty selector", jsonBody(`{"html":"<p>","wait_for":{"selector":" "}}`), 422, api.CodeFieldInvalid, "/wait_for/selector", "1 to 1000 bytes"},
	{"a selector too long", jsonBody(`{"html":"<p>","wait_for":{"selector":"` + strings.Repeat("a", 1001) + `"}}`), 422, api.CodeFieldInvalid, "/wait_for/selector", "1 to 1000 bytes"},
	{"a selector with a line break", jsonBody(`{"html":"<p>","wait_for":{"selector":"a\nb"}}`), 422, api.CodeFieldInvalid, "/wait_for/selector", "control"},
	{"no time to wait", jsonBody(`{"html":"<p>","wait_for":{"selector":"a","timeout_seconds":0}}`), 422, api.CodeFieldInvalid, "/wait_for/timeout_seconds", "wait_for.timeout_seconds must be 1 to 60."},
	{"too long to wait", jsonBody(`{"html":"<p>","wait_for":{"selector":"a","timeout_seconds":61}}`), 422, api.CodeFieldInvalid, "/wait_for/timeout_seconds", "1 to 60"},
	{"waiting for longer than the job may take", jsonBody(`{"html":"<p>","timeout_seconds":9,"wait_for":{"selector":"a"}}`), 422, api.CodeFieldInvalid, "/wait_for/timeout_seconds", "10, must be less than timeout_seconds, 9"},
	{"waiting with the native engine", jsonBody(`{"html":"<p>","engine":"native","wait_for":{"selector":"a"}}`), 422, api.CodeFieldInvalid, "/wait_for", "no scripts"},

	{"strict by word", jsonBody(`{"html":"<p>","strict":"yes"}`), 422, api.CodeFieldInvalid, "/strict", "a boolean"},
	{"no number of pages", jsonBody(`{"html":"<p>","expect":{"pages":{}}}`), 422, api.CodeFieldInvalid, "/expect/pages", "min, or max"},
	{"no pages", jsonBody(`{"html":"<p>","expect":{"pages":{"min":0}}}`), 422, api.CodeFieldInvalid, "/expect/pages/min", "expect.pages.min must be 1 or more."},
	{"less than no pages", jsonBody(`{"html":"<p>","expect":{"pages":{"max":-1}}}`), 422, api.CodeFieldInvalid, "/expect/pages/max", "1 or more"},
	{"more pages than at most", jsonBody(`{"html":"<p>","expect":{"pages":{"min":3,"max":2}}}`), 422, api.CodeFieldInvalid, "/expect/pages", "must not be more"},
	{"pages as a number", jsonBody(`{"html":"<p>","expect":{"pages":3}}`), 422, api.CodeFieldInvalid, "/expect/pages", "an object"},
	{"an empty text", jsonBody(`{"html":"<p>","expect":{"contains":["a",""]}}`), 422, api.CodeFieldInvalid, "/expect/contains/1", "1 to 1000 bytes"},
	{"a text of white space", jsonBody(`{"html":"<p>","expect":{"not_contains":[" \n"]}}`), 422, api.CodeFieldInvalid, "/expect/not_contains/0", "white space alone"},
	{"a text too long", jsonBody(`{"html":"<p>","expect":{"contains":["` + strings.Repeat("é", 501) + `"]}}`), 422, api.CodeFieldInvalid, "/expect/contains/0", "1 to 1000 bytes"},
	{"a text that is none", jsonBody(`{"html":"<p>","expect":{"contains":[7]}}`), 422, api.CodeFieldInvalid, "/expect/contains/0", "a string"},
	{"too many texts", jsonBody(`{"html":"<p>","expect":{"contains":[` + strings.Repeat(`"a",`, 50) + `"a"]}}`), 422, api.CodeFieldInvalid, "/expect/contains", "at most 50"},
	{"no bytes", jsonBody(`{"html":"<p>","expect":{"max_bytes":0}}`), 422, api.CodeFieldInvalid, "/expect/max_bytes", "1 or more"},
	{"the text of a picture", jsonBody(`{"html":"<p>","output":{"format":"png"},"expect":{"contains":["a"]}}`), 422, api.CodeFieldInvalid, "/expect/contains", "only for pdf"},
	{"no text of a picture", jsonBody(`{"html":"<p>","output":{"format":"png"},"expect":{"not_contains":["a"]}}`), 422, api.CodeFieldInvalid, "/expect/not_contains", "only for pdf"},

	{"a cache without an age", jsonBody(`{"html":"<p>","cache":{}}`), 422, api.CodeFieldMissing, "/cache/max_age_seconds", "required"},
	{"a cache of no age", jsonBody(`{"html":"<p>","cache":{"max_age_seconds":0}}`), 422, api.CodeFieldInvalid, "/cache/max_age_seconds", "1 to 2592000"},
	{"a cache for longer than a month", jsonBody(`{"html":"<p>","cache":{"max_age_seconds":2592001}}`), 422, api.CodeFieldInvalid, "/cache/max_age_seconds", "1 to 2592000"},
	{"data without a template", jsonBody(`{"html":"<p>","data":{}}`), 422, api.CodeFieldInvalid, "/data", "template"},

	{"a template that does not parse", jsonBody(`{"template":{"html":"<p>\n  {{if}}"}}`), 422, api.CodeTemplateInvalid, "/template/html", "Line 2, column 5"},
	{"data that the template misses", jsonBody(`{"template":{"html":"{{.order.number}}"},"data":{"order":{}}}`), 422, api.CodeTemplateDataMissing, "/data", ".order.number"},
	{"a template without the data", jsonBody(`{"template":{"html":"{{.a}}"}}`), 422, api.CodeTemplateDataMissing, "/data", ".a"},
	{"a template that fails", jsonBody(`{"template":{"html":"{{add .a 1}}"},"data":{"a":"x"}}`), 422, api.CodeTemplateFailed, "/template/html", ""},
	{"a template that does not end", jsonBody(`{"template":{"html":"{{range .a}}{{range $.a}}{{range $.a}}{{range $.a}}.{{end}}{{end}}{{end}}{{end}}"},"data":{"a":[` + strings.Repeat("1,", 99) + `1]}}`), 422, api.CodeTemplateTooLong, "/template/html", "The template takes"},
	{"a template that writes too much", jsonBody(`{"template":{"html":"{{range .a}}{{range $.a}}{{$.b}}{{end}}{{end}}"},"data":{"b":"` + strings.Repeat("x", 1<<16) + `","a":[` + strings.Repeat("1,", 39) + `1]}}`), 422, api.CodeTemplateTooLarge, "/template/html", ""},

	{"an unknown engine", jsonBody(`{"html":"<p>","engine":"webkit"}`), 422, api.CodeFieldInvalid, "/engine", "auto, native or chromium"},
	{"an unknown format", jsonBody(`{"html":"<p>","output":{"format":"svg"}}`), 422, api.CodeFieldInvalid, "/output/format", "pdf, png or jpeg"},
	{"an unknown paper", jsonBody(`{"html":"<p>","output":{"paper":"A4"}}`), 422, api.CodeFieldInvalid, "/output/paper", "a3, a4"},
	{"a width alone", jsonBody(`{"html":"<p>","output":{"width_mm":100}}`), 422, api.CodeFieldInvalid, "/output", "together"},
	{"a paper and a size", jsonBody(`{"html":"<p>","output":{"paper":"a4","width_mm":100,"height_mm":100}}`), 422, api.CodeFieldInvalid, "/output", "either"},
	{"a paper too small", jsonBody(`{"html":"<p>","output":{"width_mm":9,"height_mm":100}}`), 422, api.CodeFieldInvalid, "/output/width_mm", "output.width_mm must be 10 to 5000"},
	{"a negative margin", jsonBody(`{"html":"<p>","output":{"margin_mm":{"left":-1}}}`), 422, api.CodeFieldInvalid, "/output/margin_mm/left", "0 to 500"},
	{"margins without room", jsonBody(`{"html":"<p>","output":{"width_mm":30,"height_mm":100}}`), 422, api.CodeFieldInvalid, "/output/margin_mm", "no room"},
	{"a scale too large", jsonBody(`{"html":"<p>","output":{"scale":2.01}}`), 422, api.CodeFieldInvalid, "/output/scale", "0.1 to 2"},
	{"a locale that is none", jsonBody(`{"html":"<p>","output":{"locale":"de_AT"}}`), 422, api.CodeFieldInvalid, "/output/locale", "BCP 47"},
	{"a time zone that is none", jsonBody(`{"html":"<p>","output":{"time_zone":"Mars/Olympus"}}`), 422, api.CodeFieldInvalid, "/output/time_zone", "IANA"},
	{"the machine's time zone", jsonBody(`{"html":"<p>","output":{"time_zone":"Local"}}`), 422, api.CodeFieldInvalid, "/output/time_zone", "IANA"},
	{"a file name with a path", jsonBody(`{"html":"<p>","output":{"filename":"../a.pdf"}}`), 422, api.CodeFieldInvalid, "/output/filename", "path"},
	{"a file name with a line break", jsonBody(`{"html":"<p>","output":{"filename":"a\r\nb"}}`), 422, api.CodeFieldInvalid, "/output/filename", "control"},
	{"a file name too long", jsonBody(`{"html":"<p>","output":{"filename":"` + strings.Repeat("é", 101) + `"}}`), 422, api.CodeFieldInvalid, "/output/filename", "200 bytes"},
	{"a header for an image", jsonBody(`{"html":"<p>","output":{"format":"png","header_html":"<b>"}}`), 422, api.CodeFieldInvalid, "/output/header_html", "pdf"},
	{"a margin for an image", jsonBody(`{"html":"<p>","output":{"format":"png","margin_mm":{"top":1}}}`), 422, api.CodeFieldInvalid, "/output/margin_mm", "pdf"},
	{"one sheet of a PDF", jsonBody(`{"html":"<p>","output":{"full_page":false}}`), 422, api.CodeFieldInvalid, "/output/full_page", "png"},

	{"an empty document key", jsonBody(`{"html":"<p>","document_key":""}`), 422, api.CodeFieldInvalid, "/document_key", "1 to 200 bytes"},
	{"a document key too long", jsonBody(`{"html":"<p>","document_key":"` + strings.Repeat("é", 101) + `"}`), 422, api.CodeFieldInvalid, "/document_key", "1 to 200 bytes"},
	{"a document key with a control character", jsonBody(`{"html":"<p>","document_key":"a\u0000b"}`), 422, api.CodeFieldInvalid, "/document_key", "control"},
	{"metadata that is no object", jsonBody(`{"html":"<p>","metadata":[1]}`), 422, api.CodeFieldInvalid, "/metadata", "object"},
	{"metadata that is null", jsonBody(`{"html":"<p>","metadata":null}`), 422, api.CodeFieldInvalid, "/metadata", "object"},
	{"metadata too large", jsonBody(`{"html":"<p>","metadata":{"a":"` + strings.Repeat("x", 4096) + `"}}`), 422, api.CodeFieldInvalid, "/metadata", "4096"},
	{"no time", jsonBody(`{"html":"<p>","timeout_seconds":0}`), 422, api.CodeFieldInvalid, "/timeout_seconds", "1 to 300"},
	{"more time than the server gives", jsonBody(`{"html":"<p>","timeout_seconds":301}`), 422, api.CodeFieldInvalid, "/timeout_seconds", "1 to 300"},
	{"no retention of the input", jsonBody(`{"html":"<p>","input_retention_seconds":0}`), 422, api.CodeFieldInvalid, "/input_retention_seconds", "1 to 315360000"},
	{"an input that outlives its document", jsonBody(`{"html":"<p>","retention_seconds":60,"input_retention_seconds":61}`), 422, api.CodeFieldInvalid, "/input_retention_seconds", "more than retention_seconds"},
	{"no retention", jsonBody(`{"html":"<p>","retention_seconds":0}`), 422, api.CodeFieldInvalid, "/retention_seconds", "1 to 315360000"},

	{"an empty callback URL without a default", jsonBody(`{"html":"<p>","callback_url":""}`), 422, api.CodeFieldInvalid, "/callback_url", "must not be empty"},
	{"the same in a form", form(part{name: "job", text: `{"callback_url":""}`}, part{name: "html", text: "<p>"}), 422, api.CodeFieldInvalid, "/job/callback_url", "must not be empty"},
	{"a secret for no callback", jsonBody(`{"html":"<p>","callback_url":"","callback_secret":"sixteen letters!"}`), 422, api.CodeFieldInvalid, "/callback_secret", "callback_url"},
	{"a callback URL too long", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/` + strings.Repeat("x", 2048) + `"}`), 422, api.CodeFieldInvalid, "/callback_url", "2048"},
	{"a callback URL that the guard refuses", jsonBody(`{"html":"<p>","callback_url":"https://denied.example/"}`), 422, api.CodeURLDenied, "/callback_url", "not allowed"},
	{"a callback host that is not known", jsonBody(`{"html":"<p>","callback_url":"https://lost.example/"}`), 503, api.CodeCallbackHostUnresolved, "/callback_url", "looked up"},
	{"a secret too short", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_secret":"fifteen letters"}`), 422, api.CodeCallbackSecretInvalid, "/callback_secret", "16 to 256"},
	{"a secret too long", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_secret":"` + strings.Repeat("é", 129) + `"}`), 422, api.CodeCallbackSecretInvalid, "/callback_secret", "16 to 256"},
	{"a secret that is no base64", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_secret":"whsec_????????????????????????"}`), 422, api.CodeCallbackSecretInvalid, "/callback_secret", "base64"},
	{"a secret without a URL", jsonBody(`{"html":"<p>","callback_secret":"sixteen letters!"}`), 422, api.CodeFieldInvalid, "/callback_secret", "callback_url"},
	{"headers without a URL", jsonBody(`{"html":"<p>","callback_headers":{}}`), 422, api.CodeFieldInvalid, "/callback_headers", "callback_url"},
	{"a header that is no text", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_headers":{"A":"b","X-Y":7}}`), 422, api.CodeFieldInvalid, "/callback_headers/X-Y", "callback_headers.X-Y must be a string, not a number."},
	{"a header that is ours", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_headers":{"Webhook-Id":"x"}}`), 422, api.CodeFieldInvalid, "/callback_headers/Webhook-Id", ""},

	{"another media type", body("application/xml", `<a/>`), 415, api.CodeMediaTypeUnsupported, "-", "application/json"},
	{"another charset", body("application/json; charset=ISO-8859-1", `{"html":"<p>"}`), 415, api.CodeMediaTypeUnsupported, "-", "utf-8"},
	{"a form in another charset", body("multipart/form-data; charset=latin1; boundary="+boundary, formText(part{name: "html", text: "<p>"})), 415, api.CodeMediaTypeUnsupported, "-", "utf-8"},
	{"a page that is a picture", form(part{name: "html", mediaType: "image/png", text: "<p>"}), 415, api.CodeMediaTypeUnsupported, "/html", "text/html"},
	{"Markdown that is JSON", form(part{name: "markdown", mediaType: "application/json", text: "{}"}), 415, api.CodeMediaTypeUnsupported, "/markdown", "text/markdown"},
	{"a page of no type at all", form(part{name: "html", mediaType: "html;", text: "<p>"}), 415, api.CodeMediaTypeUnsupported, "/html", "text/html"},
	{"a page in another charset", form(part{name: "html", mediaType: "text/html; charset=windows-1252", text: "<p>"}), 415, api.CodeMediaTypeUnsupported, "/html", "utf-8"},
	{"a form without a boundary", body("multipart/form-data", formText(part{name: "html", text: "<p>"})), 400, api.CodeBodyMalformed, "-", "form"},
	{"a form that is cut", body("multipart/form-data; boundary="+boundary, strings.TrimSuffix(formText(part{name: "html", text: "<p>"}), "--\r\n")), 400, api.CodeBodyMalformed, "-", "form"},
	{"an empty form", form(), 422, api.CodeInputMissing, "", ""},
	{"an unknown part", form(part{name: "html", text: "<p>"}, part{name: "attachment", text: "x"}), 422, api.CodeFieldUnknown, "/attachment", "attachment"},
	{"the priority of batches", jsonBody(`{"html":"<p>","priority":"batch"}`), 422, api.CodeFieldInvalid, "/priority", "high, normal or low"},
	{"a priority that there is not", jsonBody(`{"html":"<p>","priority":"urgent"}`), 422, api.CodeFieldInvalid, "/priority", "high, normal or low"},
	{"a part twice", form(part{name: "html", text: "<p>"}, part{name: "html", text: "<p>"}), 422, api.CodeFieldDuplicate, "/html", "twice"},
	{"a job twice", form(part{name: "job", text: "{}"}, part{name: "job", text: "{}"}), 422, api.CodeFieldDuplicate, "/job", "twice"},
	{"an input in the job and in a part", form(part{name: "job", text: `{"html":"<p>"}`}, part{name: "markdown", text: "# A"}), 422, api.CodeInputConflict, "/job/html", ""},
	{"an unknown member in a form", form(part{name: "job", text: `{"x":1}`}, part{name: "html", text: "<p>"}), 422, api.CodeFieldUnknown, "/job/x", "x"},
	{"a wrong value in a form", form(part{name: "job", text: `{"engine":"x"}`}, part{name: "html", text: "<p>"}), 422, api.CodeFieldInvalid, "/job/engine", ""},
	{"a bad template in a form", form(part{name: "job", text: `{"template":{"html":"{{"}}`}), 422, api.CodeTemplateInvalid, "/job/template/html", "Line 1"},
	{"a denied callback in a form", form(part{name: "job", text: `{"callback_url":"https://denied.example/"}`}, part{name: "html", text: "<p>"}), 422, api.CodeURLDenied, "/job/callback_url", ""},
	{"a job that is no JSON", form(part{name: "job", text: `x`}, part{name: "html", text: "<p>"}), 400, api.CodeBodyMalformed, "/job", "The part job is not valid JSON"},
	{"a page that is not UTF-8", form(part{name: "html", text: "<p>\xe4\xf6"}), 422, api.CodeHTMLInvalidUTF8, "/html", "UTF-8"},
	{"an empty page", form(part{name: "html", text: ""}), 422, api.CodeFieldInvalid, "/html", "empty"},

	{"a file without a name", form(part{name: "html", text: "<p>"}, part{name: "file", text: "x"}), 422, api.CodeFieldMissing, "/file/0", "file name"},
	{"two files of one name", form(part{name: "html", text: "<p>"}, part{name: "file", file: "a", text: "x"}, part{name: "file", file: "a", text: "y"}), 422, api.CodeFieldDuplicate, "/file/1", "two files"},
	{"a file that climbs", form(part{name: "html", text: "<p>"}, part{name: "file", file: "a/../../b", text: "x"}), 422, api.CodeFieldInvalid, "/file/0", `"." or ".."`},
	{"a file at an absolute place", form(part{name: "html", text: "<p>"}, part{name: "file", file: "/etc/passwd", text: "x"}), 422, api.CodeFieldInvalid, "/file/0", "relative"},
	{"a file with a backslash", form(part{name: "html", text: "<p>"}, part{name: "file", file: `a\b`, text: "x"}), 422, api.CodeFieldInvalid, "/file/0", "backslash"},
	{"a file with a long name", form(part{name: "html", text: "<p>"}, part{name: "file", file: strings.Repeat("a", 256), text: "x"}), 422, api.CodeFieldInvalid, "/file/0", "255 bytes"},
	{"too many files", form(append(manyFiles(257), part{name: "html", text: "<p>"})...), 422, api.CodeFieldInvalid, "/file", "256"},
}

func manyFiles(n int) []part {
	files := make([]part, n)
	for i := range files {
		files[i] = part{name: "file", file: fmt.Sprint(i), text: "x"}
	}
	return files
}

func TestBadInputGetsAClearAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, tc := range badBodies {
		a := r.post("/jobs", tc.body, wrong)
		if a.status != tc.status {
			t.Errorf("%s: got %d, want %d: %s", tc.name, a.status, tc.status, a.body)
			continue
		}
		p := read[api.Problem](t, a, tc.status)
		var pointer string
		if len(p.Errors) > 0 {
			pointer = p.Errors[0].Pointer
			if p.Errors[0].Code != p.Code {
				t.Errorf("%s: %s, and its first error %s", tc.name, p.Code, p.Errors[0].Code)
			}
		}
		switch {
		case p.Code != tc.code, !strings.Contains(p.Detail, tc.detail), tc.pointer == "-" && len(p.Errors) > 0, tc.pointer != "-" && pointer != tc.pointer:
			t.Errorf("%s: %s", tc.name, a.body)
		case p.Retryable != (tc.status >= 500), (a.header.Get("Retry-After") != "") != (tc.status >= 500):
			t.Errorf("%s: retryable %v, Retry-After %q", tc.name, p.Retryable, a.header.Get("Retry-After"))
		}
	}
	page, err := r.store.Jobs(t.Context(), jobs.JobFilter{Tenant: "default", Limit: 10})
	if err != nil || len(page.Items) != 0 || r.rang.Load() != 0 {
		t.Errorf("%d jobs were made, %v", len(page.Items), err)
	}
}

// pointersOf are the places of errors, each with the last part of its code.
func pointersOf(p api.Problem) []string {
	var places []string
	for _, e := range p.Errors {
		_, what, _ := strings.Cut(string(e.Code), "_")
		places = append(places, e.Pointer+" "+what)
	}
	return places
}

func TestAllWrongMembersAreNamedAtOnceWhateverIsWrongWithThem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, tc := range map[string]struct {
		body option
		want []string
	}{
		"values": {jsonBody(`{"html":"<p>","document_key":"","engine":"x","timeout_seconds":0,"output":{"scale":9}}`), []string{
			"/document_key invalid", "/engine invalid", "/output/scale invalid", "/timeout_seconds invalid",
		}},
		"names, types and values": {jsonBody(`{"html":"<p>","colour":1,"engine":7,"metadata":[],"output":{"scale":9,"margin_mm":{"up":1}},"retention_seconds":"x","timeout_seconds":0}`), []string{
			"/colour unknown", "/engine invalid", "/output/margin_mm/up unknown", "/retention_seconds invalid",
			"/metadata invalid", "/output/scale invalid", "/timeout_seconds invalid",
		}},
		"a form": {form(part{name: "job", text: `{"colour":1,"engine":"x","callback_headers":{"A":1}}`}), []string{
			"/job/callback_headers/A invalid", "/job/colour unknown", " missing", "/job/callback_headers invalid", "/job/engine invalid",
		}},
		// What follows from a member that could not be read is not told.
		"an input":  {jsonBody(`{"html":7,"engine":"x"}`), []string{"/html invalid", "/engine invalid"}},
		"a URL":     {jsonBody(`{"html":"<p>","callback_url":7,"callback_secret":"sixteen letters!"}`), []string{"/callback_url invalid"}},
		"an output": {jsonBody(`{"html":"<p>","output":{"format":7,"full_page":false}}`), []string{"/output/format invalid"}},
		"a body":    {jsonBody(`[]`), []string{" invalid"}},
	} {
		p := refused(t, r.post("/jobs", tc.body, wrong), http.StatusUnprocessableEntity, api.ErrorCode(codeOf(tc.want[0])))
		if diff := cmp.Diff(tc.want, pointersOf(p)); diff != "" || p.Detail != p.Errors[0].Detail {
			t.Errorf("%s: %s (-want +got):\n%s", name, p.Detail, diff)
		}
	}
}

func codeOf(place string) string {
	_, what, _ := strings.Cut(place, " ")
	return "field_" + what
}

func TestAnIntegerMayBeSpelledWithAZeroFraction(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if spec := r.specOf(r.submit(`{"html":"<p>","timeout_seconds":60.0,"retention_seconds":1e3}`).ID); spec.Timeout != time.Minute {
		t.Errorf("got %v", spec.Timeout)
	}
}

func TestARefusedSecretOrURLIsNotRepeated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.post("/jobs", jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_secret":"s3cr3t"}`), wrong)
	b := r.post("/jobs", jsonBody(`{"html":"<p>","callback_url":"https://denied.example/?t0k3n"}`))
	for _, hidden := range []string{"s3cr3t", "t0k3n"} {
		if bytes.Contains(append(a.body, b.body...), []byte(hidden)) || strings.Contains(r.logs.String(), hidden) {
			t.Errorf("%q is repeated", hidden)
		}
	}
	// Why the guard refused is nobody's business but the operator's.
	if bytes.Contains(b.body, []byte("10.0.0.7")) || !strings.Contains(r.logs.String(), "10.0.0.7") {
		t.Errorf("the reason is in the answer, or not in the log: %s", b.body)
	}
}

func TestABadIdempotencyKeyIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	failed := r.submit(`{"html":"<p>"}`)
	r.fail(failed.ID)
	for _, key := range []string{"", strings.Repeat("x", 256), "schlüssel", "a\tb"} {
		refused(t, r.post("/jobs", jsonBody(`{"html":"<p>"}`), header("Idempotency-Key", key), wrong), http.StatusBadRequest, api.CodeIdempotencyKeyInvalid)
		refused(t, r.post("/jobs/"+failed.ID+"/retry", header("Idempotency-Key", key), wrong), http.StatusBadRequest, api.CodeIdempotencyKeyInvalid)
	}
	twice := func(req *http.Request) { req.Header["Idempotency-Key"] = []string{"a", "b"} }
	refused(t, r.post("/jobs", jsonBody(`{"html":"<p>"}`), twice, wrong), http.StatusBadRequest, api.CodeIdempotencyKeyInvalid)
}

func TestAnAnswerIsSmallWhateverTheBodyHolds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, `"%d":1,`, i)
	}
	name := strings.Repeat("n", 1<<20)
	for what, option := range map[string]option{
		"unknown members": jsonBody(`{` + many.String() + `"html":"<p>"}`),
		"a long name":     jsonBody(`{"` + name + `":1}`),
		"a long part":     form(part{name: name, text: "x"}),
		"bad headers":     jsonBody(`{"html":"<p>","callback_url":"https://shop.example/","callback_headers":{"` + name + `":"x"}}`),
		"a long twin":     jsonBody(`{"` + name + `":1,"` + name + `":1}`),
		"a long value":    jsonBody(`{"html":"<p>","output":{"paper":"` + name + `"},"engine":"` + name + `"}`),
		"a long query":    jsonBody(`{"html":"<p>","timeout_seconds":` + strings.Repeat("9", 1<<20) + `}`),
	} {
		if a := r.post("/jobs", option, wrong); a.status < 400 || len(a.body) > 10_000 {
			t.Errorf("%s: %d with %d bytes", what, a.status, len(a.body))
		}
	}
}

func TestABodyOverTheLimitIsRefusedWhetherItsLengthIsToldOrNot(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.MaxBody = 1000 })
	large := `{"html":"` + strings.Repeat("x", 1000) + `"}`
	untold := func(req *http.Request) { req.ContentLength = -1 }
	for name, options := range map[string][]option{
		"told":   {jsonBody(large)},
		"untold": {jsonBody(large), untold},
		"form":   {form(part{name: "html", text: large}), untold},
	} {
		p := refused(t, r.post("/jobs", options...), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
		if !strings.Contains(p.Detail, "1000") {
			t.Errorf("%s: %s", name, p.Detail)
		}
	}
	refused(t, r.post("/admin/keys", as(adminKey), jsonBody(`{"name":"`+large+`"}`), wrong), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	refused(t, r.post("/documents/x/links", jsonBody(large), wrong), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	r.submit(`{"html":"` + strings.Repeat("x", 900) + `"}`)
}

func TestAClientThatWritesAllBeforeItReadsSeesThatItsBodyIsTooLarge(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.MaxBody = 1000 })
	large := strings.Repeat("x", 8<<20)
	head := "POST /jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + r.key + "\r\nContent-Type: application/json\r\n"
	for name, text := range map[string]string{
		"told":   head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(large), large),
		"untold": head + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(large), large),
		"asked":  head + fmt.Sprintf("Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(large)),
	} {
		answer := raw(t, r.server, text)
		if !strings.HasPrefix(answer, "HTTP/1.1 413 ") || !strings.Contains(answer, "Connection: close\r\n") || !strings.Contains(answer, "body_too_large") {
			t.Errorf("%s: %s", name, answer)
		}
	}
}

func TestACharsetOfUTF8IsTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, body := range map[string]option{
		"json":     body(`application/json; charset="UTF-8"`, page),
		"form":     body("multipart/form-data; charset=utf-8; boundary="+boundary, formText(part{name: "html", text: "<p>"})),
		"page":     form(part{name: "html", mediaType: "text/html; charset=utf-8", text: "<p>"}),
		"text":     form(part{name: "markdown", mediaType: "text/plain", text: "# A"}),
		"a stream": form(part{name: "html", file: "a.html", mediaType: "application/octet-stream", text: "<p>"}),
	} {
		if a := r.post("/jobs", body); a.status != http.StatusAccepted {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

func TestHowACallbackURLIsSpelledIsToldAndWhereItLeadsIsNot(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	policy := urlguard.Policy{Resolver: oneAddress("10.0.0.7")}
	r.service.CheckCallback = func(ctx context.Context, url string) error {
		_, err := policy.Check(ctx, url)
		return err
	}
	submit := func(url string) answer {
		return r.post("/jobs", jsonBody(`{"html":"<p>","callback_url":`+strconv.Quote(url)+`}`), wrong)
	}
	for _, url := range []string{"shop.example/hook", "http://shop.example/", "https://", "https://me@shop.example/", "https://shop.example/#a", "https://shop.example:x/", "https://shop.example/a b"} {
		p := refused(t, submit(url), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
		if diff := cmp.Diff([]string{"/callback_url invalid"}, pointersOf(p)); diff != "" || !strings.Contains(p.Detail, "absolute https URL with a host") {
			t.Errorf("%s: %+v", url, p)
		}
	}
	var answers []string
	for _, url := range []string{"https://10.0.0.7/", "https://localhost/", "https://shop.example/", "https://shop.example:22/"} {
		p := refused(t, submit(url), http.StatusUnprocessableEntity, api.CodeURLDenied)
		answers = append(answers, p.Detail+p.Errors[0].Pointer)
	}
	if len(slices.Compact(answers)) != 1 {
		t.Errorf("the refusals differ: %q", answers)
	}
}

// oneAddress is a resolver that knows every name.
type oneAddress string

func (a oneAddress) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(string(a))}, nil
}

func TestAnAnswerEndsItsLine(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	for _, a := range []answer{r.get("/jobs"), r.get("/jobs/" + j.ID), r.get("/documents/" + j.DocumentID), r.get("/livez"), r.get("/jobs/x"), r.post("/jobs", jsonBody(page))} {
		if !bytes.HasSuffix(a.body, []byte("}\n")) {
			t.Errorf("%q", a.body)
		}
	}
}

func TestACompressedBodyIsNotTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refused(t, r.post("/jobs", jsonBody(`{"html":"<p>"}`), header("Content-Encoding", "gzip"), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
}

// raw sends bytes to a real listener and returns all that it answers.
func raw(t *testing.T, h http.Handler, text string) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func TestABodyThatDoesNotArriveIsNotWaitedForLong(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.BodyTimeout = 50 * time.Millisecond })
	answer := raw(t, r.server, "POST /jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "+r.key+
		"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"html\"")
	if !strings.HasPrefix(answer, "HTTP/1.1 400 ") || !strings.Contains(answer, "body_malformed") || !strings.Contains(answer, "within 50ms") || !strings.Contains(answer, `"retryable":true`) {
		t.Errorf("got %s", answer)
	}
}

func TestTheTimeForABodyDoesNotEndAWait(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.BodyTimeout = 50 * time.Millisecond })
	begin := time.Now()
	answer := raw(t, r.server, "POST /jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: wait=1\r\nAuthorization: Bearer "+r.key+
		"\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"+page)
	if took := time.Since(begin); !strings.HasPrefix(answer, "HTTP/1.1 202 ") || took < 900*time.Millisecond {
		t.Errorf("after %v: %s", took, answer)
	}
}

func TestASubmitterThatHangsUpHasSubmitted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	// The guard is where the request is when its client goes.
	reached, gone := make(chan struct{}), make(chan struct{})
	r.service.CheckCallback = func(ctx context.Context, _ string) error {
		close(reached)
		<-gone
		return ctx.Err()
	}
	ctx, hangUp := context.WithCancel(t.Context())
	done := make(chan error, 1)
	server := httptest.NewServer(r.server)
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/jobs", strings.NewReader(`{"html":"<p>","callback_url":"https://shop.example/"}`))
	if err != nil {
		t.Fatal(err)
	}
	as(r.key)(req)
	header("Content-Type", "application/json")(req)
	go func() {
		res, err := http.DefaultTransport.RoundTrip(req)
		if err == nil {
			_ = res.Body.Close()
		}
		done <- err
	}()
	<-reached
	hangUp()
	if err := <-done; err == nil {
		t.Error("the client got an answer")
	}
	close(gone)
	eventually(t, "the job is there", func() bool {
		page, err := r.store.Jobs(t.Context(), jobs.JobFilter{Tenant: "default", Limit: 10})
		return err == nil && len(page.Items) == 1
	})
}
