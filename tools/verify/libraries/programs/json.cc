#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.h"

using nlohmann::json;

static std::string make(unsigned seed)
{
	json store = json::array();
	for (unsigned i = 0; i < 150; i++)
		store.push_back({{"number", i},
		                 {"width", (i * 7 + seed) % 200 / 7.0},
		                 {"name", "twill " + std::to_string(i * seed) + " \"gr\u00fcn\"\n"},
		                 {"threads", {i, -1, true, nullptr, "weft"}},
		                 {"deep", {{"deeper", {{"deepest", i * 1e10}}}}}});
	return store.dump(1);
}

/* What is wrong is thrown. */
static unsigned refusals(const std::string &text)
{
	unsigned found = 0;
	for (size_t cut = 1; cut < 400; cut += 57) {
		try {
			found += json::parse(text.begin(), text.end() - (std::ptrdiff_t)cut).is_null();
		} catch (const json::parse_error &error) {
			found += error.byte > 0;
		}
	}
	return found;
}

int main(int count, char **arguments)
{
	uint64_t sum = CHECKSUM_START;
	bool right = true;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++) {
		std::string text = make(round);
		json store = json::parse(text);
		std::sort(store.begin(), store.end(),
		          [](const json &one, const json &other) { return one["width"] < other["width"]; });
		for (json &cloth : store)
			cloth["sum"] = cloth["number"].get<int>() + cloth["width"].get<double>();
		std::string again = store.dump();
		std::vector<uint8_t> packed = json::to_cbor(store);
		right = json::from_cbor(packed) == store && refusals(text) == 7;
		sum = checksum(checksum(sum, again.data(), again.size()), packed.data(), packed.size());
	}
	return finish("json", sum, right);
}
