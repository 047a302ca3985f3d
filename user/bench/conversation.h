/*
 * The two sides of `client`: one requests objects, the other serves them, through HTTP or remote procedure calls.
 * They communicate over streams, one for each direction. The including file declares these first (transport.h for
 * tasks of Heddle, tools/measure/peers/ for others, so that all do the same work; C and C++):
 *
 *     stream_send(stream, bytes, size)   pass bytes by reference, at the next flush at the latest
 *     stream_flush(stream)
 *     stream_receive(stream, &bytes)     the bytes of one stream_send; returns their number, 0 at the end
 *     stream_end(stream)                 nothing more is sent
 *
 * A side that has failed or has nothing more to send ends its stream, and receives until the other stream ends, too;
 * so neither side waits for ever. Functions return NULL on success, else a sentence.
 */
#ifndef USER_BENCH_CONVERSATION_H
#define USER_BENCH_CONVERSATION_H

#include "user/bench/body.h"
#include "user/bench/http.h"
#include "user/bench/rpc.h"

enum protocol { PROTOCOL_HTTP, PROTOCOL_RPC };

/* One side. */
struct conversation {
	struct stream *out, *in;
	const char *bytes; /* received but not used yet */
	size_t count;
	bool in_ended;

	enum protocol protocol;
	const char *pattern; /* of the objects (body.h) */
	const uint64_t *sums;
	uint64_t size;     /* of an object */
	uint64_t piece;    /* bytes of a body that are sent at once */
	bool is_thorough;  /* check every byte, not only samples */
	const char *error; /* the first */

	/* Sent bytes stay unchanged until the other side has answered. */
	char text[HTTP_HEADER_MAXIMUM];
	struct rpc_header header;
	struct rpc_read read;
};

/* False: the other side has ended. */
static inline bool conversation_fill(struct conversation *self)
{
	if (self->count == 0 && !self->in_ended) {
		self->count = stream_receive(self->in, &self->bytes);
		self->in_ended = self->count == 0;
	}
	return self->count > 0;
}

static inline void conversation_use(struct conversation *self, size_t count)
{
	self->bytes += count;
	self->count -= count;
}

/* ----------------------------------------------------------------------------------------- in pieces -- */

static inline const char *header_receive(struct conversation *self, struct http_header *header)
{
	header->length = 0;
	header->is_complete = false;
	while (!header->is_complete) {
		size_t taken;
		if (!conversation_fill(self))
			return "the connection ended within a header";
		const char *error = http_collect(header, self->bytes, self->count, &taken);
		if (error)
			return error;
		conversation_use(self, taken);
	}
	return NULL;
}

static inline const char *record_receive(struct conversation *self, void *record, size_t size)
{
	struct rpc_collector collector = {(char *)record, size, 0};
	while (collector.length < size) {
		if (!conversation_fill(self))
			return "the connection ended within a header";
		conversation_use(self, rpc_collect(&collector, self->bytes, self->count));
	}
	return NULL;
}

static inline const char *body_receive(struct conversation *self, uint64_t object, uint64_t sum)
{
	struct body_check check = {0, 0, 0};
	while (check.offset < self->size) {
		uint64_t missing = self->size - check.offset;
		if (!conversation_fill(self))
			return "the connection ended within a body";
		uint64_t count = self->count < missing ? self->count : missing;
		if (self->is_thorough && !body_is_whole(object, check.offset, self->bytes, count))
			return "a byte of the body is wrong";
		body_sample(&check, self->bytes, count);
		conversation_use(self, count);
	}
	return check.sum == sum ? NULL : "the checksum of the body is wrong";
}

static inline void body_send(struct conversation *self, uint64_t object)
{
	const char *body = body_of(self->pattern, object);
	for (uint64_t offset = 0; offset < self->size; offset += self->piece) {
		uint64_t missing = self->size - offset;
		stream_send(self->out, body + offset, missing < self->piece ? missing : self->piece);
	}
}

/* ---------------------------------------------------------------------------------------------- http -- */

/* Whether a header is exactly what the server writes. */
static inline bool http_is_as_written(const struct http_header *header, uint64_t size)
{
	char expected[HTTP_HEADER_MAXIMUM];
	return http_write_response(expected, 200, size) == header->length &&
	       memcmp(expected, header->text, header->length) == 0;
}

