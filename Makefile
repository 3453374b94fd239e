# `make check` is everything that must hold before a change is shared; `make help` lists the rest.
# Every target works in a clean checkout that has Go, make and git; race also needs a C compiler.

GO      ?= go
TOOLS   := $(CURDIR)/.tools
# The programs of golden and replay. `tools` makes this folder and that of view before any test runs: tests list the root folder, and a new
# time of .tools would drop their results from the cache.
PROGRAMS := $(TOOLS)/programs
GOFUMPT := $(TOOLS)/gofumpt
STATIC  := $(TOOLS)/staticcheck

GOFUMPT_VERSION     := v0.12.0
STATICCHECK_VERSION := v0.8.2

# The targets that every package must compile for, as GOOS/GOARCH: each kind of system, and a machine with words of 32 bits.
CROSS := windows/amd64 darwin/arm64 js/wasm linux/386

MODULE := github.com/meadow-nav/meadow

FUZZTIME  ?= 5m
BENCH     ?= .
BENCHTIME ?= 1s
WORLDS    ?= 10000
SCENES    ?= 10000
SOUPS     ?= 1000
PLACEMENTS ?= 2000
STAIRWELLS ?= 10000
TOWERS    ?= 1000
EXTRACTION ?= -all
CHANGED   ?= 1000
SOURCES   ?= all

.PHONY: dist replay help check format vet static policy test invariants laws laws-long race cross bench bench-peers bench-worlds bench-paths bench-crowd campaign campaign-short changes extraction mutants scaling density shortest terrain fuzz corpus corpus-laws golden tools clean view view-check docs-commands tables pictures sizes sources stale

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

check: format vet static policy stale invariants race campaign-short cross ## all that must hold: a quarter of an hour on two cores
	@echo "make check: all passed"

format: tools ## fail where gofumpt would change a file
	@out="$$($(GOFUMPT) -l .)"; if [ -n "$$out" ]; then echo "not formatted (run gofumpt -w):"; echo "$$out"; exit 1; fi

# With GOGC=400 staticcheck takes two thirds of the processor time, and 0.7 GB of memory. Tests and their compiler take five sixths.
SPACIOUS := GOGC=400

# No other package has files for these tags.
vet: ## go vet
	$(SPACIOUS) $(GO) vet ./...
	$(GO) vet -tags invariants ./internal/invariant
	$(GO) vet -tags peers ./lab/bench/peers

static: tools ## staticcheck
	$(SPACIOUS) $(STATIC) ./...

policy: ## who may import whom
	$(TEST) $(CHECKED) ./internal/policy

docs-commands: ## every command of README.md and docs, in a copy of the tree; lists the lines that are not run, and why
	$(GO) run ./lab/bench/pages commands $(PAGES)

tables: ## makes the tables of docs that commands print again (PAGES="docs/…" for some)
	$(GO) run ./lab/bench/pages tables $(PAGES)

pictures: ## draws the stages of docs/how-it-works.md again
	$(GO) run ./examples/stages docs/images/stages

sizes: ## packages, lines and sizes of programs that link Meadow: the table of docs/sizes.md
	$(GO) run ./lab/bench/pages sizes

sources: ## runs the published experiments (11 minutes of processor time; SOURCES="hale-6 …" for some), writes docs/sources.md
	$(GO) run ./cmd/meadow reproduce $(SOURCES) --state docs/reproduced.jsonl
	$(GO) run ./cmd/meadow reproduce --sources --state docs/reproduced.jsonl > docs/sources.md

stale: ## lists the tables of docs whose inputs have changed
	$(GO) run ./lab/bench/pages stale

test: ## the tests, plain
	$(GO) test ./...

# The files of tests that know a long form, by internal/slow. A test takes its long form in its own body: internal/policy
# fails for calls elsewhere, where the search below would miss them.
LONG_FILES := grep -rlE --include '*_test.go' 'slow\.(Count|Enabled)\(' . | grep -vE '^./internal/(slow|policy)/'
LONG_TESTS := awk '/^func /{name = $$2; sub(/\(.*/, "", name)} /slow\.(Count|Enabled)\(/{print name}'

