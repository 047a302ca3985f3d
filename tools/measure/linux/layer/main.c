/*
 * The benchmarks as a Linux program:
 *
 *     build/linux/init switch,tasks=10 locks,scope=global
 *
 * runs one program after the other, each in a separate process: if one is ended, for lack of memory for instance, the
 * others still run. Started by the kernel as its first process it also sets up the machine, and ends it. The status
 * is 0, or 1 if a program failed.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/system.h"
#include "kernel/console.h"
#include "tools/measure/linux/layer/machine.h"
#include "user/program_list.h"

/* In a separate process. False: it failed, which was reported. */
static bool program_run_apart(const char *words)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(program_run_words(words) ? 0 : 1);
	if (child < 0 || waitpid(child, &status, 0) != child) {
		log_error("run=%s: no process can be made for it", words);
		return false;
	}
	if (WIFSIGNALED(status))
		log_error("run=%s was ended by signal %d (%s)", words, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **words)
{
	bool first_process = getpid() == 1, ok = count > 1;
	char error[CONSOLE_LINE_MAXIMUM];
	if (first_process)
		machine_set_up();
	if (count < 2)
		log_error("no program was asked for; on the kernel's command line they come after \"--\"");
	for (int i = 1; i < count; i++) {
		if (program_check(words[i], error, sizeof(error)))
			ok &= program_run_apart(words[i]);
		else {
			log_error("%s", error);
			ok = false;
		}
	}
	if (first_process)
		machine_end(ok);
	return ok ? 0 : 1;
}
