#include "user/test/queue_history.h"

#include "user/test/test.h"

/* A prefix of an order of the operations, and the queue after it. */
struct order {
	const struct history *history;
	uint32_t done; /* bit i: operation i is in the prefix */
	unsigned first, last;
	uint32_t values[HISTORY_MAXIMUM]; /* everything that went in; from `first` to before `last` is still in */
};

/* Operation i may be next unless another one, still to come, ended before it started. */
static bool may_be_next(const struct order *order, unsigned i)
{
	const struct history *history = order->history;
	if (order->done & 1u << i)
		return false;
	for (unsigned other = 0; other < history->count; other++)
		if (!(order->done & 1u << other) && history->operations[other].end < history->operations[i].start)
			return false;
	return true;
}

static bool complete(struct order *order);

/* Whether the prefix can continue with operation i, up to the end. The order is unchanged afterwards. */
static bool go_on_with(struct order *order, unsigned i)
{
	const struct history_operation *operation = &order->history->operations[i];
	unsigned first = order->first, last = order->last;
	bool possible = false;
	if (operation->is_enqueue) {
		order->values[order->last++] = operation->value;
		possible = true;
	} else if (operation->value == 0) {
		possible = first == last;
	} else if (first < last && order->values[first] == operation->value) {
		order->first++;
		possible = true;
	}
	if (possible) {
		order->done |= 1u << i;
		possible = complete(order);
		order->done &= ~(1u << i);
	}
	order->first = first;
	order->last = last;
	return possible;
}

static bool complete(struct order *order)
{
	bool all_done = true;
	for (unsigned i = 0; i < order->history->count; i++) {
		if (order->done & 1u << i)
			continue;
		all_done = false;
		if (may_be_next(order, i) && go_on_with(order, i))
			return true;
	}
	return all_done;
}

bool history_is_linearizable(const struct history *history)
{
	struct order order = {.history = history};
	return complete(&order);
}

TEST(queue_history, possible_ones)
{
	/* one after the other; a dequeue of what is just going in; two that overlap and come out in either order */
	static const struct history histories[] = {
	    {4, {{true, 1, 1, 2}, {true, 2, 3, 4}, {false, 1, 5, 6}, {false, 2, 7, 8}}},
	    {2, {{true, 1, 1, 4}, {false, 1, 2, 3}}},
	    {3, {{true, 1, 1, 4}, {false, 0, 2, 3}, {false, 1, 5, 6}}},
	    {4, {{true, 1, 1, 3}, {true, 2, 2, 4}, {false, 2, 5, 6}, {false, 1, 7, 8}}},
	    {0, {{0}}},
	};
	for (unsigned i = 0; i < sizeof(histories) / sizeof(histories[0]); i++)
		CHECK(history_is_linearizable(&histories[i]));
}

TEST(queue_history, impossible_ones)
{
	/* out of order; out twice; out before in; found empty, or lost, with an item inside */
	static const struct history histories[] = {
	    {4, {{true, 1, 1, 2}, {true, 2, 3, 4}, {false, 2, 5, 6}, {false, 1, 7, 8}}},
	    {3, {{true, 1, 1, 2}, {false, 1, 3, 4}, {false, 1, 5, 6}}},
	    {2, {{false, 1, 1, 2}, {true, 1, 3, 4}}},
	    {2, {{true, 1, 1, 2}, {false, 0, 3, 4}}},
	    {5, {{true, 1, 1, 2}, {true, 2, 3, 4}, {true, 3, 5, 6}, {false, 1, 7, 8}, {false, 3, 9, 10}}},
	};
	for (unsigned i = 0; i < sizeof(histories) / sizeof(histories[0]); i++)
		CHECK(!history_is_linearizable(&histories[i]));
}
