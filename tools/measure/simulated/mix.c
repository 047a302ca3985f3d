#include "mix.h"

#include <stddef.h>

#ifdef COUNTED
#	define mix_run mix_run_counted
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

static struct item items[ITEMS];
static struct queue queues[QUEUES];
static uint32_t levels;

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

uint64_t mix_run(uint64_t rounds)
{
	uint64_t sum = 0;
	levels = 0;
	for (unsigned i = 0; i < QUEUES; i++)
		queues[i] = (struct queue){.end = &queues[i].first};
	for (unsigned i = 0; i < ITEMS; i++) {
		items[i] = (struct item){.level = 2};
		become_ready(&items[i]);
	}
	for (uint64_t i = 0; i < rounds; i++) {
		struct item *item = choose();
		item->state = 2;
		sum += ++item->turns;
		become_ready(item);
	}
	return sum;
}
