/*
 * Memory that is a file of the host: what is written to it stays, whatever becomes of the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"

void *hosted_map_new_file(const char *name, void *address, size_t bytes)
{
	/* An existing file is replaced, not written to: another process may have it mapped. */
	unlink(name);
	int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0)
		return NULL;
	int error = posix_fallocate(file, 0, (off_t)bytes);
	void *memory = error ? MAP_FAILED : mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	error = error ? error : errno;
	close(file);
	errno = error;
	return memory == MAP_FAILED ? NULL : memory;
}
