/*
 * The options of the plugin: -fplugin-arg-heddle-NAME[=VALUE].
 */
#ifndef PLUGIN_OPTIONS_H
#define PLUGIN_OPTIONS_H

struct plugin_name_args;

#define BOUND_DEFAULT 1000
#define BOUND_MINIMUM 100
#define BOUND_MAXIMUM 32767 /* a check charges no more (counter.cc) */

struct options {
	unsigned bound; /* no path between two checks is longer than so many instructions */
	bool off;       /* insert nothing, not even a note */
	bool account;   /* account for all that is executed (account.h), with checks or, if off, without */
	bool polls;     /* checks look at the processor's block, and do not count (counter.h) */
	bool delegable; /* say which critical sections can be delegated (delegable.h); also with off */
	bool preserve_none_list, preserve_none_auto; /* functions that preserve no register (preserve_none.h) */
	bool watched;                                /* a sanitizer is told of each switch, so it may watch */
	int omit; /* a register that the live words leave out, to show that tests notice that; -1: none */
};

extern struct options options;

/* Read the arguments. False: one is wrong, and the compiler has reported it. */
bool options_read(const struct plugin_name_args *arguments);

/* Read what needs the names of registers, which the compiler does not know earlier. */
void options_complete();

/* How the bound is divided (convention.h). A function that runs at most so many instructions and calls nothing else
 * needs no check. A call of an unknown function counts so much for its caller. */
static inline unsigned small_limit()
{
	return options.bound / 16;
}

/* At a call, so many instructions may have passed since the last check: a small callee still stays within the
 * bound. */
static inline unsigned call_limit()
{
	return options.bound - small_limit() - 2;
}

/* At a return, so many may have passed; the code after a call begins with them. */
static inline unsigned return_limit()
{
	return options.bound / 4;
}

#endif
