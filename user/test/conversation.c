/*
 * The conversations of `client` over a connection in memory: whatever one side sends, the other ends with an error or
 * a result.
 */
#include "heddle/barrier.h"
#include "heddle/system.h"
#include "user/bench/transport.h"
#include "user/crew.h"
#include "user/test/test.h"

#include "user/bench/conversation.h"

#define SIZE 10000

/* What one side sends instead of the right bytes, in pieces of `piece` bytes; NULL: it behaves correctly. */
struct script {
	const char *bytes;
	size_t length, piece;
};

struct stage {
	struct stream to_server, to_client;
	struct conversation client, server;
	struct script client_says, server_says;
	uint64_t rounds;
	enum heddle_error (*suspend)(void); /* transport.h */
	struct barrier end;
	char pattern[SIZE + BODY_EXTRA];
	uint64_t sums[BODY_OBJECTS];
};

static void play(struct conversation *self, const struct script *script)
{
	for (size_t offset = 0; offset < script->length; offset += script->piece) {
		size_t left = script->length - offset;
		stream_send(self->out, script->bytes + offset, left < script->piece ? left : script->piece);
	}
	conversation_end(self);
}

static intptr_t act(size_t number, void *argument)
{
	struct stage *stage = argument;
	if (number == 0 && stage->client_says.bytes)
		play(&stage->client, &stage->client_says);
	else if (number == 0)
		conversation_ask(&stage->client, 3, stage->rounds);
	else if (stage->server_says.bytes)
		play(&stage->server, &stage->server_says);
	else
		conversation_serve(&stage->server);
	/* until then the other side may resume this task */
	return barrier_wait(&stage->end, NULL);
}

static struct stage *stage_create(enum protocol protocol, uint64_t rounds)
{
	struct stage *stage = heddle_allocate(sizeof(*stage));
	if (!stage)
		return NULL;
	*stage = (struct stage){.rounds = rounds};
	body_fill(stage->pattern, SIZE);
	body_sums(stage->pattern, SIZE, stage->sums);
	stage->client = (struct conversation){.protocol = protocol,
	                                      .pattern = stage->pattern,
	                                      .sums = stage->sums,
	                                      .size = SIZE,
	                                      .piece = 100,
	                                      .is_thorough = true};
	stage->server = stage->client;
	return stage;
}

static bool stage_run(struct stage *stage)
{
	struct crew crew = {.name = "conversation", .function = act, .argument = stage, .count = 2};
	intptr_t sum;
	stage->end = (struct barrier)HEDDLE_BARRIER_INITIALIZER(2);
	stage->client.in_ended = stage->server.in_ended = false;
	stage->client.error = stage->server.error = NULL;
	if (crew_create(&crew) != HEDDLE_OK)
		return false;
	stream_create(&stage->to_server, crew_task(&crew, 0), crew_task(&crew, 1), stage->suspend);
	stream_create(&stage->to_client, crew_task(&crew, 1), crew_task(&crew, 0), stage->suspend);
	stage->client.out = stage->server.in = &stage->to_server;
	stage->server.out = stage->client.in = &stage->to_client;
	crew_start(&crew);
	return crew_join(&crew, &sum) == HEDDLE_OK;
}

static bool is_said(const char *error, const char *sentence)
{
	return error && strcmp(error, sentence) == 0;
}

TEST(conversation, goes_well_with_pieces_of_any_size)
{
	for (unsigned protocol = PROTOCOL_HTTP; protocol <= PROTOCOL_RPC; protocol++) {
		struct stage *stage = stage_create((enum protocol)protocol, 20);
		CHECK(stage);
		for (uint64_t piece = 1; piece <= 2 * SIZE; piece = 4 * piece + 3) {
			stage->server.piece = piece;
			stage->suspend = NULL;
			CHECK(stage_run(stage) && !stage->client.error && !stage->server.error);
			stage->suspend = task_suspend;
			CHECK(stage_run(stage) && !stage->client.error && !stage->server.error);
		}
		heddle_free(stage, sizeof(*stage));
	}
}

/* The client's error when a server sends this instead of an answer, and then ends. */
static const char *client_hears(enum protocol protocol, const void *bytes, size_t length, size_t piece)
{
	struct stage *stage = stage_create(protocol, 2);
	const char *error = "no memory";
	if (stage) {
		stage->server_says = (struct script){bytes, length, piece};
		error = stage_run(stage) ? stage->client.error : "no tasks";
		heddle_free(stage, sizeof(*stage));
	}
	return error;
}

static const char *server_hears(enum protocol protocol, const void *bytes, size_t length, size_t piece)
{
	struct stage *stage = stage_create(protocol, 2);
	const char *error = "no memory";
	if (stage) {
		stage->client_says = (struct script){bytes, length, piece};
		error = stage_run(stage) ? stage->server.error : "no tasks";
		heddle_free(stage, sizeof(*stage));
	}
	return error;
}

