/*
 * The workers on the database: tasks (crew_tasks.cc), or threads of the system (crew_threads.cc). The rest of the
 * program is the same source.
 */
#ifndef LEVELDB_CREW_H
#define LEVELDB_CREW_H

#include <cstdint>
#include <functional>
#include <string>

#include "leveldb/env.h"

/* Choose LevelDB's locks, before anything of it is used. False: there are none of this name; `crew_locks` lists the
 * names. */
extern const char crew_locks[];
bool crew_choose_locks(const std::string &name);

/* Run `body` as one worker, on that many processors; returns its result, or 1 if it cannot run, with a message that
 * says why. */
int crew_run(unsigned processors, const std::function<int()> &body);

/* LevelDB's environment. Called by a worker. */
leveldb::Env *crew_environment();

/* Run work(0) to work(count - 1) in parallel, each by its own worker. Returns the nanoseconds from when all of them
 * may begin until the last one ends; 0: there is no memory for that many. Called by a worker. */
uint64_t crew_work(unsigned count, const std::function<void(unsigned)> &work);

/* Further "name":value pairs of the result, each with a comma in front. After everything is closed. */
std::string crew_counters();

#endif
