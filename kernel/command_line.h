/*
 * The command line, the same words in GRUB's menu, for QEMU and for the hosted program:
 *     run=NAME[,key=value...]   run a program; repeatable, in order
 *     processors=N  sched=global|local|NAME  seed=N  log=error|warning|info|debug
 *     quantum=N  extension=N  chain=N  defer=N  linger=NANOSECONDS
 *     colour=off|on  plain=off|on
 *     watchdog=SECONDS  memory=MIB  fail=N|N+  fault=task|machine
 *     safe=off|on  performance=off|on  idle=halt|monitor
 *     trace=off|on|paused[,size=EVENTS][,events=KIND+KIND...][,file=NAME]
 *     serial=auto|off|com1|com2|com3|com4|pci|PORT[,BAUD]  end=off|halt|reboot  list  help
 * An unknown word, name or value is an error with a sentence that lists what is allowed.
 */
#ifndef KERNEL_COMMAND_LINE_H
#define KERNEL_COMMAND_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/policy_word.h"
#include "kernel/trace_word.h"

#define COMMAND_RUNS_MAXIMUM 64

enum machine_end { END_OFF, END_HALT, END_REBOOT };

/* What ends by a fault of a task. */
enum fault_end { FAULT_ENDS_TASK, FAULT_ENDS_MACHINE };

/* How a bare machine's processors idle: as suits them, halted, watching a word. */
enum idle_choice { IDLE_BY_HALT, IDLE_BY_MONITOR };

/* The serial line of a bare machine: whatever the machine finds, none, one of the usual four, a port, or one on
 * PCI. */
enum serial_choice {
	SERIAL_ANY,
	SERIAL_OFF,
	SERIAL_FIRST,
	SERIAL_SECOND,
	SERIAL_THIRD,
	SERIAL_FOURTH,
	SERIAL_PCI,
	SERIAL_PORT
};
struct serial_line {
	enum serial_choice choice;
	uint16_t port;
	unsigned rate; /* bits a second */
};

struct command_line {
	unsigned processors;       /* 0: all */
	struct policy_word policy; /* experiment: SCHEDULER_GLOBAL (sched/README.md) */
	uint64_t seed;
	uint32_t quantum;   /* instructions; for tasks that were created without a quantum */
	uint32_t extension; /* instructions by which a quantum spent in a critical section grows; 0: none */
	uint32_t chain;     /* exchanges in a row while other work waits that only this processor can run */
	uint32_t defer;     /* instructions for which a task may go on after handing a lock over; 0: none */
	uint32_t linger;    /* nanoseconds for which an idle processor looks for work before it halts */
	bool colour;        /* experiment: tasks' stacks begin in different sets of the cache */
	bool plain;         /* experiment: yields may be plain (sched/plain.h) */
	unsigned watchdog;  /* seconds; 0: off */
	unsigned memory;    /* MiB to use at most; 0: all */
	bool fails;         /* allocations are counted (failure.h), */
	uint64_t fail;      /* and this one fails; 0: none, */
	bool fail_on;       /* and all after it */
	enum fault_end fault;
	unsigned
	    skew;  /* nanoseconds by which processors' clocks are made to differ, for tests of their correction */
	bool safe; /* a bare machine does without what some machines get wrong */
	struct serial_line serial;
	enum idle_choice idle;
	bool performance;     /* a bare machine's processors run at their highest frequency */
	enum machine_end end; /* of a bare machine, when all went well */
	struct trace_word trace;
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
