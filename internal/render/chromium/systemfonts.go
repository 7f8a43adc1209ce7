package chromium

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of what is read of a machine's fonts.
const (
	maxFontDepth = 16
	maxFontFiles = 50_000
	fontHead     = 4 << 10 // bytes
)

// digestWithSystem is the digest of the fonts that every engine has, and of what the configuration of this machine adds: its rules, and each
// file in its directories. What is not there adds nothing, and neither does a directory of a user, since the browser's has none.
func digestWithSystem(common, conf string) string {
	s := &systemDigest{sum: sha256.New(), seen: map[string]bool{}}
	fmt.Fprintln(s.sum, common)
	s.configuration(conf, 0)
	slices.Sort(s.dirs)
	for _, dir := range slices.Compact(s.dirs) {
		s.directory(dir, 0)
	}
	return hex.EncodeToString(s.sum.Sum(nil))
}

// systemDigest walks what fontconfig reads (fonts-conf(5)).
type systemDigest struct {
	sum   hash.Hash
	dirs  []string
	seen  map[string]bool // by resolved path: links may lead in circles
	files int
}

// configuration reads a file of rules, or those in a directory, with what they include, and notes the directories of fonts.
func (s *systemDigest) configuration(path string, depth int) {
	if depth > maxFontDepth || s.known(path) {
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		s.rules(path, depth)
		return
	}
	for _, e := range entries { // in the order of their names, as fontconfig has them
		if name := e.Name(); name[0] >= '0' && name[0] <= '9' && strings.HasSuffix(name, ".conf") {
			s.configuration(filepath.Join(path, name), depth+1)
		}
	}
}

func (s *systemDigest) rules(path string, depth int) {
	text, err := os.ReadFile(path) //nolint:gosec // the machine's configuration names it
	if err != nil {
		return
	}
	fmt.Fprintf(s.sum, "rules %x\n", sha256.Sum256(text))
	var conf struct {
		Dirs     []string `xml:"dir"`
		Includes []string `xml:"include"`
	}
	if err := xml.Unmarshal(text, &conf); err != nil {
		return
	}
	for _, dir := range conf.Dirs {
		if dir = strings.TrimSpace(dir); filepath.IsAbs(dir) {
			s.dirs = append(s.dirs, filepath.Clean(dir))
		}
	}
	for _, include := range conf.Includes {
		if include = strings.TrimSpace(include); include != "" && !strings.HasPrefix(include, "~") {
			if !filepath.IsAbs(include) {
				include = filepath.Join(filepath.Dir(path), include)
			}
			s.configuration(include, depth+1)
		}
	}
}

// directory takes each file below a directory, whatever its name: fontconfig looks at what is in it.
func (s *systemDigest) directory(dir string, depth int) {
	if depth > maxFontDepth || s.known(dir) {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case err != nil || strings.HasPrefix(e.Name(), "."):
		case info.IsDir():
			s.directory(path, depth+1)
		case info.Mode().IsRegular() && s.files < maxFontFiles && !s.known(path):
			s.files++
			s.file(path, info.Size())
		}
	}
}

// known reports whether a path has been here, by whatever name.
func (s *systemDigest) known(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	known := s.seen[path]
	s.seen[path] = true
	return known
}

// file takes the size and the beginning of a font: checksums of all its tables stand there (OpenType, table directory), and all
// of the fonts of a machine are more than a start should read.
func (s *systemDigest) file(path string, size int64) {
	f, err := os.Open(path) //nolint:gosec // the machine's configuration names it
	if err != nil {
		return
	}
	defer f.Close()
	if begin, err := io.ReadAll(io.LimitReader(f, fontHead)); err == nil {
		fmt.Fprintf(s.sum, "font %s %d %x\n", filepath.Base(path), size, sha256.Sum256(begin))
	}
}
