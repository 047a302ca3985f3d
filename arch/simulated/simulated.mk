# The simulated machine: the system and its programs, which the plugin accounts for, and the simulator, an ordinary
# program of the host. Both have functions of <string.h>; the system's are made local to it.
MACHINE_PARTS := $(sort $(wildcard arch/simulated/machine/*.c arch/simulated/machine/*.asm)) \
                 $(addprefix arch/hosted/,symbols.c faults.c code.c terminal.c new_file.c)
MARKED        := marks_begin marks_end marks_lock marks_data marks_own

$(eval $(call remember,build/simulated/machine.flags,$$(CC) $$(COMMON) $(MACHINE_FLAGS)))
build/simulated/machine/%.c.o: %.c build/simulated/machine.flags | compilers
	@mkdir -p $(@D)
	$(call say,compile)
	$(QUIET)$(CC) $(COMMON) $(MACHINE_FLAGS) -MMD -MP -c $< -o $@
build/simulated/machine/%.asm.o: %.asm build/assembler | compilers
	@mkdir -p $(@D)
	$(call say,assemble)
	$(QUIET)$(ASSEMBLE)
MACHINE_OBJECTS := $(MACHINE_PARTS:%=build/simulated/machine/%.o)
-include $(MACHINE_OBJECTS:.o=.d) $(MACHINE_OBJECTS:%=%.d)

# As in the hosted program, Heddle's own code lies in a section of its own (arch/hosted/core.ld).
build/simulated/system.o: arch/hosted/core.ld build/simulated/objects $(simulated_OBJECTS) build/simulated/instrumented
	$(call say,link)
	$(QUIET)$(LD) -r -T arch/hosted/core.ld -o build/simulated/own.o \
	    $(filter-out $(simulated_USER),$(simulated_OBJECTS))
	$(QUIET)$(LD) -r $(MARKED:%=--wrap=%) -o $@ build/simulated/own.o $(simulated_USER)
	$(QUIET)$(OBJCOPY) $(OWN_STRINGS:%=--localize-symbol=%) $@
build/simulated/heddle: build/simulated/system.o $(MACHINE_OBJECTS)
	$(call say,link)
	$(QUIET)$(CC) -no-pie -o $@ $^ -ljansson -lm

# This host as such a machine: machine=build/simulated/this-host.json
HOST_MIX   := tools/measure/simulated/mix.c
HOST_FLAGS := $(COMMON) $(MACHINE_FLAGS)
HOST_PARTS := $(addprefix tools/measure/simulated/,host.c chain.c)
build/simulated/host_profile: $(HOST_PARTS) $(HOST_MIX) $(wildcard tools/measure/simulated/*.h) \
                      build/plugin/heddle.so | compilers
	$(call say,compile)
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(HOST_FLAGS) -DCOUNTED -fplugin=build/plugin/heddle.so -fplugin-arg-heddle-off \
	    -fplugin-arg-heddle-account -c $(HOST_MIX) -o build/simulated/mix_counted.o
	$(QUIET)$(CC) $(HOST_FLAGS) -no-pie $(HOST_PARTS) $(HOST_MIX) build/simulated/mix_counted.o -o $@ -lpthread
build/simulated/this-host.json: build/simulated/host_profile
	$(call say,measure)
	$(QUIET)$< > $@.new
	@mv $@.new $@
