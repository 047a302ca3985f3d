-- Recursion: the Fibonacci numbers, Ackermann's function and the towers of Hanoi.
local function fibonacci(n)
	if n < 2 then return n end
	return fibonacci(n - 1) + fibonacci(n - 2)
end

local function ackermann(m, n)
	if m == 0 then return n + 1 end
	if n == 0 then return ackermann(m - 1, 1) end
	return ackermann(m - 1, ackermann(m, n - 1))
end

local function hanoi(disks, from, to, by)
	if disks == 0 then return 0 end
	return hanoi(disks - 1, from, by, to) + 1 + hanoi(disks - 1, by, to, from)
end

for n = 1, 6 + size do print(n, fibonacci(n)) end
print(ackermann(2, 2 + size))
print(hanoi(size, "left", "right", "middle"))
