# `make machines`: every processor and board that QEMU and Bochs can be.

.PHONY: machines
machines: build/.setup build/kernel/heddle.elf build/kernel-debug/heddle.elf
	@exec $(PYTHON) tools/machines/boot "$$ONLY"
ifneq ($(filter machines,$(MAKECMDGOALS)),)
compilers: build/.setup
endif
