# Every step of CI is a target here, and every target runs on a laptop.

GO       ?= go
LINT     := bin/golangci-lint
COMPOSE   = $(shell docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose)
FUZZTIME ?= 30s
DURATION ?= 60s
SEED     ?= 1
ENGINE   ?= test
TOPOLOGY ?= single
KILL     ?= all
PKG      ?= ./...
ITEMS    ?= 10000
SCRIPTS  := .ci/run $(wildcard scripts/*.sh)

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##
## Run
##

.PHONY: run
run: setup-run build ## Install what is missing, build, and start everything on 127.0.0.1:8080
	@exec bin/platen dev

.PHONY: build
build: ## Build the commands into bin/
	CGO_ENABLED=0 $(GO) build -trimpath -tags disable_grpc_modules -o bin/ ./cmd/...

.PHONY: browser
browser: ## Install a headless browser, for documents that the native engine does not draw
	@scripts/setup.sh browser

.PHONY: setup-run
setup-run: ## Install what "run" needs: Redis
	@scripts/setup.sh run

.PHONY: setup-test
setup-test: ## Install what the tests need: the same, and readers for what they render
	@scripts/setup.sh test

##
## Check
##

.PHONY: check
check: setup-test fmt-check tidy-check lint test-race docs-check chaos ## All that CI runs

# The reader of PDFs takes seconds to compile, with the race detector minutes: packages share the result.
test test-race chaos: export PLATEN_CACHE_DIR ?= $(CURDIR)/bin/cache

.PHONY: test
test: setup-test ## Install what the tests need and run them all
	$(GO) test -count=1 -timeout=30m $(PKG)

.PHONY: test-race
test-race: setup-test ## The same under the race detector, in random order
	$(GO) test -race -shuffle=on -timeout=30m $(PKG)

.PHONY: fidelity
fidelity: setup-test ## Measure the native engine by the browser, document by document; test and check hold the same line
	@mkdir -p bin
	@$(GO) test -count=1 -run '^TestFidelity$$' -v ./internal/render/native >bin/fidelity.txt; status=$$?; \
		grep -vE '^ *(=== |--- PASS|PASS)' bin/fidelity.txt | sed 's/^ *fidelity_test.go:[0-9]*: //'; exit $$status

.PHONY: gallery
gallery: setup-test ## Draw the pictures of the templates for docs/gallery.md anew
	$(GO) test -count=1 -run '^TestTheGalleryShowsWhatIsRendered$$' ./examples -update

.PHONY: lint
lint: $(LINT) setup-test ## Run the linters over the code and the scripts
	$(LINT) run $(PKG)
	shellcheck $(SCRIPTS)

.PHONY: fmt
fmt: $(LINT) ## Format the code
	$(LINT) fmt

.PHONY: fmt-check
fmt-check: $(LINT) ## Fail where the code is not formatted
	$(LINT) fmt --diff

.PHONY: tidy
tidy: ## Tidy go.mod
	$(GO) mod tidy

.PHONY: tidy-check
tidy-check: ## Fail where go.mod is not tidy or a module is not what go.sum says
	$(GO) mod tidy -diff
	$(GO) mod verify

.PHONY: docs-check
docs-check: ## Check links, make targets and settings in the documents
	$(GO) test ./docs

.PHONY: vuln
vuln: bin/govulncheck ## Look for known vulnerabilities; needs the network, so it is not part of check
	bin/govulncheck $(PKG)

##
## Look closer
##

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME
	FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

.PHONY: chaos
chaos: setup-test ## Kill and disturb processes for DURATION while clients submit, then judge what they were told
	$(GO) build -o bin/ ./cmd/... ./bench/chaos
	bin/chaos -duration $(DURATION) -seed $(SEED) -engine $(ENGINE) -topology $(TOPOLOGY) -kill $(KILL)

# Each line is the arguments of one run; all are run, whichever fails.
CHAOS_RUNS := "-topology single" "-topology tls" "-topology sentinel" "-topology cluster" "-engine chromium" "-kill workers"

.PHONY: chaos-all
chaos-all: setup-test ## The same on every topology, with the real browser, and with workers alone killed
	$(GO) build -o bin/ ./cmd/... ./bench/chaos
	@failed=; for run in $(CHAOS_RUNS); do \
		bin/chaos -duration $(DURATION) -seed $(SEED) $$run || failed="$$failed [$$run]"; \
	done; test -z "$$failed" || { echo "chaos-all: failed:$$failed" >&2; exit 1; }

.PHONY: bench
bench: setup-test ## Run the benchmarks
	$(GO) test -run='^$$' -bench=. -benchmem -timeout=2h $(PKG)

.PHONY: fairness
fairness: setup-test ## Measure how long a job waits beside 100,000 of another tenant, and what an idle worker costs; docs/scaling.md
	$(GO) test -run='^$$' -bench='LongBacklog|IdleWorker' -benchtime=1x -timeout=20m ./internal/worker

.PHONY: bench-payroll
bench-payroll: setup-test build ## Measure a payroll run of ITEMS payslips, a worker killed on the way
	$(GO) build -o bin/ ./bench/payroll
	bin/payroll -items $(ITEMS)

.PHONY: bench-native
bench-native: setup-test ## Measure the native engine against the browser, and draw docs/benchmarks.svg
	@mkdir -p bin
	$(GO) test -run='^$$' -bench=. -benchmem -timeout=1h ./internal/render/native > bin/bench-native.txt || { cat bin/bench-native.txt; exit 1; }
	@cat bin/bench-native.txt
	$(GO) run ./bench/plot < bin/bench-native.txt > docs/benchmarks.svg

.PHONY: cover
cover: setup-test ## Run the tests with coverage and write bin/coverage.html
	@mkdir -p bin
	$(GO) test -coverpkg=./... -coverprofile=bin/coverage.out $(PKG)
	$(GO) tool cover -html=bin/coverage.out -o bin/coverage.html
	$(GO) tool cover -func=bin/coverage.out | tail -n 1

##
## Containers
##

.PHONY: compose-up
compose-up: .env ## Build the images and start Redis, the API and two workers
	$(COMPOSE) up -d --build

.PHONY: compose-down
compose-down: .env ## Stop them; the volumes stay
	$(COMPOSE) down

.PHONY: compose-test
compose-test: build ## Render a document in containers and kill a worker; needs a Docker engine
	COMPOSE="$(COMPOSE)" scripts/compose-test.sh

.PHONY: images
images: build ## Build the images from bin/, for a host that cannot fetch a Go image
	docker build --target api-prebuilt -t platen-api .
	docker build --target worker-prebuilt -t platen-worker .

##
## House keeping
##

.PHONY: clean
clean: ## Remove what was built; data of "run" under .platen stays
	rm -rf bin

.env: deploy/.env.example scripts/env.sh
	@scripts/env.sh deploy/.env.example .env

# Linters are built from the versions in tools/go.mod, and again only when those change.
bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && $(GO) build -o ../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

bin/govulncheck: tools/go.mod tools/go.sum
	cd tools && $(GO) build -o ../bin/ golang.org/x/vuln/cmd/govulncheck
