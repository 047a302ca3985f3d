// Floating point: the Mandelbrot set as text, and what the mathematics of the C library gives.
var side = 10 + size;
for (var row = 0; row < side; row++) {
	var y = 2 * row / side - 1, line = "";
	for (var column = 0; column < side; column++) {
		var x = 3 * column / side - 2, a = 0, b = 0, turn = 0;
		for (; turn < 50 && a * a + b * b < 4; turn++) {
			var next = a * a - b * b + x;
			b = 2 * a * b + y;
			a = next;
		}
		line += String.fromCharCode(32 + turn % 90);
	}
	print(line);
}
var functions = ["sin", "cos", "tan", "exp", "log", "sqrt", "atan", "floor", "ceil"], sum = 0;
for (var i = 1; i <= size * 10; i++) {
	functions.forEach(function (name) { sum += Math[name](i / 8) % 5; });
	sum += Math.pow(i / 8, 0.3) + (i * 7 / 8) % 2.5 + Math.asin(8 / i % 1) + Math.acos(1 / i) + Math.atan2(i, 3);
}
print(sum.toPrecision(10), 1e300 * 1e10, Math.round(2.5), Math.max(1, 2, 3), 7 / 0 | 0);
