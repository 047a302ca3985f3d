/*
 * Ordinary C, not written for tasks.
 */
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cases.h"

#define NUMBERS 40

/* -------------------------------------------------------------------------- what a thread has only once -- */

static bool keeps_error(unsigned number)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		bool odd = (number + round) % 2;
		if (odd)
			close(-1);
		else
			strtol("999999999999999999999", NULL, 10);
		linger(number);
		if (errno != (odd ? EBADF : ERANGE))
			return false;
		errno = (int)(1000 + number);
		linger(number);
		if (errno != (int)(1000 + number))
			return false;
	}
	return true;
}

static volatile double one = 1, three = 3, zero = 0;
static volatile long double largest = LDBL_MAX;

static bool keeps_rounding(unsigned number)
{
	static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
	const int mode = modes[number % 4];
	fesetround(mode);
	linger(number);
	double above = one / three, below = -one / three;
	return fegetround() == mode && (above > 0x1.5555555555555p-2) == (mode == FE_UPWARD) &&
	       (below < -0x1.5555555555555p-2) == (mode == FE_DOWNWARD);
}

static bool keeps_reports(unsigned number)
{
	volatile double quotient;
	volatile long double product;
	feclearexcept(FE_ALL_EXCEPT);
	if (number % 2)
		quotient = one / zero;
	if (number % 3 == 0)
		product = largest * 2;
	linger(number);
	(void)quotient, (void)product;
	return !fetestexcept(FE_DIVBYZERO) == !(number % 2) && !fetestexcept(FE_OVERFLOW) == !(number % 3 == 0);
}

/* ---------------------------------------------------------------------------------------------- locks -- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static volatile unsigned counted, turn, inside;

static bool locks(unsigned number)
{
	bool alone = true;
	for (unsigned round = 0; round < ROUNDS; round++) {
		pthread_mutex_lock(&mutex);
		unsigned before = counted;
		linger(number);
		alone &= counted == before;
		counted = before + 1;
		pthread_mutex_unlock(&mutex);
	}
	while (pthread_mutex_trylock(&mutex) != 0)
		;
	alone &= counted >= ROUNDS;
	pthread_mutex_unlock(&mutex);
	return alone;
}

static bool reads_and_writes(unsigned number)
{
	bool right = true;
	for (unsigned round = 0; round < ROUNDS; round++) {
		pthread_rwlock_rdlock(&shared);
		linger(number);
		right &= !inside;
		pthread_rwlock_unlock(&shared);
		pthread_rwlock_wrlock(&shared);
		inside = true;
		linger(number);
		inside = false;
		pthread_rwlock_unlock(&shared);
	}
	return right;
}

/* Each waits for its turn, the last one first. */
static bool waits(unsigned number)
{
	unsigned mine = TASKS - 1 - number;
	pthread_mutex_lock(&mutex);
#ifndef WITHOUT_HEDDLE
	while (turn != mine)
		pthread_cond_wait(&changed, &mutex);
#endif
	turn = mine + 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	linger(number);
	return turn >= mine + 1;
}

/* -------------------------------------------------------------------------------------------- call backs -- */

typedef int (*comparison)(const void *, const void *);

static int compare(const void *left, const void *right)
{
	unsigned one = *(const unsigned *)left, other = *(const unsigned *)right;
	linger(one);
	return (one > other) - (one < other);
}

static int compare_backwards(const void *left, const void *right)
{
	return compare(right, left);
}

static const volatile comparison comparisons[] = {compare, compare_backwards};

static void numbers_make(unsigned *numbers, unsigned seed)
{
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = (i * 17 + seed) % NUMBERS;
}

static bool sorts(unsigned number)
{
	unsigned numbers[NUMBERS], last = NUMBERS - 1;
	comparison chosen = comparisons[number % 2];
	numbers_make(numbers, number);
	qsort(numbers, NUMBERS, sizeof(numbers[0]), chosen);
	linger(number);
	for (unsigned i = 0; i < NUMBERS; i++)
		if (numbers[i] != (number % 2 ? last - i : i))
			return false;
	unsigned wanted = number, *found = bsearch(&wanted, numbers, NUMBERS, sizeof(wanted), chosen);
	return found && *found == number;
}

struct jumps {
	jmp_buf place;
	unsigned left;
};

static struct jumps *jumping; /* under the mutex */

static int jump_out(const void *left, const void *right)
{
	if (jumping->left-- == 0)
		longjmp(jumping->place, 1);
	return compare(left, right);
}

