/*
 * Tasks that wait for descriptors (heddle/blocking.h). Each descriptor has two places, for one task that waits to
 * read and one that waits to write. watch.c takes waits out of their places when the events arrive, and ends them.
 * Each wait is registered with the host anew, and reported once: so a descriptor may be closed and opened again
 * without our knowledge.
 *
 *     a place: EMPTY --finalize--> a wait --take--> EMPTY, and external_wait_end_all()
 *                                  a wait --leave, by the task after its deadline or cancellation--> EMPTY
 *
 * If two processors register the same descriptor at once, the host may know of fewer waits than the places hold; so
 * each looks again after it has registered (watch).
 *
 * | operation | progress                                              | takes effect                          |
 * |-----------|-------------------------------------------------------|---------------------------------------|
 * | finalize  | lock-free: repeats while another processor registers  | at its CAS, and the host's call after |
 * |           | the descriptor's other place                          | it                                    |
 * | take      | wait-free                                             | at its exchange                       |
 * | leave     | wait-free; then may wait for what has taken the wait  | at its CAS                            |
 */
#include "arch/hosted/descriptors.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>

#include "arch/hosted/helpers.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/system_call.h"
#include "arch/hosted/watch.h"
#include "heddle/blocking.h"
#include "sched/switch.h"
#include "sched/wait.h"

#define DESCRIPTORS (1 << 22) /* descriptors with places; the host provides their memory when it is touched */

enum direction { READ, WRITE, DIRECTIONS };

/* The events that are waited for, and those that end the wait. */
static const uint32_t asked[DIRECTIONS] = {EPOLLIN | EPOLLRDHUP, EPOLLOUT};
static const uint32_t told[DIRECTIONS] = {EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR,
                                          EPOLLOUT | EPOLLHUP | EPOLLERR};

typedef _Atomic(struct external_wait *) place;

static place (*places)[DIRECTIONS];

/* EMPTY, a wait -> EMPTY; acquire: the wait, from finalize. */
static struct external_wait *descriptors_take(int descriptor, enum direction direction)
{
	return atomic_exchange_explicit(&places[descriptor][direction], NULL, memory_order_acquire);
}

static uint32_t waited_for(int descriptor)
{
	uint32_t events = 0;
	for (unsigned direction = 0; direction < DIRECTIONS; direction++)
		/* seq_cst: after the host was told of the earlier waits; pairs with the CAS in finalize. */
		if (atomic_load_explicit(&places[descriptor][direction], memory_order_seq_cst))
			events |= asked[direction];
	return events;
}

/* Register with the host the events that the places wait for. Returns its error number below 0. */
static long watch(int descriptor)
{
	uint32_t events = waited_for(descriptor), before;
	long error = 0;
	do {
		before = events;
		if (before)
			error = hosted_watch_tell(descriptor, before);
		events = waited_for(descriptor);
		/* EEXIST: another processor has registered the descriptor first. */
	} while (error == -EEXIST || (!error && (events & ~before)));
	return error;
}

static enum heddle_error outcome_of(long error)
{
	switch (-error) {
	case 0:
	case EPERM: /* epoll does not take such files, which never block */
		return HEDDLE_OK;
	case EBADF:
		return HEDDLE_BAD_ARGUMENT;
	default:
		return HEDDLE_NO_MEMORY;
	}
}

static void gather(struct external_waits *ended, int descriptor, enum direction direction,
                   enum heddle_error outcome)
{
	struct external_wait *wait = descriptors_take(descriptor, direction);
	if (wait)
		external_wait_gather(ended, wait, outcome);
}

/* If the host refuses, the descriptor's waiting tasks are woken to look for themselves. */
static void watch_or_gather(struct external_waits *ended, int descriptor)
{
	long error = watch(descriptor);
	if (error)
		for (unsigned direction = 0; direction < DIRECTIONS; direction++)
			gather(ended, descriptor, direction, outcome_of(error));
}

void hosted_descriptors_notice(struct external_waits *ended, int descriptor, uint32_t events)
{
	for (unsigned direction = 0; direction < DIRECTIONS; direction++)
		if (events & told[direction])
			gather(ended, descriptor, direction, HEDDLE_OK);
	watch_or_gather(ended, descriptor);
}

/* ---------------------------------------------------------------------------------------- begin and end -- */

void hosted_descriptors_forget(void)
{
	hosted_watch_forget();
	if (places)
		munmap(places, DESCRIPTORS * sizeof(*places));
	places = NULL;
}

