/*
 * The results of the programs of user/ports/, computed by a Linux program with the host's C library: the same
 * sources, one after the other, without tasks. Prints the checksums that they must give. HAVE_... says which sources
 * exist.
 *
 *     reference lua|duktape SIZE                          all scripts except the last
 *     reference zlib|lz4|zstd SIZE LEVEL TASKS ROUNDS
 *     reference sqlite3 SIZE TASKS ROUNDS
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/ports/allocate.h"
#include "user/ports/checksum.h"
#include "user/ports/database.h"
#include "user/ports/roundtrip.h"
#include "user/ports/script.h"

void *allocate_change(void *block, size_t old_bytes, size_t new_bytes)
{
	(void)old_bytes;
	if (new_bytes > 0)
		return realloc(block, new_bytes);
	free(block);
	return NULL;
}

static int run_scripts(const struct script *scripts, script_runner run, uint64_t size)
{
	uint64_t checksum = CHECKSUM_START;
	struct script_outcome outcome;
	for (const struct script *script = scripts; script[1].name; script++) {
		if (!run(script, size, &outcome)) {
			fprintf(stderr, "script %s: %s\n", script->name, outcome.complaint);
			return EXIT_FAILURE;
		}
		checksum = checksum_add(checksum, &outcome.checksum, sizeof(outcome.checksum));
	}
	printf("%" PRIu64 "\n", checksum);
	return EXIT_SUCCESS;
}

static int run_roundtrips(const struct roundtrip_codec *codec, size_t size, int level, uint64_t tasks,
                          uint64_t rounds)
{
	uint64_t all = CHECKSUM_START;
	for (uint64_t task = 0; task < tasks; task++) {
		uint64_t checksum = CHECKSUM_START;
		for (uint64_t round = 0; round < rounds; round++) {
			struct roundtrip trip = {
			    .codec = codec, .seed = task * rounds + round, .bytes = size, .level = level};
			const char *problem = roundtrip_run(&trip);
			if (problem) {
				fprintf(stderr, "%s\n", problem);
				return EXIT_FAILURE;
			}
			checksum = checksum_add(checksum, &trip.checksum, sizeof(trip.checksum));
		}
		all = checksum_add(all, &checksum, sizeof(checksum));
	}
	printf("%" PRIu64 "\n", all);
	return EXIT_SUCCESS;
}

static const struct roundtrip_codec *find_codec(const char *name)
{
	static const struct roundtrip_codec *const codecs[] = {
	    &codec_zlib,
#ifdef HAVE_LZ4
	    &codec_lz4,
#endif
#ifdef HAVE_LIBZSTD
	    &codec_zstd,
#endif
	};
	for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++)
		if (strcmp(codecs[i]->name, name) == 0)
			return codecs[i];
	return NULL;
}

#ifdef HAVE_SQLITE3
static int run_databases(uint64_t size, uint64_t tasks, uint64_t rounds)
{
	uint64_t all = CHECKSUM_START;
	bool well = database_begin();
	for (uint64_t task = 0; well && task < tasks; task++) {
		uint64_t checksum = CHECKSUM_START;
		struct database_outcome outcome = {0};
		for (uint64_t round = 0; well && round < rounds; round++) {
			well = database_run(task * rounds + round, size, &outcome);
			checksum = checksum_add(checksum, &outcome.checksum, sizeof(outcome.checksum));
		}
		if (!well)
			fprintf(stderr, "%s\n", outcome.complaint);
		all = checksum_add(all, &checksum, sizeof(checksum));
	}
	printf("%" PRIu64 "\n", all);
	return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif

int main(int count, char **words)
{
	uint64_t numbers[6] = {0};
	for (int i = 2; i < count && i < 6; i++)
		numbers[i] = strtoull(words[i], NULL, 10);
	if (count == 3 && strcmp(words[1], "lua") == 0)
		return run_scripts(scripts_lua, script_run_lua, numbers[2]);
#ifdef HAVE_DUKTAPE
	if (count == 3 && strcmp(words[1], "duktape") == 0)
		return run_scripts(scripts_duktape, script_run_duktape, numbers[2]);
#endif
#ifdef HAVE_SQLITE3
	if (count == 5 && strcmp(words[1], "sqlite3") == 0)
		return run_databases(numbers[2], numbers[3], numbers[4]);
#endif
	const struct roundtrip_codec *codec = count == 6 ? find_codec(words[1]) : NULL;
	if (codec)
		return run_roundtrips(codec, numbers[2], (int)numbers[3], numbers[4], numbers[5]);
	fprintf(stderr, "usage: reference lua|duktape SIZE | reference zlib|lz4|zstd SIZE LEVEL TASKS ROUNDS | "
	                "reference sqlite3 SIZE TASKS ROUNDS\n");
	return EXIT_FAILURE;
}
