# Everything a person does with this repository is one of these.
#
#   make demo    builds tracemerge and reports on two fixture runs
#   make test    every check: format, vet, staticcheck, race tests, fuzz seeds, browser

SHELL    := /bin/bash
GO       ?= go
FUZZTIME ?= 10s
RACE     := -race -shuffle=on
STATICCHECK := $(GO) tool -modfile=.ci/tools.mod staticcheck
CHARTS   := render/assets/echarts.min.js
PACKAGES := ./...
BROWSER  := render/browsertest

.PHONY: build demo test lint unit browser bench fuzz hammer golden fixtures clean charts

build: charts
	$(GO) build -trimpath -o bin/tracemerge ./cmd/tracemerge

# The charts' script is built from npm by lock file and never committed. Without
# npm the program still builds; its reports then have the drawn pictures only.
charts: $(CHARTS)

$(CHARTS): render/js/package-lock.json $(wildcard render/js/*.mjs render/js/*.js)
	@if command -v npm >/dev/null; then \
	  cd render/js && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build; \
	else \
	  echo "npm not found: building without the charts' script; reports have drawn pictures and tables"; \
	fi

demo: build
	bin/tracemerge build fixtures/loader-before fixtures/loader-after --output demo-report.html --json demo-summary.json
	@echo "open demo-report.html in a browser (the figures as JSON: demo-summary.json)"

test: lint unit browser

lint:
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi
	$(GO) vet $(PACKAGES)
	$(STATICCHECK) $(PACKAGES)

unit: charts
	$(GO) test $(RACE) $(PACKAGES)

# Skips with a message where there is no chromium, unless TRACEMERGE_BROWSER=require.
# It looks at hand-made reports of many states and at those of the built program.
browser: export TRACEMERGE_BIN  := $(CURDIR)/bin/tracemerge
browser: export TRACEMERGE_RUNS := $(CURDIR)/fixtures/mockreview:$(CURDIR)/fixtures/loader-before
browser: build
	cd $(BROWSER) && $(GO) vet ./... && $(GO) test -count=1 ./...

bench:
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGES)

# Every fuzz target for FUZZTIME.
fuzz:
	@set -e; for pkg in $$($(GO) list $(PACKAGES)); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; \
	done

# A million mutated files through the readers (HAMMER=N and HAMMER_SEED=S choose).
HAMMER ?= 1000000
hammer:
	HAMMER=$(HAMMER) $(GO) test -run '^TestHammer$$' -v -count=1 -timeout 24h ./ingest/ingesttest

golden:
	$(GO) test ./render -args -update-html
	$(GO) test ./cmd/tracemerge -update

fixtures:
	$(GO) run ./fixtures/gen

clean:
	rm -rf bin demo-report.html demo-summary.json $(CHARTS) render/js/node_modules
