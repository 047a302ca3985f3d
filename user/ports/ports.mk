# Real programs and the parts of a C library that they use: from the unchanged sources of the distribution's packages,
# compiled like other user code. All of it is one object per configuration, build/NAME/user/ports/ports.o, which
# exports only PORTS_OFFERED. A package without sources is left out, and a message says so; `make sources` tries
# again.
#
# build.mk includes this after its configurations. It then says for each that has them:
#
#     $(eval $(call ports,NAME,COMPILER,LINKER,FLAGS,PLUGIN))

# Without these there is nothing. The others are independent of one another: what each is for, and which files here it
# needs.
PORTS_PACKAGES := lua5.4 zlib musl
PORTS_OPTIONAL := qrencode lz4 libzstd duktape sqlite3-amalgamation
PORTS_FETCHED  := $(PORTS_PACKAGES) $(PORTS_OPTIONAL:sqlite3-amalgamation=sqlite3)
PORTS_FOR_qrencode := the codes on the screen
PORTS_FOR_lz4      := the program lz4
PORTS_FOR_libzstd  := the program zstd
PORTS_FOR_duktape  := the program duktape
PORTS_FOR_sqlite3-amalgamation := the program sqlite3
PORTS_GLUE_qrencode := result_codes.c
PORTS_GLUE_lz4      := lz4.c codec_lz4.c
PORTS_GLUE_libzstd  := zstd.c codec_zstd.c
PORTS_GLUE_duktape  := duktape.c script_duktape.c
PORTS_GLUE_sqlite3-amalgamation := sqlite3.c $(notdir $(wildcard user/ports/database*.c))

# Fetched before the rules are read, and tried once; not for a goal that builds nothing.
PORTS_GOALS := $(filter-out clean help check check-format format setup verify,$(or $(MAKECMDGOALS),all))
ifneq ($(PORTS_GOALS),)
-include build/ports/tried.mk
endif
build/ports/tried.mk: tools/make/sources tools/make/amalgamation user/ports/ports.mk | compilers
	@mkdir -p $(@D)
	@tools/make/sources $(PORTS_FETCHED) 2> $(@D)/reason || true
	@tools/make/amalgamation 2>> $(@D)/reason || true
	@touch $@

.PHONY: sources
sources:
	@rm -f build/ports/tried.mk
	@tools/make/sources $(PORTS_FETCHED)

