/*
 * A TCP echo server and its client: a task for each connection, written as if each call blocked (heddle/blocking.h).
 * From the root of the repository, after `make hosted`:
 *
 *     gcc -O2 -Iuser/include user/demo/embedding/echo.c build/hosted/libheddle.a -pthread -o echo
 *     ./echo serve port=7007 processors=2
 *     ./echo ask port=7007 connections=100 messages=1000
 *
 * port=0: any free port; the server prints it. It serves until its input ends.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <heddle/blocking.h>
#include <heddle/host.h>
#include <heddle/system.h>

#define MESSAGE 64
#define PAUSE   UINT64_C(100000000) /* nanoseconds, until a server without descriptors tries again */

static long port = 7007, processors = 2, connections = 100, messages = 1000;

/* Thousands of connections may fail for one reason, which is said once. */
static int fail(const char *what)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	if (!atomic_flag_test_and_set(&said))
		fprintf(stderr, "echo: %s: %s\n", what, strerror(errno));
	return -1;
}

/* ------------------------------------------------------------------------------- one connection's bytes -- */

/* Like read(), but the task waits. */
static ssize_t receive(int connection, void *bytes, size_t count)
{
	for (;;) {
		ssize_t got = read(connection, bytes, count);
		if (got >= 0 || errno != EAGAIN)
			return got;
		if (heddle_await_readable(connection, HEDDLE_NO_DEADLINE) != HEDDLE_OK)
			return -1;
	}
}

static bool send_all(int connection, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
		if (sent < 0 && errno == EAGAIN) {
			if (heddle_await_writable(connection, HEDDLE_NO_DEADLINE) != HEDDLE_OK)
				return false;
			continue;
		}
		if (sent < 0)
			return false;
		bytes += sent;
		count -= (size_t)sent;
	}
	return true;
}

