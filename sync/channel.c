#include "sync/channel.h"

#include <string.h>

static struct channel *channel_of(struct served *served)
{
	return (struct channel *)((char *)served - offsetof(struct channel, served));
}

/* Most messages are a word, and a copy of that needs no call: so the three that follow are inline. */
#define WORD sizeof(uint64_t)

static inline void copy(void *to, const void *from, size_t message_size)
{
	if (__builtin_expect(message_size == WORD, 1))
		__builtin_memcpy(to, from, WORD);
	else
		memcpy(to, from, message_size);
}

static inline void *channel_place_of(const struct channel *channel, uint64_t place, size_t message_size)
{
	return (char *)channel->buffer + place * message_size;
}

static inline void channel_put_in(struct channel *channel, const void *message, size_t message_size)
{
	uint64_t place = (uint64_t)channel->first + channel->count++;
	if (place >= channel->capacity)
		place -= channel->capacity;
	copy(channel_place_of(channel, place, message_size), message, message_size);
}

static inline void channel_take_out(struct channel *channel, void *message, size_t message_size)
{
	uint32_t first = channel->first;
	copy(message, channel_place_of(channel, first, message_size), message_size);
	channel->first = first + 1 == channel->capacity ? 0 : first + 1;
	channel->count--;
}

/* Grant the first waiting request; only then do what it asks for. */
static void let_send(struct channel *channel, struct granted *granted)
{
	struct request *sender = channel->senders.first;
	const void *message = sender->message;
	enum heddle_error result = channel->closed ? HEDDLE_CLOSED : HEDDLE_OK;
	if (request_grant(sender, result, granted) && result == HEDDLE_OK)
		channel_put_in(channel, message, channel->message_size);
}

static void let_receive(struct channel *channel, struct granted *granted)
{
	struct request *receiver = channel->receivers.first;
	void *message = receiver->message;
	enum heddle_error result = channel->count == 0 ? HEDDLE_CLOSED : HEDDLE_OK;
	if (request_grant(receiver, result, granted) && result == HEDDLE_OK)
		channel_take_out(channel, message, channel->message_size);
}

/* After this a sender waits only if the channel is full, and a receiver only if it is empty. */
static void channel_go_on(struct channel *channel, struct granted *granted)
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

