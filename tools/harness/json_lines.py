"""Files of results: a JSON object a line, each complete in itself.

A session may end in the middle of a line, so a reader of such a file counts damaged lines and goes on."""

import json
import os


def write(path, values):
    """Replace the file as a whole, or not at all."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    partial = f"{path}.partial"
    with open(partial, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(value) + "\n" for value in values)
    os.replace(partial, path)


def read(path, is_whole):
    """(the values that `is_whole` accepts, how many other or damaged lines there were); nothing if there is no
    file."""
    found, damaged = [], 0
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            for text in file:
                try:
                    value = json.loads(text)
                except (ValueError, RecursionError):
                    damaged += 1
                    continue
                if is_whole(value):
                    found.append(value)
                else:
                    damaged += 1
    return found, damaged
