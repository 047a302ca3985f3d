-- Integer arithmetic and arrays: the sieve of Eratosthenes, and a hash of its result.
local last = size * 300
local composite, hash, count = {}, 0, 0
for i = 2, last do
	if not composite[i] then
		count = count + 1
		hash = (hash ~ i) * 16777619 & 0xffffffff
		for multiple = i * i, last, i do composite[multiple] = true end
	end
end
print(last, count, hash)
