/*
 * A LevelDB database with known keys and values, so that everything read can be checked: keys are numbers in 16
 * digits, as in LevelDB's db_bench, and each value begins with its key.
 */
#ifndef LEVELDB_DATABASE_H
#define LEVELDB_DATABASE_H

#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/env.h"

constexpr unsigned KEY_SIZE = 16;

struct reads {
	uint64_t right, wrong, missing, failed;
	uint64_t key_sum; /* of all keys that were looked up */
};

class database
{
  public:
	database(leveldb::Env *environment, std::string folder, uint64_t entries, unsigned value_size);

	/* Open it; `fresh`: delete what is there, and create a new one. All of these return whether they succeeded, and
	 * print a message if not. */
	bool open(bool fresh);

	/* Write all entries, with that many workers at once; then compact everything, so that no background work is left
	 * when it is read. */
	bool fill(unsigned workers);

	/* Read each entry once, in order: all are there, and nothing else. Afterwards the pages of all files have been
	 * touched. */
	bool scan();

	/* Look up `count` random keys, as db_bench's readrandom does. */
	reads read(unsigned seed, uint64_t count);

	void close();

  private:
	bool put_part(unsigned part, unsigned parts);
	bool is_value(uint64_t key, const leveldb::Slice &value) const;
	std::string value_of(uint64_t key) const;

	leveldb::Env *environment_;
	std::string folder_;
	uint64_t entries_;
	unsigned value_size_;
	std::string text_; /* values are pieces of it */
	std::unique_ptr<leveldb::DB> opened_;
};

#endif
