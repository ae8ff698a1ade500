"""What the library answers: findings, errors, and the other results that have a fixed form."""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Mapping, Sequence, TypeVar

#: From the worst on. `stop`: a file cannot be read.
SEVERITIES = ("stop", "error", "warning", "hint")

_T = TypeVar("_T")


def _from_json(cls: type[_T], source: Mapping[str, Any], **more: Any) -> _T:
    """A dataclass of a JSON object; members of later versions are ignored."""
    names = {f.name for f in fields(cls)}
    return cls(**{**{name: value for name, value in source.items() if name in names}, **more})


class LibraryError(ImportError):
    """libdiorama_capi is missing, or is of another version."""


@dataclass(frozen=True)
class Place:
    """A place in a file: a path, and the bytes, as far as they are known."""

    path: str | None = None
    offset: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class Finding:
    """What is wrong somewhere, with the id of its rule. `explain(finding.id)` says why it matters."""

    severity: str  #: one of SEVERITIES
    id: str
    file: str | None = None
    path: str | None = None
    offset: int | None = None  #: in bytes, from the start of the file
    size: int | None = None  #: in bytes
    bit: int | None = None
    bits: int | None = None
    message: str | None = None
    expected: str | None = None
    found: str | None = None
    hint: str | None = None
    places: tuple[Place, ...] = ()  #: all of them, if there are several

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Finding:
        return _from_json(cls, source, places=tuple(_from_json(Place, place) for place in source.get("places", ())))

    @property
    def text(self) -> str:
        """What is wrong, without where."""
        pair = [self.expected and f"expected {self.expected}", self.found and f"found {self.found}"]
        return self.message or ", ".join(part for part in pair if part) or self.id

    def __str__(self) -> str:
        place = [f"{self.offset:#x}" if self.offset is not None else "", self.path or ""]
        where = " ".join(part for part in place if part)
        return f"{self.severity}: " + ": ".join(part for part in (self.file, where, self.text) if part) + f" [{self.id}]"


