#include "sched/local_queue.h"

#include "sched/node.h"

void local_queue_create(struct local_queue *queue)
{
	queue->end = &queue->last;
	atomic_store_explicit(&queue->room, LOCAL_BLOCK, memory_order_relaxed);
	queue_create(&queue->overflow, node_make_boot());
}

/* --------------------------------------------------------------------------------------------- share -- */

struct overflow {
	struct local_queue *queue;
	struct task *first;
};

static void put_overflow(void *argument)
{
	struct overflow *overflow = argument;
	overflow->queue->overflowed = true;
	queue_enqueue(&overflow->queue->overflow, &overflow->first->item);
}

/* Behind all that is shared. */
static void put_block(struct local_queue *queue, struct task *first, uint32_t count)
{
	/* relaxed: for count_shared. */
	atomic_store_explicit(&first->ready_count, count, memory_order_relaxed);
	queue->shared = true;
	if (queue->overflowed || !ring_put(&queue->ring, first))
		arch_call_on_processor_stack(put_overflow, &(struct overflow){queue, first});
}

/* Take the newest tasks, which empties their list. */
static struct task *cut_newest(struct local_queue *queue)
{
	struct task *first = local_queue_newest(queue);
	queue->last = NULL;
	queue->end = &queue->last;
	atomic_store_explicit(&queue->room, LOCAL_BLOCK, memory_order_relaxed);
	return first;
}

void local_queue_share_newest(struct local_queue *queue)
{
	put_block(queue, cut_newest(queue), LOCAL_BLOCK);
}

static void share_each(struct local_queue *queue, struct task *task)
{
	while (task) {
		/* Once it is shared, another may own it. */
		struct task *next = task->ready_next;
		task->ready_next = NULL;
		put_block(queue, task, 1);
		task = next;
	}
}

void local_queue_share_each(struct local_queue *queue)
{
	struct task *oldest = atomic_load_explicit(&queue->first, memory_order_relaxed);
	/* In this order: if there is no oldest, the line of those that take need not come here. */
	if (oldest && !local_queue_has_shared(queue)) {
		atomic_store_explicit(&queue->first, NULL, memory_order_relaxed);
		share_each(queue, oldest);
	}
	share_each(queue, cut_newest(queue));
}

void local_queue_order(struct local_queue *queue)
{
	ring_order(&queue->ring);
}

bool local_queue_still_shared(struct local_queue *queue)
{
	if (!local_queue_has_shared(queue))
		return false;
	local_queue_order(queue);
	return true;
}

bool local_queue_share(struct local_queue *queue)
{
	if (local_queue_still_shared(queue))
		return true;
	if (!local_queue_has_own(queue))
		return false;
	local_queue_share_each(queue);
	local_queue_order(queue);
	return true;
}

/* ---------------------------------------------------------------------------------------------- take -- */

static struct task *take_block(struct local_queue *queue)
{
	struct task *block = ring_take(&queue->ring);
	if (!block && queue->overflowed) {
		block = task_of_item(queue_dequeue(&queue->overflow));
		queue->overflowed = block != NULL;
	}
	queue->shared = block != NULL;
	return block;
}

bool local_queue_refill(struct local_queue *queue)
{
	struct task *oldest = take_block(queue);
	if (!oldest)
		oldest = cut_newest(queue);
	atomic_store_explicit(&queue->first, oldest, memory_order_relaxed);
	return oldest;
}

static uint32_t block_length(const struct task *first)
{
	return atomic_load_explicit(&first->ready_count, memory_order_relaxed);
}

struct task *local_queue_steal(struct local_queue *victim, struct local_queue *own, uint64_t *count)
{
	struct task *blocks[RING_TAKE_LIMIT];
	size_t taken = ring_take_half(&victim->ring, blocks, RING_TAKE_LIMIT);
	if (taken == 0) {
		blocks[0] = task_of_item(queue_dequeue(&victim->overflow));
		taken = blocks[0] != NULL;
	}
	if (taken == 0)
		return NULL;
	*count = block_length(blocks[0]);
	if (blocks[0]->ready_next)
		put_block(own, blocks[0]->ready_next, (uint32_t)*count - 1);
	for (size_t i = 1; i < taken; i++) {
		*count += block_length(blocks[i]);
		put_block(own, blocks[i], block_length(blocks[i]));
	}
	if (*count > 1)
		local_queue_order(own);
	return blocks[0];
}

/* --------------------------------------------------------------------------------------------- count -- */

#define COUNTED 16 /* shared blocks are counted one by one; others are assumed to be of the same length */

static uint32_t count_oldest(const struct local_queue *queue)
{
	uint32_t count = 0;
	for (const struct task *task = local_queue_own(queue); task; task = task->ready_next)
		count++;
	return count;
}

/* Others may take the tasks meanwhile, run them, and put them elsewhere: then the count is wrong. */
static uint32_t count_shared(const struct local_queue *queue)
{
	uint64_t head = atomic_load_explicit(&queue->ring.head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&queue->ring.tail, memory_order_relaxed);
	uint64_t blocks = tail - head, looked = blocks < COUNTED ? blocks : COUNTED, count = 0;
	for (uint64_t i = 0; i < looked; i++) {
		struct task *block =
		    atomic_load_explicit(&queue->ring.slots[(head + i) % RING_LENGTH], memory_order_relaxed);
		count += block_length(block);
	}
	return (uint32_t)(looked ? count * blocks / looked : 0);
}

uint32_t local_queue_count(const struct local_queue *queue)
{
	uint32_t newest = LOCAL_BLOCK - atomic_load_explicit(&queue->room, memory_order_relaxed);
	return count_oldest(queue) + count_shared(queue) + newest;
}

struct task *local_queue_cut(struct local_queue *queue, uint32_t most)
{
	struct task *first = NULL, **end = &first, *task;
	for (; most > 0 && (task = local_queue_take(queue)); most--) {
		*end = task;
		end = &task->ready_next;
	}
	*end = NULL;
	return first;
}
