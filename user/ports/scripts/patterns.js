// Regular expressions on text that grows with the size.
var words = ["warp", "weft", "shuttle", "reed", "heddle", "loom", "thread", "cloth"], text = "", i;
for (i = 1; i <= size * 20; i++) text += words[i * i % words.length] + (i % 7 === 0 ? ", " + i + "; " : " ");
print(text.length, text.search(/loom\s+thread/), /([a-z]+),\s(\d+)/.exec(text).slice(1));
words.forEach(function (word) { print(word, (text.match(new RegExp("\\b" + word + "\\b", "g")) || []).length); });
print(text.replace(/\d+/g, function (number) { return "<" + number * 2 + ">"; }));
print(text.replace(/(\w+) (\w+)/g, "$2 $1"));
print(text.replace(/\b[a-z]/g, function (letter) { return letter.toUpperCase(); }));
print(text.split(/[,;] ?/).length, text.replace(/[aeiou]/g, "").length);
print(/^(?:a|ab)(?=c)(.*)$/.exec("abcabc"), /(a|b)*c/.test("abababab"), "  trimmed  ".trim(), /(\w)\1/.exec("heddle"));
