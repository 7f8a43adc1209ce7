package chromium

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// In a tagged file Chromium names structure elements after DOM nodes, "(node00000047)". The numbers go on from whatever the renderer process
// has shown before, and they are given to nodes as something first asks for them: when a font arrives, say, in no order that the page has. Equal
// pages would have other bytes, so they are numbered anew, in the order of the structure.

var (
	nodeName = regexp.MustCompile(`\(node(\d{8})\)`)
	nodePair = regexp.MustCompile(`\(node(\d{8})\)\s+(\d+ 0 R)`)
	objectID = regexp.MustCompile(`(\d+) 0 R`)
)

// digits is the length of a number in a name.
const digits = 8

// renumberNodes counts the names of nodes from 1. No offset changes.
func (p *pdf) renumberNodes() error {
	numbers := map[string]string{}
	places := p.nodeNames()
	for _, at := range places {
		if old := string(p.bytes[at : at+digits]); numbers[old] == "" {
			numbers[old] = fmt.Sprintf("%0*d", digits, len(numbers)+1)
		}
	}
	tree, err := p.nameTree()
	if err != nil {
		return err
	}
	if err := p.sortNames(tree, numbers); err != nil {
		return err
	}
	for _, at := range places {
		copy(p.bytes[at:], numbers[string(p.bytes[at:at+digits])])
	}
	return nil
}

// nodeNames finds where the digits of names stand in structure elements: first those that elements bear, then those that they say of others. The
// objects of elements are numbered as their tree is, parents and earlier ones first.
func (p *pdf) nodeNames() []int {
	var own, others []int
	note := func(places []int, e entry) []int {
		for _, m := range nodeName.FindAllSubmatchIndex(p.bytes[e.value:e.end], -1) {
			places = append(places, e.value+m[2])
		}
		return places
	}
	for _, number := range slices.Sorted(maps.Keys(p.objects)) {
		if d, err := p.object(number); err == nil && p.text(d["Type"]) == "/StructElem" {
			own, others = note(own, d["ID"]), note(others, d["A"])
		}
	}
	return append(own, others...)
}

// nameTree returns the tree that finds elements by their names (ISO 32000-1, 7.9.6), of which Chromium writes one leaf; nil if there is none.
func (p *pdf) nameTree() (dict, error) {
	catalog, err := p.follow(p.trailer, "Root")
	if err != nil {
		return nil, err
	}
	if _, ok := catalog["StructTreeRoot"]; !ok {
		return nil, nil // nothing on the page has a structure
	}
	root, err := p.follow(catalog, "StructTreeRoot")
	if err != nil {
		return nil, err
	}
	if _, ok := root["IDTree"]; !ok {
		return nil, nil
	}
	tree, err := p.follow(root, "IDTree")
	if err != nil {
		return nil, err
	}
	leaves := p.references(tree["Kids"])
	if len(leaves) != 1 {
		return nil, fmt.Errorf("name tree of %d leaves: %w", len(leaves), errPDF)
	}
	return p.object(leaves[0])
}

// sortNames writes the leaf of a name tree anew: it is sorted by the names, and says which are the first and the last.
func (p *pdf) sortNames(leaf dict, numbers map[string]string) error {
	var pairs, names []string
	for _, m := range nodePair.FindAllSubmatch(p.bytes[leaf["Names"].value:leaf["Names"].end], -1) {
		name := "(node" + numbers[string(m[1])] + ")"
		names, pairs = append(names, name), append(pairs, name+" "+string(m[2]))
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(pairs)
	return errors.Join(
		p.overwrite(leaf["Names"], "["+strings.Join(pairs, " ")+"]"),
		p.overwrite(leaf["Limits"], "["+slices.Min(names)+" "+slices.Max(names)+"]"),
	)
}

// overwrite puts a value of the same length in the place of one.
func (p *pdf) overwrite(e entry, value string) error {
	if len(value) != e.end-e.value {
		return fmt.Errorf("name tree: %w", errPDF)
	}
	copy(p.bytes[e.value:], value)
	return nil
}
