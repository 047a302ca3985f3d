# Heddle: build, run and test.
#: make run             boot 64 processors in QEMU from a GRUB image, run the benchmarks, print a table
#:     SMP=64           processors, or QEMU's whole -smp value: SMP=72,sockets=3,cores=12,threads=2
#:     MEM=1G           memory
#:     FIRMWARE=bios    bios, uefi, or direct (QEMU loads the kernel itself)
#:     NODES=1          NUMA nodes
#:     RUN="switch create,tasks=100000"    which programs; OPTIONS="list" lists them
#:     POLICY=local     ready queues: local (a queue a processor) or global (one for all)
#:     OPTIONS="log=debug watchdog=5"      further words of the command line
#:     TIMEOUT=300      seconds until a run is given up
#:     HOSTED=1         the same as a Linux program, without QEMU
#:     DEBUG=1          with the assertions of debug builds
#:     INSTRUMENT=off   without the checks that the compiler inserts: tasks switch only where they call
#:     GROWS=off        build with a whole stack for each task, as where the compiler has no stacks that grow
#: make test            build everything and run all tests; ONLY="boot hosted" runs some groups of them
#: make verify          queue, scheduler and locks: all interleavings of small cases, the papers' errors caught
#: make overhead        what the checks cost in time, code and compile time; make gap: the longest way between two
#: make depth        that the functions of the kernel have the stack that they need, where stacks grow (UPDATE=1)
#: make leveldb         LevelDB's readrandom: exchange, dispatch and pthread locks (PROFILE=quick|full)
#: make plugin-soak     the plugin on hundreds of generated programs (SEED=, COUNT=)
#: make torture         GCC's torture tests and csmith's programs as tasks, each switched at every check
#:     LEVELS="-O2 -Os" and STACKS=growing (or whole): some configurations; ONLY="eh execute/pr43220": some tests
#:     EVERY=10         one program in so many; CSMITH=20, SEED=1: how many of csmith's, and which is the first
#: make storm           all that tasks can do, at once: 1 to 64 processors, hosted, sanitizers, QEMU (MINUTES, SEED)
#: make fuzz            firmware tables, boot information, command lines at random (MINUTES=10, ONLY="acpi pvh")
#: make boots           boot 64 processors 1,000 times, and 255 100 times (BOOTS=1000; FRESH=1 does not resume; DEBUG)
#: make bench-linux     the scheduler paper's benchmarks beside Linux in the same machine (PROFILE=quick|full)
#: make instructions    count the instructions of basic operations in the kernel (UPDATE=1: into the table of make test)
#: make coherence       the cache lines that move between 64 processors on 4 sockets for a critical section, by lock
#: make machines        every processor and board that QEMU and Bochs can be: build/machines.txt (ONLY="boards bochs")
#: make bench-peers     hosted Heddle beside pthreads, Boost, C++20, Go, tokio and Java, in turn, in one run
#:     PROFILE=quick    quick or full; RUNS=9 of each; ROWS="yield create", PEERS="go tokio" choose some
#:     AHEAD=1          ahead of other programs of the host (nice -20, which needs the right); FRESH=1 does not resume
#: make setup-peers     install what that compares
#: make bench           measure the suite, hosted and in QEMU, beside Linux and the peers; goes on where it was ended
#:     PROFILE=quick    some minutes, or full: more points, more runs; ONLY="exchange Figure 10" measures that alone
#: make report          build/report/index.html, a page of what was measured; README=1: README's table, RESULTS.md, too
#: make debug           QEMU waits for GDB (PORT=1234); with HOSTED=1, GDB starts; takes what `make run` takes
#: make kernel          build/kernel/heddle.elf
#: make hosted          build/hosted/heddle
#: make plugin          build/plugin/heddle.so, the compiler's plugin (BOUND=1000: instructions between checks, at most)
#: make iso             build/heddle.iso, with a menu, for CD and USB stick, BIOS and UEFI
#: make setup           install the tools that are missing (Debian, Ubuntu)
#: make check           the rules of the code; make check-format, make format: its layout
#: make clean           remove build/

