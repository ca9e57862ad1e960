# `make` lists the targets. Nothing here asks a question or needs a terminal.
.DEFAULT_GOAL := help
.PHONY: help run build install test soak bench bench-peers format lint clean

comma := ,
# How long `make soak` tortures, how often it repeats tests of real clusters, and which checks it makes: all, if none is named.
MINUTES ?= 60
REPEATS ?= 20
CHECKS ?=
# How long it judges histories of real clients under faults, and how many of them: 4 processes with 4 sessions each reach 140,000
# entries and as many lasting operations in 1,200 seconds on two processors. The test demands 100,000 and 50,000.
HISTORY_SECONDS ?= 1200
HISTORY_CLIENTS ?= 4
HISTORY_WORKERS ?= 4
HISTORY_LASTING ?= 40
# Where `make install` installs; under DESTDIR, if that is given.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# $(call configure,FOLDER,OPTIONS): an existing build folder keeps its generator.
configure = cmake -S . -B $(1) $(if $(wildcard $(1)/CMakeCache.txt),,-G Ninja) $(2) > /dev/null
compile = cmake --build $(1) --parallel $(JOBS) $(2)
# One more than there are processors: those who try real clusters wait most of the time.
check = ctest --test-dir $(1) --output-on-failure --no-tests=error --parallel $(shell expr $(JOBS) + 1)
tidy = clang-tidy-16 -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Qunused-arguments
files = git ls-files -- '*.h' '*.cc'

help:
	@echo 'make run     set up, build, and start a cluster on this machine'
	@echo 'make build   set up and build; the command is build/coterie'
	@echo 'make install set up, build, and install under PREFIX (now $(PREFIX))'
	@echo 'make test    build and test, then again with sanitizers: address, undefined'
	@echo 'make soak    threads under ThreadSanitizer, every check of the catalogue, also the long,'
	@echo '             torture for MINUTES (now $(MINUTES)), real clusters for SECONDS'
	@echo 'make fuzz    libFuzzer on every decoder, for SECONDS each (now $(SECONDS))'
	@echo 'make bench   build in build/bench for speed and run every benchmark'
	@echo 'make bench-peers  our locks beside those of etcd, Redis and ZooKeeper, which it installs'
	@echo 'make format  format the C++ sources in place'
	@echo 'make lint    check the format and run clang-tidy'
	@echo 'make clean   remove build/'
	@echo 'JOBS=N sets how many processes run at once (now $(JOBS))'

run: build
	build/coterie dev

build:
	@tools/setup
	@$(call configure,build)
	@$(call compile,build)

install: build
	@$(call configure,build,-DCMAKE_INSTALL_PREFIX=$(PREFIX))
	@$(call compile,build)
	@DESTDIR='$(DESTDIR)' cmake --install build

# The instrumented build fills the time that tests of real clusters wait. It is nice to them, and quiet.
test: build
	@$(call configure,build/asan,-DCOTERIE_SANITIZE=address$(comma)undefined \
	  -DCOTERIE_CLI_TESTS=$(CURDIR)/build/tests/cli_tests)
	@$(MAKE) --no-print-directory --jobs=2 test-ordinary build-asan
	@$(call check,build/asan)

.PHONY: test-ordinary build-asan
test-ordinary:
	@$(call check,build)
build-asan:
	@nice $(call compile,build/asan,-- --quiet)

