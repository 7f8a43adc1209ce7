package chromium

import "os"

// pipes are the three pipes between this process and a browser.
type pipes struct {
	commands, answers, output *os.File
	theirs                    []*os.File // by descriptor: 0–2 are standard, 3 and 4 the protocol
	ends                      []*os.File // of theirs, to be closed here once the browser has them
}

func openPipes() (*pipes, error) {
	p := &pipes{}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	p.ends = append(p.ends, null)
	for _, own := range []**os.File{&p.commands, &p.answers, &p.output} {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeTheirs()
			p.closeOurs()
			return nil, err
		}
		theirs := w
		*own = r
		if own == &p.commands {
			theirs, *own = r, w
		}
		p.ends = append(p.ends, theirs)
	}
	p.theirs = []*os.File{null, p.ends[3], p.ends[3], p.ends[1], p.ends[2]}
	return p, nil
}

func (p *pipes) closeTheirs() {
	for _, f := range p.ends {
		_ = f.Close()
	}
}

func (p *pipes) closeOurs() {
	for _, f := range []*os.File{p.commands, p.answers, p.output} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// tail keeps the last bytes that were written to it.
type tail struct {
	max  int
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.max; over > 0 {
		t.kept = append([]byte{}, t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.kept) }
