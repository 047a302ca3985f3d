/*
 * The processor time that the process's control groups grant it (cgroups(7)), in both versions of their files. A group
 * has no more than each group above it. A container may see fewer groups than the host names: those that are not
 * there have no quota.
 */
#include <stdio.h>
#include <string.h>

#include "arch/hosted/hosted.h"

#define PATH_MOST 4096

/* Quota and period, in microseconds, of a group of version 2: "50000 100000", or "max 100000". */
static bool read_group(const char *folder, double *quota, double *period)
{
	char path[PATH_MOST + 64];
	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	FILE *file = fopen(path, "r");
	bool found = file && fscanf(file, "%lf %lf", quota, period) == 2;
	if (file)
		fclose(file);
	return found;
}

static bool read_amount(const char *folder, const char *name, double *number)
{
	char path[PATH_MOST + 64];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	bool found = file && fscanf(file, "%lf", number) == 1;
	if (file)
		fclose(file);
	return found;
}

/* The same of version 1, where a quota of -1 is none. */
static bool read_old_group(const char *folder, double *quota, double *period)
{
	return read_amount(folder, "cpu.cfs_quota_us", quota) && *quota > 0 &&
	       read_amount(folder, "cpu.cfs_period_us", period);
}

/* The least that a group, or one above it, grants; `least` if none grants less. */
static double least_above(const char *root, const char *group, double least)
{
	char folder[PATH_MOST];
	size_t shortest = strlen(root);
	if (snprintf(folder, sizeof(folder), "%s%s", root, group) >= (int)sizeof(folder))
		return least;
	for (;;) {
		double quota, period;
		bool found = read_group(folder, &quota, &period) || read_old_group(folder, &quota, &period);
		if (found && period > 0 && quota / period < least)
			least = quota / period;
		char *slash = strrchr(folder, '/');
		if (!slash || (size_t)(slash - folder) < shortest)
			return least;
		*slash = 0;
	}
}

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (strncmp(list, word, length) == 0 && (list[length] == 0 || list[length] == ','))
			return true;
	return false;
}

/* A line is number:controllers:group, without controllers in version 2. */
static double least_of_line(char *line, double least)
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!group)
		return least;
	*controllers++ = *group++ = 0;
	group[strcspn(group, "\n")] = 0;
	if (has_word(controllers, "cpu"))
		return least_above("/sys/fs/cgroup/cpu", group, least);
	return *controllers ? least : least_above("/sys/fs/cgroup", group, least);
}

double hosted_quota(double most)
{
	static char line[PATH_MOST];
	FILE *file = fopen("/proc/self/cgroup", "r");
	while (file && fgets(line, sizeof(line), file))
		most = least_of_line(line, most);
	if (file)
		fclose(file);
	return most;
}
