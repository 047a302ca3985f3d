"""Just enough parsing of C and Python for the rules."""

import ast
import re

# Comments, strings and characters, in the order in which C sees them.
C_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.DOTALL
)


# The end of what precedes a function's body: its name, and its parameters in brackets.
C_HEAD = re.compile(r"(\w+)\)?\s*\((?:[^()]|\([^()]*\))*\)\s*$")


def blank(text):
    """Replace everything except line ends with blanks."""
    return re.sub(r"[^\n]", " ", text)


def c_code(text):
    """C without the contents of comments, strings and characters; lines and columns stay where they are."""

    def replace(found):
        if found["comment"]:
            return blank(found[0])
        return found[0][0] + blank(found[0][1:-1]) + found[0][-1]

    # For the pattern the names in #include are strings, but for the rules they are part of the code.
    lines = C_TOKEN.sub(replace, text).split("\n")
    originals = text.split("\n")
    return "\n".join(
        original if re.match(r"\s*#\s*include\b", line) else line for line, original in zip(lines, originals)
    )


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


# A type, a name and parameters in a line of their own.
MEMBER = re.compile(r"^\t(?:(?!operator)[a-z][\w:<>]*[ *&]+)*(\w+)\((?!\*).*\)(?: const)?(?: &&?)?(?: ?noexcept)?$",
                    re.MULTILINE)


def member_functions(code):
    """The names of the functions of the outermost classes in a C++ header, each once."""
    return list(dict.fromkeys(MEMBER.findall(code)))


def c_functions(code):
    """(name, first line, number of lines) of each function, from its opening to its closing brace, both in the first
    column."""
    lines = code.split("\n")
    start, name = None, ""
    for number, line in enumerate(lines, 1):
        if line == "{" and number > 1 and start is None:
            head = " ".join(lines[max(0, number - 6) : number - 1])
            found = C_HEAD.search(head)
            start, name = number, found[1] if found else "?"
        elif line.startswith("}") and start is not None:
            yield name, start, number - start + 1
            start = None


def python_functions(text):
    """The same for Python; a class counts by its methods."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def matching(code, offset):
    """The offset after the bracket that closes the one at `offset`; None if there is none."""
    opening = code[offset]
    closing = {"(": ")", "{": "}"}[opening]
    depth = 0
    for position in range(offset, len(code)):
        if code[position] == opening:
            depth += 1
        elif code[position] == closing:
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def loops(code):
    """(offset, condition, body) of each while and for loop; the body of do-while is what precedes it."""
    for found in re.finditer(r"\b(while|for)\s*\(", code):
        end = matching(code, found.end() - 1)
        if end is None:
            continue
        condition = code[found.end() : end - 1]
        before = code[: found.start()].rstrip()
        if found[1] == "while" and before.endswith("}") and is_do(code, len(before) - 1):
            yield found.start(), condition, body_before(code, len(before) - 1)
            continue
        single = re.search(r"\bdo\s+([^;{}]*);$", before)
        if found[1] == "while" and single:
            yield found.start(), condition, single[1]
            continue
        rest = code[end:].lstrip()
        start = len(code) - len(rest)
        if rest.startswith("{"):
            stop = matching(code, start)
            yield found.start(), condition, code[start + 1 : (stop or len(code)) - 1]
        else:
            yield found.start(), condition, rest.split(";", 1)[0]


def opening_before(code, closing):
    """The offset of the brace that the one at `closing` closes."""
    depth = 0
    for position in range(closing, -1, -1):
        if code[position] == "}":
            depth += 1
        elif code[position] == "{":
            depth -= 1
            if depth == 0:
                return position
    return 0


def is_do(code, closing):
    return re.search(r"\bdo\s*$", code[: opening_before(code, closing)]) is not None


def body_before(code, closing):
    return code[opening_before(code, closing) + 1 : closing]
