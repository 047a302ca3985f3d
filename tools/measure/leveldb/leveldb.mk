# LevelDB's readrandom, from the unchanged sources of the distribution's package leveldb: in build/leveldb/heddle/
# with the locks of lock.h, which its port layer in heddle/port/ uses; in build/leveldb/threads/ with its own; and in
# build/leveldb/shfllock/ with that of shfllock/, for threads as well.
#
# build.mk includes this after its configurations. The sources are fetched when they are first needed.

LEVELDB := build/sources/leveldb
LEVELDB_FILES := $(addprefix db/,builder db_impl db_iter dbformat filename log_reader log_writer memtable repair \
                 table_cache version_edit version_set write_batch) \
                 $(addprefix table/,block block_builder filter_block format iterator merger table table_builder \
                 two_level_iterator) \
                 $(addprefix util/,arena bloom cache coding comparator crc32c env env_posix filter_policy hash logging \
                 options status) helpers/memenv/memenv
LEVELDB_OWN   := database readrandom
LEVELDB_FLAGS := -std=c++17 -O2 -g -DNDEBUG -fno-exceptions -fno-rtti -pthread
LEVELDB_WANTS := -DLEVELDB_PLATFORM_POSIX=1 -DHAVE_FDATASYNC=1 -DHAVE_O_CLOEXEC=1
LEVELDB_SEEN   = -I. -Iuser/include $(LEVELDB_WANTS) -isystem $(LEVELDB)/include -isystem $(LEVELDB)

$(LEVELDB):
	@tools/make/sources leveldb
$(LEVELDB_FILES:%=$(LEVELDB)/%.cc): | $(LEVELDB) ;

# $(call leveldb,KIND,INCLUDE,OWN,MORE OBJECTS): everything in build/leveldb/KIND/. INCLUDE: searched before LevelDB's
# own headers.
define leveldb
$(1)_LEVELDB := $$(LEVELDB_FILES:%=build/leveldb/$(1)/sources/%.o)
$(1)_LEVELDB_OWN := $$(patsubst %,build/leveldb/$(1)/%.o,$$(LEVELDB_OWN) $(3))
$$(eval $$(call remember,build/leveldb/$(1)/flags,$$(CXX) $$(LEVELDB_FLAGS) $(2)))
$$($(1)_LEVELDB): build/leveldb/$(1)/sources/%.o: $$(LEVELDB)/%.cc build/leveldb/$(1)/flags | compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$$(CXX) $$(LEVELDB_FLAGS) -w $(2) $$(LEVELDB_SEEN) -MD -MP -c $$< -o $$@
$$($(1)_LEVELDB_OWN): build/leveldb/$(1)/%.o: tools/measure/leveldb/%.cc build/leveldb/$(1)/flags \
  | $$(LEVELDB) compilers
	@mkdir -p $$(@D)
	$$(call say,compile)
	$$(QUIET)$$(CXX) $$(LEVELDB_FLAGS) -Wall -Wextra -Werror $(2) $$(LEVELDB_SEEN) -MMD -MP -c $$< -o $$@
build/leveldb/$(1)/readrandom: $$($(1)_LEVELDB) $$($(1)_LEVELDB_OWN) $(4)
	$$(call say,link)
	$$(QUIET)$$(CXX) -pthread -pie -o $$@ $$^
-include $$(patsubst %.o,%.d,$$($(1)_LEVELDB) $$($(1)_LEVELDB_OWN))
endef
# The core instead of the library, which does not export the locks of sync/baseline/; and user/ without checks,
# because code that is compiled without the plugin calls it.
LEVELDB_HEDDLE := build/leveldb/heddle/lock.o build/hosted-off/user/bench/condition_choice.c.o build/hosted/core.o
$(eval $(call leveldb,heddle,-isystem tools/measure/leveldb/heddle,crew_tasks,$$(LEVELDB_HEDDLE)))
$(eval $(call leveldb,threads,-DCREW_LOCKS=pthread,crew_threads,))
$(eval $(call leveldb,shfllock,-DCREW_LOCKS=shfllock -isystem tools/measure/leveldb/shfllock,\
  crew_threads shfllock/lock,))

build/leveldb/heddle/lock.o: tools/measure/leveldb/lock.c build/hosted-off/flags | compilers
	@mkdir -p $(@D)
	$(call say,compile)
	$(QUIET)$(CC) $(COMMON) $(HOSTED_FLAGS) -fcall-saved-r15 -MMD -MP -c $< -o $@
-include build/leveldb/heddle/lock.d
