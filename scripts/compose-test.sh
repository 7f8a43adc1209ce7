#!/usr/bin/env bash
# Tries the images and docker-compose.yml as a user would: builds from bin/, starts, renders the example invoice, kills a
# worker in the middle of its work, and expects every document. Needs a Docker engine. Everything it makes has a name of
# its own and is removed at the end, also after a failure.
#
# PLATEN_REDIS_IMAGE, where set, is the Redis image; otherwise the one from Debian's package is built and used.
# DOCKER_BUILD_FLAGS, for example --network=host, goes to docker build. COMPOSE names the compose command.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'compose-test: %s\n' "$*"; }
die() {
	say "FAILED: $*" >&2
	exit 1
}
for program in docker curl jq pdftotext; do
	command -v "$program" >/dev/null || die "$program is not installed"
done
docker info >/dev/null 2>&1 || die "no Docker engine answers"

read -ra compose <<<"${COMPOSE:-docker compose}"
read -ra build_flags <<<"${DOCKER_BUILD_FLAGS:-}"
work=$(mktemp -d)
name=platen-test-$$
export PLATEN_API_IMAGE=$name-api PLATEN_WORKER_IMAGE=$name-worker
images=("$PLATEN_API_IMAGE" "$PLATEN_WORKER_IMAGE")

run_compose() { "${compose[@]}" -p "$name" --env-file "$work/env" "$@"; }

tear_down() {
	local status=$?
	if [ "$status" != 0 ]; then
		run_compose logs --no-color --tail 40 >&2 || true
	fi
	run_compose down --volumes --timeout 5 >"$work/down.log" 2>&1 || cat "$work/down.log" >&2
	docker rmi "${images[@]}" >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap tear_down EXIT

image() { docker build "${build_flags[@]+"${build_flags[@]}"}" --target "$1" -t "$2" . >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; die "build $1"; }; }

# within SECONDS COMMAND... repeats a command until it succeeds.
within() {
	local deadline=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$deadline" ] || return 1
		sleep 0.5
	done
}

all_healthy() {
	local id
	for id in $(run_compose ps -q); do
		[ "$(docker inspect -f '{{if .State.Health}}{{.State.Health.Status}}{{end}}' "$id")" = healthy ] || return 1
	done
}

api() { curl -fsS --max-time 60 -H "Authorization: Bearer $key" "$@"; }
submit() { api "$url/jobs" -F "html=@$1;type=text/html" | jq -er .id; }
status() { api "$url/jobs/$1" | jq -er .status; }

# finished tells whether a job succeeded, and gives up at once on one that failed.
finished() {
	case $(status "$1") in
	succeeded) return 0 ;;
	failed | canceled) die "$1: $(api "$url/jobs/$1")" ;;
	*) return 1 ;;
	esac
}

# running N tells whether at least N of the jobs are being rendered.
running() { [ "$(api "$url/jobs?status=running" | jq '.data | length')" -ge "$1" ]; }

# text_of prints the text of a job's document, after a look at its digest.
text_of() {
	local job
	job=$(api "$url/jobs/$1")
	api -o "$work/document.pdf" "$url/documents/$(jq -er .document_id <<<"$job")/content"
	[ "$(sha256sum <"$work/document.pdf" | cut -d' ' -f1)" = "$(jq -er .result.sha256 <<<"$job")" ] || die "$1: another digest"
	pdftotext "$work/document.pdf" -
}

# slow_page N prints a page that keeps its renderer busy for four seconds.
slow_page() {
	printf '<!DOCTYPE html><p>SLOW-%s<script>for (const end = Date.now() + 4000; Date.now() < end; );</script>' "$1"
}

say "building the images"
image api-prebuilt "$PLATEN_API_IMAGE"
image worker-prebuilt "$PLATEN_WORKER_IMAGE"
if [ -z "${PLATEN_REDIS_IMAGE:-}" ]; then
	export PLATEN_REDIS_IMAGE=$name-redis
	images+=("$PLATEN_REDIS_IMAGE")
	image redis "$PLATEN_REDIS_IMAGE"
fi

scripts/env.sh deploy/.env.example "$work/env"
# A port with nothing before it: Docker takes a free one. The shell's value wins over the file's.
export PLATEN_PUBLISH=127.0.0.1:
say "starting"
run_compose up -d --no-build
within 120 all_healthy || die "not healthy: $(run_compose ps)"
url=http://$(run_compose port api 8080)

key=$(sed -n 's/^PLATEN_ADMIN_KEY=//p' "$work/env")
key=$(api "$url/admin/keys" -H 'Content-Type: application/json' -d '{"name": "compose-test"}' | jq -er .key)

say "rendering the example invoice"
job=$(submit examples/invoice.html)
within 60 finished "$job" || die "$job: still $(status "$job")"
text_of "$job" >"$work/text"
grep -q INV-2026-00417 "$work/text" || die "the invoice has no number: $(cat "$work/text")"

say "killing a worker in the middle of its work"
jobs=()
for n in 1 2 3 4 5 6 7 8; do
	slow_page "$n" >"$work/slow-$n.html"
	jobs+=("$(submit "$work/slow-$n.html")")
done
within 30 running 2 || die "fewer than two jobs are running"
run_compose kill -s SIGKILL worker-1
taken_over=0
for n in 1 2 3 4 5 6 7 8; do
	job=${jobs[n - 1]}
	within 120 finished "$job" || die "$job: still $(status "$job")"
	text_of "$job" >"$work/text"
	grep -q "SLOW-$n" "$work/text" || die "$job is another document"
	if [ "$(api "$url/jobs/$job" | jq -er .attempt)" -gt 1 ]; then
		taken_over=$((taken_over + 1))
	fi
done
[ "$taken_over" -gt 0 ] || die "no job had a second attempt, so the worker was not killed in the middle of one"
say "ok: 9 documents, $taken_over of them taken over by the other worker"
