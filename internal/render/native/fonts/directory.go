package fonts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"

	"github.com/platen-render/platen/internal/render/native/fonts/sfnt"
)

// maxFiles bounds a font directory; all of Noto is some 2,500 files.
const maxFiles = 10_000

// scan describes the fonts in a directory and below it, in the order of their paths. It keeps what is needed to choose among them: the
// files are read again when their glyphs are wanted.
func scan(ctx context.Context, dir string) ([]*Font, []Skipped, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("font directory: %w", err)
	}
	defer root.Close()
	var found []*Font
	var skipped []Skipped
	count := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if entry.IsDir() || !fontFile(name) {
			return nil
		}
		if count++; count > maxFiles {
			return fmt.Errorf("more than %d files", maxFiles)
		}
		fonts, err := describe(dir, name)
		if err != nil {
			skipped = append(skipped, Skipped{name, err})
		}
		found = append(found, fonts...)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("font directory: %w", err)
	}
	return found, skipped, nil
}

func fontFile(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2":
		return true
	}
	return false
}

// readFile reads a file inside dir, and nothing outside it.
func readFile(dir, name string) ([]byte, error) {
	file, err := os.OpenInRoot(dir, name)
	if err != nil {
		return nil, fmt.Errorf("font file: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, sfnt.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("font file: %w", err)
	}
	return data, nil
}

// describe returns the fonts of one file, and the first error among them.
func describe(dir, name string) ([]*Font, error) {
	data, err := readFile(dir, name)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(data)
	if data, err = sfnt.Unpack(data); err != nil {
		return nil, err
	}
	var fonts []*Font
	for i := range sfnt.Count(data) {
		f, err := describeOne(data, i)
		if err != nil {
			return fonts, err
		}
		f.file = digest
		f.load = f.once(func() (*program, error) {
			data, err := readFile(dir, name)
			if err != nil {
				return nil, err
			}
			return parse(data, i)
		})
		fonts = append(fonts, f)
	}
	return fonts, nil
}

// describeOne reads the name, the style and the characters of a font; it does not know yet how to load it.
func describeOne(data []byte, index int) (f *Font, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("%w: parser stopped: %v", sfnt.ErrInvalid, r)
		}
	}()
	parsed, err := sfnt.Parse(data, index)
	if err != nil {
		return nil, err
	}
	loaders, err := opentype.NewLoaders(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sfnt.ErrInvalid, err)
	}
	cmap, err := readCmap(loaders[index])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sfnt.ErrInvalid, err)
	}
	m := parsed.Metrics
	return &Font{
		Family: parsed.Names.Family,
		Style:  Style{Weight: m.Weight, Italic: m.Italic, Width: m.Width},
		covers: func(r rune) bool { _, ok := cmap.Lookup(r); return ok },
	}, nil
}

func readCmap(l *opentype.Loader) (font.Cmap, error) {
	raw, err := l.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil, err
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil, err
	}
	cmap, _, err := font.ProcessCmap(table, tables.FPNone)
	return cmap, err
}
