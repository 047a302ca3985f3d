"""The tools themselves: lines that were cut, an emulator that dies, tools that are missing, broken rules."""

import os
import subprocess
import tempfile

from harness import emulator, image, ktap, results
from rules import rules

from .case import Group, Skipped, run_functions

GOOD = (
    '{"benchmark":"switch","variant":"local","processors":2,"tasks":10,"operations":20,"seconds":0.5,'
    '"ns_per_operation":12.5,"ok":true}'
)


def run_tool(*command, program=None, timeout=30, **environment):
    """Run a tool with a shell script in the place of the emulator or the hosted program. (status, all output)"""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "qemu-fake")
        with open(script, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{program or 'exit 0'}\n")
        os.chmod(script, 0o755)
        words = [word.replace("FAKE", script) for word in command]
        if command[0] == "tools/run":
            words += ["--results", folder]
        changed = {key: value.replace("FAKE", script) for key, value in environment.items()}
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=timeout,
            env={**os.environ, **changed},
        )
        return done.returncode, done.stdout


def hosted(program, *options):
    return run_tool("tools/run", "--hosted", "--binary", "FAKE", *options, "switch", program=program)


def emulated(program, *options):
    """The fake kernel is the fake emulator itself: it has only to be there."""
    return run_tool(
        "tools/run", "--firmware", "direct", "--binary", "FAKE", *options, "switch", program=program, QEMU="FAKE"
    )


def expect(status, said, wanted_status, *wanted):
    assert status == wanted_status, f"status {status} instead of {wanted_status}: {said}"
    for text in wanted:
        assert text in said, f"\"{text}\" was not said: {said}"


def test_results_are_shown_as_a_table():
    expect(*hosted(f"echo '{GOOD}'"), 0, "12.50", "tasks=10", "1 results")


def test_a_result_line_cut_at_the_end_is_a_failure():
    expect(*hosted(f"printf '%s' '{GOOD[:60]}'"), 1, "cut or damaged")


def test_a_result_line_cut_in_the_middle_is_a_failure():
    expect(*hosted(f"echo '{GOOD[:60]}'; echo '{GOOD}'"), 1, "cut or damaged", "12.50")


def test_a_result_without_a_field_is_a_failure():
    expect(*hosted("echo '{\"benchmark\":\"switch\"}'"), 1, "lacks variant")


def test_a_result_that_failed_its_check_is_a_failure():
    expect(*hosted(f"echo '{GOOD.replace('true', 'false')}'"), 1, "FAILED", "failed their own check")


def test_a_hosted_program_that_crashes_is_explained():
    expect(*hosted("kill -SEGV $$"), 1, "SIGSEGV")


def test_a_hosted_panic_is_shown():
    expect(*hosted("echo 'panic: the reason' >&2; exit 2"), 1, "panicked", "panic: the reason")


def test_a_run_that_hangs_is_ended():
    expect(*hosted("echo last words; sleep 100", "--timeout", "1"), 1, "the time was over", "last words")


def test_an_emulator_that_dies_is_explained():
    expect(*emulated("echo 'no such device' >&2; exit 1"), 1, "itself failed", "no such device")


def test_an_emulator_that_is_killed_is_explained():
    expect(*emulated("kill -KILL $$"), 1, "SIGKILL")


def test_a_triple_fault_is_no_success():
    expect(*emulated(f"echo '{GOOD}'; exit 0"), 1, "triple fault")


def test_success_failure_and_panic_are_told_apart():
    expect(*emulated(f"echo '{GOOD}'; exit {emulator.EXIT_SUCCESS}"), 0, "12.50")
    error = "[   0.000001 p00] error: the reason"
    expect(*emulated(f"echo '{error}'; exit {emulator.EXIT_FAILURE}"), 1, "reported a failure", f"    {error}")
    expect(*emulated(f"echo 'panic: the reason'; exit {emulator.EXIT_PANIC}"), 1, "panicked", "    panic: the reason")


