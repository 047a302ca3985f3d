"""Directives in the comments of GCC's tests: { dg-options "-fwrapv" { target x86_64-*-* } }."""

import fnmatch
import re
import shlex

MACHINE = "x86_64-pc-linux-gnu"
# What else a test may require and gets; C++14 is what it is compiled as.
TRUE_HERE = {"lp64", "fpic", "signal", "alloca", "c++11", "c++14", "c++14_down", "c++17_down", "c++20_down"}
QUOTED, BARE = re.compile(r'"((?:\\.|[^"\\])*)"'), re.compile(r"\S+")
BEGIN = re.compile(r"\{\s*(dg-[a-z-]+)\b")


def matching(text, begin):
    """The index of the brace that closes the one at `begin`."""
    depth, quoted = 0, False
    for place in range(begin, len(text)):
        character = text[place]
        if character == '"' and text[place - 1] != "\\":
            quoted = not quoted
        elif not quoted and character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place
    return len(text) - 1


def words_of(text):
    """The words of a list; one in braces or quotes is one word, without them."""
    words, place = [], 0
    while place < len(text):
        quoted = QUOTED.match(text, place)
        if text[place] == "{":
            end = matching(text, place) + 1
            words.append(text[place + 1 : end - 1])
        elif quoted:
            end = quoted.end()
            words.append(re.sub(r"\\(.)", r"\1", quoted[1]))
        elif text[place].isspace():
            end = place + 1
        else:
            end = BARE.match(text, place).end()
            words.append(text[place:end])
        place = end
    return words


def read(text):
    """The directives: pairs of a name and its words."""
    for line in text.splitlines():
        found = BEGIN.search(line)
        if found:
            yield found[1], words_of(line[found.end() : matching(line, found.start())])


def is_true(expression):
    """Whether this machine matches a selector: words, !, && and ||; adjacent words are alternatives."""
    tokens = re.findall(r"[{}!]|&&|\|\||[^\s{}!]+", expression)

    def value():
        token = tokens.pop(0)
        if token == "!":
            return not value()
        if token == "{":
            inner = alternatives()
            del tokens[:1]  # its closing brace
            return inner
        return token in TRUE_HERE or fnmatch.fnmatchcase(MACHINE, token)

    def alternatives():
        right = False
        while tokens and tokens[0] != "}":
            term = value()
            while tokens[:1] == ["&&"]:
                del tokens[0]
                term = value() and term
            right = right or term
            if tokens[:1] == ["||"]:
                del tokens[0]
        return right

    return alternatives()


def applies(words):
    """Whether a directive with these further words is for this machine: { target EXPRESSION }."""
    selector = words[0].strip() if words else ""
    found = re.match(r"target\b(.*?)(?:\bxfail\b.*)?$", selector, re.DOTALL)
    return is_true(found[1]) if found else True


def is_program(text, default):
    """Whether a test should run on this machine; `default`: for a test that does not say."""
    runs = default
    for name, words in read(text):
        if name == "dg-do":
            runs = words[:1] == ["run"] and applies(words[1:])
    return runs


def options(text):
    """Its own options, besides those of all tests."""
    chosen, added = [], []
    for name, words in read(text):
        if name in ("dg-options", "dg-additional-options") and words and applies(words[1:]):
            if name == "dg-options":
                chosen = shlex.split(words[0])
            else:
                added += shlex.split(words[0])
    return chosen + added


def more_sources(text):
    return [file for name, words in read(text) if name == "dg-additional-sources" for file in words[0].split()]
