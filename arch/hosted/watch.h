/*
 * The set of descriptors that tasks wait for (descriptors.c), an epoll of the host, and what looks at it. At most one
 * idle processor, the watcher, sleeps there, and not at its futex (idle.c). Busy processors look now and then, when
 * they look for work (injection_ask). If none has looked for a while, because all run code without checks, a thread
 * looks: the deputy.
 *
 *     the watcher: NONE --hosted_watch_sleep--> an idle processor --an event came, or it was woken--> NONE
 *     the deputy:  asleep --the watcher leaves--> looks each PATIENCE --there is a watcher--> asleep
 *
 * No wake-up is lost: the watcher says that it sleeps here and then reads whether it was woken; its waker sets that
 * word and then reads where it sleeps. The deputy works in the same way.
 *
 * | operation          | progress               | takes effect                             |
 * |--------------------|------------------------|------------------------------------------|
 * | hosted_watch_sleep | sleeps if it may; else | at its CAS                               |
 * |                    | wait-free              |                                          |
 * | hosted_watch_wake  | wait-free              | at the host's call                       |
 * | look               | wait-free              | at the host's call; events stay in order |
 */
#ifndef ARCH_HOSTED_WATCH_H
#define ARCH_HOSTED_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/hosted/hosted.h"

/* From hosted_watch_start(), which a task calls before it first waits (helpers.h), to hosted_watch_end(). False: the
 * host gives no descriptor or no thread. */
bool hosted_watch_start(void);
bool hosted_watch_runs(void);
void hosted_watch_end(void);

/* In a child of the process: forget all of this. */
void hosted_watch_forget(void);

/* Have the host report once when one of these events (EPOLLIN ...) arrives. Returns its error number below 0. */
long hosted_watch_tell(int descriptor, uint32_t events);

/* Called by an idle processor: sleep for at most that many nanoseconds. False: it must sleep elsewhere. */
bool hosted_watch_sleep(struct arch_processor *host, uint64_t nanoseconds);

/* Wake a processor that may sleep so, after its word was set. False: it does not sleep here. */
bool hosted_watch_wake(struct arch_processor *host);

#endif
