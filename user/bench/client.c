/*
 * Clients that request large objects from servers (switching paper, Figure 16), through HTTP and through remote
 * procedure calls. Real headers are written and parsed; bodies are passed by reference, as a network card would. Each
 * client has its own connection, with a task at each end. calls=usual and the word colour=off undo two steps of the
 * figure: tasks suspend by the usual calling convention, and all stacks begin in the same sets of the cache (yield.c).
 */
#include "heddle/barrier.h"
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/measure.h"
#include "user/bench/transport.h"

#include "user/bench/conversation.h"

#define BOTH 2

struct connection {
	struct stream to_server, to_client;
	struct conversation client, server;
};

struct market {
	struct connection *connections;
	enum heddle_error (*suspend)(void); /* transport.h */
	uint64_t clients, rounds;
	struct barrier end;
};

static intptr_t member(size_t number, void *argument)
{
	struct market *market = argument;
	struct connection *connection = &market->connections[number / 2];
	if (number % 2)
		conversation_serve(&connection->server);
	else
		conversation_ask(&connection->client, number / 2, market->rounds);
	/* until then the other side may resume this task */
	return barrier_wait(&market->end, NULL);
}

static void connection_create(struct connection *connection, const struct crew *crew, size_t number,
                              const struct conversation *common, enum heddle_error (*suspend)(void))
{
	struct task *client = crew_task(crew, 2 * number), *server = crew_task(crew, 2 * number + 1);
	stream_create(&connection->to_server, client, server, suspend);
	stream_create(&connection->to_client, server, client, suspend);
	connection->client = connection->server = *common;
	connection->client.out = connection->server.in = &connection->to_server;
	connection->server.out = connection->client.in = &connection->to_client;
}

static bool is_content(struct program_run *run, const struct market *market)
{
	for (uint64_t i = 0; i < market->clients; i++) {
		const struct connection *connection = &market->connections[i];
		if (connection->server.error)
			return program_failed(run, "server %lu: %s", i, connection->server.error);
		if (connection->client.error)
			return program_failed(run, "client %lu: %s", i, connection->client.error);
	}
	return true;
}

/* All clients ask `rounds` times. */
static bool ask(struct program_run *run, struct market *market, const struct conversation *common,
                uint64_t *duration)
{
	struct crew crew = {.name = "client",
	                    .function = member,
	                    .argument = market,
	                    .count = 2 * market->clients,
	                    .bound = program_value(run, "bind"),
	                    .processors = 1};
	intptr_t failures;
	enum heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %zu tasks: %s", crew.count, heddle_error_text(error));
	market->end = (struct barrier)HEDDLE_BARRIER_INITIALIZER((uint32_t)crew.count);
	for (uint64_t i = 0; i < market->clients; i++)
		connection_create(&market->connections[i], &crew, i, common, market->suspend);
	uint64_t start = heddle_clock();
	crew_start(&crew);
	error = crew_join(&crew, &failures);
	*duration = heddle_clock() - start;
	if (error != HEDDLE_OK || failures != 0)
		return program_failed(run, "a task failed");
	return is_content(run, market);
}

/* First without the clock, checking every byte. */
static bool measure(struct program_run *run, struct market *market, struct conversation *common,
                    enum protocol protocol)
{
	uint64_t duration;
	common->protocol = protocol;
	common->is_thorough = true;
	market->rounds = 2;
	if (!ask(run, market, common, &duration))
		return false;
	common->is_thorough = false;
	market->rounds = program_value(run, "rounds");
	bool ok = ask(run, market, common, &duration);
	uint64_t requests = market->clients * market->rounds;
	program_result_extra(run, "requests_per_second", requests * 1000000000 / (duration ? duration : 1));
	return program_result(run, protocol == PROTOCOL_HTTP ? "http" : "rpc", requests, duration, ok);
}

static bool run(struct program_run *run)
{
	uint64_t size = program_value(run, "size"), protocol = program_value(run, "protocol");
	struct market market = {.clients = program_value(run, "clients"),
	                        .suspend = program_value(run, "calls") ? task_suspend : NULL};
	struct conversation common = {.size = size, .piece = program_value(run, "piece")};
	uint64_t sums[BODY_OBJECTS];
	size_t connections_bytes = market.clients * sizeof(*market.connections);
	char *pattern = heddle_allocate(size + BODY_EXTRA);
	bool ok = false;
	market.connections = heddle_allocate(connections_bytes);
	if (pattern && market.connections) {
		body_fill(pattern, size);
		body_sums(pattern, size, sums);
		common.pattern = pattern;
		common.sums = sums;
		ok = (protocol == PROTOCOL_RPC || measure(run, &market, &common, PROTOCOL_HTTP)) &&
		     (protocol == PROTOCOL_HTTP || measure(run, &market, &common, PROTOCOL_RPC));
	} else
		program_failed(run, "no memory for %lu clients and an object of %lu bytes", market.clients, size);
	heddle_free(market.connections, connections_bytes);
	heddle_free(pattern, size + BODY_EXTRA);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"protocol", BOTH, .help = "which client", .choices = "http|rpc|both"},
    {"clients", 10, 1, 100000, "how many clients, each with a server"},
    {"rounds", 2000, 1, 1000000000, "requests of each client"},
    {"size", 1048576, 1, 1000000000, "bytes of an object"},
    {"piece", 65536, 1, 1000000000, "bytes of a body that are sent at once"},
    {"calls", 0, .help = "how a task suspends", .choices = "lean|usual"},
    {"bind", 0, 0, 1, "1: all on one processor; 0: leave them to the scheduler"},
    {0}};

HEDDLE_PROGRAM(client, "HTTP and RPC clients over a connection in memory (switching paper, Figure 16)",
               parameters, run);
