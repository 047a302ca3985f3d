#include "heddle/channel.h"

#include <string.h>

enum heddle_error channel_create(struct channel *channel, void *buffer, uint32_t message_size,
                                 uint32_t capacity)
{
	if (message_size == 0 || capacity == 0)
		return HEDDLE_BAD_ARGUMENT;
	*channel = (struct channel){.buffer = buffer, .message_size = message_size, .capacity = capacity};
	return HEDDLE_OK;
}

/* The place of message `number`, counted from the first. */
static char *message_place(struct channel *channel, uint32_t number)
{
	size_t place = ((size_t)channel->first + number) % channel->capacity;
	return channel->buffer + place * channel->message_size;
}

enum heddle_error channel_send(struct channel *channel, const void *message)
{
	mutex_lock(&channel->mutex);
	while (channel->count == channel->capacity)
		condition_wait(&channel->has_room, &channel->mutex);
	memcpy(message_place(channel, channel->count++), message, channel->message_size);
	condition_notify_one(&channel->has_some);
	mutex_unlock(&channel->mutex);
	return HEDDLE_OK;
}

enum heddle_error channel_receive(struct channel *channel, void *message)
{
	mutex_lock(&channel->mutex);
	while (channel->count == 0)
		condition_wait(&channel->has_some, &channel->mutex);
	memcpy(message, message_place(channel, 0), channel->message_size);
	channel->first = (channel->first + 1) % channel->capacity;
	channel->count--;
	condition_notify_one(&channel->has_room);
	mutex_unlock(&channel->mutex);
	return HEDDLE_OK;
}
