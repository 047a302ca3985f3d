/*
 * A LevelDB database of entries whose keys and values are known, so that whatever is read can be checked:
 * keys are numbers in 16 digits, as in LevelDB's db_bench, and each value begins with its key.
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
	uint64_t key_sum; /* of all keys that were looked for */
};

class database
{
  public:
	database(leveldb::Env *environment, std::string folder, uint64_t entries, unsigned value_size);

	/* Open it; `fresh`: delete what is there, and make a new one. All of these return whether they succeeded,
	 * and otherwise have printed a sentence. */
	bool open(bool fresh);

	/* Put in all entries, by so many of the crew at once; then merge all files, so that nothing is left to do
	 * in the background when it is read. */
	bool fill(unsigned workers);

	/* Look at each entry once, in order: all are there, and nothing else; the pages of all files have been
	 * touched by then. */
	bool scan();

	/* Look for `count` random keys, as db_bench's readrandom does. */
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
