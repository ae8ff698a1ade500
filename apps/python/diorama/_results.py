"""Results of the library: findings, errors, and other results of a fixed form."""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Mapping, Sequence, TypeVar

from ._commands import word_commands

#: The severities of findings, worst first. `stop`: the file cannot be read, or the call failed.
SEVERITIES = ("stop", "error", "warning", "hint")

_T = TypeVar("_T")

#: Members of JSON objects that may contain commands.
_TEXTS = ("message", "expected", "found", "hint", "sentence", "why", "fix", "about")


def _from_json(cls: type[_T], source: Mapping[str, Any], **more: Any) -> _T:
    """Returns a dataclass from a JSON object. Ignores members that only later versions of the library know."""
    names = {f.name for f in fields(cls)}
    known = {name: word_commands(value) if name in _TEXTS else value for name, value in source.items() if name in names}
    return cls(**{**known, **more})


class LibraryError(ImportError):
    """libdiorama_capi is missing, or has another version than the package."""


@dataclass(frozen=True)
class Place:
    """A place in a file: a path, and its bytes if they are known."""

    path: str | None = None
    offset: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class Finding:
    """A problem that a check found, with the id of its rule. `explain(finding.id)` describes the rule."""

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
    places: tuple[Place, ...] = ()  #: all places, if there are several

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Finding:
        return _from_json(cls, source, places=tuple(_from_json(Place, place) for place in source.get("places", ())))

    @property
    def text(self) -> str:
        """The problem, without its place."""
        pair = [self.expected and f"expected {self.expected}", self.found and f"found {self.found}"]
        return self.message or ", ".join(part for part in pair if part) or self.id

    def __str__(self) -> str:
        place = [f"{self.offset:#x}" if self.offset is not None else "", self.path or ""]
        where = " ".join(part for part in place if part)
        return f"{self.severity}: " + ": ".join(part for part in (self.file, where, self.text) if part) + f" [{self.id}]"


class DioramaError(Exception):
    """A call of the library failed. `finding` has all known details: id, file, offset, path, expected, found, hint."""

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
    remakes: bool = False  #: whether it also applies to files of the format, not only to scenes


@dataclass(frozen=True)
class Format:
    """A file format, as `formats()` lists it."""

    id: str
    title: str
    platform: str
    extensions: str
    checks: int  #: the number of rules that `File.check()` tests
    gltf: bool  #: whether files of the format can be converted to glTF
    placed: tuple[str, ...] = ()  #: the kinds of scene nodes that the edit `place` moves
    simulates: bool = False  #: whether `File.simulate()` supports the format
    archive: bool = False  #: whether it is an archive: `File.members()` lists its files
    compressed: bool = False  #: whether it is one compressed file: `File.member("")` returns its content
    options: tuple[MakeOption, ...] | None = None  #: the options of `File.make()`; None if it cannot create the format

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Format:
        options = source.get("options")
        made = None if options is None else tuple(_from_json(MakeOption, option) for option in options)
        return _from_json(cls, source, placed=tuple(source.get("placed", ())), options=made)


@dataclass(frozen=True)
class Rule:
    """The meaning of the id of a finding or an error."""

    rule: str
    severity: str
    sentence: str  #: the rule: a property of correct files
    why: str = ""
    fix: str = ""
    source: str = ""
    also: tuple[str, ...] = ()  #: other severities that findings of this rule may have
    #: the class of an error: "input" (the data is damaged or has no known format), "request" (an argument makes no sense),
    #: "absent" (the requested item does not exist), "limit" (the result would exceed a limit or lose data), "system" (a
    #: file cannot be read, written or found), "fault" (a bug)
    cause: str = ""

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Rule:
        return _from_json(cls, source, also=tuple(source.get("also", ())))


@dataclass(frozen=True)
class Sample:
    """A sample file that the library can generate."""

    format: str
    name: str
    about: str
    size: int  #: in bytes


