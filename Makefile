# Needs Go and make; `make check` with the race detector a C compiler as well.

VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null)
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
BIN          = bin
# Which fuzz targets, an expression for lines such as "./tokenize FuzzFold", and the
# time for each.
FUZZ        ?= .*
FUZZTIME    ?= 20s
# Time of the mixed load of make soak.
SOAKTIME    ?= 60s
# Which benchmarks to run, and for how long each.
BENCH       ?= .
BENCHTIME   ?= 1s
# What bench-compare measures: a package, how often, and against which commit.
PKG         ?= ./bench
COUNT       ?= 6
REF         ?=
BENCHSTAT    = golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
# A first build compiles Pebble as well, and the standard library if nothing else
# has. Without debugger data, and with a compiler that collects no garbage while it
# has memory, that takes a fifth less; stack traces stay as they are. The standard
# library keeps its flags, so that what other programs have compiled is used.
FASTER       = GOGC=off GOMEMLIMIT=1GiB
SMALLER      = -gcflags=all=-dwarf=false -gcflags=std=
# Checks and tests collect garbage less often, which takes a tenth less.
ROOM         = GOGC=400
# Most of what a first build downloads is the test data of Roaring: meanwhile it
# compiles Pebble, and before that, while Pebble is downloaded, what it needs of the
# standard library.
LARGEST      = github.com/RoaringBitmap/roaring/v2
FIRST        = net/http go/build text/template runtime/pprof
# The race detector needs cgo.
RACE        := $(if $(shell command -v $(CC)),-race)

.DEFAULT_GOAL := help
.PHONY: help build demo test check lint fuzz bench bench-compare bench-peers crash crash-storage crash-engine crash-server soak clean

help: ## show the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

build: ## build bin/quarry, in pure Go
	@if [ -z "$$(go list -m -f '{{.Dir}}' $(LARGEST))" ]; then \
		go mod download $(LARGEST) & go list -deps ./storage > /dev/null & \
		CGO_ENABLED=0 $(FASTER) go build $(FIRST); CGO_ENABLED=0 $(FASTER) go build $(SMALLER) ./storage; wait; \
	fi
	CGO_ENABLED=0 $(FASTER) go build $(SMALLER) -ldflags '-s -w -X main.release=$(VERSION)' -o $(BIN)/quarry ./cmd/quarry

demo: build ## serve the built-in sample data
	$(BIN)/quarry demo

test: ## run all tests
	go test ./...

# Input from outside, and what is kept of postings.
OUTSIDE      = .*(/tokenize Fuzz(Analyze|Stems?)|/query FuzzParse(Simple|Query|Filter)|/httpapi Fuzz(Bodies|Lines|RecordPath|GraphQL|ParseKey)|/posting FuzzParse|/quarry FuzzSettings)
check: lint build ## everything that a change has to pass, some twenty minutes
	@$(MAKE) --no-print-directory crash CRASHPARTS='crash-engine crash-server' CRASHTESTS='TestCrash|TestFaults' FAULTS= BACKUPS=1
	@$(MAKE) --no-print-directory soak SOAKTIME=60s
	@$(MAKE) --no-print-directory fuzz FUZZ='$(OUTSIDE)' FUZZTIME=30s
	$(ROOM) go test -timeout 20m ./bench # measures collections: the race detector would take ten times as long
	$(ROOM) $(if $(RACE),CGO_ENABLED=1) go test $(RACE) -p 3 -timeout 45m -skip 'TestCrash$$|TestFaults$$' $$(go list ./... | grep -v /bench$$)

lint: $(BIN)/staticcheck ## gofmt, go vet, staticcheck and the rules of arch_test.go
	@unformatted=$$(gofmt -l $$(go list -f '{{.Dir}}' ./...)); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(ROOM) go vet ./...
	$(ROOM) $(BIN)/staticcheck ./...
	go test .

$(BIN)/staticcheck: Makefile
	GOBIN='$(CURDIR)/$(BIN)' go install $(STATICCHECK)
	@touch $@

# Up to Go 1.26 a target may fail at the end of its time with a bare "context
# deadline exceeded", which says nothing of it: https://go.dev/issue/75804.
fuzz: ## run each fuzz target (FUZZ) for FUZZTIME, two at a time, with a summary
	@rm -rf $(BIN)/fuzz; mkdir -p $(BIN)/fuzz; \
	grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9]+' . | sed -E 's|/[^/]*:func | |' | grep -xE '$(FUZZ)' > $(BIN)/fuzz/list; \
	for pkg in $$(cut -d' ' -f1 $(BIN)/fuzz/list | sort -u); do go test -run '^$$' -fuzz '^$$' $$pkg > /dev/null 2>&1; done; \
	xargs -P 2 -L 1 sh -c 'log=$(BIN)/fuzz/$$(echo $$0.$$1 | tr -d ./).log; echo "$$0 $$1" > $$log; \
		go test -run "^$$" -fuzz "^$$1\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s -parallel 1 $$0 >> $$log 2>&1 || \
		grep -qx "    context deadline exceeded" $$log' < $(BIN)/fuzz/list; fuzz=$$?; \
	cat $(BIN)/fuzz/*.log > $(BIN)/fuzz.log; \
	if [ $$fuzz != 0 ]; then grep -A 40 -e '--- FAIL' $(BIN)/fuzz.log | head -200; fi; \
	awk -f bench/fuzz.awk $(BIN)/fuzz.log; \
	exit $$fuzz

