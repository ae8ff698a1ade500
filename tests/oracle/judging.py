"""Shared by the programs that check dio: they run it, count agreements, and print differences."""
import subprocess

SHOWN = 5  # texts per check


class Judge:
    """dio: the program. values: the number of compared values."""

    def __init__(self, dio):
        self.dio, self.passed, self.failed, self.values = dio, 0, 0, 0

    def run(self, *words):
        """(exit code, standard output, the beginning of standard error)."""
        done = subprocess.run([self.dio, *map(str, words)], capture_output=True, text=True, errors="replace",
                              timeout=600)
        return done.returncode, done.stdout, done.stderr.strip()[:300]

    def count(self, what, texts):
        """Counts one check. texts: its faults; empty texts are ignored."""
        texts = [text for text in texts if text]
        self.passed, self.failed = self.passed + (not texts), self.failed + bool(texts)
        for text in texts[:SHOWN]:
            print(f"{what}: {text}", flush=True)
        if len(texts) > SHOWN:
            print(f"{what}: ... {len(texts)} in all", flush=True)
        return not texts

    def end(self):
        """The last lines of a run; its exit code."""
        if self.values:
            print(f"{self.values} values")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
