package grid

// run goes through the steps of section 8.5.
func (p *placing) run(stop func() error) error {
	for i := range p.items {
		if item := &p.items[i]; item.major.definite && item.minor.definite {
			p.take(item)
		}
	}
	for i := range p.items {
		if err := ask(i, stop); err != nil {
			return err
		}
		if item := &p.items[i]; item.major.definite && !item.minor.definite {
			p.lock(item)
		}
	}
	for _, item := range p.items {
		if item.minor.definite {
			p.minor = max(p.minor, item.minor.start)
		}
		p.minor = max(p.minor, item.minor.start+item.minor.span)
	}
	for i := range p.items {
		if err := ask(i, stop); err != nil {
			return err
		}
		if item := &p.items[i]; !item.major.definite {
			p.auto(item)
		}
	}
	return nil
}

func ask(i int, stop func() error) error {
	if i%64 != 0 || stop == nil {
		return nil
	}
	return stop()
}

func (p *placing) take(item *pair) {
	p.taken.take(item.major.tracks(), item.minor.tracks())
}

// lock places an item whose major track is given: step 1.
func (p *placing) lock(item *pair) {
	from := 0
	if !p.dense {
		from = p.locked[item.major.start]
	}
	item.minor.start = gap(p.taken.merge(item.major.tracks()), from, item.minor.span, widest)
	item.minor.definite = true
	p.locked[item.major.start] = item.minor.start + item.minor.span
	p.take(item)
}

// auto places an item whose major track is not given: step 4.
func (p *placing) auto(item *pair) {
	if item.minor.definite {
		p.autoMajor(item)
	} else {
		p.autoBoth(item)
	}
	item.major.definite, item.minor.definite = true, true
	p.take(item)
}

func (p *placing) autoMajor(item *pair) {
	key := shape{item.major.span, item.minor.span, item.minor.start}
	major := p.seen[key]
	if !p.dense {
		major = p.cursor.major
		if item.minor.start < p.cursor.minor {
			major++
		}
	}
	from, end := item.minor.start, item.minor.start+item.minor.span
	for !p.taken.full(major, item.major.span) {
		rows := Range{major, major + item.major.span}
		if gap(p.taken.merge(rows), from, item.minor.span, end) == from {
			break
		}
		major = p.taken.after(rows, from, item.minor.span, end)
	}
	p.settle(item, major, from, key)
}

func (p *placing) autoBoth(item *pair) {
	key := shape{item.major.span, item.minor.span, -1}
	major, minor := p.seen[key], 0
	if !p.dense {
		major, minor = p.cursor.major, p.cursor.minor
	}
	for !p.taken.full(major, item.major.span) {
		rows := Range{major, major + item.major.span}
		if at := gap(p.taken.merge(rows), minor, item.minor.span, p.minor); at+item.minor.span <= p.minor {
			minor = at
			break
		}
		major, minor = p.taken.after(rows, 0, item.minor.span, p.minor), 0
	}
	p.settle(item, major, minor, key)
}

func (p *placing) settle(item *pair, major, minor int, key shape) {
	item.major.start = min(major, max(p.taken.most-item.major.span, 0))
	item.minor.start = minor
	p.cursor.major, p.cursor.minor = item.major.start, minor
	if p.dense {
		p.seen[key] = item.major.start
	}
}
