/*
 * A bounded channel of messages of one size, for many senders and many receivers. Messages come out in the order in
 * which they went in, and waiting tasks are served in the order in which they came. And select: wait for the first of
 * several channels that is ready.
 */
#ifndef HEDDLE_CHANNEL_H
#define HEDDLE_CHANNEL_H

#include "heddle/lock.h"

HEDDLE_BEGIN

struct channel {
	struct served served;
	struct request_queue senders, receivers;
	void *buffer;
	uint32_t message_size, capacity; /* bytes; messages */
	uint32_t first, count;           /* messages in the buffer */
	bool closed;
};

/* The buffer has room for `capacity` messages of `message_size` bytes; it remains the caller's. HEDDLE_BAD_ARGUMENT:
 * one of the two is 0. */
enum heddle_error channel_create(struct channel *channel, void *buffer, uint32_t message_size,
                                 uint32_t capacity);

/* Put a copy of the message into the channel. HEDDLE_CLOSED: the channel is closed. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_send(struct channel *channel, const void *message);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_send_until(struct channel *channel,
                                                                   const void *message, uint64_t deadline);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_try_send(struct channel *channel,
                                                                 const void *message);

/* Take a message out. HEDDLE_CLOSED: the channel is closed, and there is none left in it. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_receive(struct channel *channel, void *message);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_receive_until(struct channel *channel, void *message,
                                                                      uint64_t deadline);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_try_receive(struct channel *channel, void *message);

/* Nothing more can be sent; what is in the channel can still be received. Tasks that wait to send get HEDDLE_CLOSED;
 * so does the caller if the channel was closed before. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_close(struct channel *channel);

/* HEDDLE_IN_USE: a task waits; nothing was changed. */
enum heddle_error channel_destroy(struct channel *channel);

#define HEDDLE_CHANNEL_SELECT_MAXIMUM 16

/* One alternative of a select. */
struct channel_case {
	struct channel *channel;
	bool send;     /* else receive */
	void *message; /* where it is sent from, or received to */
};

/* Do exactly one of the cases, the first that is possible; *chosen is its index. HEDDLE_CLOSED: the channel of the
 * case *chosen is closed. HEDDLE_BAD_ARGUMENT: no case, or more than HEDDLE_CHANNEL_SELECT_MAXIMUM. */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error channel_select(const struct channel_case *cases, size_t count,
                                                               size_t *chosen, uint64_t deadline);

HEDDLE_END

#endif
