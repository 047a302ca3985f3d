-- Sorting: numbers, texts, and with a function that compares.
math.randomseed(42)
local numbers, texts, records = {}, {}, {}
for i = 1, size * 40 do
	numbers[i] = math.random(1, 1000000)
	texts[i] = string.format("%x", math.random(0))
	records[i] = {key = math.random(1, 50), number = i}
end
table.sort(numbers)
table.sort(texts)
table.sort(records, function(left, right)
	if left.key ~= right.key then return left.key < right.key end
	return left.number > right.number
end)
for i = 1, #numbers, 7 do print(numbers[i], texts[i], records[i].key, records[i].number) end
print(select("#", table.unpack(numbers, 1, 100)), #table.move(numbers, 1, 50, 100))
