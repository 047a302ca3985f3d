# The storm of POSIX objects: with the host's threads, and as tasks, with each way to build Heddle.
# Included by build.mk.

POSIX_STORM         := tools/verify/posix/storm
POSIX_STORM_SOURCES := $(sort $(wildcard $(POSIX_STORM)/*.c))
POSIX_STORM_FLAGS   := -std=gnu17 -D_GNU_SOURCE -O2 -g $(filter-out -Wundef,$(WARNINGS))

POSIX_STORMED       :=

# $(call posix_storm,NAME,ARCHIVE,CFLAGS,FLAGS of the linker): build/posix-storm/NAME/storm
define posix_storm
POSIX_STORMED += build/posix-storm/$(1)/storm
$(1)_STORM := $$(POSIX_STORM_SOURCES:$(POSIX_STORM)/%.c=build/posix-storm/$(1)/%.o)
$$(eval $$(call remember,build/posix-storm/$(1)/flags,$$(CC) $$(POSIX_STORM_FLAGS) $(3) $(4)))
build/posix-storm/$(1)/%.o: $(POSIX_STORM)/%.c build/posix-storm/$(1)/flags $(if $(2),$(HOSTED_PLUGIN)) | compilers
	$$(call say,compile)
	$$(QUIET)$$(CC) $$(POSIX_STORM_FLAGS) $(3) -MMD -MP -c $$< -o $$@
build/posix-storm/$(1)/storm: $$($(1)_STORM) $(2)
	$$(call say,link)
	$$(QUIET)$$(CC) -pthread $(4) $(if $(2),-Wl$(comma)--wrap=main -Wl$(comma)-z$(comma)now) -o $$@ $$^
-include $$($(1)_STORM:.o=.d)
endef
comma := ,
AS_TASKS := -isystem user/include/heddle/posix -isystem user/include -fplugin=$(HOSTED_PLUGIN)
WATCHED  := $(AS_TASKS) -fplugin-arg-heddle-watched

$(eval $(call posix_storm,threads,,,))
$(eval $(call posix_storm,threads-tsan,,$$(TSAN),$$(TSAN)))
$(eval $(call posix_storm,tasks,build/hosted/libheddle-posix.a,$$(AS_TASKS),))
$(eval $(call posix_storm,tasks-growing,build/hosted/libheddle-posix.a,$$(AS_TASKS) $$(GROWTH),))
$(eval $(call posix_storm,tasks-debug,build/hosted-debug/libheddle-posix.a,$$(AS_TASKS) $$(ASSERTIONS),))
$(eval $(call posix_storm,tasks-asan,build/hosted-asan/libheddle-posix.a,$$(WATCHED) $$(ASAN_CHECKED),$$(ASAN)))
$(eval $(call posix_storm,tasks-tsan,build/hosted-tsan/libheddle-posix.a,$$(WATCHED) $$(TSAN),$$(TSAN)))
