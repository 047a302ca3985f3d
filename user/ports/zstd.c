#include "user/ports/compressor.h"

static bool run(struct program_run *run)
{
	return compressor_run(run, &codec_zstd);
}

static const struct program_parameter parameters[] = {COMPRESSOR_PARAMETERS(3, 1, 19)};

HEDDLE_PROGRAM(zstd, "zstd in each task: compress, restore, compare", parameters, run);
