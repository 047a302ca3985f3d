/*
 * A codec in each task: texts that differ from task to task, compressed, restored and compared.
 */
#ifndef USER_PORTS_COMPRESSOR_H
#define USER_PORTS_COMPRESSOR_H

#include "heddle/program.h"
#include "user/ports/roundtrip.h"

/* The parameters of such a program; the last three are the codec's levels: default, lowest, highest. */
#define COMPRESSOR_PARAMETERS(level, least, most)                                                          \
	{"tasks", 200, 1, 100000, "tasks, each with texts of its own"},                                        \
	    {"rounds", 1, 1, 1000000000, "texts that each task compresses and restores, one after the other"}, \
	    {"size", 60000, 1, 100000000, "bytes of a text"},                                                  \
	    {"level", level, least, most, "how hard the library tries"},                                       \
	{                                                                                                      \
		0                                                                                                  \
	}

/* Run a program with these parameters. */
bool compressor_run(struct program_run *run, const struct roundtrip_codec *codec);

#endif
