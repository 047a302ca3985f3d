"""The tools themselves: cut lines, an emulator that dies, missing tools."""

import os
import signal
import subprocess
import tempfile
import time

from harness import emulator, explain, image, json_lines, ktap, process, results, settings, suite, table

from .case import Group, Skipped, run_functions

NEEDS = ()  # it runs nothing that is built
GOOD = (
    '{"benchmark":"switch","variant":"local","processors":2,"tasks":10,"operations":20,"seconds":0.5,'
    '"ns_per_operation":12.5,"ok":true}'
)

KERNEL = image.ELF64.ljust(64, b"\0") + image.MULTIBOOT2  # only what is checked


def run_tool(*command, program=None, timeout=30, **environment):
    """Run a tool with a shell script, FAKE, instead of the emulator or the hosted program, and KERNEL instead of the
    kernel. (status, all output)"""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "qemu-fake")
        with open(script, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{program or 'exit 0'}\n")
        os.chmod(script, 0o755)
        kernel = os.path.join(folder, "kernel")
        with open(kernel, "wb") as file:
            file.write(KERNEL)
        words = [word.replace("FAKE", script).replace("KERNEL", kernel) for word in command]
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
    return run_tool(
        "tools/run", "--firmware", "direct", "--binary", "KERNEL", *options, "switch", program=program, QEMU="FAKE"
    )


def expect(status, said, wanted_status, *wanted):
    assert status == wanted_status, f"status {status} instead of {wanted_status}: {said}"
    for text in wanted:
        assert text in said, f"\"{text}\" was not said: {said}"


def test_a_panic_of_a_machine_that_stays_on_is_told_with_what_ran():
    """Its first lines say most, and are not among the last."""
    said = ["[ 1.0 p00] test 1: queue.order", "[ 2.0 p00] test 2: latch.order", "panic: page fault at 0x1"]
    outcome = process.Outcome([], timed_out=True, lines=said + [f"0x{number} trace" for number in range(40)])
    told = "\n".join(explain.time_out(outcome))
    for text in ("time was over", "test 2: latch.order", "page fault at 0x1", "0x39 trace"):
        assert text in told, f"\"{text}\" was not said: {told}"
    assert "queue.order" not in told


def test_a_file_of_lines_is_replaced_as_a_whole_or_not_at_all():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "new", "results")
        json_lines.write(path, [{"number": 1}, {"number": 2}])
        try:
            json_lines.write(path, [{"number": 3}, {"number": object()}])
            raise AssertionError("it was written")
        except TypeError:
            pass
        assert json_lines.read(path, lambda value: True) == ([{"number": 1}, {"number": 2}], 0)


def test_results_are_shown_as_a_table():
    expect(*hosted(f"echo '{GOOD}'"), 0, "switch     local           12.50  ok", "1 result in")


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
    expect(*emulated(f"echo '{error}'; exit {emulator.EXIT_FAILURE}"), 1, "reported a failure", error)
    expect(*emulated(f"echo 'panic: the reason'; exit {emulator.EXIT_PANIC}"), 1, "panicked", "panic: the reason")


def test_the_terminal_noise_of_firmware_is_left_out():
    expect(*emulated(f"printf '\\033[2J\\033[01;01H'; echo '{GOOD}'; exit {emulator.EXIT_SUCCESS}"), 0, "12.50")


def test_missing_tools_and_files_are_named():
    expect(*run_tool("tools/run", "--binary", "KERNEL", QEMU="no-such-qemu"), 1, "no-such-qemu", "make setup")
    command = ("tools/run", "--binary", "KERNEL", "--firmware", "uefi")
    expect(*run_tool(*command, OVMF="/no/firmware", QEMU="FAKE"), 1, "/no/firmware", "OVMF=FILE")
    expect(*run_tool("tools/run", "--binary", "/no/kernel", QEMU="FAKE"), 1, "/no/kernel", "make kernel")
    expect(*run_tool("tools/run", "--hosted", "--binary", "/no/heddle"), 1, "/no/heddle", "make hosted")


