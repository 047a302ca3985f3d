#include "sync/strategy/awake.h"

#include "sched/wake.h"

#define BLOCK            32 /* entries whose times are summed up */
#define LEVEL_MAXIMUM    8  /* 64 tasks are awake */
#define LEVEL_ALL        9  /* all are */
#define LEVEL_FIRST_MOST 6  /* 16; and no more than a quarter of the processors */
#define WOKEN_AT_ONCE    16 /* when all are to be awake */
#define PATIENCE_LEAST   2  /* blocks between two trials of the next level */
#define PATIENCE_MOST    64
#define FAR_LEAST        16 /* times as long as it has lasted, from one trial of all awake, or not, to the next */
#define FAR_MOST         1024
#define SAMPLE           16 /* entries, of which one counts, where all are awake */
#define OUTLIER          8 /* an entry that takes so many times as long as usual was disturbed by something else */
#define GAIN             32  /* more awake have to be better by this part */
#define PROBE            32  /* one arrival in so many tries a stage that does not pay */
#define ALL              256 /* of a part of the waits */
#define LEARNT           16  /* a new wait counts for this part */
#define RESTED           64 /* without that, all awake take processors from other work, and nothing is tried */
#define PAYS             16 /* a stage pays if at least so many in ALL waits end there */

enum { STAGE_SPINS = 1, STAGE_YIELDS = 2 };

static uint32_t window_of(unsigned level)
{
	return level > 1 && level != LEVEL_ALL ? 1u << (level - 2) : 0;
}

/* Where all are awake there is no more to look at: that line stays with those that hold the lock. */
void awake_arrive(struct mcs_queue *queue, struct mcs_place *place, struct backoff *backoff)
{
	struct mcs_awake *awake = &queue->awake;
	backoff->all_awake = &awake->all;
	if (atomic_load_explicit(&awake->all, memory_order_relaxed))
		return;
	if (atomic_load_explicit(&awake->room, memory_order_relaxed) > 0 &&
	    atomic_fetch_sub_explicit(&awake->room, 1, memory_order_relaxed) > 0)
		atomic_store_explicit(&place->resume_handle, AWAKE, memory_order_relaxed);
	uint32_t stages = atomic_load_explicit(&awake->stages, memory_order_relaxed);
	uint32_t spins = backoff->yield_limit - 1, yields = backoff->suspend_limit - backoff->yield_limit;
	backoff_limit(backoff, stages & STAGE_SPINS ? spins : 0, stages & STAGE_YIELDS ? yields : 0);
}

/* ---- how the tasks behind wait ---- */

static void learn(uint16_t *part, bool ended_there)
{
	*part = (uint16_t)(*part + (ended_there ? ALL / LEARNT : 0) - *part / LEARNT);
}

/* A task that was kept awake says nothing of the yields that come before a suspension. */
static void choose_stages(struct mcs_awake *awake, const struct backoff *backoff)
{
	bool probes = awake->entries % PROBE == 0;
	learn(&awake->spun, backoff->stage == WAITED_SPINNING);
	learn(&awake->yielded, backoff->stage == WAITED_YIELDING && backoff->turns < backoff->suspend_limit);
	atomic_store_explicit(&awake->stages,
	                      (probes || awake->spun >= PAYS ? STAGE_SPINS : 0u) |
	                          (probes || awake->yielded >= PAYS ? STAGE_YIELDS : 0u),
	                      memory_order_relaxed);
}

/* ---- how many are awake ---- */

/* What is known of who is awake ends where all were, or are to be. */
static void set_level(struct mcs_awake *awake, unsigned level)
{
	if (awake->level == LEVEL_ALL) {
		awake->last = NULL;
		awake->count = 0;
	}
	if ((awake->level == LEVEL_ALL) != (level == LEVEL_ALL))
		atomic_store_explicit(&awake->all, level == LEVEL_ALL, memory_order_relaxed);
	awake->all_woken = false;
	awake->unseen = 0;
	awake->level = (uint8_t)level;
	awake->left_out = BLOCK / 4;
	awake->counted = 0;
	awake->sum = 0;
}

static void learning_begin(struct mcs_awake *awake)
{
	awake->window_level = 1;
	while (awake->window_level < LEVEL_FIRST_MOST &&
	       window_of(awake->window_level + 1u) * 4 <= processor_count)
		awake->window_level++;
	awake->direction = 1;
	awake->blocks_left = PATIENCE_LEAST;
	awake->patience = PATIENCE_LEAST;
	awake->far_patience = FAR_LEAST;
	set_level(awake, awake->window_level);
}

static void try_level(struct mcs_awake *awake, unsigned level)
{
	awake->tries = true;
	awake->back = awake->level;
	awake->tried_at = awake->entries;
	set_level(awake, level);
}

static void try_next(struct mcs_awake *awake)
{
	int level = awake->level + awake->direction;
	if (level >= 1 && level <= LEVEL_MAXIMUM) {
		try_level(awake, (unsigned)level);
		return;
	}
	awake->direction = (int8_t)-awake->direction;
	awake->blocks_left = awake->patience;
}

/* Fewer awake are kept if they are no worse: they leave more to others. */
static bool is_better(const struct mcs_awake *awake)
{
	return awake->level > awake->back ? awake->sum + awake->usual / GAIN < awake->usual
	                                  : awake->sum <= awake->usual;
}

