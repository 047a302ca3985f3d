#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "program.h"

/* Objects, closures, coroutines, sorting with a comparison of the script's, patterns, errors that are caught, numbers.
 * No order of keys: that is another in each run. */
static const char script[] =
    "local Cloth = {}\n"
    "Cloth.__index = Cloth\n"
    "local function cloth(number) return setmetatable({number = number, width = number * 37 % 101 / 8}, "
    "Cloth) end\n"
    "function Cloth:area(length) return self.width * length end\n"
    "local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end\n"
    "local function primes(limit)\n"
    "    return coroutine.wrap(function ()\n"
    "        local composite = {}\n"
    "        for i = 2, limit do\n"
    "            if not composite[i] then coroutine.yield(i) end\n"
    "            for j = i * i, limit, i do composite[j] = true end\n"
    "        end\n"
    "    end)\n"
    "end\n"
    "local function thrower(n) if n == 0 then error('thrown', 0) end thrower(n - 1) return n end\n"
    "local cloths, out, caught, count = {}, {}, 0, 0\n"
    "for i = 0, 119 do cloths[#cloths + 1] = cloth(i) end\n"
    "table.sort(cloths, function (one, other)\n"
    "    return one.width < other.width or one.width == other.width and one.number < other.number\n"
    "end)\n"
    "for i, each in ipairs(cloths) do out[i] = string.format('%d:%.2f', each.number, each:area(i)) end\n"
    "for k = 0, 19 do local well, said = pcall(thrower, k) caught = caught + (well and 0 or #said) end\n"
    "for _ in primes(1500) do count = count + 1 end\n"
    "local text = table.concat(out, ' '):gsub('(%d+):(%d+)%.(%d*)', '%2<%1>%3')\n"
    "collectgarbage()\n"
    "return table.concat({text, caught, fibonacci(14), count, math.sin(1), 1 / 3, 7 // 2, "
    "('abc'):reverse()}, '\\n')\n";

static int run_script(uint64_t *sum)
{
	lua_State *state = luaL_newstate();
	int right = 0;
	if (!state)
		return 0;
	luaL_openlibs(state);
	if (luaL_dostring(state, script) == LUA_OK) {
		size_t size;
		const char *text = lua_tolstring(state, -1, &size);
		*sum = checksum(*sum, text, size);
		right = size > 1000;
	}
	lua_close(state);
	return right;
}

int main(int count, char **arguments)
{
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++)
		right = run_script(&sum);
	return finish("lua", sum, right);
}