static inline const char *http_call(struct conversation *self, uint64_t object)
{
	struct http_header header;
	struct http_response response;
	stream_send(self->out, self->text, http_write_request(self->text, object));
	stream_flush(self->out);
	const char *error = header_receive(self, &header);
	if (!error)
		error = http_parse_response(&header, &response);
	if (error)
		return error;
	if (response.status != 200)
		return "the server does not have the object";
	if (response.content_length != self->size)
		return "the body does not have the length of the object";
	if (self->is_thorough && !http_is_as_written(&header, self->size))
		return "the header of the response is not the one that was sent";
	return body_receive(self, object, self->sums[object]);
}

static inline const char *http_answer(struct conversation *self)
{
	struct http_header header;
	struct http_request request;
	const char *error = header_receive(self, &header);
	if (!error)
		error = http_parse_request(&header, &request);
	if (error)
		return error;
	bool is_there = request.object < BODY_OBJECTS;
	stream_send(self->out, self->text,
	            http_write_response(self->text, is_there ? 200 : 404, is_there ? self->size : 0));
	if (is_there)
		body_send(self, request.object);
	stream_flush(self->out);
	return NULL;
}

/* ----------------------------------------------------------------------------------------------- rpc -- */

static inline const char *rpc_call(struct conversation *self, uint64_t id, uint64_t object)
{
	struct rpc_header response;
	self->read.object = object;
	self->read.offset = 0;
	self->read.size = self->size;
	self->header.magic = RPC_MAGIC;
	self->header.function = RPC_READ;
	self->header.id = id;
	self->header.size = sizeof(self->read);
	self->header.checksum = body_sum((const char *)&self->read, sizeof(self->read));
	stream_send(self->out, (const char *)&self->header, sizeof(self->header));
	stream_send(self->out, (const char *)&self->read, sizeof(self->read));
	stream_flush(self->out);
	const char *error = record_receive(self, &response, sizeof(response));
	if (!error)
		error = rpc_check_response(&response, id, self->size);
	return error ? error : body_receive(self, object, response.checksum);
}

static inline const char *rpc_answer(struct conversation *self)
{
	struct rpc_header request;
	struct rpc_read read;
	const char *error = record_receive(self, &request, sizeof(request));
	if (!error)
		error = rpc_check_request(&request);
	if (!error)
		error = record_receive(self, &read, sizeof(read));
	if (error)
		return error;
	if (body_sum((const char *)&read, sizeof(read)) != request.checksum)
		return "the checksum of the arguments is wrong";
	bool is_there = read.object < BODY_OBJECTS && read.offset == 0 && read.size == self->size;
	self->header = request;
	self->header.function = is_there ? RPC_RESULT : RPC_REFUSED;
	self->header.size = is_there ? self->size : 0;
	self->header.checksum = is_there ? self->sums[read.object] : 0;
	stream_send(self->out, (const char *)&self->header, sizeof(self->header));
	if (is_there)
		body_send(self, read.object);
	stream_flush(self->out);
	return NULL;
}

/* ---------------------------------------------------------------------------------------- both sides -- */

static inline void conversation_end(struct conversation *self)
{
	stream_end(self->out);
	for (self->count = 0; conversation_fill(self);)
		self->count = 0;
}

/* The client: request that many objects, one after the other. */
static inline void conversation_ask(struct conversation *self, uint64_t first, uint64_t rounds)
{
	self->error = NULL;
	for (uint64_t i = 0; i < rounds && !self->error; i++) {
		uint64_t object = (first + i) % BODY_OBJECTS;
		self->error = self->protocol == PROTOCOL_HTTP ? http_call(self, object) : rpc_call(self, i, object);
	}
	conversation_end(self);
}

/* The server: answer until the client ends. */
static inline void conversation_serve(struct conversation *self)
{
	self->error = NULL;
	while (!self->error && conversation_fill(self))
		self->error = self->protocol == PROTOCOL_HTTP ? http_answer(self) : rpc_answer(self);
	conversation_end(self);
}

#endif