# The tests whose long forms take minutes each. Their short forms, in go test, are samples of the long forms.
MINUTES := ^./(world|build/tiles|lab/dasfv|internal/worldcheck|query/streamed|navmesh/streamfile)/|^./worldfile_test|^./agents/crowd/(world|scenes)_test

# `go test` and `make vet` look at all tests; the targets below compile the same files.
TEST := $(SPACIOUS) $(GO) test -vet=off

laws: ## the long form of the tests, with the costly checks on: more random worlds, levels, agents and scripts than go test tries
	@files="$$($(LONG_FILES) | grep -vE '$(MINUTES)')"; \
	test -n "$$files" || { echo "no test has a long form"; exit 1; }; \
	MEADOW_SLOW=1 $(TEST) $(CHECKED) -timeout 20m -run "^($$($(LONG_TESTS) $$files | sort -u | paste -sd '|'))$$" $$(dirname $$files | sort -u)

laws-long: ## the long form of the tests of worlds that change, of levels in tiles and of their files: half an hour
	@files="$$($(LONG_FILES) | grep -E '$(MINUTES)')"; \
	test -n "$$files" || { echo "no package has a long form of minutes"; exit 1; }; \
	MEADOW_SLOW=1 $(TEST) $(CHECKED) -timeout 60m -run "^($$($(LONG_TESTS) $$files | sort -u | paste -sd '|'))$$" $$(dirname $$files | sort -u)

# The linker turns the costly checks on. Tests with and without the checks share all compiled packages.
CHECKED := -ldflags=-X=$(MODULE)/internal/invariant.checks=on

invariants: ## the tests of all packages, with the costly checks on
	$(TEST) $(CHECKED) ./...

