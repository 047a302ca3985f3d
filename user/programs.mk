# Programs that lie outside the tree: PROGRAMS="folder ...". Each folder's C and C++ files are compiled with the plugin,
# as user/ is, and those in its folder kernel/ without, as Heddle's own code is. They are linked beside the tree's
# programs into build/programs/NAME/, so that build/NAME/ stays what the tree makes.
# Included by build.mk.

# $(call own_user,FOLDER), $(call own_core,FOLDER): the files of a folder.
own_user = $(wildcard $(addprefix $(1)/*.,c cc cpp))
own_core = $(wildcard $(1)/kernel/*.c)

# make and the shell would read these in a name as something else.
open  := (
close := )
ODD   := % : ; & | < > * ? [ ] ' " \ ` $(open) $(close)
$(foreach folder,$(PROGRAMS), \
  $(if $(strip $(foreach odd,$(ODD),$(findstring $(odd),$(folder)))), \
    $(error PROGRAMS=$(folder): a folder with such a character in its name cannot be built; copy or link it)) \
  $(if $(wildcard $(folder)/.),, \
    $(error PROGRAMS=$(folder): there is no such folder; it takes folders without blanks in their names)) \
  $(if $(call own_user,$(folder))$(call own_core,$(folder)),, \
    $(error PROGRAMS=$(folder): there are no programs in it; it takes *.c, *.cc, *.cpp and kernel/*.c)))

OWN_FOLDERS := $(realpath $(wildcard $(PROGRAMS)))
OWN_USER    := $(sort $(foreach folder,$(OWN_FOLDERS),$(call own_user,$(folder))))
OWN_CORE    := $(sort $(foreach folder,$(OWN_FOLDERS),$(call own_core,$(folder))))

# The user's warnings are shown, and do not end the build.
OWN_WARNINGS := -Wall -Wextra -Wno-missing-field-initializers
OWN_COMMON   := $(filter-out $(WARNINGS),$(COMMON)) $(OWN_WARNINGS)
OWN_CXX      := $(filter-out $(WARNINGS) -Wshadow=local,$(COMMON_CXX)) $(OWN_WARNINGS)

# All names except those of paths to functions outside (tools/plugin/calls.h), which Heddle's own entries replace, and
# that from which code finds its processor's block: from one of their own it would find another place.
OWN_NAMES := awk '$$3 != "heddle_processor_base" { defined[$$3] } \
                  END { for (name in defined) { of = name; sub(/\.heddle.*/, "", of); if (of in defined) print name } }'

# $(call joined,LINKER,SCRIPT): one object of all, none of whose names can collide with Heddle's.
define joined
	$(QUIET)$(1) -r --force-group-allocation $(2) -o $@ $(filter %.o,$^)
	$(QUIET)$(NM) -g --defined-only $@ | $(OWN_NAMES) > $@.names
	$(QUIET)[ ! -s $@.names ] || $(OBJCOPY) --localize-symbols=$@.names $@
endef

# $(call programs,NAME,COMPILER,CXX,LINKER,FLAGS,PLUGIN)
define programs
$(1)_OWN_USER := $$(OWN_USER:/%=build/programs/$(1)/user/%.o)
$(1)_OWN_CORE := $$(OWN_CORE:/%=build/programs/$(1)/core/%.o)
$(1)_OWN_OBJECTS := $$(if $$(OWN_USER),build/programs/$(1)/user/programs.o) \
                    $$(if $$(OWN_CORE),build/programs/$(1)/core/core.o)
$(if $(PROGRAMS),$$(eval $$(call remember,build/programs/$(1)/objects,$$($(1)_OWN_USER) $$($(1)_OWN_CORE))))
build/programs/$(1)/user/%.c.o: /%.c build/$(1)/flags $(6) | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(OWN_COMMON) $(5) $$($(1)_CHECKS) $$($(1)_GROWTH) -MMD -MP -c $$< -o $$@
build/programs/$(1)/user/%.cc.o: /%.cc build/$(1)/flags $(6) | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(3) $$(OWN_CXX) $(5) $$($(1)_CHECKS) $$($(1)_GROWTH) -MMD -MP -c $$< -o $$@
build/programs/$(1)/user/%.cpp.o: /%.cpp build/$(1)/flags $(6) | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(3) $$(OWN_CXX) $(5) $$($(1)_CHECKS) $$($(1)_GROWTH) -MMD -MP -c $$< -o $$@
build/programs/$(1)/core/%.c.o: /%.c build/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$(2) $$(OWN_COMMON) $(5) $$(CORE) $(if $(filter hosted%,$(1)),-fno-plt) -MMD -MP -c $$< -o $$@
build/programs/$(1)/user/programs.o: user/programs.mk $$($(1)_OWN_USER) build/programs/$(1)/objects
	$$(call say,link)
	$$(if $$($(1)_CHECKS),$$(QUIET)$$(PYTHON) tools/plugin/notes --bound $$(BOUND) $$(filter %.o,$$^))
	$$(call joined,$(4),)
build/programs/$(1)/core/core.o: user/programs.mk $$($(1)_OWN_CORE) build/programs/$(1)/objects
	$$(call say,link)
	$$(call joined,$(4),$(if $(filter hosted%,$(1)),-T arch/hosted/core.ld))
build/programs/$(1)/checked: tools/make/programs $$($(1)_OWN_USER) $$($(1)_OWN_CORE) $$($(1)_USER)
	$$(QUIET)$$(PYTHON) tools/make/programs --own $$($(1)_OWN_USER) $$($(1)_OWN_CORE) --tree $$($(1)_USER)
	@touch $$@
-include $$($(1)_OWN_USER:.o=.d) $$($(1)_OWN_CORE:.o=.d)
endef
