#include "tools/measure/leveldb/shfllock/lock.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

const unsigned SPINS = 100;       /* looks before a thread yields, or sleeps */
const unsigned BATCH_MOST = 1024; /* places that are moved up before another socket has its turn */

enum status : uint32_t { WAITING, PARKED, GROUPED, FIRST };

unsigned own_socket()
{
	unsigned processor, node;
	return getcpu(&processor, &node) == 0 ? node : 0;
}

void sleep_while(std::atomic<uint32_t> *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nullptr);
}

/* The word may be gone already: Linux only compares addresses. */
void wake(std::atomic<uint32_t> *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
}

/* Look again, or, once that was often enough, yield; false: it was just now. */
bool spin(unsigned *turns)
{
	if (++*turns % SPINS == 0)
		return false;
	__builtin_ia32_pause();
	return true;
}

} // namespace

struct shuffling_mutex::place {
	std::atomic<place *> next{nullptr};
	std::atomic<uint32_t> status{WAITING};
	std::atomic<bool> shuffles{false};
	unsigned socket = own_socket();
	unsigned batch = 0; /* places moved up so far; 0: the shuffler has not come to it */
};

void shuffling_mutex::wait()
{
	place own;
	/* release: the place; acquire: the one before. */
	place *before = tail_.exchange(&own, std::memory_order_acq_rel);
	if (before)
		wait_until_first(&own, before);
	for (unsigned turns = 0; !take();) {
		if (own.batch == 0 || own.shuffles.load(std::memory_order_relaxed))
			shuffle(&own, true);
		if (!spin(&turns))
			sched_yield();
	}
	leave_queue(&own);
}

void shuffling_mutex::wait_until_first(place *own, place *before)
{
	before->next.store(own, std::memory_order_release); /* the place, pairs with the loads of `next` */
	unsigned turns = 0;
	uint32_t status;
	/* acquire: the places behind, as the shufflers before have left them; from leave_queue. */
	while ((status = own->status.load(std::memory_order_acquire)) != FIRST) {
		if (status == PARKED) {
			sleep_while(&own->status, PARKED);
			continue;
		}
		if (own->shuffles.load(std::memory_order_acquire)) /* the same, from shuffle() */
			shuffle(own, false);
		if (spin(&turns))
			continue;
		if (status == WAITING) /* WAITING -> PARKED */
			own->status.compare_exchange_strong(status, PARKED, std::memory_order_relaxed);
		else
			sched_yield();
	}
}

bool shuffling_mutex::must_end(const place *shuffler, bool is_first) const
{
	return is_first ? !held_.load(std::memory_order_relaxed)
	                : shuffler->status.load(std::memory_order_relaxed) == FIRST;
}

/* WAITING, PARKED -> GROUPED: it is awake from now on. FIRST it cannot be, behind one that waits. */
static void group(std::atomic<uint32_t> *status)
{
	if (status->exchange(GROUPED, std::memory_order_relaxed) == PARKED)
		wake(status);
}

void shuffling_mutex::shuffle(place *shuffler, bool is_first)
{
	place *last = shuffler, *before = shuffler; /* of the group; of what comes next */
	unsigned batch = shuffler->batch ? shuffler->batch : ++shuffler->batch;
	shuffler->shuffles.store(false, std::memory_order_relaxed);
	if (batch >= BATCH_MOST)
		return;
	while (!must_end(shuffler, is_first)) {
		place *current = before->next.load(std::memory_order_acquire);
		/* The tail stays where it is: others put themselves behind it. */
		if (!current || current == tail_.load(std::memory_order_relaxed))
			break;
		if (current->socket != shuffler->socket) {
			before = current;
			continue;
		}
		if (before == last) {
			before = current;
		} else {
			place *behind = current->next.load(std::memory_order_acquire);
			if (!behind)
				break;
			before->next.store(behind, std::memory_order_release);
			current->next.store(last->next.load(std::memory_order_relaxed), std::memory_order_release);
			last->next.store(current, std::memory_order_release);
		}
		current->batch = ++batch;
		last = current;
		group(&current->status);
	}
	last->shuffles.store(true, std::memory_order_release); /* the order, pairs with wait_until_first */
}

void shuffling_mutex::leave_queue(place *own)
{
	place *next = own->next.load(std::memory_order_acquire), *expected = own;
	if (!next) {
		if (tail_.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed))
			return;
		for (unsigned turns = 0; !(next = own->next.load(std::memory_order_acquire));)
			if (!spin(&turns))
				sched_yield();
	}
	/* any -> FIRST; release: the order of the places; pairs with wait_until_first. */
	if (next->status.exchange(FIRST, std::memory_order_acq_rel) == PARKED)
		wake(&next->status);
}
