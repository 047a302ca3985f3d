// Recursion without an end, in JavaScript and through C. Each must end as an error of the script.
function attempt(name, way) {
	try {
		print(name, typeof way());
	} catch (problem) {
		print(name, problem.name);
	}
}
function endless(depth) { return 1 + endless(depth + 1); }
function nested(left, between, right) {
	return new Array(size * 5000).join(left) + between + new Array(size * 5000).join(right);
}
var each = function () { return [1].forEach(each); };
var replace = function () { return "x".replace(/x/, replace); };
var sort = function () { return [2, 1].sort(sort); };
var text = {toString: function () { return "<" + text + ">"; }};
var apply = function () { return 1 + apply.apply(null, [1]); };
var json = {toJSON: function () { return JSON.stringify(json); }};
var revive = function () { return JSON.parse("[1]", revive); };
var evaluate = function () { return eval("evaluate()"); };
var construct = function () { this.inner = new construct(); };
var getter = {get again() { return this.again; }};
var proxy = new Proxy({}, {get: function (target, key, receiver) { return receiver[key + "x"]; }});
var list = [], circle;
for (var i = 0; i < 5000; i++) list = [list];
attempt("script", function () { return endless(1); });
attempt("forEach", each);
attempt("replace", replace);
attempt("sort", sort);
attempt("toString", function () { return String(text); });
attempt("apply", apply);
attempt("toJSON", function () { return JSON.stringify(json); });
attempt("reviver", revive);
attempt("eval", evaluate);
attempt("construct", function () { return new construct(); });
attempt("getter", function () { return getter.again; });
attempt("proxy", function () { return proxy.y; });
attempt("stringify", function () { return JSON.stringify(list); });
attempt("parse", function () { return JSON.parse(nested("[", "1", "]")); });
attempt("join", function () { return list.join(); });
attempt("compiler", function () { return eval(nested("(", "1", ")")); });
attempt("functions", function () { return eval(nested("function(){", "", "}")); });
attempt("blocks", function () { return eval(nested("{", "1", "}")); });
attempt("pattern", function () { return new RegExp(nested("(", "x", ")")); });
attempt("backtracking", function () { return /^(x|y)*z/.test(new Array(20000).join("x")); });
