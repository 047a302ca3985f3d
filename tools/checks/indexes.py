"""The rule about names in READMEs, pages and comments, on small trees: each breach is found, and nothing else."""

from checks.rules import indexes

from .case import Group, run_functions

NEEDS = ()  # it runs nothing that is built
TREE = ["README.md", "sched/README.md", "sched/queue.h", "sched/queue.c", "sched/wake.c", "sched/more/a.c",
        "sched/more/b.c", "user/include/heddle/task.h", "user/README.md"]
ROWS = ("| `queue.{h,c}` | a queue |", "| `wake.*` | whom to wake |", "| `more/` | more |")


def found(path, text, tree=TREE):
    return [sentence for _, sentence in indexes.check_file(path, text, tree)]


def table(*rows, head="| file or folder | what |"):
    return "\n".join(["# sched/", "", head, "|---|---|", *rows, ""])


def test_a_table_that_is_its_folder_is_let_pass():
    assert not found("sched/README.md", table(*ROWS))
    assert not found("sched/README.md", table(*ROWS[:2], "| `more/a.c` | a |", "| `more/b.c` | b |"))
    folders = table("| `sched/` | a |", "| `user/` | b |", head="| folder | what |")
    assert not found("README.md", folders, [*TREE, "Makefile"])


def test_what_a_table_leaves_out_is_named():
    assert found("sched/README.md", table(*ROWS[:2])) == ["no row of the table of files names more/"]
    assert found("sched/README.md", table(*ROWS[1:])) == [
        f"no row of the table of files names queue.{ending}" for ending in "ch"]
    assert found("sched/README.md", table(*ROWS[:2], "| `more/a.c` | a |")) == [
        "no row of the table of files names more/b.c"]
    assert found("sched/README.md", "# sched/\n") == ["no table of the files here: | file | what |"]


def test_what_a_table_invents_is_named():
    said = found("sched/README.md", table(*ROWS, "| `queue.*`, `ring.h` | blocks |"))
    assert "ring.h is not here" in said, said
    assert "qu*.asm is not here" in found("sched/README.md", table(*ROWS, "| `qu*.asm` | |"))
    assert "heddle/task.h is not here" in found("sched/README.md", table(*ROWS, "| `heddle/task.h` | tasks |"))


def test_names_of_files_exist():
    for text in ("`wake.c`", "`sched/wake.c`", "`heddle/task.h`", "`a.c`", "`more/`", "`sched/*.h`", "`../user/`",
                 "`build/x.c`", "`NAME.txt`", "`more/NAME.c`", "`task.h:3`", "`.hpp`", "`run=a.b`", "`intel.c`",
                 "    sched/wake.c\n", "[a](../user/README.md)", "[a](https://a.b/c.h)", "[a](#b)"):
        assert not found("sched/page.md", text), f"{text}: {found('sched/page.md', text)}"
    for text in ("`line.h`", "`sched/line.h`", "`heddle/line.h`", "`less/`", "`sched/*.asm`", "`../less/`",
                 "`wake.{h,c}`", "`tools/x.c`", "    sched/line.c --all\n", "[a](../less/README.md)"):
        tree = [*TREE, "tools/a.c"]
        assert len(found("sched/page.md", text, tree)) == 1, f"{text}: {found('sched/page.md', text, tree)}"


def test_names_of_files_in_comments_exist():
    for path, text in (("sched/a.c", "/* queue.h, sched/wake.c */"), ("sched/a.c", 'const char b[] = "line.h";'),
                       ("sched/a.asm", "; queue.h"), ("sched/a.h", "/* <stdio.h> */")):
        assert not found(path, text), f"{text}: {found(path, text)}"
    for path, text in (("sched/a.c", "/* line.h */"), ("sched/a.cc", "// sync/wake.c"), ("sched/a.asm", "; line.inc")):
        assert len(found(path, text)) == 1, f"{text}: {found(path, text)}"


def test_files_that_a_page_has_one_write_count_as_there():
    text = "```c\n/* sched/new.h: what is new. */\nint a;\n```\n\n`sched/new.h` is new, `new.c` is not.\n"
    assert list(indexes.given(text)) == [("sched/new.h", "/* sched/new.h: what is new. */\nint a;\n")]
    assert found("sched/page.md", text) == ["there is no new.c"]


def groups():
    return [Group("indexes: what READMEs, pages and comments name",
                  lambda: run_functions(__import__(__name__, fromlist=["x"])))]
