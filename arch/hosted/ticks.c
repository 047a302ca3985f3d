#include "arch/hosted/ticks.h"

#include <time.h>

#include "arch/hosted/helpers.h"
#include "arch/hosted/hosted.h"
#include "kernel/command_line.h"
#include "kernel/console.h"

#define TICK 500000 /* nanoseconds; a slice that is counted takes a twentieth of that, or less */

/* What the plugin compiled to poll brings it along (tools/plugin/runtime.h). */
extern const char heddle_polled[] __attribute__((weak));

static pthread_t thread;
static unsigned processors_ticked; /* 0: there is no tick */
static _Atomic bool ends;

static void *tick(void *unused)
{
	static const struct timespec period = {.tv_nsec = TICK};
	while (!atomic_load_explicit(&ends, memory_order_relaxed)) {
		nanosleep(&period, NULL);
		for (unsigned index = 0; index < processors_ticked; index++)
			atomic_store_explicit(&processors[index].quantum, quantum_counter_exact(0), memory_order_relaxed);
	}
	return unused;
}

void ticks_start(unsigned count)
{
	processors_ticked = 0;
	if (!heddle_polled)
		return;
	command_line.defer = 0; /* in code that does not count, what a processor owes would wait for a tick */
	atomic_store_explicit(&ends, false, memory_order_relaxed);
	processors_ticked = count;
	if (hosted_helper_create(&thread, tick))
		return;
	processors_ticked = 0;
	log_error("the host gives no thread for the clock tick: tasks switch only where they call");
}

void ticks_end(void)
{
	if (processors_ticked == 0)
		return;
	atomic_store_explicit(&ends, true, memory_order_relaxed);
	pthread_join(thread, NULL);
}
