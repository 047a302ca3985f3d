"""What tools/verify/explored/ says about the sources: a text to be replaced is there once, and a function that no case
explores exists. `make verify` finds the same, but only when it gets there."""

from . import source


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


def unexplored_are_there(unexplored, texts):
    """`unexplored`: functions as "path:name", files and folders. Returns pairs of one of them and a sentence."""
    for place in unexplored:
        path, _, function = place.partition(":")
        if not any(one == path or path.endswith("/") and one.startswith(path) for one in texts):
            yield place, "it does not exist, but explored/unexplored.py names it"
        elif function and function not in [name for name, _, _ in source.c_functions(source.c_code(texts[path]))]:
            yield place, f"{path} has no such function, but explored/unexplored.py names it"
