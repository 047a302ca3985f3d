"""The socket server in user/demo/embedding/: it answers everything, even with more clients than descriptors."""

import os
import re
import subprocess
import tempfile

from harness import process

from .case import Group, failed, verdict

NEEDS = ("build/hosted/libheddle.a",)
SOURCE = "user/demo/embedding/echo.c"
TIMEOUT = 60
FEW = 60  # descriptors
REFUSED = (["answer"], ["ask", "prot=7007"], ["serve", "port="], ["serve", "processors=two"], [])


def build(program):
    command = f"gcc -O2 -Wall -Wextra -Werror -Iuser/include {SOURCE} build/hosted/libheddle.a -pthread -o {program}"
    done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
    return done.stderr.splitlines() if done.returncode else []


def ask(program, limit, words):
    """The output of server and client; the server may have `limit` descriptors."""
    confined = ["prlimit", f"--nofile={limit}:{limit}"] if limit else []
    with subprocess.Popen([*confined, program, "serve", "port=0", *words], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        port = re.fullmatch(r"port (\d+)\n", server.stdout.readline())
        if not port:
            server.kill()
            return None, server.communicate()[1]
        client = process.follow([program, "ask", f"port={port[1]}", "connections=200", "messages=50", *words], TIMEOUT)
        errors = server.communicate(timeout=TIMEOUT)[1]
        return client, errors


def answers_all(program, title, limit, words, sentence):
    client, errors = ask(program, limit, words)
    if client is None:
        return failed(title, ["the server does not say its port:", *errors.splitlines()])
    wrong = [] if client.status == 0 else [f"the client ended with {client.status}", *client.lines, client.errors]
    if not any(line.startswith("10000 of 10000 answers") for line in client.lines):
        wrong.append("not all answers came")
    if sentence not in errors:
        wrong.append(f"the server does not say: {sentence}")
    return verdict(title, [*wrong, *errors.splitlines()] if wrong else [])


def refuses(program, words):
    outcome = process.follow([program, *words], TIMEOUT)
    said = "echo: serve or ask, port=" in outcome.errors
    return verdict(f"echo {' '.join(words)}".strip(), [] if outcome.status == 1 and said else
                   [f"it ended with {outcome.status}, and said: {outcome.errors}"])


def cases():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "echo")
        wrong = build(program)
        if wrong:
            return [failed(SOURCE, wrong)]
        return [
            answers_all(program, "200 connections, 1 processor", None, ["processors=1"], ""),
            answers_all(program, "200 connections, 3 processors", None, ["processors=3"], ""),
            answers_all(program, f"200 connections, {FEW} descriptors", FEW, ["processors=2"], "wait to be accepted"),
            *(refuses(program, words) for words in REFUSED),
        ]


def groups():
    return [Group("hosted: a server of sockets", cases)]
