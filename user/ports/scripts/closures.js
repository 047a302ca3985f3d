// Closures, prototypes, coroutines: counters that share nothing, inheritance, generators by duktape's threads.
var counters = [], i;
function make(step) {
	var count = 0;
	return function (times) { return count += times * step; };
}
for (i = 1; i <= size; i++) counters.push(make(i));
for (var round = 1; round <= 20; round++) counters.forEach(function (counter) { counter(round); });
print(counters.map(function (counter) { return counter(0); }).join(" "));

function Shape(name) { this.name = name; }
Shape.prototype.area = function () { return 0; };
Shape.prototype.toString = function () { return this.name + " " + this.area().toFixed(3); };
function Circle(radius) { Shape.call(this, "circle"); this.radius = radius; }
Circle.prototype = Object.create(Shape.prototype);
Circle.prototype.area = function () { return Math.PI * this.radius * this.radius; };
for (i = 1; i <= size; i++) print(new Circle(i), new Circle(i) instanceof Shape);

var bag = {};
Object.defineProperty(bag, "twice", {
	get: function () { return this.once * 2; }, set: function (to) { this.once = to / 2; }
});
for (i = 0; i < size; i++) { bag.twice = i; print(bag.once, bag.twice, Object.keys(bag)); }

var generator = new Duktape.Thread(function (last) {
	for (var number = 2; number <= last; number++) {
		for (var divisor = 2; divisor * divisor <= number && number % divisor; divisor++);
		if (divisor * divisor > number) Duktape.Thread.yield(number);
	}
	return 0;
});
var prime = Duktape.Thread.resume(generator, size * 15);
for (; prime; prime = Duktape.Thread.resume(generator)) print(prime);
