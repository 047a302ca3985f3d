/*
 * An echo server with a fiber for each connection, until the program's input ends. Boost.Fiber has no sockets: a
 * thread waits with epoll when none of its fibers is ready. Each thread has its own listening socket.
 *
 *     boost_fiber THREADS
 */
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boost/fiber/all.hpp>

namespace fibers = boost::fibers;

namespace
{

thread_local int epoll_set;
thread_local std::vector<fibers::context *> waiting; // by descriptor

/* Round robin; waits for descriptors when nothing is ready, or now and then. */
class descriptors : public fibers::algo::round_robin
{
  public:
	fibers::context *pick_next() noexcept override
	{
		if (++picks % 64 == 0)
			look(0);
		return round_robin::pick_next();
	}

	void suspend_until(const std::chrono::steady_clock::time_point &until) noexcept override
	{
		look(until == (std::chrono::steady_clock::time_point::max)() ? -1 : 1);
	}

	void notify() noexcept override
	{
	}

  private:
	unsigned picks = 0;

	void look(int milliseconds) noexcept
	{
		epoll_event events[256];
		int count = epoll_wait(epoll_set, events, 256, milliseconds);
		for (int i = 0; i < count; i++) {
			fibers::context *&context = waiting[static_cast<size_t>(events[i].data.fd)];
			if (fibers::context *ready = context) {
				context = nullptr;
				fibers::context::active()->schedule(ready);
			}
		}
	}
};

/* For a descriptor that epoll reports edge-triggered. */
void wait_for(int descriptor)
{
	if (waiting.size() <= static_cast<size_t>(descriptor))
		waiting.resize(static_cast<size_t>(descriptor) * 2 + 1024);
	waiting[static_cast<size_t>(descriptor)] = fibers::context::active();
	fibers::context::active()->suspend();
}

void add(int descriptor)
{
	epoll_event event{};
	event.events = EPOLLIN | EPOLLET;
	event.data.fd = descriptor;
	epoll_ctl(epoll_set, EPOLL_CTL_ADD, descriptor, &event);
}

void answer(int connection)
{
	char bytes[1024];
	for (;;) {
		ssize_t count = read(connection, bytes, sizeof(bytes));
		if (count < 0 && errno == EAGAIN)
			wait_for(connection);
		else if (count <= 0 || write(connection, bytes, static_cast<size_t>(count)) != count)
			break;
	}
	close(connection);
}

int listen_at(unsigned short port)
{
	sockaddr_in address{};
	int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	address.sin_family = AF_INET;
	address.sin_port = htons(port);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
	if (bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof(address)) != 0 ||
	    listen(listener, SOMAXCONN) != 0) {
		std::perror("listen");
		std::exit(1);
	}
	return listener;
}

void serve(int listener)
{
	epoll_set = epoll_create1(0);
	waiting.resize(1024);
	fibers::use_scheduling_algorithm<descriptors>();
	add(listener);
	for (;;) {
		int on = 1, connection = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
		if (connection < 0) {
			wait_for(listener);
			continue;
		}
		setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		add(connection);
		fibers::fiber(answer, connection).detach();
	}
}

} // namespace

int main(int count, char **words)
{
	rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	sockaddr_in address{};
	socklen_t length = sizeof(address);
	int listener = listen_at(0);
	getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length);
	unsigned short port = ntohs(address.sin_port);
	for (int i = 1; i < (count > 1 ? std::atoi(words[1]) : 1); i++)
		std::thread(serve, listen_at(port)).detach();
	std::thread(serve, listener).detach();
	std::printf("port %d\n", port);
	std::fflush(stdout);
	char byte;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	std::_Exit(0);
}
