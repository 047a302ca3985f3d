// Strings: pieces put together, numbers to text and back, letters beyond ASCII.
var pieces = [], line = "", i;
for (i = 1; i <= size * 20; i++) {
	pieces.push([i, (i * i).toString(16), i.toString(2), (i / 7).toFixed(5), (i / 3).toPrecision(9)].join(":"));
}
print(pieces.join("\n"));
for (i = 1; i <= size * 10; i++) {
	line += i % 10;
	if (line.length > 60) {
		print(line.split("").reverse().join("-"));
		line = "";
	}
}
for (i = -20; i <= 20; i++) {
	var number = Math.pow(10, i) / 3;
	print(number, number.toExponential(12), parseFloat(String(number)) === number);
}
print(1e15, 1e16, 1e21, Math.pow(2, 53), 1 / -0, 1 / 0, 0 / 0, parseInt("0x10"), Number("1e"), -7 % 3, -7 >>> 28);
var word = "Käse, naïve, 東京";
print(word, word.length, word.toUpperCase(), encodeURIComponent(word), decodeURIComponent(encodeURIComponent(word)));
for (i = 0; i < word.length; i++) print(word.charCodeAt(i), word.charAt(i), word.substring(i, i + 3));
