# What `make` can be asked for. How things are compiled and linked: build.mk.

.PHONY: all
all: kernel hosted

include build.mk

# What make's command line may set. Recipes read these from the environment, so that no character of a value has a
# meaning for the shell.
MEM        ?= 1G
FIRMWARE   ?= bios
NODES      ?= 1
TIMEOUT    ?= 300
PORT       ?= 1234
INSTRUMENT ?= on
BOOTS      ?= 1000
MINUTES    ?= 10
SEED       ?= 1
COUNT      ?= 500
EVERY      ?= 1
CSMITH     ?= 20
PROFILE    ?= quick
RUNS       ?= 9
PREFIX     ?= /usr/local
LIBDIR     ?= lib
export SMP MEM FIRMWARE NODES RUN POLICY OPTIONS TIMEOUT PORT BOOTS MINUTES ONLY SEED COUNT PROFILE RUNS ROWS PEERS
export ASK LEVEL LEVELS STACKS EVERY CSMITH LIBRARIES LINUX_KERNEL A B WIDE PREFIX DESTDIR LIBDIR VERSIONS

ifeq ($(filter on off $(if $(HOSTED),$(if $(DEBUG)$(PROGRAMS),,poll)),$(INSTRUMENT)),)
$(error INSTRUMENT=$(INSTRUMENT) is not understood: allowed is on or off; poll with HOSTED=1, no DEBUG, no PROGRAMS)
endif

# These look once whether the tools are there, before anything is built.
LOOKING := run trace debug test storm fuzz boots machines torture posix libraries plugin-soak verify-compilers \
           bench report bench-linux leveldb bench-leveldb instructions coherence validate overhead library-overhead \
           gap
.PHONY: $(LOOKING)
$(LOOKING): build/.setup
ifneq ($(filter $(LOOKING) bench-peers,$(MAKECMDGOALS)),)
compilers: build/.setup
endif
build/.setup: tools/setup | $(filter setup,$(MAKECMDGOALS))
	@tools/setup
	@mkdir -p $(@D) && touch $@

# `exec`, below: a signal that ends make reaches the tool, which then ends what it has started.

#: Run
#:   make run            boot 64 processors in QEMU from a GRUB image, run the benchmarks, print a table
#:     SMP=64            processors, or QEMU's whole -smp value: SMP=72,sockets=3,cores=12,threads=2
#:     MEM=1G            memory
#:     FIRMWARE=bios     bios, uefi, or direct (QEMU loads the kernel itself)
#:     NODES=1           NUMA nodes
#:     RUN="switch create,tasks=100000"    which programs; OPTIONS="list" lists them
#:     POLICY=local      ready queues: local (a queue a processor) or global (one for all)
#:     OPTIONS="log=debug watchdog=5"      further words of the command line
#:     TIMEOUT=300       seconds until a run is given up
#:     HOSTED=1          the same as a Linux program, without QEMU
#:     DEBUG=1           with the assertions of debug builds
#:     INSTRUMENT=off    without the checks that the compiler inserts: tasks switch only where they call;
#:                       poll: with checks that poll and do not count, and HOSTED=1
#:     WIDE=1            a table of all parameters and figures, wider than the terminal
#:     PROGRAMS=folder   C and C++ programs of your own beside those of the tree (user/own-programs.md)
#:     GROWS=off         a whole stack for each task, as where the compiler has no stacks that grow
#:   make trace          who waited for whom, the critical path, and a file for Perfetto; takes what `make run` takes
#:     RUN, ASK="select" what is run, and what Perfetto's trace_processor is to answer
#:   make debug          QEMU waits for GDB (PORT=1234); with HOSTED=1, GDB starts; takes what `make run` takes
SUFFIX       := $(if $(filter off poll,$(INSTRUMENT)),-$(INSTRUMENT))
BUILT        := build/$(if $(PROGRAMS),programs/)
BINARY       := $(BUILT)$(if $(HOSTED),hosted,kernel)$(if $(DEBUG),-debug)$(SUFFIX)/$(if $(HOSTED),heddle,heddle.elf)
DEBUG_BINARY := $(BUILT)$(if $(HOSTED),hosted-debug$(SUFFIX)/heddle,kernel-debug$(SUFFIX)/heddle.elf)
RUN_OPTIONS  := $(if $(HOSTED),--hosted) --processors="$$SMP" --memory="$$MEM" --firmware="$$FIRMWARE" \
                --nodes="$$NODES" --policy="$$POLICY" --timeout="$$TIMEOUT" --words="$$OPTIONS" -- "$$RUN"