/* One that is over early was clearly worse. */
static void end_far_trial(struct mcs_awake *awake, bool better)
{
	bool clearly = awake->counted < BLOCK * 3 / 4;
	uint32_t lasted = awake->entries - awake->tried_at;
	if (better)
		awake->far_patience = FAR_LEAST;
	else if (awake->far_patience < FAR_MOST)
		awake->far_patience *= clearly ? 8 : 2;
	awake->far_at = awake->entries + lasted * awake->far_patience;
	awake->blocks_left = PATIENCE_LEAST;
}

static void end_near_trial(struct mcs_awake *awake, bool better)
{
	if (better) {
		awake->patience = PATIENCE_LEAST;
		awake->blocks_left = 1;
		return;
	}
	awake->blocks_left = awake->patience;
	if (awake->patience < PATIENCE_MOST)
		awake->patience *= 2;
	awake->direction = (int8_t)-awake->direction;
}

static void end_trial(struct mcs_awake *awake)
{
	bool better = is_better(awake), far = awake->level == LEVEL_ALL || awake->back == LEVEL_ALL;
	awake->tries = false;
	if (far)
		end_far_trial(awake, better);
	else
		end_near_trial(awake, better);
	if (better)
		awake->usual = awake->sum;
	set_level(awake, better ? awake->level : awake->back);
	if (awake->level != LEVEL_ALL)
		awake->window_level = awake->level;
}

static void end_block(struct mcs_awake *awake)
{
	if (awake->tries) {
		end_trial(awake);
		return;
	}
	awake->usual = awake->usual ? (awake->usual + awake->sum) / 2 : awake->sum;
	awake->counted = 0;
	awake->sum = 0;
	if ((int32_t)(awake->entries - awake->far_at) >= 0 &&
	    (awake->level == LEVEL_ALL || awake->rested >= RESTED))
		try_level(awake, awake->level == LEVEL_ALL ? awake->window_level : LEVEL_ALL);
	else if (awake->level != LEVEL_ALL && (awake->blocks_left == 0 || --awake->blocks_left == 0))
		try_next(awake);
}

/* Where all are awake, sections are short, and it costs to look at each. Then one entry in SAMPLE counts, and the one
 * before tells when it begins. */
static bool is_settled(const struct mcs_awake *awake)
{
	return awake->level == LEVEL_ALL && awake->all_woken && !awake->tries && awake->usual && !awake->count;
}

static void count_entry(struct mcs_awake *awake, uint64_t arrived)
{
	uint64_t now = arch_clock(), before = awake->entered > arrived ? awake->entered : arrived;
	uint64_t taken = now > before ? now - before : 0, most = awake->usual / BLOCK * OUTLIER;
	bool settled = is_settled(awake), counts = awake->timed || !settled;
	awake->entered = now;
	awake->timed = !settled || !counts;
	if (settled && counts) {
		awake->unseen = SAMPLE;
		awake->entries += SAMPLE;
	}
	if (!counts)
		return;
	if (awake->left_out) {
		awake->left_out -= awake->level != LEVEL_ALL || awake->all_woken;
		return;
	}
	if (awake->level != LEVEL_ALL)
		learn(&awake->rested, wake_is_resting());
	awake->sum += most && taken > most ? most : taken;
	/* A trial is over as soon as it cannot be better any more. */
	if (++awake->counted == BLOCK || (awake->tries && awake->sum > awake->usual))
		end_block(awake);
}

/* Wake the next place that is not known to be awake; false: there is none. */
static bool wake_place(struct mcs_queue *queue, uintptr_t state)
{
	struct mcs_awake *awake = &queue->awake;
	struct mcs_place *last = awake->last ? awake->last : &queue->first;
	/* acquire: the place behind, from mcs_queue_enter. */
	struct mcs_place *next = atomic_load_explicit(&last->next, memory_order_acquire);
	if (!next)
		return false;
	resume_handle_wake(&next->resume_handle, state);
	awake->last = next;
	awake->count++;
	return true;
}

/* Those that came before all were to be awake are suspended; the others stay awake by themselves. */
static void wake_all(struct mcs_queue *queue)
{
	struct mcs_awake *awake = &queue->awake;
	for (unsigned i = 0; i < WOKEN_AT_ONCE && !awake->all_woken; i++)
		awake->all_woken = !wake_place(queue, READY_FOR_SUSPEND);
	/* The more there are, the more does it cost. */
	if (awake->all_woken && !awake->tries)
		awake->far_at += awake->count * awake->far_patience;
}

/* Wake those that have come into the window. */
static void move_window(struct mcs_queue *queue)
{
	struct mcs_awake *awake = &queue->awake;
	uint32_t window = window_of(awake->level);
	while (awake->count < window && wake_place(queue, AWAKE))
		;
	atomic_store_explicit(&awake->room, (int32_t)(window > awake->count ? window - awake->count : 0),
	                      memory_order_relaxed);
}

void awake_enter(struct mcs_queue *queue, struct mcs_place *place, uint64_t arrived,
                 const struct backoff *backoff)
{
	struct mcs_awake *awake = &queue->awake;
	if (awake->unseen) {
		awake->unseen--;
		return;
	}
	if (awake->count)
		awake->count--;
	if (awake->last == place)
		awake->last = NULL;
	if (!awake->level)
		learning_begin(awake);
	awake->entries++;
	count_entry(awake, arrived);
	choose_stages(awake, backoff);
	if (awake->level != LEVEL_ALL)
		move_window(queue);
	else if (!awake->all_woken)
		wake_all(queue);
}
