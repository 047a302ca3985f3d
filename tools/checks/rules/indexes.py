"""What pages and comments say about the tree: each README's table of files matches its folder, and each file or
folder that is named or linked to exists. These functions take the paths of the tree, and return what breaks the rule
as pairs of a line number and a sentence."""

import fnmatch
import os
import re

from . import source

TABLE_HEAD = re.compile(r"\|\s*(files?|folder|file or folder|folder or file)\s*\|")
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
ENDINGS = r"(?:asm|cc|css|c|go|hpp|h|inc|js|ld|lua|md|mk|py|rs|toml|txt)"
FILE_NAME = re.compile(rf"[\w{{*][\w.,*{{}}/+-]*\.(?:{ENDINGS}|\*|\{{[\w,]+\}})")
PATH = re.compile(r"(?:\.\./)*[\w{*][\w.,*{}/+-]*")
IN_COMMENT = re.compile(rf"(?<![\w./<-])[\w/-]+\.{ENDINGS}\b(?!\.\w)")
ASSEMBLY_COMMENT = re.compile(r";[^\n]*")
CAPITALS = re.compile(r"(?:.*/)?(?!README)[A-Z_]+(?:\.[\w*{},]+|/)?")  # for example NAME.txt: a name to fill in
GIVEN = re.compile(r"^```\w*\n(?:/\* |# |; )([\w./-]+\.\w+)(?=[ :])(.*?)^```$", re.MULTILINE | re.DOTALL)
NEED_NO_ROW = {"README.md", "__init__.py"}
BUILT = "build/"
PUBLIC = "user/include/"
# Files of other projects that are cited.
ELSEWHERE = {
    "intel.c": "Linux",
    "nptl/pthread_cond_init.c": "glibc",
    "port/port_example.h": "LevelDB",
}


def expanded(name):
    """x.{h,c} as x.h and x.c."""
    found = re.search(r"\{([^{}]*)\}", name)
    if not found:
        return [name]
    before, after = name[: found.start()], name[found.end() :]
    return [each for part in found[1].split(",") for each in expanded(before + part + after)]


def matches(pattern, path):
    """Whether a pattern names a path, or a folder on its way. A star stands for no slash."""
    wanted, parts = pattern.rstrip("/").split("/"), path.split("/")
    if len(parts) < len(wanted) or (pattern.endswith("/") and len(parts) == len(wanted)):
        return False
    return all(map(fnmatch.fnmatchcase, parts, wanted))


def below(folder, paths):
    """The contents of a folder, with paths relative to it."""
    start = folder + "/" if folder else ""
    return [path[len(start) :] for path in paths if path.startswith(start)]


def tables(text):
    """(kind, [(line number, name)]) of each table whose first column has files: the names there in backticks."""
    kind, names = None, []
    for number, line in enumerate(text.split("\n") + [""], 1):
        if kind and not line.startswith("|"):
            yield kind, names
            kind, names = None, []
        found = TABLE_HEAD.match(line)
        if found:
            kind, names = found[1], []
        elif kind:
            cell = line.split("|")[1]
            names += [(number, each) for span in SPAN.findall(cell) for each in expanded(span)]


def lacking(names, entries, kind):
    """The entries of a folder that no name covers: files, and folders of which nothing is named."""
    found = set()
    for path in entries:
        if path.split("/")[-1] in NEED_NO_ROW or any(matches(name, path) for name in names):
            continue
        top = path.split("/")[0] + "/"
        if "/" not in path:
            found.update([path] if kind != "folder" else [])
        else:
            found.add(path if any(name.startswith(top) for name in names) else top)
    return sorted(found)