run: $(BINARY)
	@exec $(PYTHON) tools/run --binary $(BINARY) $(RUN_OPTIONS)
# 4 processors, unless SMP= asks for more, and no firmware: the boot is not traced.
trace: $(BINARY)
	@exec $(PYTHON) tools/trace $(if $(HOSTED),--hosted) --binary $(BINARY) --processors="$$SMP" --memory="$$MEM" \
	    --firmware=$(if $(filter command,$(origin FIRMWARE)),"$$FIRMWARE",direct) --nodes="$$NODES" \
	    --timeout="$$TIMEOUT" $(if $(POLICY),--words="sched=$$POLICY") --words="$$OPTIONS" $(if $(ASK),--ask="$$ASK") \
	    --run="$${RUN:-section}"
debug: $(DEBUG_BINARY)
	@exec $(PYTHON) tools/run --debug --port="$$PORT" --binary $(DEBUG_BINARY) $(RUN_OPTIONS)

#:
#: Test
#:   make test           build everything and run all tests; ONLY="boot hosted" runs some groups of them
#:   make check          the rules of the code; make check-format, make format: its layout
#:   make verify         queue, scheduler and locks: all interleavings of small cases, the papers' errors caught
#:   make depth          the functions of the kernel have the stack that they need, where stacks grow (UPDATE=1)
#:   make storm          all that tasks can do, at once: 1 to 64 processors, hosted, sanitizers, QEMU (MINUTES, SEED)
#:   make fuzz           firmware tables, boot information, command lines at random (MINUTES=10, ONLY="acpi pvh")
#:   make boots          boot 64 processors 1,000 times, and 255 100 times (BOOTS=1000; FRESH=1 does not resume; DEBUG)
#:   make machines       every processor and board that QEMU and Bochs can be: build/machines.txt (ONLY="boards bochs")
#:   make torture        GCC's torture tests and csmith's programs as tasks, each switched at every check
#:     LEVELS="-O2 -Os"  and STACKS=growing (or whole): some configurations; ONLY="eh execute/pr43220": some tests
#:     EVERY=10          one program in so many; CSMITH=20, SEED=1: how many of csmith's, and which is the first
#:   make posix          POSIX's threads as tasks: the Open POSIX Test Suite, and pbzip2 (ONLY="sem_wait pbzip2")
#:     STACKS=growing    (or whole); EVERY=10: one test in so many
#:   make libraries      real libraries, built unchanged, as tasks that are switched at every turn
#:     LIBRARIES="expat lz4"    some of them; STACKS=growing (or whole), LEVEL=-Os
#:   make plugin-soak    the plugin on hundreds of generated programs (SEED=, COUNT=)
#:   make verify-compilers    the plugin built and tested with gcc-12 to gcc-16, those that are there (VERSIONS="13 14")
# The stack must suffice with assertions, which need more of it, too.
DEPTH_BUILDS := hosted kernel hosted-debug kernel-debug
STORMED      := $(foreach name,kernel kernel-debug,build/$(name)/heddle.elf) \
                $(foreach name,hosted hosted-debug hosted-asan hosted-tsan,build/$(name)/heddle)
