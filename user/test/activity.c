/*
 * What the machine did meanwhile, from given readings of processors.
 */
#include <string.h>

#include "user/activity.h"
#include "user/program_run.h"
#include "user/test/test.h"

#define SECOND UINT64_C(1000000000)

/* Two processors at 3 and 3.6 GHz, one that hardly ran. */
static const struct arch_activity before[] = {
    {1000, 500, 7, true}, {0, 0, 7, false}, {UINT64_MAX, 5, 7, false}};
static const struct arch_activity after[] = {{1000 + 3 * SECOND, 500 + SECOND, 9, false},
                                             {18 * SECOND / 10, SECOND / 2, 10, true},
                                             {800000 - 1, 5 + 1000000, 7, false}};

TEST(activity, is_summed_up)
{
	unsigned known = ARCH_ACTIVITY_CYCLES | ARCH_ACTIVITY_INTERRUPTS | ARCH_ACTIVITY_THROTTLING;
	struct activity_summary summary = activity_summarize(known, before, after, 3, SECOND);
	CHECK_EQUAL(summary.mhz, 3198);
	CHECK_EQUAL(summary.mhz_low, 3000);
	CHECK_EQUAL(summary.mhz_high, 3600);
	CHECK_EQUAL(summary.management_interrupts, 3);
	CHECK_EQUAL(summary.throttled, 1);

	char buffer[200];
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	activity_add(&line, &summary);
	CHECK(strcmp(buffer, ",\"mhz\":3198,\"mhz_low\":3000,\"mhz_high\":3600,\"management_interrupts\":3,"
	                     "\"throttled\":1") == 0);
}

TEST(activity, says_nothing_that_is_not_known)
{
	struct activity_summary summary = activity_summarize(0, before, before, 3, SECOND);
	char buffer[200] = "";
	struct text line;
	text_start(&line, buffer, sizeof(buffer));
	activity_add(&line, &summary);
	CHECK_EQUAL(buffer[0], 0);
	CHECK_EQUAL(summary.mhz, 0);
	CHECK_EQUAL(summary.mhz_high, 0);
}
