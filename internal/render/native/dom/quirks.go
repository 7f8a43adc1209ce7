package dom

import (
	"strings"

	"golang.org/x/net/html"
)

// oldDoctypes are the public identifiers, or their beginnings, of quirks mode (HTML standard, section
// 13.2.6.4.1).
var oldDoctypes = []string{
	"+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
	"-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html", "-//metrius//dtd metrius presentational//",
	"-//microsoft//dtd internet explorer", "-//netscape comm. corp.//dtd", "-//o'reilly and associates//dtd html",
	"-//softquad", "-//spyglass//dtd html 2.0 extended//", "-//sun microsystems corp.//dtd hotjava",
	"-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
	"-//w3c//dtd html experimental", "-//w3c//dtd w3 html", "-//w3o//dtd w3 html", "-//webtechs//dtd mozilla html",
	"-/w3c/dtd html 4.0 transitional/en",
}

// quirky reports whether a doctype asks for quirks mode, or for that with limits.
func quirky(doctype *html.Node) (quirks, limited bool) {
	if doctype.Data != "html" {
		return true, false
	}
	var public, system string
	hasSystem := false
	for _, a := range doctype.Attr {
		switch a.Key {
		case "public":
			public = strings.ToLower(a.Val)
		case "system":
			system, hasSystem = strings.ToLower(a.Val), true
		}
	}
	if system == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" || public == "html" {
		return true, false
	}
	for _, old := range oldDoctypes {
		if strings.HasPrefix(public, old) {
			return true, false
		}
	}
	loose := strings.HasPrefix(public, "-//w3c//dtd html 4.01 frameset//") || strings.HasPrefix(public, "-//w3c//dtd html 4.01 transitional//")
	loosely := strings.HasPrefix(public, "-//w3c//dtd xhtml 1.0 frameset//") || strings.HasPrefix(public, "-//w3c//dtd xhtml 1.0 transitional//")
	return loose && !hasSystem, loose && hasSystem || loosely
}
