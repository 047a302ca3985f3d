-- Garbage: trees and lists that die, weak tables, finalizers, in both modes of the collector.
local function tree(depth)
	if depth == 0 then return {} end
	return {tree(depth - 1), tree(depth - 1)}
end
local function count(node) return node[1] and count(node[1]) + count(node[2]) + 1 or 1 end

for _, mode in ipairs({"incremental", "generational"}) do
	collectgarbage(mode)
	local finalized, kept = 0, {}
	for i = 1, size do
		print(mode, count(tree(6)))
		kept[i % 5] = {i, tostring(i):rep(50)}
		setmetatable({}, {__gc = function() finalized = finalized + 1 end})
	end
	collectgarbage()
	print(finalized, kept[1] and #kept[1][2])
	local weak = setmetatable({}, {__mode = "v"})
	for i = 1, 100 do weak[i] = {} end
	local strong = weak[50]
	collectgarbage()
	local alive = 0
	for _ in pairs(weak) do alive = alive + 1 end
	print(alive, type(strong))
end