def test_the_terminal_noise_of_firmware_is_left_out():
    expect(*emulated(f"printf '\\033[2J\\033[01;01H'; echo '{GOOD}'; exit {emulator.EXIT_SUCCESS}"), 0, "12.50")


def test_missing_tools_and_files_are_named():
    expect(*run_tool("tools/run", "--binary", "/dev/null", QEMU="no-such-qemu"), 1, "no-such-qemu", "make setup")
    command = ("tools/run", "--binary", "/dev/null", "--firmware", "uefi")
    expect(*run_tool(*command, OVMF="/no/firmware", QEMU="FAKE"), 1, "/no/firmware", "OVMF=FILE")
    expect(*run_tool("tools/run", "--binary", "/no/kernel", QEMU="FAKE"), 1, "/no/kernel", "make kernel")
    expect(*run_tool("tools/run", "--hosted", "--binary", "/no/heddle"), 1, "/no/heddle", "make hosted")


def test_wrong_options_are_refused():
    command = ("tools/run", "--binary", "/dev/null")
    expect(*run_tool(*command, "--memory", "much", QEMU="FAKE"), 1, "512M")
    expect(*run_tool(*command, "--processors", "2", "--nodes", "3", QEMU="FAKE"), 1, "3 nodes")
    expect(*run_tool(*command, "--processors", "many", QEMU="FAKE"), 1, "many")


def test_nodes_share_what_does_not_divide():
    options = " ".join(emulator.topology(emulator.Machine(processors="7", nodes=3, memory="1G")))
    for part in ("cpus=0-2", "cpus=3-4", "cpus=5-6", "size=342M", "size=341M", "src=0,dst=2,val=30"):
        assert part in options, f"{part} is not in {options}"


def test_quoting_for_the_boot_loader():
    assert image.quote("run=switch,tasks=1") == "'run=switch,tasks=1'"
    assert image.quote("it's $a") == "'it'\\''s $a'"
    try:
        image.quote("line\nend")
    except image.ImageFailure:
        return
    raise AssertionError("a line end was let into the menu")


def test_an_image_boots_from_both_firmwares():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "test.iso")
        image.make("tools/image", [("title", ["run=switch"])], 0, path)
        try:
            done = subprocess.run(
                ["xorriso", "-indev", path, "-report_el_torito", "plain", "-report_system_area", "plain"],
                capture_output=True, text=True, check=False,
            )
        except FileNotFoundError:
            raise Skipped("xorriso is not installed") from None
    for part in ("BIOS", "UEFI", "MBR"):
        assert part in done.stdout, f"no {part} in: {done.stdout} {done.stderr}"


def test_reports_that_end_early_are_failures():
    report = ktap.parse(["KTAP version 1", "1..3", "ok 1 a.b", "# why", "not ok 2 a.c"])
    assert [result.outcome for result in report.results] == ["passed", "failed"]
    assert report.results[1].details == ["# why"]
    assert "ended early" in report.problems[0]
    assert ktap.parse(["hello"]).problems
    assert "missing" in ktap.parse(["1..2", "ok 2 a.b"]).problems[0]


def test_skipped_tests_are_counted_as_such():
    report = ktap.parse(["1..2", "ok 1 a.b # SKIP needs two processors", "ok 2 a.c"])
    assert [result.outcome for result in report.results] == ["skipped", "passed"]
    assert report.results[0].details == ["needs two processors"] and not report.problems


def test_a_table_shows_parameters():
    line = results.table([results.parse(GOOD)]).splitlines()[2]
    assert line.split() == ["switch", "local", "2", "tasks=10", "20", "0.5000", "12.50", "ok"], line


