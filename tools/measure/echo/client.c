/*
 * The client of an echo server on this machine: on each connection it sends a message of 64 bytes, and the next one
 * when the answer has come. One thread with epoll, and no code of what is measured. Prints how many answers came, and
 * in how many seconds.
 *
 *     client PORT CONNECTIONS MILLISECONDS
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE 64
#define EVENTS  256

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "client: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static long milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int connect_to(int port)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
	                              .sin_port = htons((unsigned short)port),
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int on = 1, made = socket(AF_INET, SOCK_STREAM, 0);
	check(made >= 0, "socket");
	check(connect(made, (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return made;
}

static void ask(int connection)
{
	static const char message[MESSAGE] = "a message of a client";
	check(send(connection, message, sizeof(message), MSG_NOSIGNAL) == sizeof(message), "send");
}

/* On this machine an answer comes in one piece; a part of one would count as wrong. */
static void receive(int connection)
{
	char answer[MESSAGE];
	check(read(connection, answer, sizeof(answer)) == sizeof(answer), "an answer is not whole");
	check(strcmp(answer, "a message of a client") == 0, "an answer is another");
}

static long ask_until(int set, long end)
{
	long answers = 0;
	while (milliseconds() < end) {
		struct epoll_event events[EVENTS];
		int count = epoll_wait(set, events, EVENTS, 1000);
		check(count > 0 || errno == EINTR, "no answer within a second");
		for (int i = 0; i < count; i++) {
			receive(events[i].data.fd);
			ask(events[i].data.fd);
			answers++;
		}
	}
	return answers;
}

int main(int count, char **words)
{
	struct rlimit limit;
	check(count == 4, "PORT CONNECTIONS MILLISECONDS");
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	int set = epoll_create1(0), *connections = calloc((size_t)atoi(words[2]), sizeof(int));
	for (int i = 0; i < atoi(words[2]); i++) {
		struct epoll_event event = {.events = EPOLLIN};
		event.data.fd = connections[i] = connect_to(atoi(words[1]));
		check(epoll_ctl(set, EPOLL_CTL_ADD, connections[i], &event) == 0, "epoll_ctl");
	}
	for (int i = 0; i < atoi(words[2]); i++)
		ask(connections[i]);
	long length = atol(words[3]), warm = milliseconds() + length / 4;
	ask_until(set, warm);
	long begin = milliseconds();
	long answers = ask_until(set, begin + length);
	printf("answers=%ld milliseconds=%ld\n", answers, milliseconds() - begin);
	return EXIT_SUCCESS;
}
