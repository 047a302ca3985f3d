/*
 * Semaphores by name. They are the process's own: no other process finds them, and none exists when it begins.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "user/posix/semaphore.h"
#include "user/posix/table.h"

struct named {
	sem_t semaphore; /* first: what the program uses */
	char *name;      /* NULL: it was unlinked, and goes when it is open no more */
	unsigned open;
	struct named *next;
};

static struct named *all; /* under the lock of the threads' table */

/* Under the lock. */
static struct named **find_name(const char *name)
{
	struct named **link = &all;
	while (*link && (!(*link)->name || strcmp((*link)->name, name) != 0))
		link = &(*link)->next;
	return link;
}

static struct named **find_semaphore(const sem_t *semaphore)
{
	struct named **link = &all;
	while (*link && &(*link)->semaphore != semaphore)
		link = &(*link)->next;
	return link;
}

static void remove_unused(struct named **link)
{
	struct named *named = *link;
	if (named->open > 0 || named->name)
		return;
	*link = named->next;
	free(named);
}

/* Drop leading slashes from the name; an error, if it is not valid. */
static int name_check(const char **name)
{
	while (**name == '/')
		(*name)++;
	if (!**name || strchr(*name, '/'))
		return EINVAL;
	return strlen(*name) > NAME_MAX - strlen("sem.") ? ENAMETOOLONG : 0;
}

static struct named *named_make(const char *name, unsigned value)
{
	struct named *named = calloc(1, sizeof(*named));
	char *copy = named ? strdup(name) : NULL;
	if (!copy || sem_init(&named->semaphore, 0, value) != 0) {
		free(copy);
		free(named);
		return NULL;
	}
	named->name = copy;
	named->next = all;
	all = named;
	return named;
}

/* Under the lock. */
static int open_named(const char *name, int flags, unsigned value, struct named **result)
{
	*result = *find_name(name);
	if (*result && (flags & O_CREAT) && (flags & O_EXCL))
		return EEXIST;
	if (!*result && !(flags & O_CREAT))
		return ENOENT;
	if (!*result && value > SEM_VALUE_MAX)
		return EINVAL;
	if (!*result)
		*result = named_make(name, value);
	if (!*result)
		return ENOMEM;
	(*result)->open++;
	return 0;
}

sem_t *sem_open(const char *name, int flags, ...)
{
	struct named *named = NULL;
	unsigned value = 0;
	if (flags & O_CREAT) {
		va_list arguments;
		va_start(arguments, flags);
		(void)va_arg(arguments, mode_t);
		value = va_arg(arguments, unsigned);
		va_end(arguments);
	}
	int error = name_check(&name);
	if (error == 0) {
		thread_lock();
		error = open_named(name, flags, value, &named);
		thread_unlock();
	}
	if (error == 0)
		return &named->semaphore;
	errno = error;
	return SEM_FAILED;
}

int sem_close(sem_t *semaphore)
{
	thread_lock();
	struct named **link = find_semaphore(semaphore);
	bool there = *link && (*link)->open > 0;
	if (there) {
		(*link)->open--;
		remove_unused(link);
	}
	thread_unlock();
	return there ? 0 : failed_with(EINVAL);
}

int sem_unlink(const char *name)
{
	int error = name_check(&name);
	if (error == 0) {
		thread_lock();
		struct named **link = find_name(name);
		error = *link ? 0 : ENOENT;
		if (*link) {
			free((*link)->name);
			(*link)->name = NULL;
			remove_unused(link);
		}
		thread_unlock();
	}
	return error == 0 ? 0 : failed_with(error == EINVAL ? ENOENT : error);
}
