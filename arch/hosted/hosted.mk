# The hosted program and the library share one object with everything except the two main files and user/. Its code
# lies in a section of its own, so that a fault in a task's own code can be told from one in ours. Its functions of
# <string.h> are local to it.
MAIN_SOURCES := kernel/main.c arch/hosted/main.c
PUBLIC       := arch/hosted/public_names.txt
VERSION       = $(shell $(PYTHON) tools/make/names version)
SONAME        = libheddle.so.$(basename $(VERSION))

OWN_STRINGS := memcpy memmove memset memcmp strlen strnlen strcmp strncmp

THREAD_SIGNALS := raise pthread_kill pthread_sigmask sigprocmask sigpending sigsuspend sigtimedwait sigwaitinfo sigwait

# Heddle's own functions leave the counter alone and have room on any stack: code that the plugin compiles calls them
# by the names of such functions (tools/plugin/entries.h).
ENTRIES := awk '/ [TW] / && !/[.]heddle/ { for (i = split("heddle heddle.grow heddle.push", kind, " "); i; i--) \
                               print "--defsym=" $$3 "." kind[i] "=" $$3 }'

# $(call hosted_core,NAME)
define hosted_core
$(1)_POSIX := $$(patsubst %,build/$(1)/%.o,$$(sort $$(wildcard user/posix/*.c)))
$(1)_DELEGATION := $$(patsubst %,build/$(1)/%.o,$$(sort $$(wildcard user/delegation/*.c))) \
  build/$(1)/sync/delegation/queue.c.o
$(1)_MAIN := $$(filter $$(patsubst %,build/$(1)/%.o,$$(MAIN_SOURCES)) build/$(1)/user/%,$$($(1)_OBJECTS))
build/$(1)/core.o: arch/hosted/core.ld build/$(1)/objects $$(filter-out $$($(1)_MAIN),$$($(1)_OBJECTS))
	$$(call say,link)
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o build/$(1)/own.o $$(filter %.o,$$^)
	$$(QUIET)$$(OBJCOPY) $(OWN_STRINGS:%=--localize-symbol=%) build/$(1)/own.o
	$$(QUIET)$$(NM) -g build/$(1)/own.o | $$(ENTRIES) > build/$(1)/entries
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o $$@ build/$(1)/own.o @build/$(1)/entries
build/$(1)/libheddle.a: build/$(1)/core.o $(PUBLIC) tools/make/names
	$$(call say,archive)
	$$(QUIET)$$(PYTHON) tools/make/names archive > build/$(1)/names
	$$(QUIET)$$(OBJCOPY) --wildcard --keep-global-symbols=build/$(1)/names $$< build/$(1)/library.o
	$$(QUIET)$$(NM) -g build/$(1)/library.o | $$(PYTHON) tools/make/names check $$@
	$$(QUIET)rm -f $$@ && $$(AR) rcs $$@ build/$(1)/library.o
# The same, and the names of POSIX's threads; of Heddle's own none that a program might have for something else. What
# threads do with signals is its own.
build/$(1)/libheddle-posix.a: build/$(1)/core.o $$($(1)_POSIX) $(PUBLIC) tools/make/names
	$$(call say,archive)
	$$(QUIET)$$(PYTHON) tools/plugin/notes --bound $$(BOUND) $$($(1)_POSIX)
	$$(QUIET)$$(OBJCOPY) --wildcard $(THREAD_SIGNALS:%=--localize-symbol='%.heddle*') $$< build/$(1)/posix-core.o
	$$(QUIET)$$(LD) -r --force-group-allocation -o build/$(1)/posix.o build/$(1)/posix-core.o $$($(1)_POSIX)
	$$(QUIET)$$(PYTHON) tools/make/names posix > build/$(1)/posix.names
	$$(QUIET)$$(OBJCOPY) --wildcard --keep-global-symbols=build/$(1)/posix.names build/$(1)/posix.o
	$$(QUIET)$$(NM) -g build/$(1)/posix.o | $$(PYTHON) tools/make/names check $$@
	$$(QUIET)rm -f $$@ && $$(AR) rcs $$@ build/$(1)/posix.o
# Locks for the host's threads, without anything else of Heddle's.
build/$(1)/user/delegation/%.o: CHECKS = $$($(1)_CORE)
build/$(1)/libheddle-delegation.a: $$($(1)_DELEGATION)
	$$(call say,archive)
	$$(QUIET)$$(LD) -r -o build/$(1)/delegation.o $$^
	$$(QUIET)$$(OBJCOPY) --wildcard --keep-global-symbol='heddle_ll_*' --keep-global-symbol=LL_create \
	    build/$(1)/delegation.o
	$$(QUIET)rm -f $$@ && $$(AR) rcs $$@ build/$(1)/delegation.o
$$($(1)_POSIX): build/plugin/heddle.so
-include $$($(1)_POSIX:.o=.d) $$($(1)_DELEGATION:.o=.d)
build/$(1)/main.o: arch/hosted/core.ld $$(filter-out build/$(1)/user/%,$$($(1)_MAIN))
	$$(call say,link)
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o $$@ $$(filter %.o,$$^)
endef
# $(call hosted_program,NAME,OF,FLAGS of the linker): with the core of build/OF/, and once more with PROGRAMS=
define hosted_program
build/$(1)/heddle: build/$(2)/core.o build/$(2)/main.o $$($(1)_USER) | build/$(1)/instrumented
build/programs/$(1)/heddle: build/$(2)/core.o build/$(2)/main.o $$($(1)_USER) $$($(1)_OWN_OBJECTS) \
  | build/$(1)/instrumented build/programs/$(1)/checked
build/$(1)/heddle build/programs/$(1)/heddle:
	$$(call say,link)
	$$(QUIET)$$(CC) -pthread -pie -Wl,-z,now $(3) -o $$@ $$^
endef
$(foreach name,hosted hosted-debug hosted-tsan hosted-asan,$(eval $(call hosted_core,$(name))))
$(eval $(call hosted_program,hosted,hosted,))
$(eval $(call hosted_program,hosted-debug,hosted-debug,))
$(eval $(call hosted_program,hosted-off,hosted,))
$(eval $(call hosted_program,hosted-debug-off,hosted-debug,))
$(eval $(call hosted_program,hosted-poll,hosted,))
$(eval $(call hosted_program,hosted-tsan,hosted-tsan,$$(TSAN)))
$(eval $(call hosted_program,hosted-asan,hosted-asan,$$(ASAN)))

# The shared library is linked from the objects of the archive: code for a position-independent program works in a
# library, too, where no other name overrides its own. It does not serve code that the plugin compiled: a copy of
# heddle_quantum_spent() in the program shows that there is such code (linked.c).
SHARED_LINK := -shared -pthread -Wl,-z,now,-z,nodelete,-z,defs,-Bsymbolic,--no-undefined-version
build/hosted/libheddle.so: build/hosted/core.o $(PUBLIC) tools/make/names user/include/heddle/version.h
	$(call say,link)
	$(QUIET)$(PYTHON) tools/make/names shared > build/hosted/shared.names
	$(QUIET)$(PYTHON) tools/make/names script > build/hosted/shared.script
	$(QUIET)$(OBJCOPY) --keep-global-symbols=build/hosted/shared.names \
	    --redefine-sym heddle_unswitched=heddle_quantum_spent build/hosted/own.o build/hosted/shared.o
	$(QUIET)$(CC) $(SHARED_LINK) -Wl,-soname,$(SONAME),--version-script=build/hosted/shared.script -o $@ \
	    build/hosted/shared.o
