#include "mix.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef COUNTED
#	define NAME(name) name##_counted
#else
#	define NAME(name) name
#endif

#define ITEMS  64
#define QUEUES 8

struct item {
	struct item *next;
	uint64_t state;
	uint32_t level, turns;
};

struct queue {
	struct item *first, **end;
	uint64_t count;
};

/* Of each thread, so that two do not disturb each other. */
static _Thread_local struct item items[ITEMS];
static _Thread_local struct queue queues[QUEUES];
static _Thread_local uint32_t levels;
static _Thread_local _Atomic uint64_t lock;

__attribute__((noinline)) static void put(struct queue *queue, struct item *item)
{
	item->next = NULL;
	*queue->end = item;
	queue->end = &item->next;
	queue->count++;
}

__attribute__((noinline)) static struct item *take(struct queue *queue)
{
	struct item *item = queue->first;
	if (!item)
		return NULL;
	queue->first = item->next;
	if (!queue->first)
		queue->end = &queue->first;
	queue->count--;
	return item;
}

__attribute__((noinline)) static struct item *choose(void)
{
	for (uint32_t left = levels; left;) {
		unsigned level = 31 - (unsigned)__builtin_clz(left);
		struct item *item = take(&queues[level]);
		if (item)
			return item;
		levels &= ~(1u << level);
		left &= ~(1u << level);
	}
	return NULL;
}

__attribute__((noinline)) static void become_ready(struct item *item)
{
	if (item->state != 1)
		item->state = 1;
	levels |= 1u << item->level;
	put(&queues[item->level], item);
}

static void start(void)
{
	levels = 0;
	for (unsigned i = 0; i < QUEUES; i++)
		queues[i] = (struct queue){.end = &queues[i].first};
	for (unsigned i = 0; i < ITEMS; i++) {
		items[i] = (struct item){.level = 2};
		become_ready(&items[i]);
	}
}

static inline __attribute__((always_inline)) uint64_t run(uint64_t rounds, bool locks)
{
	uint64_t sum = 0, free;
	start();
	for (uint64_t i = 0; i < rounds; i++) {
		struct item *item = choose();
		item->state = 2;
		sum += ++item->turns;
		free = 0;
		if (locks && !atomic_compare_exchange_strong(&lock, &free, (uintptr_t)item))
			return 0;
		become_ready(item);
		if (locks)
			atomic_exchange(&lock, 0);
	}
	return sum;
}

uint64_t NAME(mix_run)(uint64_t rounds)
{
	return run(rounds, false);
}

uint64_t NAME(mix_locked)(uint64_t rounds)
{
	return run(rounds, true);
}

#define NUMBERS 256

static uint32_t random_next(uint32_t *state)
{
	*state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
	return *state >> 8;
}

static void sink(uint32_t *heap, uint32_t place, uint32_t count)
{
	uint32_t number = heap[place];
	for (uint32_t below; (below = 2 * place + 1) < count; place = below) {
		if (below + 1 < count && heap[below + 1] > heap[below])
			below++;
		if (heap[below] <= number)
			break;
		heap[place] = heap[below];
	}
	heap[place] = number;
}

/* A round takes the largest number, and puts another one in its place. */
uint64_t NAME(mix_sort)(uint64_t rounds)
{
	uint32_t heap[NUMBERS], state = 1;
	uint64_t sum = 0;
	for (uint32_t i = 0; i < NUMBERS; i++)
		heap[i] = random_next(&state);
	for (uint32_t i = NUMBERS / 2; i-- > 0;)
		sink(heap, i, NUMBERS);
	for (uint64_t i = 0; i < rounds; i++) {
		sum += heap[0];
		heap[0] = random_next(&state);
		sink(heap, 0, NUMBERS);
	}
	return sum;
}

#define WORDS 64
#define TABLE 256

static const char *const beginnings[] = {"task", "lock",   "processor", "queue",
                                         "wait", "switch", "memory",    "line"};

static uint32_t hash(const char *word)
{
	uint32_t value = 2166136261;
	for (; *word; word++)
		value = (value ^ (uint8_t)*word) * 16777619;
	return value;
}

static bool is_same(const char *one, const char *other)
{
	for (; *one == *other; one++, other++)
		if (!*one)
			return true;
	return false;
}

static void spell(char *word, uint32_t number)
{
	const char *from = beginnings[number % 8];
	while (*from)
		*word++ = *from++;
	for (number /= 8; number > 0; number /= 2)
		*word++ = (char)('0' + number % 2);
	*word = 0;
}

/* A round spells a word, and counts it in its place. */
uint64_t NAME(mix_text)(uint64_t rounds)
{
	struct place {
		char word[24];
		uint64_t count;
	} table[TABLE];
	uint32_t state = 1;
	uint64_t sum = 0;
	for (uint32_t i = 0; i < TABLE; i++)
		table[i].word[0] = 0;
	for (uint64_t i = 0; i < rounds; i++) {
		char word[24];
		spell(word, random_next(&state) % WORDS);
		uint32_t at = hash(word) % TABLE;
		while (table[at].word[0] && !is_same(table[at].word, word))
			at = (at + 1) % TABLE;
		if (!table[at].word[0]) {
			for (uint32_t j = 0; j < sizeof(word); j++)
				table[at].word[j] = word[j];
			table[at].count = 0;
		}
		sum += ++table[at].count;
	}
	return sum;
}

/* A large prime, which the compiler must not know. */
static volatile uint32_t prime = 999983;
#define DIVISORS_END 1000

uint64_t NAME(mix_divide4)(uint64_t rounds)
{
	uint32_t number = prime, divisor = 3, sum = 0;
	for (uint64_t i = 0; i < rounds; i++) {
		sum += number % divisor + number % (divisor + 2) + number % (divisor + 4) + number % (divisor + 6);
		divisor = divisor < DIVISORS_END ? divisor + 8 : 3;
	}
	return sum;
}

uint64_t NAME(mix_divide8)(uint64_t rounds)
{
	uint64_t number = (uint64_t)prime << 32, divisor = 3, sum = 0;
	for (uint64_t i = 0; i < rounds; i++) {
		sum += number % divisor + number % (divisor + 2) + number % (divisor + 4) + number % (divisor + 6);
		divisor = divisor < DIVISORS_END ? divisor + 8 : 3;
	}
	return sum;
}
