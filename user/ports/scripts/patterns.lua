-- Patterns: find, match, gmatch and gsub on text that grows with the size.
local words = {"warp", "weft", "shuttle", "reed", "heddle", "loom", "thread", "cloth"}
local text = {}
for i = 1, size * 20 do text[i] = words[i * i % #words + 1] .. (i % 7 == 0 and ", " .. i .. "; " or " ") end
text = table.concat(text)
print(#text, text:find("loom%s+thread"), text:match("(%a+),%s(%d+)"))
local counts = {}
for word in text:gmatch("%a+") do counts[word] = (counts[word] or 0) + 1 end
for _, word in ipairs(words) do print(word, counts[word]) end
print((text:gsub("%d+", function(number) return "<" .. number * 2 .. ">" end)))
print((text:gsub("(%w+) (%w+)", "%2 %1")))
print((text:gsub("%f[%a]%a", string.upper)))
print((text:gsub("%w+", {warp = "W", reed = false})))
print(("f(a(b)c)(d)"):match("%b()"), ("  trimmed  "):match("^%s*(.-)%s*$"), ("x"):rep(50):match(".-x$"))
print(text:gsub("[aeiou]", ""):len(), (("key = value"):gsub("^(%w+)%s*=%s*(%w+)$", "%2=%1")))
