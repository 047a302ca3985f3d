/*
 * How the program and Heddle were linked: with the archive, or with the shared library, which consists of the same
 * objects (hosted.mk).
 */
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"

/* In the shared library: the program's own heddle_quantum_spent(). Code that the plugin compiled brings it along, and
 * calls it if there is no other (tools/plugin/runtime.h): then nothing would switch. The archive has none. */
extern const char heddle_unswitched[] __attribute__((weak));

bool hosted_link_is_allowed(void)
{
	if (!heddle_unswitched)
		return true;
	dprintf(STDERR_FILENO, "heddle_start: this program has code that was compiled with the plugin, which the "
	                       "shared library cannot "
	                       "switch: link it with libheddle.a instead of libheddle.so\n");
	return false;
}
