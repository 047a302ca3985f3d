/*
 * How the program and Heddle were linked: with the archive, or with the shared library, which consists of the same
 * objects (hosted.mk).
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"

/* In the shared library: the program's own heddle_quantum_spent(). Code that the plugin compiled brings it along, and
 * calls it if there is no other (tools/plugin/runtime.h): then nothing would switch. The archive has none. */
extern const char heddle_unswitched[] __attribute__((weak));

/* With -fsplit-stack the compiler has the linker call the former in place of pthread_create(), whose own name becomes
 * the latter. The compiler's library has such a function too, which comes with growing stacks of its own: with -flto
 * the linker would take it before there is any code that the plugin made (tools/plugin/runtime.h). */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
__attribute__((weak)) int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                void *(*run)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
	return __real_pthread_create(thread, attributes, run, argument);
}

bool hosted_link_is_allowed(void)
{
	if (!heddle_unswitched)
		return hosted_versions_match();
	dprintf(STDERR_FILENO, "heddle_start: this program has code that was compiled with the plugin, which the "
	                       "shared library cannot "
	                       "switch: link it with libheddle.a instead of libheddle.so\n");
	return false;
}
