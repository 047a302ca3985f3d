// Integer arithmetic and arrays: the sieve of Eratosthenes twice, in an array and in bytes, and hashes of the results.
function sieve(composite, last) {
	var hash = 0, count = 0;
	for (var i = 2; i <= last; i++) {
		if (composite[i]) continue;
		count++;
		hash = ((hash ^ i) * 31) | 0;
		for (var multiple = i * i; multiple <= last; multiple += i) composite[multiple] = 1;
	}
	print(last, count, hash);
}
sieve([], size * 200);
sieve(new Uint8Array(size * 300 + 1), size * 300);
