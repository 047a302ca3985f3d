/*
 * The topology in words.
 */
#include "kernel/format.h"
#include "kernel/topology.h"

/* How many sockets, dies, caches and cores there are: each is counted at its first processor. */
struct topology_counts {
	unsigned sockets, dies, caches, cores, fast, efficient;
};

enum part { PART_SOCKET = 1, PART_DIE = 2, PART_CACHE = 4, PART_CORE = 8 };

static unsigned shared_parts(const struct topology_processor *a, const struct topology_processor *b)
{
	if (a->socket != b->socket)
		return 0;
	return PART_SOCKET | (a->die == b->die ? PART_DIE : 0) | (a->cache == b->cache ? PART_CACHE : 0) |
	       (a->core == b->core ? PART_CORE : 0);
}

static struct topology_counts counts_of(const struct topology *in)
{
	struct topology_counts counts = {0};
	for (unsigned i = 0; i < in->processor_count; i++) {
		unsigned known = 0;
		for (unsigned before = 0; before < i; before++)
			known |= shared_parts(&in->processor[i], &in->processor[before]);
		counts.sockets += !(known & PART_SOCKET);
		counts.dies += !(known & PART_DIE);
		counts.caches += !(known & PART_CACHE);
		counts.cores += !(known & PART_CORE);
		counts.fast += in->processor[i].kind == PROCESSOR_FAST;
		counts.efficient += in->processor[i].kind == PROCESSOR_EFFICIENT;
	}
	return counts;
}

static const char *plural(unsigned count)
{
	return count == 1 ? "" : "s";
}

/* Whether all sockets have equally many cores, and all cores equally many processors. */
static bool is_even(const struct topology *in, const struct topology_counts *counts)
{
	unsigned count = in->processor_count, in_socket = count / counts->sockets,
	         in_core = count / counts->cores;
	for (unsigned i = 0; i < count; i++) {
		unsigned of_socket = 0, of_core = 0;
		for (unsigned other = 0; other < count; other++) {
			unsigned shared = shared_parts(&in->processor[i], &in->processor[other]);
			of_socket += (shared & PART_SOCKET) != 0;
			of_core += (shared & PART_CORE) != 0;
		}
		if (of_socket != in_socket || of_core != in_core)
			return false;
	}
	return in_socket * counts->sockets == count && in_core * counts->cores == count;
}

void topology_describe(const struct topology *in, char *text, size_t size)
{
	const struct topology_counts counts = counts_of(in);
	size_t length;
	if (is_even(in, &counts)) {
		unsigned cores = counts.cores / counts.sockets, threads = in->processor_count / counts.cores;
		length = format_text(text, size, "%u socket%s x %u core%s x %u thread%s", counts.sockets,
		                     plural(counts.sockets), cores, plural(cores), threads, plural(threads));
	} else {
		length = format_text(text, size, "%u socket%s, %u core%s, %u processor%s", counts.sockets,
		                     plural(counts.sockets), counts.cores, plural(counts.cores), in->processor_count,
		                     plural(in->processor_count));
	}
	if (counts.dies > counts.sockets && length < size)
		length += format_text(text + length, size - length, ", %u dies", counts.dies);
	if (counts.caches > counts.sockets && length < size)
		length += format_text(text + length, size - length, ", %u shared caches", counts.caches);
	if (counts.fast + counts.efficient > 0 && length < size)
		format_text(text + length, size - length, ", %u processors fast, %u saving power", counts.fast,
		            counts.efficient);
}
