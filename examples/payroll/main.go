// Command payroll writes the table of a payroll: payslips of one month for as many invented employees as are asked for, always the same ones. They fit the
// template payslip of this project.
//
//	go run ./examples/payroll -n 10000 > payroll.csv
//
// README.md tells the whole run.
package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "payroll:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("payroll", flag.ContinueOnError)
	n := flags.Int("n", 100, "how many employees")
	from := flags.Int("from", 1, "the personnel number of the first one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *n < 0 || *from < 1 || *from+*n-1 > lastNumber {
		return fmt.Errorf("personnel numbers are from 1 to %d", lastNumber)
	}
	return write(w, *from, *n)
}

// write writes the table as RFC 4180 has it.
func write(w io.Writer, from, n int) error {
	buffered := bufio.NewWriter(w)
	table := csv.NewWriter(buffered)
	of := columns()
	if err := table.Write(heading(of)); err != nil {
		return err
	}
	for number := from; number < from+n; number++ {
		if err := table.Write(employ(number).slip().row(of)); err != nil {
			return err
		}
	}
	table.Flush()
	return errors.Join(table.Error(), buffered.Flush())
}
