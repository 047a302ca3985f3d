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
#: make test            build everything and run all tests; ONLY="boot hosted" runs some groups of them
#: make verify          check the queue: all interleavings of small cases, linearizability, the paper's errors
#: make soak            boot 64 processors 100 times under a switch stress (BOOTS=100, SMP, MEM, FIRMWARE, DEBUG)
#: make instructions    count the instructions of a switch in the kernel
#: make debug           QEMU waits for GDB (PORT=1234); with HOSTED=1, GDB starts; takes what `make run` takes
#: make kernel          build/kernel/heddle.elf
#: make hosted          build/hosted/heddle
#: make iso             build/heddle.iso, with a menu, for CD and USB stick, BIOS and UEFI
#: make setup           install the tools that are missing (Debian, Ubuntu)
#: make check           the rules of the code; make check-format, make format: its layout
#: make clean           remove build/

# The kernel is built with the tools of CROSS (CROSS=x86_64-elf-), the hosted program with the host's own.
CROSS     ?=
KERNEL_CC := $(CROSS)gcc
KERNEL_LD := $(CROSS)ld
CC        := gcc
LD        := ld
AR        := ar
NM        := nm
OBJCOPY   := objcopy
NASM    ?= nasm
PYTHON  ?= python3

# A line a step; V=1 shows the commands themselves.
V     ?=
QUIET := $(if $(V),,@)
say    = $(if $(V),,@printf '  %-9s%s\n' $(1) $@)

.DELETE_ON_ERROR:

.PHONY: all kernel hosted iso
all: kernel hosted
kernel: build/kernel/heddle.elf
hosted: build/hosted/heddle build/hosted/libheddle.a
iso: build/heddle.iso

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
COMMON   := -std=gnu17 -O2 -g -I. -Iuser/include -fno-omit-frame-pointer -fno-stack-protector \
            -fcf-protection=none $(WARNINGS)

