# build/linux/init: the benchmarks of the scheduler paper's figures and table on a layer of pthreads, as a static
# program that is a Linux machine's first process, or an ordinary program of this machine. Same sources as Heddle's,
# same compiler, no checks: Linux preempts by itself.
#
# Included by build.mk.

LINUX_PROGRAMS := create switch locks matrix mandelbrot eratosthenes tokenring city news producer
LINUX_SOURCES  := $(LINUX_PROGRAMS:%=user/bench/%.c) user/bench/measure.c \
                  $(addprefix user/,choice.c crew.c number.c program.c program_parse.c program_result.c text.c) \
                  $(addprefix kernel/,decimal.c format.c similar.c) sched/error.c \
                  $(sort $(wildcard tools/measure/linux/layer/*.c))
LINUX_OBJECTS  := $(LINUX_SOURCES:%=build/linux/%.o)
# The layer's headers are found before Heddle's headers of the same names.
LINUX_FLAGS    := -Itools/measure/linux/include $(filter-out -ffixed-r15,$(COMMON)) -D_GNU_SOURCE -pthread -fno-pie
$(eval $(call remember,build/linux/flags,$(CC) $(LINUX_FLAGS) $(LINUX_OBJECTS)))

$(LINUX_OBJECTS): build/linux/%.c.o: %.c build/linux/flags | compilers
	@mkdir -p $(@D)
	$(call say,compile)
	$(QUIET)$(CC) $(LINUX_FLAGS) -MMD -MP -c $< -o $@
build/linux/init: $(LINUX_OBJECTS)
	$(call say,link)
	$(QUIET)$(CC) -static -no-pie -pthread -o $@ $^
-include $(LINUX_OBJECTS:.o=.d)
