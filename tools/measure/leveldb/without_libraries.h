/*
 * LevelDB's port layer where it is built without the libraries that it may use: no compression, no profile of the heap,
 * and checksums are its own.
 */
#ifndef LEVELDB_WITHOUT_LIBRARIES_H
#define LEVELDB_WITHOUT_LIBRARIES_H

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

namespace leveldb
{
namespace port
{

inline bool Snappy_Compress(const char *, size_t, std::string *)
{
	return false;
}

inline bool Snappy_GetUncompressedLength(const char *, size_t, size_t *)
{
	return false;
}

inline bool Snappy_Uncompress(const char *, size_t, char *)
{
	return false;
}

inline bool GetHeapProfile(void (*)(void *, const char *, int), void *)
{
	return false;
}

inline uint32_t AcceleratedCRC32C(uint32_t, const char *, size_t)
{
	return 0;
}

} // namespace port
} // namespace leveldb

#endif
