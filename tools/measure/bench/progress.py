"""Progress, and the time left."""

import sys
import time


def clock(seconds):
    """Seconds as a person says them."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02} min" if minutes else f"{rest} s"


class Progress:
    """The time left is estimated in seconds; finished work tells how wrong the estimates are."""

    def __init__(self, expected, stream=sys.stdout, now=time.monotonic):
        self.expected, self.done, self.stream, self.now = expected, 0.0, stream, now
        self.start = now()
        self.wide = 0

    def remaining(self):
        """Seconds; None if nothing is finished yet."""
        if self.done <= 0:
            return None
        return (self.expected - self.done) * (self.now() - self.start) / self.done

    def add(self, expected):
        """That much of the expected work is done."""
        self.done = min(self.done + expected, self.expected)

    def title(self, text):
        """Show what is being done: on a terminal in one line that is overwritten, elsewhere printed once."""
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
        """Print a line that stays."""
        if self.stream.isatty():
            print(f"\r{' ' * self.wide}\r", end="", file=self.stream)
        print(text, file=self.stream, flush=True)
