/*
 * Simulates hosts whose control groups grant less time than eight processors have: the functions of the C library that
 * open their files, and that report and set processors, are replaced here.
 */
#include <dlfcn.h>
#include <sched.h>

#include <heddle/system.h>

#include "check.h"

#define ALLOWED 8

struct file {
	const char *path, *text;
};

struct host {
	const char *words;
	int expected; /* processors */
	struct file files[8];
};

static const struct host hosts[] = {
    {"", ALLOWED, {{"/proc/self/cgroup", "0::/\n"}}},
    {"", 1, {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "50000 100000\n"}}},
    {"", 2, {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "150000 100000\n"}}},
    {"", 3, {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "300000 100000\n"}}},
    {"", ALLOWED, {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "max 100000\n"}}},
    {"", ALLOWED, {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "9000000 100000\n"}}},
    {"processors=5", 5, {{"/proc/self/cgroup", "0::/\n"}, {"/sys/fs/cgroup/cpu.max", "50000 100000\n"}}},
    /* A group above grants less; one that the container does not see grants what it likes. */
    {"",
     2,
     {{"/proc/self/cgroup", "0::/a/b/c\n"},
      {"/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n"},
      {"/sys/fs/cgroup/a/cpu.max", "200000 100000\n"}}},
    /* Version 1, and both beside each other. */
    {"",
     1,
     {{"/proc/self/cgroup", "5:memory:/m\n2:cpu,cpuacct:/x\n0::/\n"},
      {"/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "20000\n"},
      {"/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n"}}},
    {"",
     ALLOWED,
     {{"/proc/self/cgroup", "2:cpuset:/x\n1:cpu:/\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
      {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
      {"/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "20000\n"},
      {"/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n"}}},
    /* Nonsense grants everything. */
    {"", ALLOWED, {{"/proc/self/cgroup", "\n:\nabc\n0::\n"}, {"/sys/fs/cgroup/cpu.max", "0 0\n"}}},
};

static const struct host *host;

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);
	*(void **)&real = dlsym(RTLD_NEXT, "fopen");
	if (!strstr(path, "cgroup"))
		return real(path, mode);
	for (const struct file *file = host->files; file->path; file++)
		if (strcmp(file->path, path) == 0)
			return fmemopen((void *)(uintptr_t)file->text, strlen(file->text), "r");
	return NULL;
}

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	memset(set, 0, size);
	for (size_t number = 0; number < ALLOWED; number++)
		CPU_SET_S(number, size, set);
	return 0;
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set)
{
	(void)thread, (void)size, (void)set;
	return 0;
}

static intptr_t count_processors(void *unused)
{
	(void)unused;
	return heddle_processors();
}

int main(void)
{
	for (host = hosts; host < hosts + sizeof(hosts) / sizeof(*hosts); host++) {
		intptr_t count = 0;
		CHECK(heddle_start(host->words) == HEDDLE_OK);
		CHECK(heddle_run(count_processors, NULL, &count) == HEDDLE_OK);
		CHECK(heddle_stop() == 0);
		if (count != host->expected)
			fprintf(stderr, "host %d: %d processors, not %d\n", (int)(host - hosts), (int)count,
			        host->expected);
		CHECK(count == host->expected);
	}
	puts("done");
	return EXIT_SUCCESS;
}
