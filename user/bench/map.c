#include "user/bench/map.h"

#include "heddle/system.h"

bool map_create(struct map *map, size_t keys)
{
	map->size = 2;
	while (map->size < 2 * keys)
		map->size *= 2;
	map->entries = heddle_allocate(map->size * sizeof(*map->entries));
	for (size_t i = 0; map->entries && i < map->size; i++)
		map->entries[i] = (struct map_entry){0};
	return map->entries;
}

void map_destroy(struct map *map)
{
	heddle_free(map->entries, map->size * sizeof(*map->entries));
}

/* The entry of a key, or the free entry where it belongs. */
static struct map_entry *map_place(const struct map *map, uint64_t key)
{
	size_t place = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	while (map->entries[place & (map->size - 1)].key && map->entries[place & (map->size - 1)].key != key)
		place++;
	return &map->entries[place & (map->size - 1)];
}

void map_insert(struct map *map, uint64_t key, uint64_t value)
{
	struct map_entry *entry = map_place(map, key);
	entry->key = key;
	entry->value = value;
	entry->inserts++;
}

const struct map_entry *map_find(const struct map *map, uint64_t key)
{
	const struct map_entry *entry = map_place(map, key);
	return entry->key ? entry : NULL;
}

bool map_has(const struct map *map, uint64_t inserts, uint64_t sum)
{
	for (size_t i = 0; i < map->size; i++) {
		const struct map_entry *entry = &map->entries[i];
		if (entry->value != entry->key)
			return false;
		inserts -= entry->inserts;
		sum -= entry->inserts * entry->key;
	}
	return inserts == 0 && sum == 0;
}
