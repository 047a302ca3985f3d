-- Coroutines and closures: a chain of filters for primes, generators, counters that share nothing.
local function numbers(last)
	return coroutine.wrap(function()
		for i = 2, last do coroutine.yield(i) end
	end)
end

local function filter(prime, source)
	return coroutine.wrap(function()
		for number in source do
			if number % prime ~= 0 then coroutine.yield(number) end
		end
	end)
end

local source = numbers(size * 15)
while true do
	local prime = source()
	if not prime then break end
	print(prime)
	source = filter(prime, source)
end

local function permute(items, count)
	if count <= 1 then
		coroutine.yield(items)
		return
	end
	for i = 1, count do
		items[i], items[count] = items[count], items[i]
		permute(items, count - 1)
		items[i], items[count] = items[count], items[i]
	end
end
for items in coroutine.wrap(function() permute({"a", "b", "c", "d", "e"}, 5) end) do
	io.write(table.concat(items), " ")
end

local counters = {}
for i = 1, size do
	local count = 0
	counters[i] = function(step) count = count + step * i; return count end
end
for round = 1, 20 do for i = 1, size do counters[i](round) end end
for i = 1, size do print(i, counters[i](0)) end
local dead = coroutine.create(function() error({code = 7}) end)
local ok, problem = coroutine.resume(dead)
print(ok, problem.code, coroutine.status(dead), coroutine.resume(dead))
