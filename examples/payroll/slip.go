package main

import (
	"fmt"
	"strings"
)

type (
	cents  int64 // an amount of money
	tenths int64 // of an hour or a day
	basis  int64 // hundredths of a per cent
)

// String writes it with two decimals.
func (c cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s%d.%02d", sign, c/100, c%100)
}

// String writes it with one decimal.
func (t tenths) String() string { return fmt.Sprintf("%d.%d", t/10, t%10) }

// String writes it in per cent.
func (b basis) String() string { return fmt.Sprintf("%d.%02d", b/100, b%100) }

// of is a share of an amount, rounded half up.
func (b basis) of(amount cents) cents { return (amount*cents(b) + 5_000) / 10_000 }

// shares are what is deducted from the gross pay. The income tax is not how it is calculated anywhere.
var shares = []struct {
	name string
	rate basis
}{
	{"Income tax", 1_680}, {"Pension insurance", 930}, {"Unemployment insurance", 130}, {"Health insurance", 855}, {"Long-term care insurance", 180},
}

// slip is a payslip.
type slip struct {
	employee

	overtimePay, gross, deducted, net, paid cents
	deductions                              []cents
}

// slip calculates the month.
func (e employee) slip() slip {
	s := slip{employee: e}
	// 39 hours a week are 169 a month; a quarter is added for overtime.
	s.overtimePay = (e.salary*5*cents(e.overtime) + 3_380) / 6_760
	s.gross = e.salary + s.overtimePay
	for _, share := range shares {
		d := share.rate.of(s.gross)
		s.deductions = append(s.deductions, d)
		s.deducted += d
	}
	s.net = s.gross - s.deducted
	s.paid = s.net + e.travel - e.bicycle
	return s
}

// column is one of the table.
type column struct {
	name  string
	value func(slip) string
}

func text(name string, value func(slip) string) column { return column{name, value} }

func always(name, value string) column { return column{name, func(slip) string { return value }} }

// toDate is the amount of all months so far.
func (s slip) toDate(c cents) string { return (c * cents(s.months)).String() }

// unlessZero is empty where there is nothing to say; --omit-empty leaves the whole line out then.
func unlessZero[T ~int64](n T, text string) string {
	if n == 0 {
		return ""
	}
	return text
}

// columns are those of the table. Their names say where in the data of the template they belong; number is only for the key of the document.
func columns() []column {
	all := []column{
		text("number", func(s slip) string { return fmt.Sprintf("%07d", s.number) }),
		text("employee.name", func(s slip) string { return s.name }),
		text("employee.address.0", func(s slip) string { return s.street }),
		text("employee.address.1", func(s slip) string { return s.town }),
		always("employee.facts.0.name", "Personnel number"), text("employee.facts.0.value", func(s slip) string { return fmt.Sprintf("%07d", s.number) }),
		always("employee.facts.1.name", "Position"), text("employee.facts.1.value", func(s slip) string { return s.position }),
		always("employee.facts.2.name", "With us since"), text("employee.facts.2.value", func(s slip) string { return s.since }),
		always("employee.facts.3.name", "Tax class"), text("employee.facts.3.value", func(s slip) string { return s.taxClass }),
	}
	all = append(all, pay()...)
	for i, share := range shares {
		at := fmt.Sprintf("deductions.%d.", i)
		all = append(all, always(at+"name", share.name), always(at+"rate", share.rate.String()), text(at+"base", func(s slip) string { return s.gross.String() }),
			text(at+"amount", func(s slip) string { return s.deductions[i].String() }), text(at+"year_to_date", func(s slip) string { return s.toDate(s.deductions[i]) }))
	}
	return append(append(all, extras()...), sums()...)
}

func pay() []column {
	return []column{
		always("earnings.0.name", "Salary"), text("earnings.0.amount", func(s slip) string { return s.salary.String() }), text("earnings.0.year_to_date", func(s slip) string { return s.toDate(s.salary) }),
		text("earnings.1.name", func(s slip) string { return unlessZero(s.overtime, "Overtime") }), text("earnings.1.quantity", func(s slip) string { return unlessZero(s.overtime, s.overtime.String()) }),
		text("earnings.1.unit", func(s slip) string { return unlessZero(s.overtime, "h") }), text("earnings.1.amount", func(s slip) string { return unlessZero(s.overtime, s.overtimePay.String()) }),
		text("earnings.1.year_to_date", func(s slip) string { return unlessZero(s.overtime, s.toDate(s.overtimePay)) }),
	}
}

func extras() []column {
	return []column{
		text("adjustments.0.name", func(s slip) string { return unlessZero(s.travel, "Travel expenses") }), text("adjustments.0.amount", func(s slip) string { return unlessZero(s.travel, s.travel.String()) }),
		text("adjustments.1.name", func(s slip) string { return unlessZero(s.bicycle, "Bicycle lease") }), text("adjustments.1.amount", func(s slip) string { return unlessZero(s.bicycle, (-s.bicycle).String()) }),
	}
}

func sums() []column {
	return []column{
		text("totals.gross", func(s slip) string { return s.gross.String() }), text("totals.deductions", func(s slip) string { return s.deducted.String() }),
		text("totals.net", func(s slip) string { return s.net.String() }), text("totals.paid", func(s slip) string { return s.paid.String() }),
		text("year_to_date.gross", func(s slip) string { return s.toDate(s.gross) }), text("year_to_date.deductions", func(s slip) string { return s.toDate(s.deducted) }),
		text("year_to_date.net", func(s slip) string { return s.toDate(s.net) }), text("year_to_date.paid", func(s slip) string { return s.toDate(s.paid) }),
		always("payment.date", "2026-10-30"), text("payment.account_holder", func(s slip) string { return s.name }), text("payment.iban", func(s slip) string { return s.account }), always("payment.bank", "Aldersund Bank"),
		text("leave.entitled", func(s slip) string { return s.leave.String() }), text("leave.taken", func(s slip) string { return s.leaveTaken.String() }), text("leave.left", func(s slip) string { return (s.leave - s.leaveTaken).String() }),
	}
}

func heading(of []column) []string {
	names := make([]string, 0, len(of))
	for _, c := range of {
		names = append(names, c.name)
	}
	return names
}

func (s slip) row(of []column) []string {
	values := make([]string, 0, len(of))
	for _, c := range of {
		values = append(values, strings.TrimSpace(c.value(s)))
	}
	return values
}
