"""Files: what can be done with one of any format."""

from __future__ import annotations

import contextlib
import copy
import json
import numbers
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, ContextManager, Iterable, Iterator, Mapping, Sequence, Union

from . import _library as lib
from ._options import Option, option_texts
from ._results import (Budget, Difference, DioramaError, Edit, Edited, Finding, Found, Info, Made, Member, Question, Refs, Sound,
                       _from_json)  # fmt: skip
from ._scene import Scene

if TYPE_CHECKING:
    from ._game import Game

#: A path of a file; "game.nds/data/shelf.narc/1" leads into archives.
PathLike = Union[str, "os.PathLike[str]"]
Buffer = Union[bytes, bytearray, memoryview]
#: A value that can be set: a number (also one of numpy), a text or a word, or several numbers: (1, 2, 3) is the same as "1,2,3"; or
#: values by their names, as `get()` returns them for a structure.
Settable = Union[str, int, float, Sequence[Any], Mapping[str, Any]]


def _flags(**given: bool) -> int:
    bits = {"strict": lib.STRICT, "known": lib.KNOWN, "canonical": lib.CANONICAL, "lossy": lib.LOSSY, "unlink": lib.UNLINK,
            "cascade": lib.CASCADE, "every_byte": lib.EVERY_BYTE, "partly": lib.PARTLY, "delete": lib.DELETE}  # fmt: skip
    return sum(bits[name] for name, on in given.items() if on)


