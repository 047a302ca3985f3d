/*
 * Faults of threads that are no processors, while a machine runs, and faults of tasks: they belong to the program, and
 * the process ends or goes on as if there were no machine. Each is tried in a child process.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define CAUGHT 42

static sigjmp_buf back;
static int *volatile nowhere = (int *)8;

static bool is_blocked(int number)
{
	sigset_t set;
	pthread_sigmask(SIG_BLOCK, NULL, &set);
	return sigismember(&set, number);
}

/* ----------------------------------------------------------------------------------------- the faults -- */

static void fault_memory(void)
{
	*nowhere = 1;
}

static void fault_division(void)
{
	volatile int zero = 0;
	zero = 7 / zero;
}

static void fault_instruction(void)
{
	__asm__ volatile("ud2");
}

/* Behind the end of a mapped file. */
static void fault_file(void)
{
	FILE *file = tmpfile();
	volatile char *mapped = file ? mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0) : MAP_FAILED;
	CHECK(mapped != MAP_FAILED);
	(void)mapped[0];
}

static void send(void)
{
	kill(getpid(), SIGSEGV);
}

static void *thread_main(void *fault)
{
	((void (*)(void))fault)();
	return NULL;
}

/* On a thread that existed before, or on one created later. */
static void on_thread(void (*fault)(void))
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, thread_main, (void *)fault) == 0);
	pthread_join(thread, NULL);
}

/* --------------------------------------------------------------------------------------- the handlers -- */

static void on_plain(int number)
{
	_exit(is_blocked(number) && !is_blocked(SIGUSR1) ? CAUGHT : 1);
}

static void on_open(int number)
{
	_exit(!is_blocked(number) ? CAUGHT : 1);
}

static void on_full(int number, siginfo_t *information, void *context)
{
	bool right = number == SIGSEGV && information->si_signo == SIGSEGV &&
	             information->si_code == SEGV_MAPERR && information->si_addr == nowhere && context &&
	             is_blocked(SIGSEGV) && is_blocked(SIGUSR1);
	_exit(right ? CAUGHT : 1);
}

static void on_sent(int number, siginfo_t *information, void *context)
{
	(void)context;
	_exit(number == SIGSEGV && information->si_code == SI_USER && information->si_pid == getpid() ? CAUGHT
	                                                                                              : 1);
}

static volatile sig_atomic_t is_handled;

static void on_once(int number)
{
	if (is_handled || !is_blocked(number))
		_exit(1);
	is_handled = 1;
}

static void on_jump(int number)
{
	siglongjmp(back, number);
}

/* --------------------------------------------------------------------------------------------- tries -- */

static struct sigaction action_of(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	return action;
}

static struct sigaction full_action(void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	sigaddset(&action.sa_mask, SIGUSR1);
	return action;
}

/* How a child with this action ends after it does that; `stopped`: after the machine. */
static int try(int number, struct sigaction action, void (*does)(void), bool elsewhere, bool stopped)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		sigaction(number, &action, NULL);
		CHECK(heddle_start("processors=2") == HEDDLE_OK);
		check_runs();
		if (stopped)
			CHECK(heddle_stop() == 0);
		if (elsewhere)
			on_thread(does);
		else
			does();
		if (!stopped) {
			check_runs();
			CHECK(heddle_stop() == 0);
		}
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	return status;
}

static void check_tries(int number, struct sigaction action, void (*does)(void), bool exits, int with)
{
	for (int way = 0; way < 4; way++) {
		int status = try(number, action, does, way & 1, way & 2);
		bool right = exits ? WIFEXITED(status) && WEXITSTATUS(status) == with
		                   : WIFSIGNALED(status) && WTERMSIG(status) == with;
		if (!right)
			fprintf(stderr, "signal %d, way %d: status 0x%x\n", number, way, status);
		CHECK(right);
	}
}

