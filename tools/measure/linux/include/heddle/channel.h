/*
 * A channel instead of Heddle's (user/include/heddle/channel.h): a ring of messages behind a mutex with two
 * conditions, as in a Linux program. The first thread to come gets Linux's mutex, so senders and receivers are not
 * served in the order in which they came.
 *
 * | operation       | progress                     | takes effect                          |
 * |-----------------|------------------------------|---------------------------------------|
 * | channel_send    | blocks while it is full      | while the mutex is held               |
 * | channel_receive | blocks while it is empty     | while the mutex is held               |
 */
#ifndef HEDDLE_CHANNEL_H
#define HEDDLE_CHANNEL_H

#include "heddle/condition.h"

struct channel {
	struct mutex mutex;
	struct condition has_room, has_some;
	char *buffer;
	uint32_t message_size, capacity; /* bytes; messages */
	uint32_t first, count;           /* messages in the buffer */
};

/* The buffer has room for `capacity` messages of `message_size` bytes; it remains the caller's. HEDDLE_BAD_ARGUMENT:
 * one of the two is 0. */
enum heddle_error channel_create(struct channel *channel, void *buffer, uint32_t message_size,
                                 uint32_t capacity);
enum heddle_error channel_send(struct channel *channel, const void *message);
enum heddle_error channel_receive(struct channel *channel, void *message);

#endif
