/*
 * The set of descriptors that tasks wait for (descriptors.c), an epoll of the host, and what looks at it: at most one
 * idle processor sleeps there, in place of at its futex (idle.c); busy ones look now and then, where they look for work
 * (injection_ask); and where none has looked for a while, since all run code without checks, a thread does, the deputy.
 *
 *     the watcher: NOBODY --hosted_watch_sleep--> an idle processor --something is there, or it was woken--> NOBODY
 *     the deputy:  asleep --the watcher leaves--> looks each PATIENCE --there is a watcher--> asleep
 *
 * A wake-up is not lost: the watcher says that it sleeps here and then reads whether it was woken; what wakes it says
 * so and then reads where it sleeps. In the same way the deputy.
 *
 * | operation          | progress                 | takes effect                                   |
 * |--------------------|--------------------------|------------------------------------------------|
 * | hosted_watch_sleep | sleeps, if it may; else  | at its CAS                                     |
 * |                    | wait-free                |                                                |
 * | hosted_watch_wake  | wait-free                | at the host's call                             |
 * | look               | wait-free                | at the host's call; what is found is in order  |
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

/* In a child of the process. */
void hosted_watch_forget(void);

/* Have the host tell, once, when one of these events is there (EPOLLIN ...). Its error number below 0. */
long hosted_watch_tell(int descriptor, uint32_t events);

/* By an idle processor, so many nanoseconds at most: false if it is to sleep elsewhere. */
bool hosted_watch_sleep(struct arch_processor *host, uint64_t nanoseconds);

/* Wake one that may sleep so, after its word was set; false: it does not. */
bool hosted_watch_wake(struct arch_processor *host);

#endif