def test_wrong_options_are_refused():
    for option, name, values in (
        ("--memory", "MEM", ("much", "1", "")),
        ("--processors", "SMP", ("many", "0", "-1", "4,,", "4,cores=x", "cpus=4,cpus=4", "4,sockets=0")),
        ("--nodes", "NODES", ("0", "-3", "abc", "65", "")),
        ("--firmware", "FIRMWARE", ("none",)),
        ("--policy", "POLICY", ("fair!", "a b")),
        ("--timeout", "TIMEOUT", ("0", "-1", "nan", "inf", "soon")),
        ("--port", "PORT", ("0", "99999", "x")),
    ):
        for value in values:
            status, said = run_tool("tools/run", "--binary", "KERNEL", f"{option}={value}", QEMU="FAKE")
            expect(status, said, 1, f"run: {name}={value}: ")
            assert len(said.splitlines()) <= 2, f"more than a sentence: {said}"
    expect(*hosted("exit 0", "--processors=4,cores=4"), 1, "SMP=4,cores=4: ")
    expect(*run_tool("tools/verify/boots", "--boots=0"), 1, "boots: BOOTS=0: ")
    expect(*run_tool("tools/verify/distributions", "fedora/40"), 1, "distributions: SYSTEMS=fedora/40: ")
    expect(*run_tool("tools/verify/distributions", "--only=a'b"), 1, "distributions: ONLY=a'b: ")
    expect(*run_tool("tools/verify/storm", "--minutes=0"), 1, "storm: MINUTES=0: ")
    expect(*run_tool("tools/verify/storm", "--seed=x"), 1, "storm: SEED=x: ")
    expect(*run_tool("tools/verify/storm", "--only=x"), 1, "storm: ONLY=x: ")
    expect(*run_tool("tools/verify/coroutine_storm", "--only=x"), 1, "coroutine_storm: ONLY=x: ")
    expect(*run_tool("tools/test", "nosuch"), 1, "no group's name holds nosuch", "tools: the tools themselves")


def test_the_count_of_processors_is_found():
    for text, count in (("64", 64), ("cpus=4,sockets=2", 4), ("sockets=2,cores=8", 16), ("72,maxcpus=80", 72)):
        assert settings.processors(text) == count, f"{text}: {settings.processors(text)}"


def test_processors_beyond_the_emulator_are_refused():
    said = emulated("echo QEMU emulator version 7.2.1", "--processors=256")
    if emulator.has_kvm():
        raise Skipped("KVM has x2APIC in any QEMU")
    expect(*said, 1, "SMP=256: at most 255 with this QEMU")


def test_what_is_no_kernel_is_refused():
    said = run_tool("tools/make/image", "tools/make/image", "FAKE.iso")
    expect(*said, 1, "tools/make/image is no kernel", "make kernel")
    expect(*run_tool("tools/run", "--binary", "FAKE", QEMU="FAKE"), 1, "is no kernel")


def test_words_reach_the_program_as_they_are():
    program = f"echo \"<$*>\"; echo '{GOOD}'"
    expect(*hosted(program, "--words", "log=debug  seed=2", "it's $a; *"), 0, "log=debug seed=2 run=it's run=$a; run=*")


def test_missing_results_are_failures():
    expect(*hosted("exit 0"), 1, "results are missing: run=switch gave none")
    expect(*hosted(f"echo '{GOOD}'", "switch,tasks=3"), 1, "run=switch was asked for 2 times and gave 1")
    expect(*run_tool("tools/run", "--hosted", "--binary", "FAKE", "hello", program="exit 0"), 0)
    assert len(explain.missing_results(suite.run_words(suite.BENCHMARKS), [])) == len(suite.BENCHMARKS)


def test_results_with_wrong_values_are_failures():
    for old, new, said in (
        ('"switch"', "1", "benchmark is not a text"), ("true", '"yes"', "ok is not true or false"),
        ("12.5", "NaN", "ns_per_operation"), ("12.5", "1e999", "ns_per_operation"),
        ('"tasks":10', '"tasks":[]', "tasks"),
        ('"processors":2', '"processors":true', "processors is not a whole number"),
    ):
        expect(*hosted(f"echo '{GOOD.replace(old, new)}'"), 1, "damaged", said)


def test_a_result_behind_other_text_is_a_failure():
    expect(*hosted(f"echo 'text {GOOD}'; echo '{GOOD}'"), 1, "has something before the result")


def test_firmware_that_crashes_ends_the_run():
    said = emulated("echo '!!!! X64 Exception Type - 0E !!!!'; sleep 100")
    expect(*said, 1, "firmware crashed", "FIRMWARE=bios")


