/*
 * The command line, the same words in GRUB's menu, for QEMU and for the hosted program:
 *     run=NAME[,key=value...]   run a program; repeatable, in order
 *     processors=N  sched=global|local  seed=N  log=error|warning|info|debug
 *     quantum=N  extension=N  chain=N  linger=NANOSECONDS  colour=off|on  plain=off|on
 *     watchdog=SECONDS  memory=MIB
 *     end=off|halt  list  help
 * An unknown word, name or value is an error with a sentence that lists what is allowed.
 */
#ifndef KERNEL_COMMAND_LINE_H
#define KERNEL_COMMAND_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define COMMAND_RUNS_MAXIMUM 64

enum scheduler_policy { SCHEDULER_GLOBAL, SCHEDULER_LOCAL };

enum machine_end { END_OFF, END_HALT };

struct command_line {
	unsigned processors; /* 0: all */
	enum scheduler_policy policy;
	uint64_t seed;
	uint32_t quantum;     /* of tasks that are made without one, instructions */
	uint32_t extension;   /* of a quantum that is spent in a critical section, instructions; 0: none */
	uint32_t chain;       /* exchanges in a row, while something waits that only this processor can run */
	uint32_t linger;      /* nanoseconds that a processor without work looks for some before it halts */
	bool colour;          /* tasks' stacks begin in different sets of the cache */
	bool plain;           /* yields may be plain (sched/plain.h) */
	unsigned watchdog;    /* seconds; 0: off */
	unsigned memory;      /* MiB to use at most; 0: all */
	enum machine_end end; /* of a bare machine, when all went well */
	bool list, help;
	unsigned run_count;
	const char *runs[COMMAND_RUNS_MAXIMUM]; /* "NAME[,key=value...]", inside the text that was parsed */
};

extern struct command_line command_line; /* as parsed; constant after boot */

/* Parse `text`, which is cut into words in place and must stay. False: `error` holds the sentence. */
bool command_line_parse(char *text, struct command_line *result, char *error, unsigned error_size);

/* One line for each word that is allowed, for help. */
extern const char *const command_line_help[];

#endif
