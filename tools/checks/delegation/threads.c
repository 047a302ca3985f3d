/* Delegation locks of threads (heddle/delegation/): what the paper's interface promises, for each kind. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "locks/locks.h"

#define THREADS 8
#define ROUNDS  4000
#define LARGE   3000

#define CHECK(condition)                                                          \
	do {                                                                          \
		if (!(condition)) {                                                       \
			fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
			exit(1);                                                              \
		}                                                                         \
	} while (0)

static OOLock *lock;
static bool has_readers;
static long counter;          /* only under the lock */
static long counted[THREADS]; /* the same, of each thread's sections */
static long last[THREADS];    /* the number of the newest section of each thread */
static int reading;           /* threads that read */

struct note {
	int thread;
	long number;
};

static void section(unsigned size, void *message)
{
	struct note note;
	CHECK(size >= sizeof(note));
	memcpy(&note, message, sizeof(note));
	CHECK(__atomic_load_n(&reading, __ATOMIC_RELAXED) == 0);
	CHECK(note.number == last[note.thread] + 1); /* in the order of delegation */
	last[note.thread] = note.number;
	counter++;
	counted[note.thread]++;
}

/* In pieces, as the paper's enqueue(). */
static void in_pieces(struct note note, unsigned size)
{
	static char large[LARGE];
	char *buffer = LL_delegate_or_lock(lock, size);
	if (!buffer) {
		section(sizeof(note), &note);
		LL_delegate_unlock(lock);
		return;
	}
	memcpy(buffer, large, size);
	memcpy(buffer, &note, sizeof(note));
	LL_close_delegate_buffer(lock, buffer, section);
}

static void large_one(struct note note)
{
	char message[LARGE] = {0};
	memcpy(message, &note, sizeof(note));
	LL_delegate(lock, section, sizeof(message), message);
}

static void *work(void *argument)
{
	int thread = (int)(size_t)argument;
	unsigned random = (unsigned)thread + 1;
	for (long i = 1; i <= ROUNDS; i++) {
		struct note note = {thread, i};
		random = random * 1103515245 + 12345;
		switch (random >> 16 & 7) {
		case 0:
			LL_lock(lock);
			section(sizeof(note), &note);
			LL_unlock(lock);
			break;
		case 1:
			LL_delegate_wait(lock, section, sizeof(note), &note);
			CHECK(__atomic_load_n(&counted[thread], __ATOMIC_RELAXED) == i);
			break;
		case 2:
			in_pieces(note, sizeof(note) + (random >> 8 & 255));
			break;
		case 3:
			if (random & 1 << 24)
				large_one(note);
			else
				LL_delegate(lock, section, sizeof(note), &note);
			LL_rlock(lock);
			__atomic_fetch_add(&reading, has_readers, __ATOMIC_RELAXED);
			for (unsigned j = 0; j < 500; j++)
				CHECK(*(volatile long *)&counted[thread] == i); /* it sees what it has delegated */
			__atomic_fetch_sub(&reading, has_readers, __ATOMIC_RELAXED);
			LL_runlock(lock);
			break;
		case 4:
			if (LL_try_lock(lock)) {
				section(sizeof(note), &note);
				LL_unlock(lock);
				break;
			}
			/* fall through */
		default:
			LL_delegate(lock, section, sizeof(note), &note);
		}
	}
	return NULL;
}

