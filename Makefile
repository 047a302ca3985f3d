# What `make` can be asked for. How things are compiled and linked: build.mk.

.PHONY: all setup clean help
all: kernel hosted

# Make would try its own rules on each of some thousand files, before all else. These lines take them away;
# --no-builtin-rules would also take them from every make that is run from here.
.SUFFIXES:
%: %,v
%: RCS/%,v
%: RCS/%
%: s.%
%: SCCS/s.%

include build.mk
TARGETS := $(addprefix tools/make/,run.mk test.mk measure.mk products.mk)
include $(TARGETS)

# These look once whether the tools are there, before anything is built.
LOOKING := run trace debug test storm coroutine-storm posix-storm fuzz boots machines torture posix libraries \
           plugin-soak verify-compilers bench report bench-linux leveldb bench-leveldb instructions coherence \
           validate overhead library-overhead gap
.PHONY: $(LOOKING)
$(LOOKING): build/.setup
ifneq ($(filter $(LOOKING) bench-peers,$(MAKECMDGOALS)),)
compilers: build/.setup
endif
build/.setup: tools/setup | $(filter setup,$(MAKECMDGOALS))
	@tools/setup
	@mkdir -p $(@D) && touch $@

setup:
	@tools/setup
	@mkdir -p build && touch build/.setup
clean:
	rm -rf build
help:
	@sed -n 's/^#: \{0,1\}//p' $(TARGETS)

# A setting that no makefile reads would change nothing, and say nothing.
NAMES   := $(shell grep -ohE '\b[A-Z][A-Z_]*\b' $(filter Makefile %.mk,$(MAKEFILE_LIST)))
GIVEN   := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
UNKNOWN := $(firstword $(filter-out $(NAMES) MAKE%,$(GIVEN)))
ifneq ($(UNKNOWN),)
NEAREST := $(shell $(PYTHON) -c 'import difflib, sys; print(*difflib.get_close_matches(sys.argv[1], sys.argv[2:], 1))' \
                   $(UNKNOWN) $(NAMES))
$(error $(UNKNOWN)=: there is no such setting; $(if $(NEAREST),did you mean $(NEAREST)=?,`make help` has them))
endif