@dataclass(frozen=True)
class Info:
    """A summary of a file."""

    file: str
    format: str
    size: int  #: in bytes
    certainty: str  #: the certainty of the detected format: possible, likely or certain
    reason: str  #: the reason for this format
    info: dict[str, Any]  #: details, which depend on the format


@dataclass(frozen=True)
class Found:
    """A file inside other data."""

    offset: int
    size: int  #: in bytes
    format: str
    damaged_parts: int = 0  #: the number of damaged parts


@dataclass(frozen=True)
class Difference:
    """A difference between two files.

    Between values: `kind` is added, removed, changed or moved; `a` and `b` are the paths of the value in the first and the second
    file. Between archives: `path` is a member, and `what` describes the difference in a few words. Between bytes: `offset` is the
    offset of the first byte, `old` and `new` are hexadecimal, and `path` is the value with these bytes, if any.
    """

    kind: str
    a: str | None = None
    b: str | None = None
    old: Any = None
    new: Any = None
    path: str | None = None
    what: str | None = None
    offset: int | None = None


@dataclass(frozen=True)
class EditArgument:
    """An argument of an edit."""

    name: str
    kind: str  #: integer, number, range, vector, color, text, choice, element, part or file
    value: str = ""  #: a placeholder, such as N or UNITS; empty if there are `choices`
    required: bool = True
    operand: bool = False  #: whether it is given by its position, without its name
    choices: tuple[str, ...] = ()  #: all allowed values; empty: any value
    repeats: bool = False  #: whether it may be given several times
    any_name: bool = False  #: whether `name` is a placeholder for any name, as in FIELD=VALUE
    alternative: int = 0  #: arguments with an odd number n are an alternative to those with n + 1; 0: no alternative


@dataclass(frozen=True)
class Edit:
    """An edit of a file (`File.edits()`) or of a game (`Game.edits()`)."""

    edit: str
    usage: str  #: the arguments in one line
    about: str
    arguments: tuple[EditArgument, ...] = ()  #: the arguments as data

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Edit:
        arguments = tuple(_from_json(EditArgument, one, choices=tuple(one.get("choices", ()))) for one in source.get("arguments", ()))
        return _from_json(cls, source, arguments=arguments)


@dataclass(frozen=True)
class Question:
    """A question about a position that a file can answer."""

    question: str
    usage: str
    about: str


@dataclass(frozen=True)
class Referral:
    """A reference from a value to an element."""

    from_: str  #: the path of the value
    to: str  #: the path of the element; if `part` is true, the id of a part of the game, such as land/12
    exists: bool
    part: bool = False


@dataclass(frozen=True)
class Refs:
    """The references from and to a part of a file."""

    path: str
    refers_to: tuple[Referral, ...]
    referred_by: tuple[Referral, ...]
    names: tuple[dict[str, Any], ...] = ()  #: names that link this file to other files

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Refs:
        def referrals(name: str) -> tuple[Referral, ...]:
            return tuple(_from_json(Referral, one, from_=one["from"]) for one in source.get(name, ()))

        return cls(source["path"], referrals("refers_to"), referrals("referred_by"), tuple(source.get("names", ())))


@dataclass(frozen=True)
class Change:
    """One step of an edit.

    Kinds: set (the value at `path` changed), put and drop (a part of the file was added or removed), insert and remove (element
    `index` of the list at `path` was added or removed), order (the list at `path` has another order, and element i was element
    `order[i]` before).
    """

    kind: str
    path: str
    line: str  #: the change as text: `~ GOBJ.entries[3].route: 5 -> 4`
    index: int | None = None
    before: Any = None
    after: Any = None
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Edited:
    """The result of edits to a file."""

    done: tuple[str, ...]  #: a line for each edit, then for each part of the file that was rebuilt as a consequence
    changes: tuple[Change, ...]
    edits: int  #: the number of edits that can be undone
    can_undo: bool
    can_redo: bool
    notes: tuple[str, ...] = ()  #: a line for each new error that the format's rules find after the edits

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Edited:
        changes = tuple(_from_json(Change, c, order=tuple(c["order"]) if "order" in c else None) for c in source["changes"])
        return _from_json(cls, source, done=tuple(source["done"]), changes=changes, notes=tuple(source.get("notes", ())))


