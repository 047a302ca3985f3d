#include "sync/channel.h"

#include <string.h>

static struct channel *channel_of(struct served *served)
{
	return (struct channel *)((char *)served - offsetof(struct channel, served));
}

/* Message `index`, counted from the oldest. */
static void *place_of(const struct channel *channel, uint32_t index)
{
	uint64_t place = ((uint64_t)channel->first + index) % channel->capacity;
	return (char *)channel->buffer + place * channel->message_size;
}

static void put_in(struct channel *channel, const void *message)
{
	memcpy(place_of(channel, channel->count++), message, channel->message_size);
}

static void take_out(struct channel *channel, void *message)
{
	memcpy(message, place_of(channel, 0), channel->message_size);
	channel->first = (channel->first + 1) % channel->capacity;
	channel->count--;
}

/* Grant the first of those who wait; what is done for it comes after that. */
static void let_send(struct channel *channel, struct granted *granted)
{
	struct request *sender = channel->senders.first;
	const void *message = sender->message;
	enum heddle_error result = channel->closed ? HEDDLE_CLOSED : HEDDLE_OK;
	if (request_grant(sender, result, granted) && result == HEDDLE_OK)
		put_in(channel, message);
}

static void let_receive(struct channel *channel, struct granted *granted)
{
	struct request *receiver = channel->receivers.first;
	void *message = receiver->message;
	enum heddle_error result = channel->count == 0 ? HEDDLE_CLOSED : HEDDLE_OK;
	if (request_grant(receiver, result, granted) && result == HEDDLE_OK)
		take_out(channel, message);
}

static void go_on(struct channel *channel, struct granted *granted)
{
	for (;;) {
		if (channel->receivers.first && (channel->count > 0 || channel->closed))
			let_receive(channel, granted);
		else if (channel->senders.first && (channel->count < channel->capacity || channel->closed))
			let_send(channel, granted);
		else
			return;
	}
}

static struct request_queue *queue_of(struct channel *channel, const struct request *request)
{
	return request->operation == CHANNEL_SEND ? &channel->senders : &channel->receivers;
}

static void step(struct served *object, struct request *request, struct granted *granted)
{
	struct channel *channel = channel_of(object);
	enum heddle_error result = HEDDLE_OK;
	if (request->operation == CHANNEL_SEND || request->operation == CHANNEL_RECEIVE) {
		request_queue_put(queue_of(channel, request), request);
		go_on(channel, granted);
		if (request->immediate && !request->done)
			request_grant(request, HEDDLE_BUSY, granted);
		return;
	}
	if (request->operation == CHANNEL_CLOSE && channel->closed)
		result = HEDDLE_CLOSED;
	if (request->operation == CHANNEL_CLOSE)
		channel->closed = true;
	if (request->operation == CHANNEL_PLACE)
		request_queue_put(queue_of(channel, request->target), request->target);
	go_on(channel, granted);
	request_grant(request, result, granted);
}

const struct serve_kind channel_kind = {"channel", step};

static enum heddle_error call(struct channel *channel, uint32_t operation, void *message, bool immediate,
                              uint64_t deadline)
{
	struct request request = {.operation = operation, .immediate = immediate, .message = message};
	return serve(&channel->served, &channel_kind, &request, deadline, false);
}

enum heddle_error channel_create(struct channel *channel, void *buffer, uint32_t message_size,
                                 uint32_t capacity)
{
	if (!buffer || message_size == 0 || capacity == 0)
		return HEDDLE_BAD_ARGUMENT;
	*channel = (struct channel){.buffer = buffer, .message_size = message_size, .capacity = capacity};
	return HEDDLE_OK;
}

STACK_ENTRY(channel_send)
enum heddle_error channel_send(struct channel *channel, const void *message)
{
	return call(channel, CHANNEL_SEND, (void *)message, false, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_send_until)
enum heddle_error channel_send_until(struct channel *channel, const void *message, uint64_t deadline)
{
	return call(channel, CHANNEL_SEND, (void *)message, false, deadline);
}

STACK_ENTRY(channel_try_send)
enum heddle_error channel_try_send(struct channel *channel, const void *message)
{
	return call(channel, CHANNEL_SEND, (void *)message, true, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_receive)
enum heddle_error channel_receive(struct channel *channel, void *message)
{
	return call(channel, CHANNEL_RECEIVE, message, false, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_receive_until)
enum heddle_error channel_receive_until(struct channel *channel, void *message, uint64_t deadline)
{
	return call(channel, CHANNEL_RECEIVE, message, false, deadline);
}

STACK_ENTRY(channel_try_receive)
enum heddle_error channel_try_receive(struct channel *channel, void *message)
{
	return call(channel, CHANNEL_RECEIVE, message, true, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_close)
enum heddle_error channel_close(struct channel *channel)
{
	return call(channel, CHANNEL_CLOSE, NULL, true, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_destroy(struct channel *channel)
{
	if (!serve_is_free(&channel->served, &channel->senders) || channel->receivers.first)
		return lock_misused("channel_destroy()", "channel", channel, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
