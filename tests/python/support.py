"""What the tests share: the samples, the program, and which functions of the library were called."""
import json, os, subprocess
from pathlib import Path

from diorama import _library

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(os.environ["DIORAMA_SAMPLES"])
DIO = os.environ["DIO"]


class Counting:
    """The library; knows which of its functions were called."""
    def __init__(self, library):
        self.library, self.called = library, set()

    def __getattr__(self, name):
        self.called.add(name)
        return getattr(self.library, name)


if not isinstance(_library._loaded, Counting): _library._loaded = Counting(_library._loaded)


def bytes_of(name): return (SAMPLES / name).read_bytes()


def dio(*arguments, folder=None, codes=(0, 1)):
    """What the program prints."""
    done = subprocess.run([DIO, *map(str, arguments)], cwd=folder or SAMPLES, capture_output=True, stdin=subprocess.DEVNULL,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done.stdout


def dio_json(*arguments, **more): return json.loads(dio(*arguments, **more))


def memory():
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