/* Returns whether it left as it should. */
static bool sort_and_leave(struct jumps *jumps)
{
	unsigned numbers[NUMBERS];
	comparison chosen = jump_out;
	numbers_make(numbers, 0);
	pthread_mutex_lock(&mutex);
	jumping = jumps;
	if (!setjmp(jumps->place)) {
		qsort(numbers, NUMBERS, sizeof(numbers[0]), chosen);
		pthread_mutex_unlock(&mutex);
		return false;
	}
	pthread_mutex_unlock(&mutex);
	return true;
}

static bool jumps_out(unsigned number)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct jumps jumps = {.left = number};
		if (!sort_and_leave(&jumps))
			return false;
		linger(number); /* the task would stay here if it still counted as inside a callback */
	}
	return true;
}

static bool calls_inner(unsigned number)
{
	unsigned numbers[NUMBERS], calls = 0;
	int compare_and_count(const void *left, const void *right)
	{
		calls++;
		return compare(left, right);
	}
	comparison chosen = compare_and_count;
	numbers_make(numbers, number);
	qsort(numbers, NUMBERS, sizeof(numbers[0]), chosen);
	linger(number);
	return calls >= NUMBERS - 1 && numbers[0] == 0 && chosen(&numbers[1], &numbers[0]) == 1;
}

/* ----------------------------------------------------------------------------------------------- signals -- */

static volatile unsigned handled;
static sigjmp_buf *signalled; /* under the mutex */

static void on_signal(int signal)
{
	linger((unsigned)signal);
	handled++;
	if (signalled)
		siglongjmp(*signalled, 1);
}

static void on_simple_signal(int signal)
{
	linger((unsigned)signal);
	handled += 10;
}

static bool handles(unsigned number)
{
	struct sigaction action = {.sa_handler = on_signal}, old;
	const pthread_t self = pthread_self();
	linger(number); /* the task may go on in another of the host's threads */
	pthread_mutex_lock(&mutex);
	handled = 0;
	sigaction(SIGSYS, &action, NULL);
	signal(SIGTRAP, on_simple_signal);
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGUSR2, on_simple_signal);
	raise(SIGSYS);
	raise(SIGTRAP);
	bool right = handled == 11;
	raise(SIGUSR1); /* processors block these */
	raise(SIGUSR2);
	right = right && handled == 22;
	pthread_kill(self, SIGUSR1);
	sigaction(SIGSYS, NULL, &old);
	right = right && handled == 23 && pthread_kill(self, 0) == 0 && old.sa_handler == on_signal;
	pthread_mutex_unlock(&mutex);
	linger(number);
	return right;
}

static bool leaves_handlers(unsigned number)
{
	volatile bool left = false;
	sigjmp_buf place;
	pthread_mutex_lock(&mutex);
	signalled = &place;
	if (!sigsetjmp(place, true))
		raise(number % 2 ? SIGSYS : SIGUSR1);
	else
		left = true;
	signalled = NULL;
	pthread_mutex_unlock(&mutex);
	linger(number);
	return left;
}

static bool blocks_signals(unsigned number)
{
	int own = number % 2 ? SIGUSR1 : SIGUSR2, found = 0;
	sigset_t set, before, pending;
	sigemptyset(&set);
	sigaddset(&set, own);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	raise(own);
	linger(number);
	sigpending(&pending);
	bool right = sigismember(&before, own) == 0 && sigismember(&pending, own) == 1;
	sigwait(&set, &found);
	sigpending(&pending);
	right = right && found == own && sigismember(&pending, own) == 0;
	pthread_mutex_lock(&mutex);
	handled = 0;
	signal(own, on_simple_signal);
	raise(own);
	pthread_kill(pthread_self(), own); /* once is enough */
	right = right && handled == 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	right = right && handled == 10;
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(own);
	right = right && handled == 10 && sigsuspend(&before) == -1 && handled == 20;
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pthread_mutex_unlock(&mutex);
	linger(number);
	return right;
}

static void at_exit(void)
{
	linger(0);
	printf("at exit\n");
}

int main(int count, char **arguments)
{
	static const struct test_case cases[] = {{"errno", keeps_error, MEETS},
	                                         {"rounding", keeps_rounding, MEETS},
	                                         {"reports of arithmetic", keeps_reports, MEETS},
	                                         {"mutex", locks, STAYS},
	                                         {"reader-writer lock", reads_and_writes, STAYS},
	                                         {"condition", waits, STAYS},
	                                         {"qsort and bsearch", sorts, MEETS},
	                                         {"longjmp out of qsort", jumps_out, MEETS},
	                                         {"inner functions", calls_inner, MEETS},
	                                         {"signals", handles, MEETS},
	                                         {"siglongjmp out of a handler", leaves_handlers, MEETS},
	                                         {"blocked signals", blocks_signals, MEETS},
	                                         {0}};
	atexit(at_exit);
	return cases_main(cases, count, arguments);
}
