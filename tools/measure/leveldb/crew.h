/*
 * Those who work on the database: tasks (crew_tasks.cc), or threads of the system (crew_threads.cc). All else
 * of the program is the same source.
 */
#ifndef LEVELDB_CREW_H
#define LEVELDB_CREW_H

#include <cstdint>
#include <functional>
#include <string>

#include "leveldb/env.h"

/* The locks of LevelDB, before anything of it is used. False: there are none of this name. `crew_locks` has
 * the names. */
extern const char crew_locks[];
bool crew_choose_locks(const std::string &name);

/* Run `body` as one of the crew, on so many processors; its result, or 1 where it cannot be run: a sentence
 * says why. */
int crew_run(unsigned processors, const std::function<int()> &body);

/* LevelDB's environment. By one of the crew. */
leveldb::Env *crew_environment();

/* Run work(0) to work(count - 1) side by side, each by one of its own. The nanoseconds from when all of them
 * may begin until the last one ends; 0: there is no memory for so many. By one of the crew. */
uint64_t crew_work(unsigned count, const std::function<void(unsigned)> &work);

/* For the result: further "name":value pairs, each with a comma in front. After everything is closed. */
std::string crew_counters();

#endif
