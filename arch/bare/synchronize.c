#include "arch/bare/synchronize.h"

#include <stdatomic.h>

#include "arch/bare/attempt.h"
#include "arch/bare/clock.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define LOOKS        64
#define QUESTIONS    256
#define ANSWER_WAIT  1000000000ull /* nanoseconds; an emulator may be busy */
#define COMPARE_WAIT 20000000ull   /* nanoseconds for all questions, from the first answer on */
#define ERROR_LIMIT  10000ull

#define MSR_ADJUST         0x3b /* what is added to the counter */
#define CPUID_7_EBX_ADJUST (1u << 1)

/* ---------------------------------------------------------------------------------------- all at once -- */

static _Alignas(CACHE_LINE) _Atomic uint64_t latest_cycles; /* the latest that any processor has seen */
static _Alignas(CACHE_LINE) _Atomic uint64_t seen;          /* the largest difference, in cycles */

static void maximum_update(_Atomic uint64_t *maximum, uint64_t value)
{
	uint64_t old = atomic_load_explicit(maximum, memory_order_relaxed);
	/* old -> value, while value is larger. */
	while (old < value && !atomic_compare_exchange_weak_explicit(maximum, &old, value, memory_order_relaxed,
	                                                             memory_order_relaxed))
		;
}

void synchronize_look(void)
{
	for (unsigned i = 0; i < LOOKS; i++) {
		uint64_t latest = atomic_load_explicit(&latest_cycles, memory_order_relaxed);
		uint64_t now =
		    cycles_ordered(); /* after the load: a later time of another processor lies in the future */
		if (latest > now)
			maximum_update(&seen, latest - now);
		maximum_update(&latest_cycles, now);
	}
}

/* ------------------------------------------------------------------------------------------- in pairs -- */

/* What a question asks. */
enum wish {
	WISH_COUNTER, /* read the counter */
	WISH_SAME,    /* add the boot processor's adjustment to the counter */
	WISH_MOVE,    /* add `move` more */
	WISH_END,     /* no more questions */
	WISHES = 4
};

static _Alignas(CACHE_LINE) _Atomic uint64_t question; /* WISHES * number + enum wish */
static uint64_t boot_adjust, move;                     /* written before the question */
static _Atomic(const struct processor *) asked;
static _Alignas(CACHE_LINE) _Atomic uint64_t answer; /* the question that was answered */
static uint64_t answer_cycles;                       /* written before the answer */

static bool can_adjust(void)
{
	return (cpuid(7, 0).ebx & CPUID_7_EBX_ADJUST) != 0;
}

static void synchronize_carry_out(enum wish wish)
{
	if (wish == WISH_SAME)
		msr_try_write(MSR_ADJUST, boot_adjust);
	uint64_t adjust;
	if (wish == WISH_MOVE && msr_try_read(MSR_ADJUST, &adjust))
		msr_try_write(MSR_ADJUST, adjust + move);
}

void synchronize_answer(const struct processor *self)
{
	/* acquire: pairs with the release in synchronize_all(): the last answer, by another processor. */
	if (atomic_load_explicit(&asked, memory_order_acquire) != self)
		return;
	uint64_t last = atomic_load_explicit(&answer, memory_order_relaxed);
	uint64_t start = arch_cycles(), patience = clock_cycles(2 * ANSWER_WAIT);
	bool more = true;
	while (more && arch_cycles() - start < patience) {
		/* acquire: pairs with the release in ask(). */
		uint64_t now = atomic_load_explicit(&question, memory_order_acquire);
		if (now == last) {
			arch_pause();
			continue;
		}
		if (now % WISHES != WISH_COUNTER) {
			synchronize_carry_out(now % WISHES);
			start = arch_cycles(); /* the old value means nothing after the counter was moved */
		}
		answer_cycles = cycles_ordered();
		more = now % WISHES != WISH_END;
		last = now;
		/* release: pairs with the acquire in ask(). */
		atomic_store_explicit(&answer, now, memory_order_release);
	}
}

/* False: no answer came in time. */
static bool ask(enum wish wish, uint64_t patience)
{
	uint64_t number = atomic_load_explicit(&question, memory_order_relaxed) / WISHES + 1;
	uint64_t asking = number * WISHES + wish, start = arch_cycles();
	/* release: pairs with the acquire in synchronize_answer(). */
	atomic_store_explicit(&question, asking, memory_order_release);
	/* acquire: pairs with the release there. */
	while (atomic_load_explicit(&answer, memory_order_acquire) != asking)
		if (arch_cycles() - start > patience)
			return false;
	return true;
}