class DioramaError(Exception):
    """An answer that the library could not give. `finding` has all that is known: id, file, offset, path, expected, found, hint."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding

    def __str__(self) -> str:
        hint = f" ({self.finding.hint})" if self.finding.hint else ""
        return str(self.finding).removeprefix("stop: ") + hint

    @property
    def id(self) -> str:
        return self.finding.id

    @property
    def file(self) -> str | None:
        return self.finding.file

    @property
    def offset(self) -> int | None:
        return self.finding.offset

    @property
    def path(self) -> str | None:
        return self.finding.path

    @property
    def message(self) -> str | None:
        return self.finding.message

    @property
    def expected(self) -> str | None:
        return self.finding.expected

    @property
    def found(self) -> str | None:
        return self.finding.found

    @property
    def hint(self) -> str | None:
        return self.finding.hint


@dataclass(frozen=True)
class MakeOption:
    """An option of `File.make()`."""

    name: str
    usage: str
    about: str
    remakes: bool = False  #: whether it works on files of the format as well as on scenes


@dataclass(frozen=True)
class Format:
    """A format, as `dio formats` lists it."""

    id: str
    title: str
    platform: str
    extensions: str
    checks: int  #: how many rules `File.check()` has for it
    gltf: bool  #: whether it can be converted to glTF
    placed: tuple[str, ...] = ()  #: kinds of nodes in its scenes that the edit `place` moves
    simulates: bool = False  #: whether `File.simulate()` plays it
    archive: bool = False  #: whether it holds other files: `File.members()`
    compressed: bool = False  #: whether it is one compressed file: `File.member("")` is what it holds
    options: tuple[MakeOption, ...] | None = None  #: of `File.make()`; None if it cannot be made from scenes

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Format:
        options = source.get("options")
        made = None if options is None else tuple(_from_json(MakeOption, option) for option in options)
        return _from_json(cls, source, placed=tuple(source.get("placed", ())), options=made)


@dataclass(frozen=True)
class Rule:
    """The meaning of the id of a finding."""

    rule: str
    severity: str
    sentence: str  #: what is right
    why: str = ""
    fix: str = ""
    source: str = ""
    also: tuple[str, ...] = ()  #: other severities that its findings may have
    #: of an error: "input" (what was read is damaged, or of no known format), "request" (an argument makes no sense),
    #: "absent" (what was asked for is not there), "limit" (the result would exceed a limit or lose something), "system"
    #: (a file cannot be read, written or found), "fault" (a bug)
    cause: str = ""

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Rule:
        return _from_json(cls, source, also=tuple(source.get("also", ())))


@dataclass(frozen=True)
class Sample:
    """A sample file that the library can make."""

    format: str
    name: str
    about: str
    size: int  #: in bytes


@dataclass(frozen=True)
class Info:
    """What a file is."""

    file: str
    format: str
    size: int  #: in bytes
    certainty: str  #: of the format: possible, likely or certain
    reason: str  #: why it is taken for one
    info: dict[str, Any]  #: what `dio info` prints, by format


@dataclass(frozen=True)
class Found:
    """A file that lies in other bytes."""

    offset: int
    size: int  #: in bytes
    format: str
    damaged_parts: int = 0  #: that do not read as they should


@dataclass(frozen=True)
class Difference:
    """How two files differ in one place. Of values: kinds are added, removed, changed and moved; `a` and `b` are its paths in the
    first and in the second file. Of archives: a member (`path`), and in a few words how it differs (`what`). Of bytes: the `offset` of
    the first, `old` and `new` in hexadecimal, and the value they are in (`path`), if any."""

    kind: str
    a: str | None = None
    b: str | None = None
    old: Any = None
    new: Any = None
    path: str | None = None
    what: str | None = None
    offset: int | None = None


@dataclass(frozen=True)
class Edit:
    """An edit that can be made: `dio edit FILE` lists them."""

    edit: str
    usage: str
    about: str


@dataclass(frozen=True)
class Question:
    """What can be asked about a position in a file."""

    question: str
    usage: str
    about: str


@dataclass(frozen=True)
class Referral:
    """A value that refers to an element."""

    from_: str  #: the path of the value
    to: str  #: the path of the element; with `part`, the id of a part of the game, such as land/12
    exists: bool
    part: bool = False


@dataclass(frozen=True)
class Refs:
    """Who refers to a part of a file, and to what it refers."""

    path: str
    refers_to: tuple[Referral, ...]
    referred_by: tuple[Referral, ...]
    names: tuple[dict[str, Any], ...] = ()  #: names in common with files that it is open together with

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Refs:
        def referrals(name: str) -> tuple[Referral, ...]:
            return tuple(_from_json(Referral, one, from_=one["from"]) for one in source.get(name, ()))

        return cls(source["path"], referrals("refers_to"), referrals("referred_by"), tuple(source.get("names", ())))


@dataclass(frozen=True)
class Change:
    """A step of an edit. Kinds: set (the value at `path`), put and drop (a part of the file), insert and remove (element `index` of
    the list at `path`), order (what is element i was element `order[i]`)."""

    kind: str
    path: str
    line: str  #: as text: `~ GOBJ.entries[3].route: 5 -> 4`
    index: int | None = None
    before: Any = None
    after: Any = None
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Edited:
    """What edits have done."""

    done: tuple[str, ...]  #: a line for each edit, then for each that became due by them
    changes: tuple[Change, ...]
    edits: int  #: how many there are to undo
    can_undo: bool
    can_redo: bool
    notes: tuple[str, ...] = ()  #: errors that the rules of the format find since then, in a line each

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Edited:
        changes = tuple(_from_json(Change, c, order=tuple(c["order"]) if "order" in c else None) for c in source["changes"])
        return _from_json(cls, source, done=tuple(source["done"]), changes=changes, notes=tuple(source.get("notes", ())))


@dataclass(frozen=True)
class Use:
    """How much of a resource is used."""

    name: str
    used: float
    of: float | None = None  #: the limit, if there is one
    unit: str = ""
    about: str = ""  #: what the limit is

    @property
    def over(self) -> bool:
        """Whether it does not fit."""
        return self.of is not None and self.used > self.of


@dataclass(frozen=True)
class Budget:
    """What a file, or a part of a game, uses, against the limits of its console and engine."""

    budgets: tuple[Use, ...]
    file: str = ""
    format: str = ""
    part: str = ""  #: of a game
    name: str = ""  #: of the part
    engine: str = ""
    more: dict[str, Any] = field(default_factory=dict)  #: what the format adds, such as a map of video memory

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Budget:
        uses = tuple(_from_json(Use, use) for use in source.get("budgets", ()))
        known = {"schema", "game"} | {f.name for f in fields(cls)}
        more = {name: value for name, value in source.items() if name not in known}
        return _from_json(cls, source, budgets=uses, more=more)

    @property
    def over(self) -> bool:
        """Whether anything does not fit."""
        return any(use.over for use in self.budgets)


@dataclass(frozen=True)
class MadeFile:
    """A file that was made."""

    name: str
    bytes: bytes


@dataclass(frozen=True)
class Made:
    """Files that were made together, and notes about differences from the source."""

    files: tuple[MadeFile, ...]
    notes: tuple[Finding, ...]
    more: dict[str, Any] = field(default_factory=dict)  #: what else is said: changed, repairs, collisions, what

    @classmethod
    def of(cls, listed: Mapping[str, Any], contents: Sequence[memoryview]) -> Made:
        files = tuple(MadeFile(one["name"], bytes(content)) for one, content in zip(listed["files"], contents))
        more = {name: value for name, value in listed.items() if name not in ("schema", "files", "notes")}
        return cls(files, tuple(Finding.of(note) for note in listed["notes"]), more)

    @property
    def content(self) -> bytes:
        """The bytes of the first file. Raises LookupError if there is none."""
        return self.files[0].bytes

    def __getitem__(self, name: str) -> bytes:
        """The bytes of a file by its name, or by the end of it: `made[".nsbmd"]`. Raises KeyError."""
        for file in self.files:
            if file.name == name or (name.startswith(".") and file.name.endswith(name)):
                return file.bytes
        raise KeyError(name)

    def write(self, folder: str | Path) -> list[Path]:
        """Writes the files into a folder, which is made if it is missing, and returns their paths."""
        paths = [inside(folder, file.name) for file in self.files]
        for path, file in zip(paths, self.files):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.bytes)
        return paths


@dataclass(frozen=True)
class Member:
    """A member of an archive."""

    number: int
    path: str
    size: int  #: in bytes
    offset: int | None = None  #: in bytes, in the archive
    what: str | None = None  #: its role in the game or the id of its format, if either is known


@dataclass(frozen=True)
class Sound:
    """A sound, decoded."""

    name: str
    path: str  #: of its record in the file
    rate: int  #: samples per second
    loops: bool
    samples: memoryview  #: 16-bit numbers of one channel, shape (n,), format "h"; empty if the .spu was not there

    def wav(self) -> bytes:
        """The bytes of a .wav file."""
        out = io.BytesIO()
        with wave.open(out, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes(self.samples)
        return out.getvalue()


@dataclass(frozen=True)
class Part:
    """A part of a game: a map, a land, a prop, a texture set."""

    id: str  #: kind/number, such as land/12
    kind: str
    number: int
    name: str | None = None
    path: str | None = None  #: of its file in the game


@dataclass(frozen=True)
class Maps:
    """The table of maps of a game."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class GameEdited:
    """What edits of a game have done."""

    done: tuple[str, ...]  #: a line for each edit, then for each that became due by them
    changes: tuple[str, ...]  #: the values that were set, a line each
    files: dict[str, int]  #: all files that are not as they were, and their sizes
    notes: tuple[Finding, ...]  #: what could not be kept


@dataclass(frozen=True)
class SourcePlace:
    """Where something that is drawn comes from."""

    file: str
    path: str
    offset: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class ShownBy:
    """A node that shows a value of a file."""

    node: int
    sources: tuple[tuple[int, int], ...] | None = None  #: (first, count) of its vertices; None: the whole node


def inside(folder: str | Path, name: str) -> Path:
    """A path in a folder, by a name that comes from a file. Raises ValueError if it would lead out of the folder."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part or ":" in part or "\0" in part for part in parts):
        raise ValueError(f"{name!r} cannot be the name of a file")
    return Path(folder).joinpath(*parts)
