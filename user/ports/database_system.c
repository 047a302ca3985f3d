/*
 * The system interface for SQLite: there are no files, so none can be opened. Time stands still, and random numbers
 * are the same each time, so that results are reproducible.
 */
#include <string.h>

#include "sqlite3.h"

static int open_file(sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *flags_got)
{
	(void)system, (void)name, (void)flags, (void)flags_got;
	file->pMethods = NULL;
	return SQLITE_CANTOPEN;
}

static int delete_file(sqlite3_vfs *system, const char *name, int for_good)
{
	(void)system, (void)name, (void)for_good;
	return SQLITE_IOERR_DELETE_NOENT;
}

static int access_file(sqlite3_vfs *system, const char *name, int flags, int *answer)
{
	(void)system, (void)name, (void)flags;
	*answer = 0;
	return SQLITE_OK;
}

static int full_name(sqlite3_vfs *system, const char *name, int room, char *into)
{
	(void)system;
	sqlite3_snprintf(room, into, "%s", name);
	return SQLITE_OK;
}

static int randomness(sqlite3_vfs *system, int bytes, char *into)
{
	(void)system;
	memset(into, 42, (size_t)bytes);
	return bytes;
}

static int sleep_for(sqlite3_vfs *system, int microseconds)
{
	(void)system, (void)microseconds;
	return 0;
}

/* The beginning of 1970, as a Julian day in milliseconds. */
static int current_time(sqlite3_vfs *system, sqlite3_int64 *milliseconds)
{
	(void)system;
	*milliseconds = 210866760000000;
	return SQLITE_OK;
}

static int current_day(sqlite3_vfs *system, double *day)
{
	(void)system;
	*day = 2440587.5;
	return SQLITE_OK;
}

int sqlite3_os_init(void)
{
	static sqlite3_vfs system = {.iVersion = 2,
	                             .szOsFile = sizeof(sqlite3_file),
	                             .mxPathname = 64,
	                             .zName = "none",
	                             .xOpen = open_file,
	                             .xDelete = delete_file,
	                             .xAccess = access_file,
	                             .xFullPathname = full_name,
	                             .xRandomness = randomness,
	                             .xSleep = sleep_for,
	                             .xCurrentTime = current_day,
	                             .xCurrentTimeInt64 = current_time};
	return sqlite3_vfs_register(&system, 1);
}

int sqlite3_os_end(void)
{
	return SQLITE_OK;
}