BOOTED       := build/kernel$(if $(DEBUG),-debug)/heddle.elf
FORMATTED     = $(sort $(shell find arch kernel sched sync tools user -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp'))

.PHONY: check check-format format verify depth
test:
	@exec $(PYTHON) tools/test -- "$$ONLY"
check:
	@$(PYTHON) tools/checks/rules/check
check-format:
	@clang-format --dry-run -Werror $(FORMATTED)
format:
	@clang-format -i $(FORMATTED)
verify:
	@exec tools/verify/run
depth: build/hosted/heddle build/kernel/heddle.elf build/hosted-debug/heddle build/kernel-debug/heddle.elf
	@exec $(PYTHON) tools/verify/depth/measure $(if $(UPDATE),--update) $(DEPTH_BUILDS:%=build/%)
storm: $(STORMED)
	@exec $(PYTHON) tools/verify/storm --minutes="$$MINUTES" --seed="$$SEED" --only="$$ONLY"
fuzz:
	@exec tools/verify/fuzz/run --minutes="$$MINUTES" -- "$$ONLY"
boots: $(BOOTED)
	@exec $(PYTHON) tools/verify/boots --kernel $(BOOTED) --boots="$$BOOTS" $(if $(FRESH),--fresh)
machines: build/kernel/heddle.elf build/kernel-debug/heddle.elf
	@exec $(PYTHON) tools/verify/machines/boot "$$ONLY"
torture: build/plugin/heddle.so build/hosted/libheddle.a
	@exec $(PYTHON) tools/verify/torture/run --levels="$$LEVELS" --stacks="$$STACKS" --every="$$EVERY" \
	    --csmith="$$CSMITH" --seed="$$SEED" -- "$$ONLY"
posix: build/plugin/heddle.so build/hosted/libheddle-posix.a
	@exec $(PYTHON) tools/verify/posix/run $(if $(STACKS),--stacks="$$STACKS") \
	    $(if $(EVERY),--every="$$EVERY") -- "$$ONLY"
libraries: build/plugin/heddle.so build/hosted/libheddle.a
	@exec $(PYTHON) tools/verify/libraries/run $(if $(LEVEL),--level="$$LEVEL") $(if $(STACKS),--stacks="$$STACKS") \
	    -- "$$LIBRARIES"
plugin-soak: build/plugin/heddle.so
	@exec $(PYTHON) tools/plugin/test/run --long --seed "$$SEED" --count "$$COUNT" generated
verify-compilers:
	@exec $(PYTHON) tools/verify/compilers -- "$$VERSIONS"

#:
#: Measure
#:   make bench          the suite, hosted, in QEMU and on simulated machines, beside Linux and the peers; goes on where
#:                       it was ended
#:     PROFILE=quick     some minutes, or full: more points, more runs; ONLY="exchange Figure 10" measures that alone
#:   make report         build/report/index.html, a page of what was measured; README=1: the README and RESULTS.md too
#:   make bench-linux    the scheduler paper's benchmarks beside Linux in the same machine (PROFILE=quick|full)
#:   make leveldb        LevelDB's readrandom: exchange, dispatch and pthread locks (PROFILE=quick|full)
#:   make echo           a TCP server on hosted Heddle beside Go, tokio and Boost.Fiber (PROFILE=quick|full)
#:   make compare        A= B=: two files of results or two commits: what is faster, and is that chance?
#:     RUN, RUNS=9       of commits: which programs, how often; FORM=json or csv
#:   make bench-peers    hosted Heddle beside its peers in C, C++, Go, Rust and Java, in turn, in one run
#:     PROFILE=quick     quick or full; RUNS=9 of each; ROWS="yield create", PEERS="go tokio" choose some
#:     AHEAD=1           ahead of other programs of the host (nice -20, which needs the right); FRESH=1 does not resume
#:   make setup-peers    install what that compares
#:   make bench-runtimes the papers' locks in other runtimes (PROFILE=quick|full, ONLY="Figure 12", FRESH=1)
#:   make instructions   count the instructions of the kernel's basic operations (UPDATE=1: into the table of make test)
#:   make coherence      the cache lines that move between 64 processors on 4 sockets for a critical section, by lock
#:   make validate       the simulated machine beside this host, and beside the lines that QEMU's plug-in counts
#:   make overhead       what the compiler's checks cost in time, code and compile time
#:   make library-overhead    the same for real libraries, one by one (LIBRARIES="expat lz4", RUNS=9)
#:   make gap            the longest way between two of them
.PHONY: validate echo compare bench-peers bench-runtimes setup-peers
bench: build/kernel/heddle.elf build/hosted/heddle build/simulated/heddle
	@exec $(PYTHON) tools/measure/bench/measure --profile="$$PROFILE" --only="$$ONLY"
report:
	@exec $(PYTHON) tools/measure/report/write $(if $(README),--readme)
bench-linux: build/kernel/heddle.elf build/linux/init
	@exec $(PYTHON) tools/measure/linux/measure --profile="$$PROFILE" --kernel="$$LINUX_KERNEL" $(if $(AGAIN),--again)
leveldb bench-leveldb: build/leveldb/heddle/readrandom build/leveldb/threads/readrandom
	@exec $(PYTHON) tools/measure/leveldb/measure --profile="$$PROFILE"
echo: build/hosted/libheddle.a build/.setup-peers
	@exec $(PYTHON) tools/measure/echo/measure --profile="$${PROFILE:-quick}"
compare: build/hosted/heddle
	@exec $(PYTHON) tools/measure/compare/compare $(if $(FORM),--$(FORM)) $(if $(RUN),--run="$$RUN") --runs="$$RUNS" \
	    -- "$${A:?names a file or a commit, as B does}" $(if $(B),"$$B")
bench-peers: build/hosted/heddle build/.setup-peers
	@exec $(PYTHON) tools/measure/peers/run --profile="$$PROFILE" --runs="$$RUNS" --peers="$$PEERS" \
	    $(if $(AHEAD),--ahead) $(if $(FRESH),--fresh) -- "$$ROWS"
bench-runtimes: build/hosted/heddle build/.setup-peers
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

#:
#: Build
#:   make                the kernel and the hosted program; V=1 shows the commands
#:   make kernel         build/kernel/heddle.elf
#:                       with PROGRAMS=folder, here and below: build/programs/kernel/heddle.elf and so on
#:   make hosted         build/hosted/heddle, and the library build/hosted/libheddle.{a,so}
#:   make simulated      build/simulated/heddle: up to 1,024 processors in virtual time (arch/simulated/)
#:   make plugin         build/plugin/heddle.so, the compiler's plugin (BOUND=1000: instructions between checks)
#:   make iso            build/heddle.iso, with a menu, for CD and USB stick, BIOS and UEFI
#:   make install        the library, its headers and the plugin, for programs anywhere (user/installing.md)
#:     PREFIX=/usr/local where to; LIBDIR=lib below it; DESTDIR=folder: into that folder, for packages
#:   make uninstall      remove what was installed (PREFIX, LIBDIR, DESTDIR)
#:   make deb            the same as a package of the distribution, build/heddle_VERSION_ARCHITECTURE.deb
#:   make sources        fetch the foreign programs' sources (user/ports/)
#:   make setup          install the tools that are missing (Debian, Ubuntu)
#:   make clean          remove build/
.PHONY: kernel hosted simulated plugin iso install uninstall deb setup clean help
INSTALLED := build/hosted/libheddle.a build/hosted/libheddle.so build/hosted/libheddle-posix.a \
  build/hosted/libheddle-delegation.a build/plugin/heddle.so
kernel: $(BUILT)kernel/heddle.elf
hosted: $(BUILT)hosted/heddle $(if $(PROGRAMS),,$(filter build/hosted/%,$(INSTALLED)))
simulated: build/simulated/heddle
plugin: build/plugin/heddle.so
iso: $(BUILT)heddle.iso
install: $(INSTALLED)
	@exec $(PYTHON) tools/make/install --prefix="$$PREFIX" --libdir="$$LIBDIR" --destdir="$$DESTDIR" --compiler=$(CC)
uninstall:
	@exec $(PYTHON) tools/make/install --remove --prefix="$$PREFIX" --libdir="$$LIBDIR" --destdir="$$DESTDIR"
deb: $(INSTALLED)
	@exec $(PYTHON) tools/make/deb --compiler=$(CC) build
setup:
	@tools/setup
	@mkdir -p build && touch build/.setup
clean:
	rm -rf build
help:
	@sed -n 's/^#: \{0,1\}//p' Makefile

# A setting that no makefile reads would change nothing, and say nothing.
NAMES   := $(shell grep -ohE '\b[A-Z][A-Z_]*\b' $(filter Makefile %.mk,$(MAKEFILE_LIST)))
GIVEN   := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
UNKNOWN := $(firstword $(filter-out $(NAMES) MAKE%,$(GIVEN)))
ifneq ($(UNKNOWN),)
NEAREST := $(shell $(PYTHON) -c 'import difflib, sys; print(*difflib.get_close_matches(sys.argv[1], sys.argv[2:], 1))' \
                   $(UNKNOWN) $(NAMES))
$(error $(UNKNOWN)=: there is no such setting; $(if $(NEAREST),did you mean $(NEAREST)=?,`make help` has them))
endif
