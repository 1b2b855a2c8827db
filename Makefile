# Everything a developer types. `make` alone lists it.

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

# What both binaries say they are: the release of the tag that is built, or dev, and the commit.
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

build: web ## both binaries into bin/, or into the folder BIN
	@mkdir -p $(BIN)
	cd metadata-service && CGO_ENABLED=0 go build -trimpath -ldflags '$(STAMP)' -o $(abspath $(BIN))/metadata-service .
	cd frontend-proxy && CGO_ENABLED=0 go build -trimpath -ldflags '$(STAMP)' -o $(abspath $(BIN))/frontend-proxy .

web: $(if $(NODE),$(EXPLORER) $(PAGES)) ## the pages inside the binaries, if Node is there
	@$(if $(NODE),:,echo "web: no Node 20.19 or newer here; the binaries hold no pages but what was built before" >&2)

node: # the Node that builds the pages, if there is one
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

demo: build ## fill the running catalog with the sample company
	@deploy/demo.sh

# Test files with random input, which the race detector makes ten times as slow, and a pattern of their tests.
RANDOM_FILES    = grep -rl --include='*_test.go' cartulary/pkg/trials .
RANDOM_TESTS    = -run "^($$($(RANDOM_FILES) | xargs -r grep -ohE '^func Test[A-Za-z0-9_]+' | sed 's/^func //' | paste -sd '|'))\$$" \
		  $$($(RANDOM_FILES) | xargs -r -n1 dirname | sort -u)

test: ## every test of the three modules; RANDOM=1 runs the files of tests with random input alone
	@set -e; for m in $(MODULES); do (cd $$m && go test -timeout 30m -vet=off $(if $(RANDOM),$(RANDOM_TESTS),./...)); done # make lint vets

race: ## the same with the race detector, which takes several times as long; COVER=85 asks for coverage as make cover does
	@set -e; for m in $(MODULES); do (cd $$m && CGO_ENABLED=1 $(if $(COVER),../.ci/coverage $(COVER)) go test -race -timeout 30m -vet=off ./...); done

cover: ## test coverage of the packages that decide what is stored
	@cd metadata-service && ../.ci/coverage 85 go test -count=1 -vet=off \
		./internal/catalog/... ./internal/store/... ./internal/model/... ./internal/driver/...

e2e: build ## the stock Python client against both binaries; CORPUS=folder adds recorded files
	@frontend-proxy/e2e/run.sh

e2e-web: build ## the pages in a real browser, CHROMIUM=path, against both binaries, BROWSERS files at a time
	BROWSERS=$(BROWSERS) FLAKY=$(FLAKY) TIMES=$(TIMES) node frontend-proxy/e2e/web/suite.mjs

e2e-compose: ## images and docker-compose.yml, from nothing to a restart; READY=1 with programs compiled here, without the executor
	@frontend-proxy/e2e/compose.sh

fuzz-openapi: build ## requests made up from the OpenAPI documents, none of which may be answered 5xx or by an undocumented status
	@frontend-proxy/e2e/fuzz_openapi.sh

soak: ## kill -9 and power cuts under concurrent writes, SOAK_ROUNDS times
	cd metadata-service && CARTULARY_SOAK=$(SOAK_ROUNDS) go test -count=1 -timeout 90m -v \
		-run 'KilledAtAnyMoment|PowerCuts|ADamaged' . ./internal/driver/bolt/...

bench: ## benchmarks, then each binary beside its peers as ratios of one run
	@set -e; for m in $(MODULES); do (cd $$m && go test -vet=off -run '^$$' -bench . -benchtime $(BENCH_TIME) \
		$$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -r -n1 dirname | sort -u | grep -vx '\.')); done
	cd metadata-service && go test -run '^$$' -bench . -benchtime $(BENCH_ROUNDS)x .
	cd frontend-proxy && go test -run '^$$' -bench . -benchtime $(BENCH_ROUNDS)x .

bench-search: ## the search index at 10k, 100k and 1M entities, beside bleve
	cd metadata-service && BENCH_SEARCH=10000,100000,1000000 go test -run '^$$' -bench Figures -benchtime 1x -timeout 60m ./internal/driver/roaring

bench-auth: ## what identity costs a request, decisions by policies, searches by what may be viewed, writes with the audit log
	cd metadata-service && go test -run '^$$' -bench . ./internal/auth/policy
	cd metadata-service && go test -run '^$$' -bench BenchmarkRequest -benchtime 199x ./internal/app
	cd metadata-service && go test -run '^$$' -bench BenchmarkAuditedWrites -benchtime $(BENCH_ROUNDS)x .

bench-web: build ## pages, and search as one types, on 100,000 datasets and 2 million rows of time series, BENCH_WEB_ASSETS, _ROWS and _VISITS
	node frontend-proxy/e2e/web/bench.mjs

bench-graph: ## lineage walks over a file, beside a traversal in memory
	cd metadata-service && go test -run '^$$' -bench 'Depth10Over2000|BlastRadius50000' ./internal/graph/lineage

bench-graphql: ## GraphQL pages beside peers, phases of requests, 1,000 requests/s for 60 s, refusals
	cd metadata-service && GRAPHQL_SECONDS=60 go test -run '^$$' -bench . -timeout 20m ./internal/transport/graphql

abuse: build ## what known abuses of both binaries cost, and the worst inputs of parsers; BRIEF=1 for a small catalog
	@.ci/parsers $(if $(BRIEF),3x,10x)
	@python3 frontend-proxy/e2e/abuse.py $(if $(BRIEF),--brief) bin

fuzz: ## every fuzz test for FUZZ_TIME
	@.ci/fuzz $(FUZZ_TIME)

extended: ## what .ci/run leaves out since it takes long: hours of it, before a release, and by whoever changes what it checks
	@.ci/extended

generate: ## what is generated, written anew
	@for module in $(MODULES); do (cd $$module && go generate ./...) || exit 1; done

lint: ## gofmt, go vet and staticcheck
	@.ci/lint

fmt: ## format the code
	gofmt -w $(MODULES)

check: lint race ## what must pass before a commit

tidy: ## bring go.mod and go.sum in line with the code
	@set -e; for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy); done

dist: web ## archives, deb and rpm packages, checksums and bills of materials into dist/; PLATFORMS chooses
	VERSION=$(VERSION) COMMIT=$(COMMIT) deploy/packaging/dist.sh dist

dist-check: web ## make the release twice, compare byte by byte, install the deb in a folder; PLATFORMS chooses
	for n in 1 2; do VERSION=$(VERSION) COMMIT=$(COMMIT) deploy/packaging/dist.sh dist/$$n || exit 1; done
	diff -r dist/1 dist/2
	deploy/packaging/check.sh dist/1
	rm -r dist/1 dist/2

images: ## both container images, which tell release and commit; ENGINE=podman builds with that
	@set -e; for p in metadata-service frontend-proxy; do \
		$(ENGINE) build $(IMAGE_FLAGS) --build-arg VERSION=$(VERSION) --build-arg COMMIT=$(COMMIT) -t cartulary/$$p -f deploy/docker/$$p.Dockerfile .; done

up: ## both services in containers
	VERSION=$(VERSION) COMMIT=$(COMMIT) $(COMPOSE) up -d --build

down: ## stop the containers, keep the data
	$(COMPOSE) down

clean: ## remove what was built; data stays
	rm -rf bin dist .cache $(WEB)/build $(WEB)/node_modules $(EXPLORER) pkg/explorer/dist/graphiql