def _value(path: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number and number.is_integer() else repr(number)
    if isinstance(value, Iterable):
        return ",".join(_value(path, one) for one in value)
    raise TypeError(f"{path} cannot be set to {value!r}: values are numbers, texts, several numbers or a mapping of them")


def _assignments(values: Mapping[str, Settable] | Iterable[str] | str) -> list[str]:
    """["PATH=VALUE"]"""
    if isinstance(values, str):
        return [values]
    if not isinstance(values, Mapping):
        return list(values)
    out: list[str] = []
    for path, value in values.items():
        if isinstance(value, Mapping):
            out += _assignments({f"{path}.{name}": one for name, one in value.items()})
        elif isinstance(value, Sequence) and any(isinstance(one, (Mapping, list, tuple)) for one in value):
            out += _assignments({f"{path}[{i}]": one for i, one in enumerate(value)})
        else:
            out.append(f"{path}={_value(path, value)}")
    return out


class Editing:
    """A copy of a file that is edited. Edits keep every reference on the element it meant, are made as a whole or not at all, and can
    be undone to the same bytes.

    A context manager, as `File`. Several threads may use it; one waits for the other.
    """

    def __init__(self, handle: lib.Owned) -> None:
        """For `File.edit()`."""
        self._owned: lib.Owned | None = handle
        self._lock = threading.RLock()
        if not lib.call("dio_editing_ok", handle):
            lib.buffer_of("dio_editing_save", handle, 0)

    @property
    def _handle(self) -> lib.Owned:
        if self._owned is None:
            raise ValueError("the editing is closed")
        return self._owned

    def run(self, *words: str, unlink: bool = False, cascade: bool = False) -> Edited:
        """Makes edits, as the words of `dio edit`: `run("remove", "POTI[0]", unlink=True)`. Several in a row are one edit: all are
        made, or none. `unlink`: references to what is removed lead nowhere from then on; `cascade`: what refers to it is removed
        as well. Raises DioramaError: edit.*, path.*, layout.*, and those of the format."""
        with self._lock:
            flags = _flags(unlink=unlink, cascade=cascade)
            return Edited.of(lib.json_of("dio_editing_run", self._handle, *lib.texts(words), flags))

    def set(self, values: Mapping[str, Settable] | Iterable[str] | str) -> Edited:
        """Sets values, as `File.set()`: `set({"KTPT[0].position": (1, 2, 3)})`."""
        return self.run("set", *_assignments(values))

    def undo(self) -> Edited:
        """Takes the last edit back. Raises DioramaError if there is none."""
        with self._lock:
            return Edited.of(lib.json_of("dio_editing_undo", self._handle))

    def redo(self) -> Edited:
        """Makes it again."""
        with self._lock:
            return Edited.of(lib.json_of("dio_editing_redo", self._handle))

    def follow(self, other: File) -> bytes:
        """The bytes of another file in which names follow what was renamed, as `dio edit --with`; as they are where it has none of
        them."""
        with self._lock:
            return lib.bytes_of("dio_editing_follow", self._handle, other._handle)

    def save(self, *, canonical: bool = False, lossy: bool = False) -> bytes:
        """The bytes of the file as edited; when everything is undone, those it was opened from."""
        with self._lock:
            return lib.bytes_of("dio_editing_save", self._handle, _flags(canonical=canonical, lossy=lossy))

    def close(self) -> None:
        """Frees its memory."""
        self._owned = None

    def __enter__(self) -> Editing:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class File:
    """A file that was opened by `open()`, readable or not. It does not change: `set()`, `replace()` and `edit()` make new bytes.

    A context manager: its memory is freed at the end of the block, by `close()`, or when nothing refers to it any more. Several
    threads may use one file at the same time; in one that is read in parts, one waits for the other. Methods raise DioramaError where
    there is no answer, and for a file that could not be read the reason of that; but `check()` and `read()` work, and where its format
    is known, `hex()`, `tree()`, `ls()`, `place()` and `path_at()` do as far as it can be read.
    """

    def __init__(self, handle: lib.Owned, name: str, reader: lib.Reader | None = None) -> None:
        """For `open()`."""
        self._owned: lib.Owned | None = handle
        self._reader = reader
        self._lock: ContextManager[Any] = contextlib.nullcontext()
        if reader:
            self._lock = reader.lock
        self._document: Any = None  # for get()
        #: The name it was opened with.
        self.name = name
        told: bytes | None = lib.call("dio_file_format", handle)
        #: The id of its format, or None if that is unknown.
        self.format = told.decode() if told else None
        #: Why it could not be read, or None.
        self.error: DioramaError | None = None
        if not lib.call("dio_file_ok", handle):
            try:
                lib.buffer_of("dio_error", handle, reader=reader)
            except DioramaError as error:
                self.error = error

    @property
    def _handle(self) -> lib.Owned:
        if self._owned is None:
            raise ValueError(f"{self.name} is closed")
        return self._owned

    @property
    def ok(self) -> bool:
        """Whether it could be read. A scene (.glb, .gltf) cannot: it is of none of the formats, but `make()`, `render()` and
        `Game.edit()` take it."""
        return self.error is None

    def _json(self, function: str, *arguments: Any) -> Any:
        with self._lock:
            return lib.json_of(function, self._handle, *arguments, reader=self._reader)

    def _bytes(self, function: str, *arguments: Any) -> bytes:
        with self._lock:
            return lib.bytes_of(function, self._handle, *arguments, reader=self._reader)

    # ---- what it is ----

    def info(self) -> Info:
        """What it is, as `dio info`."""
        return _from_json(Info, self._json("dio_info"))

    def explain(self, path: str) -> dict[str, Any]:
        """What is known of one value, as `dio explain FILE#PATH`: {"path", "type", "offset", "size", "show", "doc", "unit", "words"}."""
        known: dict[str, Any] = self._json("dio_explain_value", lib.text(path))
        return known

    def check(self) -> list[Finding]:
        """What is wrong with it, the worst first, as `dio check`; also of a file that cannot be read. Findings known in retail files
        are left out, unless it was opened with `known`."""
        return [Finding.of(f) for f in self._json("dio_check")["findings"]]

    def simulate(self) -> list[Finding]:
        """What is wrong when it is played by the rules of the game, as `dio simulate`: for courses, with their collision
        (`together()`)."""
        return [Finding.of(f) for f in self._json("dio_simulate")["findings"]]

    def budget(self) -> Budget:
        """Its use of resources against the limits of its console, as `dio budget`."""
        return Budget.of(self._json("dio_budget"))

    def report(self, to: str = "sarif", *, rules: Iterable[str] = (), ignore: Iterable[str] = (), baseline: str = "") -> str:
        """What `check()` finds as `sarif`, `json`, `summary` (how often each rule was broken) or `text`. `rules`: only those whose
        ids start so; `ignore`: not those whose ids match, with wildcards; `baseline`: not those that this report of an earlier run has,
        as `json`. Raises DioramaError: capi.argument, check.baseline."""
        with self._lock:
            checked = lib.buffer_of("dio_check", self._handle)
        wanted = [f"rule={one}" for one in rules] + [f"ignore={one}" for one in ignore]
        wanted += [f"baseline={baseline}"] if baseline else []
        return lib.text_of("dio_report", *lib.buffers_of([checked]), lib.text(to), *lib.texts(wanted))

    def repair(self) -> Made:
        """It with everything repaired that has one safe repair, as `dio check --fix`: `repair().content`, and what was done in
        `repair().more["repairs"]`. Raises DioramaError: capi.argument if its format has no repairs."""
        with self._lock:
            return Made.of(*lib.files_of("dio_repair", self._handle))

    def verify(self) -> bool:
        """Whether it comes back byte for byte, directly and through JSON, as `dio verify`."""
        found = self._json("dio_verify")
        return bool(found["straight"] and found["through_json"])

    def diff(self, other: File, *, bytes: bool = False) -> list[Difference]:
        """How another file differs from this one, by meaning; of archives, which members do; with `bytes`, byte for byte, whatever
        they are, with the `offset` of each: as `dio diff`. Raises DioramaError: capi.argument for files of different formats."""
        found = self._json("dio_diff", other._handle, *option_texts({"bytes": bytes}))
        if "members" in found:
            return [Difference(one["change"], path=one["path"], what=one["what"]) for one in found["members"]]
        if bytes:
            return [Difference("changed", path=one.get("path"), old=one["old"], new=one["new"], offset=one["offset"])
                    for one in found["changes"]]  # fmt: skip
        return [_from_json(Difference, one) for one in found["changes"]]

    # ---- values and bytes ----

    def decode(self, *, refs: bool = False, lean: bool = False) -> dict[str, Any]:
        """All of it, without loss: {"schema", "format", "size", "digest", "residue", "document"}. `encode()` is the way back. With
        `refs`, numbers that refer to elements are ids of the elements, so that these can be removed, inserted and sorted. `lean`:
        without what follows from the rest, for version control."""
        decoded: dict[str, Any] = json.loads(self.decode_json(refs=refs, lean=lean))
        return decoded

    def decode_json(self, *, refs: bool = False, lean: bool = False) -> str:
        """The same as a text: `dio decode`."""
        if refs and lean:
            raise ValueError("refs and lean exclude each other")
        return self._bytes("dio_decode_refs" if refs else "dio_decode_lean" if lean else "dio_decode").decode()

    def get(self, path: str) -> Any:
        """A value by its path, as in `decode()["document"]`: a number, a text, a list, a dictionary. A path that selects several,
        such as "GOBJ[*].id" or "GOBJ[id=itembox]", gives a list, unless it is just one. Raises DioramaError: path.unknown."""
        if self._document is None:
            self._document = self.decode()["document"]
        try:
            return copy.deepcopy(_at(self._document, path))
        except LookupError:
            selected = [refs.path for refs in self.refs(path)]
        found = [copy.deepcopy(_at(self._document, one)) for one in selected]
        return found[0] if len(found) == 1 else found

    def set(self, values: Mapping[str, Settable] | Iterable[str] | str) -> bytes:
        """The bytes of the file with other values: `set({"STGI[0].laps": 5})`, or texts as for `dio set`:
        `set("GOBJ[*].position.y+=50")`, or a list of them. Sizes, counts and other derived fields are updated."""
        return self._bytes("dio_set", *lib.texts(_assignments(values)))

    def save(self, *, canonical: bool = False, lossy: bool = False) -> bytes:
        """Its bytes, as they were. `canonical`: in the usual layout, without bytes that nothing refers to; `lossy`: these may be
        lost."""
        return self._bytes("dio_save", _flags(canonical=canonical, lossy=lossy))

    def read(self, offset: int = 0, size: int | None = None) -> bytes:
        """Bytes of it, fewer at its end; without a size, all from the offset on. Also of a file that cannot be read. Raises ValueError
        for negative numbers."""
        if offset < 0 or (size is not None and size < 0):
            raise ValueError("an offset and a size are not negative")
        return self._bytes("dio_bytes", offset, 2**63 - 1 - offset if size is None else size)

    def hex(self, offset: int | None = None, size: int | None = None) -> dict[str, Any]:
        """The position of every value, as `dio hex --json`: {"size", "spans": [{"path", "offset", "size", "type", "value"}], "gaps"}.
        With an offset and a size, only what has bytes there."""
        if offset is None and size is None:
            whole: dict[str, Any] = self._json("dio_trace")
            return whole
        part: dict[str, Any] = self._json("dio_spans", offset or 0, 2**63 - 1 if size is None else size)
        return part

    def hex_page(self) -> str:
        """Its bytes with their meaning as a page (HTML), as `dio hex --html`."""
        return self._bytes("dio_hex_page").decode()

    def tree(self) -> dict[str, Any]:
        """All values with positions, types and explanations, as `dio tree --json`: {"name", "type", "offset", "size", "value",
        "members"}."""
        tree: dict[str, Any] = self._json("dio_tree")["tree"]
        return tree

    def ls(self, path: str = "", first: int = 0, count: int = 2**32) -> dict[str, Any]:
        """A value and `count` of its members from the first on, without what is in these: {"path", "name", "type", "offset", "size",
        "value", "show", "doc", "unit", "count", "total", "members"}. Raises DioramaError: path.unknown."""
        level: dict[str, Any] = self._json("dio_branch", lib.text(path), first, count)
        return level

    def place(self, path: str) -> tuple[int, int] | None:
        """Where a value is: its offset and its size in bytes. None if there is no such path."""
        found = self._json("dio_place", lib.text(path))
        return (found["offset"], found["size"]) if found else None

    def path_at(self, offset: int) -> str | None:
        """The path of the innermost value with bytes at an offset. None in a gap."""
        found: str | None = self._json("dio_path_at", offset)
        return found

    # ---- edits ----

    def edits(self) -> list[Edit]:
        """The edits that can be made in it."""
        return [_from_json(Edit, edit) for edit in self._json("dio_edits")["edits"]]

    def edit(self, *, lossy: bool = False) -> Editing:
        """Begins to edit a copy of it. Raises DioramaError if it cannot be read."""
        return Editing(lib.owned("dio_editing_begin", "dio_editing_close", self._handle, _flags(lossy=lossy)))

    def refs(self, path: str = "", *others: File) -> list[Refs]:
        """Who refers to the parts that a path selects, and to what they refer, as `dio refs`; names that files have in common are
        looked for in the others, too."""
        held = [other._handle for other in others]
        return [Refs.of(part) for part in self._json("dio_refs", lib.text(path), *lib.handles_of(held))["parts"]]

    def questions(self) -> list[Question]:
        """What can be asked about a position in it."""
        return [_from_json(Question, question) for question in self._json("dio_questions")["questions"]]

    def ask(self, question: str, argument: str | Sequence[float]) -> dict[str, Any]:
        """The answer to one of them, as `dio explain FILE#QUESTION@ARGUMENT`: `ask("height", (8, 24))["height"]`."""
        answer: dict[str, Any] = self._json("dio_ask", lib.text(question), lib.text(_value(question, argument)))["answer"]
        return answer

    # ---- files that belong to it ----

    def beside(self) -> list[str]:
        """The names of files that belong to it and lie in the same folder, such as room.vram, be they there or not."""
        return list(self._json("dio_beside")["names"])

    def together(self, *others: File) -> File:
        """The same file together with others: textures and animations of a model, a pack's .vram, the collision of a course, the
        files that a .gltf refers to. A file of its own; the others may be closed."""
        held = [other._handle for other in others]
        with self._lock:
            owned = lib.owned("dio_together", "dio_close", self._handle, *lib.handles_of(held))
        both = File(owned, self.name)
        if both.error and (self.ok or both.error.id == "capi.argument"):
            raise both.error
        return both

    # ---- other forms ----

    def convert(self, to: str = "glb") -> bytes:
        """It as `glb` (binary glTF), `gltf` (text) or `json`, as `dio convert`. Raises DioramaError: capi.argument, scene.none."""
        return self._bytes("dio_convert", lib.text(to))

    def make(self, format: str, **options: Option) -> Made:
        """Files of a format, made from a scene (.glb, .gltf) or from a file of this format in another version, as `dio convert`:
        `make("splashpack", layout="v21")`. `formats()` lists the options. Raises DioramaError: make.argument, gltf.*, and those
        of the format."""
        with self._lock:
            return Made.of(*lib.files_of("dio_make", self._handle, lib.text(format), *option_texts(options)))

    def put_back(self, scene: File, *, unlink: bool = False, cascade: bool = False, canonical: bool = False,
                 lossy: bool = False, partly: bool = False, delete: bool = False) -> Made:  # fmt: skip
        """It with an edited scene (.glb, .gltf) that was made of it, as `dio convert --onto`: `put_back(scene).content`, and in words
        what has changed in `.more["what"]`; `.more["deleted"]` is how many elements the scene lacks, `.more["lost"]` how many of its
        changes are not taken: `.notes` name them. `partly=True`: changes that cannot be taken are left out; `delete=True`: more than
        three parts that the scene lacks are removed. Raises DioramaError: scene.*, gltf.*, edit.*, layout.*."""
        with self._lock:
            flags = _flags(unlink=unlink, cascade=cascade, canonical=canonical, lossy=lossy, partly=partly, delete=delete)
            return Made.of(*lib.files_of("dio_put_back", self._handle, scene._handle, flags))

    def textures(self, **options: Option) -> Made:
        """Its pictures as PNG, and textures.json, which describes them. `all_palettes=True`: each with each palette that fits;
        `pal=True`: palettes as .pal files, too. Raises DioramaError: capi.argument if its format has no textures."""
        with self._lock:
            return Made.of(*lib.files_of("dio_textures", self._handle, *option_texts(options)))

    def take_textures(self, folder: PathLike | Mapping[str, Buffer], *, lossy: bool = False, **options: Option) -> Made:
        """It with edited pictures of what `textures()` made: a folder of them with textures.json, or files by their names;
        `take_textures(...).content`, and
        how many were changed in `.more`. `add=True`: other .png files become new textures; `rescale=True`: texture coordinates
        follow other sizes. Raises DioramaError: file.missing, png.*, jasc.*, and those of the format."""
        if not isinstance(folder, Mapping):
            folder = {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}
        with self._lock:
            named, told = lib.named_of(folder), option_texts(options)
            return Made.of(*lib.files_of("dio_take_textures", self._handle, *named, *told, _flags(lossy=lossy)))

    def sounds(self) -> list[Sound]:
        """Its sounds, decoded. Samples are views of the memory of the result, without a copy."""
        with self._lock:
            listed, contents = lib.files_of("dio_sounds", self._handle)
        return [_from_json(Sound, one, samples=content.cast("h")) for one, content in zip(listed["files"], contents)]

    def render(self, **options: Option) -> bytes:
        """A picture as PNG, as `dio render`: `render(size="256x192", camera="top", look="ds", time=1.5)`. What moves: `render(strip=8)`,
        `render(**{"as": "apng"})`."""
        return self._bytes("dio_render", *option_texts(options))

    def thumbnail(self, size: int = 128) -> bytes:
        """A small picture as PNG of at most `size` pixels along an axis, 1 to 1024, as `dio thumbnail`. Raises DioramaError:
        capi.argument, scene.none."""
        return self._bytes("dio_thumbnail", size)

    def budget_picture(self) -> str:
        """Its budget as a picture (SVG)."""
        return self._bytes("dio_budget_picture").decode()

    def plan(self, **options: Option) -> str:
        """Its plan, drawn from above, as SVG: for courses. `plan(size="1600x1200", show="ckpt,enpt", race=True)`."""
        return self._bytes("dio_plan", *option_texts(options)).decode()

    def scene(self, before: Scene | None = None, **options: Option) -> Scene:
        """What it looks like: `scene(lit=True)`, `lamps=True`, `tick_rate=30`, `race=True`, if the format has them. `before`: a scene
        of the file before an edit; what it shows of companions is not made again. Raises DioramaError: capi.argument, scene.none."""
        texts = option_texts(options)
        if before is not None:
            with self._lock, before._lock:
                return Scene(lib.owned("dio_scene_again", "dio_scene_close", self._handle, before._handle, *texts))
        with self._lock:
            return Scene(lib.owned("dio_scene_of", "dio_scene_close", self._handle, *texts))

    # ---- archives and games ----

    def members(self) -> list[Member]:
        """The members of an archive. Raises DioramaError: archive.none."""
        return [_from_json(Member, member) for member in self._json("dio_members")["members"]]

    def member(self, path: str) -> bytes:
        """The bytes of a member, decompressed. The path may lead on into archives in the archive: "data/maps.narc/12". Raises
        DioramaError: file.missing, archive.none."""
        return self._bytes("dio_member", lib.text(path))

    def check_member(self, path: str, edited: Mapping[str, Buffer] = {}) -> list[Finding]:
        """What is wrong with a member, open together with all that it belongs to in the archive. `edited`: members that have
        other bytes now."""
        return [Finding.of(f) for f in self._json("dio_check_member", lib.text(path), *lib.named_of(edited))["findings"]]

    def replace(self, path: str, content: Buffer) -> bytes:
        """The bytes of the archive with others in place of a member, which may be in a nested archive."""
        told = bytes(content)
        return self._bytes("dio_replace", lib.text(path), told, len(told))

    def replace_all(self, members: Mapping[str, Buffer]) -> bytes:
        """The same for several members, no two of them in the same member of this archive, in one pass."""
        return self._bytes("dio_replace_all", *lib.named_of(members))

    def unpacked(self, folder: str = "") -> Made:
        """Its members as files with safe names, or those below a folder of it, and in `_system` what `pack()` needs to make the same
        archive again, as `dio unpack`. Raises DioramaError: archive.none, file.missing."""
        with self._lock:
            return Made.of(*lib.files_of("dio_unpack", self._handle, lib.text(folder)))

    def unpack(self, folder: PathLike) -> list[Path]:
        """Writes these files into a folder, which is made if it is missing, and returns their paths."""
        return self.unpacked().write(Path(folder))

    def walk(self, limit: int | None = None) -> Iterator[File]:
        """Every member of an archive as an open file, and the members of those that are archives themselves, as `-r` does: as deep
        as eight archives. Those whose bytes are wrong, or of no known format, are there as well (`ok`).

        limit: how many bytes the members may have together, since an archive can be built to expand without end; without it, 64 MiB
        plus 16 times this file. Raises ValueError beyond that.
        """
        room = [limit if limit is not None else (64 << 20) + 16 * self._size()]
        return self._walk(room, 8)

    def _walk(self, room: list[int], depth: int) -> Iterator[File]:
        try:
            members = self.members() if self.ok else []
        except DioramaError as error:
            if error.id != "archive.none":
                raise
            return
        for member in members:
            content = self.member(member.path)
            room[0] -= len(content)
            if room[0] < 0:
                raise ValueError(f"{self.name}: the members have more bytes than walk() may read; limit=N allows N")
            file = _opened(content, f"{self.name}/{member.path}", None, 0)
            yield file
            if depth > 1:
                yield from file._walk(room, depth - 1)

    def _size(self) -> int:
        return int(self._json("dio_info")["size"]) if self.ok else len(self.read())

    def game(self) -> Game:
        """The game in it, if it is a cartridge, a disc or another archive. Raises DioramaError: game.unknown, archive.none."""
        from ._game import Game

        with self._lock:
            handle = lib.owned("dio_game_open", "dio_game_close", self._handle, keeps=self._reader)
            return Game(handle, self.name, f"{self.name}/", self._reader)

    def close(self) -> None:
        """Frees its memory. What was made of it stays."""
        self._owned = None

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<diorama.File {self.name!r}: {self.format or 'unknown format'}{'' if self.ok else ', cannot be read'}>"


def _at(document: Any, path: str) -> Any:
    """A value of a document. Raises LookupError."""
    value = document
    for part in path.replace("[", ".[").split("."):
        if not part:
            continue
        if part.startswith("["):
            if not part[1:-1].isdigit() or not isinstance(value, list):
                raise LookupError(path)
            value = value[int(part[1:-1])]
        elif isinstance(value, dict):
            value = value[part]
        else:
            raise LookupError(path)
    return value


# ---- opening ----


def _opened(content: Buffer, name: str, format: str | None, flags: int) -> File:
    told = bytes(content)
    return File(lib.owned("dio_open", "dio_close", told, len(told), lib.text(name), lib.text(format), flags), name)


def _archive_of(path: str) -> tuple[str, str] | None:
    """A file and the path in it, if a path leads into a file."""
    parts = path.split("/")
    for i in range(len(parts) - 1, 0, -1):
        outer = "/".join(parts[:i])
        if os.path.isfile(outer):
            return outer, "/".join(parts[i:])
    return None


def open(source: PathLike | Buffer, name: str | None = None, *, format: str | None = None, strict: bool = False,
         known: bool = False, beside: bool = True) -> File:  # fmt: skip
    """Opens a file: by its path, which may lead into archives ("game.nds/data/shelf.narc/1"), or as bytes.

    name: for detection and in messages; without it, the path.
    format: the id of a format to read it as; without it, the one that matches best.
    strict: a damaged part makes the file unreadable, instead of being kept as raw bytes.
    known: `check()` includes findings known in retail files.
    beside: files that belong to it and lie beside it are used, as `dio` does; not for bytes.

    Raises OSError if there is no such file, DioramaError if there is no such member of an archive. A file whose bytes are wrong is
    returned as well: its `error` says why it cannot be read, and so does everything that needs it to be.
    """
    flags = _flags(strict=strict, known=known)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _opened(source, name or "", format, flags)
    path = os.fspath(source)
    within = None if os.path.exists(path) else _archive_of(path)
    if within:
        outer, inner = within
        with open_parts(outer) as archive:
            file = _opened(archive.member(inner), name or path, format, flags)
            return _with_beside(file, lambda other: archive.member(other[len(outer) + 1 :]), path) if beside else file
    file = _opened(Path(path).read_bytes(), name or path, format, flags)
    return _with_beside(file, lambda other: Path(other).read_bytes(), path) if beside else file


def _with_beside(file: File, read: Callable[[str], bytes], path: str) -> File:
    """A file with those that belong to it, as far as they are there."""
    names: list[str] = []
    with contextlib.suppress(DioramaError):  # also of a scene, whose format is none of ours
        names = file.beside()
    if not names:
        return file
    folder = path.rpartition("/")[0]
    others = []
    for name in names:
        there = f"{folder}/{name.rpartition('/')[2]}" if folder else name.rpartition("/")[2]
        with contextlib.suppress(OSError, DioramaError):
            others.append(_opened(read(there), name, None, 0))
    try:
        return file.together(*others)
    except DioramaError:  # one of them is something else than its name says
        usable = file.together()
        for other in others:
            with contextlib.suppress(DioramaError):
                usable = usable.together(other)
        return usable


def open_parts(source: PathLike | Callable[[int, int], bytes], size: int | None = None, name: str | None = None, *,
               strict: bool = False, known: bool = False) -> File:  # fmt: skip
    """Opens a large file without all of it in memory: the image of a cartridge or a disc. Its tables are read, and then the members
    that are asked for, until the file and all that was opened from it are closed or gone.

    source: a path, or a function that returns `size` bytes at an offset; then `size` is that of the file. What the function raises
    becomes the cause of a DioramaError io.read. It must not call this package.

    `info()`, `members()`, `member()`, `read()` and `game()` work with such a file; what needs all of its bytes raises capi.argument.
    Any other file of up to 256 MiB is read completely.
    """
    if callable(source):
        if size is None:
            raise TypeError("a function that reads needs the size of the file")
        reader = lib.Reader([source])
    else:
        path = os.fspath(source)
        reader, size, name = _reader_of([path]), os.path.getsize(path), name or path
    handle = lib.owned("dio_open_parts", "dio_close", size, lib.text(name or ""), reader.function, 1,
                       _flags(strict=strict, known=known), keeps=reader)  # fmt: skip
    return File(handle, name or "", reader)


def _reader_of(paths: Sequence[PathLike]) -> lib.Reader:
    """Reads files of the disk. They are opened when they are first read, and stay open."""
    opened: dict[int, Any] = {}
    lock = threading.Lock()

    def function(number: int) -> Callable[[int, int], bytes]:
        def read(offset: int, size: int) -> bytes:
            with lock:
                if number not in opened:
                    if len(opened) >= 64:
                        opened.pop(next(iter(opened))).close()
                    opened[number] = Path(paths[number]).open("rb")
                opened[number].seek(offset)
                found: bytes = opened[number].read(size)
                return found

        return read

    def close() -> None:
        for file in opened.values():
            file.close()

    return lib.Reader([function(i) for i in range(len(paths))], close)


def detect(source: PathLike | Buffer, name: str | None = None) -> Info | None:
    """What a file is, with the certainty and the reason of it; None if its format is unknown or its bytes are wrong."""
    with open(source, name, beside=False) as file:
        return file.info() if file.ok else None


def find(source: PathLike | Buffer, name: str = "", *, every_byte: bool = False) -> list[Found]:
    """Files inside any bytes, as `dio find`. `every_byte`: they may begin anywhere, not only at every fourth byte."""
    told = bytes(source) if isinstance(source, (bytes, bytearray, memoryview)) else Path(source).read_bytes()
    found = lib.json_of("dio_find", told, len(told), lib.text(name), _flags(every_byte=every_byte))
    return [_from_json(Found, one) for one in found["found"]]


def merge(base: File, ours: File, theirs: File, favor: str = "") -> Made:
    """Two edits of one file as one, as `dio merge`: `merge(...).content`. If they collide, `.more["collisions"]` says where, and there
    is no file unless `favor` is "ours" or "theirs". Raises DioramaError: merge.format, edit.result, layout.*."""
    return Made.of(*lib.files_of("dio_merge", base._handle, ours._handle, theirs._handle, lib.text(favor)))


def pack(files: Mapping[str, Buffer] | PathLike, **options: Option) -> bytes:
    """An archive of files by their paths, or of those in a folder, as `dio pack`: `pack("unpacked", named=True)`,
    `pack({"course.kmp": content}, **{"as": "yaz0"})`. Raises DioramaError: capi.argument, archive.*, archives.*."""
    if not isinstance(files, Mapping):
        folder = Path(files)
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return lib.bytes_of("dio_pack", *lib.named_of(files), *option_texts(options))


def sheet(files: Sequence[File], **options: Option) -> bytes:
    """Small pictures of files with their names on one sheet, as PNG: `sheet(files, size="96x96", columns=4)`."""
    held = [file._handle for file in files]
    return lib.bytes_of("dio_sheet", *lib.handles_of(held), *option_texts(options))


def encode(document: Mapping[str, Any] | str, *, canonical: bool = False, lossy: bool = False) -> bytes:
    """The bytes of a document: what `decode()` or `decode_json()` gave, edited or not, as `dio encode`. Raises DioramaError: layout.*,
    json.*."""
    told = (document if isinstance(document, str) else json.dumps(document)).encode()
    return lib.bytes_of("dio_encode", told, len(told), _flags(canonical=canonical, lossy=lossy))
