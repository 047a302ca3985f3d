#include "tools/measure/leveldb/database.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#include "tools/measure/leveldb/crew.h"
#include "util/random.h"

static constexpr unsigned TEXT_SIZE = 1 << 20; /* as in db_bench: more than the window of any compression */

namespace
{

/* The key of a number, without allocating memory for each. */
class key_buffer
{
  public:
	leveldb::Slice of(uint64_t number)
	{
		std::snprintf(text_, sizeof(text_), "%016" PRIu64, number);
		return leveldb::Slice(text_, KEY_SIZE);
	}

  private:
	char text_[32];
};

bool succeeded(const char *what, const leveldb::Status &status)
{
	if (!status.ok())
		std::fprintf(stderr, "readrandom: %s: %s\n", what, status.ToString().c_str());
	return status.ok();
}

/* Where the value of a key begins in the text. */
size_t piece_begin(uint64_t key, size_t length)
{
	return key * 61 % (TEXT_SIZE - length);
}

} // namespace

database::database(leveldb::Env *environment, std::string folder, uint64_t entries, unsigned value_size)
    : environment_(environment), folder_(std::move(folder)), entries_(entries), value_size_(value_size)
{
	leveldb::Random random(301);
	for (unsigned i = 0; i < TEXT_SIZE; i++)
		text_.push_back(static_cast<char>(' ' + random.Uniform(95)));
}

std::string database::value_of(uint64_t key) const
{
	key_buffer buffer;
	size_t length = value_size_ - KEY_SIZE;
	return buffer.of(key).ToString() + text_.substr(piece_begin(key, length), length);
}

bool database::is_value(uint64_t key, const leveldb::Slice &value) const
{
	key_buffer buffer;
	size_t length = value_size_ - KEY_SIZE;
	return value.size() == value_size_ && std::memcmp(value.data(), buffer.of(key).data(), KEY_SIZE) == 0 &&
	       std::memcmp(value.data() + KEY_SIZE, text_.data() + piece_begin(key, length), length) == 0;
}

bool database::open(bool fresh)
{
	leveldb::Options options; /* LevelDB's and db_bench's own, except no compression */
	options.env = environment_;
	options.create_if_missing = fresh;
	options.error_if_exists = fresh;
	options.compression = leveldb::kNoCompression;
	if (fresh && !succeeded("the old database cannot be deleted", leveldb::DestroyDB(folder_, options)))
		return false;
	leveldb::DB *opened = nullptr;
	if (!succeeded("the database cannot be opened", leveldb::DB::Open(options, folder_, &opened)))
		return false;
	opened_.reset(opened);
	return true;
}

void database::close()
{
	opened_.reset();
}

bool database::put_part(unsigned part, unsigned parts)
{
	key_buffer buffer;
	for (uint64_t key = part; key < entries_; key += parts)
		if (!succeeded("an entry cannot be written",
		               opened_->Put(leveldb::WriteOptions(), buffer.of(key), value_of(key))))
			return false;
	return true;
}

bool database::fill(unsigned workers)
{
	std::atomic<bool> good{true};
	uint64_t taken = crew_work(workers, [&](unsigned index) {
		if (!put_part(index, workers))
			good.store(false, std::memory_order_relaxed);
	});
	if (taken == 0) {
		std::fprintf(stderr, "readrandom: no memory for %u writers\n", workers);
		return false;
	}
	opened_->CompactRange(nullptr, nullptr);
	return good.load(std::memory_order_relaxed);
}

bool database::scan()
{
	key_buffer buffer;
	uint64_t key = 0;
	std::unique_ptr<leveldb::Iterator> at(opened_->NewIterator(leveldb::ReadOptions()));
	for (at->SeekToFirst(); at->Valid(); at->Next(), key++)
		if (at->key() != buffer.of(key) || !is_value(key, at->value())) {
			std::fprintf(stderr, "readrandom: entry %" PRIu64 " of the database is not what was put in\n",
			             key);
			return false;
		}
	if (!succeeded("the database cannot be read", at->status()))
		return false;
	if (key != entries_)
		std::fprintf(stderr, "readrandom: the database has %" PRIu64 " entries instead of %" PRIu64 "\n", key,
		             entries_);
	return key == entries_;
}

reads database::read(unsigned seed, uint64_t count)
{
	leveldb::Random random(seed);
	leveldb::ReadOptions options;
	key_buffer buffer;
	std::string value;
	reads done = {};
	for (uint64_t i = 0; i < count; i++) {
		uint64_t key = random.Uniform(static_cast<int>(entries_));
		leveldb::Status status = opened_->Get(options, buffer.of(key), &value);
		done.key_sum += key;
		if (status.ok())
			(is_value(key, value) ? done.right : done.wrong)++;
		else
			(status.IsNotFound() ? done.missing : done.failed)++;
	}
	return done;
}
