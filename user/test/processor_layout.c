/*
 * How the ids of processors are composed, from what real ones report, and which processors are near each other. The
 * leaves come from the collection of the project hwloc (tests/hwloc/x86), except for Zen 2: from AMD's reference for
 * model 31h.
 */
#include <string.h>

#include "arch/x86_64/decode/topology.h"
#include "user/test/dump.h"
#include "user/test/test.h"

#define AMD_WITH_PLACE          \
	{                           \
		0x80000001, 0,          \
		{                       \
			0, 0, 0x35c233ff, 0 \
		}                       \
	}
#define AMD_CACHES(data, unified, largest)                                    \
	{0x8000001d, 0, {data, 0, 0, 0}}, {0x8000001d, 1, {(data) + 1, 0, 0, 0}}, \
	    {0x8000001d, 2, {unified, 0, 0, 0}},                                  \
	{                                                                         \
		0x8000001d, 3,                                                        \
		{                                                                     \
			largest, 0, 0, 0                                                  \
		}                                                                     \
	}
#define INTEL_CACHES(data, unified, largest)                                            \
	{4, 0, {data, 0, 0, 0}}, {4, 1, {(data) + 1, 0, 0, 0}}, {4, 2, {unified, 0, 0, 0}}, \
	{                                                                                   \
		4, 3,                                                                           \
		{                                                                               \
			largest, 0, 0, 0                                                            \
		}                                                                               \
	}
#define SEVERAL(ids)                      \
	{                                     \
		1, 0,                             \
		{                                 \
			0, (ids) << 16, 0, 0x178bfbff \
		}                                 \
	}
#define END          \
	{                \
		DUMP_END, 0, \
		{            \
			0        \
		}            \
	}

/* Zen 1, EPYC 7451: no list of levels; 24 cores of two threads on four dies, three to a cache. */
static const struct dump_leaf zen_1[] = {SEVERAL(0x30),
                                         AMD_WITH_PLACE,
                                         {0x80000008, 0, {0x3030, 7, 0x602f, 0}},
                                         AMD_CACHES(0x4121, 0x4143, 0x14163),
                                         {0x8000001e, 0, {0, 0x100, 0x300, 0}},
                                         END};
/* Zen 2, EPYC 7702. */
static const struct dump_leaf zen_2[] = {SEVERAL(0x80),
                                         AMD_WITH_PLACE,
                                         {0xb, 0, {1, 2, 0x100, 0}},
                                         {0xb, 1, {7, 0x80, 0x201, 0}},
                                         {0x80000008, 0, {0x3030, 0, 0x707f, 0}},
                                         AMD_CACHES(0x4121, 0x4143, 0x1c163),
                                         {0x8000001e, 0, {0, 0x100, 0, 0}},
                                         END};
/* Zen 3, EPYC 7763 with its second threads off. */
static const struct dump_leaf zen_3[] = {SEVERAL(0x40),
                                         AMD_WITH_PLACE,
                                         {0x80000008, 0, {0x3030, 0, 0x603f, 0}},
                                         AMD_CACHES(0x121, 0x143, 0x1c163),
                                         {0x8000001e, 0, {0, 0, 0, 0}},
                                         END};
/* Zen 4, EPYC 9654. */
static const struct dump_leaf zen_4[] = {SEVERAL(0xc0),
                                         AMD_WITH_PLACE,
                                         {0xb, 0, {1, 2, 0x100, 0}},
                                         {0xb, 1, {8, 0xc0, 0x201, 0}},
                                         {0x80000008, 0, {0x3934, 0, 0x80bf, 0}},
                                         AMD_CACHES(0x4121, 0x4143, 0x3c163),
                                         {0x8000001e, 0, {0, 0x100, 0, 0}},
                                         {0x80000026, 0, {1, 2, 0x100, 0}},
                                         {0x80000026, 1, {4, 0x10, 0x201, 0}},
                                         {0x80000026, 2, {4, 0x10, 0x302, 0}},
                                         {0x80000026, 3, {8, 0xc0, 0x403, 0}},
                                         END};
