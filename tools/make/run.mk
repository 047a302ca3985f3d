# `make run`, `make trace`, `make debug`: which binary, and what `tools/run` is told.
# Included by the Makefile.
#
# `exec`, here and in the makefiles beside this one: a signal that ends make reaches the tool, which then ends what it
# has started.

# What make's command line may set, here and in the makefiles beside this one. Recipes read these from the environment,
# so that no character of a value has a meaning for the shell.
MEM        ?= 1G
FIRMWARE   ?= bios
NODES      ?= 1
TIMEOUT    ?= 300
PORT       ?= 1234
INSTRUMENT ?= on
export SMP MEM FIRMWARE NODES RUN POLICY OPTIONS TIMEOUT PORT ASK WIDE

ifeq ($(filter on off $(if $(HOSTED),$(if $(DEBUG)$(PROGRAMS),,poll)),$(INSTRUMENT)),)
$(error INSTRUMENT=$(INSTRUMENT) is not understood: allowed is on or off; poll with HOSTED=1, no DEBUG, no PROGRAMS)
endif

#: Run
#:   make run            boot 64 processors in QEMU from a GRUB image, run the benchmarks, print a table
#:     SMP=64            processors, or QEMU's whole -smp value: SMP=72,sockets=3,cores=12,threads=2
#:     MEM=1G            memory
#:     FIRMWARE=bios     bios, uefi, or direct (QEMU loads the kernel itself)
#:     NODES=1           NUMA nodes
#:     RUN="switch create,tasks=100000"    which programs; OPTIONS="list" lists them
#:     POLICY=local      ready queues: local (a queue a processor), global (one for all), one of PROGRAMS=
#:     OPTIONS="log=debug watchdog=5"      further words of the command line
#:     TIMEOUT=300       seconds until a run is given up
#:     HOSTED=1          the same as a Linux program, without QEMU
#:     DEBUG=1           with the assertions of debug builds
#:     INSTRUMENT=off    without the checks that the compiler inserts: tasks switch only where they call;
#:                       poll: with checks that poll and do not count, and HOSTED=1
#:     WIDE=1            a table of all parameters and figures, wider than the terminal
#:     PROGRAMS=folder   C and C++ programs of your own beside those of the tree (user/own-programs.md)
#:     GROWS=off         a whole stack for each task, as where the compiler has no stacks that grow
#:   make trace          who waited for whom, the critical path, and a file for Perfetto; takes what `make run` takes
#:     RUN, ASK="select" what is run, and what Perfetto's trace_processor is to answer
#:   make debug          QEMU waits for GDB (PORT=1234); with HOSTED=1, GDB starts; takes what `make run` takes
SUFFIX       := $(if $(filter off poll,$(INSTRUMENT)),-$(INSTRUMENT))
BUILT        := build/$(if $(PROGRAMS),programs/)
BINARY       := $(BUILT)$(if $(HOSTED),hosted,kernel)$(if $(DEBUG),-debug)$(SUFFIX)/$(if $(HOSTED),heddle,heddle.elf)
DEBUG_BINARY := $(BUILT)$(if $(HOSTED),hosted-debug$(SUFFIX)/heddle,kernel-debug$(SUFFIX)/heddle.elf)
RUN_OPTIONS  := $(if $(HOSTED),--hosted) --processors="$$SMP" --memory="$$MEM" --firmware="$$FIRMWARE" \
                --nodes="$$NODES" --policy="$$POLICY" --timeout="$$TIMEOUT" --words="$$OPTIONS" -- "$$RUN"

run: $(BINARY)
	@exec $(PYTHON) tools/run --binary $(BINARY) $(RUN_OPTIONS)
# 4 processors, unless SMP= asks for more, and no firmware: the boot is not traced.
trace: $(BINARY)
	@exec $(PYTHON) tools/trace $(if $(HOSTED),--hosted) --binary $(BINARY) --processors="$$SMP" --memory="$$MEM" \
	    --firmware=$(if $(filter command,$(origin FIRMWARE)),"$$FIRMWARE",direct) --nodes="$$NODES" \
	    --timeout="$$TIMEOUT" $(if $(POLICY),--words="sched=$$POLICY") --words="$$OPTIONS" $(if $(ASK),--ask="$$ASK") \
	    --run="$${RUN:-section}"
debug: $(DEBUG_BINARY)
	@exec $(PYTHON) tools/run --debug --port="$$PORT" --binary $(DEBUG_BINARY) $(RUN_OPTIONS)