# The kernel is built with the tools of CROSS (CROSS=x86_64-elf-), the hosted program with the host's own.
CROSS      ?=
KERNEL_CC  := $(CROSS)gcc
KERNEL_CXX := $(CROSS)g++
KERNEL_LD  := $(CROSS)ld
CC         := gcc
CXX        := g++
LD         := ld
AR         := ar
NM         := nm
OBJCOPY    := objcopy
NASM    ?= nasm
PYTHON  ?= python3

# A line a step; V=1 shows the commands themselves.
V     ?=
QUIET := $(if $(V),,@)
say    = $(if $(V),,@printf '  %-9s%s\n' $(1) $@)

.DELETE_ON_ERROR:

.PHONY: all kernel hosted iso plugin
all: kernel hosted
kernel: build/kernel/heddle.elf
hosted: build/hosted/heddle build/hosted/libheddle.a
iso: build/heddle.iso
plugin: build/plugin/heddle.so

# An initializer may leave fields out: they are 0, which means the default.
WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef \
            -Wno-missing-field-initializers
# r15 has the quantum's counter of the task; what lies between two instrumented functions leaves it alone.
COMMON   := -std=gnu17 -O2 -g -I. -Iuser/include -fno-omit-frame-pointer -fno-stack-protector \
            -fcf-protection=none -ffixed-r15 -fcallgraph-info=su $(WARNINGS)

# C++ is freestanding in both programs, and without what needs a run-time library.
# A function may have a structure's name there.
COMMON_CXX := $(filter-out -std=% -Wstrict-prototypes -Wmissing-prototypes -Wshadow,$(COMMON)) -std=gnu++17 \
              -Wshadow=local -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics

