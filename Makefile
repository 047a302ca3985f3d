# Heddle: build the kernel and the hosted program. `make help` lists the targets.

CROSS   ?=
CC      := $(CROSS)gcc
LD      := $(CROSS)ld
NM      := $(CROSS)nm
AR      := $(CROSS)ar
OBJCOPY := $(CROSS)objcopy
NASM    ?= nasm
PYTHON  ?= python3
comma   := ,

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
COMMON   := -std=gnu17 -O2 -g -I. -Iuser/include -fno-omit-frame-pointer -fno-stack-protector \
            -fcf-protection=none $(WARNINGS)

PORTABLE_SOURCES := $(sort $(wildcard kernel/*.c sched/*.c user/*.c user/bench/*.c user/test/*.c user/demo/*.c))
MACHINE_SOURCES  := $(sort $(wildcard arch/x86_64/*.c arch/x86_64/*.asm))
HOSTED_SOURCES   := $(sort $(wildcard arch/hosted/*.c)) arch/x86_64/context.asm

# $(call configuration,NAME,CFLAGS,SOURCES): objects of one way to build, in build/NAME/
define configuration
$(1)_OBJECTS := $(patsubst %,build/$(1)/%.o,$(3))
build/$(1)/%.c.o: %.c
	@mkdir -p $$(@D)
	$$(CC) $$(COMMON) $(2) -MMD -MP -c $$< -o $$@
build/$(1)/%.asm.o: %.asm
	@mkdir -p $$(@D)
	$$(NASM) -f elf64 -g -F dwarf -I. -MD $$@.d -o $$@ $$<
-include $$($(1)_OBJECTS:.o=.d) $$(addsuffix .d,$$($(1)_OBJECTS))
endef

KERNEL_FLAGS := -ffreestanding -fno-pie -mcmodel=small -fno-tree-loop-distribute-patterns
HOSTED_FLAGS := -fPIE -pthread -D_GNU_SOURCE

$(eval $(call configuration,kernel,$(KERNEL_FLAGS),$(PORTABLE_SOURCES) $(MACHINE_SOURCES)))
$(eval $(call configuration,kernel-debug,$(KERNEL_FLAGS) -DHEDDLE_DEBUG,$(PORTABLE_SOURCES) $(MACHINE_SOURCES)))
$(eval $(call configuration,hosted,$(HOSTED_FLAGS),$(PORTABLE_SOURCES) $(HOSTED_SOURCES)))
$(eval $(call configuration,hosted-debug,$(HOSTED_FLAGS) -DHEDDLE_DEBUG,$(PORTABLE_SOURCES) $(HOSTED_SOURCES)))
$(eval $(call configuration,hosted-tsan,$(HOSTED_FLAGS) -DHEDDLE_DEBUG -fsanitize=thread,$(PORTABLE_SOURCES) $(HOSTED_SOURCES)))
$(eval $(call configuration,hosted-asan,$(HOSTED_FLAGS) -DHEDDLE_DEBUG -fsanitize=address$(comma)undefined -fno-sanitize-recover=all,$(PORTABLE_SOURCES) $(HOSTED_SOURCES)))

.PHONY: all kernel hosted
all: kernel hosted
kernel: build/kernel/heddle.elf
hosted: build/hosted/heddle

# The symbol table for back traces goes at the end of the image, so a second link moves no function.
build/kernel/heddle.elf build/kernel-debug/heddle.elf: build/%/heddle.elf: linker.ld tools/symbols
	$(PYTHON) tools/symbols --empty > build/$*/symbols.asm && $(NASM) -f elf64 -o build/$*/symbols.o build/$*/symbols.asm
	$(LD) -n -z noexecstack -T linker.ld -o build/$*/unresolved.elf $($*_OBJECTS) build/$*/symbols.o
	$(NM) -n build/$*/unresolved.elf | $(PYTHON) tools/symbols > build/$*/symbols.asm
	$(NASM) -f elf64 -o build/$*/symbols.o build/$*/symbols.asm
	$(LD) -n -z noexecstack -T linker.ld -o $@ $($*_OBJECTS) build/$*/symbols.o
build/kernel/heddle.elf: $(kernel_OBJECTS)
build/kernel-debug/heddle.elf: $(kernel-debug_OBJECTS)

build/hosted/heddle: $(hosted_OBJECTS)
	$(CC) -pthread -pie -o $@ $^
build/hosted-debug/heddle: $(hosted-debug_OBJECTS)
	$(CC) -pthread -pie -o $@ $^
build/hosted-tsan/heddle: $(hosted-tsan_OBJECTS)
	$(CC) -pthread -pie -fsanitize=thread -o $@ $^
build/hosted-asan/heddle: $(hosted-asan_OBJECTS)
	$(CC) -pthread -pie -fsanitize=address,undefined -o $@ $^
