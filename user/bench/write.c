/*
 * The cost when a task waits deep in a chain of calls (switching paper, Figure 14): each server sends a large file,
 * one call at a time, and waits for room before each call. There is always room, so it waits only to let the others
 * go on. Nothing is copied, so the switch and the calls remain.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/measure.h"

#define MEGABYTE UINT64_C(1000000)

/* One end of a connection; only its own task uses it. */
struct connection {
	uint64_t room;      /* bytes that it accepts at once */
	uint64_t sent;      /* bytes that it has accepted, */
	uint64_t calls;     /* in so many calls, */
	uint64_t misplaced; /* and how often they were not the next ones */
};

struct server {
	struct connection *connections;
	uint64_t length; /* of a file */
};

/* The chain of calls is measured. */
#define KEPT_CALL __attribute__((noinline))

static KEPT_CALL void wait_for_ready(struct connection *connection)
{
	(void)connection;
	task_yield();
}

/* Returns how many of the bytes it accepted, from `offset` in the file on. */
static KEPT_CALL uint64_t send_some(struct connection *connection, uint64_t offset, uint64_t count)
{
	wait_for_ready(connection);
	uint64_t taken = count < connection->room ? count : connection->room;
	connection->misplaced += offset != connection->sent;
	connection->sent += taken;
	connection->calls++;
	return taken;
}

static KEPT_CALL uint64_t write_fully(struct connection *connection, uint64_t length)
{
	uint64_t offset = 0;
	while (offset < length)
		offset += send_some(connection, offset, length - offset);
	return offset;
}

static intptr_t serve(size_t number, void *argument)
{
	const struct server *server = argument;
	return (intptr_t)write_fully(&server->connections[number], server->length);
}

static bool write_measure(struct program_run *run, struct server *server, uint64_t tasks, uint64_t size)
{
	struct crew crew = {.name = "write", .function = serve, .argument = server, .count = tasks};
	uint64_t duration, calls = 0, expected = (server->length + size - 1) / size;
	intptr_t written;
	for (uint64_t i = 0; i < tasks; i++)
		server->connections[i] = (struct connection){.room = size};
	if (!crew_measure(run, &crew, &duration, &written))
		return false;
	bool ok = (uint64_t)written == tasks * server->length;
	for (uint64_t i = 0; i < tasks; i++) {
		const struct connection *connection = &server->connections[i];
		calls += connection->calls;
		ok = ok && connection->sent == server->length && connection->calls == expected &&
		     connection->misplaced == 0;
	}
	program_result(run, NULL, calls, duration, ok);
	return ok || program_failed(run, "some file did not arrive whole and in order");
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks"), size = program_value(run, "size");
	struct server server = {.length = program_value(run, "megabytes") * MEGABYTE};
	size_t bytes = tasks * sizeof(*server.connections);
	server.connections = heddle_allocate(bytes);
	if (!server.connections)
		return program_failed(run, "no memory for %lu connections", tasks);
	bool ok = write_measure(run, &server, tasks, size);
	heddle_free(server.connections, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"tasks", 10, 1, 1000000, "how many tasks send a file each"},
    {"megabytes", 100, 1, 1000000, "of each file"},
    {"size", 800, 1, 1000000, "bytes that a connection takes at once"},
    {0}};

HEDDLE_PROGRAM(write, "files sent through a chain of calls that waits each time (switching paper, Figure 14)",
               parameters, run);
