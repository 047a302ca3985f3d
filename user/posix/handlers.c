/*
 * Signals that a thread sends itself: their handlers run in the thread, as the host's do. So a handler knows the thread
 * by pthread_self(), and may leave by siglongjmp(). A handler of any other signal runs on a thread of the host.
 *
 * sigsetjmp() keeps what the thread blocks in a part of the buffer that the C library leaves alone: the C library
 * itself keeps only what the processor blocks.
 */
#include <errno.h>
#include <setjmp.h>
#include <ucontext.h>
#include <unistd.h>

#include "heddle/host.h"
#include "heddle/posix/setjmp.h"
#include "user/posix/signals.h"
#include "user/posix/table.h"

#undef siglongjmp

/* Called by its address, so that no stack has to be told where it leads. */
static void (*const volatile host_jump)(struct __jmp_buf_tag *buffer, int value)
    __attribute__((noreturn)) = siglongjmp;

static void handler_call(const struct sigaction *action, int number)
{
	siginfo_t information = {.si_signo = number, .si_code = SI_TKILL};
	ucontext_t context = {0};
	information.si_pid = getpid();
	information.si_uid = getuid();
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, &information, &context);
	else
		action->sa_handler(number);
}

/* Whether there is a handler, and it has run. */
static bool handler_run(int number)
{
	struct sigaction action;
	sigset_t blocked, before;
	if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
		return false;
	if (action.sa_flags & (int)SA_RESETHAND)
		sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	blocked = action.sa_mask;
	if (!(action.sa_flags & SA_NODEFER))
		sigaddset(&blocked, number);
	heddle_pthread_sigmask(SIG_BLOCK, &blocked, &before);
	handler_call(&action, number);
	heddle_pthread_sigmask(SIG_SETMASK, &before, NULL);
	return true;
}

int signals_deliver(int number)
{
	return handler_run(number) || kill(getpid(), number) == 0 ? 0 : errno;
}

/* ----------------------------------------------------------------------------------------------- jumps -- */

enum { OF_TASK, MASK, WORDS };

_Static_assert(NSIG <= 65, "a word has all signals");

/* The last words of the mask, which the system does not use. */
static unsigned long *words_of(struct __jmp_buf_tag *buffer)
{
	const size_t all = sizeof(buffer->__saved_mask) / sizeof(unsigned long);
	return (unsigned long *)&buffer->__saved_mask + all - WORDS;
}

struct __jmp_buf_tag *heddle_keep_mask(struct __jmp_buf_tag *buffer)
{
	const struct thread *thread = thread_current_or_none();
	words_of(buffer)[OF_TASK] = heddle_calling_task() != NULL;
	words_of(buffer)[MASK] = thread ? *(const unsigned long *)&thread->blocked : 0;
	return buffer;
}

void heddle_siglongjmp(struct __jmp_buf_tag *buffer, int value)
{
	const struct thread *thread = thread_current_or_none();
	sigset_t blocked;
	sigemptyset(&blocked);
	*(unsigned long *)&blocked = words_of(buffer)[MASK];
	if (words_of(buffer)[OF_TASK] && !heddle_calling_task() && thread_has_tasks())
		thread_give_up("siglongjmp()",
		               "leaves a handler that runs on a thread of the host's, for a thread that is a "
		               "task: only the handler of a signal that the thread has sent itself can do that");
	if (buffer->__mask_was_saved && thread && heddle_calling_task() &&
	    *(const unsigned long *)&thread->blocked != words_of(buffer)[MASK])
		heddle_pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	host_jump(buffer, value);
}