# The packages that start goroutines or guard shared state, in code or tests: elsewhere nothing can race.
CONCURRENT := ^[[:space:]]*("sync"|"sync/atomic"|"$(MODULE)/internal/par"|go (func)?[[:alnum:]_.]*\()|\.Parallel\(\)

# The programs of lab/bench and the published experiments put packages together that have tests of their own, and the tests of view are
# of programs that are made without the detector.
race: ## the tests of all packages that start goroutines or share state, under the race detector
	@pkgs="$$(grep -rlE --include '*.go' '$(CONCURRENT)' . | xargs -n 1 dirname | sort -u | grep -vE '^\./(lab/bench/.*|lab/experiment.*|view)$$')"; \
	test -n "$$pkgs" || { echo "no package starts goroutines"; exit 1; }; \
	CGO_ENABLED=1 $(TEST) -race $$pkgs

# The page's program and its queries, made in a folder that neither Go nor the tests look into. The bundle needs node and npm;
# their modules are those of package-lock.json. Go's WebAssembly has the same bytes on every machine, for one version of Go.
VIEW := $(TOOLS)/view
VIEW_FILES := client.js worker.js query.wasm build.wasm

$(VIEW)/.modules: view/client/package-lock.json
	@mkdir -p $(VIEW)
	cp view/client/package.json view/client/package-lock.json $(VIEW)
	cd $(VIEW) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.PHONY: view-build
view-build: $(VIEW)/.modules
	@rm -rf $(VIEW)/src $(VIEW)/dist
	cp -r view/client/src view/client/LICENSE-three.js view/client/tsconfig.json view/client/vite.config.js $(VIEW)
	cd $(VIEW) && npm exec -- tsc --noEmit && npm exec -- vite build --logLevel warn
	cat "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" view/client/src/worker.js > $(VIEW)/dist/worker.js
	CGO_ENABLED=0 GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -ldflags='-s -w' -o $(VIEW)/dist/query.wasm ./view/wasm
	CGO_ENABLED=0 GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -ldflags='-s -w' -o $(VIEW)/dist/build.wasm ./view/buildwasm
	@$(GO) env GOVERSION > $(VIEW)/dist/go-version

# zopfli writes gzip files that are a twenty-fifth smaller, in a minute. Without it gzip serves.
ZIP := $(if $(shell command -v zopfli),zopfli --i5 -c,gzip -9nc)

view: view-build ## makes view/dist: the live page's program and its queries as WebAssembly (needs node, npm and best zopfli)
	@mkdir -p view/dist
	@for f in $(VIEW_FILES); do $(ZIP) $(VIEW)/dist/$$f > view/dist/$$f.gz; done
	@cp $(VIEW)/dist/go-version view/dist/go-version
	@ls -l view/dist

view-check: ## proves that view/dist is made of its source; skips without npm, or with another version of Go
	@if ! command -v npm >/dev/null; then echo "view-check: SKIPPED, because npm is missing"; \
	elif [ "$$($(GO) env GOVERSION)" != "$$(cat view/dist/go-version)" ]; then echo "view-check: SKIPPED, because view/dist is made by $$(cat view/dist/go-version)"; \
	else $(MAKE) --no-print-directory view-build && for f in $(VIEW_FILES); do gzip -dc view/dist/$$f.gz | cmp - $(VIEW)/dist/$$f || { echo "view-check: view/dist/$$f.gz is not made of this source: run make view"; exit 1; }; done && echo "view-check: view/dist is made of its source"; fi

dist: ## archives of the command for six systems and the npm package, with checksums, in ./dist: the same bytes from the same commit
	$(GO) run ./cmd/dist

# The type checker finds the faults of one machine in seconds, without a build. golden compiles and links programs for three
# other processors and for wasm.
cross: ## the types of every package on other machines, without a C compiler
	$(GO) run ./lab/bench/targets $(CROSS)

# The processors that the bytes of meshes are compared on, and the programs that run them on this one; 386 needs none. Some kernels
# run no program of 32 bits, and qemu-i386 runs none of Go's.
EMULATOR_arm64 := qemu-aarch64
EMULATOR_s390x := qemu-s390x

# -trimpath shares the packages for wasm with view-build. Bash says with 126 that the kernel does not run a program.
golden: SHELL := bash
golden: ## the bytes of meshes and paths on amd64, 386, arm64, s390x and js/wasm (needs qemu-user and node)
	@mkdir -p $(PROGRAMS)
	$(GO) run ./lab/bench/golden
	@set -e; for arch in 386 arm64 s390x; do \
		case $$arch in 386) emulator=;; arm64) emulator=$(EMULATOR_arm64);; *) emulator=$(EMULATOR_s390x);; esac; \
		echo "linux/$$arch"; \
		CGO_ENABLED=0 GOOS=linux GOARCH=$$arch $(GO) build -ldflags='-s -w' -o $(PROGRAMS)/golden-$$arch ./lab/bench/golden; \
		status=0; $$emulator $(PROGRAMS)/golden-$$arch || status=$$?; \
		if [ $$arch-$$status = 386-126 ]; then echo "linux/386: SKIPPED, because this kernel runs no program of 32 bits"; \
		elif [ $$status != 0 ]; then exit $$status; fi; \
	done
	@CGO_ENABLED=0 GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags='-s -w' -o $(PROGRAMS)/golden.wasm ./lab/bench/golden && $$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec $(PROGRAMS)/golden.wasm

STEPS ?= 1000
replay: ## STEPS steps of a crowd: the same bits on 1, 2 and 8 goroutines, in another order, restored, and on other processors (needs qemu-user)
	@mkdir -p $(PROGRAMS)
	@$(foreach level,v1 v3,CGO_ENABLED=0 GOARCH=amd64 GOAMD64=$(level) $(GO) build -o $(PROGRAMS)/replay-$(level) ./lab/bench/replay &&) true
	@$(foreach arch,386 arm64 s390x,CGO_ENABLED=0 GOOS=linux GOARCH=$(arch) $(GO) build -o $(PROGRAMS)/replay-$(arch) ./lab/bench/replay &&) true
	@hash=$$($(PROGRAMS)/replay-v1 -steps $(STEPS)) && $(PROGRAMS)/replay-v3 -steps $(STEPS) -want $$hash && $(PROGRAMS)/replay-386 -steps $(STEPS) -want $$hash
	@hash=$$($(PROGRAMS)/replay-v1 -steps 1000 -jobs 1 -runs "") && \
		$(foreach arch,arm64 s390x,$(EMULATOR_$(arch)) $(PROGRAMS)/replay-$(arch) -steps 1000 -jobs 1 -runs "" -want $$hash &&) true