PORTABLE_SOURCES := $(sort $(wildcard kernel/*.c sched/*.c sync/*.c user/*.c \
                                      $(addprefix sync/,baseline/*.c strategy/*.c delegation/*.c) \
                                      $(addprefix user/,bench/*.c bench/*.cc test/*.c test/*.cc demo/*.c)))
MACHINE_SOURCES  := $(sort $(wildcard arch/x86_64/*.c arch/x86_64/decode/*.c arch/x86_64/*.asm))
HOSTED_SOURCES   := $(sort $(wildcard arch/hosted/*.c arch/hosted/*.asm arch/x86_64/decode/*.c)) \
                    $(addprefix arch/x86_64/,context.c context.asm grow.asm quantum.asm generator.c generator.asm \
                                        string.c)

# $(call remember,FILE,TEXT): a file that is written only when its text changes; what was built with another is stale.
define remember
$(1): always
	@mkdir -p $$(@D)
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' > $$@
endef
.PHONY: always

# Says what is missing before anything is built with it.
TOOLS := KERNEL_CC KERNEL_CXX KERNEL_LD CC CXX LD AR NM OBJCOPY NASM PYTHON
.PHONY: compilers
compilers:
	@missing=; \
	for tool in $(foreach tool,$(TOOLS),$(firstword $($(tool)))); do \
	    command -v $$tool > /dev/null || missing="$$missing $$tool"; \
	done; \
	[ -z "$$missing" ] || { echo "make: not installed:$$missing; \`make setup\` installs what is needed" >&2; exit 1; }

# The plugin is built for one compiler; another compiler of the kernel's has its own.
BOUND         ?= 1000
HOSTED_PLUGIN := build/plugin/heddle.so
KERNEL_PLUGIN := $(if $(CROSS),build/plugin-cross/heddle.so,$(HOSTED_PLUGIN))
PLUGIN_FLAGS  := -std=c++17 -O2 -g -fPIC -fno-rtti -fno-exceptions -Wall -Wextra -Werror
PLUGIN_SOURCES := $(sort $(wildcard tools/plugin/*.cc))

# $(call plugin,FOLDER,COMPILER)
define plugin
$$(eval $$(call remember,$(1)/flags,$(2) $$(CXX) $$(PLUGIN_FLAGS)))
$(1)/%.o: tools/plugin/%.cc $(1)/flags | compilers
	@$$(PYTHON) tools/plugin/headers $(2)
	$$(call say,compile)
	$$(QUIET)$$(CXX) $$(PLUGIN_FLAGS) -isystem `$(2) -print-file-name=plugin`/include -MMD -MP -c $$< -o $$@
$(1)/heddle.so: $(PLUGIN_SOURCES:tools/plugin/%.cc=$(1)/%.o)
	$$(call say,link)
	$$(QUIET)$$(CXX) -shared -o $$@.new $$^ && mv $$@.new $$@
-include $(PLUGIN_SOURCES:tools/plugin/%.cc=$(1)/%.d)
endef
$(eval $(call plugin,build/plugin,$$(CC)))
$(if $(CROSS),$(eval $(call plugin,build/plugin-cross,$$(KERNEL_CC))))

# Stacks that grow, where the compiler has them: hosted_growth, kernel_growth.
include tools/depth/growth.mk

GROWING_TESTS := $(addprefix user/test/,growth.c deferral.c fail_growth.c)

# $(call configuration,NAME,COMPILER,CFLAGS,SOURCES,PLUGIN): objects of one way to build, in build/NAME/. What lies in
# user/ is compiled with the plugin; none: without.
define configuration
$(1)_OBJECTS := $(patsubst %,build/$(1)/%.o,$(4))
$(1)_USER    := $$(filter build/$(1)/user/%,$$($(1)_OBJECTS))
$(1)_CHECKS  := $(if $(5),-fplugin=$(5) -fplugin-arg-heddle-bound=$$(BOUND))
$(1)_GROWTH  := $(if $(5),$(if $(filter %san,$(1)),,$$($(firstword $(subst -, ,$(1)))_growth)))
$(1)_CORE    := -mno-red-zone $(if $(filter hosted%,$(1)),-fno-plt)
$(1)_FLAGS   := $$($(1)_CHECKS) $$($(1)_GROWTH) $$($(1)_CORE)
$$(eval $$(call remember,build/$(1)/flags,$(2) $$(COMMON) $$(COMMON_CXX) $(3) $$($(1)_FLAGS)))
$$(eval $$(call remember,build/$(1)/objects,$$($(1)_OBJECTS)))
# What switches by itself must not use the red zone (arch/x86_64/switch.h). The host's dynamic linker, which needs much
# stack, must not run when a task is the first to call a function of the C library: -fno-plt, and -z now below.
build/$(1)/%.o: CHECKS = $$($(1)_CORE)
build/$(1)/user/%.o: CHECKS = $$($(1)_CHECKS) $$($(1)_GROWTH)
# Tests call what else only the kernel does, which may need more than there is below the limit of a stack.
build/$(1)/user/test/%.o: CHECKS = $$($(1)_CHECKS)
$$(patsubst %,build/$(1)/%.o,$(GROWING_TESTS) $(filter user/test/storm%,$(4))): \
  CHECKS = $$($(1)_CHECKS) $$($(1)_GROWTH)
# Called so that all registers are lost (sched/yield.c); but where a sanitizer has functions of its own for that.
build/$(1)/sched/yield.c.o: CHECKS = $$($(1)_CORE) \
  $$(if $$(findstring sanitize,$(3)),,$$(addprefix -fcall-used-,rbx r12 r13 r14))
# A stack grows and shrinks in the middle of what uses vector registers (arch/x86_64/grow.asm).
build/$(1)/sched/growth.c.o build/$(1)/kernel/pool.c.o: CHECKS = $$($(1)_CORE) -mgeneral-regs-only
build/$(1)/arch/x86_64/string.c.o: CHECKS = $$($(1)_CORE) -ffreestanding -fno-tree-loop-distribute-patterns
$$($(1)_USER): $(5)
build/$(1)/%.c.o: %.c build/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(COMMON) $(3) $$(CHECKS) -MMD -MP -c $$< -o $$@
build/$(1)/%.cc.o: %.cc build/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(if $(filter kernel%,$(1)),$$(KERNEL_CXX),$$(CXX)) $$(COMMON_CXX) $(3) $$(CHECKS) -MMD -MP -c $$< -o $$@
build/$(1)/%.asm.o: %.asm | compilers
	@mkdir -p $$(@D)
	$$(call say,assemble)
	$$(QUIET)$$(NASM) -f elf64 -g -F dwarf -I. -MD $$@.d -o $$@ $$<
# No image is linked from what only looks instrumented.
build/$(1)/instrumented: tools/plugin/notes build/$(1)/objects $$($(1)_USER)
	$$(if $$($(1)_CHECKS),$$(QUIET)$$(PYTHON) tools/plugin/notes --bound $$(BOUND) $$($(1)_USER))
	@touch $$@
-include $$($(1)_OBJECTS:.o=.d) $$(addsuffix .d,$$($(1)_OBJECTS))
endef

KERNEL_FLAGS := -ffreestanding -fno-pie -mcmodel=small -fno-tree-loop-distribute-patterns
HOSTED_FLAGS := -fPIE -pthread -D_GNU_SOURCE -fno-reorder-functions

KERNEL_SOURCES := $(PORTABLE_SOURCES) $(MACHINE_SOURCES)
PROGRAM_SOURCES := $(PORTABLE_SOURCES) $(HOSTED_SOURCES)
# A sanitizer watches the C library's.
WATCHED_SOURCES := $(filter-out arch/x86_64/string.c,$(PROGRAM_SOURCES))
ASSERTIONS := -DHEDDLE_DEBUG
TSAN := -fsanitize=thread
ASAN := -fsanitize=address,undefined
ASAN_CHECKED := $(ASSERTIONS) $(ASAN) -fno-sanitize-recover=all

KERNEL_DEBUG_FLAGS := $(KERNEL_FLAGS) $(ASSERTIONS)
HOSTED_DEBUG_FLAGS := $(HOSTED_FLAGS) $(ASSERTIONS)
HOSTED_TSAN_FLAGS  := $(HOSTED_FLAGS) $(ASSERTIONS) $(TSAN)
HOSTED_ASAN_FLAGS  := $(HOSTED_FLAGS) $(ASAN_CHECKED)
$(eval $(call configuration,kernel,$$(KERNEL_CC),$$(KERNEL_FLAGS),$(KERNEL_SOURCES),$(KERNEL_PLUGIN)))
$(eval $(call configuration,kernel-debug,$$(KERNEL_CC),$$(KERNEL_DEBUG_FLAGS),$(KERNEL_SOURCES),$(KERNEL_PLUGIN)))
$(eval $(call configuration,hosted,$$(CC),$$(HOSTED_FLAGS),$(PROGRAM_SOURCES),$(HOSTED_PLUGIN)))
$(eval $(call configuration,hosted-debug,$$(CC),$$(HOSTED_DEBUG_FLAGS),$(PROGRAM_SOURCES),$(HOSTED_PLUGIN)))
$(eval $(call configuration,hosted-tsan,$$(CC),$$(HOSTED_TSAN_FLAGS),$(WATCHED_SOURCES),$(HOSTED_PLUGIN)))
$(eval $(call configuration,hosted-asan,$$(CC),$$(HOSTED_ASAN_FLAGS),$(WATCHED_SOURCES),$(HOSTED_PLUGIN)))

UNCOUNTED := -fcall-saved-r15 -DHEDDLE_UNCHECKED

# $(call uninstrumented,NAME,COMPILER,CFLAGS): build/NAME-off/ has user/ without checks, and all else of build/NAME/.
define uninstrumented
$$(eval $$(call configuration,$(1)-off,$(2),$(3) $(UNCOUNTED),$(filter user/%,$(PORTABLE_SOURCES)),))
$(1)-off_OBJECTS += $$(filter-out build/$(1)/user/%,$$($(1)_OBJECTS))
endef
$(eval $(call uninstrumented,kernel,$$(KERNEL_CC),$$(KERNEL_FLAGS)))
$(eval $(call uninstrumented,kernel-debug,$$(KERNEL_CC),$$(KERNEL_DEBUG_FLAGS)))
$(eval $(call uninstrumented,hosted,$$(CC),$$(HOSTED_FLAGS)))
$(eval $(call uninstrumented,hosted-debug,$$(CC),$$(HOSTED_DEBUG_FLAGS)))

# The benchmarks on Linux, to compare with.
include tools/linux/linux.mk

# Foreign programs (user/ports/), where their sources can be fetched.
include user/ports/ports.mk
$(foreach name,kernel kernel-debug kernel-off kernel-debug-off,$(eval \
  $(call ports,$(name),$$(KERNEL_CC),$$(KERNEL_LD),$$(KERNEL_FLAGS),$(if $(filter %-off,$(name)),,$(KERNEL_PLUGIN)))))
$(foreach name,hosted hosted-debug hosted-off hosted-debug-off,$(eval \
  $(call ports,$(name),$$(CC),$$(LD),$$(HOSTED_FLAGS),$(if $(filter %-off,$(name)),,$(HOSTED_PLUGIN)))))

# An application, measured: `make leveldb`.
include tools/leveldb/leveldb.mk
include tools/machines/machines.mk

LINK_KERNEL := $(KERNEL_LD) -n -z noexecstack -T linker.ld

# The symbol table for back traces goes at the end of the image, so a second link moves no function.
# $(call kernel_image,NAME)
define kernel_image
build/$(1)/heddle.elf: linker.ld tools/symbols $$($(1)_OBJECTS) build/$(1)/objects build/$(1)/instrumented
	$$(call say,link)
	$$(QUIET)$$(PYTHON) tools/symbols --empty > build/$(1)/symbols.asm
	$$(QUIET)$$(NASM) -f elf64 -o build/$(1)/symbols.o build/$(1)/symbols.asm
	$$(QUIET)$$(LINK_KERNEL) -o build/$(1)/unresolved.elf $$($(1)_OBJECTS) build/$(1)/symbols.o
	$$(QUIET)$$(NM) -n build/$(1)/unresolved.elf > build/$(1)/symbols.txt
	$$(QUIET)$$(PYTHON) tools/symbols < build/$(1)/symbols.txt > build/$(1)/symbols.asm
	$$(QUIET)$$(NASM) -f elf64 -o build/$(1)/symbols.o build/$(1)/symbols.asm
	$$(QUIET)$$(LINK_KERNEL) -o $$@ $$($(1)_OBJECTS) build/$(1)/symbols.o
endef
$(foreach name,kernel kernel-debug kernel-off kernel-debug-off,$(eval $(call kernel_image,$(name))))

include arch/hosted/hosted.mk

build/heddle.iso: build/kernel/heddle.elf tools/image $(wildcard tools/harness/*.py)
	$(call say,image)
	$(QUIET)$(PYTHON) tools/image $< $@

# ------------------------------------------------------------------------------------------- run and test --

# What `make run` takes, on the command line of make.
SMP      ?=
MEM      ?= 1G
FIRMWARE ?= bios
NODES    ?= 1
RUN      ?=
POLICY   ?=
OPTIONS  ?=
TIMEOUT  ?= 300
HOSTED   ?=
DEBUG    ?=
INSTRUMENT ?= on
PORT     ?= 1234
BOOTS    ?= 1000
MINUTES  ?= 10
ONLY     ?=
SEED     ?= 1
PROFILE  ?= quick
README   ?=
COUNT    ?= 500
LEVELS   ?=
STACKS   ?=
EVERY    ?= 1
CSMITH   ?= 20
UPDATE   ?=
RUNS     ?= 9
ROWS     ?=
PEERS    ?=
AHEAD    ?=
FRESH    ?=

# The shell takes them from its environment, where no character of theirs means anything to it.
export SMP MEM FIRMWARE NODES RUN POLICY OPTIONS TIMEOUT PORT BOOTS MINUTES ONLY SEED COUNT PROFILE RUNS ROWS PEERS
export LEVELS STACKS EVERY CSMITH
MACHINE     := --processors="$$SMP" --memory="$$MEM" --firmware="$$FIRMWARE"
RUN_OPTIONS := $(if $(HOSTED),--hosted) $(MACHINE) --nodes="$$NODES" --policy="$$POLICY" --timeout="$$TIMEOUT" \
               --words="$$OPTIONS" -- "$$RUN"

ifeq ($(filter on off,$(INSTRUMENT)),)
$(error INSTRUMENT=$(INSTRUMENT) is not understood: allowed is on or off)
endif
SUFFIX       := $(if $(filter off,$(INSTRUMENT)),-off)
BINARY       := build/$(if $(HOSTED),hosted,kernel)$(if $(DEBUG),-debug)$(SUFFIX)/$(if $(HOSTED),heddle,heddle.elf)
DEBUG_BINARY := build/$(if $(HOSTED),hosted-debug$(SUFFIX)/heddle,kernel-debug$(SUFFIX)/heddle.elf)

# `exec`: a signal to end reaches the tool, which ends what it has started.
.PHONY: setup run debug test verify fuzz storm boots torture instructions coherence overhead gap plugin-soak \
        check format check-format bench report bench-peers setup-peers clean help
setup:
	@tools/setup
	@mkdir -p build && touch build/.setup
# The others look once, before anything is built.
build/.setup: tools/setup | $(filter setup,$(MAKECMDGOALS))
	@tools/setup
	@mkdir -p $(@D) && touch $@
ifneq ($(filter run bench debug test storm boots torture bench-linux bench-peers instructions coherence overhead gap \
  plugin-soak,$(MAKECMDGOALS)),)
compilers: build/.setup
endif

run: build/.setup $(BINARY)
	@exec $(PYTHON) tools/run --binary $(BINARY) $(RUN_OPTIONS)

debug: build/.setup $(DEBUG_BINARY)
	@exec $(PYTHON) tools/run --debug --port="$$PORT" --binary $(DEBUG_BINARY) $(RUN_OPTIONS)

test: build/.setup
	@exec $(PYTHON) tools/test -- "$$ONLY"

verify:
	@exec tools/verify/run

include tools/long.mk

bench: build/.setup build/kernel/heddle.elf build/hosted/heddle
	@exec $(PYTHON) tools/bench/measure --profile="$$PROFILE" --only="$$ONLY"

report: build/.setup
	@exec $(PYTHON) tools/report/write $(if $(README),--readme)

instructions: build/.setup build/kernel/heddle.elf
	@exec $(PYTHON) tools/instructions/measure $(if $(UPDATE),--update)

coherence: build/.setup build/kernel/heddle.elf
	@exec $(PYTHON) tools/coherence/measure

overhead: build/.setup build/hosted/heddle build/hosted/libheddle.a build/hosted-off/heddle
	@$(PYTHON) tools/overhead/foreign
	@exec $(PYTHON) tools/overhead/measure

gap: build/.setup build/kernel/heddle.elf
	@exec $(PYTHON) tools/gap/measure

plugin-soak: build/.setup build/plugin/heddle.so
	@exec $(PYTHON) tools/plugin/test/run --long --seed "$$SEED" --count "$$COUNT" generated

setup-peers:
	@tools/setup peers
# What cannot be installed is skipped by name.
build/.setup-peers: tools/setup
	@mkdir -p $(@D)
	@if tools/setup peers; then touch $@; else echo "bench-peers: goes on with what is here"; fi
bench-peers: build/hosted/heddle build/.setup-peers
	@exec $(PYTHON) tools/peers/run --profile="$$PROFILE" --runs="$$RUNS" --peers="$$PEERS" \
	    $(if $(AHEAD),--ahead) $(if $(FRESH),--fresh) -- "$$ROWS"

DEPTHS    := */* */*/* */*/*/* */*/*/*/* */*/*/*/*/*
FORMATTED  = $(sort $(filter-out build/%,$(wildcard $(addsuffix .[ch],$(DEPTHS)) $(addsuffix .cc,$(DEPTHS)) \
                                           $(addsuffix .hpp,$(DEPTHS)))))
format:
	clang-format -i $(FORMATTED)
check-format:
	clang-format --dry-run -Werror $(FORMATTED)

check:
	@$(PYTHON) tools/check-rules

clean:
	rm -rf build

help:
	@sed -n 's/^#: //p' $(firstword $(MAKEFILE_LIST))
