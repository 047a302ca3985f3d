/*
 * Processors that do not work as they report.
 */
#include "arch/x86_64/decode/errata.h"
#include "user/test/test.h"

TEST(errata, deadlines_need_microcode)
{
	static const struct {
		struct signature signature;
		uint32_t microcode;
		bool is_sound;
	} known[] = {
	    {{MAKER_INTEL, 6, 0x3f, 2}, 0x39, false},       {{MAKER_INTEL, 6, 0x3f, 2}, 0x3a, true},
	    {{MAKER_INTEL, 6, 0x3f, 4}, 0x0e, false},       {{MAKER_INTEL, 6, 0x3f, 3}, 0, true},
	    {{MAKER_INTEL, 6, 0x55, 4}, 0x02000013, false}, {{MAKER_INTEL, 6, 0x55, 7}, 0x01000000, true},
	    {{MAKER_INTEL, 6, 0x9e, 13}, 0x51, false},      {{MAKER_INTEL, 6, 0x97, 2}, 0, true},
	    {{MAKER_INTEL, 15, 0x3f, 2}, 0, true},          {{MAKER_AMD, 6, 0x3f, 2}, 0, true},
	};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		CHECK_EQUAL(errata_deadline_is_sound(&known[i].signature, known[i].microcode), known[i].is_sound);
}

TEST(errata, monitors_miss_writes)
{
	CHECK(!errata_monitor_is_sound(&(struct signature){MAKER_INTEL, 6, 0x5c, 9}));
	CHECK(!errata_monitor_is_sound(&(struct signature){MAKER_INTEL, 6, 0x2e, 6}));
	CHECK(errata_monitor_is_sound(&(struct signature){MAKER_INTEL, 6, 0x55, 4}));
	CHECK(errata_monitor_is_sound(&(struct signature){MAKER_AMD, 0x19, 0x5c, 0}));
}
