#ifndef PEERS_COMMON_WITNESS_HPP
#define PEERS_COMMON_WITNESS_HPP

#include <atomic>
#include <cstdint>

/* Stands inside what a lock protects and sees whether ever two are inside at once, as user/bench/witness.h.
 * Relaxed: the order between two sections is the lock's business. */
class witness
{
	std::atomic<uint64_t> count{0}, complaints{0};

  public:
	uint64_t enter()
	{
		uint64_t found = count.load(std::memory_order_relaxed);
		if (found % 2)
			complaints.fetch_add(1, std::memory_order_relaxed);
		count.store(found + 1, std::memory_order_relaxed);
		return found;
	}

	void leave(uint64_t entered)
	{
		if (count.load(std::memory_order_relaxed) != entered + 1)
			complaints.fetch_add(1, std::memory_order_relaxed);
		count.store(entered + 2, std::memory_order_relaxed);
	}

	/* As entering and leaving, for one of many that only read. */
	uint64_t look()
	{
		uint64_t found = count.load(std::memory_order_relaxed);
		if (found % 2)
			complaints.fetch_add(1, std::memory_order_relaxed);
		return found;
	}

	void look_again(uint64_t looked)
	{
		if (count.load(std::memory_order_relaxed) != looked)
			complaints.fetch_add(1, std::memory_order_relaxed);
	}

	bool is_content(uint64_t sections) const
	{
		return complaints == 0 && count == 2 * sections;
	}
};

#endif
