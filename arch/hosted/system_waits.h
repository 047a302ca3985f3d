/*
 * Waits in calls of the host's kernel, and the signal that interrupts them: a program without handlers must not see
 * EINTR because processors ask each other for tasks (requests.c).
 *
 * The kernel repeats most calls by itself after such a signal (SA_RESTART). It does not repeat those that have a time
 * limit, as poll() does, nor some others, as pause() (signal(7)). Of these,
 *   - a wait without a limit, until a point in time, or whose rest the kernel stores where the limit was read, is
 *     repeated by our handler: it sets the thread back to the instruction that made the call;
 *   - a wait for so many nanoseconds or milliseconds is left alone, as it could only be repeated for as long again, and
 *     nobody knows when it began. So what the processor keeps waits for at most that limit.
 * The asker looks first what the thread waits in (/proc/self/task/N/syscall). If the thread begins such a wait
 * after the look, the handler repeats it in full: it has just begun.
 *
 * A call is repeated only if our request alone has interrupted it. A handler of the program that interrupts it as well
 * makes it return EINTR, as POSIX wants.
 */
#ifndef ARCH_HOSTED_SYSTEM_WAITS_H
#define ARCH_HOSTED_SYSTEM_WAITS_H

#include <stdbool.h>
#include <ucontext.h>

#include "arch/hosted/hosted.h"

/* Whether a signal to the processor's thread does no harm to a call in which it waits. Asks the host's kernel. */
bool hosted_wait_is_patient(struct arch_processor *host);

/* Called by the handler of a signal of ours, on the thread that it has interrupted with these registers: have a call
 * that it has interrupted made again. */
void hosted_wait_repeat(struct arch_processor *host, greg_t *registers);

#endif
