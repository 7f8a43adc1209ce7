package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestEachSizeIsAPoint(t *testing.T) {
	t.Parallel()
	const printed = `goos: linux
BenchmarkRows/500-2         	       2	 254974153 ns/op	        50.00 cpu-ms/op	       509.9 µs/row	26326452 B/op
BenchmarkRows/1000-2        	       2	 393975418 ns/op	       100.0 cpu-ms/op	       394.0 µs/row	38904192 B/op
PASS
`
	var svg strings.Builder
	if err := run(strings.NewReader(printed), &svg); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`cx="330.0" cy="150.0"`, `cx="600.0" cy="30.0"`, "1000 rows: 0.10 s"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %s in\n%s", want, svg.String())
		}
	}
	for d := xml.NewDecoder(strings.NewReader(svg.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("it is no XML: %v", err)
		}
	}
}

func TestWithoutFiguresThereIsNoPicture(t *testing.T) {
	t.Parallel()
	if err := run(strings.NewReader("PASS\n"), io.Discard); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}
