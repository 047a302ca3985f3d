// Garbage: trees that die, circles that only marking finds, finalizers.
function tree(depth) { return depth === 0 ? {} : {left: tree(depth - 1), right: tree(depth - 1)}; }
function count(node) { return node.left ? count(node.left) + count(node.right) + 1 : 1; }
var finalized = 0, kept = [];
for (var i = 1; i <= size; i++) {
	print(count(tree(6)));
	var circle = {number: i};
	circle.self = circle;
	Duktape.fin(circle, function () { finalized++; });
	kept[i % 5] = {number: i, text: new Array(50).join(i)};
}
circle = null;
Duktape.gc();
print(finalized, kept.map(function (item) { return item.text.length; }).join(" "));
