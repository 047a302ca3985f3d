/*
 * Reader-writer locks and locks that spin, locked in all ways.
 */
#include "storm.h"

#define LOCKS 4
#define SPINS 3

static struct {
	pthread_rwlock_t lock;
	_Atomic int readers; /* -1: a writer */
	uint64_t entries;
	_Atomic uint64_t entered;
} locks[LOCKS];

static struct {
	pthread_spinlock_t lock;
	uint64_t entries;
	_Atomic uint64_t entered;
} spins[SPINS];

static void prepare(void)
{
	for (unsigned i = 0; i < LOCKS; i++)
		CHECK(pthread_rwlock_init(&locks[i].lock, NULL) == 0);
	for (unsigned i = 0; i < SPINS; i++)
		CHECK(pthread_spin_init(&spins[i].lock, PTHREAD_PROCESS_PRIVATE) == 0);
}

static bool read_lock(struct self *self, pthread_rwlock_t *lock)
{
	clockid_t clock = any_clock(self);
	struct timespec time;
	switch (draw(self, storm.clocks ? 5 : 4)) {
	case 0:
		return GIVES(self, pthread_rwlock_tryrdlock(lock), 0, EBUSY) == 0;
	case 1:
		time = soon(self, CLOCK_REALTIME);
		return GIVES(self, pthread_rwlock_timedrdlock(lock, &time), 0, ETIMEDOUT) == 0;
	case 4:
		time = soon(self, clock);
		return GIVES(self, pthread_rwlock_clockrdlock(lock, clock, &time), 0, ETIMEDOUT) == 0;
	default:
		return OK(self, pthread_rwlock_rdlock(lock)) == 0;
	}
}

static bool write_lock(struct self *self, pthread_rwlock_t *lock)
{
	clockid_t clock = any_clock(self);
	struct timespec time;
	switch (draw(self, storm.clocks ? 5 : 4)) {
	case 0:
		return GIVES(self, pthread_rwlock_trywrlock(lock), 0, EBUSY) == 0;
	case 1:
		time = soon(self, CLOCK_REALTIME);
		return GIVES(self, pthread_rwlock_timedwrlock(lock, &time), 0, ETIMEDOUT) == 0;
	case 4:
		time = soon(self, clock);
		return GIVES(self, pthread_rwlock_clockwrlock(lock, clock, &time), 0, ETIMEDOUT) == 0;
	default:
		return OK(self, pthread_rwlock_wrlock(lock)) == 0;
	}
}

static void read_in(struct self *self, unsigned which)
{
	pthread_rwlock_t *lock = &locks[which].lock;
	if (!read_lock(self, lock))
		return;
	CHECK(atomic_fetch_add_explicit(&locks[which].readers, 1, memory_order_relaxed) >= 0);
	uint64_t entries = locks[which].entries;
	dawdle(self);
	if (draw(self, 4) == 0) {
		GIVES(self, pthread_rwlock_trywrlock(lock), EBUSY);
		if (GIVES(self, pthread_rwlock_tryrdlock(lock), 0, EBUSY) == 0)
			OK(self, pthread_rwlock_unlock(lock));
	}
	CHECK(locks[which].entries == entries);
	CHECK(atomic_fetch_sub_explicit(&locks[which].readers, 1, memory_order_relaxed) > 0);
	OK(self, pthread_rwlock_unlock(lock));
}

static void write_in(struct self *self, unsigned which)
{
	pthread_rwlock_t *lock = &locks[which].lock;
	if (!write_lock(self, lock))
		return;
	CHECK(atomic_exchange_explicit(&locks[which].readers, -1, memory_order_relaxed) == 0);
	locks[which].entries++;
	atomic_fetch_add_explicit(&locks[which].entered, 1, memory_order_relaxed);
	dawdle(self);
	if (draw(self, 4) == 0) {
		GIVES(self, draw(self, 2) ? pthread_rwlock_tryrdlock(lock) : pthread_rwlock_trywrlock(lock), EBUSY);
		GIVES(self, draw(self, 2) ? pthread_rwlock_rdlock(lock) : pthread_rwlock_wrlock(lock), EDEADLK);
	}
	CHECK(atomic_exchange_explicit(&locks[which].readers, 0, memory_order_relaxed) == -1);
	OK(self, pthread_rwlock_unlock(lock));
}

/* What is inside is short: with the host's threads others spin meanwhile. */
static void spin(struct self *self, unsigned which)
{
	if (draw(self, 2))
		OK(self, pthread_spin_lock(&spins[which].lock));
	else if (GIVES(self, pthread_spin_trylock(&spins[which].lock), 0, EBUSY) != 0)
		return;
	spins[which].entries++;
	OK(self, pthread_spin_unlock(&spins[which].lock));
	atomic_fetch_add_explicit(&spins[which].entered, 1, memory_order_relaxed);
}

static void turn(struct self *self)
{
	switch (draw(self, 4)) {
	case 0:
		spin(self, draw(self, SPINS));
		break;
	case 1:
		write_in(self, draw(self, LOCKS));
		break;
	default:
		read_in(self, draw(self, LOCKS));
	}
}

static void finish(void)
{
	for (unsigned i = 0; i < LOCKS; i++) {
		CHECK(locks[i].entries == atomic_load(&locks[i].entered));
		CHECK(pthread_rwlock_destroy(&locks[i].lock) == 0);
	}
	for (unsigned i = 0; i < SPINS; i++) {
		CHECK(spins[i].entries == atomic_load(&spins[i].entered));
		CHECK(pthread_spin_destroy(&spins[i].lock) == 0);
	}
}

const struct kind kind_locks = {
    .name = "locks", .weight = 15, .prepare = prepare, .turn = turn, .finish = finish};
