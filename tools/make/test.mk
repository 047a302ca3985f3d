# What proves that Heddle is right.
# Included by the Makefile.

BOOTS   ?= 1000
MINUTES ?= 10
SEED    ?= 1
COUNT   ?= 500
EVERY   ?= 1
CSMITH  ?= 20
export ONLY BOOTS MINUTES SEED COUNT LEVELS LEVEL STACKS EVERY CSMITH LIBRARIES VERSIONS TORTURE SYSTEMS LIBC_TEST

#:
#: Test
#:   make test           build everything and run all tests; ONLY="boot hosted" runs some groups of them
#:   make check          the rules of the code; make check-format, make format: its layout
#:   make verify         queue, scheduler and locks: all interleavings of small cases, the papers' errors caught
#:   make depth          the functions of the kernel have the stack that they need, where stacks grow (UPDATE=1)
#:   make storm          all that tasks can do, at once: 1 to 64 processors, hosted, sanitizers, QEMU, simulated
#:   make coroutine-storm    all that C++20 coroutines can do, at once: threads, sanitizers, tasks
#:   make posix-storm    all that POSIX's threads have, at once: as tasks, sanitizers, the host's (ONLY="tasks-asan")
#:   make fuzz           firmware tables, boot information, command lines at random (MINUTES=10, ONLY="acpi pvh")
#:   make boots          boot 64 processors 1,000 times, and 255 100 times (BOOTS=1000; FRESH=1 does not resume; DEBUG)
#:   make machines       every processor and board that QEMU and Bochs can be: build/machines.txt (ONLY="boards bochs")
#:   make torture        GCC's torture tests and csmith's programs as tasks, each switched at every check
#:     LEVELS="-O2 -Os"  and STACKS=growing (or whole): some configurations; ONLY="eh execute/pr43220": some tests
#:     EVERY=10          one program in so many; CSMITH=20, SEED=1: how many of csmith's, and which is the first
#:   make posix          POSIX's threads as tasks: the Open POSIX Test Suite, glibc's, pbzip2 (ONLY="glibc pbzip2")
#:     STACKS=growing    (or whole); EVERY=10: one test in so many
#:     LIBC_TEST=folder  also musl's libc-test, a checkout of git://repo.or.cz/libc-test
#:   make libraries      real libraries, built unchanged, as tasks that are switched at every turn
#:     LIBRARIES="expat lz4"    some of them; STACKS=growing (or whole), LEVEL=-Os
#:   make plugin-soak    the plugin on hundreds of generated programs (SEED=, COUNT=)
#:   make verify-compilers    the plugin built and tested with gcc-12 to gcc-16, those that are there (VERSIONS="13 14")
#:     TORTURE="-O2 -Os"     and GCC's torture tests with each, five minutes for an option
#:   make distributions  make run and make test on fresh systems, as root: SYSTEMS="debian/trixie ubuntu/noble"
#:     ONLY=words        some tests (ONLY=none: none); UNSIGNED=1: also where the keys of a distribution are missing
# The stack must suffice with assertions, which need more of it, too.
DEPTH_BUILDS := hosted kernel hosted-debug kernel-debug
STORMED      := $(foreach name,kernel kernel-debug,build/$(name)/heddle.elf) \
                $(foreach name,hosted hosted-debug hosted-asan hosted-tsan simulated,build/$(name)/heddle)
BOOTED       := build/kernel$(if $(DEBUG),-debug)/heddle.elf

.PHONY: check check-format format verify depth
test:
	@exec $(PYTHON) tools/test -- "$$ONLY"
check:
	@$(PYTHON) tools/checks/rules/check
check-format:
	@exec $(PYTHON) tools/checks/rules/layout --check
format:
	@exec $(PYTHON) tools/checks/rules/layout
verify:
	@exec tools/verify/run
depth: build/hosted/heddle build/kernel/heddle.elf build/hosted-debug/heddle build/kernel-debug/heddle.elf
	@exec $(PYTHON) tools/verify/depth/measure $(if $(UPDATE),--update) $(DEPTH_BUILDS:%=build/%)
storm: $(STORMED)
	@exec $(PYTHON) tools/verify/storm --minutes="$$MINUTES" --seed="$$SEED" --only="$$ONLY"
coroutine-storm: build/hosted/libheddle.a
	@exec $(PYTHON) tools/verify/coroutine_storm --minutes="$$MINUTES" --seed="$$SEED" --only="$$ONLY"
posix-storm: $(POSIX_STORMED)
	@exec $(POSIX_STORM)/run --minutes="$$MINUTES" --seed="$$SEED" --only="$$ONLY"
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
	    $(if $(EVERY),--every="$$EVERY") $(if $(LIBC_TEST),--libc-test="$$LIBC_TEST") -- "$$ONLY"
libraries: build/plugin/heddle.so build/hosted/libheddle.a
	@exec $(PYTHON) tools/verify/libraries/run $(if $(LEVEL),--level="$$LEVEL") $(if $(STACKS),--stacks="$$STACKS") \
	    -- "$$LIBRARIES"
plugin-soak: build/plugin/heddle.so
	@exec $(PYTHON) tools/plugin/test/run --long --seed "$$SEED" --count "$$COUNT" generated
verify-compilers: $(if $(TORTURE),build/hosted/libheddle.a)
	@exec $(PYTHON) tools/verify/compilers --torture="$$TORTURE" -- "$$VERSIONS"
distributions:
	@exec $(PYTHON) tools/verify/distributions --only="$$ONLY" $(if $(UNSIGNED),--unsigned) -- "$$SYSTEMS"
