# The hosted program and the library share one object of all but the two main files and user/: its code lies in a
# section of its own, so that a fault in a task's own code is told from one of ours. What it has of <string.h> is for
# itself alone.
MAIN_SOURCES := kernel/main.c arch/hosted/main.c
PUBLIC_PREFIXES := task heddle uncooperative mutex semaphore read write reader_writer condition barrier latch event \
                   channel future promise generator waiting ttas mcs qd mrqd hqd
WAYS         := pthread mtx cnd flockfile ftrylockfile funlockfile __cxa_guard \
                _ZNSt18condition_variable sigaction signal bsd_signal sysv_signal \
                __sysv_signal __longjmp_chk
PUBLIC_NAMES := --wildcard --keep-global-symbol='__morestack*' $(PUBLIC_PREFIXES:%=--keep-global-symbol='%_*') \
                $(WAYS:%=--keep-global-symbol='%*.heddle*')

OWN_STRINGS := memcpy memmove memset memcmp strlen strnlen strcmp strncmp

# Heddle's own functions leave the counter alone and have their room on any stack: what the plugin compiles calls them
# by the names of such functions (tools/plugin/entries.h).
ENTRIES := awk '/ [TW] / && !/[.]heddle/ { for (i = split("heddle heddle.grow heddle.push", kind, " "); i; i--) \
                               print "--defsym=" $$3 "." kind[i] "=" $$3 }'

# $(call hosted_core,NAME)
define hosted_core
$(1)_MAIN := $$(filter $$(patsubst %,build/$(1)/%.o,$$(MAIN_SOURCES)) build/$(1)/user/%,$$($(1)_OBJECTS))
build/$(1)/core.o: arch/hosted/core.ld build/$(1)/objects $$(filter-out $$($(1)_MAIN),$$($(1)_OBJECTS))
	$$(call say,link)
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o build/$(1)/own.o $$(filter %.o,$$^)
	$$(QUIET)$$(OBJCOPY) $(OWN_STRINGS:%=--localize-symbol=%) build/$(1)/own.o
	$$(QUIET)$$(NM) -g build/$(1)/own.o | $$(ENTRIES) > build/$(1)/entries
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o $$@ build/$(1)/own.o @build/$(1)/entries
build/$(1)/libheddle.a: build/$(1)/core.o
	$$(call say,archive)
	$$(QUIET)$$(OBJCOPY) $(PUBLIC_NAMES) $$< build/$(1)/library.o
	$$(QUIET)rm -f $$@ && $$(AR) rcs $$@ build/$(1)/library.o
build/$(1)/main.o: arch/hosted/core.ld $$(filter-out build/$(1)/user/%,$$($(1)_MAIN))
	$$(call say,link)
	$$(QUIET)$$(LD) -r -T arch/hosted/core.ld -o $$@ $$(filter %.o,$$^)
endef
# $(call hosted_program,NAME,OF,FLAGS of the linker): with the core of build/OF/
define hosted_program
build/$(1)/heddle: build/$(2)/core.o build/$(2)/main.o $$($(1)_USER) | build/$(1)/instrumented
	$$(call say,link)
	$$(QUIET)$$(CC) -pthread -pie -Wl,-z,now $(3) -o $$@ $$^
endef
$(foreach name,hosted hosted-debug hosted-tsan hosted-asan,$(eval $(call hosted_core,$(name))))
$(eval $(call hosted_program,hosted,hosted,))
$(eval $(call hosted_program,hosted-debug,hosted-debug,))
$(eval $(call hosted_program,hosted-off,hosted,))
$(eval $(call hosted_program,hosted-debug-off,hosted-debug,))
$(eval $(call hosted_program,hosted-tsan,hosted-tsan,$$(TSAN)))
$(eval $(call hosted_program,hosted-asan,hosted-asan,$$(ASAN)))
