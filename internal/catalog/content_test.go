package catalog_test

import (
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/render/templates"
)

func TestAStyleSheetComesAtTheEndOfTheHead(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"<!doctype html><html><head><title>a &lt;/head></title></head><body>x": "<!doctype html><html><head><title>a &lt;/head></title>•</head><body>x",
		"<html><HEAD><link rel=x><style>p</style></HEAD>":                      "<html><HEAD><link rel=x><style>p</style>•</HEAD>",
		"<!-- </head> --><head><script>'</head>'</script></head>":              "<head><script>'</head>'</script>•</head>",
		"<!doctype html>\n<p>x":  "<!doctype html>\n•<p>x",
		"<title>a</title> text":  "<title>a</title>• text",
		"<html><body></head><p>": "<html>•<body></head><p>",
		"text":                   "•text",
		"<meta charset=utf-8>":   "<meta charset=utf-8>•",
		"<head></head>":          "<head>•</head>",
		"<head><noscript>x":      "<head>•<noscript>x",
	} {
		content, err := catalog.Canonical(api.TemplateRequest{HTML: new(page), CSS: new("•")})
		if err != nil {
			t.Fatal(err)
		}
		template, err := catalog.Parse(content)
		if err != nil {
			t.Fatal(err)
		}
		bare, err := template.Fill(t.Context(), nil, templates.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutStyle(bare.HTML); got != want {
			t.Errorf("%s became %s, want %s", page, got, want)
		}
	}
}

// withoutStyle has the mark of the tests only, not its element.
func withoutStyle(html string) string {
	const open, shut = "<style>•</style>", "•"
	for i := 0; i+len(open) <= len(html); i++ {
		if html[i:i+len(open)] == open {
			return html[:i] + shut + html[i+len(open):]
		}
	}
	return html
}
