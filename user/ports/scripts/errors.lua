-- Errors: thrown, caught, passed on; recursion through C without an end; to-be-closed variables.
local function thrower(depth)
	if depth == 0 then error("deep", 0) end
	thrower(depth - 1)
end
local caught = 0
for i = 1, size * 20 do
	local ok, problem = pcall(thrower, i % 30)
	if not ok and problem == "deep" then caught = caught + 1 end
end
print(caught)
print(xpcall(function() return nil + 1 end, function(problem) return "handled: " .. problem end))
print(pcall(error, setmetatable({}, {__tostring = function() return "an object" end})))

-- Each must end as an error of Lua, never as an overflow of the task's stack.
local deep = setmetatable({}, {})
getmetatable(deep).__tostring = function(self) return string.format("<%s>", self) end
getmetatable(deep).__index = function(self, key) return self[key .. "x"] end
getmetatable(deep).__lt = function(left, right) return left < right end
local function substitute(text) return (text:gsub(".", substitute)) end
local function sort() table.sort({3, 2, 1}, sort) end
local function resume() return select(2, coroutine.resume(coroutine.create(resume))) end
local function nested() return pcall(nested) end
local ways = {
	{"format", function() return tostring(deep) end}, {"index", function() return deep.y end},
	{"compare", function() return deep < deep end}, {"gsub", substitute, "x"}, {"sort", sort},
	{"parser", function() assert(load("return " .. ("("):rep(1000) .. "1" .. (")"):rep(1000))) end},
	{"concat", function() assert(load("return " .. ("a.."):rep(1000) .. "a")) end},
	{"pattern", function() return (("x"):rep(5000)):match(("(.-)"):rep(31) .. ("x?"):rep(500) .. "y") end},
	{"load", function() local function again() return assert(load(again)) end return again() end},
}
for _, way in ipairs(ways) do
	local ok, problem = pcall(way[2], way[3])
	print(way[1], ok, type(problem), tostring(problem):match("overflow") or tostring(problem):match("too %a+"))
end
print("coroutines", type(resume()))
print("pcall", select("#", nested()) > 1)

do
	local order = {}
	local function closing(name) return setmetatable({}, {__close = function() order[#order + 1] = name end}) end
	pcall(function()
		local first <close> = closing("first")
		local second <close> = closing("second")
		error("leave")
	end)
	print(table.concat(order, " "))
end
