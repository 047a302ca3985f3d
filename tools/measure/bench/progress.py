"""How far it is, and how long it still takes."""

import sys
import time


def clock(seconds):
    """Seconds as a person says them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02} min" if minutes else f"{rest} s"


class Progress:
    """The work ahead is guessed in seconds; what was done tells how wrong the guesses are."""

    def __init__(self, expected, stream=sys.stdout, now=time.monotonic):
        self.expected, self.done, self.stream, self.now = expected, 0.0, stream, now
        self.start = now()
        self.wide = 0

    def remaining(self):
        """Seconds; None before anything was done."""
        if self.done <= 0:
            return None
        return (self.expected - self.done) * (self.now() - self.start) / self.done

    def add(self, expected):
        """So much of the expected work is done."""
        self.done = min(self.done + expected, self.expected)

    def title(self, text):
        """The line of what is being done; on a terminal it is written over, elsewhere said once."""
        remaining = self.remaining()
        left = "" if remaining is None else f", about {clock(remaining)} left"
        share = 100 * self.done / self.expected if self.expected else 100
        line = f"bench: {share:3.0f} %{left}: {text}"
        if self.stream.isatty():
            print(f"\r{line[:118]:{self.wide}}", end="", file=self.stream, flush=True)
            self.wide = min(len(line), 118)
        else:
            print(line, file=self.stream, flush=True)

    def say(self, text):
        """A sentence that stays."""
        if self.stream.isatty():
            print(f"\r{' ' * self.wide}\r", end="", file=self.stream)
        print(text, file=self.stream, flush=True)
