-- Strings: pieces put together, numbers to text and back, packed bytes.
local pieces = {}
for i = 1, size * 20 do
	pieces[#pieces + 1] = string.format("%05d %x %o %g %q %-8s|%8.3f", i, i * i, i, i / 7, "a\n" .. i, i, i / 3)
end
print(table.concat(pieces, "\n"))
local line = ""
for i = 1, size * 10 do
	line = line .. (i % 10)
	if #line > 60 then
		print(line:rep(2, "-"):reverse():upper())
		line = ""
	end
end
for i = -20, 20 do
	local number = 10.0 ^ i / 3
	print(number, string.format("%.14g %.17g %a %e", number, number, number, number), tonumber(tostring(number)))
end
print(1e15, 1e16, 2^53, 2^63, -0.0, 1/0, -1/0, math.pi, 0x10p2, tonumber("0x1.8p1"), tonumber("1e"), 3 | 8, 7 // 2)
local packed = string.pack("<i4>I2dz", size, size, 1 / size, "end")
print(#packed, string.unpack("<i4>I2dz", packed))
for _, character in utf8.codes("Käse, naïve, 東京") do io.write(character, " ") end
print(utf8.char(72, 228, 8364), utf8.len("naïve"))