def index(readme, text, paths):
    """The differences between a README's tables of files and its folder."""
    found = list(tables(text))
    if not found:
        yield 1, "no table of the files here: | file | what |"
        return
    entries = [path for path in below(os.path.dirname(readme), paths) if not path.startswith(".")]
    named = [name for _, names in found for _, name in names]
    for _, names in found:
        for number, name in names:
            if not any(matches(name, path) for path in entries):
                yield number, f"{name} is not here"
    kind = "folder" if all(kind == "folder" for kind, _ in found) else "file"
    for path in lacking(named, entries, kind):
        yield 1, f"no row of the table of files names {path}"


def exists(name, folder, paths):
    """Whether something of that name exists: relative to the folder, to one above it or to where public headers are;
    or anywhere below the folder."""
    if name.startswith("../"):
        name, folder = os.path.normpath(os.path.join(folder, name)) + ("/" if name.endswith("/") else ""), ""
    above = folder.split("/")
    starts = ["/".join(above[:count]) + "/" for count in range(1, len(above) + 1) if folder] + ["", PUBLIC]
    last = name.rstrip("/").split("/")[-1]
    for path in paths:
        if last not in path and "*" not in last:
            continue
        if any(path.startswith(start) and matches(name, path[len(start) :]) for start in starts):
            return True
        parts = path.split("/")
        if path.startswith(folder) and any(matches(name, "/".join(parts[at:])) for at in range(len(parts))):
            return True
    return False


def given(text):
    """(path, content) of each file that a page contains: a block of code whose first line, a comment, begins with its
    path. A reader who follows the page writes that file."""
    for found in GIVEN.finditer(text):
        yield found[1], found[0].split("\n", 1)[1].removesuffix("```")


def words(text, tops):
    """(offset, word) of everything in a page that looks like a path: single words in backticks that end like a file
    or a folder; and what begins with a folder of the top, in backticks or in a command to type."""
    for span in SPAN.finditer(FENCE.sub(lambda found: source.blank(found[0]), text)):
        word = span[1]
        if FILE_NAME.fullmatch(word) or (PATH.fullmatch(word) and "/" in word and (
                word.endswith("/") or word.startswith("../"))):
            yield span.start(1), word
    for found in re.finditer(rf"(?<![\w./=-])(?:{'|'.join(tops)})/[\w.,*{{}}/+-]*[\w/*}}]", text):
        yield found.start(), found[0]


def page_names(path, text, paths):
    """The files and folders that a page names or links to."""
    folder = os.path.dirname(path)
    paths = [*paths, *(name for name, _ in given(text))]
    tops = sorted({each.split("/")[0] for each in paths if "/" in each and not each.startswith(".")})
    told = set()
    for offset, word in words(text, tops):
        line = source.line_of(text, offset)
        known = word.startswith(BUILT) or CAPITALS.fullmatch(word) or word in ELSEWHERE or (line, word) in told
        told.add((line, word))
        if not known and not all(exists(each, folder, paths) for each in expanded(word)):
            yield line, f"there is no {word}"
    for found in LINK.finditer(text):
        target = os.path.normpath(os.path.join(folder, found[1]))
        if not any(matches(target, each) for each in paths):
            yield source.line_of(text, found.start()), f"a link to {found[1]}, which is not there"


def comment_names(path, text, paths):
    """The files that comments name, at least by the end of their path."""
    pattern = ASSEMBLY_COMMENT if path.endswith((".asm", ".inc")) else source.C_TOKEN
    for token in pattern.finditer(text):
        if pattern is source.C_TOKEN and not token["comment"]:
            continue
        for found in IN_COMMENT.finditer(token[0]):
            name = found[0]
            if name not in ELSEWHERE and not any(each == name or each.endswith("/" + name) for each in paths):
                yield source.line_of(text, token.start() + found.start()), f"there is no {name}"


def check_file(path, text, paths):
    """Everything that is wrong with what a file says about the tree."""
    if os.path.basename(path) == "README.md":
        yield from index(path, text, paths)
    if path.endswith(".md"):
        yield from page_names(path, text, paths)
    if path.endswith((".c", ".h", ".cc", ".hpp", ".asm", ".inc")):
        yield from comment_names(path, text, paths)
