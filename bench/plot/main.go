// Command plot draws what BenchmarkRows of the native engine printed: how long a statement takes by its number of rows.
//
//	go test -run='^$' -bench=Rows ./internal/render/native | go run ./bench/plot > docs/benchmarks.svg
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// point is one size of the statement.
type point struct{ rows, seconds float64 }

func run(r io.Reader, w io.Writer) error {
	points, err := read(r)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, draw(points))
	return err
}

// result is a line of the benchmark: the rows, and the time of all cores.
var result = regexp.MustCompile(`^BenchmarkRows/(\d+)\S*\s.*?([\d.]+) cpu-ms/op`)

var errNothing = errors.New("no line of BenchmarkRows in the input")

func read(r io.Reader) ([]point, error) {
	var points []point
	for lines := bufio.NewScanner(r); lines.Scan(); {
		m := result.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		rows, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil, fmt.Errorf("rows: %w", err)
		}
		ms, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, fmt.Errorf("time: %w", err)
		}
		points = append(points, point{rows, ms / 1000})
	}
	if len(points) == 0 {
		return nil, errNothing
	}
	return points, nil
}

// The picture, in its own units: the place of the axes, and where they end.
const (
	left, bottom, right, top = 60, 270, 600, 30
	ticks                    = 5
)

// draw makes a picture of points and of the straight line from nothing to the last of them.
func draw(points []point) string {
	last := points[len(points)-1]
	highest := last.seconds
	for _, p := range points {
		highest = max(highest, p.seconds)
	}
	x := func(rows float64) float64 { return left + rows/last.rows*(right-left) }
	y := func(seconds float64) float64 { return bottom - seconds/highest*(bottom-top) }
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-family="sans-serif" font-size="12">` + "\n")
	b.WriteString(`<rect width="640" height="320" fill="#fff"/>` + "\n")
	for i := range ticks + 1 {
		part := float64(i) / ticks
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#e5e7eb"/><text x="%d" y="%.1f" text-anchor="end">%.1f s</text>`+"\n",
			left, y(part*highest), right, left-8, y(part*highest)+4, part*highest)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`+"\n", x(part*last.rows), bottom+20, part*last.rows)
	}
	fmt.Fprintf(&b, `<path d="M%d %dL%.1f %.1f" stroke="#9ca3af" stroke-dasharray="4 4"/>`+"\n", left, bottom, x(last.rows), y(last.seconds))
	for _, p := range points {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="#4f46e5"><title>%.0f rows: %.2f s</title></circle>`+"\n", x(p.rows), y(p.seconds), p.rows, p.seconds)
	}
	fmt.Fprintf(&b, `<text x="%d" y="18">processor time of a statement, by its rows</text>`+"\n</svg>\n", left)
	return b.String()
}
