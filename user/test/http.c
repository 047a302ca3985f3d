/*
 * The protocols of `client`: correct bytes are understood however they are cut into pieces, anything else is refused.
 */
#include "user/bench/http.h"

#include "user/bench/body.h"
#include "user/bench/random.h"
#include "user/bench/rpc.h"
#include "user/test/test.h"

/* Feed the text in pieces of `piece` bytes; *left is how many came after the header. */
static const char *collect(struct http_header *header, const char *text, size_t length, size_t piece,
                           size_t *left)
{
	size_t offset = 0, taken;
	header->length = 0;
	header->is_complete = false;
	while (offset < length && !header->is_complete) {
		size_t size = length - offset < piece ? length - offset : piece;
		const char *error = http_collect(header, text + offset, size, &taken);
		if (error)
			return error;
		offset += taken;
	}
	*left = length - offset;
	return header->is_complete ? NULL : "not complete";
}

static const char *parse(const char *text, struct http_response *response)
{
	struct http_header header;
	size_t left;
	const char *error = collect(&header, text, strlen(text), strlen(text), &left);
	return error ? error : http_parse_response(&header, response);
}

static const char *parse_request(const char *text, struct http_request *request)
{
	struct http_header header;
	size_t left;
	const char *error = collect(&header, text, strlen(text), strlen(text), &left);
	return error ? error : http_parse_request(&header, request);
}

#define OK_LINE "HTTP/1.1 200 OK\r\n"

TEST(http, understands_a_header_in_pieces)
{
	char text[HTTP_HEADER_MAXIMUM + 4];
	size_t length = http_write_response(text, 200, 1048576), left;
	memcpy(text + length, "body", 4);
	for (size_t piece = 1; piece <= length + 4; piece++) {
		struct http_header header;
		struct http_response response = {0};
		CHECK(!collect(&header, text, length + 4, piece, &left));
		CHECK_EQUAL(left, 4);
		CHECK_EQUAL(header.length, length);
		CHECK(!http_parse_response(&header, &response));
		CHECK_EQUAL(response.status, 200);
		CHECK_EQUAL(response.content_length, 1048576);
		CHECK(response.stays_open);
	}
}

TEST(http, understands_what_it_writes)
{
	char text[HTTP_HEADER_MAXIMUM];
	struct http_request request = {0};
	text[http_write_request(text, UINT64_MAX / 10 - 1)] = 0;
	CHECK(!parse_request(text, &request));
	CHECK_EQUAL(request.object, UINT64_MAX / 10 - 1);
	CHECK(http_write_request(text, UINT64_MAX) < HTTP_HEADER_MAXIMUM);
	CHECK(http_write_response(text, UINT32_MAX, UINT64_MAX) < HTTP_HEADER_MAXIMUM);
}

TEST(http, understands_variations)
{
	struct http_response response;
	CHECK(!parse(OK_LINE "cOnTeNt-LENGTH:\t 0012 \t\r\nconnection: close\r\nX:\r\n\r\n", &response));
	CHECK_EQUAL(response.content_length, 12);
	CHECK(!response.stays_open);
	CHECK(!parse(OK_LINE "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", &response));
	CHECK(!parse("HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", &response));
	CHECK_EQUAL(response.status, 404);
	CHECK(!parse("HTTP/1.1 204 \r\nA: b:c\r\nContent-Length: 0\r\n\r\n", &response));
}

TEST(http, refuses_bad_responses)
{
	static const char *const bad[] = {
	    "\r\n\r\n",
	    "HTTP/1.1\r\n\r\n",
	    "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n",
	    "HTTP/1.1 20\r\nContent-Length: 1\r\n\r\n",
	    "HTTP/1.1 2000 OK\r\nContent-Length: 1\r\n\r\n",
	    "HTTP/1.1 2x0 OK\r\nContent-Length: 1\r\n\r\n",
	    "HTTP/1.1 099 OK\r\nContent-Length: 1\r\n\r\n",
	    "HTTP/1.1 \r\nContent-Length: 1\r\n\r\n",
	    OK_LINE "\r\n",
	    OK_LINE "Content-Length: \r\n\r\n",
	    OK_LINE "Content-Length: -1\r\n\r\n",
	    OK_LINE "Content-Length: 1x\r\n\r\n",
	    OK_LINE "Content-Length: 1 1\r\n\r\n",
	    OK_LINE "Content-Length: 18446744073709551616\r\n\r\n",
	    OK_LINE "Content-Length: 99999999999999999999999\r\n\r\n",
	    OK_LINE "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
	    OK_LINE "Content-Length 1\r\n\r\n",
	    OK_LINE "Content-Length : 1\r\n\r\n",
	    OK_LINE ": 1\r\nContent-Length: 1\r\n\r\n",
	    OK_LINE "Content-Length: 1\r\n folded: 1\r\n\r\n",
	    OK_LINE "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
	    OK_LINE "Content-Length: 1\r\n",
	    "",
	};
	struct http_response response;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!parse(bad[i], &response))
			CHECK_EQUAL(i, sizeof(bad) / sizeof(*bad)); /* this one was accepted */
}

