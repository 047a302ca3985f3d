#include "user/ports/compressor.h"

static bool run(struct program_run *run)
{
	return compressor_run(run, &codec_lz4);
}

static const struct program_parameter parameters[] = {COMPRESSOR_PARAMETERS(1, 0, 12)};

HEDDLE_PROGRAM(lz4, "lz4 in each task: compress, restore, compare", parameters, run);
