/*
 * Delegation locks of the host's threads (user/delegation/). Each virtual processor is a thread, which sleeps by a
 * futex: a model that looks at the word and falls asleep in one step, as Linux does, and wakes one that sleeps.
 *
 * A program has a letter for each operation: d delegates, w delegates and waits, l locks, t tries to, r reads. A thread
 * does not yield before it sleeps. The helper closes the queue after two sections.
 */
#include "explorer.h"

#include "user/delegation/lock.h"

#include <string.h>

struct script {
	LL_lock_type_name kind;
	const char *programs[EXPLORE_PROCESSORS];
};

static struct OOLock lock;
static bool inside, read_from;
static uint8_t sections, expected, own[EXPLORE_PROCESSORS];

/* ---- the futex ---- */

static struct sleeper {
	const volatile void *word; /* NULL: it is awake */
} sleepers[EXPLORE_PROCESSORS];
static _Atomic unsigned system_calls; /* each is a fence */

AS_MEMORY_IS static bool has_value(const volatile void *word, uint32_t value)
{
	return *(const volatile uint32_t *)word == value;
}

AS_MEMORY_IS static bool is_awake(void *sleeper)
{
	return !((struct sleeper *)sleeper)->word;
}

void model_sleep(const volatile void *word, uint32_t value);
void model_sleep(const volatile void *word, uint32_t value)
{
	struct sleeper *own_place = &sleepers[explore_processor()];
	atomic_exchange(&system_calls, 1);
	if (!has_value(word, value))
		return;
	own_place->word = word;
	explore_wait(is_awake, own_place);
}

void model_wake(const volatile void *word);
void model_wake(const volatile void *word)
{
	atomic_exchange(&system_calls, 1);
	for (unsigned i = 0; i < EXPLORE_PROCESSORS; i++)
		if (sleepers[i].word == word) {
			sleepers[i].word = NULL;
			return;
		}
}

_Noreturn void model_misused(const char *sentence);
_Noreturn void model_misused(const char *sentence)
{
	explore_fail("%s", sentence);
}

/* ---- programs ---- */

static void alone(void)
{
	if (inside)
		explore_fail("two sections run at once");
	inside = true;
	explore_pause();
	inside = false;
	sections++;
}

static void section(unsigned size, void *message)
{
	(void)size;
	alone();
	own[*(unsigned char *)message]++;
}

static void operate(char letter, unsigned char thread)
{
	uint8_t before = own[thread];
	if (letter == 'd') {
		heddle_ll_delegate(&lock, section, sizeof thread, &thread);
	} else if (letter == 'w') {
		heddle_ll_delegate_wait(&lock, section, sizeof thread, &thread);
		if (own[thread] == before)
			explore_fail("the section has not run, and nobody waits for it any more");
	} else if (letter == 'r') {
		heddle_ll_rlock(&lock);
		if (inside)
			explore_fail("a section runs while a thread reads");
		heddle_ll_runlock(&lock);
	} else if (letter == 'l' || heddle_ll_try_lock(&lock)) {
		if (letter == 'l')
			heddle_ll_lock(&lock);
		alone();
		own[thread]++;
		heddle_ll_unlock(&lock);
	}
}

static void program(const struct explore_case *explored, unsigned processor)
{
	for (const char *c = ((const struct script *)explored->script)->programs[processor]; c && *c; c++)
		operate(*c, (unsigned char)processor);
}

static void set_up(const struct explore_case *explored)
{
	const struct script *script = explored->script;
	explore_stores_are_steps();
	heddle_ll_initialize(&lock, script->kind);
	explore_name(&lock, sizeof lock, "lock");
	explore_name(&lock.word, sizeof lock.word, "lock.word");
	explore_watch(&sections, sizeof sections);
	for (unsigned i = 0; i < explored->processors; i++)
		for (const char *c = script->programs[i]; c && *c; c++)
			expected += *c == 'd' || *c == 'w' || *c == 'l';
}

static const char *check(const struct explore_case *explored)
{
	(void)explored;
	if (lock.word != LL_FREE || lock.locked || ll_is_read(&lock))
		return "the lock is not free";
	for (unsigned i = 0; i < LL_BEDS; i++)
		if (ll_beds[i].sleepers)
			return "a thread sleeps that has ended";
	return sections == expected ? NULL : "a section was lost";
}

#define CASE(title, count, ...)                                                                          \
	{                                                                                                    \
		.name = "delegation_threads." title, .processors = count, .script = &(struct script)__VA_ARGS__, \
		.set_up = set_up, .program = program, .check = check                                             \
	}

const struct explore_case explore_cases[] = {
    CASE("two-delegate", 2, {QD_LOCK, {"dd", "d"}}),
    CASE("two-wait", 2, {QD_LOCK, {"w", "w"}}),
    CASE("delegate-wait", 2, {QD_LOCK, {"dw", "d"}}),
    CASE("lock-delegate", 2, {QD_LOCK, {"l", "dd"}}),
    CASE("lock-wait", 2, {QD_LOCK, {"l", "w"}}),
    CASE("two-lock", 2, {TATAS_LOCK, {"ll", "l"}}),
    CASE("three-lock", 3, {TATAS_LOCK, {"l", "l", "l"}}),
    CASE("three-delegate", 3, {QD_LOCK, {"d", "d", "d"}}),
    CASE("three-wait", 3, {QD_LOCK, {"l", "w", "d"}}),
    CASE("read-alone", 2, {QD_LOCK, {"rr", "dd"}}),
    CASE("read-delegate", 2, {MRQD_LOCK, {"r", "d"}}),
    CASE("read-lock", 2, {MRQD_LOCK, {"rr", "l"}}),
    CASE("read-wait", 3, {MRQD_LOCK, {"r", "w", "r"}}),
    {0},
};