static void send_at_once(int connection)
{
	int on = 1;
	setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* ----------------------------------------------------------------------------------------- the server -- */

static intptr_t answer(void *argument)
{
	int connection = (int)(intptr_t)argument;
	char bytes[1024];
	ssize_t got;
	while ((got = receive(connection, bytes, sizeof(bytes))) > 0)
		if (!send_all(connection, bytes, (size_t)got))
			break;
	close(connection);
	return 0;
}

/* Other connections may end meanwhile. */
static void wait_for_room(const char *what)
{
	static bool said;
	if (!said)
		fprintf(stderr, "echo: connections wait to be accepted: %s; `ulimit -n` says how many there may be\n",
		        what);
	said = true;
	task_sleep_until(heddle_clock() + PAUSE);
}

static intptr_t accept_all(void *listener)
{
	for (;;) {
		int connection = accept4((int)(intptr_t)listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (connection >= 0) {
			send_at_once(connection);
			if (heddle_spawn(answer, (void *)(intptr_t)connection, NULL) == HEDDLE_OK)
				continue;
			close(connection);
			wait_for_room("there is no memory for a task");
		} else if (errno == EAGAIN) {
			heddle_await_readable((int)(intptr_t)listener, HEDDLE_NO_DEADLINE);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
			wait_for_room(strerror(errno));
		} else if (errno != ECONNABORTED && errno != EINTR) {
			return fail("accept");
		}
	}
}

static struct sockaddr_in local(long number)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_port = htons((uint16_t)number),
	                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listen_at(long number)
{
	struct sockaddr_in address = local(number);
	socklen_t length = sizeof(address);
	int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (listener < 0)
		return fail("socket");
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0)
		return fail("bind");
	if (listen(listener, SOMAXCONN) < 0)
		return fail("listen");
	getsockname(listener, (struct sockaddr *)&address, &length);
	printf("port %d\n", ntohs(address.sin_port));
	fflush(stdout);
	return listener;
}

/* The calling thread waits for the end of the input; the machine serves meanwhile. */
static int serve(void)
{
	char byte;
	int listener = listen_at(port);
	if (listener < 0 || heddle_spawn(accept_all, (void *)(intptr_t)listener, NULL) != HEDDLE_OK)
		return EXIT_FAILURE;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return EXIT_SUCCESS; /* the connections end with the process */
}

/* ----------------------------------------------------------------------------------------- the client -- */

static atomic_long answers;

static int connect_to(long number)
{
	struct sockaddr_in address = local(number);
	int connection = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (connection < 0)
		return fail("socket");
	if (connect(connection, (struct sockaddr *)&address, sizeof(address)) < 0 && errno != EINPROGRESS)
		return fail("connect");
	send_at_once(connection);
	return connection;
}

/* Whether the answer equals the message. */
static bool ask_once(int connection, long number)
{
	char message[MESSAGE], back[MESSAGE];
	snprintf(message, sizeof(message), "message %ld of connection %d", number, connection);
	if (!send_all(connection, message, sizeof(message)))
		return false;
	for (size_t have = 0; have < sizeof(back);) {
		ssize_t got = receive(connection, back + have, sizeof(back) - have);
		if (got <= 0)
			return false;
		have += (size_t)got;
	}
	return strcmp(message, back) == 0;
}

static intptr_t ask(void *unused)
{
	int connection = connect_to(port);
	(void)unused;
	if (connection < 0 || heddle_await_writable(connection, HEDDLE_NO_DEADLINE) != HEDDLE_OK)
		return 0;
	for (long i = 0; i < messages && ask_once(connection, i); i++)
		atomic_fetch_add(&answers, 1);
	close(connection);
	return 0;
}

static intptr_t ask_all(void *unused)
{
	struct task **tasks = calloc((size_t)connections, sizeof(*tasks));
	(void)unused;
	if (!tasks)
		return fail("tasks");
	for (long i = 0; i < connections; i++)
		if (task_create(&tasks[i], ask, NULL, NULL) != HEDDLE_OK)
			tasks[i] = NULL;
	for (long i = 0; i < connections; i++)
		if (tasks[i])
			task_join(tasks[i], NULL);
	free(tasks);
	return 0;
}

static int ask_server(void)
{
	uint64_t begin = heddle_clock();
	heddle_run(ask_all, NULL, NULL);
	double seconds = (double)(heddle_clock() - begin) / 1e9;
	long all = connections * messages;
	printf("%ld of %ld answers in %.2f s: %.0f a second\n", answers, all, seconds, (double)answers / seconds);
	return answers == all ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ------------------------------------------------------------------------------------------------ words -- */

static bool read_word(const char *word)
{
	static const struct {
		const char *name;
		long *value;
	} words[] = {{"port=", &port},
	             {"processors=", &processors},
	             {"connections=", &connections},
	             {"messages=", &messages}};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].name);
		char *end;
		if (strncmp(word, words[i].name, length) != 0)
			continue;
		*words[i].value = strtol(word + length, &end, 10);
		return *end == '\0' && end != word + length && *words[i].value >= 0;
	}
	return false;
}

/* Allow as many descriptors as the host permits. */
static void raise_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int main(int count, char **arguments)
{
	char machine[64];
	bool serves = count > 1 && strcmp(arguments[1], "serve") == 0;
	bool good = serves || (count > 1 && strcmp(arguments[1], "ask") == 0);
	for (int i = 2; i < count; i++)
		good &= read_word(arguments[i]);
	if (!good) {
		fprintf(stderr, "echo: serve or ask, port=, processors=, connections=, messages= are allowed\n");
		return EXIT_FAILURE;
	}
	raise_limit();
	snprintf(machine, sizeof(machine), "processors=%ld", processors);
	if (heddle_start(machine) != HEDDLE_OK)
		return EXIT_FAILURE;
	if (serves)
		return serve();
	int status = ask_server();
	heddle_stop();
	return status;
}