#define CLIENT_HEARS(text, sentence)                          \
	for (size_t piece = 1; piece <= sizeof(text); piece += 5) \
	CHECK(is_said(client_hears(PROTOCOL_HTTP, text, sizeof(text) - 1, piece), sentence))

TEST(conversation, client_names_what_is_wrong_with_http)
{
	static char longest[HTTP_HEADER_MAXIMUM + 2];
	memset(longest, 'x', sizeof(longest) - 1);
	CLIENT_HEARS("", "the connection ended within a header");
	CLIENT_HEARS("HTTP/1.1 200 OK\r\n", "the connection ended within a header");
	CLIENT_HEARS("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
	             "the server does not have the object");
	CLIENT_HEARS("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n",
	             "the body does not have the length of the object");
	CLIENT_HEARS("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n",
	             "the header of the response is not the one that was sent");
	CLIENT_HEARS(longest, "the header is longer than 1024 bytes");
}

TEST(conversation, client_notices_a_wrong_body)
{
	static char answer[HTTP_HEADER_MAXIMUM + SIZE];
	size_t header = http_write_response(answer, 200, SIZE);
	for (uint64_t offset = 0; offset < SIZE; offset++)
		answer[header + offset] = body_byte(3, offset);
	CHECK(is_said(client_hears(PROTOCOL_HTTP, answer, header, 100), "the connection ended within a body"));
	CHECK(is_said(client_hears(PROTOCOL_HTTP, answer, header + SIZE - 1, 77),
	              "the connection ended within a body"));
	/* the first answer is right, but there is no second one */
	CHECK(is_said(client_hears(PROTOCOL_HTTP, answer, header + SIZE, 77),
	              "the connection ended within a header"));
	answer[header + SIZE / 2]++;
	CHECK(is_said(client_hears(PROTOCOL_HTTP, answer, header + SIZE, 77), "a byte of the body is wrong"));
}

TEST(conversation, client_names_what_is_wrong_with_rpc)
{
	struct rpc_header header = {RPC_MAGIC, RPC_RESULT, 0, SIZE, 0};
	CHECK(is_said(client_hears(PROTOCOL_RPC, &header, sizeof(header) - 1, 3),
	              "the connection ended within a header"));
	CHECK(is_said(client_hears(PROTOCOL_RPC, &header, sizeof(header), 3),
	              "the connection ended within a body"));
	header.size--;
	CHECK(is_said(client_hears(PROTOCOL_RPC, &header, sizeof(header), 3),
	              "the response does not have the size that was asked for"));
	header.id = 1;
	CHECK(is_said(client_hears(PROTOCOL_RPC, &header, sizeof(header), 3),
	              "the response is that of another call"));
	header.magic = 0;
	CHECK(is_said(client_hears(PROTOCOL_RPC, &header, sizeof(header), 3),
	              "what came is not the header of a call"));
}

TEST(conversation, server_names_what_is_wrong)
{
	static const char request[] = "POST /objects/1 HTTP/1.1\r\nHost: memory\r\n\r\n";
	struct {
		struct rpc_header header;
		struct rpc_read read;
	} call = {{RPC_MAGIC, RPC_READ, 0, sizeof(struct rpc_read), 1}, {0, 0, SIZE}};
	for (size_t piece = 1; piece < sizeof(request); piece += 7)
		CHECK(is_said(server_hears(PROTOCOL_HTTP, request, sizeof(request) - 1, piece),
		              "the request is not GET /objects/NUMBER"));
	CHECK(is_said(server_hears(PROTOCOL_HTTP, request, 10, 3), "the connection ended within a header"));
	CHECK(is_said(server_hears(PROTOCOL_RPC, &call, sizeof(call), 5),
	              "the checksum of the arguments is wrong"));
	CHECK(is_said(server_hears(PROTOCOL_RPC, &call, sizeof(call) - 1, 5),
	              "the connection ended within a header"));
	call.header.function = 77;
	CHECK(is_said(server_hears(PROTOCOL_RPC, &call, sizeof(call), 5), "there is no such function to call"));
}

/* A server without the requested object says so, and goes on. */
TEST(conversation, server_refuses_what_it_does_not_have)
{
	char request[HTTP_HEADER_MAXIMUM];
	size_t length = http_write_request(request, BODY_OBJECTS);
	struct rpc_read read = {BODY_OBJECTS, 0, SIZE};
	struct {
		struct rpc_header header;
		struct rpc_read read;
	} call = {{RPC_MAGIC, RPC_READ, 0, sizeof(read), body_sum((const char *)&read, sizeof(read))}, read};
	CHECK(!server_hears(PROTOCOL_HTTP, request, length, 7));
	CHECK(!server_hears(PROTOCOL_RPC, &call, sizeof(call), 7));
}
