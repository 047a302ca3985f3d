#include "arch/simulated/machine/order.h"

#include "arch/simulated/machine/virtual_processor.h"

#define INDEX_BITS 10 /* of a key, below the time */
#define ABSENT     0  /* the heap begins at place 1 */

_Static_assert(PROCESSORS_MAXIMUM <= 1 << INDEX_BITS, "an index fits below the time");

static uint64_t heap[PROCESSORS_MAXIMUM + 1];
static unsigned length;
static uint16_t places[PROCESSORS_MAXIMUM]; /* of each processor in the heap */

static unsigned index_of(uint64_t key)
{
	return key & ((1u << INDEX_BITS) - 1);
}

static void place(unsigned at, uint64_t key)
{
	heap[at] = key;
	places[index_of(key)] = (uint16_t)at;
}

static void sift_up(unsigned at, uint64_t key)
{
	for (; at > 1 && heap[at / 2] > key; at /= 2)
		place(at, heap[at / 2]);
	place(at, key);
}

static void sift_down(unsigned at, uint64_t key)
{
	for (unsigned child; (child = 2 * at) <= length; at = child) {
		if (child < length && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= key)
			break;
		place(at, heap[child]);
	}
	place(at, key);
}

void order_put(unsigned index, uint64_t time)
{
	sift_up(++length, time << INDEX_BITS | index);
}

uint64_t order_earliest(void)
{
	return length > 0 ? heap[1] >> INDEX_BITS : NEVER;
}

static void remove_at(unsigned at)
{
	uint64_t last = heap[length--];
	places[index_of(heap[at])] = ABSENT;
	if (at > length)
		return;
	if (at > 1 && heap[at / 2] > last)
		sift_up(at, last);
	else
		sift_down(at, last);
}

unsigned order_take(void)
{
	unsigned index = index_of(heap[1]);
	remove_at(1);
	return index;
}

bool order_remove(unsigned index)
{
	if (places[index] == ABSENT)
		return false;
	remove_at(places[index]);
	return true;
}