soak: build
	@$(call configure,build/tsan,-DCOTERIE_SANITIZE=thread)
	@$(call compile,build/tsan,--target check_tests sim_tests client_tests)
	@set -e; for name in check sim client; do \
	  build/tsan/tests/$${name}_tests --gtest_brief=1 --gtest_filter='*Threads*:Embedded.*'; \
	done
	build/coterie check --suite --soak --memory 6144 $(CHECKS)
	build/coterie torture --seed $$(date +%s) --minutes $(MINUTES)
	build/coterie torture --seed $$(date +%s) --minutes $(MINUTES) --hostile 4
	COTERIE_SOAK_SECONDS=$(SECONDS) build/tests/cli_tests --gtest_filter='Partition.Soak:Islands.*'
	COTERIE_HISTORY_SEED=$$(date +%s) COTERIE_HISTORY_SECONDS=$(HISTORY_SECONDS) \
	  COTERIE_HISTORY_CLIENTS=$(HISTORY_CLIENTS) COTERIE_HISTORY_WORKERS=$(HISTORY_WORKERS) \
	  COTERIE_HISTORY_LASTING=$(HISTORY_LASTING) build/tests/history_tests --gtest_filter='History.*'
	build/tests/cli_tests --gtest_filter='Abuse.*:LiveCluster.*' --gtest_repeat=$(REPEATS) --gtest_fail_fast

# How long `make fuzz` tries to break each decoder, and `make soak` real clusters.
SECONDS ?= 600
.PHONY: fuzz
fuzz:
	@tools/setup --fuzz
	@$(call configure,build/fuzz,-DCMAKE_CXX_COMPILER=clang++-16 -DCOTERIE_FUZZ=ON -DBUILD_TESTING=OFF \
	  -DCOTERIE_SANITIZE=address$(comma)undefined)
	@$(call compile,build/fuzz,--target fuzzers)
	@set -e; for program in build/fuzz/fuzz/*_fuzz; do \
	  name=$$(basename "$$program" _fuzz); \
	  mkdir -p build/fuzz/corpus/$$name; \
	  echo "$$name: for $(SECONDS) seconds"; \
	  "$$program" -max_total_time=$(SECONDS) -timeout=60 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=build/fuzz/$$name- build/fuzz/corpus/$$name fuzz/corpus/$$name; \
	done

bench:
	@tools/setup --bench
	@$(call configure,build/bench,-DCMAKE_BUILD_TYPE=Release -DCOTERIE_BENCH=ON -DBUILD_TESTING=OFF)
	@$(call compile,build/bench,--target benchmarks coterie)
	@mkdir -p build/bench/results
	@set -e; for program in build/bench/bench/*_bench; do \
	  [ -x "$$program" ] || { echo 'There is no benchmark in bench/.'; exit 1; }; \
	  result=build/bench/results/$$(basename "$$program").json; \
	  "$$program" --benchmark_out="$$result" --benchmark_out_format=json; \
	  echo "Results: $$result"; \
	done
	@build/bench/bench/live_cluster --json build/bench/results/live.json
	@bench/spin_compare.sh build/bench/coterie > build/bench/results/spin.txt
	@cat build/bench/results/spin.txt
	@bench/simgrid_compare.sh build/bench/bench/sim_bench > build/bench/results/simgrid.txt
	@cat build/bench/results/simgrid.txt

bench-peers:
	@tools/setup --peers
	@$(call configure,build/bench,-DCMAKE_BUILD_TYPE=Release -DCOTERIE_BENCH=ON -DBUILD_TESTING=OFF)
	@$(call compile,build/bench,--target peers)
	@mkdir -p build/bench/results
	@bench/peers/run.sh build/bench/bench/peers build/bench/results/peers.json \
	  | tee build/bench/results/peers.txt

format:
	@tools/setup --lint
	@$(files) | xargs -r clang-format -i

lint:
	@tools/setup --lint
	@$(files) | xargs -r clang-format --dry-run -Werror
	@$(call configure,build/lint,-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCOTERIE_UNITE=OFF -DCOTERIE_BENCH=ON)
	@$(call compile,build/lint,--target coterie_wire)
	@git ls-files -- 'src/*.cc' 'tests/*.cc' 'bench/*_bench.cc' | xargs -r -n 1 -P $(JOBS) sh -c \
	  'out=$$($(tidy) "$$1" 2>&1) || { echo "$$out" | grep -v "warnings generated"; exit 1; }' lint

clean:
	rm -rf build
