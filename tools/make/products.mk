# What is built and installed for others.
# Included by the Makefile.

PREFIX ?= /usr/local
LIBDIR ?= lib
export PREFIX DESTDIR LIBDIR

#:
#: Build
#:   make                the kernel and the hosted program; V=1 shows the commands
#:   make kernel         build/kernel/heddle.elf
#:                       with PROGRAMS=folder, here and below: build/programs/kernel/heddle.elf and so on
#:   make hosted         build/hosted/heddle, and the library build/hosted/libheddle.{a,so}
#:   make simulated      build/simulated/heddle: up to 1,024 processors in virtual time (arch/simulated/)
#:   make plugin         build/plugin/heddle.so, the compiler's plugin (BOUND=1000: instructions between checks)
#:   make coroutine-header  build/single/heddle/coroutine.hpp: the coroutines in one file, to be copied
#:   make iso            build/heddle.iso, with a menu, for CD and USB stick, BIOS and UEFI
#:   make install        the library, its headers and the plugin, for programs anywhere (user/installing.md)
#:     PREFIX=/usr/local where to; LIBDIR=lib below it; DESTDIR=folder: into that folder, for packages
#:   make uninstall      remove what was installed (PREFIX, LIBDIR, DESTDIR)
#:   make deb            the same as a package of the distribution, build/heddle_VERSION_ARCHITECTURE.deb
#:   make sources        fetch the foreign programs' sources (user/ports/)
#:   make setup          install the tools that are missing (Debian, Ubuntu)
#:   make clean          remove build/
.PHONY: kernel hosted simulated plugin coroutine-header iso install uninstall deb
INSTALLED := build/hosted/libheddle.a build/hosted/libheddle.so build/hosted/libheddle-posix.a \
  build/hosted/libheddle-delegation.a build/plugin/heddle.so
kernel: $(BUILT)kernel/heddle.elf
hosted: $(BUILT)hosted/heddle $(if $(PROGRAMS),,$(filter build/hosted/%,$(INSTALLED)))
simulated: build/simulated/heddle
plugin: build/plugin/heddle.so
coroutine-header: build/single/heddle/coroutine.hpp
build/single/heddle/coroutine.hpp: user/include/heddle/coroutine.hpp $(wildcard user/include/heddle/coroutine/*.hpp) \
  tools/make/single
	@exec $(PYTHON) tools/make/single $< $@
iso: $(BUILT)heddle.iso
install: $(INSTALLED)
	@exec $(PYTHON) tools/make/install --prefix="$$PREFIX" --libdir="$$LIBDIR" --destdir="$$DESTDIR" --compiler=$(CC)
uninstall:
	@exec $(PYTHON) tools/make/install --remove --prefix="$$PREFIX" --libdir="$$LIBDIR" --destdir="$$DESTDIR"
deb: $(INSTALLED)
	@exec $(PYTHON) tools/make/deb --compiler=$(CC) build
