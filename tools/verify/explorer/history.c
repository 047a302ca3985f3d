#include "history.h"

#include <string.h>

#include "machine.h"

#define POSSIBILITIES 60

/* What one operation of a processor has done in one possibility. */
enum { NOT_YET, HAS_HAPPENED };

struct progress {
	uint8_t happened;
	uint8_t item;          /* of a take: what it took */
	uint8_t was_first;     /* of a put: the item has been the queue's first at some moment since */
	uint8_t was_not_first; /* it has not been at some moment since: others were before it, or it was taken */
};

/* One possible course of events so far. */
struct possibility {
	uint32_t contents[HISTORY_LISTS + 1]; /* as for history_may_contain(); the last is unused */
	struct progress progress[EXPLORE_PROCESSORS + 1];
};

static struct operation {
	uint8_t pending, is_put, list, item;
} operations[EXPLORE_PROCESSORS + 1] EXPLORED;

static struct {
	uint64_t count;
	struct possibility set[POSSIBILITIES];
} possible EXPLORED;

static uint8_t is_stack[HISTORY_LISTS] EXPLORED;

static void contents_put(uint32_t *contents, unsigned list, unsigned item)
{
	unsigned length = 0;
	while (*contents >> (4 * length))
		length++;
	*contents = is_stack[list] ? *contents << 4 | item : *contents | item << (4 * length);
}

void history_make_stack(unsigned list)
{
	is_stack[list] = 1;
}

static void possibility_add(const struct possibility *added)
{
	for (uint64_t i = 0; i < possible.count; i++)
		if (memcmp(&possible.set[i], added, sizeof *added) == 0)
			return;
	if (possible.count == POSSIBILITIES)
		explore_fail("the set of possible histories is too small for this case");
	possible.set[possible.count++] = *added;
}

/* An item was put or taken: update the puts that have happened but not returned. */
static void progress_update(struct possibility *now)
{
	for (unsigned p = 0; p < EXPLORE_PROCESSORS; p++) {
		const struct operation *operation = &operations[p];
		struct progress *progress = &now->progress[p];
		if (!operation->pending || !operation->is_put || !progress->happened)
			continue;
		if ((now->contents[operation->list] & 15) == operation->item)
			progress->was_first = 1;
		else
			progress->was_not_first = 1;
	}
}

/* Let the operation of a processor happen now. */
static void happen(struct possibility *now, unsigned processor)
{
	const struct operation *operation = &operations[processor];
	uint32_t *contents = &now->contents[operation->list];
	now->progress[processor].happened = HAS_HAPPENED;
	if (operation->is_put) {
		contents_put(contents, operation->list, operation->item);
	} else {
		now->progress[processor].item = *contents & 15;
		*contents >>= 4;
	}
	progress_update(now);
}

/* Add everything that may have happened by now: the set grows during the loop. */
static void possible_extend(void)
{
	for (uint64_t i = 0; i < possible.count; i++)
		for (unsigned p = 0; p < EXPLORE_PROCESSORS; p++)
			if (operations[p].pending && !possible.set[i].progress[p].happened) {
				struct possibility next = possible.set[i];
				happen(&next, p);
				possibility_add(&next);
			}
}

/* Equal sets have equal bytes: sorted, and zero after the end. */
static void possible_sort(void)
{
	for (uint64_t i = 1; i < possible.count; i++)
		for (uint64_t j = i;
		     j > 0 && memcmp(&possible.set[j - 1], &possible.set[j], sizeof possible.set[0]) > 0; j--) {
			struct possibility swapped = possible.set[j];
			possible.set[j] = possible.set[j - 1];
			possible.set[j - 1] = swapped;
		}
	memset(&possible.set[possible.count], 0, (POSSIBILITIES - possible.count) * sizeof possible.set[0]);
}

void history_start_with(unsigned list, unsigned item)
{
	contents_put(&possible.set[0].contents[list], list, item);
	possible.count = 1;
}

static void own_written(void)
{
	memory_written(&possible, sizeof possible);
	memory_written(&operations, sizeof operations);
}

static void call(struct operation operation)
{
	explore_pause(); /* the operation may begin as late as just before its first access */
	if (possible.count == 0)
		possible.count = 1;
	operations[explore_processor()] = operation;
	own_written();
}

void history_put_call(unsigned list, unsigned item)
{
	call((struct operation){1, 1, (uint8_t)list, (uint8_t)item});
	explore_note("-- put %c into %c", 'a' + (int)item - 1, 'Q' + (int)list);
}

void history_take_call(unsigned list)
{
	call((struct operation){1, 0, (uint8_t)list, 0});
	explore_note("-- take from %c", 'Q' + (int)list);
}

static bool agrees_put(const struct progress *progress, unsigned unused)
{
	(void)unused;
	return progress->happened;
}

static bool agrees_put_first(const struct progress *progress, unsigned was_first)
{
	return progress->happened && (was_first ? progress->was_first : progress->was_not_first);
}

static bool agrees_take(const struct progress *progress, unsigned item)
{
	return progress->happened && progress->item == item;
}

/* Keep only possibilities that agree with the operation's result. */
static bool returned(bool (*agrees)(const struct progress *, unsigned), unsigned result)
{
	unsigned processor = explore_processor();
	uint64_t kept = 0;
	possible_extend();
	for (uint64_t i = 0; i < possible.count; i++) {
		struct possibility now = possible.set[i];
		if (!agrees(&now.progress[processor], result))
			continue;
		now.progress[processor] = (struct progress){0};
		possible.set[kept++] = now;
	}
	uint64_t count = kept;
	possible.count = 0;
	for (uint64_t i = 0; i < count; i++) {
		struct possibility now = possible.set[i];
		possibility_add(&now);
	}
	possible_sort();
	operations[processor] = (struct operation){0};
	own_written();
	return possible.count > 0;
}

void history_put_return(void)
{
	explore_note("-- put returns");
	returned(agrees_put, 0);
}

void history_put_return_first(bool was_first)
{
	explore_note("-- put returns: %s", was_first ? "was empty" : "was not empty");
	if (!returned(agrees_put_first, was_first))
		explore_fail("not linearizable: put said that the queue was %s, which it was at no moment",
		             was_first ? "empty" : "not empty");
}

void history_take_return(unsigned item)
{
	if (item)
		explore_note("-- take returns %c", 'a' + (int)item - 1);
	else
		explore_note("-- take returns nothing");
	if (returned(agrees_take, item))
		return;
	if (item)
		explore_fail("not linearizable: %c was at no moment the next to be taken", 'a' + (int)item - 1);
	explore_fail("not linearizable: nothing was taken, but the list was at no moment empty");
}

bool history_may_contain(const uint32_t *contents)
{
	for (uint64_t i = 0; i < possible.count; i++)
		if (memcmp(possible.set[i].contents, contents, HISTORY_LISTS * sizeof *contents) == 0)
			return true;
	return false;
}
