/*
 * What processors report about their time-stamp counter.
 */
#include <stdbool.h>
#include <stddef.h>

#include "arch/x86_64/decode/frequency.h"
#include "user/test/dump.h"
#include "user/test/test.h"

/* Core i7-6700K: the ratio to a crystal whose frequency it does not report. */
static const struct dump_leaf skylake[] = {{0x15, 0, {0x2, 0x14e, 0, 0}},
                                           {0x16, 0, {0xfa0, 0x1068, 0x64, 0}},
                                           {0x80000007, 0, {0, 0, 0, 0x100}},
                                           {DUMP_END, 0, {0}}};
/* Core i7-1065G7. */
static const struct dump_leaf ice_lake[] = {{0x15, 0, {0x2, 0x4e, 0x249f000, 0}},
                                            {0x16, 0, {0x5dc, 0xf3c, 0x64, 0}},
                                            {0x80000007, 0, {0, 0, 0, 0x100}},
                                            {DUMP_END, 0, {0}}};
/* EPYC 7702: reports nothing. */
static const struct dump_leaf rome[] = {{0x80000007, 0, {0, 0x1b, 0, 0x6799}}, {DUMP_END, 0, {0}}};
/* A virtual machine of VMware, on a processor that reports more. */
static const struct dump_leaf virtual[] = {{0x15, 0, {0x2, 0x4e, 0x249f000, 0}},
                                           {0x40000000, 0, {0x40000010, 0, 0, 0}},
                                           {0x40000010, 0, {2294609, 66000, 0, 0}},
                                           {DUMP_END, 0, {0}}};

TEST(frequency, is_what_processors_say)
{
	const struct {
		const struct dump_leaf *dump;
		uint64_t hertz;
		bool is_exact, is_invariant;
	} known[] = {{skylake, 4000000000, false, true},
	             {ice_lake, 1497600000, true, true},
	             {rome, 0, false, true},
	             {virtual, 2294609000, true, false}};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct identity identity = dump_identity(known[i].dump);
		struct frequency_statement stated = frequency_stated(&identity);
		CHECK_EQUAL(stated.hertz, known[i].hertz);
		CHECK_EQUAL(stated.is_exact, known[i].is_exact);
		CHECK_EQUAL(stated.said == NULL, known[i].hertz == 0);
		CHECK_EQUAL(frequency_is_invariant(&identity), known[i].is_invariant);
	}
}

TEST(frequency, knows_models_from_signatures)
{
	static const struct {
		uint32_t maker, word, family, model, stepping;
	} known[] = {
	    {MAKER_INTEL, 0x000306f2, 6, 0x3f, 2},  /* Haswell-EP */
	    {MAKER_INTEL, 0x00050657, 6, 0x55, 7},  /* Cascade Lake */
	    {MAKER_INTEL, 0x00090672, 6, 0x97, 2},  /* Alder Lake */
	    {MAKER_INTEL, 0x00000f4a, 15, 4, 10},   /* Pentium 4 */
	    {MAKER_AMD, 0x00830f10, 0x17, 0x31, 0}, /* Zen 2 */
	    {MAKER_AMD, 0x00a10f11, 0x19, 0x11, 1}, /* Zen 4 */
	    {MAKER_AMD, 0x00000f51, 15, 5, 1},      /* the first Opteron */
	};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct dump_leaf dump[] = {
		    {0, 0, {1, known[i].maker, 0, 0}}, {1, 0, {known[i].word, 0, 0, 0}}, {DUMP_END, 0, {0}}};
		struct identity identity = dump_identity(dump);
		struct signature signature = identity_signature(&identity);
		CHECK_EQUAL(signature.maker, known[i].maker);
		CHECK_EQUAL(signature.family, known[i].family);
		CHECK_EQUAL(signature.model, known[i].model);
		CHECK_EQUAL(signature.stepping, known[i].stepping);
	}
}
