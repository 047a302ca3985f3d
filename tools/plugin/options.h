/*
 * What the compiler was told: -fplugin-arg-heddle-NAME[=VALUE].
 */
#ifndef PLUGIN_OPTIONS_H
#define PLUGIN_OPTIONS_H

struct plugin_name_args;

#define BOUND_DEFAULT 1000
#define BOUND_MINIMUM 100
#define BOUND_MAXIMUM 1000000

struct options {
	unsigned bound; /* no path runs longer than so many instructions between two checks */
	bool off;       /* insert nothing, and say so in no note */
	int omit;       /* a register that the live words leave out, to show that tests notice; -1: none */
};

extern struct options options;

/* Read the arguments. False: one is wrong, and the sentence was given as an error of the compiler. */
bool options_read(const struct plugin_name_args *arguments);

/* What could not be understood before the compiler knew its registers. */
void options_complete();

/* How the bound is shared out. A function that runs at most so many instructions and calls nothing else needs
 * no check; its callers count so much for a call of what they do not know. */
static inline unsigned small_limit()
{
	return options.bound / 16;
}

/* At a call, so many instructions may have passed since the last check; a small callee then stays within the
 * bound. */
static inline unsigned call_limit()
{
	return options.bound - small_limit() - 2;
}

/* At a return, so many; what follows a call in the caller begins with them. */
static inline unsigned return_limit()
{
	return options.bound / 2;
}

#endif
