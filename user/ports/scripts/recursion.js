// Recursion: the Fibonacci numbers, Ackermann's function and the towers of Hanoi.
function fibonacci(n) {
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

function ackermann(m, n) {
	if (m === 0) return n + 1;
	return n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

function hanoi(disks, from, to, by) {
	return disks === 0 ? 0 : hanoi(disks - 1, from, by, to) + 1 + hanoi(disks - 1, by, to, from);
}

for (var n = 1; n <= 6 + size; n++) print(n, fibonacci(n));
print(ackermann(2, 2 + size));
print(hanoi(size, "left", "right", "middle"));
