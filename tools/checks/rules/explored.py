"""What tools/verify/explored/ says about the sources: a text to be replaced is there once, and a function that no case
explores exists. `make verify` finds the same, but only when it gets there."""

import re

from . import source

HEADERS = "user/include/heddle/"
MAY_BE_LAST = re.compile(r"^(?:HEDDLE_DEEP )?HEDDLE_MAY_(?:SWITCH|WAKE)\b[^;{]*?\b(\w+)\(", re.MULTILINE)
CASE = re.compile(r"^ +(?:SCRIPT_)?CASE\(([^;]*?)\),$", re.MULTILINE)
C_FUNCTION = re.compile(r"^\w[^\n]*?\b(\w+)\([^;{}]*\)\s*\n\{\n(.*?)\n\}", re.MULTILINE | re.DOTALL)
PASTING = re.compile(r"^#define (\w+)\((\w[\w, .]*)\) *\\?\n?((?:.*\\\n)*.*)$", re.MULTILINE)


def replaced(texts, change):
    """The texts after a change; a sentence if what it replaces is not there once."""
    path, old, new = change
    count = texts.get(path, "").count(old)
    if count != 1:
        return texts, f"{old!r} must be once in {path}, but is there {count} times"
    return {**texts, path: texts[path].replace(old, new)}, None


def texts_are_there(cases, texts):
    """`texts`: of the tree, by path. Returns pairs of a case, or an error in it, and a sentence."""
    for name, case in cases.items():
        changed = texts
        for change in case.get("changes", []):
            if not isinstance(change, str):
                changed, sentence = replaced(changed, change)
                if sentence:
                    yield name, sentence
        for error, change in case["errors"].items():
            if not isinstance(change, str) and (sentence := replaced(changed, change)[1]):
                yield f"{name}.{error}", sentence


def functions_of(path, text):
    """The names of the functions of a file in C, or of the classes of a header in C++."""
    if path.endswith(".hpp"):
        return source.member_functions(text)
    return [name for name, _, _ in source.c_functions(source.c_code(text))]


def unexplored_are_there(unexplored, texts):
    """`unexplored`: functions as "path:name", files and folders. Returns pairs of one of them and a sentence."""
    for place in unexplored:
        path, _, function = place.partition(":")
        if not any(one == path or path.endswith("/") and one.startswith(path) for one in texts):
            yield place, "it does not exist, but explored/unexplored.py names it"
        elif function and function not in functions_of(path, texts[path]):
            yield place, f"{path} has no such function, but explored/unexplored.py names it"


def includes(path, text):
    """The public headers, and those of the model, that a file includes."""
    for name in re.findall(r'#include "([\w/]+\.h)"', text):
        yield f"user/include/{name}" if name.startswith("heddle/") else f"tools/verify/model/{name}"


def reaches(path, goal, texts):
    return path == goal or path in texts and any(reaches(one, goal, texts) for one in includes(path, texts[path]))


def operations(texts):
    """(name, header) of each public function that may give a lock or the like up, or wait for it."""
    for path, text in texts.items():
        if path.startswith(HEADERS) and path.endswith(".h") and reaches(path, f"{HEADERS}lock.h", texts):
            for name in MAY_BE_LAST.findall(source.c_code(text)):
                if not name.startswith("heddle_"):  # has a task call another of them
                    yield name, path


def with_pasted(code):
    """The code with each invocation of a macro that pastes names replaced by its body."""
    for name, parameters, body in PASTING.findall(code):
        if "##" not in body:
            continue
        first = [word.strip() for word in parameters.split(",")]

        def pasted(found, first=first, body=body):
            text = re.sub(r"^\t", "", re.sub(r" *\\\n", "\n", body), flags=re.MULTILINE)
            for parameter, value in zip(first, found[1].split(",")):
                text = re.sub(rf"\b{parameter}##|##{parameter}\b", value.strip(), text)
            return f"{text} {found[0]}"

        code = re.sub(rf"(?<!#define )\b{name}\(([^()]*)", pasted, code)
    return code


def called_by(names, code):
    """The identifiers in these functions, and in those of the same code that they call."""
    bodies = dict(C_FUNCTION.findall(code))
    found, left = set(), list(names)
    while left:
        body = bodies.get(left.pop(), "")
        new = set(re.findall(r"\b(\w+)\(", body)) - found
        found |= new
        left += new
    return found


def freed_by(case, texts):
    """What the programs of a case call, if it frees the object; else nothing."""
    file, _, title = case.partition(".")
    path = f"tools/verify/cases/{file}.c"
    if not re.search("freed|quiesced", title) or path not in texts:
        return set()
    programs = [found for found in CASE.findall(texts[path]) if f'"{title}"' in found]
    whole = [texts[one] for one in (*includes(path, texts[path]), path) if one in texts]
    code = with_pasted("\n".join(source.c_code(text) for text in whole[-1:] + whole[:-1]))
    called = called_by(re.findall(r"\w+", programs[0]), code) if programs else set()
    return called if "explore_free" in called else set()


def freed_are_explored(freed, others, texts):
    """`freed`: operations and the case in which each is a task's last on an object that is freed then; `others`: those
    that need none. Returns pairs of an operation and a sentence."""
    known = dict(operations(texts))
    for name, path in known.items():
        if name not in freed and name not in others:
            yield name, f"{path} declares it: name its case in explored/freed.py, in which the object is freed after it"
    for name, case in freed.items():
        if name in known and name not in freed_by(case, texts):
            yield name, f"{case} is no case that calls it and frees the object, but explored/freed.py says so"
    for name in {*freed, *others} - set(known):
        yield name, "no public header declares it as one that may wait or wake, but explored/freed.py names it"
