#!/usr/bin/env bash
# Installs what Platen needs on this machine and does not find.
#
#   scripts/setup.sh run      what `make run` needs: Redis
#   scripts/setup.sh browser  what `make browser` adds: a headless browser, and fonts for characters that the built-in ones lack
#   scripts/setup.sh test     both, and what the tests read their results with
#
# As root it installs at once. Anyone else is shown the packages and their size and is asked before sudo is used;
# YES=1, or no terminal to ask on, goes on without the question. Where there is no apt it prints the line for the
# system at hand and goes on with what is there. PLATEN_CHROMIUM may name any Chrome or Chromium.
# A redis-server or PostgreSQL that this script installs is not started and not enabled; one that was there before is left alone.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }
die() { say "setup: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# has_browser wants the headless shell itself: other browsers are slower, and call home.
has_browser() {
	if [ -n "${PLATEN_CHROMIUM:-}" ]; then
		have "$PLATEN_CHROMIUM" || die "PLATEN_CHROMIUM names $PLATEN_CHROMIUM, which is not a program"
		return 0
	fi
	have chromium-headless-shell
}

# other_browser prints a browser that the worker takes where there is no headless shell.
other_browser() {
	command -v chrome-headless-shell headless-shell chromium chromium-browser google-chrome | head -n 1
}

# has_font tells whether a package's fonts are there; without dpkg nobody can tell, and the browser finds its own.
has_font() {
	have dpkg-query || return 0
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# has_postgresql looks where Debian keeps the server's program, which is not on the PATH, and on the PATH.
has_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || have postgres; }

# missing prints the Debian packages whose part is not on this machine.
missing() {
	local font
	if [ "$1" != browser ]; then
		have redis-server || echo redis-server
	fi
	[ "$1" != run ] || return 0
	has_browser || echo chromium-headless-shell
	for font in fonts-liberation fonts-dejavu-core fonts-noto-core; do
		has_font "$font" || echo "$font"
	done
	[ "$1" = test ] || return 0
	have pdftotext || echo poppler-utils
	have qpdf || echo qpdf
	have zbarimg || echo zbar-tools
	have shellcheck || echo shellcheck
	has_postgresql || echo postgresql
	have openssl || echo openssl
	have python3 || echo python3
	have php || echo php-cli
	have node || echo nodejs
	have npm || echo npm
}

# other_system prints the line for a machine without apt. Redis and the browser have other names there.
other_system() {
	say "setup: no apt on this system. Missing, by Debian's names: $*"
	if have dnf; then
		say "  sudo dnf install redis chromium-headless liberation-fonts dejavu-sans-fonts google-noto-sans-fonts poppler-utils qpdf zbar ShellCheck postgresql-server openssl python3 php-cli nodejs npm"
	elif have pacman; then
		say "  sudo pacman -S --needed redis chromium ttf-liberation ttf-dejavu noto-fonts poppler qpdf zbar shellcheck postgresql openssl python php nodejs npm"
	elif have apk; then
		say "  sudo apk add redis chromium font-liberation font-dejavu font-noto poppler-utils qpdf zbar shellcheck postgresql openssl python3 php nodejs npm"
	elif have zypper; then
		say "  sudo zypper install redis chromium liberation-fonts dejavu-fonts google-noto-sans-fonts poppler-tools qpdf zbar ShellCheck postgresql-server openssl python3 php8-cli nodejs-default npm-default"
	elif have brew; then
		say "  brew install redis poppler qpdf zbar shellcheck postgresql openssl python php node && brew install --cask chromium"
	else
		say "  install them with your system's own packages"
	fi
	say "  PLATEN_CHROMIUM may name any Chrome or Chromium. Going on with what is here."
}

# unknown prints those packages that this system's lists do not offer.
unknown() {
	local package
	for package in "$@"; do
		apt-cache policy "$package" 2>/dev/null | grep 'Candidate: [^(]' >/dev/null || echo "$package"
	done
}

# size prints what apt would download for the packages, their dependencies included.
size() {
	apt-get install -y --no-install-recommends --print-uris "$@" 2>/dev/null |
		awk '/^\x27/ { bytes += $3 } END { printf "%.1f MB", bytes / 1e6 }'
}

# confirm asks on a terminal. Without one, or with YES=1, the answer is yes.
confirm() {
	local answer
	if [ "${YES:-}" = 1 ] || [ ! -t 0 ]; then
		return 0
	fi
	printf '%s [Y/n] ' "$1" >&2
	read -r answer
	case $answer in '' | y | Y | yes) ;; *) return 1 ;; esac
}

# declined ends the script with the line for whoever said no.
declined() { die "nothing was installed. By hand: sudo apt-get install --no-install-recommends $*"; }

policy=/usr/sbin/policy-rc.d
policy_before=$policy.before-platen

# forbid_start keeps the packages from starting their services, and asks the policy that was there about all others.
forbid_start() {
	if [ -e "$policy" ] && [ ! -e "$policy_before" ]; then
		mv "$policy" "$policy_before"
	fi
	cat >"$policy" <<-POLICY
		#!/bin/sh
		for service in $*; do
			case " \$* " in *" \$service"*) exit 101 ;; esac
		done
		[ -x $policy_before ] && exec $policy_before "\$@"
		exit 0
	POLICY
	chmod 755 "$policy"
}

