#include "user/posix/stacks.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIRST_USUAL   ((size_t)8 << 20)
#define FIRST_AT_MOST ((size_t)1 << 30)

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Rounded up, with the page. */
static size_t whole(size_t size)
{
	return ((size + page_size() - 1) / page_size() + 1) * page_size();
}

void *stack_map(size_t size)
{
	if (size > SIZE_MAX / 2)
		return NULL;
	char *low = mmap(NULL, whole(size), PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	if (low == MAP_FAILED)
		return NULL;
	if (mprotect(low, page_size(), PROT_NONE) != 0) {
		munmap(low, whole(size));
		return NULL;
	}
	return low + page_size();
}

void stack_unmap(void *stack, size_t size)
{
	munmap((char *)stack - page_size(), whole(size));
}

size_t stack_of_process(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return FIRST_USUAL;
	return limit.rlim_cur < FIRST_AT_MOST ? limit.rlim_cur : FIRST_AT_MOST;
}