PORTABLE_SOURCES := $(sort $(wildcard kernel/*.c sched/*.c user/*.c user/bench/*.c user/test/*.c user/demo/*.c))
MACHINE_SOURCES  := $(sort $(wildcard arch/x86_64/*.c arch/x86_64/*.asm))
HOSTED_SOURCES   := $(sort $(wildcard arch/hosted/*.c)) arch/x86_64/context.c arch/x86_64/context.asm

# $(call remember,FILE,TEXT): a file that is written only when its text changes; what was built with another is stale.
define remember
$(1): always
	@mkdir -p $$(@D)
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' > $$@
endef
.PHONY: always

# Says what is missing before anything is built with it.
.PHONY: compilers
compilers:
	@missing=; \
	for tool in $(foreach tool,KERNEL_CC KERNEL_LD CC LD AR NM OBJCOPY NASM PYTHON,$(firstword $($(tool)))); do \
	    command -v $$tool > /dev/null || missing="$$missing $$tool"; \
	done; \
	[ -z "$$missing" ] || { echo "make: not installed:$$missing; \`make setup\` installs what is needed" >&2; exit 1; }

# $(call configuration,NAME,COMPILER,CFLAGS,SOURCES): objects of one way to build, in build/NAME/
define configuration
$(1)_OBJECTS := $(patsubst %,build/$(1)/%.o,$(4))
$$(eval $$(call remember,build/$(1)/flags,$(2) $$(COMMON) $(3)))
$$(eval $$(call remember,build/$(1)/objects,$$($(1)_OBJECTS)))
build/$(1)/%.c.o: %.c build/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(COMMON) $(3) -MMD -MP -c $$< -o $$@
build/$(1)/%.asm.o: %.asm | compilers
	@mkdir -p $$(@D)
	$$(call say,assemble)
	$$(QUIET)$$(NASM) -f elf64 -g -F dwarf -I. -MD $$@.d -o $$@ $$<
-include $$($(1)_OBJECTS:.o=.d) $$(addsuffix .d,$$($(1)_OBJECTS))
endef

KERNEL_FLAGS := -ffreestanding -fno-pie -mcmodel=small -fno-tree-loop-distribute-patterns
HOSTED_FLAGS := -fPIE -pthread -D_GNU_SOURCE -fno-reorder-functions

KERNEL_SOURCES := $(PORTABLE_SOURCES) $(MACHINE_SOURCES)
PROGRAM_SOURCES := $(PORTABLE_SOURCES) $(HOSTED_SOURCES)
ASSERTIONS := -DHEDDLE_DEBUG
TSAN := -fsanitize=thread
ASAN := -fsanitize=address,undefined
ASAN_CHECKED := $(ASSERTIONS) $(ASAN) -fno-sanitize-recover=all

$(eval $(call configuration,kernel,$$(KERNEL_CC),$$(KERNEL_FLAGS),$(KERNEL_SOURCES)))
$(eval $(call configuration,kernel-debug,$$(KERNEL_CC),$$(KERNEL_FLAGS) $$(ASSERTIONS),$(KERNEL_SOURCES)))
$(eval $(call configuration,hosted,$$(CC),$$(HOSTED_FLAGS),$(PROGRAM_SOURCES)))
$(eval $(call configuration,hosted-debug,$$(CC),$$(HOSTED_FLAGS) $$(ASSERTIONS),$(PROGRAM_SOURCES)))
$(eval $(call configuration,hosted-tsan,$$(CC),$$(HOSTED_FLAGS) $$(ASSERTIONS) $$(TSAN),$(PROGRAM_SOURCES)))
$(eval $(call configuration,hosted-asan,$$(CC),$$(HOSTED_FLAGS) $$(ASAN_CHECKED),$(PROGRAM_SOURCES)))

LINK_KERNEL := $(KERNEL_LD) -n -z noexecstack -T linker.ld

# The symbol table for back traces goes at the end of the image, so a second link moves no function.
build/kernel/heddle.elf build/kernel-debug/heddle.elf: build/%/heddle.elf: linker.ld tools/symbols
	$(call say,link)
	$(QUIET)$(PYTHON) tools/symbols --empty > build/$*/symbols.asm
	$(QUIET)$(NASM) -f elf64 -o build/$*/symbols.o build/$*/symbols.asm
	$(QUIET)$(LINK_KERNEL) -o build/$*/unresolved.elf $($*_OBJECTS) build/$*/symbols.o
	$(QUIET)$(NM) -n build/$*/unresolved.elf > build/$*/symbols.txt
	$(QUIET)$(PYTHON) tools/symbols < build/$*/symbols.txt > build/$*/symbols.asm
	$(QUIET)$(NASM) -f elf64 -o build/$*/symbols.o build/$*/symbols.asm
	$(QUIET)$(LINK_KERNEL) -o $@ $($*_OBJECTS) build/$*/symbols.o
build/kernel/heddle.elf: $(kernel_OBJECTS) build/kernel/objects
build/kernel-debug/heddle.elf: $(kernel-debug_OBJECTS) build/kernel-debug/objects

# The hosted program and the library share one object of all but the two main files and user/: its code lies in a
# section of its own, so that a fault in a task's own code is told from one of ours.
MAIN_SOURCES := kernel/main.c arch/hosted/main.c
PUBLIC_NAMES := --wildcard --keep-global-symbol='task_*' --keep-global-symbol='heddle_*'

# $(call hosted_program,NAME,FLAGS of the linker)
define hosted_program
$(1)_MAIN := $$(filter $$(patsubst %,build/$(1)/%.o,$$(MAIN_SOURCES)) build/$(1)/user/%,$$($(1)_OBJECTS))
build/$(1)/core.o: arch/hosted/core.ld build/$(1)/objects $$(filter-out $$($(1)_MAIN),$$($(1)_OBJECTS))
	$$(call say,link)
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o $$@ $$(filter %.o,$$^)
build/$(1)/heddle: build/$(1)/core.o $$($(1)_MAIN)
	$$(call say,link)
	$$(QUIET)$$(CC) -pthread -pie $(2) -o $$@ $$^
build/$(1)/libheddle.a: build/$(1)/core.o
	$$(call say,archive)
	$$(QUIET)$$(OBJCOPY) $(PUBLIC_NAMES) $$< build/$(1)/library.o
	$$(QUIET)rm -f $$@ && $$(AR) rcs $$@ build/$(1)/library.o
endef
$(eval $(call hosted_program,hosted,))
$(eval $(call hosted_program,hosted-debug,))
$(eval $(call hosted_program,hosted-tsan,$$(TSAN)))
$(eval $(call hosted_program,hosted-asan,$$(ASAN)))

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
PORT     ?= 1234
BOOTS    ?= 100
ONLY     ?=

# The shell takes them from its environment, where no character of theirs means anything to it.
export SMP MEM FIRMWARE NODES RUN POLICY OPTIONS TIMEOUT PORT BOOTS ONLY
MACHINE     := --processors="$$SMP" --memory="$$MEM" --firmware="$$FIRMWARE"
RUN_OPTIONS := $(if $(HOSTED),--hosted) $(MACHINE) --nodes="$$NODES" --policy="$$POLICY" --timeout="$$TIMEOUT" \
               --words="$$OPTIONS" -- "$$RUN"

BINARY       := build/$(if $(HOSTED),hosted,kernel)$(if $(DEBUG),-debug)/$(if $(HOSTED),heddle,heddle.elf)
DEBUG_BINARY := build/$(if $(HOSTED),hosted-debug/heddle,kernel-debug/heddle.elf)

# `exec`: a signal to end reaches the tool, which ends what it has started.
.PHONY: setup run debug test verify soak instructions check format check-format clean help
setup:
	@tools/setup
	@mkdir -p build && touch build/.setup
# The others look once, before anything is built.
build/.setup: tools/setup | $(filter setup,$(MAKECMDGOALS))
	@tools/setup
	@mkdir -p $(@D) && touch $@
ifneq ($(filter run debug test soak instructions,$(MAKECMDGOALS)),)
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

soak: build/.setup $(BINARY)
	@exec $(PYTHON) tools/soak $(if $(HOSTED),--hosted) --kernel $(BINARY) --boots="$$BOOTS" $(MACHINE)

instructions: build/.setup build/kernel/heddle.elf
	@exec $(PYTHON) tools/instructions/measure

DEPTHS    := */* */*/* */*/*/* */*/*/*/* */*/*/*/*/*
FORMATTED  = $(sort $(filter-out build/%,$(wildcard $(addsuffix .[ch],$(DEPTHS)))))
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
