#include "user/activity.h"

#include "heddle/mutex.h"
#include "heddle/system.h"
#include "kernel/console.h"
#include "kernel/processor.h"
#include "user/crew.h"

#define SHARE_THAT_MATTERS 10 /* per cent of the time */
#define MHZ_APART_MAXIMUM  5  /* per cent */

/* Each processor has an entry. Several programs may run at once (user/shell/). */
static struct mutex mutex;
static struct arch_activity before[PROCESSORS_MAXIMUM], after[PROCESSORS_MAXIMUM];
static uint64_t begun;

struct activity_summary activity_summarize(unsigned known, const struct arch_activity *first,
                                           const struct arch_activity *last, unsigned count,
                                           uint64_t nanoseconds)
{
	struct activity_summary summary = {.known = known};
	uint64_t all_cycles = 0, all_time = 0;
	for (unsigned i = 0; i < count; i++) {
		uint64_t cycles = last[i].cycles - first[i].cycles, time = last[i].nanoseconds - first[i].nanoseconds;
		uint64_t interrupts = last[i].management_interrupts - first[i].management_interrupts;
		all_cycles += cycles;
		all_time += time;
		if (time > 0 && time >= nanoseconds / 100 * SHARE_THAT_MATTERS) {
			uint64_t mhz = cycles * 1000 / time;
			summary.mhz_low = summary.mhz_low == 0 || mhz < summary.mhz_low ? mhz : summary.mhz_low;
			summary.mhz_high = mhz > summary.mhz_high ? mhz : summary.mhz_high;
		}
		if (interrupts > summary.management_interrupts)
			summary.management_interrupts = interrupts;
		summary.throttled += last[i].throttled;
	}
	summary.mhz = all_time > 0 ? all_cycles * 1000 / all_time : 0;
	return summary;
}

static intptr_t read_one(size_t number, void *readings)
{
	arch_activity_read((struct arch_activity *)readings + number);
	return 0;
}

/* Without memory for the tasks nothing is known. */
static bool read_all(struct arch_activity *readings)
{
	struct crew crew = {.name = "activity",
	                    .function = read_one,
	                    .argument = readings,
	                    .count = heddle_processors(),
	                    .bound = true};
	intptr_t unused;
	if (crew_create(&crew) != HEDDLE_OK)
		return false;
	crew_start(&crew);
	return crew_join(&crew, &unused) == HEDDLE_OK;
}

static void begin(void)
{
	begun = arch_activity_known() != 0 && read_all(before) ? heddle_clock() : 0;
}

void activity_begin(void)
{
	mutex_lock(&mutex);
	begin();
	mutex_unlock(&mutex);
}

struct activity_summary activity_end(void)
{
	struct activity_summary summary = {0};
	mutex_lock(&mutex);
	if (begun != 0 && read_all(after))
		summary = activity_summarize(arch_activity_known(), before, after, heddle_processors(),
		                             heddle_clock() - begun);
	begin();
	mutex_unlock(&mutex);
	return summary;
}

void activity_add(struct text *line, const struct activity_summary *summary)
{
	if (summary->known & ARCH_ACTIVITY_CYCLES)
		text_add(line, ",\"mhz\":%lu,\"mhz_low\":%lu,\"mhz_high\":%lu", summary->mhz, summary->mhz_low,
		         summary->mhz_high);
	if (summary->known & ARCH_ACTIVITY_INTERRUPTS)
		text_add(line, ",\"management_interrupts\":%lu", summary->management_interrupts);
	if (summary->known & ARCH_ACTIVITY_THROTTLING)
		text_add(line, ",\"throttled\":%u", summary->throttled);
}

void activity_warn(const struct activity_summary *summary)
{
	if (summary->management_interrupts > 0)
		log_warning("meanwhile the firmware interrupted the processors %lu times, each time for tens of "
		            "microseconds or "
		            "more: see its settings",
		            (unsigned long)summary->management_interrupts);
	if (summary->throttled > 0)
		log_warning("meanwhile %u processors were slowed down for heat or power: figures mean little",
		            summary->throttled);
	if ((summary->mhz_high - summary->mhz_low) * 100 > summary->mhz_high * MHZ_APART_MAXIMUM)
		log_warning(
		    "meanwhile processors ran at %lu to %lu MHz: figures of different runs can hardly be compared; "
		    "performance=on asks for one frequency",
		    (unsigned long)summary->mhz_low, (unsigned long)summary->mhz_high);
}
