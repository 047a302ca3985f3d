/*
 * What an interpreter of ECMAScript 5 is given: objects, closures, sorting with a comparison of the script's, strings,
 * regular expressions, JSON, numbers, exceptions. Its value is a string.
 */
#ifndef TOOLS_VERIFY_LIBRARIES_SCRIPT_H
#define TOOLS_VERIFY_LIBRARIES_SCRIPT_H

static const char script[] =
    "function Cloth(number) { this.number = number; this.width = number * 37 % 101 / 8; }\n"
    "Cloth.prototype.area = function (length) { return this.width * length; };\n"
    "function counter() { var n = 0; return function () { return ++n; }; }\n"
    "function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }\n"
    "function sieve(limit) {\n"
    "    var composite = [], found = [];\n"
    "    for (var i = 2; i < limit; i++) {\n"
    "        if (composite[i]) continue;\n"
    "        found.push(i);\n"
    "        for (var j = i * i; j < limit; j += i) composite[j] = true;\n"
    "    }\n"
    "    return found;\n"
    "}\n"
    "function thrower(n) { if (n === 0) throw new Error('thrown'); thrower(n - 1); }\n"
    "var cloths = [], out = [], next = counter(), caught = 0;\n"
    "for (var i = 0; i < 120; i++) cloths.push(new Cloth(i));\n"
    "cloths.sort(function (one, other) { return one.width - other.width || one.number - other.number; });\n"
    "cloths.forEach(function (cloth) { out.push(cloth.number + ':' + cloth.area(next()).toFixed(2)); });\n"
    "for (var k = 0; k < 20; k++) try { thrower(k); } catch (error) { caught += error.message.length; }\n"
    "var text = out.join(' ').replace(/(\\d+):(\\d+)\\.(\\d*)/g, '$2<$1>$3');\n"
    "var again = JSON.parse(JSON.stringify({ cloths: cloths, text: text, caught: caught }));\n"
    "[again.cloths.length, again.caught, fibonacci(14), sieve(1500).length, again.text,\n"
    " Math.round(Math.sin(1) * 1e9), (1 / 3).toString(), parseFloat('1e-7'), "
    "'abc'.split('').reverse().join('')\n"
    "].join('\\n');\n";

#endif
