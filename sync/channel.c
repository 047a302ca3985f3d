#include "sync/channel.h"

#include <string.h>

static struct channel *channel_of(struct served *served)
{
	return (struct channel *)((char *)served - offsetof(struct channel, served));
}

static void *place_of(const struct channel *channel, uint64_t place)
{
	return (char *)channel->buffer + place * channel->message_size;
}

/* Most messages are a word, which needs no call. */
static void copy(void *to, const void *from, size_t size)
{
	if (size == sizeof(uint64_t))
		__builtin_memcpy(to, from, sizeof(uint64_t));
	else
		memcpy(to, from, size);
}

static void put_in(struct channel *channel, const void *message)
{
	uint64_t place = (uint64_t)channel->first + channel->count++;
	if (place >= channel->capacity)
		place -= channel->capacity;
	copy(place_of(channel, place), message, channel->message_size);
}

static void take_out(struct channel *channel, void *message)
{
	copy(message, place_of(channel, channel->first), channel->message_size);
	if (++channel->first == channel->capacity)
		channel->first = 0;
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

/* By a caller that serves already, if it has `entered`. */
__attribute__((noinline)) static enum heddle_error call(struct channel *channel, bool entered,
                                                        uint32_t operation, void *message, bool immediate,
                                                        uint64_t deadline)
{
	struct request request = {.operation = operation, .immediate = immediate, .message = message};
	return entered ? serve_entered(&channel->served, &channel_kind, &request, deadline)
	               : serve(&channel->served, &channel_kind, &request, deadline, false);
}

static bool is_waited_for(const struct channel *channel)
{
	return channel->senders.first || channel->receivers.first;
}

/* With room, and nobody who waits, this is one step: no request, and nobody to be told. */
static enum heddle_error send(struct channel *channel, const void *message, bool immediate, uint64_t deadline)
{
	if (!serve_enter(&channel->served))
		return call(channel, false, CHANNEL_SEND, (void *)message, immediate, deadline);
	if (channel->closed || channel->count == channel->capacity || is_waited_for(channel))
		return call(channel, true, CHANNEL_SEND, (void *)message, immediate, deadline);
	put_in(channel, message);
	serve_leave(&channel->served, &channel_kind);
	return HEDDLE_OK;
}

/* The same with a message there. */
static enum heddle_error receive(struct channel *channel, void *message, bool immediate, uint64_t deadline)
{
	if (!serve_enter(&channel->served))
		return call(channel, false, CHANNEL_RECEIVE, message, immediate, deadline);
	if (channel->count == 0 || is_waited_for(channel))
		return call(channel, true, CHANNEL_RECEIVE, message, immediate, deadline);
	take_out(channel, message);
	serve_leave(&channel->served, &channel_kind);
	return HEDDLE_OK;
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
	return send(channel, message, false, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_send_until)
enum heddle_error channel_send_until(struct channel *channel, const void *message, uint64_t deadline)
{
	return send(channel, message, false, deadline);
}

STACK_ENTRY(channel_try_send)
enum heddle_error channel_try_send(struct channel *channel, const void *message)
{
	return send(channel, message, true, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_receive)
enum heddle_error channel_receive(struct channel *channel, void *message)
{
	return receive(channel, message, false, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_receive_until)
enum heddle_error channel_receive_until(struct channel *channel, void *message, uint64_t deadline)
{
	return receive(channel, message, false, deadline);
}

STACK_ENTRY(channel_try_receive)
enum heddle_error channel_try_receive(struct channel *channel, void *message)
{
	return receive(channel, message, true, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(channel_close)
enum heddle_error channel_close(struct channel *channel)
{
	return call(channel, false, CHANNEL_CLOSE, NULL, true, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_destroy(struct channel *channel)
{
	if (!serve_is_free(&channel->served, &channel->senders) || channel->receivers.first)
		return lock_misused("channel_destroy()", "channel", channel, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
