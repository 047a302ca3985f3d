-- Floating point: the Mandelbrot set as text, and what the mathematics of the C library gives.
local side = 10 + size
for row = 0, side - 1 do
	local y = 2 * row / side - 1
	for column = 0, side - 1 do
		local x = 3 * column / side - 2
		local a, b, turn = 0.0, 0.0, 0
		while turn < 50 and a * a + b * b < 4 do
			a, b, turn = a * a - b * b + x, 2 * a * b + y, turn + 1
		end
		io.write(string.char(32 + turn % 90))
	end
	io.write("\n")
end
local functions = {"sin", "cos", "tan", "exp", "log", "sqrt", "atan", "floor", "ceil"}
local sum = 0
for i = 1, size * 10 do
	local x = i / 8
	for _, name in ipairs(functions) do sum = sum + math[name](x) % 5 end
	sum = sum + x ^ 0.3 + math.fmod(x * 7, 2.5) + math.asin(1 / x % 1) + math.acos(1 / i)
end
print(string.format("%.10g", sum), math.tointeger(2 ^ 40), math.ult(1, -1), 7 % -3, -7 % 3.5, 1e300 * 1e10)