PORTS_MISSING := $(sort $(filter-out $(patsubst build/sources/%,%,$(wildcard build/sources/*)), \
                 $(PORTS_PACKAGES) $(PORTS_OPTIONAL)) \
                 $(if $(wildcard build/sources/duktape/src/duktape.c),,duktape))
PORTS_FOUND   := $(if $(filter $(PORTS_PACKAGES),$(PORTS_MISSING)),,yes)
PORTS_PRESENT := $(if $(PORTS_FOUND),$(filter-out $(PORTS_MISSING),$(PORTS_OPTIONAL)))
ifneq ($(and $(wildcard build/ports/tried.mk),$(PORTS_MISSING)),)
PORTS_ABSENT  := $(if $(PORTS_FOUND),$(foreach name,$(PORTS_MISSING),$(PORTS_FOR_$(name));),all of user/ports/;)
$(info Left out: $(PORTS_ABSENT) $(shell cat build/ports/reason); `make sources` tries again.)
endif

LUA_FILES  := $(addsuffix .c,lapi lauxlib lbaselib lcode lcorolib lctype ldebug ldo ldump lfunc lgc llex lmathlib lmem \
              lobject lopcodes lparser lstate lstring lstrlib ltable ltablib ltm lundump lutf8lib lvm lzio)
ZLIB_FILES := $(addsuffix .c,adler32 crc32 deflate inffast inflate inftrees trees zutil)
QRENCODE_FILES := $(addsuffix .c,bitstream mask mmask mqrspec qrencode qrinput qrspec rsecc split)
LZ4_FILES  := $(addsuffix .c,lz4 lz4frame lz4hc xxhash)
# The list of files depends on the version.
ZSTD_FILES := $(patsubst build/sources/libzstd/lib/%,%, \
              $(wildcard $(addprefix build/sources/libzstd/lib/,common/*.c compress/*.c decompress/*.c)))
MUSL_FILES := $(addprefix math/,__cos.c __fpclassify.c __fpclassifyl.c __math_divzero.c __math_invalid.c \
              __math_oflow.c __math_uflow.c __math_xflow.c __rem_pio2.c __rem_pio2_large.c __signbitl.c __sin.c \
              __tan.c acos.c asin.c atan.c atan2.c cbrt.c ceil.c copysignl.c cos.c exp.c exp_data.c floor.c fmod.c \
              frexp.c frexpl.c ldexp.c log.c log10.c log2.c log2_data.c log_data.c pow.c pow_data.c scalbn.c scalbnl.c \
              sin.c tan.c trunc.c) \
              $(addprefix math/x86_64/,fabs.c fabsl.c fmodl.c sqrt.c) \
              $(addprefix string/,memchr.c memcmp.c memcpy.c memmove.c memrchr.c memset.c stpcpy.c strchr.c \
              strchrnul.c strcmp.c strcpy.c strcspn.c strlen.c strncmp.c strncpy.c stpncpy.c strnlen.c strpbrk.c \
              strrchr.c strspn.c strstr.c) \
              $(addprefix ctype/,isalnum.c iscntrl.c ispunct.c isxdigit.c tolower.c toupper.c) \
              $(addprefix stdio/,__towrite.c fwrite.c snprintf.c sprintf.c vfprintf.c vsnprintf.c vsprintf.c) \
              internal/floatscan.c internal/shgetc.c locale/localeconv.c stdlib/abs.c stdlib/strtod.c \
              setjmp/x86_64/longjmp.s setjmp/x86_64/setjmp.s
GLUE_FILES := $(filter-out $(foreach name,$(PORTS_MISSING),$(PORTS_GLUE_$(name))), \
              $(notdir $(wildcard user/ports/*.c))) scripts.asm

# $(call ports_of,PACKAGE,FOLDER,FILES): the objects of a package, if it is there.
ports_of       = $(if $(filter $(1),$(PORTS_PRESENT)),$(patsubst %,$(1)/$(2)%.o,$(3)))
PORTS_OBJECTS := $(if $(PORTS_FOUND),$(patsubst %,lua5.4/src/%.o,$(LUA_FILES)) $(patsubst %,zlib/%.o,$(ZLIB_FILES)) \
                 $(call ports_of,qrencode,,$(QRENCODE_FILES)) $(call ports_of,lz4,lib/,$(LZ4_FILES)) \
                 $(call ports_of,libzstd,lib/,$(ZSTD_FILES)) $(call ports_of,duktape,src/,duktape.c) \
                 $(call ports_of,sqlite3-amalgamation,,sqlite3.c) \
                 $(patsubst %,musl/src/%.o,$(MUSL_FILES)) $(patsubst %,%.o,$(GLUE_FILES)))

# These take minutes to compile, so they are compiled only where they are tested and measured.
PORTS_LARGE_PACKAGES := libzstd duktape sqlite3-amalgamation
PORTS_LARGE    := $(foreach name,$(PORTS_LARGE_PACKAGES),$(PORTS_GLUE_$(name):%=%.o) \
                  $(filter $(name)/%,$(PORTS_OBJECTS)))
PORTS_LARGE_IN := kernel hosted hosted-off hosted-poll
ports_objects   = $(if $(filter $(1),$(PORTS_LARGE_IN)),$(PORTS_OBJECTS),$(filter-out $(PORTS_LARGE),$(PORTS_OBJECTS)))

# The two headers that musl's own Makefile makes.
MUSL         := build/sources/musl
MUSL_BITS    := $(MUSL)/arch/x86_64/bits
MUSL_HEADERS := build/ports/include/bits/alltypes.h build/ports/include/bits/syscall.h
MUSL_TYPES   := $(MUSL)/tools/mkalltypes.sed $(MUSL_BITS)/alltypes.h.in $(MUSL)/include/alltypes.h.in
build/ports/include/bits/alltypes.h: $(MUSL_TYPES)
	@mkdir -p $(@D)
	$(QUIET)sed -f $^ > $@
build/ports/include/bits/syscall.h: $(MUSL_BITS)/syscall.h.in
	@mkdir -p $(@D)
	$(QUIET)sed -e p -e s/__NR_/SYS_/ $< > $@

# No header of the host's C library is used; of the compiler's headers only those that musl lacks. What was fetched
# has no debugging information, which would be most of an image.
PORTS_INCLUDE  := -nostdinc -isystem $(MUSL)/arch/x86_64 -isystem $(MUSL)/arch/generic
PORTS_HEADERS  := -isystem build/ports/include -isystem $(MUSL)/include
PORTS_COMMON   := -O2 -ffreestanding -fno-omit-frame-pointer $(PLAIN) -fno-tree-loop-distribute-patterns
PORTS_FOREIGN  := -std=gnu99 -w
PORTS_MUSL     := -std=gnu99 -w -fexcess-precision=standard -frounding-math -D_XOPEN_SOURCE=700 \
                  -I$(MUSL)/src/include -I$(MUSL)/src/internal
PORTS_GLUE     := -std=gnu17 -g $(WARNINGS) -DZ_SOLO -I. -Iuser/include \
                  $(addprefix -isystem build/sources/,lua5.4/src zlib qrencode lz4/lib libzstd/lib \
                  duktape/src sqlite3-amalgamation)
PORTS_OWN       = -isystem $(shell $(1) -print-file-name=include)

# Options of each package, as its own build would set them. Lua takes the seed of its hashes from here, because its
# output must not depend on addresses. zlib has an option, Z_SOLO, for environments without a C library. libqrencode
# is told what its own configure would find; nothing asks for its version. lz4 and zstd both contain xxhash. zstd has
# a part in assembly, which would have no checks, and calls functions that nothing here defines.
PORTS_FLAGS_lua5.4   := '-Dluai_makeseed(L)=((unsigned)0x5eed)'
PORTS_FLAGS_zlib     := -DZ_SOLO
PORTS_FLAGS_qrencode := -DSTATIC_IN_RELEASE=static -DMAJOR_VERSION=0 -DMINOR_VERSION=0 -DMICRO_VERSION=0 \
                        '-DVERSION="0"'
PORTS_FLAGS_lz4      := -DXXH_NAMESPACE=LZ4_
PORTS_FLAGS_libzstd  := -DXXH_NAMESPACE=ZSTD_ -DZSTD_DISABLE_ASM -DZSTD_TRACE=0 -DZSTD_LEGACY_SUPPORT=0
PORTS_FLAGS_duktape  := -Ibuild/sources/duktape/src -include user/ports/duktape_config.h
# SQLite without files. Each database is used by one task at a time (SQLITE_THREADSAFE=2); statistics and shared
# caches are left out.
PORTS_FLAGS_sqlite3-amalgamation := -DSQLITE_OS_OTHER=1 -DSQLITE_THREADSAFE=2 -DSQLITE_TEMP_STORE=3 \
    -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_DISABLE_PAGECACHE_OVERFLOW_STATS -DSQLITE_DQS=0 -DSQLITE_MAX_MMAP_SIZE=0 \
    $(addprefix -DSQLITE_OMIT_,LOAD_EXTENSION LOCALTIME WAL SHARED_CACHE DEPRECATED)

PORTS_OUTSIDE  := _GLOBAL_OFFSET_TABLE_|heddle_|program_|crew_|task_|mutex_|uncooperative_|base45_|format_text|panic$$
# What Heddle calls; programs need no name, because they are in a section of their own.
PORTS_OFFERED  := result_codes_make

# All names except those of paths to functions outside (tools/plugin/calls.h).
PORTS_OWN_NAMES := awk '{ defined[$$3] } \
                        END { for (name in defined) { \
                                  of = name; sub(/\.heddle.*/, "", of); \
                                  if (of in defined && of != "$(PORTS_OFFERED)") print name } }'

# $(call ports_compiled,NAME,COMPILER): the objects. Each that a compiler made must be instrumented if the configuration
# is.
define ports_compiled
build/$(1)/user/ports/musl/%.o: build/sources/musl/% build/$(1)/user/ports/flags $$(MUSL_HEADERS) | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(PORTS_INCLUDE) $$(PORTS_MUSL) $$(PORTS_HEADERS)  \
	    $$($(1)_PORTS_FLAGS) -Wa,--noexecstack -c $$< -o $$@
build/$(1)/user/ports/%.c.o: build/sources/%.c build/$(1)/user/ports/flags $$(MUSL_HEADERS) | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(PORTS_INCLUDE) $$(PORTS_FOREIGN) $$(PORTS_HEADERS) $$(call PORTS_OWN,$(2)) \
	    $$(PORTS_FLAGS_$$(firstword $$(subst /, ,$$*))) $$($(1)_PORTS_FLAGS) -c $$< -o $$@
build/$(1)/user/ports/%.c.o: user/ports/%.c build/$(1)/user/ports/flags $$(MUSL_HEADERS) | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(PORTS_GLUE) $$(PORTS_INCLUDE) $$(PORTS_HEADERS) $$(call PORTS_OWN,$(2)) \
	    $$($(1)_PORTS_FLAGS) -MMD -MP -c $$< -o $$@
build/$(1)/user/ports/duktape/src/duktape.c.o: user/ports/duktape_config.h
build/$(1)/user/ports/scripts.asm.o: user/ports/scripts.asm $$(wildcard user/ports/scripts/*) | compilers
	@mkdir -p $$(@D)
	$$(call say,assemble)
	$$(QUIET)$$(NASM) -f elf64 -o $$@ $$<
-include $$(patsubst %.o,%.d,$$($(1)_PORTS))
endef

# $(call ports,NAME,COMPILER,LINKER,FLAGS,PLUGIN): adds the object to those of a configuration. One with assertions has
# the same flags here, and so takes the objects of the one without.
define ports
$(1)_PORTS_FLAGS := $$(PORTS_COMMON) $(4) $$($(1)_CHECKS)
$$(eval $$(call remember,build/$(1)/user/ports/flags,$(2) $$($(1)_PORTS_FLAGS)))
$$(eval $$(call remember,build/$(1)/user/ports/objects,$$(call ports_objects,$(1))))
$(1)_PORTS   := $$(addprefix build/$(subst -debug,,$(1))/user/ports/,$$(call ports_objects,$(1)))
$(1)_OBJECTS += build/$(1)/user/ports/ports.o
$(1)_USER    += build/$(1)/user/ports/ports.o
build/$(1)/instrumented: build/$(1)/user/ports/ports.o
$$($(1)_PORTS) build/$(1)/user/ports/ports.o: $(5)
$(if $(findstring -debug,$(1)),,$$(eval $$(call ports_compiled,$(1),$(2))))
build/$(1)/user/ports/ports.o: $$($(1)_PORTS) build/$(1)/user/ports/objects build/$(1)/user/ports/flags
	$$(call say,link)
	$$(QUIET)$(2) $$($(1)_PORTS_FLAGS) -x c -c /dev/null -o $$@
	$$(QUIET)$$(if $$(and $$(PORTS_FOUND),$$($(1)_CHECKS)), \
	    $$(PYTHON) tools/plugin/notes --bound $$(BOUND) $$(filter %.c.o,$$^))
	$$(QUIET)$$(if $$(PORTS_FOUND),$(3) -r -o $$@ $$(filter %.o,$$^))
	$$(QUIET)! $$(NM) -u $$@ | grep -vE ' U ($$(PORTS_OUTSIDE))' || \
	    { echo "make: the ports need the names above, which neither they nor Heddle have" >&2; exit 1; }
	$$(QUIET)$$(NM) -g --defined-only $$@ | $$(PORTS_OWN_NAMES) > build/$(1)/user/ports/names
	$$(QUIET)$$(OBJCOPY) --localize-symbols=build/$(1)/user/ports/names $$@
endef
