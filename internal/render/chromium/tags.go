package chromium

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// In a tagged file Chromium names structure elements after DOM nodes, "(node00000047)", whose numbers go on from whatever
// the renderer process has shown before. Equal pages would have other bytes, so they are numbered anew.

var (
	nodeName = regexp.MustCompile(`\(node(\d{8})\)`)
	objectID = regexp.MustCompile(`(\d+) 0 R`)
)

// renumberNodes counts the names of nodes from 1, in their order, so that the name tree stays sorted. No offset changes.
func (p *pdf) renumberNodes() error {
	places, err := p.nodeNames()
	if err != nil {
		return err
	}
	var old []string
	for _, at := range places {
		old = append(old, string(p.bytes[at:at+8]))
	}
	order := slices.Compact(slices.Sorted(slices.Values(old)))
	for i, at := range places {
		n, _ := slices.BinarySearch(order, old[i])
		copy(p.bytes[at:], fmt.Sprintf("%08d", n+1))
	}
	return nil
}

// nodeNames finds where the digits of all names stand: in structure elements and in the tree that finds those by name, and
// nowhere else, since a page may write such a word into its title.
func (p *pdf) nodeNames() ([]int, error) {
	var places []int
	note := func(e entry) {
		for _, m := range nodeName.FindAllSubmatchIndex(p.bytes[e.value:e.end], -1) {
			places = append(places, e.value+m[2])
		}
	}
	for _, offset := range p.objects {
		if offset <= 0 || offset >= len(p.bytes) {
			continue // the free entry of the table
		}
		if d, err := readDict(p.bytes, offset); err == nil && p.text(d["Type"]) == "/StructElem" {
			note(d["ID"])
			note(d["A"])
		}
	}
	catalog, err := p.follow(p.trailer, "Root")
	if err != nil {
		return nil, err
	}
	if _, ok := catalog["StructTreeRoot"]; !ok {
		return places, nil // nothing on the page has a structure
	}
	root, err := p.follow(catalog, "StructTreeRoot")
	if err != nil {
		return nil, err
	}
	if _, ok := root["IDTree"]; !ok {
		return places, nil
	}
	tree, err := p.follow(root, "IDTree")
	if err != nil {
		return nil, err
	}
	return places, p.walkNames(tree, maxTreeDepth, note)
}

// maxTreeDepth bounds a name tree, which is wide and not deep.
const maxTreeDepth = 16

// walkNames visits what a name tree (ISO 32000-1, 7.9.6) says of names.
func (p *pdf) walkNames(tree dict, depth int, visit func(entry)) error {
	if depth == 0 {
		return fmt.Errorf("name tree: %w", errPDF)
	}
	visit(tree["Limits"])
	visit(tree["Names"])
	for _, m := range objectID.FindAllSubmatch(p.bytes[tree["Kids"].value:tree["Kids"].end], -1) {
		number, _ := strconv.Atoi(string(m[1]))
		offset, ok := p.objects[number]
		if !ok || offset <= 0 || offset >= len(p.bytes) {
			return fmt.Errorf("name tree: %w", errPDF)
		}
		kid, err := readDict(p.bytes, offset)
		if err != nil {
			return err
		}
		if err := p.walkNames(kid, depth-1, visit); err != nil {
			return err
		}
	}
	return nil
}