restore_policy() {
	rm -f "$policy"
	if [ -e "$policy_before" ]; then
		mv "$policy_before" "$policy"
	fi
}

# apt_install tries once more with fresh lists, because old ones name versions that the mirror has dropped.
apt_install() {
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@" >&2 && return 0
	apt-get update -q >&2
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@" >&2
}

# services prints those packages that bring a service of their own name.
services() { printf '%s\n' "$@" | grep -xE 'redis-server|postgresql' || true; }

# install_packages runs as root. What is in the list was on this machine in no form, so its service is ours to disable.
install_packages() {
	local idle service
	idle=$(services "$@")
	if [ -z "$idle" ]; then
		apt_install "$@"
		return
	fi
	trap restore_policy EXIT
	# shellcheck disable=SC2086 # package names, one word each
	forbid_start $idle
	apt_install "$@"
	restore_policy
	trap - EXIT
	for service in $idle; do
		if have systemctl; then
			systemctl --quiet disable "$service.service" >&2
		elif have update-rc.d; then
			update-rc.d "$service" disable >&2
		fi
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		die "root is needed for: $*"
	fi
}

# refresh fetches the package lists where they are missing, or lack a package that every Debian and Ubuntu has.
refresh() {
	local lists='/var/lib/apt/lists/*Packages*'
	if compgen -G "$lists" >/dev/null && ! unknown "$@" | grep -v '^chromium-headless-shell$' >/dev/null; then
		return 0
	fi
	if [ "$(id -u)" != 0 ]; then
		confirm "Platen needs packages: $*. Fetch the package lists with sudo?" || declined "$@"
	fi
	as_root apt-get update -q >&2
}

# offered prints those packages that can be installed here. Only the headless shell may be wanting: Ubuntu has none.
offered() {
	local package absent
	absent=$(unknown "$@")
	for package in "$@"; do
		if ! grep -qx "$package" <<<"$absent"; then
			echo "$package"
		elif [ "$package" != chromium-headless-shell ]; then
			die "this system's lists have no package $package"
		elif [ -z "$(other_browser)" ]; then
			say "setup: no package $package here. Install a Chrome or Chromium by hand, or let PLATEN_CHROMIUM name one"
		fi
	done
}

# with_apt installs the packages, after a question to anyone but root.
with_apt() {
	local packages
	refresh "$@"
	packages=$(offered "$@")
	if [ -z "$packages" ]; then
		return 0
	fi
	# shellcheck disable=SC2086 # package names, one word each
	set -- $packages
	say "setup: Platen needs $* (to download: $(size "$@"))"
	if [ "$(id -u)" = 0 ]; then
		install_packages "$@"
		return
	fi
	confirm "Install them with sudo?" || declined "$@"
	as_root bash "$0" install "$@"
}

# npm_packages installs the library that tests hold our signatures against, in the version of its lock file. A copy of
# that file beside the library tells that it is there.
npm_packages() {
	local folder
	folder=$(dirname "$0")/../internal/interop/testdata/npm
	if cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed"; then
		return 0
	fi
	if ! have npm; then
		say "setup: no npm, hence not the packages of $folder/package-lock.json"
		return 0
	fi
	npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund >/dev/null || die "npm could not install $folder/package-lock.json"
	cp "$folder/package-lock.json" "$folder/node_modules/.installed"
}

# s3_server builds the S3 server that tests talk to, in the version that stands here. It is no module of ours, so go.mod does not know it.
s3_server() {
	local tools version=v1.8.0
	tools=$(cd "$(dirname "$0")/.." && pwd)/bin/tools
	if go version -m "$tools/versitygw" 2>/dev/null | grep "versitygw[[:space:]]*$version" >/dev/null; then
		return 0
	fi
	say "setup: building versitygw $version into bin/tools: a minute or two, once"
	GOBIN=$tools GOFLAGS=-trimpath go install "github.com/versity/versitygw/cmd/versitygw@$version" || die "versitygw, the S3 server of the tests, could not be built"
}

debian_packages() {
	local packages
	packages=$(missing "$1")
	if [ -z "$packages" ]; then
		return 0
	fi
	if have apt-get; then
		# shellcheck disable=SC2086 # package names, one word each
		with_apt $packages
	elif [ "$packages" != chromium-headless-shell ] || [ -z "$(other_browser)" ]; then
		# shellcheck disable=SC2086
		other_system $packages
	fi
}

main() {
	have go || die "Go is not on the PATH. Platen needs Go 1.26 or later: https://go.dev/doc/install"
	debian_packages "$1"
	if [ "$1" = test ]; then
		npm_packages
		s3_server
	fi
}

case ${1:-} in
run | browser | test) main "$1" ;;
install)
	shift
	install_packages "$@"
	;;
*) die "usage: scripts/setup.sh run|browser|test" ;;
esac
