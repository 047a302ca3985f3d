/*
 * Turns of the storm: messages through channels, one at a time or by a select over up to 16 of them, in both
 * directions at once. Each message arrives once and undamaged; those of one sender in one channel arrive in order at
 * each receiver.
 */
#include "heddle/channel.h"

#include <string.h>

#include "user/test/storm.h"

#define CHANNELS 16
#define PLACES   3 /* of the largest; some have only one */

struct message {
	uint64_t number; /* the sender's count for that channel, from 1 */
	uint32_t sender, check;
};

static struct {
	struct channel channel[CHANNELS];
	struct message places[CHANNELS][PLACES];
	uint64_t sent[CHANNELS][STORM_WORKERS_MAXIMUM]; /* the sender's */
	uint64_t last[CHANNELS][STORM_WORKERS_MAXIMUM]
	             [STORM_WORKERS_MAXIMUM]; /* the receiver's, of each sender */
	_Atomic uint64_t received[CHANNELS][STORM_WORKERS_MAXIMUM], sum[CHANNELS][STORM_WORKERS_MAXIMUM];
} * all;

static bool prepare(void)
{
	all = heddle_allocate(sizeof(*all));
	if (!all)
		return false;
	memset(all, 0, sizeof(*all));
	for (unsigned i = 0; i < CHANNELS; i++)
		STORM_OK(channel_create(&all->channel[i], all->places[i], sizeof(struct message), 1 + i % PLACES));
	return true;
}

static struct message message_of(unsigned channel, unsigned sender)
{
	uint64_t number = all->sent[channel][sender] + 1;
	return (struct message){
	    .number = number, .sender = sender, .check = (uint32_t)(number * 2654435761u + sender)};
}

static void note_received(unsigned channel, unsigned receiver, const struct message *message)
{
	uint64_t *last = &all->last[channel][receiver][message->sender % STORM_WORKERS_MAXIMUM];
	if (!STORM_CHECK(message->sender < storm.workers &&
	                 message->check == (uint32_t)(message->number * 2654435761u + message->sender)))
		return;
	STORM_CHECK(message->number > *last);
	*last = message->number;
	atomic_fetch_add_explicit(&all->received[channel][message->sender], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&all->sum[channel][message->sender], message->number, memory_order_relaxed);
}

/* The channels are closed only when the time is over. */
static bool gave(enum heddle_error error, uint32_t allowed)
{
	if (atomic_load_explicit(&storm.over, memory_order_relaxed))
		allowed |= STORM_BIT(HEDDLE_CLOSED);
	return STORM_GIVES(error, allowed);
}

static void use_one(struct storm_task *self, unsigned channel, bool sends)
{
	struct message message = message_of(channel, self->number);
	struct channel *through = &all->channel[channel];
	uint64_t deadline = storm_deadline(self);
	bool done;
	if (storm_draw(self, 4) == 0)
		done = gave(sends ? channel_try_send(through, &message) : channel_try_receive(through, &message),
		            STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_BUSY) | STORM_BIT(HEDDLE_NO_MEMORY));
	else if (sends)
		done = gave(STORM_CALL(self, channel_send_until(through, &message, deadline)), storm_waits(deadline));
	else
		done =
		    gave(STORM_CALL(self, channel_receive_until(through, &message, deadline)), storm_waits(deadline));
	if (done && sends)
		all->sent[channel][self->number]++;
	else if (done)
		note_received(channel, self->number, &message);
}

static void select(struct storm_task *self)
{
	struct message messages[HEDDLE_CHANNEL_SELECT_MAXIMUM];
	struct channel_case cases[HEDDLE_CHANNEL_SELECT_MAXIMUM];
	unsigned place[HEDDLE_CHANNEL_SELECT_MAXIMUM];
	size_t count = 1 + storm_draw(self, HEDDLE_CHANNEL_SELECT_MAXIMUM), chosen = SIZE_MAX;
	uint64_t deadline = storm_deadline(self);
	for (size_t i = 0; i < count; i++) {
		place[i] = storm_draw(self, CHANNELS);
		messages[i] = message_of(place[i], self->number);
		cases[i] = (struct channel_case){&all->channel[place[i]], storm_draw(self, 2), &messages[i]};
	}
	if (!gave(STORM_CALL(self, channel_select(cases, count, &chosen, deadline)), storm_waits(deadline)))
		return;
	if (!STORM_CHECK(chosen < count))
		return;
	if (cases[chosen].send)
		all->sent[place[chosen]][self->number]++;
	else
		note_received(place[chosen], self->number, &messages[chosen]);
}

static void turn(struct storm_task *self)
{
	for (uint32_t times = 1 + storm_draw(self, 4); times > 0; times--) {
		if (storm_draw(self, 3) == 0)
			select(self);
		else
			use_one(self, storm_draw(self, CHANNELS), storm_draw(self, 2));
	}
}

static void release(void)
{
	for (unsigned i = 0; i < CHANNELS; i++)
		channel_close(&all->channel[i]);
}

/* The remaining messages are in the channels; worker 0 receives them, as if it had received all earlier ones. */
static void finish(void)
{
	struct message message;
	for (unsigned i = 0; i < CHANNELS; i++) {
		for (unsigned sender = 0; sender < storm.workers; sender++)
			for (unsigned other = 1; other < storm.workers; other++)
				if (all->last[i][other][sender] > all->last[i][0][sender])
					all->last[i][0][sender] = all->last[i][other][sender];
		while (channel_try_receive(&all->channel[i], &message) == HEDDLE_OK)
			note_received(i, 0, &message);
		for (unsigned sender = 0; sender < storm.workers; sender++) {
			uint64_t sent = all->sent[i][sender];
			STORM_CHECK(all->received[i][sender] == sent && all->sum[i][sender] == sent * (sent + 1) / 2);
		}
		STORM_OK(channel_destroy(&all->channel[i]));
	}
	heddle_free(all, sizeof(*all));
}

const struct storm_kind storm_channels = {
    .name = "channels", .weight = 8, .prepare = prepare, .turn = turn, .release = release, .finish = finish};