static bool descriptors_start(void)
{
	if (hosted_watch_runs())
		return true;
	void *memory = mmap(NULL, DESCRIPTORS * sizeof(*places), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	places = memory == MAP_FAILED ? NULL : memory;
	if (places && hosted_watch_start())
		return true;
	hosted_descriptors_forget();
	return false;
}

void hosted_descriptors_end(void)
{
	if (!hosted_watch_runs())
		return;
	hosted_watch_end();
	hosted_descriptors_forget();
}

/* ----------------------------------------------------------------------------------------------- tasks -- */

struct awaiting {
	struct external_wait wait;
	int descriptor;
	enum direction direction;
	bool refused; /* another task already waits for the same */
};

static void finalize(struct task *left, void *argument)
{
	struct awaiting *awaiting = argument;
	int descriptor = awaiting->descriptor;
	uint64_t ticket = external_wait_publish(&awaiting->wait, left);
	struct external_wait *nobody = NULL;
	/* EMPTY -> a wait; release: the wait, pairs with take; seq_cst: before the host is told. From here on the task
	 * may go on elsewhere, and its wait may be gone. */
	if (!atomic_compare_exchange_strong_explicit(&places[descriptor][awaiting->direction], &nobody,
	                                             &awaiting->wait, memory_order_seq_cst,
	                                             memory_order_relaxed)) {
		awaiting->refused = true;
		wait_go_on(left, ticket);
		return;
	}
	struct external_waits ended = {NULL, NULL};
	watch_or_gather(&ended, descriptor);
	external_wait_end_all(&ended);
	wait_arm(left, ticket);
}

/* Whether the wait is this task's alone again: the deadline or a cancellation came first. */
static bool descriptors_leave(struct awaiting *awaiting)
{
	struct external_wait *own = &awaiting->wait;
	/* a wait -> EMPTY */
	return atomic_compare_exchange_strong_explicit(&places[awaiting->descriptor][awaiting->direction], &own,
	                                               NULL, memory_order_relaxed, memory_order_relaxed);
}

/* What the descriptor is ready for at this moment: HEDDLE_OK; HEDDLE_TIMED_OUT: nothing. */
static enum heddle_error descriptors_look(int descriptor, enum direction direction)
{
	struct pollfd ready = {.fd = descriptor, .events = direction == READ ? POLLIN | POLLRDHUP : POLLOUT};
	if (system_call(SYS_poll, (uintptr_t)&ready, 1, 0) <= 0)
		return HEDDLE_TIMED_OUT;
	return ready.revents & POLLNVAL ? HEDDLE_BAD_ARGUMENT : HEDDLE_OK;
}

static enum heddle_error await_by_task(int descriptor, enum direction direction, uint64_t deadline)
{
	static const struct wait_object object = {.kind = "descriptor"};
	struct awaiting awaiting = {.descriptor = descriptor, .direction = direction};
	quantum_check_cooperative(direction == READ ? "heddle_await_readable()" : "heddle_await_writable()");
	if (!hosted_watch_runs() && !hosted_helper_start(descriptors_start))
		return HEDDLE_NO_MEMORY;
	enum heddle_error error = wait_begin(&object, deadline);
	if (error != HEDDLE_OK)
		return error == HEDDLE_TIMED_OUT ? descriptors_look(descriptor, direction) : error;
	switch_away(finalize, &awaiting);
	error = wait_finish();
	if (awaiting.refused)
		return HEDDLE_IN_USE;
	if ((error == HEDDLE_TIMED_OUT || error == HEDDLE_CANCELLED) && !descriptors_leave(&awaiting))
		external_wait_settle(&awaiting.wait);
	/* The host may not have said yet what was there in time. */
	return error == HEDDLE_TIMED_OUT ? descriptors_look(descriptor, direction) : error;
}

/* Milliseconds until the deadline, rounded up. */
static int left_until(uint64_t deadline)
{
	uint64_t now = arch_clock();
	if (deadline == HEDDLE_NO_DEADLINE)
		return -1;
	uint64_t left = deadline > now ? (deadline - now + 999999) / 1000000 : 0;
	return left < INT32_MAX ? (int)left : INT32_MAX;
}

/* Called by a thread of the program. */
__attribute__((noinline)) static enum heddle_error await_by_thread(int descriptor, enum direction direction,
                                                                   uint64_t deadline)
{
	struct pollfd poll_for = {.fd = descriptor, .events = direction == READ ? POLLIN | POLLRDHUP : POLLOUT};
	int count = poll(&poll_for, 1, left_until(deadline));
	if (count < 0)
		return errno == EINTR ? HEDDLE_OK : HEDDLE_NO_MEMORY;
	return count == 0 ? HEDDLE_TIMED_OUT : poll_for.revents & POLLNVAL ? HEDDLE_BAD_ARGUMENT : HEDDLE_OK;
}

static enum heddle_error descriptors_await(int descriptor, enum direction direction, uint64_t deadline)
{
	if (descriptor < 0 || descriptor >= DESCRIPTORS)
		return HEDDLE_BAD_ARGUMENT;
	return hosted_is_processor() ? await_by_task(descriptor, direction, deadline)
	                             : await_by_thread(descriptor, direction, deadline);
}

STACK_ENTRY(heddle_await_readable)
enum heddle_error heddle_await_readable(int descriptor, uint64_t deadline)
{
	return descriptors_await(descriptor, READ, deadline);
}

STACK_ENTRY(heddle_await_writable)
enum heddle_error heddle_await_writable(int descriptor, uint64_t deadline)
{
	return descriptors_await(descriptor, WRITE, deadline);
}
