/*
 * The longest paths to a place in a function.
 */
#ifndef PLUGIN_DISTANCE_H
#define PLUGIN_DISTANCE_H

#include <algorithm>

#define NOT_REACHED (-1)

/* The longest paths to a place: from the function's entry without a check, and from a check. */
struct distance {
	int from_entry = NOT_REACHED, from_check = NOT_REACHED;

	bool is_reached() const
	{
		return from_entry >= 0 || from_check >= 0;
	}

	void add(int weight)
	{
		if (from_entry >= 0)
			from_entry += weight;
		if (from_check >= 0)
			from_check += weight;
	}

	void join(const distance &other)
	{
		from_entry = std::max(from_entry, other.from_entry);
		from_check = std::max(from_check, other.from_check);
	}

	bool operator!=(const distance &other) const
	{
		return from_entry != other.from_entry || from_check != other.from_check;
	}
};

#endif
