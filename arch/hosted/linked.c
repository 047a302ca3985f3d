/*
 * How the program and Heddle have come together: by the archive, or by the shared library, which is made of the same
 * objects (hosted.mk).
 */
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"

/* In the shared library: the program's own heddle_quantum_spent(), which code that the plugin compiled brings along and
 * calls where it finds no other (tools/plugin/runtime.h): then nothing would switch. In the archive there is none. */
extern const char heddle_unswitched[] __attribute__((weak));

bool hosted_link_is_allowed(void)
{
	if (!heddle_unswitched)
		return true;
	dprintf(STDERR_FILENO, "heddle_start: this program has code that was compiled with the plugin, which the "
	                       "shared library cannot "
	                       "switch: link it with libheddle.a in place of libheddle.so\n");
	return false;
}