/* Zen 5, Ryzen AI 9 HX 370: four fast cores, and eight that save power. */
static const struct dump_leaf strix_fast[] = {AMD_WITH_PLACE,
                                              AMD_CACHES(0x4121, 0x4143, 0x1c163),
                                              {0x80000026, 0, {0x60000001, 2, 0x100, 0}},
                                              {0x80000026, 1, {0xc0000004, 8, 0x201, 0}},
                                              {0x80000026, 2, {0x40000005, 0x18, 0x302, 0}},
                                              {0x80000026, 3, {5, 0x18, 0x403, 0}},
                                              END};
static const struct dump_leaf strix_efficient[] = {AMD_WITH_PLACE,
                                                   AMD_CACHES(0x4121, 0x4143, 0x3c163),
                                                   {0x80000026, 0, {0x60000001, 0x10000002, 0x100, 0x10}},
                                                   {0x80000026, 1, {0xc0000004, 0x10, 0x201, 0x10}},
                                                   {0x80000026, 2, {0x40000005, 0x18, 0x302, 0x10}},
                                                   {0x80000026, 3, {5, 0x18, 0x403, 0x10}},
                                                   END};
/* Opteron 6272: two cores share many units; eight are on a die with a common cache, sixteen in a socket. */
static const struct dump_leaf bulldozer[] = {SEVERAL(0x10),
                                             AMD_WITH_PLACE,
                                             {0x80000008, 0, {0x3030, 0, 0x500f, 0}},
                                             AMD_CACHES(0x121, 0x4143, 0x1c163),
                                             {0x8000001e, 0, {0, 0x107, 0x105, 0}},
                                             END};
/* Opteron 2218: reports only how many processors there are. */
static const struct dump_leaf k8[] = {
    SEVERAL(2), {0x80000001, 0, {0, 0, 0x1f, 0}}, {0x80000008, 0, {0x3028, 0, 1, 0}}, END};
/* Xeon E5345: four cores, of which two share a cache; no list of levels. */
static const struct dump_leaf core_2[] = {
    {1, 0, {0x6f7, 0x7040800, 0x4e3bd, 0xbfebfbff}}, INTEL_CACHES(0xc000121, 0xc004143, 0), END};
/* Xeon 6230. */
static const struct dump_leaf cascade_lake[] = {SEVERAL(0x80),
                                                {0xb, 0, {1, 2, 0x100, 0x75}},
                                                {0xb, 1, {6, 0x28, 0x201, 0x75}},
                                                INTEL_CACHES(0x7c004121, 0x7c004143, 0x7c0fc163),
                                                END};
/* Xeon E5-2680 v3 with its socket configured as two halves. */
static const struct dump_leaf haswell[] = {SEVERAL(0x20),
                                           {0xb, 0, {1, 2, 0x100, 0}},
                                           {0xb, 1, {5, 0x18, 0x201, 0}},
                                           INTEL_CACHES(0x3c004121, 0x3c004143, 0x3c03c163),
                                           END};
/* Three dies a socket, three cores a die. */
static const struct dump_leaf dies[] = {SEVERAL(6),
                                        {0xb, 0, {1, 2, 0x100, 0}},
                                        {0xb, 1, {5, 6, 0x201, 0}},
                                        {0x1f, 0, {1, 2, 0x100, 0}},
                                        {0x1f, 1, {3, 6, 0x201, 0}},
                                        {0x1f, 2, {5, 0x12, 0x502, 0}},
                                        INTEL_CACHES(0x8000121, 0x8004143, 0x801c163),
                                        END};