BREACHES = (
    ("sched/a.c", 'void f(void)\n{\n\tasm("nop");\n}\n', "arch/"),
    ("kernel/a.c", "#ifdef __x86_64__\n#endif\n", "arch/"),
    ("kernel/a.c", "int f = rdtsc();\n", "arch/"),
    ("sched/a.c", "#include <stdio.h>\n", "freestanding"),
    ("kernel/a.c", '#include "sched/task.h"\n', "may not use"),
    ("sched/a.c", '#include "arch/x86_64/apic.h"\n', "may not use"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a))\n\t\t;\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a)) {\n\t\tarch_pause();\n\t}\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n\tdo {\n\t} while (atomic_load_explicit(&a, b) != 1);\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n\tfor (;;)\n\t\tpause();\n}\n", "only waits"),
    ("sched/a.c", "void f(void)\n{\n" + "\tg();\n" * 61 + "}\n", "fit a screen"),
    ("tools/a.py", "def f():\n" + "    g()\n" * 61, "fit a screen"),
    ("sched/a.c", "int a;\n" * 401, "at most 400"),
    ("user/a.c", "/* TO" + "DO: later */\n", "leave it out"),
    ("user/a.c", "int cpu_count;\n", "processor"),
    ("tools/a.py", "path = '/wo" + "rk/main'\n", "one machine"),
    ("tools/a.py", "a = 1 \n", "blanks at the end"),
    ("tools/a.py", "a = 1", "no end"),
)
ALLOWED = (
    ("arch/x86_64/a.c", 'void f(void)\n{\n\tasm("hlt");\n}\n'),
    ("kernel/a.c", '/* asm, rdtsc, the rest */\nconst char *a = "rdtsc";\n'),
    ("kernel/main.c", '#include "sched/task.h"\n'),
    ("sched/a.c", "void f(void)\n{\n\tdo {\n\t\tn = g(a);\n\t} while (!atomic_compare_exchange_weak(&a, &o, n));\n}\n"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a) && arch_clock() < deadline)\n\t\tarch_pause();\n}\n"),
    ("sched/a.c", "void f(void)\n{\n\twhile (atomic_load(&a))\n\t\ttask_suspend();\n}\n"),
)


def test_broken_rules_are_found():
    for path, text, sentence in BREACHES:
        said = [said for _, said in rules.check_file(path, text)]
        assert any(sentence in line for line in said), f"{path}: {text!r}: nothing says \"{sentence}\", but {said}"
    assert list(rules.each_folder_explained(["sched/a.c"])), "a folder without README.md went unseen"


def test_what_is_allowed_is_let_pass():
    for path, text in ALLOWED:
        assert rules.check_file(path, text) == [], f"{path}: {text!r}: {rules.check_file(path, text)}"


def fake_distribution(**programs):
    """Run tools/setup where these programs stand before all others. (status, all output)"""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.items():
            path = os.path.join(folder, name.replace("_", "-"))
            with open(path, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)
        return run_tool("tools/setup", PATH=f"{folder}:{os.environ['PATH']}")


def test_setup_without_the_right_to_install_says_what_to_type():
    said = fake_distribution(apt_get="exit 1", dpkg_query="exit 1", id="echo 1000", sudo="exit 1")
    expect(*said, 1, "sudo apt-get update", "qemu-system-x86", "grub-efi-amd64-bin")


def test_setup_installs_what_is_missing_by_name():
    said = fake_distribution(apt_get='echo "apt: $*"', dpkg_query="exit 1", id="echo 0", env='shift; exec "$@"')
    expect(*said, 0, "installing: gcc", "apt: update", "apt: install", "ovmf", "done")


def test_setup_says_if_the_packages_cannot_be_had():
    said = fake_distribution(apt_get="exit 100", dpkg_query="exit 1", id="echo 0", env='shift; exec "$@"')
    expect(*said, 1, "could not be installed")


def test_setup_on_another_distribution_names_the_tools():
    with tempfile.TemporaryDirectory() as folder:
        status, said = run_tool("/bin/sh", "tools/setup", PATH=folder)
    expect(status, said, 1, "does not use apt", "qemu-system-x86_64", "grub-mkrescue")


def groups():
    return [Group("tools: the tools themselves", lambda: run_functions(__import__(__name__, fromlist=["x"])))]
