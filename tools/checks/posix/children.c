/*
 * What signals do to a program that only waits, writes, and makes processes: it says the same with the host's threads.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LOOK "exec grep SigBlk /proc/self/status"

static char *const words[] = {"sh", "-c", LOOK, NULL};

static void await(pid_t child)
{
	int status = 0;
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		printf("no child: %d\n", status);
}

static void execute(pid_t child, int way)
{
	if (child == 0) {
		if (way == 0)
			execl("/bin/sh", "sh", "-c", LOOK, (char *)NULL);
		else if (way == 1)
			execvp("sh", words);
		else
			execve("/bin/sh", words, environ);
		_exit(99);
	}
	await(child);
}

static void make_children(const char *name)
{
	posix_spawnattr_t attributes;
	sigset_t given;
	pid_t child;
	char line[100];
	printf("%s\n", name);
	fflush(stdout);
	if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0)
		await(child);
	sigemptyset(&given);
	sigaddset(&given, SIGWINCH);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &given);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	if (posix_spawnp(&child, "sh", NULL, &attributes, words, environ) == 0)
		await(child);
	if (system(LOOK) != 0)
		puts("no system()");
	FILE *stream = popen(LOOK, "r");
	if (stream && fgets(line, sizeof(line), stream))
		fputs(line, stdout);
	printf("popen() ends with %d\n", stream ? pclose(stream) : -1);
	fflush(stdout);
	for (int way = 0; way < 3; way++)
		execute(fork(), way);
	for (int way = 0; way < 3; way++)
		execute(vfork(), way);
}

static void block(int number)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* A pipe that nobody reads. */
static void write_to_nobody(const char *name)
{
	sigset_t pending;
	int ends[2];
	if (pipe(ends) != 0)
		return;
	close(ends[0]);
	ssize_t written = write(ends[1], "x", 1);
	int error = errno;
	sigpending(&pending);
	printf("%s: %zd, %s, pending: %d\n", name, written, error == EPIPE ? "EPIPE" : "another error",
	       sigismember(&pending, SIGPIPE));
	close(ends[1]);
}

static void *thread_main(void *unused)
{
	struct timespec at_once = {0, 0};
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	block(SIGUSR2);
	make_children("thread");
	block(SIGPIPE);
	write_to_nobody("blocked");
	printf("waited for: %d\n", sigtimedwait(&set, NULL, &at_once) == SIGPIPE);
	write_to_nobody("blocked again");
	printf("waited for: %d\n", sigtimedwait(&set, NULL, &at_once) == SIGPIPE);
	return unused;
}

int main(void)
{
	pthread_t thread;
	make_children("main");
	block(SIGUSR1);
	make_children("main, which blocks a signal");
	pthread_create(&thread, NULL, thread_main, NULL);
	pthread_join(thread, NULL);
	signal(SIGPIPE, SIG_IGN);
	write_to_nobody("ignored");
	return 0;
}