/* Core Ultra 5 225U: a fast core, one that saves power, and one that does not share the large cache. */
#define ARROW_LAKE_LEVELS(threads, module)                                                              \
	{7, 0, {2, 0, 0, 0xfc18c410}}, {0x1f, 0, {1, threads, 0x100, 0}}, {0x1f, 1, {3, module, 0x201, 0}}, \
	{                                                                                                   \
		0x1f, 2,                                                                                        \
		{                                                                                               \
			7, 0xe, 0x302, 0                                                                            \
		}                                                                                               \
	}
static const struct dump_leaf arrow_fast[] = {ARROW_LAKE_LEVELS(2, 2),
                                              {0x1a, 0, {0x40000002, 0, 0, 0}},
                                              INTEL_CACHES(0xfc004121, 0xfc01c143, 0xfc0fc163),
                                              END};
static const struct dump_leaf arrow_efficient[] = {ARROW_LAKE_LEVELS(1, 4),
                                                   {0x1a, 0, {0x20000002, 0, 0, 0}},
                                                   INTEL_CACHES(0xfc000121, 0xfc01c143, 0xfc0fc163),
                                                   END};
static const struct dump_leaf arrow_alone[] = {
    ARROW_LAKE_LEVELS(1, 2), {0x1a, 0, {0x20000002, 0, 0, 0}}, INTEL_CACHES(0xfc000121, 0xfc01c143, 0), END};
/* A virtual machine without all of that. */
static const struct dump_leaf nothing[] = {{1, 0, {0x663, 0, 0, 0x78bfbfd}}, END};

TEST(processor_layout, is_what_processors_say)
{
	static const struct {
		const struct dump_leaf *dump;
		struct topology_layout layout; /* core, cache, die, socket, level of the cache, kind */
	} known[] = {
	    {zen_1, {1, 3, 4, 6, 3, PROCESSOR_ALIKE}},
	    {zen_2, {1, 3, 7, 7, 3, PROCESSOR_ALIKE}},
	    {zen_3, {0, 3, 6, 6, 3, PROCESSOR_ALIKE}},
	    {zen_4, {1, 4, 4, 8, 3, PROCESSOR_ALIKE}},
	    {strix_fast, {1, 3, 5, 5, 3, PROCESSOR_FAST}},
	    {strix_efficient, {1, 4, 5, 5, 3, PROCESSOR_EFFICIENT}},
	    {bulldozer, {1, 3, 3, 5, 3, PROCESSOR_ALIKE}},
	    {k8, {0, 1, 1, 1, 0, PROCESSOR_ALIKE}},
	    {core_2, {0, 1, 2, 2, 2, PROCESSOR_ALIKE}},
	    {cascade_lake, {1, 6, 6, 6, 3, PROCESSOR_ALIKE}},
	    {haswell, {1, 4, 5, 5, 3, PROCESSOR_ALIKE}},
	    {dies, {1, 3, 3, 5, 3, PROCESSOR_ALIKE}},
	    {arrow_fast, {1, 6, 7, 7, 3, PROCESSOR_FAST}},
	    {arrow_efficient, {1, 6, 7, 7, 3, PROCESSOR_EFFICIENT}},
	    {arrow_alone, {1, 3, 7, 7, 2, PROCESSOR_EFFICIENT}},
	    {nothing, {0, 0, 0, 0, 0, PROCESSOR_ALIKE}},
	};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct identity identity = dump_identity(known[i].dump);
		struct topology_layout layout = processor_layout(&identity);
		CHECK_EQUAL(layout.core_shift, known[i].layout.core_shift);
		CHECK_EQUAL(layout.cache_shift, known[i].layout.cache_shift);
		CHECK_EQUAL(layout.die_shift, known[i].layout.die_shift);
		CHECK_EQUAL(layout.socket_shift, known[i].layout.socket_shift);
		CHECK_EQUAL(layout.cache_level, known[i].layout.cache_level);
		CHECK_EQUAL(layout.kind, known[i].layout.kind);
	}
}

/* Large, so not on a task's stack. */
static struct topology made;

