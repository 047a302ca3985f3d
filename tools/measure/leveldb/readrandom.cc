/*
 * LevelDB's benchmark readrandom with its checks: `tasks` tasks or threads look up `reads` random keys in all, in one
 * open database of `entries` entries.
 *
 *     readrandom action=fill folder=DATABASE entries=1000000
 *     readrandom action=read folder=DATABASE entries=1000000 lock=exchange processors=2 tasks=64 reads=400000
 *     readrandom action=both files=memory ...    the whole database in LevelDB's memory environment
 *
 * Prints one result line. If a read is wrong or finds nothing, it ends with status 1 and a message.
 */
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "helpers/memenv/memenv.h"
#include "tools/measure/leveldb/crew.h"
#include "tools/measure/leveldb/database.h"

namespace
{

struct settings {
	std::string action = "read", folder, files = "mapped", lock;
	uint64_t processors = 2, tasks = 1, reads = 100000, entries = 1000000, value_size = 100;
};

struct number_name {
	const char *name;
	uint64_t settings::*number;
	uint64_t lowest, highest;
};

const number_name numbers[] = {
    {"processors", &settings::processors, 1, 1024},      {"tasks", &settings::tasks, 1, 10000},
    {"reads", &settings::reads, 1, 1000000000},          {"entries", &settings::entries, 1, 100000000},
    {"value", &settings::value_size, KEY_SIZE, 1 << 16},
};

struct text_name {
	const char *name;
	std::string settings::*text;
};

const text_name texts[] = {
    {"action", &settings::action},
    {"folder", &settings::folder},
    {"files", &settings::files},
    {"lock", &settings::lock},
};

bool refuse(const char *word, const std::string &reason)
{
	std::fprintf(stderr, "readrandom: %s: %s\n", word, reason.c_str());
	return false;
}

bool parse_number(settings &chosen, const number_name &entry, const char *word, const char *value)
{
	char *end;
	errno = 0;
	uint64_t number = std::strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || number < entry.lowest || number > entry.highest)
		return refuse(word, "a number from " + std::to_string(entry.lowest) + " to " +
		                        std::to_string(entry.highest) + " is allowed");
	chosen.*entry.number = number;
	return true;
}

bool parse_word(settings &chosen, const char *word)
{
	std::string text = word, allowed;
	std::string name = text.substr(0, text.find('='));
	const char *value = word + name.size() + (name.size() < text.size());
	for (const number_name &entry : numbers) {
		if (name == entry.name)
			return parse_number(chosen, entry, word, value);
		allowed += std::string(" ") + entry.name;
	}
	for (const text_name &entry : texts) {
		allowed += std::string(" ") + entry.name;
		if (name == entry.name)
			return chosen.*entry.text = value, true;
	}
	return refuse(word, "not a parameter; there are" + allowed);
}

bool is_sensible(const settings &chosen)
{
	bool in_memory = chosen.files == "memory";
	if (!in_memory && chosen.files != "mapped")
		return refuse("files", "mapped or memory is allowed");
	if (chosen.action != "fill" && chosen.action != "read" && chosen.action != "both")
		return refuse("action", "fill, read or both is allowed");
	if (in_memory && chosen.action != "both")
		return refuse("files=memory", "only action=both has a database to read there");
	if (!in_memory && chosen.folder.empty())
		return refuse("folder", "the folder of the database is missing");
	if (!crew_choose_locks(chosen.lock))
		return refuse("lock", std::string(crew_locks) + " is allowed");
	return true;
}

void print_result(const settings &chosen, const reads &sum, uint64_t nanoseconds)
{
	std::printf("{\"benchmark\":\"readrandom\",\"variant\":\"%s\",\"processors\":%" PRIu64
	            ",\"tasks\":%" PRIu64 ",\"entries\":%" PRIu64 ",\"value\":%" PRIu64
	            ",\"files\":\"%s\",\"leveldb\":\"%d.%d\"",
	            chosen.lock.c_str(), chosen.processors, chosen.tasks, chosen.entries, chosen.value_size,
	            chosen.files.c_str(), leveldb::kMajorVersion, leveldb::kMinorVersion);
	std::printf(",\"key_sum\":%" PRIu64 "%s,\"operations\":%" PRIu64 ",\"seconds\":%.9f", sum.key_sum,
	            crew_counters().c_str(), chosen.reads, nanoseconds * 1e-9);
	std::printf(",\"ns_per_operation\":%.3f,\"ok\":%s}\n", static_cast<double>(nanoseconds) / chosen.reads,
	            sum.right == chosen.reads ? "true" : "false");
}

/* Each does its part of all reads; the seeds are those of db_bench's threads. */
bool read_all(database &store, const settings &chosen, reads &sum, uint64_t &nanoseconds)
{
	std::vector<reads> parts(chosen.tasks);
	nanoseconds = crew_work(chosen.tasks, [&](unsigned index) {
		uint64_t count = chosen.reads * (index + 1) / chosen.tasks - chosen.reads * index / chosen.tasks;
		parts[index] = store.read(1000 + index, count);
	});
	if (nanoseconds == 0)
		return refuse("tasks", "there is no memory for so many");
	for (const reads &part : parts) {
		sum.right += part.right;
		sum.wrong += part.wrong;
		sum.missing += part.missing;
		sum.failed += part.failed;
		sum.key_sum += part.key_sum;
	}
	if (sum.right != chosen.reads)
		std::fprintf(stderr,
		             "readrandom: of %" PRIu64 " keys %" PRIu64 " were not found, %" PRIu64
		             " had a wrong value, %" PRIu64 " could not be read, %" PRIu64 " were not looked for\n",
		             chosen.reads, sum.missing, sum.wrong, sum.failed,
		             chosen.reads - sum.right - sum.missing - sum.wrong - sum.failed);
	return true;
}

int run(const settings &chosen)
{
	std::unique_ptr<leveldb::Env> memory;
	leveldb::Env *environment = crew_environment();
	if (chosen.files == "memory") {
		memory.reset(leveldb::NewMemEnv(environment));
		environment = memory.get();
	}
	database store(environment, chosen.files == "memory" ? "/memory" : chosen.folder, chosen.entries,
	               static_cast<unsigned>(chosen.value_size));
	bool fills = chosen.action != "read";
	if (!store.open(fills) || (fills && !store.fill(static_cast<unsigned>(chosen.tasks))) || !store.scan())
		return 1;
	if (chosen.action == "fill")
		return 0;
	reads sum = {};
	uint64_t nanoseconds;
	if (!read_all(store, chosen, sum, nanoseconds))
		return 1;
	store.close();
	print_result(chosen, sum, nanoseconds);
	return sum.right == chosen.reads ? 0 : 1;
}

} // namespace

int main(int count, char **words)
{
	settings chosen;
	for (int i = 1; i < count; i++)
		if (!parse_word(chosen, words[i]))
			return 1;
	if (!is_sensible(chosen))
		return 1;
	return crew_run(static_cast<unsigned>(chosen.processors), [&] { return run(chosen); });
}