TEST(http, refuses_bad_requests)
{
	static const char *const bad[] = {
	    "\r\n\r\n",
	    " HTTP/1.1\r\n\r\n",
	    "GET /objects/1 HTTP/1.0\r\nHost: memory\r\n\r\n",
	    "POST /objects/1 HTTP/1.1\r\nHost: memory\r\n\r\n",
	    "GET /objects/ HTTP/1.1\r\nHost: memory\r\n\r\n",
	    "GET /objects/1x HTTP/1.1\r\nHost: memory\r\n\r\n",
	    "GET /objects/18446744073709551616 HTTP/1.1\r\nHost: memory\r\n\r\n",
	    "GET /other/1 HTTP/1.1\r\nHost: memory\r\n\r\n",
	    "GET /objects/1 HTTP/1.1\r\n\r\n",
	    "GET /objects/1 HTTP/1.1\r\nHost\r\n\r\n",
	    "HTTP/1.1\r\n\r\n",
	};
	struct http_request request;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!parse_request(bad[i], &request))
			CHECK_EQUAL(i, sizeof(bad) / sizeof(*bad));
}

TEST(http, takes_the_longest_header_and_no_longer)
{
	char text[HTTP_HEADER_MAXIMUM + 1];
	struct http_header header;
	size_t left;
	memset(text, 'x', sizeof(text));
	memcpy(text + HTTP_HEADER_MAXIMUM - 4, "\r\n\r\n", 4);
	for (size_t piece = 1; piece < sizeof(text); piece += 50)
		CHECK(!collect(&header, text, HTTP_HEADER_MAXIMUM, piece, &left));
	memset(text, 'x', sizeof(text));
	memcpy(text + HTTP_HEADER_MAXIMUM - 3, "\r\n\r\n", 4);
	for (size_t piece = 1; piece <= sizeof(text); piece += 50)
		CHECK(collect(&header, text, sizeof(text), piece, &left));
}

/* Whatever comes is accepted or an error, and nothing is read or written out of bounds. */
TEST(http, survives_damage)
{
	char text[HTTP_HEADER_MAXIMUM];
	struct random random = random_start(0);
	for (unsigned round = 0; round < 2000; round++) {
		struct http_header header;
		struct http_response response;
		struct http_request request;
		size_t left,
		    length = round % 2 ? http_write_response(text, 200, round) : http_write_request(text, round);
		for (unsigned i = 0; i < 1 + round % 8; i++)
			text[random_below(&random, length)] = "\r\n :\0\t9z"[random_below(&random, 8)];
		if (collect(&header, text, length, 1 + random_below(&random, length), &left))
			continue;
		CHECK(header.length <= length);
		if (!http_parse_response(&header, &response))
			CHECK(response.status >= 100 && response.status <= 999);
		http_parse_request(&header, &request);
	}
}

TEST(rpc, takes_a_header_in_pieces)
{
	struct rpc_header sent = {RPC_MAGIC, RPC_RESULT, 7, 4096, 99}, received;
	for (size_t piece = 1; piece <= sizeof(sent) + 5; piece++) {
		struct rpc_collector collector = {(char *)&received, sizeof(received), 0};
		char bytes[sizeof(sent) + 5] = {0};
		size_t offset = 0;
		memcpy(bytes, &sent, sizeof(sent));
		memset(&received, 0, sizeof(received));
		while (collector.length < collector.size)
			offset += rpc_collect(&collector, bytes + offset,
			                      sizeof(bytes) - offset < piece ? sizeof(bytes) - offset : piece);
		CHECK_EQUAL(offset, sizeof(sent));
		CHECK(memcmp(&sent, &received, sizeof(sent)) == 0);
		CHECK(!rpc_check_response(&received, 7, 4096));
	}
}

TEST(rpc, refuses_bad_headers)
{
	const struct rpc_header good = {RPC_MAGIC, RPC_RESULT, 7, 4096, 0};
	const struct rpc_header call = {RPC_MAGIC, RPC_READ, 7, sizeof(struct rpc_read), 0};
	struct rpc_header bad = good;
	bad.magic++;
	CHECK(rpc_check_response(&bad, 7, 4096) && rpc_check_request(&bad));
	CHECK(rpc_check_response(&good, 8, 4096) && rpc_check_response(&good, 7, 4095));
	bad = good;
	bad.function = RPC_REFUSED;
	CHECK(rpc_check_response(&bad, 7, 4096));
	bad.function = RPC_READ;
	CHECK(rpc_check_response(&bad, 7, 4096));
	CHECK(!rpc_check_request(&call) && rpc_check_request(&good));
	bad = call;
	bad.size = UINT64_MAX;
	CHECK(rpc_check_request(&bad));
}

TEST(body, is_checked_in_pieces)
{
	static char pattern[50000 + BODY_EXTRA];
	uint64_t sums[BODY_OBJECTS], size = sizeof(pattern) - BODY_EXTRA;
	body_fill(pattern, size);
	body_sums(pattern, size, sums);
	for (uint64_t piece = 1; piece < 40000; piece = 3 * piece + 1) {
		struct body_check check = {0, 0, 0};
		const char *body = body_of(pattern, 5);
		while (check.offset < size) {
			uint64_t offset = check.offset, count = size - offset < piece ? size - offset : piece;
			CHECK(body_is_whole(5, offset, body + offset, count));
			CHECK(!body_is_whole(6, offset, body + offset, count) || count < 4);
			body_sample(&check, body + offset, count);
		}
		CHECK_EQUAL(check.sum, sums[5]);
		CHECK(check.sum != sums[6]);
	}
}
