// JSON, dates at fixed times, and typed arrays.
var rows = [];
for (var i = 0; i < size * 10; i++) {
	rows.push({number: i, half: i / 2, text: "row \"" + i + "\"\n", list: [i, null, i % 2 === 0]});
}
var text = JSON.stringify(rows, null, 1);
var back = JSON.parse(text, function (key, value) { return key === "half" ? value * 2 : value; });
print(text.length, back.length, back[back.length - 1].half, JSON.stringify(back).length);
print(JSON.stringify({a: [1, {b: 2}], c: undefined, d: new Date(0), e: "\u2028é"}));
for (i = 0; i < size; i++) {
	print(new Date(i * 86400000 * 397).toISOString(), new Date(2000 + i, i, 29).getTime(), Date.UTC(1970, i));
}
var bytes = new Uint8Array(size * 8), words = new DataView(bytes.buffer);
for (i = 0; i < size; i++) words.setFloat64(i * 8, i / 3);
print(Array.prototype.slice.call(bytes).join(""), words.getInt32(0), new Float32Array(bytes.buffer)[size]);
