#include "user/ports/script.h"

#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "user/ports/allocate.h"
#include "user/ports/checksum.h"

/* What script_run_lua() passes to its part that Lua runs protected. */
struct call {
	const struct script *script;
	lua_Integer size;
};

static void output(lua_State *lua, const char *text, size_t bytes)
{
	struct script_outcome *outcome = *(struct script_outcome **)lua_getextraspace(lua);
	outcome->checksum = checksum_add(outcome->checksum, text, bytes);
	outcome->bytes += bytes;
}

static int print(lua_State *lua)
{
	int count = lua_gettop(lua);
	for (int i = 1; i <= count; i++) {
		size_t bytes;
		const char *text = luaL_tolstring(lua, i, &bytes);
		if (i > 1)
			output(lua, "\t", 1);
		output(lua, text, bytes);
		lua_pop(lua, 1);
	}
	output(lua, "\n", 1);
	return 0;
}

static int io_write(lua_State *lua)
{
	int count = lua_gettop(lua);
	for (int i = 1; i <= count; i++) {
		size_t bytes;
		const char *text = luaL_checklstring(lua, i, &bytes);
		output(lua, text, bytes);
	}
	return 0;
}

/* The libraries, without what needs files, streams or a system. */
static void open_libraries(lua_State *lua)
{
	static const luaL_Reg libraries[] = {
	    {LUA_GNAME, luaopen_base},        {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
	    {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},    {LUA_UTF8LIBNAME, luaopen_utf8},
	};
	static const char *const absent[] = {"dofile", "loadfile", "warn"};
	static const luaL_Reg io[] = {{"write", io_write}, {NULL, NULL}};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
		lua_pop(lua, 1);
	}
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		lua_pushnil(lua);
		lua_setglobal(lua, absent[i]);
	}
	lua_register(lua, "print", print);
	luaL_newlib(lua, io);
	lua_setglobal(lua, "io");
}

/* Lua's memory function. */
static void *change(void *unused, void *block, size_t old_bytes, size_t new_bytes)
{
	(void)unused;
	return allocate_change(block, old_bytes, new_bytes);
}

static int run_protected(lua_State *lua)
{
	const struct call *call = lua_touserdata(lua, 1);
	const struct script *script = call->script;
	open_libraries(lua);
	lua_pushinteger(lua, call->size);
	lua_setglobal(lua, "size");
	if (luaL_loadbufferx(lua, script->text, script->length, script->name, "t") != LUA_OK)
		return lua_error(lua);
	lua_call(lua, 0, 0);
	return 0;
}

/* An error need not be text, and converting it may fail. */
static void keep_complaint(lua_State *lua, struct script_outcome *outcome)
{
	const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "an error that is no text";
	strncpy(outcome->complaint, text, sizeof(outcome->complaint) - 1);
}

bool script_run_lua(const struct script *script, uint64_t size, struct script_outcome *outcome)
{
	struct call call = {script, (lua_Integer)size};
	*outcome = (struct script_outcome){.checksum = CHECKSUM_START};
	lua_State *lua = lua_newstate(change, NULL);
	if (!lua) {
		strncpy(outcome->complaint, "not enough memory for an interpreter", sizeof(outcome->complaint) - 1);
		return false;
	}
	*(struct script_outcome **)lua_getextraspace(lua) = outcome;
	lua_pushcfunction(lua, run_protected);
	lua_pushlightuserdata(lua, &call);
	bool well = lua_pcall(lua, 1, 0, 0) == LUA_OK;
	if (!well)
		keep_complaint(lua, outcome);
	lua_close(lua);
	return well;
}