static void everything(void)
{
	pthread_t threads[THREADS];
	for (size_t i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	LL_lock(lock);
	CHECK(counter == THREADS * ROUNDS);
	LL_unlock(lock);
	CHECK(!LL_is_locked(lock));
}

/* ------------------------------------------------------------------------------------------------ inside -- */

static int order[1000], orders;

/* Some delegate another one, which comes after all those that were delegated before. */
static void record(unsigned size, void *message)
{
	int number;
	CHECK(size == sizeof(number));
	memcpy(&number, message, sizeof(number));
	order[orders++] = number;
	number += 500 - number % 100 + number / 100;
	if (order[orders - 1] % 100 == 50 && orders <= 500)
		LL_delegate(lock, record, sizeof(number), &number);
}

/* Delegates more than the queue holds, and one that it awaits. */
static void outer(unsigned size, void *message)
{
	int at_once = 1;
	record(size, message);
	for (int i = 2; i < 500; i++)
		LL_delegate(lock, record, sizeof(i), &i);
	LL_delegate_wait(lock, record, sizeof(at_once), &at_once);
	CHECK(orders == 2);
}

static void inside(void)
{
	int first = 0;
	LL_delegate(lock, outer, sizeof(first), &first);
	LL_rlock(lock);
	CHECK(orders == 505);
	for (int i = 0; i < 500; i++)
		CHECK(order[i] == i);
	for (int i = 501; i < 505; i++)
		CHECK(order[i] > order[i - 1]);
	LL_runlock(lock);
}

/* ----------------------------------------------------------------------------------------------- waiting -- */

#define LONG 3000 /* microseconds, in which a thread that waits falls asleep */

static pthread_barrier_t both;
static int arrived; /* the other thread has what it waited for */

static void arrive(void)
{
	__atomic_store_n(&arrived, 1, __ATOMIC_RELAXED);
}

static void pass(unsigned size, void *message)
{
	(void)size, (void)message;
}

static void *await_section(void *unused)
{
	pthread_barrier_wait(&both);
	LL_delegate_wait(lock, pass, 0, NULL);
	arrive();
	return unused;
}

static void *await_lock(void *unused)
{
	pthread_barrier_wait(&both);
	LL_lock(lock);
	arrive();
	LL_unlock(lock);
	return unused;
}

static void *await_to_read(void *unused)
{
	pthread_barrier_wait(&both);
	LL_rlock(lock);
	arrive();
	LL_runlock(lock);
	return unused;
}

/* This thread opens a buffer while main() holds the lock. main() then waits for it. */
static void *close_late(void *unused)
{
	void *buffer = LL_delegate_or_lock(lock, 0);
	pthread_barrier_wait(&both);
	usleep(LONG);
	CHECK(buffer);
	LL_close_delegate_buffer(lock, buffer, pass);
	return unused;
}

static void *read_long(void *unused)
{
	LL_rlock(lock);
	__atomic_fetch_add(&reading, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	usleep(LONG);
	__atomic_fetch_sub(&reading, 1, __ATOMIC_RELAXED);
	LL_runlock(lock);
	return unused;
}

/* Each sleeps while it waits, and is woken. */
static void waits(bool has_queue)
{
	void *(*const while_held[])(void *) = {await_section, await_lock, await_to_read};
	pthread_t thread;
	for (unsigned i = 0; i < 3; i++) {
		LL_lock(lock);
		arrived = 0;
		pthread_create(&thread, NULL, while_held[i], NULL);
		pthread_barrier_wait(&both);
		usleep(LONG);
		CHECK(!__atomic_load_n(&arrived, __ATOMIC_RELAXED));
		LL_unlock(lock);
		pthread_join(thread, NULL);
		CHECK(arrived);
	}
	if (has_queue) {
		LL_lock(lock);
		pthread_create(&thread, NULL, close_late, NULL);
		pthread_barrier_wait(&both);
		LL_unlock(lock);
		pthread_join(thread, NULL);
	}
	pthread_create(&thread, NULL, read_long, NULL);
	pthread_barrier_wait(&both);
	CHECK(!LL_try_lock(lock));
	pthread_barrier_wait(&both);
	LL_lock(lock);
	CHECK(__atomic_load_n(&reading, __ATOMIC_RELAXED) == 0);
	LL_unlock(lock);
	pthread_join(thread, NULL);
}

/* Two read together: each waits inside for the other. */
static void *read_together(void *unused)
{
	LL_rlock(lock);
	pthread_barrier_wait(&both);
	LL_runlock(lock);
	return unused;
}

static void readers(void)
{
	pthread_t thread;
	if (!has_readers)
		return;
	pthread_create(&thread, NULL, read_together, NULL);
	read_together(NULL);
	pthread_join(thread, NULL);
}

/* ------------------------------------------------------------------------------------------------ misuse -- */

static void leave_open(unsigned size, void *message)
{
	(void)size, (void)message;
	for (int i = 0; i < 100; i++)
		LL_delegate_or_lock(lock, 2000);
}

static void misuse(const char *how)
{
	static QDLock inside_of_program;
	int message = 0;
	if (strcmp(how, "relock") == 0) {
		LL_lock(lock);
		LL_lock(lock);
	} else if (strcmp(how, "unlock") == 0) {
		LL_unlock(lock);
	} else if (strcmp(how, "kind") == 0) {
		LL_create(CCSYNCH_LOCK);
	} else if (strcmp(how, "free") == 0) {
		LL_initialize(&inside_of_program);
		LL_free(&inside_of_program);
	} else if (strcmp(how, "destroy") == 0) {
		LL_lock(lock);
		LL_destroy(lock);
	} else if (strcmp(how, "held-buffer") == 0) {
		LL_lock(lock);
		LL_delegate_or_lock(lock, sizeof(message));
		LL_unlock(lock);
	} else if (strcmp(how, "buffer") == 0) {
		LL_delegate(lock, leave_open, sizeof(message), &message);
	}
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		LL_lock_type_name kind;
	} kinds[] = {{"tatas", TATAS_LOCK}, {"qd", QD_LOCK}, {"mrqd", MRQD_LOCK}};
	CHECK(count >= 2);
	for (unsigned i = 0; i < 3; i++)
		if (strcmp(words[1], kinds[i].name) == 0)
			lock = LL_create(kinds[i].kind);
	CHECK(lock);
	has_readers = strcmp(words[1], "mrqd") == 0;
	if (count == 3) {
		misuse(words[2]);
		return 0;
	}
	bool has_queue = strcmp(words[1], "tatas") != 0;
	alarm(60);
	pthread_barrier_init(&both, NULL, 2);
	everything();
	inside();
	waits(has_queue);
	readers();
	LL_free(lock);
	puts("done");
	return 0;
}
