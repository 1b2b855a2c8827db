# All commands for developers. `make` lists them.

MODULES        := pkg metadata-service frontend-proxy
COMPOSE        ?= docker compose
ENGINE         ?= docker
IMAGE_FLAGS    ?=
CORPUS         ?=
SERVICE_LISTEN ?= 127.0.0.1:8080
PROXY_LISTEN   ?= 127.0.0.1:9002
DATA_DIR       ?= data
SOAK_ROUNDS    ?= 200
BENCH_TIME     ?= 1s
BENCH_ROUNDS   ?= 5
FUZZ_TIME      ?= 30s
BROWSERS       ?= 1
BIN            ?= bin

# Printed by --version of both binaries: the release of the built tag, or dev, and the commit.
VERSION        ?= $(or $(patsubst v%,%,$(shell git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null)),dev)
COMMIT         ?= $(or $(shell git describe --always --abbrev=40 --exclude '*' --dirty 2>/dev/null),unknown)
RELEASE        := github.com/cartulary/cartulary/pkg/release
# As released: without tables for debuggers, which a trace of a panic does not need.
STAMP          := -s -w -X $(RELEASE).version=$(VERSION) -X $(RELEASE).commit=$(COMMIT)

# The web pages need Node 20.19 or newer. Without it, or with NODE=, they are left out of the binaries.
ifeq ($(origin NODE),undefined)
NODE           := $(shell node -e 'const [a, b] = process.versions.node.split("."); a > 20 || a == 20 && b >= 19 || process.exit(1)' 2>/dev/null && command -v node)
endif
WEB            := frontend-proxy/web
WEB_SOURCES    := $(wildcard $(WEB)/*.ts $(WEB)/*.json) $(shell find $(WEB)/scripts -type f)
EXPLORER       := pkg/explorer/dist/graphiql.html
EXPLORER_FILES := $(WEB)/graphiql.html $(WEB)/src/theme/tokens.css $(wildcard $(WEB)/src/components/sign.*) $(shell find $(WEB)/src/explorer -type f ! -name '*.test.*')
PAGES          := $(WEB)/dist/index.html
PAGES_FILES    := $(WEB)/index.html $(shell find $(WEB)/src $(WEB)/public -type f ! -name '*.test.*' ! -path '*/explorer/*')

export SERVICE_LISTEN PROXY_LISTEN DATA_DIR CORPUS COMPOSE READY

.DEFAULT_GOAL := help
.PHONY: help build generate web web-check node run demo test race cover e2e e2e-web e2e-compose fuzz-openapi soak bench bench-search bench-graph bench-graphql bench-auth bench-web abuse fuzz lint fmt check tidy dist dist-check images extended up down clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: web ## build both binaries into bin/, or into the folder BIN
	@mkdir -p $(BIN)
	cd metadata-service && CGO_ENABLED=0 go build -trimpath -ldflags '$(STAMP)' -o $(abspath $(BIN))/metadata-service .
	cd frontend-proxy && CGO_ENABLED=0 go build -trimpath -ldflags '$(STAMP)' -o $(abspath $(BIN))/frontend-proxy .

web: $(if $(NODE),$(EXPLORER) $(PAGES)) ## build the pages for the binaries, if Node is installed
	@$(if $(NODE),:,echo "web: Node 20.19 or newer was not found; the binaries contain only previously built pages" >&2)

node: # path of the Node that builds the pages, if it is installed
	@echo $(NODE)

# Installed anew when the lock file changes; the file inside is where npm notes what it installed.
$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json
	cd $(WEB) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(EXPLORER): $(WEB)/node_modules/.package-lock.json $(WEB_SOURCES) $(EXPLORER_FILES)
	cd $(WEB) && npm run --silent build explorer

$(PAGES): $(WEB)/node_modules/.package-lock.json $(WEB_SOURCES) $(PAGES_FILES)
	cd $(WEB) && npm run --silent build app

web-check: web ## types, lint, unit tests and size budget of the pages
	cd $(WEB) && npm run --silent codegen -- --check && npm run --silent types && npm run --silent lint && npm run --silent test && npm run --silent budget

run: build ## start both on this machine, data in ./data, stop with Ctrl-C
	@exec deploy/run.sh

demo: build ## load the sample company into the running catalog
	@deploy/demo.sh

# Test files with random input, which the race detector makes ten times as slow, and a pattern of their tests.
RANDOM_FILES    = grep -rl --include='*_test.go' cartulary/pkg/trials .
RANDOM_TESTS    = -run "^($$($(RANDOM_FILES) | xargs -r grep -ohE '^func Test[A-Za-z0-9_]+' | sed 's/^func //' | paste -sd '|'))\$$" \
		  $$($(RANDOM_FILES) | xargs -r -n1 dirname | sort -u)

test: ## all tests of the three modules; RANDOM=1 runs only the files of tests with random input
	@set -e; for m in $(MODULES); do (cd $$m && go test -timeout 30m -vet=off $(if $(RANDOM),$(RANDOM_TESTS),./...)); done # make lint vets

race: ## all tests with the race detector, several times as slow; COVER=85 also checks coverage like make cover
	@set -e; for m in $(MODULES); do (cd $$m && CGO_ENABLED=1 $(if $(COVER),../.ci/coverage $(COVER)) go test -race -timeout 30m -vet=off ./...); done

cover: ## test coverage of catalog, store, model and drivers
	@cd metadata-service && ../.ci/coverage 85 go test -count=1 -vet=off \
		./internal/catalog/... ./internal/store/... ./internal/model/... ./internal/driver/...

e2e: build ## test the stock Python client against both binaries; CORPUS=folder adds recorded files
	@frontend-proxy/e2e/run.sh

e2e-web: build ## test the pages in Chromium against both binaries; CHROMIUM=path, BROWSERS files at a time
	BROWSERS=$(BROWSERS) FLAKY=$(FLAKY) TIMES=$(TIMES) node frontend-proxy/e2e/web/suite.mjs

e2e-compose: ## test images and docker-compose.yml up to a restart; READY=1 uses local binaries, without the executor
	@frontend-proxy/e2e/compose.sh

fuzz-openapi: build ## random requests from the OpenAPI documents; answers 5xx or with undocumented status fail
	@frontend-proxy/e2e/fuzz_openapi.sh

soak: ## test kill -9 and power cuts during concurrent writes, SOAK_ROUNDS times
	cd metadata-service && CARTULARY_SOAK=$(SOAK_ROUNDS) go test -count=1 -timeout 90m -v \
		-run 'KilledAtAnyMoment|PowerCuts|ADamaged' . ./internal/driver/bolt/...

bench: ## Go benchmarks, then ratios of each binary to its peers in one run
	@set -e; for m in $(MODULES); do (cd $$m && go test -vet=off -run '^$$' -bench . -benchtime $(BENCH_TIME) \
		$$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -r -n1 dirname | sort -u | grep -vx '\.')); done
	cd metadata-service && go test -run '^$$' -bench . -benchtime $(BENCH_ROUNDS)x .
	cd frontend-proxy && go test -run '^$$' -bench . -benchtime $(BENCH_ROUNDS)x .

bench-search: ## benchmark the search index with 10k, 100k and 1M entities, beside bleve
	cd metadata-service && BENCH_SEARCH=10000,100000,1000000 go test -run '^$$' -bench Figures -benchtime 1x -timeout 60m ./internal/driver/roaring

bench-auth: ## benchmark authentication, policy decisions, view authorization and the audit log
	cd metadata-service && go test -run '^$$' -bench . ./internal/auth/policy
	cd metadata-service && go test -run '^$$' -bench BenchmarkRequest -benchtime 199x ./internal/app
	cd metadata-service && go test -run '^$$' -bench BenchmarkAuditedWrites -benchtime $(BENCH_ROUNDS)x .

bench-web: build ## benchmark pages and search suggestions; BENCH_WEB_ASSETS, _ROWS and _VISITS
	node frontend-proxy/e2e/web/bench.mjs

bench-graph: ## benchmark lineage walks over a file, beside a traversal in memory
	cd metadata-service && go test -run '^$$' -bench 'Depth10Over2000|BlastRadius50000' ./internal/graph/lineage

bench-graphql: ## benchmark GraphQL: pages beside peers, phases, 1,000 requests/s for 60 s, refusals
	cd metadata-service && GRAPHQL_SECONDS=60 go test -run '^$$' -bench . -timeout 20m ./internal/transport/graphql

abuse: build ## measure known abuses of both binaries, and worst inputs of parsers; BRIEF=1 for a small catalog
	@.ci/parsers $(if $(BRIEF),3x,10x)
	@python3 frontend-proxy/e2e/abuse.py $(if $(BRIEF),--brief) bin

fuzz: ## run every fuzz test for FUZZ_TIME
	@.ci/fuzz $(FUZZ_TIME)

extended: ## run the long checks that .ci/run omits; takes hours; before a release, or after changes of checked parts
	@.ci/extended

generate: ## regenerate all generated files
	@for module in $(MODULES); do (cd $$module && go generate ./...) || exit 1; done

lint: ## run gofmt, go vet and staticcheck
	@.ci/lint

fmt: ## format the code
	gofmt -w $(MODULES)

check: lint race ## lint and race: must pass before a commit

tidy: ## update go.mod and go.sum
	@set -e; for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy); done

dist: web ## build archives, deb and rpm packages, checksums and bills of materials into dist/; PLATFORMS selects
	VERSION=$(VERSION) COMMIT=$(COMMIT) deploy/packaging/dist.sh dist

dist-check: web ## build the release twice, compare bytes, install the deb in a folder; PLATFORMS selects
	for n in 1 2; do VERSION=$(VERSION) COMMIT=$(COMMIT) deploy/packaging/dist.sh dist/$$n || exit 1; done
	diff -r dist/1 dist/2
	deploy/packaging/check.sh dist/1
	rm -r dist/1 dist/2

images: ## build both container images, with release and commit; ENGINE=podman uses podman
	@set -e; for p in metadata-service frontend-proxy; do \
		$(ENGINE) build $(IMAGE_FLAGS) --build-arg VERSION=$(VERSION) --build-arg COMMIT=$(COMMIT) -t cartulary/$$p -f deploy/docker/$$p.Dockerfile .; done

up: ## start both services in containers
	VERSION=$(VERSION) COMMIT=$(COMMIT) $(COMPOSE) up -d --build

down: ## stop the containers, keep the data
	$(COMPOSE) down

clean: ## remove build results; data stays
	rm -rf bin dist .cache $(WEB)/build $(WEB)/node_modules $(EXPLORER) pkg/explorer/dist/graphiql
