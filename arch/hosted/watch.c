#include "arch/hosted/watch.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "arch/hosted/descriptors.h"
#include "arch/hosted/helpers.h"
#include "arch/hosted/system_call.h"

#define EVENTS      256               /* at once */
#define MILLISECOND UINT64_C(1000000) /* nanoseconds; the shortest sleep */
#define PERIOD      UINT64_C(5000)    /* nanoseconds between looks of busy processors, and */
#define PATIENCE    (5 * MILLISECOND) /* after this time without a look the deputy looks */
#define NONE        NULL

static int set = -1, alarm_clock = -1; /* the epoll, and an eventfd in it, which wakes the watcher */
static _Atomic bool runs;
static _Atomic(struct arch_processor *) watcher;
static _Atomic uint64_t looked; /* when the set was last looked at */

static pthread_t deputy;
static _Atomic uint32_t deputy_sleeps; /* a futex */
static _Atomic bool ends;

bool hosted_watch_runs(void)
{
	/* acquire: the set; pairs with hosted_watch_start. */
	return atomic_load_explicit(&runs, memory_order_acquire);
}

long hosted_watch_tell(int descriptor, uint32_t events)
{
	struct epoll_event event = {.events = events | EPOLLONESHOT, .data.fd = descriptor};
	uintptr_t told = (uintptr_t)descriptor, address = (uintptr_t)&event;
	long error = system_call(SYS_epoll_ctl, (uintptr_t)set, EPOLL_CTL_MOD, told, address);
	if (error == -ENOENT)
		error = system_call(SYS_epoll_ctl, (uintptr_t)set, EPOLL_CTL_ADD, told, address);
	return error;
}

static void ring(void)
{
	uint64_t one = 1;
	system_call(SYS_write, (uintptr_t)alarm_clock, (uintptr_t)&one, sizeof(one));
}

static void silence(void)
{
	uint64_t count;
	system_call(SYS_read, (uintptr_t)alarm_clock, (uintptr_t)&count, sizeof(count));
}

/* Wait up to that many milliseconds for events: returns the waits that are over. */
static struct external_waits watch_collect(uint64_t milliseconds)
{
	struct epoll_event events[EVENTS];
	struct external_waits ended = {NULL, NULL};
	long count = system_call(SYS_epoll_wait, (uintptr_t)set, (uintptr_t)events, EVENTS, milliseconds);
	atomic_store_explicit(&looked, arch_clock(), memory_order_relaxed);
	for (long i = 0; i < count; i++) {
		if (events[i].data.fd == alarm_clock)
			silence();
		else
			hosted_descriptors_notice(&ended, events[i].data.fd, events[i].events);
	}
	return ended;
}

/* Called by a processor, which accepts them before it rests again. */
static void collect_here(uint64_t milliseconds)
{
	struct external_waits ended = watch_collect(milliseconds);
	external_wait_end_here(&ended);
}

/* Called by processors that look for work. */
static void watch_look(void *unused)
{
	(void)unused;
	if (atomic_load_explicit(&watcher, memory_order_relaxed) == NONE &&
	    arch_clock() - atomic_load_explicit(&looked, memory_order_relaxed) > PERIOD)
		collect_here(0);
}

/* ------------------------------------------------------------------------------------------- the watcher -- */

static void call_deputy(void)
{
	/* seq_cst: after the watcher has left; pairs with the store in sleep_while_watched. */
	if (atomic_load_explicit(&deputy_sleeps, memory_order_seq_cst) &&
	    atomic_exchange_explicit(&deputy_sleeps, 0, memory_order_seq_cst))
		system_call(SYS_futex, (uintptr_t)&deputy_sleeps, FUTEX_WAKE_PRIVATE, 1);
}

bool hosted_watch_sleep(struct arch_processor *host, uint64_t nanoseconds)
{
	struct arch_processor *none = NONE;
	if (!hosted_watch_runs() || nanoseconds < MILLISECOND)
		return false;
	/* NONE -> this processor; seq_cst: before its word is read; pairs with the load in hosted_watch_wake. */
	if (!atomic_compare_exchange_strong_explicit(&watcher, &none, host, memory_order_seq_cst,
	                                             memory_order_relaxed))
		return false;
	uint64_t milliseconds = nanoseconds / MILLISECOND;
	if (atomic_load_explicit(&host->wake, memory_order_seq_cst) == 0)
		collect_here(milliseconds < INT32_MAX ? milliseconds : (uint64_t)-1);
	/* seq_cst: before the deputy's word is read. */
	atomic_store_explicit(&watcher, NONE, memory_order_seq_cst);
	call_deputy();
	return true;
}

bool hosted_watch_wake(struct arch_processor *host)
{
	/* seq_cst: after its word was set; pairs with the CAS in hosted_watch_sleep. */
	if (atomic_load_explicit(&watcher, memory_order_seq_cst) != host)
		return false;
	ring();
	return true;
}

/* -------------------------------------------------------------------------------------------- the deputy -- */

/* The deputy sleeps here even while no task waits for anything. */
static void sleep_while_watched(void)
{
	/* seq_cst: before the watcher is read; pairs with call_deputy. */
	atomic_store_explicit(&deputy_sleeps, 1, memory_order_seq_cst);
	while (atomic_load_explicit(&watcher, memory_order_seq_cst) != NONE &&
	       atomic_load_explicit(&deputy_sleeps, memory_order_seq_cst) && !ends)
		system_call(SYS_futex, (uintptr_t)&deputy_sleeps, FUTEX_WAIT_PRIVATE, 1, 0);
	atomic_store_explicit(&deputy_sleeps, 0, memory_order_relaxed);
}

static void *stand_in(void *unused)
{
	static const struct timespec patience = {.tv_nsec = PATIENCE};
	while (!ends) {
		sleep_while_watched();
		nanosleep(&patience, NULL);
		if (atomic_load_explicit(&watcher, memory_order_relaxed) == NONE &&
		    arch_clock() - atomic_load_explicit(&looked, memory_order_relaxed) > PATIENCE) {
			struct external_waits ended = watch_collect(0);
			external_wait_end_all(&ended);
		}
	}
	return unused;
}

/* ---------------------------------------------------------------------------------------- begin and end -- */

void hosted_watch_forget(void)
{
	runs = ends = false;
	if (set >= 0)
		close(set);
	if (alarm_clock >= 0)
		close(alarm_clock);
	set = alarm_clock = -1;
	watcher = NONE;
	deputy_sleeps = 0;
}

bool hosted_watch_start(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	set = epoll_create1(EPOLL_CLOEXEC);
	event.data.fd = alarm_clock = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (set < 0 || alarm_clock < 0 || epoll_ctl(set, EPOLL_CTL_ADD, alarm_clock, &event) != 0 ||
	    !hosted_helper_create(&deputy, stand_in)) {
		hosted_watch_forget();
		return false;
	}
	injection_open(); /* from now on, no task being ready is no deadlock */
	injection_ask(watch_look);
	/* release: the set; pairs with hosted_watch_runs. */
	atomic_store_explicit(&runs, true, memory_order_release);
	return true;
}

void hosted_watch_end(void)
{
	ends = true;
	deputy_sleeps = 0;
	system_call(SYS_futex, (uintptr_t)&deputy_sleeps, FUTEX_WAKE_PRIVATE, 1);
	pthread_join(deputy, NULL);
	hosted_watch_forget();
}
