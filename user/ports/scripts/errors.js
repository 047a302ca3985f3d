// Errors: thrown, caught, passed on; finally; what is no error object.
function thrower(depth) {
	if (depth === 0) throw new RangeError("deep");
	thrower(depth - 1);
}
var caught = 0, last = 0;
for (var i = 0; i < size * 20; i++) {
	try {
		thrower(i % 30);
	} catch (problem) {
		if (problem instanceof RangeError && problem.message === "deep") caught++;
	} finally {
		last = i;
	}
}
print(caught, last);
function attempt(name, way) {
	try {
		print(name, way());
	} catch (problem) {
		print(name, String(problem));
	}
}
attempt("reference", function () { return missing; });
attempt("type", function () { return null.member; });
attempt("syntax", function () { return eval("1 +"); });
attempt("uri", function () { return decodeURIComponent("%"); });
attempt("number", function () { return (1).toFixed(1000); });
attempt("object", function () { throw {toString: function () { return "an object"; }}; });
attempt("inner", function () {
	try { throw new Error("first"); } catch (problem) { throw new TypeError("second, after " + problem.message); }
});
print(["a", "b"].map(function (name) { try { return name; } finally { caught++; } }), caught);