campaign-short: ## 100 random worlds by every method, all promises judged: a minute at most
	$(GO) run ./lab/bench/campaign -worlds 100

# A campaign that was stopped goes on with the worlds that this revision has not seen.
campaign: ## WORLDS random worlds by every method; prints the tables of docs/algorithms/campaign.md
	@mkdir -p $(TOOLS)
	$(GO) run ./lab/bench/campaign -worlds $(WORLDS) -state $(TOOLS)/campaign-$$(git rev-parse --short HEAD)-$(WORLDS).jsonl $(CAMPAIGN)

shortest: ## 100,000 random paths beside the shortest by a visibility graph; prints the table of docs/algorithms/query.md
	$(GO) run ./lab/bench/shortest

terrain: ## a million places and 200 paths of every method on terrain, judged; prints the tables of docs/algorithms/terrain.md
	$(GO) run ./lab/bench/terrain -points 1000000 -paths 200

extraction: ## SCENES, SOUPS, STAIRWELLS and TOWERS at random extracted exactly; EXTRACTION="-all -state FILE" resumes; prints tables of faults
	$(GO) run ./lab/bench/extraction -scenes $(SCENES) -soups $(SOUPS) -stairwells $(STAIRWELLS) -towers $(TOWERS) $(EXTRACTION)

# A campaign that was stopped goes on with the worlds that this revision has not seen.
changes: ## 1,000 random changes in each of CHANGED worlds, judged by all laws; CHANGES="-levels FOLDER" takes level files; prints a table
	@mkdir -p $(TOOLS)
	$(GO) run ./lab/bench/changes -worlds $(CHANGED) -state $(TOOLS)/changes-$$(git rev-parse --short HEAD)-$(CHANGED).jsonl $(CHANGES)

mutants: ## halves and doubles each deciding constant of extraction; names the tests that notice (about an hour)
	$(GO) run ./lab/bench/mutants $(MUTANTS)

scaling: ## time and memory at 10³ … 10⁶ vertices; prints the tables of docs/algorithms/scaling.md
	$(GO) run ./lab/bench/scaling $(SCALING)

density: ## how the time of a build grows with the detail in a fixed space, on the dense kinds of level
	$(GO) run ./lab/bench/density $(DENSITY)

bench: ## all benchmarks, or those that match BENCH
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime '$(BENCHTIME)' -benchmem ./...

# The WebAssembly port of Recast from npm, for the comparison. Without node and npm the comparison goes on without the port.
PORT         := $(TOOLS)/recast-js
PORT_VERSION := 0.43.1

.PHONY: port
port:
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
		echo "bench-peers: WITHOUT THE WASM PORT: node or npm is missing (Debian: apt-get install nodejs npm)"; \
	elif ! grep -qs '"version": "$(PORT_VERSION)"' $(PORT)/node_modules/recast-navigation/package.json; then \
		mkdir -p $(PORT) && npm install --silent --no-audit --no-fund --ignore-scripts --save-exact --prefix $(PORT) recast-navigation@$(PORT_VERSION) || \
			echo "bench-peers: WITHOUT THE WASM PORT: npm cannot install recast-navigation@$(PORT_VERSION)"; \
	fi

# A run that was stopped goes on with the levels that this revision has not seen.
bench-peers: port ## time, size and quality beside Recast, native and WASM, on 50 levels: 25 minutes; PEERS="-only rooms -part quality" for some (needs g++ and librecast-dev)
	$(MAKE) -C lab/bench/peers/recast
	$(GO) vet -tags peers ./lab/bench/...
	@mkdir -p $(TOOLS)
	$(GO) run -tags peers ./lab/bench/peers -port $(PORT) -state $(TOOLS)/peers-$$(git rev-parse --short HEAD).jsonl -o $(TOOLS)/peers $(PEERS)

bench-worlds: ## worlds that change beside the tile cache of Detour (needs g++ and librecast-dev)
	$(MAKE) -C lab/bench/peers/recast
	$(GO) run ./lab/bench/worlds $(CHANGING)

