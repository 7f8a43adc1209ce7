#!/usr/bin/env bash
# Runs every fuzz target of the module for FUZZTIME (30s), one after the other. The go command takes one at a time.
# Of what is new little is made smaller: of pages that would take all the time.
set -euo pipefail

grep -rlE --include='*_test.go' '^func Fuzz[A-Z]' . | sort | while read -r file; do
	sed -nE 's/^func (Fuzz[A-Za-z0-9_]+)\(.*/\1/p' "$file" | while read -r target; do
		echo "== $(dirname "$file") $target"
		go test -run='^$' -fuzz="^$target\$" -fuzztime="${FUZZTIME:-30s}" -fuzzminimizetime=10x "$(dirname "$file")" </dev/null
	done
done
