"""Shared by the tests: the samples, the program, and a record of called library functions."""
import json, os, subprocess
from pathlib import Path

from diorama import _library

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(os.environ["DIORAMA_SAMPLES"])
DIO = os.environ["DIO"]


class Counting:
    """Wraps the library and records the called functions."""
    def __init__(self, library):
        self.library, self.called = library, set()

    def __getattr__(self, name):
        self.called.add(name)
        return getattr(self.library, name)


if not isinstance(_library._loaded, Counting): _library._loaded = Counting(_library._loaded)


def bytes_of(name): return (SAMPLES / name).read_bytes()


def dio(*arguments, folder=None, codes=(0, 1)):
    """The output of the program."""
    done = subprocess.run([DIO, *map(str, arguments)], cwd=folder or SAMPLES, capture_output=True, stdin=subprocess.DEVNULL,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done.stdout


def dio_json(*arguments, **more): return json.loads(dio(*arguments, **more))


def memory():
    """The resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def words_of_dio(file="FILE"):
    """Words commands in texts as the program does: for comparisons with its output."""
    import re
    from unittest import mock

    def word(text):
        def one(m):
            words = re.sub(r"(?<!\S)FILE(?=[ #]|$)", lambda _: str(file), m[2] or "")
            command = " ".join(part for part in (m[1], words) if part)
            return command if m[1].startswith("--") else f"`dio {command}`"
        return re.sub(r"\{(-{0,2}[a-z][a-z-]*)(?: ([^{}]*))?\}", one, text)

    return mock.patch.multiple("diorama._file", word_commands=word)
