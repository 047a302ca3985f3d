#include "user/ports/compressor.h"

static bool run(struct program_run *run)
{
	return compressor_run(run, &codec_zlib);
}

static const struct program_parameter parameters[] = {COMPRESSOR_PARAMETERS(6, 0, 9)};

HEDDLE_PROGRAM(zlib, "zlib in each task: compress, restore, compare", parameters, run);
