# How Heddle is compiled and linked: the compilers, the flags, and a configuration for each way to build, which has a
# folder build/NAME/.
# Included by the Makefile.

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

# An initializer may omit fields: they are 0, which means the default.
WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef \
            -Wno-missing-field-initializers
# Some distributions' compilers (Ubuntu's) add these by themselves. The kernel has no functions for them, and guards
# its own stacks.
PLAIN    := -U_FORTIFY_SOURCE -fno-stack-protector -fno-stack-clash-protection -fcf-protection=none
# r15 holds the task's quantum counter; code between two instrumented functions must not change it.
COMMON   := -std=gnu17 -O2 -g -I. -Iuser/include -fno-omit-frame-pointer $(PLAIN) -ffixed-r15 -fcallgraph-info=su \
            $(WARNINGS)

# C++ is freestanding in both programs, without features that need a run-time library.
# In C++ a function may have the name of a structure.
COMMON_CXX := $(filter-out -std=% -Wstrict-prototypes -Wmissing-prototypes -Wshadow,$(COMMON)) -std=gnu++17 \
              -Wshadow=local -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics

PORTABLE_SOURCES := $(sort $(wildcard kernel/*.c sched/*.c sync/*.c user/*.c \
                                      $(addprefix sync/,baseline/*.c strategy/*.c delegation/*.c) \
                                      $(addprefix user/,*.cc bench/*.c bench/*.cc test/*.c test/*.cc demo/*.c \
                                                        shell/*.c)))
# The instruction set, for both programs, and a platform for each: the bare machine, the Linux process. Only the
# process has foreign code.
SET_SOURCES      := $(wildcard $(addprefix arch/x86_64/,*.c *.asm decode/*.c))
MACHINE_SOURCES  := $(sort $(SET_SOURCES) $(wildcard arch/bare/*.c arch/bare/*.asm))
HOSTED_SOURCES   := $(sort $(SET_SOURCES) $(wildcard arch/x86_64/foreign/*.c arch/x86_64/foreign/*.asm \
                                                     arch/hosted/*.c arch/hosted/*.asm))

# What the simulated machine runs: its port, and of the others what is the same there. Its simulator is built apart.
SIMULATED_SOURCES := $(sort $(PORTABLE_SOURCES) $(SET_SOURCES) $(wildcard arch/simulated/*.c) arch/bare/kept.c)

# $(call remember,FILE,TEXT): a file that is written only when its text changes; what was built with another text is
# stale.
define remember
$(1): always
	@mkdir -p $$(@D)
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' > $$@
endef
.PHONY: always

# In two steps: while it assembles, NASM 2.16 lists no included file.
ASSEMBLER := $(NASM) -f elf64 -I.
ASSEMBLE   = $(ASSEMBLER) -M -MP -MF $@.d -MT $@ $< && $(ASSEMBLER) -g -F dwarf -o $@ $<
$(eval $(call remember,build/assembler,$$(ASSEMBLER)))

# Says what is missing before anything is built with it.
TOOLS := KERNEL_CC KERNEL_CXX KERNEL_LD CC CXX LD AR NM OBJCOPY NASM PYTHON
.PHONY: compilers
compilers:
	@missing=; \
	for tool in $(foreach tool,$(TOOLS),$(firstword $($(tool)))); do \
	    command -v $$tool > /dev/null || missing="$$missing $$tool"; \
	done; \
	[ -z "$$missing" ] || { echo "make: not installed:$$missing; \`make setup\` installs what is needed" >&2; exit 1; }

# The plugin is built for one compiler; the kernel's compiler, if it is another, has its own. GCC's headers are compiled
# once, before all that includes them; the copy of gcc.h serves a compiler that refuses what an older one has made.
BOUND         ?= 1000
HOSTED_PLUGIN := build/plugin/heddle.so
KERNEL_PLUGIN := $(if $(CROSS),build/plugin-cross/heddle.so,$(HOSTED_PLUGIN))
PLUGIN_FLAGS  := -std=c++17 -O2 -g -fPIC -fno-rtti -fno-exceptions -Wall -Wextra -Werror
PLUGIN_SOURCES := $(sort $(wildcard tools/plugin/*.cc))

# $(call plugin_compile,COMPILER,CXX)
plugin_compile = $(2) $(PLUGIN_FLAGS) -isystem `$(1) -print-file-name=plugin`/include

# $(call plugin,FOLDER,COMPILER,CXX)
define plugin
$$(eval $$(call remember,$(1)/flags,$(2) $(3) $$(PLUGIN_FLAGS)))
$(1)/gcc.h.gch: tools/plugin/gcc.h $(1)/flags | compilers
	@$$(PYTHON) tools/plugin/headers $(2)
	$$(call say,compile)
	$$(QUIET)cp $$< $(1)/gcc.h && $$(call plugin_compile,$(2),$(3)) -x c++-header -c $$< -o $$@
$(1)/%.o: tools/plugin/%.cc $(1)/gcc.h.gch
	$$(call say,compile)
	$$(QUIET)$$(call plugin_compile,$(2),$(3)) -include $(1)/gcc.h -MMD -MP -c $$< -o $$@
$(1)/heddle.so: $(PLUGIN_SOURCES:tools/plugin/%.cc=$(1)/%.o)
	$$(call say,link)
	$$(QUIET)$(3) -shared -o $$@.new $$^ && mv $$@.new $$@
-include $(PLUGIN_SOURCES:tools/plugin/%.cc=$(1)/%.d)
endef
$(eval $(call plugin,build/plugin,$$(CC),$$(CXX)))
$(if $(CROSS),$(eval $(call plugin,build/plugin-cross,$$(KERNEL_CC),$$(CXX))))
# Of a version of GCC, to be tested with it (tools/verify/compilers).
$(foreach version,$(PLUGIN_VERSION),$(eval $(call plugin,build/plugin-$(version),gcc-$(version),g++-$(version))))

# Stacks that grow (sched/growth.h), if the compiler supports them: hosted_growth and kernel_growth are options for
# user code. GCC for Linux supports them, GCC for a bare machine does not; there, and with GROWS=off, each task has a
# whole stack. So it is under the sanitizers, which expect one range as the stack, and have larger frames.
GROWS  ?= on
GROWTH := -fsplit-stack -mno-red-zone -DHEDDLE_STACKS_GROW

ifeq ($(filter on off,$(GROWS)),)
$(error GROWS=$(GROWS) is not understood: allowed is on or off)
endif

# $(call growth,COMPILER,WHOSE): the options, or a line that says why there are none. A compiler that is not installed
# is not asked.
probe   = echo | $(1) $(GROWTH) -S -x c - -o /dev/null 2> /dev/null
refuses = $(shell command -v $(1) > /dev/null && { $(probe) || echo yes; })
whole   = $(if $(MAKE_RESTARTS),,$(info make: $(1) has no -fsplit-stack, so each task $(2) has a whole stack))
growth  = $(if $(filter on,$(GROWS)),$(if $(refuses),$(whole),$(GROWTH)))

hosted_growth := $(call growth,$(CC),of the hosted program)
simulated_growth := $(hosted_growth)
kernel_growth := $(call growth,$(KERNEL_CC),of the kernel)

GROWING_TESTS := $(addprefix user/test/,growth.c large_growth.c deferral.c writer_deferral.c fail_growth.c)

# A vector load of two fields, merged from two loads, would wait until the earlier stores to them are in the cache,
# because they cannot be forwarded to it.
# PREFETCHW does nothing where a processor of 64 bits does not have it.
CORE := -mno-red-zone -fno-tree-slp-vectorize -mprfchw

# $(call configuration,NAME,COMPILER,CFLAGS,SOURCES,PLUGIN): objects of one way to build, in build/NAME/. What lies in
# user/ is compiled with the plugin; none: without.
define configuration
$(1)_OBJECTS := $(patsubst %,build/$(1)/%.o,$(4))
$(1)_USER    := $$(filter build/$(1)/user/%,$$($(1)_OBJECTS))
$(1)_ACCOUNT := $(if $(filter simulated%,$(1)),-fplugin-arg-heddle-account)
$(1)_POLL    := $(if $(filter %-poll,$(1)),-fplugin-arg-heddle-poll)
$(1)_CHECKS  := $$(strip $(if $(5),-fplugin=$(5) -fplugin-arg-heddle-bound=$$(BOUND)) $$($(1)_ACCOUNT) $$($(1)_POLL) \
                $(if $(filter %san,$(1)),-fplugin-arg-heddle-watched))
$(1)_GROWTH  := $(if $(5),$(if $(filter %san,$(1)),,$$($(firstword $(subst -, ,$(1)))_growth)))
$(1)_CORE    := $(CORE) $(if $(filter hosted%,$(1)),-fno-plt) \
                $$(if $$($(1)_ACCOUNT),-fplugin=$(5) -fplugin-arg-heddle-off $$($(1)_ACCOUNT))
$(1)_FLAGS   := $$($(1)_CHECKS) $$($(1)_GROWTH) $$($(1)_CORE)
$$(eval $$(call remember,build/$(1)/flags,$(2) $$(COMMON) $$(COMMON_CXX) $(3) $$($(1)_FLAGS)))
$$(eval $$(call remember,build/$(1)/objects,$$($(1)_OBJECTS)))
# Code that switches by itself must not use the red zone (arch/x86_64/switch.h). The host's dynamic linker needs much
# stack, so it must not run when a task is the first to call a function of the C library: -fno-plt, and -z now below.
build/$(1)/%.o: CHECKS = $$($(1)_CORE)
build/$(1)/user/%.o: CHECKS = $$($(1)_CHECKS) $$($(1)_GROWTH)
# Tests also call what otherwise only the kernel calls, and that may need more stack than there is below the limit.
build/$(1)/user/test/%.o: CHECKS = $$($(1)_CHECKS)
$$(patsubst %,build/$(1)/%.o,$(GROWING_TESTS) $(filter user/test/storm%,$(4))): \
  CHECKS = $$($(1)_CHECKS) $$($(1)_GROWTH)
# Called such that all registers are lost, except where a sanitizer has its own functions for that; or nothing comes
# back.
build/$(1)/sched/yield.c.o build/$(1)/sched/suspend_lean.c.o build/$(1)/sched/exit.c.o: CHECKS = $$($(1)_CORE) \
  $$(if $$(findstring sanitize,$(3)),,$$(addprefix -fcall-used-,rbx r12 r13 r14))
# A stack grows and shrinks in the middle of code that uses vector registers (arch/x86_64/grow.asm).
build/$(1)/sched/growth.c.o build/$(1)/kernel/pool.c.o: CHECKS = $$($(1)_CORE) -mgeneral-regs-only
# It calls sections of other tasks: an exception that leaves one finds no way on through here, and ends the process.
build/$(1)/sync/delegation/help.c.o: CHECKS = $$($(1)_CORE) -fno-asynchronous-unwind-tables -fno-unwind-tables
# Called without the compiler's knowledge (arch/x86_64/branch.h).
build/$(1)/sched/trace_record.c.o: CHECKS = $$($(1)_CORE) -mgeneral-regs-only
# The place of a program's thread-local variable would be fixed too early for the shared library (GCC 16).
build/$(1)/arch/hosted/signals.c.o: CHECKS = $$($(1)_CORE) -fPIC
build/$(1)/arch/x86_64/string.c.o: CHECKS = $$($(1)_CORE) -ffreestanding -fno-tree-loop-distribute-patterns
$$($(1)_USER) $$(if $$($(1)_ACCOUNT),$$($(1)_OBJECTS)): $(5)
build/$(1)/%.c.o: %.c build/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(COMMON) $(3) $$(CHECKS) -MMD -MP -c $$< -o $$@
build/$(1)/%.cc.o: %.cc build/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(if $(filter kernel%,$(1)),$$(KERNEL_CXX),$$(CXX)) $$(COMMON_CXX) $(3) $$(CHECKS) -MMD -MP -c $$< -o $$@
build/$(1)/%.asm.o: %.asm build/assembler | compilers
	@mkdir -p $$(@D)
	$$(call say,assemble)
	$$(QUIET)$$(ASSEMBLE)
# No image is linked from files that only look instrumented.
build/$(1)/instrumented: tools/plugin/notes build/$(1)/objects $$($(1)_USER)
	$$(if $$($(1)_CHECKS),$$(QUIET)$$(PYTHON) tools/plugin/notes --bound $$(BOUND) $$($(1)_USER))
	@touch $$@
-include $$($(1)_OBJECTS:.o=.d) $$(addsuffix .d,$$($(1)_OBJECTS))
endef

KERNEL_FLAGS := -ffreestanding -fno-pie -mcmodel=small -fno-tree-loop-distribute-patterns
HOSTED_FLAGS := -fPIE -pthread -D_GNU_SOURCE -fno-reorder-functions
SIMULATED_FLAGS := $(KERNEL_FLAGS) -mno-red-zone
MACHINE_FLAGS := -fno-pie -D_GNU_SOURCE

KERNEL_SOURCES := $(PORTABLE_SOURCES) $(MACHINE_SOURCES)
PROGRAM_SOURCES := $(PORTABLE_SOURCES) $(HOSTED_SOURCES)
# A sanitizer watches the C library's, and must be told of each switch.
WATCHED_SOURCES := $(filter-out arch/x86_64/string.c arch/x86_64/suspend.asm sched/suspend_lean.c,$(PROGRAM_SOURCES))
ASSERTIONS := -DHEDDLE_DEBUG
TSAN := -fsanitize=thread
# GCC 13 and later would keep locals apart, elsewhere than on a task's stack.
ASAN := -fsanitize=address,undefined --param=asan-use-after-return=0 -DHEDDLE_WATCHED
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
$(eval $(call configuration,simulated,$$(CC),$$(SIMULATED_FLAGS),$(SIMULATED_SOURCES),$(HOSTED_PLUGIN)))

UNCOUNTED := -fcall-saved-r15 -DHEDDLE_UNCHECKED

# $(call other_checks,NAME,HOW,COMPILER,CFLAGS,PLUGIN): build/NAME-HOW/ has user/ without checks (off), or with ones
# that poll (poll), and everything else of build/NAME/.
define other_checks
$$(eval $$(call configuration,$(1)-$(2),$(3),$(4),$(filter user/%,$(PORTABLE_SOURCES)),$(5)))
$(1)-$(2)_OBJECTS += $$(filter-out build/$(1)/user/%,$$($(1)_OBJECTS))
endef
$(eval $(call other_checks,kernel,off,$$(KERNEL_CC),$$(KERNEL_FLAGS) $(UNCOUNTED),))
$(eval $(call other_checks,kernel-debug,off,$$(KERNEL_CC),$$(KERNEL_DEBUG_FLAGS) $(UNCOUNTED),))
$(eval $(call other_checks,hosted,off,$$(CC),$$(HOSTED_FLAGS) $(UNCOUNTED),))
$(eval $(call other_checks,hosted-debug,off,$$(CC),$$(HOSTED_DEBUG_FLAGS) $(UNCOUNTED),))
$(eval $(call other_checks,hosted,poll,$$(CC),$$(HOSTED_FLAGS),$(HOSTED_PLUGIN)))

# The benchmarks on Linux, to compare with.
include tools/measure/linux/linux.mk

# Foreign programs (user/ports/), where their sources can be fetched.
include user/ports/ports.mk
$(foreach name,kernel kernel-debug kernel-off kernel-debug-off,$(eval \
  $(call ports,$(name),$$(KERNEL_CC),$$(KERNEL_LD),$$(KERNEL_FLAGS),$(if $(filter %-off,$(name)),,$(KERNEL_PLUGIN)))))
$(foreach name,hosted hosted-debug hosted-off hosted-debug-off hosted-poll,$(eval \
  $(call ports,$(name),$$(CC),$$(LD),$$(HOSTED_FLAGS),$(if $(filter %-off,$(name)),,$(HOSTED_PLUGIN)))))

# Programs outside the tree.
include user/programs.mk
$(foreach name,kernel kernel-debug kernel-off kernel-debug-off,$(eval \
  $(call programs,$(name),$$(KERNEL_CC),$$(KERNEL_CXX),$$(KERNEL_LD),\
  $(if $(findstring debug,$(name)),$$(KERNEL_DEBUG_FLAGS),$$(KERNEL_FLAGS)) \
  $(if $(filter %-off,$(name)),$$(UNCOUNTED)),$(if $(filter %-off,$(name)),,$(KERNEL_PLUGIN)))))
$(foreach name,hosted hosted-debug hosted-off hosted-debug-off,$(eval \
  $(call programs,$(name),$$(CC),$$(CXX),$$(LD),\
  $(if $(findstring debug,$(name)),$$(HOSTED_DEBUG_FLAGS),$$(HOSTED_FLAGS)) \
  $(if $(filter %-off,$(name)),$$(UNCOUNTED)),$(if $(filter %-off,$(name)),,$(HOSTED_PLUGIN)))))

# An application, measured.
include tools/measure/leveldb/leveldb.mk

LINK_KERNEL := $(KERNEL_LD) -n -z noexecstack -T linker.ld

# The symbol table for back traces goes at the end of the image, so a second link moves no function.
# $(call kernel_image,NAME,FOLDER,OBJECTS beside those of NAME,what must be there too)
define kernel_image
$(2)/heddle.elf: linker.ld tools/make/symbols $$($(1)_OBJECTS) $(3) build/$(1)/objects build/$(1)/instrumented $(4)
	$$(call say,link)
	$$(QUIET)$$(PYTHON) tools/make/symbols --empty > $(2)/symbols.asm
	$$(QUIET)$$(NASM) -f elf64 -o $(2)/symbols.o $(2)/symbols.asm
	$$(QUIET)$$(LINK_KERNEL) -o $(2)/unresolved.elf $$($(1)_OBJECTS) $(3) $(2)/symbols.o
	$$(QUIET)$$(NM) -n $(2)/unresolved.elf > $(2)/symbols.txt
	$$(QUIET)$$(PYTHON) tools/make/symbols < $(2)/symbols.txt > $(2)/symbols.asm
	$$(QUIET)$$(NASM) -f elf64 -o $(2)/symbols.o $(2)/symbols.asm
	$$(QUIET)$$(LINK_KERNEL) -o $$@ $$($(1)_OBJECTS) $(3) $(2)/symbols.o
endef
$(foreach name,kernel kernel-debug kernel-off kernel-debug-off, \
  $(eval $(call kernel_image,$(name),build/$(name),,)) \
  $(eval $(call kernel_image,$(name),build/programs/$(name),$$($(name)_OWN_OBJECTS),build/programs/$(name)/checked)))

include arch/hosted/hosted.mk
include arch/simulated/simulated.mk
include tools/verify/posix/storm/storm.mk

build/heddle.iso: build/kernel/heddle.elf
build/programs/heddle.iso: build/programs/kernel/heddle.elf
build/heddle.iso build/programs/heddle.iso: tools/make/image $(wildcard tools/harness/*.py)
	$(call say,image)
	$(QUIET)$(PYTHON) tools/make/image $(filter %.elf,$^) $@
