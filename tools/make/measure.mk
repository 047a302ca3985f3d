# What measures Heddle, and compares it.
# Included by the Makefile.

PROFILE ?= quick
RUNS    ?= 9
export PROFILE RUNS ROWS PEERS PROCESSORS LINUX_KERNEL A B

#:
#: Measure
#:   make bench          the suite, hosted, in QEMU and on simulated machines, beside Linux and the peers; goes on where
#:                       it was ended
#:     PROFILE=quick     some minutes, or full: more points, more runs; ONLY="exchange Figure 10" measures that alone
#:   make report         build/report/index.html, a page of what was measured; README=1: the README and RESULTS.md too
#:   make bench-linux    the scheduler paper's benchmarks beside Linux in the same machine (PROFILE=quick|full)
#:   make bench-native   the same beside the Linux of this host, in turn (PROFILE=quick|full, RUNS=9)
#:   make leveldb        LevelDB's readrandom: exchange, dispatch, pthread and shfllock (PROFILE=quick|full)
#:   make echo           a TCP server on hosted Heddle beside Go, tokio and Boost.Fiber (PROFILE=quick|full)
#:   make compare        A= B=: two files of results or two commits: what is faster, and is that chance?
#:     RUN, RUNS=9       of commits: which programs, how often; FORM=json or csv
#:   make bench-peers    hosted Heddle beside its peers in C, C++, Go, Rust and Java, in turn, in one run
#:     PROFILE=quick     quick or full; RUNS=9 of each; ROWS="yield create", PEERS="go tokio" choose some
#:     PROCESSORS=16     the rows of several processors on so many, in place of 2 (build/bench/peers-16.jsonl)
#:     AHEAD=1           ahead of other programs of the host (nice -20, which needs the right); FRESH=1 does not resume
#:   make setup-peers    install what that compares
#:   make bench-runtimes the papers' locks in other runtimes (PROFILE=quick|full, ONLY="Figure 12", FRESH=1)
#:   make instructions   count the instructions of the kernel's basic operations (UPDATE=1: into the table of make test)
#:   make coherence      the cache lines that move between 64 processors on 4 sockets for a critical section, by lock
#:   make validate       the simulated machine beside this host, and beside the lines that QEMU's plug-in counts
#:   make overhead       what the compiler's checks cost in time, code and compile time
#:   make library-overhead    the same for real libraries, one by one (LIBRARIES="expat lz4", RUNS=9)
#:   make gap            the longest way between two of them
.PHONY: validate bench-native echo compare bench-peers bench-runtimes setup-peers
bench: build/kernel/heddle.elf build/hosted/heddle build/hosted/libheddle.a build/simulated/heddle
	@exec $(PYTHON) tools/measure/bench/measure --profile="$$PROFILE" --only="$$ONLY"
report:
	@exec $(PYTHON) tools/measure/report/write $(if $(README),--readme)
bench-linux: build/kernel/heddle.elf build/linux/init
	@exec $(PYTHON) tools/measure/linux/measure --profile="$$PROFILE" --kernel="$$LINUX_KERNEL" $(if $(AGAIN),--again)
bench-native: build/hosted/heddle build/linux/init
	@exec $(PYTHON) tools/measure/linux/native --profile="$${PROFILE:-quick}" --runs="$$RUNS" --only="$$ONLY"
leveldb bench-leveldb: $(addprefix build/leveldb/,$(addsuffix /readrandom,heddle threads shfllock))
	@exec $(PYTHON) tools/measure/leveldb/measure --profile="$$PROFILE"
echo: build/hosted/libheddle.a build/.setup-peers
	@exec $(PYTHON) tools/measure/echo/measure --profile="$${PROFILE:-quick}"
compare: build/hosted/heddle
	@exec $(PYTHON) tools/measure/compare/compare $(if $(FORM),--$(FORM)) $(if $(RUN),--run="$$RUN") --runs="$$RUNS" \
	    -- "$${A:?names a file or a commit, as B does}" $(if $(B),"$$B")
bench-peers: build/hosted/heddle build/.setup-peers
	@exec $(PYTHON) tools/measure/peers/run --profile="$$PROFILE" --runs="$$RUNS" --peers="$$PEERS" \
	    --processors="$$PROCESSORS" $(if $(AHEAD),--ahead) $(if $(FRESH),--fresh) -- "$$ROWS"
bench-runtimes: build/hosted/heddle build/hosted/libheddle.a build/.setup-peers
	@exec $(PYTHON) tools/measure/runtimes/measure --profile="$$PROFILE" --only="$$ONLY" $(if $(FRESH),--fresh)
# What cannot be installed is skipped by name.
build/.setup-peers: tools/setup
	@mkdir -p $(@D)
	@if tools/setup peers; then touch $@; else echo "bench-peers: goes on with what is here"; fi
setup-peers:
	@tools/setup peers
instructions: build/kernel/heddle.elf
	@exec $(PYTHON) tools/measure/instructions/measure $(if $(UPDATE),--update)
coherence: build/kernel/heddle.elf
	@exec $(PYTHON) tools/measure/coherence/measure
validate: build/kernel/heddle.elf build/hosted/heddle build/simulated/heddle build/simulated/this-host.json
	@exec $(PYTHON) tools/measure/simulated/validate
overhead: build/hosted/heddle build/hosted/libheddle.a build/hosted-off/heddle build/hosted-poll/heddle
	@$(PYTHON) tools/measure/overhead/foreign
	@exec $(PYTHON) tools/measure/overhead/measure --variant poll=build/hosted-poll/heddle
library-overhead: build/plugin/heddle.so build/hosted/libheddle.a
	@exec $(PYTHON) tools/measure/overhead/libraries --runs="$$RUNS" -- "$$LIBRARIES"
gap: build/kernel/heddle.elf
	@exec $(PYTHON) tools/measure/gap/measure