soak: build ## load a server for SOAKTIME, overload it, and check all its answers
	go run ./bench/soak -quarry $(BIN)/quarry -time $(SOAKTIME)

bench: ## run the Go benchmarks (BENCH, BENCHTIME)
	go test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem ./...

# Both sides are built first and then take turns, so that what disturbs the
# machine disturbs both. The other commit is unpacked beside the checkout, which
# stays as it is. The environment (QUARRY_COLLECTIONS) is that of both.
bench-compare: ## benchmarks of PKG at REF and as they are here, by benchstat (BENCH, COUNT)
	@git rev-parse --quiet --verify '$(REF)^{commit}' >/dev/null || { echo 'make bench-compare REF=<commit> [PKG=./bench] [BENCH=Ranking] [COUNT=6]'; exit 2; }
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT INT TERM; \
	mkdir "$$dir/tree"; git archive '$(REF)' | tar -x -C "$$dir/tree"; \
	(cd "$$dir/tree" && go test -c -o "$$dir/old" $(PKG)); go test -c -o "$$dir/new" $(PKG); \
	for i in $$(seq $(COUNT)); do \
		echo "round $$i of $(COUNT)" >&2; \
		(cd "$$dir/tree/$(PKG)" && "$$dir/old" -test.run '^$$' -test.bench '$(BENCH)' -test.benchtime $(BENCHTIME) -test.benchmem) >> "$$dir/$(subst /,-,$(REF)).txt"; \
		(cd $(PKG) && "$$dir/new" -test.run '^$$' -test.bench '$(BENCH)' -test.benchtime $(BENCHTIME) -test.benchmem) >> "$$dir/here.txt"; \
	done; \
	cd "$$dir" && go run $(BENCHSTAT) '$(subst /,-,$(REF)).txt' here.txt

bench-peers: build ## compare with other engines (see bench/README.md)
	$(MAKE) -C bench/peers all

# Crashes to survive in make crash: simulated in the process, kills of a server,
# kills while it starts, losses of power on a disk of its own (root), the same
# where the server's syncs do nothing, which has to lose something, directories
# with a damaged file, and backups taken under load and restored.
CRASHES     ?= 2000
KILLS       ?= 25
STARTKILLS  ?= 5
POWERCUTS   ?= 5
CONTROLS    ?= 3
DAMAGES     ?= 200
BACKUPS     ?= 5
# Which parts of that, which tests of the engine, and whether every file operation
# fails in them or only a part.
CRASHPARTS  ?= crash-storage crash-engine crash-server
CRASHTESTS  ?= Crash|Fault|Full|Kill|Fail|Repair|Inject|Format
FAULTS      ?= -faults
CRASHTEST    = go test -v -count 1 -timeout 120m
crash: build ## the large tests of crashes, kills, faults, full disks, damage, backups and repairs, with a summary
	@rm -f $(BIN)/crash-*.log; \
	$(MAKE) --no-print-directory -k -j 2 $(CRASHPARTS); crash=$$?; \
	cat $(BIN)/crash-*.log > $(BIN)/crash.log; \
	if [ $$crash != 0 ]; then grep -B 20 -E '^ *--- FAIL|^FAIL|^panic:' $(BIN)/crash.log | head -200; fi; \
	awk -f bench/crash.awk $(BIN)/crash.log; \
	exit $$crash

crash-storage:
	@$(CRASHTEST) -run 'Crash|Fault|Full|Kill|May|Fail|Backup|Restore|Repair|Inject|Format|Corrupt|Damage|Bounded' ./storage/... > $(BIN)/$@.log

crash-engine:
	@$(CRASHTEST) -run '$(CRASHTESTS)' ./engine -crashes $(CRASHES) $(FAULTS) > $(BIN)/$@.log

crash-server:
	@$(CRASHTEST) -run 'Kill|Backups|PowerCut|DiskFull|Damaged|Refused|ReadOnlyDisk' ./cmd/quarry -quarry $(CURDIR)/$(BIN)/quarry \
		-kills $(KILLS) -recovery-kills $(STARTKILLS) -power-cuts $(POWERCUTS) -unsynced-cuts $(CONTROLS) -damages $(DAMAGES) -backups $(BACKUPS) > $(BIN)/$@.log

clean: ## delete what was built
	rm -rf $(BIN)
	go clean -testcache
