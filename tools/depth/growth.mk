# Stacks that grow (sched/growth.h): what user code is compiled with for them, and the proof that the kernel's has room.
# GCC for Linux has them, GCC for a bare machine does not; there, and with GROWS=off, each task has a whole stack. So it
# has under the sanitizers, which know a stack as one range and have larger frames.
GROWS  ?= on
GROWTH := -fsplit-stack -mno-red-zone -DHEDDLE_STACKS_GROW

ifeq ($(filter on off,$(GROWS)),)
$(error GROWS=$(GROWS) is not understood: allowed is on or off)
endif

# $(call growth,COMPILER,WHOSE): the options, or a line that says why there are none. One that is not installed is not
# asked.
probe   = echo | $(1) $(GROWTH) -S -x c - -o /dev/null 2> /dev/null
refuses = $(shell command -v $(1) > /dev/null && { $(probe) || echo yes; })
whole   = $(if $(MAKE_RESTARTS),,$(info make: $(1) has no -fsplit-stack, so each task $(2) has a whole stack))
growth  = $(if $(filter on,$(GROWS)),$(if $(refuses),$(whole),$(GROWTH)))

hosted_growth := $(call growth,$(CC),of the hosted program)
kernel_growth := $(call growth,$(KERNEL_CC),of the kernel)

# Assertions need more stack, so what is enough must be so for them too.
DEPTH_BUILDS := hosted kernel hosted-debug kernel-debug
.PHONY: depth
depth: build/hosted/heddle build/kernel/heddle.elf build/hosted-debug/heddle build/kernel-debug/heddle.elf
	@exec $(PYTHON) tools/depth/measure $(if $(UPDATE),--update) $(DEPTH_BUILDS:%=build/%)
