#include "user/bench/lock_choice.h"

#include "heddle/system.h"
#include "user/choice.h"
#include "user/program_run.h"

/* What `waiting`, `spins` and `yields` say. */
static bool choose_strategy(struct waiting_strategy *strategy, struct program_run *run)
{
	char letters[sizeof "adaptive"] = "";
	struct piece word = choice_word(LOCK_WAITING, program_value(run, "waiting"));
	for (unsigned i = 0; i < word.length; i++)
		letters[i] = word.text[i];
	waiting_parse(letters, strategy);
	strategy->spins_maximum = (uint32_t)program_value(run, "spins");
	strategy->yields_maximum = (uint32_t)program_value(run, "yields");
	const char *refusal = waiting_refusal(strategy);
	return !refusal || program_failed(run, "waiting=%s: %s", letters, refusal);
}

static bool cohort_create(struct chosen_mutex *mutex, struct program_run *run)
{
	mutex->count = (uint32_t)program_value(run, "queues");
	mutex->queues = heddle_allocate(mutex->count * sizeof(*mutex->queues));
	if (!mutex->queues)
		return program_failed(run, "no memory for %u queues of a lock", mutex->count);
	for (uint32_t i = 0; i < mutex->count; i++)
		mutex->queues[i] = (struct ttas_mcs_queue){0};
	return ttas_mcs_lock_create(&mutex->cohort, &mutex->strategy, mutex->queues, mutex->count,
	                            (enum heddle_ttas_mcs_choice)program_value(run, "queue")) == HEDDLE_OK;
}

/* All others are zeroed memory before their first use. */
bool chosen_mutex_create(struct chosen_mutex *mutex, struct program_run *run)
{
	uint64_t added = program_choice_added(run, "lock");
	*mutex = (struct chosen_mutex){.variant = added == PROGRAM_NONE_ADDED
	                                              ? (enum lock_variant)program_value(run, "lock")
	                                              : VARIANT_ADDED};
	if (mutex->variant == VARIANT_ADDED)
		added_lock_create(&mutex->added, added);
	if (mutex->variant == VARIANT_STRICT)
		mutex_set_strict(&mutex->exchange, true);
	if (mutex->variant < VARIANT_TTAS || mutex->variant >= VARIANT_STRICT)
		return true;
	if (!choose_strategy(&mutex->strategy, run))
		return false;
	if (mutex->variant == VARIANT_TTAS)
		return ttas_lock_create(&mutex->ttas, &mutex->strategy) == HEDDLE_OK;
	if (mutex->variant == VARIANT_MCS)
		return mcs_lock_create(&mutex->mcs, &mutex->strategy) == HEDDLE_OK;
	return cohort_create(mutex, run);
}

void chosen_reader_writer_lock_create(struct chosen_reader_writer_lock *lock, struct program_run *run)
{
	uint64_t added = program_choice_added(run, "lock");
	*lock = (struct chosen_reader_writer_lock){.variant = added == PROGRAM_NONE_ADDED
	                                                          ? (enum lock_variant)program_value(run, "lock")
	                                                          : VARIANT_ADDED};
	if (lock->variant == VARIANT_ADDED)
		added_lock_create(&lock->added, added);
}

void chosen_mutex_destroy(struct chosen_mutex *mutex)
{
	heddle_free(mutex->queues, mutex->count * sizeof(*mutex->queues));
}

const struct waiting_counters *chosen_mutex_counters(const struct chosen_mutex *mutex)
{
	if (mutex->variant == VARIANT_TTAS)
		return &mutex->ttas.common.counters;
	if (mutex->variant == VARIANT_MCS)
		return &mutex->mcs.common.counters;
	return mutex->variant == VARIANT_COHORT ? &mutex->cohort.common.counters : NULL;
}
