-- Recursion without an end in Lua itself: an error, after a million values on Lua's own stack (24 MB of memory).
local function endless(depth)
	return 1 + endless(depth + 1)
end

for i = 1, 2 do
	local ok, problem = pcall(endless, 1)
	print(i, ok, problem:match("stack overflow"))
end
local ok, problem = coroutine.resume(coroutine.create(endless), 1)
print(ok, problem:match("stack overflow"))