bench-crowd: ## crowds beside dtCrowd and RVO2, a quarter of an hour (needs g++, librecast-dev and RVO2=folder)
	$(MAKE) -C lab/bench/peers/recast all rvo
	$(GO) run ./lab/bench/crowd -state $(TOOLS)/crowd-$$(git rev-parse --short HEAD).jsonl $(CROWD)

# A run that was stopped goes on with the levels that this revision has not seen.
bench-paths: ## paths beside Detour on twenty levels and more (needs g++ and librecast-dev)
	$(MAKE) -C lab/bench/peers/recast
	@mkdir -p $(TOOLS)
	$(GO) run ./lab/bench/paths -state $(TOOLS)/paths-$$(git rev-parse --short HEAD).jsonl $(PATHS)

fuzz: ## every fuzz target for FUZZTIME each
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime '$(FUZZTIME)' $$pkg || exit 1; \
		done; \
	done

# The folder of real levels: see CONTRIBUTING.
LEVELS = $(or $(MEADOW_LEVELS),../shared/levels)

# Debian's packages with arena maps (GPL-2): fetched here, never committed.
MAPS := $(TOOLS)/maps
MAP_PACKAGES := nexuiz-data openarena-081-maps openarena-085-data openarena-088-data openarena-oacmp1

$(MAPS):
	@command -v apt-get >/dev/null || { echo "the maps come with Debian's packages $(MAP_PACKAGES)"; exit 1; }
	@rm -rf $@.new && mkdir -p $@.new/deb
	cd $@.new/deb && apt-get download $(MAP_PACKAGES)
	cd $@.new && for p in deb/*.deb; do dpkg-deb -x $$p deb; done
	cd $@.new && find deb -type f -name '*.pk3' -exec mv {} . \; && rm -rf deb
	@mv $@.new $@

corpus: $(MAPS) ## real levels and a hundred arena maps: tests, the judge at PLACEMENTS places, laws, time beside Recast; an hour or two
	@test -d '$(LEVELS)' || { echo "no folder $(LEVELS): set MEADOW_LEVELS to one with levels"; exit 1; }
	MEADOW_LEVELS='$(abspath $(LEVELS))' $(GO) test -count 1 -timeout 60m -run 'RealLevels|Published|LibraryReads' -v ./...
	MEADOW_LEVELS='$(abspath $(LEVELS))' MEADOW_MAPS='$(MAPS)' MEADOW_PLACEMENTS=$(PLACEMENTS) \
		$(GO) test -count 1 -timeout 0 -run 'AgreementOnLevels' -v ./build/exact
	$(MAKE) -C lab/bench/peers/recast
	$(GO) run -tags peers ./lab/bench/peers -corpus $(MAPS) -limit 2m -state $(TOOLS)/maps-$$(git rev-parse --short HEAD).jsonl -slice 500ms $(PEERS)

# A run that was stopped goes on with the maps that this revision has not seen.
corpus-laws: $(MAPS) ## every law at three radii on a hundred and fifty arena maps; CORPUS_LAWS="-shrink" makes small levels of faults; an hour or two
	$(GO) run ./lab/bench/extraction -levels $(MAPS) -radii 0.3,0.4,0.6 -limit 3m -state $(TOOLS)/laws-$$(git rev-parse --short HEAD).jsonl $(CORPUS_LAWS)

tools: $(GOFUMPT) $(STATIC) ## install the pinned checkers into .tools
	@mkdir -p $(PROGRAMS) $(VIEW)

# The version is part of the dependency, so that a new pin replaces an old binary.
$(TOOLS)/.gofumpt-$(GOFUMPT_VERSION) $(TOOLS)/.staticcheck-$(STATICCHECK_VERSION):
	@mkdir -p $(TOOLS)
	@touch $@

$(GOFUMPT): $(TOOLS)/.gofumpt-$(GOFUMPT_VERSION)
	GOBIN=$(TOOLS) $(GO) install mvdan.cc/gofumpt@$(GOFUMPT_VERSION)
	@touch $@

$(STATIC): $(TOOLS)/.staticcheck-$(STATICCHECK_VERSION)
	GOBIN=$(TOOLS) $(GO) install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	@touch $@

clean: ## remove what the targets made
	rm -rf $(TOOLS) meadow meadow-demo