static void channel_step(struct served *object, struct request *request, struct granted *granted)
{
	struct channel *channel = channel_of(object);
	enum heddle_error result = HEDDLE_OK;
	if (request->operation == CHANNEL_SEND || request->operation == CHANNEL_RECEIVE) {
		request_queue_put(queue_of(channel, request), request);
		channel_go_on(channel, granted);
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
	channel_go_on(channel, granted);
	request_grant(request, result, granted);
}

const struct serve_kind channel_kind = {"channel", channel_step};

/* ----------------------------------------------------------------------------------- a caller that serves -- */

/* Give the message to the first receiver that still waits; it is not put into the channel. False: none waits. */
static bool hand_to_receiver(struct channel *channel, const void *message, struct granted *granted)
{
	struct request *receiver;
	while ((receiver = channel->receivers.first)) {
		void *place = receiver->message;
		if (request_grant(receiver, HEDDLE_OK, granted)) {
			copy(place, message, channel->message_size);
			return true;
		}
	}
	return false;
}

static bool channel_has_room(const struct channel *channel)
{
	return channel->count < channel->capacity;
}

/* False: the caller has to wait for room. */
static bool send_served(struct channel *channel, const void *message, struct granted *granted)
{
	if (!channel_has_room(channel))
		return false;
	if (!hand_to_receiver(channel, message, granted))
		channel_put_in(channel, message, channel->message_size);
	return true;
}

/* False: the caller has to wait for a message. */
static bool receive_served(struct channel *channel, void *message, struct granted *granted)
{
	if (channel->count == 0)
		return false;
	channel_take_out(channel, message, channel->message_size);
	channel_go_on(channel, granted);
	return true;
}

/* Send or receive as a caller that serves, and leave. */
static enum heddle_error serve_self(struct channel *channel, uint32_t operation, void *message,
                                    bool immediate, uint64_t deadline)
{
	bool sends = operation == CHANNEL_SEND, is_closed = channel->closed && (sends || channel->count == 0);
	struct granted granted = {0};
	enum heddle_error result = HEDDLE_OK;
	if (__builtin_expect(is_closed, 0)) {
		result = HEDDLE_CLOSED;
	} else if (!(sends ? send_served(channel, message, &granted)
	                   : receive_served(channel, message, &granted))) {
		struct request request = {.operation = operation, .message = message};
		if (!immediate) {
			request_queue_put(queue_of(channel, &request), &request);
			return serve_await(&channel->served, &channel_kind, &request, deadline);
		}
		result = HEDDLE_BUSY;
	}
	serve_leave(&channel->served, &channel_kind, &granted);
	return result;
}

/* The operations that cannot be done at once, with room for them on the stack. `entered`: the caller serves
 * already. The first two parameters are those of the callers: they stay in their registers. */
enum heddle_error channel_call(struct channel *channel, void *message, uint32_t operation, bool entered,
                               bool immediate, uint64_t deadline);
__typeof__(channel_call) call_with_room STACK_ENTRY_OF(channel_call);

STACK_ENTRY(channel_call)
enum heddle_error channel_call(struct channel *channel, void *message, uint32_t operation, bool entered,
                               bool immediate, uint64_t deadline)
{
	if (entered)
		return serve_self(channel, operation, message, immediate, deadline);
	struct request request = {.operation = operation, .immediate = immediate, .message = message};
	return serve(&channel->served, &channel_kind, &request, deadline, false);
}

/* The calling task is done, and still serves. */
__attribute__((noinline)) static enum heddle_error leave_with_others(struct channel *channel)
{
	serve_leave_with_others(&channel->served, &channel_kind);
	return HEDDLE_OK;
}

static inline enum heddle_error channel_leave(struct channel *channel)
{
	return __builtin_expect(serve_try_leave(&channel->served), 1) ? HEDDLE_OK : leave_with_others(channel);
}

/* Called while serving. If there is no memory for the stack, the task may end; it must not serve then. */
__attribute__((noinline)) static enum heddle_error
call_entered(struct channel *channel, void *message, uint32_t operation, bool immediate, uint64_t deadline)
{
	bool room = STACK_ENTRY_HAS_ROOM(channel_call);
	if (!room)
		channel_leave(channel);
	return call_with_room(channel, message, operation, room, immediate, deadline);
}

__attribute__((noinline)) static enum heddle_error put_in_and_leave(struct channel *channel,
                                                                    const void *message)
{
	channel_put_in(channel, message, channel->message_size);
	return channel_leave(channel);
}

__attribute__((noinline)) static enum heddle_error take_out_and_leave(struct channel *channel, void *message)
{
	channel_take_out(channel, message, channel->message_size);
	return channel_leave(channel);
}

/* With room and no receiver that waits, this is a single step: no request, and no task to tell. Each call is the last
 * thing done, so that no registers need be kept. */
static inline enum heddle_error channel_send_one(struct channel *channel, const void *message, bool immediate,
                                                 uint64_t deadline)
{
	if (!serve_enter(&channel->served))
		return call_with_room(channel, (void *)message, CHANNEL_SEND, false, immediate, deadline);
	if (channel->closed || !channel_has_room(channel) || channel->receivers.first)
		return call_entered(channel, (void *)message, CHANNEL_SEND, immediate, deadline);
	ASSERT(!channel->senders.first);
	if (channel->message_size != WORD)
		return put_in_and_leave(channel, message);
	channel_put_in(channel, message, WORD);
	return channel_leave(channel);
}

/* The same if there is a message, and no sender that waits for room. */
static inline enum heddle_error channel_receive_one(struct channel *channel, void *message, bool immediate,
                                                    uint64_t deadline)
{
	if (!serve_enter(&channel->served))
		return call_with_room(channel, message, CHANNEL_RECEIVE, false, immediate, deadline);
	if (channel->count == 0 || channel->senders.first)
		return call_entered(channel, message, CHANNEL_RECEIVE, immediate, deadline);
	ASSERT(!channel->receivers.first);
	if (channel->message_size != WORD)
		return take_out_and_leave(channel, message);
	channel_take_out(channel, message, WORD);
	return channel_leave(channel);
}

enum heddle_error channel_create(struct channel *channel, void *buffer, uint32_t message_size,
                                 uint32_t capacity)
{
	if (!buffer || message_size == 0 || capacity == 0)
		return HEDDLE_BAD_ARGUMENT;
	*channel = (struct channel){.buffer = buffer, .message_size = message_size, .capacity = capacity};
	return HEDDLE_OK;
}

enum heddle_error channel_send(struct channel *channel, const void *message)
{
	return channel_send_one(channel, message, false, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_send_until(struct channel *channel, const void *message, uint64_t deadline)
{
	return channel_send_one(channel, message, false, deadline);
}

enum heddle_error channel_try_send(struct channel *channel, const void *message)
{
	return channel_send_one(channel, message, true, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_receive(struct channel *channel, void *message)
{
	return channel_receive_one(channel, message, false, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_receive_until(struct channel *channel, void *message, uint64_t deadline)
{
	return channel_receive_one(channel, message, false, deadline);
}

enum heddle_error channel_try_receive(struct channel *channel, void *message)
{
	return channel_receive_one(channel, message, true, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_close(struct channel *channel)
{
	return call_with_room(channel, NULL, CHANNEL_CLOSE, false, true, HEDDLE_NO_DEADLINE);
}

enum heddle_error channel_destroy(struct channel *channel)
{
	if (!serve_is_free(&channel->served, &channel->senders) || channel->receivers.first)
		return lock_misused("channel_destroy()", "channel", channel, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
