"""What the add-on asks diorama: the answers, and who gives them. `library.py` asks the library in this package; where that does not
load (another platform), `program.py` runs `dio`."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path


class BackendError(Exception):
    """A failed operation. `id`: the id of the diagnostic, for `dio explain`."""

    def __init__(self, text: str, id: str = "", hint: str = "") -> None:
        super().__init__(text)
        self.text, self.id, self.hint = text, id, hint


@dataclass(frozen=True)
class Note:
    """A finding or a note."""

    severity: str  #: error, warning, hint or note
    text: str
    id: str = ""
    path: str = ""
    file: str = ""


@dataclass(frozen=True)
class Part:
    """Importable content of a file. `id`: a game part such as `land/3`, or the path of a member; empty: the file itself."""

    id: str
    label: str
    game: bool = False  #: a part of a game, not a member


@dataclass
class Shown:
    """A scene (.glb) of a file or a part of it."""

    glb: bytes
    target: str = ""  #: the file to which the edited scene is applied; empty: none
    notes: list[Note] = field(default_factory=list)


@dataclass
class Proposal:
    """The changes that an edited scene would make in a file. Nothing is written yet."""

    what: str
    changes: list[str] = field(default_factory=list)  #: a line each
    notes: list[Note] = field(default_factory=list)
    content: bytes | None = None  #: of the target; None: refused
    needs: dict[str, str] = field(default_factory=dict)  #: flags it has to be given, and why: partly, delete, unlink
    reorders: bool = False  #: elements come or go, so paths in the scene are no longer right afterwards


@dataclass
class MadeFiles:
    """New files by name."""

    files: dict[str, bytes]
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True)
class Usage:
    """The use of one resource."""

    name: str
    used: float
    of: float | None
    unit: str
    about: str = ""


#: Formats that take an edited scene back in place. For other formats, a new file is made from the scene.
TAKES_BACK = {"kmp", "land-data", "fft-mesh", "nsbmd", "kcl", "brres", "splashpack"}
#: Formats that are made from scenes, and the extension of their files.
MAKES = {"nsbmd": ".nsbmd", "kcl": ".kcl", "brres": ".brres", "yaz0": ".szs", "splashpack": ".splashpack", "land-data": ".bin"}
#: More deletions than these have to be asked for, as in `dio convert --onto`.
FEW = 3
#: Kinds of parts of games that make a scene.
SCENE_PARTS = ("header", "map", "land", "matrix", "area")


def split_target(target: str) -> tuple[str, str]:
    """Splits a path such as games/a.nds/data/b.narc/3 into the file on disk and the path inside it."""
    if os.path.exists(target):
        return target, ""
    parts = target.replace("\\", "/").split("/")
    for i in range(len(parts) - 1, 0, -1):
        outer = "/".join(parts[:i])
        if os.path.isfile(outer):
            return outer, "/".join(parts[i:])
    return target, ""


def digest_of(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def write_file(path: str, content: bytes, backup: bool) -> None:
    """Replaces a file completely; it is never half written. `backup`: keeps the old file as .bak in the same folder."""
    target = Path(path).resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        if target.exists():
            shutil.copymode(target, beside)
            if backup:
                shutil.copy2(target, target.with_name(target.name + ".bak"))
        os.replace(beside, target)
    except OSError as error:
        raise BackendError(f"{target}: {error.strerror or error}") from error
    finally:
        beside.unlink(missing_ok=True)


class Backend:
    """The interface. Methods raise BackendError."""

    name = ""

    def parts(self, path: str) -> list[Part]:
        """The importable parts of a file, best first; for a file that is not an archive, one part without an id."""
        raise NotImplementedError

    def show(self, path: str, part: str, options: dict[str, object]) -> Shown:
        """The scene of a file or of a part. Options: time, state, show, lamps, all_states; beside:
        files that go with it."""
        raise NotImplementedError

    def format_of(self, target: str) -> str:
        """The id of the format of a file."""
        raise NotImplementedError

    def read(self, target: str) -> bytes:
        """The bytes of a file, which may be inside an archive."""
        raise NotImplementedError

    def put_back(self, target: str, scene: str, unlink: bool) -> Proposal:
        """The changes that an edited scene (.glb) would make."""
        raise NotImplementedError

    def replace(self, target: str, content: bytes, backup: bool) -> None:
        """Writes a file, which may be inside an archive."""
        raise NotImplementedError

    def make(self, scene: str, format: str, options: dict[str, object]) -> MadeFiles:
        """Turns a scene (.glb) into files of a format, named after the scene."""
        raise NotImplementedError

    def make_map(self, game: str, scene: str, words: list[str]) -> Proposal:
        """The changes that the edit make-map would make in a game. `content`: the new image; for a folder, see write_map."""
        raise NotImplementedError

    def write_map(self, game: str, scene: str, words: list[str], out: str, backup: bool) -> list[str]:
        """Runs the edit make-map and writes the image `out`, or the files of the folder. Returns one line per change."""
        raise NotImplementedError

    def check(self, target: str) -> list[Note]:
        """The findings in a file."""
        raise NotImplementedError

    def budget(self, target: str, part: str = "") -> list[Usage]:
        """The use of the console's resources by a file or by a part of a game."""
        raise NotImplementedError

    def value(self, target: str, path: str) -> dict[str, object]:
        """The documentation of a value: doc, unit, words. Empty if there is no such value."""
        raise NotImplementedError

    def rule(self, id: str) -> dict[str, str]:
        """Why a finding matters, and how to fix it."""
        raise NotImplementedError


_current: Backend | None = None
_problem = ""


def forget() -> None:
    """Drops the current backend after a change of the preferences; the next use chooses one."""
    global _current, _problem
    _current, _problem = None, ""


def backend(program: str = "", prefer_program: bool = False) -> Backend:
    """The backend to use. Raises BackendError if neither the library nor the program is available."""
    global _current, _problem
    if _current is not None:
        return _current
    reasons = []
    if not prefer_program:
        try:
            from .library import LibraryBackend

            _current = LibraryBackend()
            return _current
        except (ImportError, OSError) as error:
            reasons.append(str(error))
    from .program import ProgramBackend

    found = program or shutil.which("dio") or ""
    if found:
        try:
            _current = ProgramBackend(found)
            return _current
        except BackendError as error:
            reasons.append(error.text)
    else:
        reasons.append("the program dio is not on the search path")
    raise BackendError("diorama cannot be used: " + "; ".join(reasons) + ". You can set the path of dio in the add-on preferences")
