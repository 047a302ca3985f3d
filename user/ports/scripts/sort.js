// Sorting: numbers, texts, and with a function that compares.
var state = 42, numbers = [], texts = [], records = [];
function random() {
	state = (state * 1103515245 + 12345) % 2147483648;
	return state;
}
for (var i = 0; i < size * 40; i++) {
	numbers.push(random() % 1000000);
	texts.push(random().toString(16));
	records.push({key: random() % 50, number: i});
}
numbers.sort(function (left, right) { return left - right; });
texts.sort();
records.sort(function (left, right) {
	return left.key !== right.key ? left.key - right.key : right.number - left.number;
});
for (i = 0; i < numbers.length; i += 7) print(numbers[i], texts[i], records[i].key, records[i].number);
