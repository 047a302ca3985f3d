#include "arch/hosted/children.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch/hosted/signals.h"

/* --------------------------------------------------------------------------------------------- spawn -- */

typedef int spawn_function(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const arguments[],
                           char *const environment[]);

/* A program may ask for a mask itself. */
static int spawn_masked(spawn_function *function, pid_t *child, const char *path,
                        const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                        char *const arguments[], char *const environment[])
{
	posix_spawnattr_t own;
	sigset_t mask;
	short flags;
	posix_spawnattr_init(&own);
	if (attributes)
		own = *attributes; /* it refers to nothing else */
	posix_spawnattr_getflags(&own, &flags);
	if (!(flags & POSIX_SPAWN_SETSIGMASK) && hosted_signals_of_task(&mask)) {
		posix_spawnattr_setflags(&own, (short)(flags | POSIX_SPAWN_SETSIGMASK));
		posix_spawnattr_setsigmask(&own, &mask);
	}
	return function(child, path, actions, &own, arguments, environment);
}

int hosted_posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const arguments[],
                       char *const environment[])
{
	return spawn_masked(posix_spawn, child, path, actions, attributes, arguments, environment);
}

int hosted_posix_spawnp(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[],
                        char *const environment[])
{
	return spawn_masked(posix_spawnp, child, name, actions, attributes, arguments, environment);
}

/* -------------------------------------------------------------------------------------- shell commands -- */

struct command {
	const char *text, *mode; /* NULL: for system() */
	sigset_t mask;
	FILE *stream;
	int status, error;
};

static void command_run(struct command *command)
{
	if (command->mode)
		command->stream = popen(command->text, command->mode);
	else
		command->status = system(command->text);
	command->error = errno;
}

static void *command_main(void *argument)
{
	struct command *command = argument;
	pthread_sigmask(SIG_SETMASK, &command->mask, NULL);
	command_run(command);
	return NULL;
}

/* On a thread that may take the program's signals meanwhile: a handler must not run on the stack of a task. */
static void command_run_unblocked(struct command *command)
{
	sigset_t before;
	pthread_t thread;
	hosted_signals_block(&before);
	int error = pthread_create(&thread, NULL, command_main, command);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0) {
		pthread_join(thread, NULL);
		return;
	}
	command->error = error;
	command->status = -1;
}

static void command_start(struct command *command)
{
	if (hosted_signals_of_task(&command->mask))
		command_run_unblocked(command);
	else
		command_run(command);
	errno = command->error;
}

int hosted_system(const char *text)
{
	struct command command = {.text = text};
	command_start(&command);
	return command.status;
}

FILE *hosted_popen(const char *text, const char *mode)
{
	struct command command = {.text = text, .mode = mode};
	command_start(&command);
	return command.stream;
}

/* ---------------------------------------------------------------------------------------------- exec -- */

struct masks {
	sigset_t before;
	bool changed;
};

/* Also in a child of vfork(), which has the memory of its parent, and the mask of the parent's processor. */
static struct masks exec_begin(void)
{
	struct masks masks;
	sigset_t mask;
	masks.changed = hosted_signals_of_task(&mask);
	if (masks.changed)
		pthread_sigmask(SIG_SETMASK, &mask, &masks.before);
	return masks;
}

/* It has failed. */
static int exec_end(const struct masks *masks, int result)
{
	int error = errno;
	if (masks->changed)
		pthread_sigmask(SIG_SETMASK, &masks->before, NULL);
	errno = error;
	return result;
}

#define EXEC(call)                               \
	do {                                         \
		const struct masks masks = exec_begin(); \
		return exec_end(&masks, call);           \
	} while (0)

int hosted_execve(const char *path, char *const arguments[], char *const environment[])
{
	EXEC(execve(path, arguments, environment));
}

int hosted_execv(const char *path, char *const arguments[])
{
	EXEC(execv(path, arguments));
}

int hosted_execvp(const char *name, char *const arguments[])
{
	EXEC(execvp(name, arguments));
}

int hosted_execvpe(const char *name, char *const arguments[], char *const environment[])
{
	EXEC(execvpe(name, arguments, environment));
}

int hosted_fexecve(int descriptor, char *const arguments[], char *const environment[])
{
	EXEC(fexecve(descriptor, arguments, environment));
}

/* Of a variable list, up to NULL, and NULL itself. */
static size_t list_count(va_list list)
{
	size_t count = 1;
	while (va_arg(list, char *))
		count++;
	return count;
}

/* The first and the list into an array that has room for one more than the list. */
static void list_take(char **arguments, const char *first, va_list *list)
{
	*arguments = (char *)first;
	while (*arguments)
		*++arguments = va_arg(*list, char *);
}

#define LIST_BEGIN                                                                       \
	va_list list, counted;                                                               \
	va_start(list, first);                                                               \
	va_copy(counted, list);                                                              \
	char **arguments = __builtin_alloca((list_count(counted) + 1) * sizeof(*arguments)); \
	va_end(counted);                                                                     \
	list_take(arguments, first, &list)

int hosted_execl(const char *path, const char *first, ...)
{
	LIST_BEGIN;
	va_end(list);
	return hosted_execv(path, arguments);
}

int hosted_execlp(const char *name, const char *first, ...)
{
	LIST_BEGIN;
	va_end(list);
	return hosted_execvp(name, arguments);
}

int hosted_execle(const char *path, const char *first, ...)
{
	LIST_BEGIN;
	char *const *environment = va_arg(list, char *const *);
	va_end(list);
	return hosted_execve(path, arguments, environment);
}