struct comparison {
	int64_t ahead;  /* cycles */
	uint64_t error; /* cycles, plus or minus; UINT64_MAX: unknown */
};

static bool is_different(const struct comparison *comparison)
{
	uint64_t ahead = comparison->ahead < 0 ? 0 - (uint64_t)comparison->ahead : (uint64_t)comparison->ahead;
	return ahead > comparison->error;
}

static struct comparison synchronize_compare(void)
{
	struct comparison best = {0, UINT64_MAX};
	uint64_t start = arch_cycles();
	for (unsigned i = 0; i < QUESTIONS && (i == 0 || arch_cycles() - start < clock_cycles(COMPARE_WAIT));
	     i++) {
		uint64_t before = cycles_ordered();
		if (!ask(WISH_COUNTER, clock_cycles(ANSWER_WAIT)))
			break;
		uint64_t width = cycles_ordered() - before;
		if (width / 2 < best.error)
			best = (struct comparison){(int64_t)(answer_cycles - (before + width / 2)), width / 2};
	}
	return best;
}

static struct {
	uint64_t before, after; /* the largest difference, in cycles */
	unsigned moved, offset, unknown;
} found;

static uint64_t synchronize_size_of(const struct comparison *comparison)
{
	return (comparison->ahead < 0 ? 0 - (uint64_t)comparison->ahead : (uint64_t)comparison->ahead) +
	       comparison->error;
}

/* The processor answers now. Returns the difference that remains. */
static struct comparison correct(struct processor *final)
{
	struct comparison now = synchronize_compare();
	if (now.error == UINT64_MAX || !is_different(&now))
		return now;
	found.before = synchronize_size_of(&now) > found.before ? synchronize_size_of(&now) : found.before;
	/* First undo what firmware or the board made different, which leaves no error; then correct what was measured. */
	for (enum wish wish = WISH_SAME; can_adjust() && wish <= WISH_MOVE && is_different(&now); wish++) {
		move = 0 - (uint64_t)now.ahead;
		if (ask(wish, clock_cycles(ANSWER_WAIT)))
			now = synchronize_compare();
	}
	if (!is_different(&now)) {
		found.moved++;
	} else if (now.error != UINT64_MAX) {
		final->clock_offset = (uint64_t)now.ahead;
		now.ahead = 0;
		found.offset++;
	}
	return now;
}

void synchronize_all(struct processor *(*waiting)(unsigned index))
{
	if (atomic_load_explicit(&seen, memory_order_relaxed) == 0)
		return;
	msr_try_read(MSR_ADJUST, &boot_adjust);
	for (unsigned i = 1; i < processor_count; i++) {
		struct processor *other = waiting(i);
		/* release: pairs with the acquire in synchronize_answer(). */
		atomic_store_explicit(&asked, other, memory_order_release);
		arch_processor_wake(other);
		struct comparison left = correct(&processors[i]);
		if (left.error == UINT64_MAX)
			found.unknown++;
		else if (synchronize_size_of(&left) > found.after)
			found.after = synchronize_size_of(&left);
		ask(WISH_END, clock_cycles(ANSWER_WAIT));
	}
	atomic_store_explicit(&asked, NULL, memory_order_relaxed);
	if (found.moved + found.offset > 0)
		log_info("clock: counters differed by up to %lu ns; %s",
		         (unsigned long)clock_nanoseconds(found.before), synchronize_means());
	if (found.unknown > 0)
		log_warning(
		    "clock: %u processors did not answer when their clocks were compared; times taken there may be "
		    "wrong by %lu ns",
		    found.unknown,
		    (unsigned long)clock_nanoseconds(atomic_load_explicit(&seen, memory_order_relaxed)));
	if (synchronize_error() > ERROR_LIMIT)
		log_warning("clock: times taken on different processors may be wrong by %lu ns; have the firmware "
		            "synchronize "
		            "the time-stamp counters",
		            (unsigned long)synchronize_error());
}

uint64_t synchronize_error(void)
{
	uint64_t cycles = atomic_load_explicit(&seen, memory_order_relaxed);
	if (cycles != 0 && found.unknown == 0)
		cycles = 2 * found.after; /* one counter may be early, another late */
	return clock_nanoseconds(cycles);
}

const char *synchronize_means(void)
{
	if (found.offset > 0)
		return found.moved > 0 ? "some were moved, for others an offset is kept"
		                       : "an offset is kept for them";
	return found.moved > 0 ? "they were moved" : "none was corrected";
}