@dataclass(frozen=True)
class Use:
    """The use of one resource."""

    name: str
    used: float
    of: float | None = None  #: the limit, if there is one
    unit: str = ""
    about: str = ""  #: a description of the resource

    @property
    def over(self) -> bool:
        """Whether the use exceeds the limit."""
        return self.of is not None and self.used > self.of


@dataclass(frozen=True)
class Budget:
    """The resources that a file or a part of a game uses, and the limits of its console and engine."""

    budgets: tuple[Use, ...]
    file: str = ""
    format: str = ""
    part: str = ""  #: the part of a game
    name: str = ""  #: the name of the part
    engine: str = ""
    more: dict[str, Any] = field(default_factory=dict)  #: details of the format, such as a map of video memory

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Budget:
        uses = tuple(_from_json(Use, use) for use in source.get("budgets", ()))
        known = {"schema", "game"} | {f.name for f in fields(cls)}
        more = {name: value for name, value in source.items() if name not in known}
        return _from_json(cls, source, budgets=uses, more=more)

    @property
    def over(self) -> bool:
        """Whether the use of any resource exceeds its limit."""
        return any(use.over for use in self.budgets)


@dataclass(frozen=True)
class MadeFile:
    """A new file: its name and its bytes."""

    name: str
    bytes: bytes


@dataclass(frozen=True)
class Made:
    """New files that were made together, and notes about differences from the source."""

    files: tuple[MadeFile, ...]
    notes: tuple[Finding, ...]
    more: dict[str, Any] = field(default_factory=dict)  #: further results: changed, repairs, collisions, what

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
        """Returns the bytes of a file by its name or its extension: `made[".nsbmd"]`. Raises KeyError."""
        for file in self.files:
            if file.name == name or (name.startswith(".") and file.name.endswith(name)):
                return file.bytes
        raise KeyError(name)

    def write(self, folder: str | Path) -> list[Path]:
        """Writes the files to a folder and returns their paths. Creates the folder if it is missing."""
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
    what: str | None = None  #: the role of the member in the game, or the id of its format, if known


@dataclass(frozen=True)
class Sound:
    """A decoded sound."""

    name: str
    path: str  #: the path of the sound's record in the file
    rate: int  #: samples per second
    loops: bool
    samples: memoryview  #: 16-bit samples of one channel, shape (n,), format "h"; empty if the .spu file is missing

    def wav(self) -> bytes:
        """Returns the sound as the bytes of a .wav file."""
        out = io.BytesIO()
        with wave.open(out, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes(self.samples)
        return out.getvalue()


@dataclass(frozen=True)
class Part:
    """A part of a game, such as a map, a land, a prop or a texture set."""

    id: str  #: kind/number, such as land/12
    kind: str
    number: int
    name: str | None = None
    path: str | None = None  #: the path of the part's file in the game


@dataclass(frozen=True)
class Maps:
    """The table of maps of a game."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class GameEdited:
    """The result of edits to a game."""

    done: tuple[str, ...]  #: a line for each edit
    changes: tuple[str, ...]  #: a line for each changed value or file
    files: dict[str, int]  #: all files that differ from the source, with their sizes
    notes: tuple[Finding, ...]  #: content that could not be kept


@dataclass(frozen=True)
class SourcePlace:
    """The origin of a vertex or a node: a file, a path in it, and a range of bytes."""

    file: str
    path: str
    offset: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class ShownBy:
    """A node that shows a value of a file."""

    node: int
    sources: tuple[tuple[int, int], ...] | None = None  #: ranges (first, count) of source numbers; None: the whole node


def inside(folder: str | Path, name: str) -> Path:
    """Returns a path in a folder for a name that comes from a file. Raises ValueError if the path would leave the folder."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part or ":" in part or "\0" in part for part in parts):
        raise ValueError(f"{name!r} cannot be the name of a file")
    return Path(folder).joinpath(*parts)
