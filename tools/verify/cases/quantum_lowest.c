/* The hint of the lowest priority that runs: a processor goes on with a low task while another raises the hint. */
#include "explorer.h"

#include "arch/arch.h"
#include "sched/plain.h"

#define NORMAL 1
#define LOW    0

static struct scheduler schedulers[2];
static struct task low, normal;

uint64_t arch_clock(void)
{
	static uint64_t now;
	return now += UINT64_C(1000000000);
}

void arch_remote_barrier(void)
{
	explore_settle();
}

static void set_up(const struct explore_case *explored)
{
	(void)explored;
	explore_stores_are_steps(); /* quantum_raise() waits for stores */
	explore_name(&quantum_lowest, sizeof quantum_lowest, "lowest");
	for (unsigned i = 0; i < 2; i++) {
		explore_name(&schedulers[i].running, sizeof schedulers[i].running, "running%u", i);
		processors[i].scheduler = &schedulers[i];
		atomic_init(&schedulers[i].running, NORMAL);
		atomic_init(&schedulers[i].plain, PLAIN_NONE);
	}
	low.schedule.priority = LOW;
	normal.schedule.priority = NORMAL;
	quantum_start();
	atomic_init(&quantum_lowest, LOW); /* a low task has run before */
}

static void program(const struct explore_case *explored, unsigned processor)
{
	(void)explored;
	if (processor == 0) {
		quantum_raise();
		quantum_raise();
		return;
	}
	quantum_set_running(&schedulers[1], &low);
	quantum_set_running(&schedulers[1], &normal);
	quantum_set_running(&schedulers[1], &low);
}

static const char *check(const struct explore_case *explored)
{
	(void)explored;
	return quantum_lowest == LOW ? NULL : "a low task runs, and the hint says that none does";
}

const struct explore_case explore_cases[] = {
    {.name = "quantum_lowest.raised", .processors = 2, .set_up = set_up, .program = program, .check = check},
    {0},
};
