/*
 * The system interface for the C library. There are no files, streams or environment: opening one fails, and code
 * that needs open ones is never reached. There is one locale, as in the library itself.
 */
#include "user/ports/library.h"

#include "errno.h"
#include "locale.h"
#include "stdio.h"
#include "stdlib.h"
#include "string.h"
#include "time.h"

#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/panic.h"

/* The library's internal names, from headers that it does not install. */
int *___errno_location(void);
int __lockfile(FILE *stream);
void __unlockfile(FILE *stream);
int __uflow(FILE *stream);
void __stdio_exit_needed(void);

FILE *const stdin = NULL;
FILE *const stdout = NULL;
FILE *const stderr = NULL;

void library_begin(int *error)
{
	task_local_set(LIBRARY_SLOT, error);
}

int *__errno_location(void)
{
	int *error = task_local_get(LIBRARY_SLOT);
	if (!error)
		panic("task %s calls the C library without library_begin()", task_name(task_current()));
	return error;
}

int *___errno_location(void)
{
	return __errno_location();
}

void abort(void)
{
	panic("task %s: a program gave up (it called abort)", task_name(task_current()));
}

static int no_stream(void)
{
	errno = EBADF;
	return EOF;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
	(void)path, (void)mode;
	errno = ENOENT;
	return NULL;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	(void)stream;
	return fopen(path, mode);
}

int fclose(FILE *stream)
{
	(void)stream;
	return no_stream();
}

int fflush(FILE *stream)
{
	(void)stream;
	return no_stream();
}

int feof(FILE *stream)
{
	(void)stream;
	return 1;
}

int ferror(FILE *stream)
{
	(void)stream;
	return 1;
}

int getc(FILE *stream)
{
	(void)stream;
	return no_stream();
}

size_t fread(void *restrict into, size_t size, size_t count, FILE *restrict stream)
{
	(void)into, (void)size, (void)count, (void)stream;
	no_stream();
	return 0;
}

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
	(void)stream, (void)format;
	return no_stream();
}

/* For snprintf() and strtod(), text is a stream of one task, which is neither locked nor refilled. */
int __lockfile(FILE *stream)
{
	(void)stream;
	return 0;
}

void __unlockfile(FILE *stream)
{
	(void)stream;
}

int __uflow(FILE *stream)
{
	(void)stream;
	return EOF;
}

void __stdio_exit_needed(void)
{
}

int strcoll(const char *left, const char *right)
{
	return strcmp(left, right);
}

char *strerror(int error)
{
	static char nothing_else[] = "there are no files here";
	(void)error;
	return nothing_else;
}

int wctomb(char *bytes, wchar_t character)
{
	(void)bytes, (void)character;
	errno = EILSEQ;
	return -1;
}

time_t time(time_t *seconds)
{
	time_t now = (time_t)(heddle_clock() / 1000000000);
	if (seconds)
		*seconds = now;
	return now;
}

clock_t clock(void)
{
	return (clock_t)(heddle_clock() / 1000);
}