static void add(const struct dump_leaf *dump, uint32_t first, unsigned count, unsigned step)
{
	struct identity identity = dump_identity(dump);
	struct topology_layout layout = processor_layout(&identity);
	for (unsigned i = 0; i < count; i++)
		made.processor[made.processor_count++] = topology_place(first + i * step, &layout);
}

static bool description_is(const char *text)
{
	topology_describe(&made, made.description, sizeof(made.description));
	return strcmp(made.description, text) == 0;
}

TEST(processor_layout, describes_machines)
{
	made.processor_count = 0;
	for (unsigned socket = 0; socket < 2; socket++)
		for (unsigned cache = 0; cache < 8; cache++)
			add(zen_1, socket << 6 | cache << 3, 6, 1);
	CHECK(description_is("2 sockets x 24 cores x 2 threads, 8 dies, 16 shared caches"));
	CHECK_EQUAL(topology_distance_in(&made, 0, 1), 1); /* the other thread of the core */
	CHECK_EQUAL(topology_distance_in(&made, 0, 2), 2); /* the same cache */
	CHECK_EQUAL(topology_distance_in(&made, 0, 6), 3); /* the same die */
	CHECK_EQUAL(topology_distance_in(&made, 0, 12), 4);

	made.processor_count = 0;
	add(zen_2, 0, 128, 1);
	CHECK(description_is("1 socket x 64 cores x 2 threads, 16 shared caches"));

	made.processor_count = 0;
	add(strix_fast, 0, 8, 1);
	add(strix_efficient, 0x10, 16, 1);
	CHECK(description_is(
	    "1 socket x 12 cores x 2 threads, 2 shared caches, 8 processors fast, 16 saving power"));

	made.processor_count = 0;
	add(arrow_fast, 0x10, 2, 1);
	add(arrow_fast, 0x18, 2, 1);
	add(arrow_efficient, 0, 8, 2);
	add(arrow_alone, 0x40, 2, 2);
	CHECK(description_is(
	    "1 socket, 12 cores, 14 processors, 2 shared caches, 4 processors fast, 10 saving power"));
	CHECK_EQUAL(topology_distance_in(&made, 0, 4), 2);
	CHECK_EQUAL(topology_distance_in(&made, 0, 12), 3); /* a different cache */

	made.processor_count = 0;
	add(nothing, 0, 1, 1);
	CHECK(description_is("1 socket x 1 core x 1 thread"));
}

/* Whatever a processor reports, parts are no larger than the whole, and the code terminates. */
TEST(processor_layout, takes_anything)
{
	static const uint32_t leaves[] = {1,          4,          7,          0xb,        0x1a,      0x1f,
	                                  0x80000001, 0x80000008, 0x8000001d, 0x8000001e, 0x80000026};
	enum { COUNT = sizeof(leaves) / sizeof(leaves[0]), PARTS = 4 };
	struct dump_leaf dump[COUNT * PARTS + 1];
	uint64_t random = 7;
	for (unsigned round = 0; round < 5000; round++) {
		for (unsigned i = 0; i < COUNT * PARTS; i++) {
			uint32_t words[4];
			for (unsigned word = 0; word < 4; word++) {
				random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
				words[word] = (uint32_t)(random >> 32) & (round % 3 ? 0xf000ff1fu : UINT32_MAX);
			}
			dump[i] =
			    (struct dump_leaf){leaves[i / PARTS], i % PARTS, {words[0], words[1], words[2], words[3]}};
		}
		dump[COUNT * PARTS] = (struct dump_leaf)END;
		struct identity identity = dump_identity(dump);
		struct topology_layout layout = processor_layout(&identity);
		CHECK(layout.socket_shift < 32);
		CHECK(layout.core_shift <= layout.cache_shift && layout.cache_shift <= layout.socket_shift);
		CHECK(layout.core_shift <= layout.die_shift && layout.die_shift <= layout.socket_shift);
	}
}
