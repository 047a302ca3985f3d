/*
 * What the peers' `client` share: the conversation of user/bench/client.c itself, the same code, over streams of
 * their own. Declared before this is included:
 *
 *     struct stream
 *     stream_put(stream, bytes, size)    a piece; one without bytes is the end
 *     stream_flush(stream), stream_receive(stream, &bytes)    as user/bench/conversation.h has them
 *
 * protocol=1 is HTTP, protocol=2 RPC.
 */
#ifndef PEERS_COMMON_CLIENT_HPP
#define PEERS_COMMON_CLIENT_HPP

#include <functional>
#include <vector>

#include "common/bench.hpp"

/* A piece without bytes would be the end. */
static inline void stream_send(stream *stream, const char *bytes, std::size_t size)
{
	if (size)
		stream_put(stream, bytes, size);
}

static inline void stream_end(stream *stream)
{
	stream_put(stream, nullptr, 0);
	stream_flush(stream);
}

#include "user/bench/conversation.h"

namespace bench
{

struct connection {
	stream to_server, to_client;
	conversation client, server;
};

/* `run_all` runs the functions of the vector, each as a task, and returns the time until all have ended. */
template <class Run> int client_measure(int argc, char **argv, const char *peer, Run run_all)
{
	parameters given(
	    argc, argv,
	    {{"clients", 10}, {"rounds", 2000}, {"size", 1048576}, {"piece", 65536}, {"protocol", 1}});
	uint64_t clients = given["clients"], rounds = given["rounds"], size = given["size"];
	std::vector<char> pattern(size + BODY_EXTRA);
	body_fill(pattern.data(), size);
	uint64_t sums[BODY_OBJECTS];
	body_sums(pattern.data(), size, sums);
	bool is_thorough = true; // the first turn
	auto turn = [&]() -> uint64_t {
		std::vector<connection> connections(clients);
		std::vector<std::function<void()>> functions;
		conversation common{};
		common.protocol = given["protocol"] == 1 ? PROTOCOL_HTTP : PROTOCOL_RPC;
		common.pattern = pattern.data();
		common.sums = sums;
		common.size = size;
		common.piece = given["piece"];
		common.is_thorough = is_thorough;
		uint64_t count = is_thorough ? 2 : rounds;
		for (uint64_t i = 0; i < clients; i++) {
			connection &each = connections[i];
			each.client = each.server = common;
			each.client.out = each.server.in = &each.to_server;
			each.server.out = each.client.in = &each.to_client;
			functions.push_back([&each, i, count] { conversation_ask(&each.client, i, count); });
			functions.push_back([&each] { conversation_serve(&each.server); });
		}
		uint64_t nanoseconds = run_all(functions);
		for (const connection &each : connections) {
			if (each.client.error || each.server.error)
				fail(each.server.error ? each.server.error : each.client.error);
		}
		is_thorough = false;
		return nanoseconds;
	};
	return measure(given["protocol"] == 1 ? "client-http" : "client-rpc", peer, clients * rounds, turn);
}

} // namespace bench

#endif
