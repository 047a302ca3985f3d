/*
 * The remote procedure calls of `client`: a header of fixed size, then its payload. A header may arrive in pieces of
 * any size, and is copied; a payload is not. Functions return NULL on success, else a sentence. C and C++
 * (tools/measure/peers/); both sides are on the same machine, so words are in its byte order.
 */
#ifndef USER_BENCH_RPC_H
#define USER_BENCH_RPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RPC_MAGIC UINT32_C(0x4c4c4143)

enum rpc_function { RPC_READ = 1, RPC_RESULT, RPC_REFUSED };

struct rpc_header {
	uint32_t magic;
	uint32_t function; /* enum rpc_function */
	uint64_t id;       /* the same in a request and its response */
	uint64_t size;     /* of the payload, bytes */
	uint64_t checksum; /* of the payload (body.h) */
};

/* The payload of RPC_READ. That of RPC_RESULT is the bytes; RPC_REFUSED has none. */
struct rpc_read {
	uint64_t object, offset, size;
};

/* Collects something of fixed size that arrives in pieces. */
struct rpc_collector {
	char *target;
	size_t size, length;
};

/* Returns how many of the bytes it took; it is complete when `length` is `size`. */
static inline size_t rpc_collect(struct rpc_collector *collector, const char *bytes, size_t size)
{
	size_t missing = collector->size - collector->length, taken = size < missing ? size : missing;
	memcpy(collector->target + collector->length, bytes, taken);
	collector->length += taken;
	return taken;
}

/* Whether it is a request's header. */
static inline const char *rpc_check_request(const struct rpc_header *header)
{
	if (header->magic != RPC_MAGIC)
		return "what came is not the header of a call";
	if (header->function != RPC_READ)
		return "there is no such function to call";
	if (header->size != sizeof(struct rpc_read))
		return "the arguments of the call do not have the right size";
	return NULL;
}

/* Whether it is the header of the response to request `id`, for that many bytes. */
static inline const char *rpc_check_response(const struct rpc_header *header, uint64_t id, uint64_t size)
{
	if (header->magic != RPC_MAGIC)
		return "what came is not the header of a call";
	if (header->id != id)
		return "the response is that of another call";
	if (header->function == RPC_REFUSED)
		return "the server refused the call";
	if (header->function != RPC_RESULT)
		return "this is not a response";
	if (header->size != size)
		return "the response does not have the size that was asked for";
	return NULL;
}

#endif