static void run_default(void)
{
	struct sigaction by_default = action_of(SIG_DFL, 0);
	check_tries(SIGSEGV, by_default, fault_memory, false, SIGSEGV);
	check_tries(SIGFPE, by_default, fault_division, false, SIGFPE);
	check_tries(SIGILL, by_default, fault_instruction, false, SIGILL);
	check_tries(SIGBUS, by_default, fault_file, false, SIGBUS);
	check_tries(SIGSEGV, by_default, send, false, SIGSEGV);
}

static void run_ignored(void)
{
	struct sigaction ignored = action_of(SIG_IGN, 0);
	check_tries(SIGSEGV, ignored, fault_memory, false, SIGSEGV);
	check_tries(SIGSEGV, ignored, send, true, 0);
}

static void run_handled(void)
{
	check_tries(SIGSEGV, action_of(on_plain, 0), fault_memory, true, CAUGHT);
	check_tries(SIGFPE, action_of(on_plain, 0), fault_division, true, CAUGHT);
	check_tries(SIGSEGV, action_of(on_open, SA_NODEFER), fault_memory, true, CAUGHT);
	check_tries(SIGSEGV, full_action(on_full), fault_memory, true, CAUGHT);
	check_tries(SIGSEGV, full_action(on_sent), send, true, CAUGHT);
	check_tries(SIGSEGV, action_of(on_once, SA_RESETHAND), fault_memory, false, SIGSEGV);
}

static void jump_back(void)
{
	for (volatile int turn = 0; turn < 3; turn++)
		if (sigsetjmp(back, 1) == 0)
			fault_memory();
}

static void run_jumps(void)
{
	check_tries(SIGSEGV, action_of(on_jump, 0), jump_back, true, 0);
}

static intptr_t task_main(void *fault)
{
	thread_main(fault);
	return 0;
}

static void in_task(void (*fault)(void))
{
	heddle_run(task_main, (void *)fault, NULL);
}

static void memory_in_task(void)
{
	in_task(fault_memory);
}

static void division_in_task(void)
{
	in_task(fault_division);
}

static void jump_in_task(void)
{
	in_task((void (*)(void))nowhere);
}

/* The process ends, or the program's handler gets what the host's kernel says. */
static void check_task(int number, struct sigaction action, void (*does)(void), int exit_status)
{
	int status = try(number, action, does, false, false);
	bool right = exit_status ? WIFEXITED(status) && WEXITSTATUS(status) == exit_status
	                         : WIFSIGNALED(status) && WTERMSIG(status) == number;
	if (!right)
		fprintf(stderr, "signal %d of a task: status 0x%x\n", number, status);
	CHECK(right);
}

static void run_process(void)
{
	check_task(SIGSEGV, action_of(SIG_DFL, 0), memory_in_task, 0);
	check_task(SIGSEGV, action_of(SIG_IGN, 0), memory_in_task, 0);
	check_task(SIGSEGV, action_of(SIG_DFL, 0), jump_in_task, 0);
	check_task(SIGFPE, action_of(SIG_DFL, 0), division_in_task, 0);
	check_task(SIGSEGV, full_action(on_full), memory_in_task, CAUGHT);
	check_task(SIGFPE, action_of(on_open, SA_NODEFER), division_in_task, CAUGHT);
}

/* With fault=task the task ends, and the program does not notice. */
static void run_task(void)
{
	struct sigaction action = action_of(on_plain, 0);
	sigaction(SIGSEGV, &action, NULL);
	CHECK(heddle_start("processors=2 log=error fault=task") == HEDDLE_OK);
	for (int turn = 0; turn < 5; turn++) {
		CHECK(heddle_run(task_main, (void *)fault_memory, NULL) == HEDDLE_TASK_FAULT);
		check_runs();
	}
	CHECK(heddle_stop() == 0);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {{"default", run_default},
	                                          {"ignored", run_ignored},
	                                          {"handled", run_handled},
	                                          {"jumps", run_jumps},
	                                          {"process", run_process},
	                                          {"task", run_task},
	                                          {0}};
	return check_main(cases, count, arguments);
}
