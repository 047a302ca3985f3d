"""Non-maskable interrupts at the worst moments: GDB stops one processor there and makes another one send them."""

import subprocess
import tempfile

from .case import Group, verdict
from .debugger import free_port, gdb

PROGRAM = "build/kernel-debug/heddle.elf"
RUN, PANICS = "tokenring,tasks=5,rounds=1G", "misbehave,how=panic"
UNSENT = "interrupt that no processor sent"

# When both processors are up, one of them, the victim, is stopped between sti and hlt, and the other interrupts and
# wakes it. The non-maskable interrupt comes first, then the wake-up, which must not come before the halt.
BEFORE_HALT = """
break program_run_words
continue
delete
set $other = $_thread
set $victim = 3 - $other
break *(char *)&idle_halt_about if $_thread == $victim
continue
delete
set scheduler-locking on
thread $other
call (void)arch_processor_interrupt(&processors[$victim - 1])
call (void)arch_processor_wake(&processors[$victim - 1])
break nmi_handle if $_thread == $victim
set scheduler-locking off
continue
delete
break interrupt_acknowledge_entry if $_thread == $victim
continue
thread $victim
print *(char **)$sp == (char *)&idle_halt_over ? "it goes on" : "it halts"
delete
"""
# The victim is stopped in the handler, after it has determined the reason, and is asked where it is: that is a second
# interrupt, sent by a processor. In its handler a third one comes without a reason (0x400 sends it).
TWO_AND_ONE = """
set scheduler-locking on
thread $other
call (void)arch_processor_interrupt(&processors[$victim - 1])
break arch_is_user_code if $_thread == $victim
set scheduler-locking off
continue
delete
set scheduler-locking on
thread $other
call (void)arch_processor_examine(&processors[$victim - 1])
break nmi_handle if $_thread == $victim
set scheduler-locking off
continue
delete
set scheduler-locking on
thread $other
call (void)apic_send(processors[$victim - 1].hardware_id, 0x400)
set scheduler-locking off
break processor_interrupt_end if $_thread == $victim
ignore $bpnum 1
continue
delete
print "three came"
break heddle_suspend
ignore $bpnum 1000
continue
"""
# A processor reports a panic and has told the others to stop. It is asked where it is all the same, as the watchdog of
# another does that comes just before; here it asks itself, since the others halt.
WHILE_IT_REPORTS = """
break console_panic_start
continue
delete
set $victim = $_thread
set scheduler-locking on
call (void)arch_processor_examine(&processors[$victim - 1])
set scheduler-locking off
continue
"""


def interrupted(run, commands):
    """(GDB's output, the machine's output)"""
    port = free_port()
    command = ["tools/run", "--debug", "--port", str(port), "--processors", "2", "--firmware", "direct",
               "--binary", PROGRAM, run]
    with tempfile.NamedTemporaryFile("r", errors="replace") as output, tempfile.NamedTemporaryFile("w") as script:
        script.write("set pagination off\n" + commands)
        script.flush()
        with subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT) as machine:
            try:
                connect = ["-ex", "set tcp connect-timeout 20", "-ex", f"target remote 127.0.0.1:{port}"]
                said = gdb(PROGRAM, *connect, "-x", script.name)
            except subprocess.TimeoutExpired:
                said = "nothing came for a minute"
            finally:
                machine.kill()
        output.seek(0)
        return said, output.read()


def both_said(said, logged):
    return [*said.splitlines()[-40:], *logged.splitlines()[-20:]]


def of_tasks():
    said, logged = interrupted(RUN, BEFORE_HALT + TWO_AND_ONE)
    everything = both_said(said, logged)
    count = logged.count(UNSENT)
    woken = [] if "it goes on" in said else ["it halts again, with the wake-up behind it:", *everything]
    told = [] if "three came" in said and count == 1 else [
        f"of two interrupts that were announced and one that was not, {count} were called unsent:", *everything]
    return [verdict("one between sti and hlt, with a wake-up behind it", woken),
            verdict("a second one while the first is handled", told)]


def of_a_panic():
    said, logged = interrupted(PANICS, WHILE_IT_REPORTS)
    reported = [] if "program_run_words+" in logged else ["there is no report:", *both_said(said, logged)]
    return [verdict("one while a panic is reported", reported)]


def cases():
    return [*of_tasks(), *of_a_panic()]


def groups():
    return [Group("interrupts: non-maskable ones at bad moments", cases)]
