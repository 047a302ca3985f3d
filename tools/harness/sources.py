"""Sources of the distribution's packages, which tools/make/sources fetches."""

import subprocess


class Missing(Exception):
    """They, or what else a tool fetches, cannot be had; the text says what and why."""


def fetch(*packages):
    done = subprocess.run(["tools/make/sources", *packages], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(done.stderr.strip())
