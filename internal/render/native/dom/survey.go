package dom

import (
	"bytes"
	"context"
	"sort"
	"strings"

	"golang.org/x/net/html"
)

// The parser tells no positions, and it does not count what it makes. So the tokens are looked at once before:
// that bounds the tree and notes where each start tag stands. A tag is found again by its name and attributes,
// in order: those that look the same come in the same order out of the parser, but for misnested formatting,
// whose copies are positioned a little too far down.

// tag is the place of a start tag: of its first byte and of the one after it.
type tag struct{ start, end int }

// places are those of the start tags that look the same.
type places struct{ tags []tag }

// formatting elements are opened again in each block that follows, as long as they are not closed (HTML
// standard, section 13.2.4.3): a page of a megabyte could become a tree of many gigabytes.
var formatting = map[string]bool{
	"a": true, "b": true, "big": true, "code": true, "em": true, "font": true, "i": true, "nobr": true,
	"s": true, "small": true, "strike": true, "strong": true, "tt": true, "u": true,
}

// survey notes the start tags, counts what the tree is made of, and fails when it could have more than most nodes.
func (d *Document) survey(ctx context.Context, most int) (tags map[string]*places, parts int, err error) {
	d.Quirks = true // until a doctype says otherwise
	tags = map[string]*places{}
	open := map[string]int{}
	var key []byte
	nodes, unclosed, offset := 0, 0, 0
	tokens := html.NewTokenizer(strings.NewReader(d.source))
	for count := 0; ; count++ {
		if count&1023 == 0 && ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return tags, parts, nil
		}
		start := offset
		offset += len(tokens.Raw())
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			var name int
			key, name = appendTag(key[:0], tokens)
			p := tags[string(key)]
			if p == nil {
				p = &places{}
				tags[string(key)] = p
			}
			p.tags = append(p.tags, tag{start, offset})
			if formatting[string(key[:name])] {
				open[string(key[:name])]++
				unclosed++
			}
			nodes += 1 + unclosed
			parts++
		case html.EndTagToken:
			if unclosed == 0 {
				continue
			}
			name, _ := tokens.TagName()
			if open[string(name)] > 0 {
				open[string(name)]--
				unclosed--
			}
		default:
			nodes++
			parts++
		}
		if nodes > most {
			return nil, 0, ErrTooManyNodes
		}
	}
}

// appendTag appends what the start tag at hand is told apart by from others, and says how much of it is the name.
func appendTag(key []byte, tokens *html.Tokenizer) (signature []byte, name int) {
	tag, more := tokens.TagName()
	key = append(key, tag...)
	name = len(key)
	for more {
		var attr, value []byte
		attr, value, more = tokens.TagAttr()
		key = append(append(key, 0), attr...)
		key = append(append(key, '='), value...)
	}
	return key, name
}

// appendElement does the same for what the parser made of a tag: in SVG it changes the case of names, and takes them apart.
func appendElement(key []byte, n *Node) []byte {
	key = append(key, strings.ToLower(n.Tag)...)
	for _, a := range n.Attrs {
		key = append(key, 0)
		if a.Namespace != "" {
			key = append(append(key, a.Namespace...), ':')
		}
		key = append(append(key, strings.ToLower(a.Key)...), '=')
		key = append(key, a.Val...)
	}
	return key
}

// locate gives an element its position.
func (b *builder) locate(n, parent *Node) {
	b.key = appendElement(b.key[:0], n)
	found := b.tags[string(b.key)]
	if found == nil {
		if parent != nil {
			n.At, n.Content = parent.At, parent.Content
		}
		return
	}
	n.At, n.Content = b.document.position(found.tags[0].start), b.document.position(found.tags[0].end)
	if len(found.tags) > 1 { // the last one stays, for copies
		found.tags = found.tags[1:]
	}
}

func lineStarts(text string) []int {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for at := 0; ; {
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			return starts
		}
		at += length + 1
		starts = append(starts, at)
	}
}

func (d *Document) position(offset int) Position {
	line := sort.SearchInts(d.lines, offset+1) - 1
	return Position{Line: line + 1, Column: offset - d.lines[line] + 1}
}

// AttrAt is where the value of an attribute stands in the source, or the start tag when it is not found there.
func (d *Document) AttrAt(n *Node, name string) Position {
	if n.At.Line == 0 || n.Content.Line == 0 {
		return n.At
	}
	start := d.lines[n.At.Line-1] + n.At.Column - 1
	end := d.lines[n.Content.Line-1] + n.Content.Column - 1
	if end <= start {
		return n.At
	}
	if at := attributeOffset([]byte(d.source[start:end]), name); at > 0 {
		return d.position(start + at)
	}
	return n.At
}

// attributeOffset is where the value of an attribute begins in a start tag, or 0.
func attributeOffset(tag []byte, name string) int {
	const blanks = " \t\r\n\f"
	i := bytes.IndexAny(tag, blanks+"/>")
	for i >= 0 && i < len(tag) {
		for i < len(tag) && bytes.IndexByte([]byte(blanks+"/"), tag[i]) >= 0 {
			i++
		}
		begin := i
		for i < len(tag) && bytes.IndexByte([]byte(blanks+"/>="), tag[i]) < 0 {
			i++
		}
		key := tag[begin:i]
		value, end := valueRange(tag, i)
		if bytes.EqualFold(key, []byte(name)) {
			return value
		}
		i = max(end, i+1)
	}
	return 0
}

// valueRange is where the value after an attribute's name begins and ends; without one, both are i.
func valueRange(tag []byte, i int) (begin, end int) {
	rest := bytes.TrimLeft(tag[i:], " \t\r\n\f")
	if len(rest) == 0 || rest[0] != '=' {
		return i, i
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n\f")
	begin = len(tag) - len(rest)
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		if close := bytes.IndexByte(rest[1:], rest[0]); close >= 0 {
			return begin + 1, begin + 2 + close
		}
		return begin + 1, len(tag)
	}
	if stop := bytes.IndexAny(rest, " \t\r\n\f>"); stop >= 0 {
		return begin, begin + stop
	}
	return begin, len(tag)
}
