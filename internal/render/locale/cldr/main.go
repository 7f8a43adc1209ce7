// Command cldr writes the table of package locale from the JSON edition of the Unicode CLDR, which the npm packages cldr-core,
// cldr-dates-full and cldr-numbers-full hold:
//
//	npm install --prefix DIR cldr-core@48.2.0 cldr-dates-full@48.2.0 cldr-numbers-full@48.2.0
//	go run ./internal/render/locale/cldr DIR/node_modules >internal/render/locale/table.go
//
// It takes the locales that CLDR covers to the level "modern", and of each what its parent does not say already.
package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/locale"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: cldr NODE_MODULES")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "cldr:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, dir string) error {
	d := data{dir}
	tags, err := d.tags()
	if err != nil {
		return err
	}
	all := map[string]locale.Facts{}
	for _, tag := range tags {
		facts, err := d.facts(tag)
		if err != nil {
			return fmt.Errorf("%s: %w", tag, err)
		}
		all[tag] = facts
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "// Code generated from the Unicode CLDR, %s, by internal/render/locale/cldr. DO NOT EDIT.\n", d.version())
	fmt.Fprint(out, "// The data is Unicode's, under the license in LICENSE-UNICODE.\n\npackage locale\n\nvar table = []entry{\n")
	for _, tag := range slices.Sorted(maps.Keys(all)) {
		own, err := without(all, tag)
		if err != nil {
			return err
		}
		write(out, tag, own)
	}
	fmt.Fprint(out, "}\n")
	return out.Flush()
}

// without returns what a locale's parent does not say.
func without(all map[string]locale.Facts, tag string) (locale.Facts, error) {
	own := all[tag]
	parents := locale.Parents(tag, func(tag string) bool { _, known := all[tag]; return known })
	if parents[0] != tag {
		return own, fmt.Errorf("%s is known as %s", tag, parents[0])
	}
	if len(parents) == 1 {
		return own, nil
	}
	parent := all[parents[1]]
	for i, fact := range own {
		switch {
		case fact == "":
			return own, fmt.Errorf("%s: fact %d is empty", tag, i)
		case i == locale.Currencies:
			own[i] = linesWithout(fact, parent[i])
		case fact == parent[i]:
			own[i] = ""
		}
	}
	return own, nil
}

func linesWithout(lines, others string) string {
	known := strings.Split(others, "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(lines, "\n"), func(line string) bool { return slices.Contains(known, line) }), "\n")
}

func write(w io.Writer, tag string, facts locale.Facts) {
	if facts == (locale.Facts{}) {
		return
	}
	fmt.Fprintf(w, "\t{%q, Facts{", tag)
	separator := ""
	for i, fact := range facts {
		if fact != "" {
			fmt.Fprintf(w, "%s%s: %q", separator, locale.FactNames[i], fact)
			separator = ", "
		}
	}
	fmt.Fprint(w, "}},\n")
}