def ends(process):
    """Whether a process that is not our child ends within some seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
                if file.read().rpartition(")")[2].split()[0] in "ZX":
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def test_a_tool_that_is_ended_leaves_nothing_behind():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "program")
            with open(script, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho process $$\nexec sleep 100\n")
            os.chmod(script, 0o755)
            # Under nohup the tool would ignore a SIGHUP, as it should.
            command = ["env", "--default-signal=HUP", "tools/run", "--hosted", "--binary", script, "--results", folder]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as tool:
                child = next(line.split()[-1] for line in tool.stdout if "process " in line)
                tool.send_signal(number)
                said = tool.stdout.read()
            assert ends(child), f"{number.name} left the program running"
            if number != signal.SIGKILL:
                assert tool.returncode == 128 + number, f"{number.name}: status {tool.returncode}: {said}"
                assert f"ended by {number.name}" in said, said


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
        kernel, path = os.path.join(folder, "kernel"), os.path.join(folder, "test.iso")
        with open(kernel, "wb") as file:
            file.write(KERNEL)
        image.make(kernel, [image.Entry("title", ["run=switch"])], 0, path)
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


def test_a_wide_table_shows_parameters():
    line = table.wide([results.parse(GOOD)]).splitlines()[2]
    assert line.split() == ["switch", "local", "2", "tasks=10", "20", "0.5000", "12.50", "ok"], line


def test_a_table_fits_and_tells_apart():
    one = results.parse(GOOD)
    other = {**one, "tasks": 20, "ns_per_operation": 25.0, "first_waited_ns": 7}
    failed = {**one, "benchmark": "locks", "variant": "x" * 30, "processors": 4, "tasks": 10, "ok": False}
    lines = table.narrow([one, other], [], 80).splitlines()
    assert lines[0] == "2 processors", lines
    assert [line.split() for line in lines[3:]] == [
        ["switch", "local", "12.50", "######", "ok", "tasks=10"],
        ["switch", "local", "25.00", "############", "ok", "tasks=20"]], lines
    assert table.narrow([one], ["run=switch,tasks=10"], 80).endswith("tasks=10"), "a changed one is shown"
    assert "tasks" not in table.narrow([one], ["run=switch"], 80), "a usual one is not"
    lines = table.narrow([one, failed], ["run=locks,tasks=10"], 70).splitlines()
    assert max(map(len, lines)) <= 70 and lines[-1].endswith("..."), lines
    assert "FAILED" in lines[-1], lines
    lines = table.narrow([one, failed], ["run=locks,tasks=10"], 100).splitlines()
    assert lines[-2].endswith("processors=2") and lines[-1].endswith("processors=4 tasks=10"), lines


def fake_distribution(**programs):
    """Run tools/setup with these programs first in the path. (status, all output)"""
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


def test_setup_looks_at_the_search_path_too():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("apt-get", "exit 1"), ("dpkg-query", "printf 'install ok installed'")):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(os.path.join(folder, name), 0o755)
        status, said = run_tool("/bin/sh", "tools/setup", PATH=folder)
    expect(status, said, 1, "the packages are installed, yet", "nasm")


def test_a_build_without_its_tools_says_what_to_do():
    status, said = run_tool("make", "--no-print-directory", "compilers", "NASM=no-such-nasm", "CC=no-such-gcc")
    expect(status, said, 2, "not installed: no-such-gcc no-such-nasm", "make setup")


def test_a_compiler_without_stacks_that_grow_is_named():
    status, said = run_tool("make", "help", "CC=FAKE", program="exit 1")
    expect(status, said, 0, "qemu-fake has no -fsplit-stack, so each task of the hosted program has a whole stack")
    status, said = run_tool("make", "help", "CC=FAKE")
    assert "has no -fsplit-stack, so each task of the hosted" not in said, said
    status, said = run_tool("make", "help", "GROWS=no")
    expect(status, said, 2, "GROWS=no is not understood: allowed is on or off")


def test_settings_that_there_are_not_are_refused():
    status, said = run_tool("make", "run", "SPM=4")
    expect(status, said, 2, "SPM=: there is no such setting; did you mean SMP=?")
    status, said = run_tool("make", "help", "QQZZ=$(shell exit 1)")
    expect(status, said, 2, "QQZZ=: there is no such setting; `make help` has them")
    status, said = run_tool("make", "help", "SMP=4", "RUN=switch,tasks=2 yield", "V=1")
    expect(status, said, 0, "make run")


def test_setup_on_another_distribution_names_the_tools():
    with tempfile.TemporaryDirectory() as folder:
        status, said = run_tool("/bin/sh", "tools/setup", PATH=folder)
    expect(status, said, 1, "does not use apt", "qemu-system-x86_64", "grub-mkrescue")


def groups():
    return [Group("tools: the tools themselves", lambda: run_functions(__import__(__name__, fromlist=["x"])))]
