package locale

import (
	"strconv"
	"strings"
	"time"
)

// styles are the names for patterns of the locale.
var styles = map[string]struct{ date, time, join int }{
	"short":           {date: DateShort},
	"medium":          {date: DateMedium},
	"long":            {date: DateLong},
	"full":            {date: DateFull},
	"time":            {time: TimeShort},
	"time-seconds":    {time: TimeMedium},
	"datetime":        {DateMedium, TimeShort, JoinMedium},
	"datetime-short":  {DateShort, TimeShort, JoinShort},
	"datetime-medium": {DateMedium, TimeMedium, JoinMedium},
	"datetime-long":   {DateLong, TimeShort, JoinLong},
	"datetime-full":   {DateFull, TimeShort, JoinFull},
}

// Styles are the names that [Locale.Style] knows.
func Styles() []string {
	return []string{
		"short", "medium", "long", "full", "time", "time-seconds",
		"datetime", "datetime-short", "datetime-medium", "datetime-long", "datetime-full",
	}
}

// Style returns the locale's own pattern for a style.
func (l Locale) Style(name string) (p Pattern, known bool) {
	style, known := styles[name]
	if !known {
		return nil, false
	}
	var text string
	switch {
	case style.join != 0:
		text = strings.NewReplacer("{1}", l.fact(style.date), "{0}", l.fact(style.time)).Replace(l.fact(style.join))
	case style.time != 0:
		text = l.fact(style.time)
	default:
		text = l.fact(style.date)
	}
	p, err := ParsePattern(text)
	return p, err == nil
}

// Date writes a date, in its own zone.
func (l Locale) Date(p Pattern, t time.Time) string {
	var b strings.Builder
	for _, piece := range p {
		if piece.field == 0 {
			b.WriteString(piece.text)
			continue
		}
		b.WriteString(l.field(piece.field, piece.count, t))
	}
	return b.String()
}

func (l Locale) field(field byte, count int, t time.Time) string {
	switch field {
	case 'G':
		return l.fact(Era)
	case 'y':
		return l.year(count, t.Year())
	case 'Q':
		return l.padded((int(t.Month())+2)/3, count)
	case 'M':
		return l.month(count, t, MonthsShort, MonthsWide)
	case 'L':
		return l.month(count, t, MonthsShortAlone, MonthsWideAlone)
	case 'd':
		return l.padded(t.Day(), count)
	case 'D':
		return l.padded(t.YearDay(), count)
	case 'E':
		return l.day(count, t, DaysShort, DaysWide)
	case 'c':
		return l.day(count, t, DaysShortAlone, DaysWideAlone)
	default:
		return l.clockField(field, count, t)
	}
}

func (l Locale) clockField(field byte, count int, t time.Time) string {
	switch field {
	case 'a':
		return l.name(Periods, t.Hour()/12)
	case 'H':
		return l.padded(t.Hour(), count)
	case 'h':
		return l.padded((t.Hour()+11)%12+1, count)
	case 'm':
		return l.padded(t.Minute(), count)
	case 's':
		return l.padded(t.Second(), count)
	case 'S':
		return l.localDigits(t.Format(".000000000")[1 : 1+count])
	case 'V':
		return t.Location().String()
	case 'x':
		return t.Format("-07:00")
	case 'X':
		return t.Format("Z07:00")
	default: // Z
		return t.Format("-0700")
	}
}

// year has two digits for yy, and at least as many as letters otherwise.
func (l Locale) year(count, year int) string {
	if count == 2 {
		return l.padded(year%100, 2)
	}
	return l.padded(year, count)
}

func (l Locale) month(count int, t time.Time, short, wide int) string {
	month := int(t.Month())
	switch count {
	case 3:
		return l.name(short, month-1)
	case 4:
		return l.name(wide, month-1)
	case 5:
		return l.name(MonthsNarrow, month-1)
	default:
		return l.padded(month, count)
	}
}

func (l Locale) day(count int, t time.Time, short, wide int) string {
	switch count {
	case 4:
		return l.name(wide, int(t.Weekday()))
	case 5:
		return l.name(DaysNarrow, int(t.Weekday()))
	default:
		return l.name(short, int(t.Weekday()))
	}
}

func (l Locale) padded(n, width int) string {
	digits := strconv.Itoa(n)
	return l.localDigits(strings.Repeat("0", max(0, width-len(digits))) + digits)
}
