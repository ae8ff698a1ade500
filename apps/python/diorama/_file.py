"""Files of any format: open, check, convert, edit and pack them."""

from __future__ import annotations

import contextlib
import copy
import difflib
import json
import numbers
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, ContextManager, Iterable, Iterator, Mapping, Sequence, Union, overload

from . import _library as lib
from ._commands import word_commands
from ._options import Option, option_texts
from ._results import (Budget, Difference, DioramaError, Edit, Edited, Finding, Found, Info, Made, Member, Question, Refs, Sound,
                       _from_json)  # fmt: skip
from ._scene import Scene

if TYPE_CHECKING:
    from ._game import Game

#: The path of a file; it may continue into archives: "game.nds/data/shelf.narc/1".
PathLike = Union[str, "os.PathLike[str]"]
Buffer = Union[bytes, bytearray, memoryview]
#: A value for `set()`: a number (also a numpy number), a text, several numbers ((1, 2, 3) is the same as "1,2,3"), or a mapping
#: of names to values, as `get()` returns for a structure.
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


def _assignments(values: Mapping[str, Settable] | Iterable[str] | str, value: Settable | None = None) -> list[str]:
    """Returns assignments as texts: ["PATH=VALUE"]."""
    if value is not None:
        if not isinstance(values, str):
            raise TypeError("set(path, value) takes one path; several values go into a mapping: set({path: value, ...})")
        return _assignments({values: value})
    if isinstance(values, str):
        if "=" not in values:
            raise TypeError(f"set({values!r}) lacks a value: set({values!r}, value)")
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


def _as_file(value: File | PathLike | Buffer) -> File:
    """Returns a file argument as an open file: files stay, paths and bytes are opened."""
    if isinstance(value, File):
        return value
    if isinstance(value, (str, os.PathLike, bytes, bytearray, memoryview)):
        return open(value)
    raise TypeError(f"expected a file, a path or bytes, not {type(value).__name__}")


def _written(path: PathLike | None, content: bytes) -> bytes:
    """Writes the content to the path, if one is given, completely or not at all. Returns the content."""
    if path is not None:
        target = Path(path)
        if not target.parent.is_dir():
            image = next((str(above) for above in target.parents if above.is_file()), None)
            if image:
                raise NotADirectoryError(f"{image} is a file: save() does not write into archives and images")
            raise FileNotFoundError(f"there is no folder {target.parent}")
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.write_bytes(content)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    return content


def _edit_words(name: str, elements: Iterable[str], arguments: Mapping[str, Settable]) -> list[str]:
    """Returns an edit as words: raise-plate plate=3."""
    named = [f"{key.replace('_', '-')}={_value(key, value)}" for key, value in arguments.items()]
    return [name.replace("_", "-"), *elements, *named]


def _unknown_edit(name: str, known: Iterable[str]) -> str:
    like = difflib.get_close_matches(name, list(known), 1)
    return f"there is no edit {name!r}" + (f"; did you mean {like[0]!r}?" if like else f"; the edits are {', '.join(sorted(known))}")


class Editing:
    """A copy of a file during editing.

    Each edit is applied completely or not at all, keeps every reference on its element, and can be undone to the same bytes. An
    `Editing` is a context manager, like `File`. Several threads may use it: their calls wait for each other.
    """

    def __init__(self, handle: lib.Owned, edits: Iterable[Edit] = ()) -> None:
        """Used by `File.edit()`."""
        self._owned: lib.Owned | None = handle
        self._named_edits = {edit.edit.replace("-", "_"): edit for edit in edits}
        self._lock = threading.RLock()
        if not lib.call("dio_editing_ok", handle):
            lib.buffer_of("dio_editing_save", handle, 0)

    @property
    def _handle(self) -> lib.Owned:
        if self._owned is None:
            raise ValueError("the editing is closed")
        return self._owned

    def run(self, *words: str, unlink: bool = False, cascade: bool = False) -> Edited:
        """Makes edits from words: `run("remove", "POTI[0]", unlink=True)`.

        Several edits in one call count as one edit: all are made, or none. `unlink` clears references to removed elements;
        `cascade` also removes elements that refer to them. Raises DioramaError: edit.*, path.*, layout.*, and the errors of the
        format.
        """
        with self._lock:
            flags = _flags(unlink=unlink, cascade=cascade)
            return Edited.of(lib.json_of("dio_editing_run", self._handle, *lib.texts(words), flags))

    def edit(self, name: str, *elements: str, unlink: bool = False, cascade: bool = False, **arguments: Settable) -> Edited:
        """Makes one edit by its name: `edit("raise-plate", plate=3, by=16)`, `edit("remove", "POTI[0]", unlink=True)`.

        Underscores stand for hyphens in names. Raises the errors of `run()`.
        """
        return self.run(*_edit_words(name, elements, arguments), unlink=unlink, cascade=cascade)

    def __getattr__(self, name: str) -> Callable[..., Edited]:
        """Returns an edit as a method: `raise_plate(plate=3, by=16)`. If there is no such edit, raises AttributeError with the
        closest name.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        edit = self._named_edits.get(name)
        if edit is None:
            raise AttributeError(_unknown_edit(name, self._named_edits))
        command = edit.edit

        def call(*elements: str, unlink: bool = False, cascade: bool = False, **arguments: Settable) -> Edited:
            return self.edit(command, *elements, unlink=unlink, cascade=cascade, **arguments)

        call.__name__, call.__doc__ = name, f"{edit.about}\n\nArguments: {edit.usage or 'none'}"
        return call

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._named_edits]

    def set(self, values: Mapping[str, Settable] | Iterable[str] | str, value: Settable | None = None) -> Edited:
        """Sets values like `File.set()`: `set("KTPT[0].position", (1, 2, 3))`."""
        return self.run("set", *_assignments(values, value))

    def undo(self) -> Edited:
        """Undoes the last edit. Raises DioramaError: capi.argument if there is none."""
        with self._lock:
            return Edited.of(lib.json_of("dio_editing_undo", self._handle))

    def redo(self) -> Edited:
        """Makes the last undone edit again. Raises DioramaError: capi.argument if there is none."""
        with self._lock:
            return Edited.of(lib.json_of("dio_editing_redo", self._handle))

    def follow(self, other: File) -> bytes:
        """Returns the bytes of another file with the renamings of this file applied to it.

        If the other file contains none of the old names, its bytes are unchanged. Raises DioramaError: edit.*, layout.*.
        """
        with self._lock:
            return lib.bytes_of("dio_editing_follow", self._handle, other._handle)

    def save(self, path: PathLike | None = None, *, canonical: bool = False, lossy: bool = False) -> bytes:
        """Returns the bytes of the edited file, and writes them to `path` if one is given.

        After all edits are undone, these are the original bytes. `canonical` and `lossy` are as in `File.save()`. Raises
        DioramaError: layout.*.
        """
        with self._lock:
            return _written(path, lib.bytes_of("dio_editing_save", self._handle, _flags(canonical=canonical, lossy=lossy)))

    def close(self) -> None:
        """Frees the memory of the copy."""
        self._owned = None

    def __enter__(self) -> Editing:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class File:
    """An opened file, readable or not. Files are immutable: `set()`, `replace()` and `edit()` return new bytes.

    A `File` is a context manager: its memory is freed at the end of the block, by `close()`, or when nothing refers to it any
    more. Several threads may use one file at the same time; for a file from `open_parts()`, their calls wait for each other.

    Methods raise DioramaError if they have no result. If the file could not be read, the error is the reason; `check()` and
    `read()` still work. If the format is known, `hex()`, `tree()`, `ls()`, `place()` and `path_at()` also work, up to the damage.
    In these descriptions, path.* stands for all error ids that begin with "path.".
    """

    def __init__(self, handle: lib.Owned, name: str, reader: lib.Reader | None = None) -> None:
        """Used by `open()`."""
        self._owned: lib.Owned | None = handle
        self._reader = reader
        self._lock: ContextManager[Any] = contextlib.nullcontext()
        if reader:
            self._lock = reader.lock
        self._document: Any = None  # for get()
        #: The name that the file was opened with.
        self.name = name
        told: bytes | None = lib.call("dio_file_format", handle)
        #: The format id of the file, or None if the format is unknown.
        self.format = told.decode() if told else None
        #: The reason why the file could not be read, or None.
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
        """Whether the file could be read.

        False for a scene (.glb, .gltf, .obj), because these types are not among of the library's formats. `make()`, `render()` and `Game.edit()`
        still accept it.
        """
        return self.error is None

    def _json(self, function: str, *arguments: Any) -> Any:
        with self._lock:
            return lib.json_of(function, self._handle, *arguments, reader=self._reader)

    def _bytes(self, function: str, *arguments: Any) -> bytes:
        with self._lock:
            return lib.bytes_of(function, self._handle, *arguments, reader=self._reader)

    # ---- reports ----

    def info(self) -> Info:
        """Returns a summary of the file."""
        return _from_json(Info, self._json("dio_info"))

    def explain(self, path: str) -> dict[str, Any]:
        """Describes one value: {"path", "type", "offset", "size", "show", "doc", "unit", "words"}.

        Raises DioramaError: path.*.
        """
        known: dict[str, Any] = self._json("dio_explain_value", lib.text(path))
        return known

    def check(self) -> list[Finding]:
        """Returns the findings for the file, ordered by offset.

        Also works for a file that cannot be read. Findings known in retail files are left out, unless the file was opened with
        `known=True`.
        """
        return [Finding.of(f) for f in self._json("dio_check")["findings"]]

    def simulate(self) -> list[Finding]:
        """Simulates the game's rules and returns the findings.

        Works for courses, combined with their collision file (`together()`). Raises DioramaError: capi.argument for other
        formats.
        """
        return [Finding.of(f) for f in self._json("dio_simulate")["findings"]]

    def budget(self) -> Budget:
        """Returns the file's use of resources and the limits of its console.

        Raises DioramaError: capi.argument if no limits are known for the format.
        """
        return Budget.of(self._json("dio_budget"))

    def report(self, to: str = "sarif", *, rules: Iterable[str] = (), ignore: Iterable[str] = (), baseline: str = "") -> str:
        """Returns the findings of `check()` as a text.

        - `to`: `sarif`, `json`, `summary` (the number of findings per rule) or `text`.
        - `rules`: keeps only findings whose ids begin with one of these texts.
        - `ignore`: drops findings whose ids match one of these patterns, with wildcards.
        - `baseline`: drops the findings of an earlier report, given as its `json` text.

        Raises DioramaError: capi.argument, check.baseline.
        """
        with self._lock:
            checked = lib.buffer_of("dio_check", self._handle)
        wanted = [f"rule={one}" for one in rules] + [f"ignore={one}" for one in ignore]
        wanted += [f"baseline={baseline}"] if baseline else []
        return word_commands(lib.text_of("dio_report", *lib.buffers_of([checked]), lib.text(to), *lib.texts(wanted)))

    def repair(self) -> Made:
        """Repairs every problem that has exactly one safe repair.

        `repair().content` is the new file, and `repair().more["repairs"]` lists the repairs. Raises DioramaError: capi.argument
        if the format has no repairs.
        """
        with self._lock:
            return Made.of(*lib.files_of("dio_repair", self._handle))

    def verify(self) -> bool:
        """Returns whether reading and writing the file restores every byte, directly and through JSON."""
        found = self._json("dio_verify")
        return bool(found["straight"] and found["through_json"] and found["decodes"])

    def diff(self, other: File | PathLike | Buffer, *, bytes: bool = False) -> list[Difference]:
        """Returns the differences between this file and another file.

        Compares files by their values, and archives by their members. With `bytes`, compares any two files byte by byte; each
        difference then has an `offset`. Raises DioramaError: capi.argument for files of different formats.
        """
        opened = _as_file(other)
        found = self._json("dio_diff", opened._handle, *option_texts({"bytes": bytes}))
        if "members" in found:
            return [Difference(one["change"], path=one["path"], what=one["what"]) for one in found["members"]]
        if bytes:
            return [Difference("changed", path=one.get("path"), old=one["old"], new=one["new"], offset=one["offset"])
                    for one in found["changes"]]  # fmt: skip
        return [_from_json(Difference, one) for one in found["changes"]]

    # ---- values and bytes ----

    def decode(self, *, refs: bool = False, lean: bool = False) -> dict[str, Any]:
        """Returns the complete file, without loss: {"schema", "format", "size", "digest", "residue", "document"}.

        `encode()` restores the bytes.

        - `refs`: references are element ids instead of indices, so that elements can be removed, inserted and sorted.
        - `lean`: values that can be computed from the rest are left out, for version control.
        """
        decoded: dict[str, Any] = json.loads(self.decode_json(refs=refs, lean=lean))
        return decoded

    def decode_json(self, *, refs: bool = False, lean: bool = False) -> str:
        """Returns the result of `decode()` as a JSON text."""
        if refs and lean:
            raise ValueError("refs and lean exclude each other")
        return self._bytes("dio_decode_refs" if refs else "dio_decode_lean" if lean else "dio_decode").decode()

    def get(self, path: str) -> Any:
        """Returns a value by its path in `decode()["document"]`: a number, a text, a list or a dictionary.

        A path such as "GOBJ[*].id" or "GOBJ[id=itembox]" may select several values. The result is then a list; for one selected
        value, the result is the value itself. Raises DioramaError: path.unknown.
        """
        if not isinstance(path, str):
            raise TypeError(f"a path is a text such as \"GOBJ[0].id\", not {type(path).__name__}")
        if self._document is None:
            self._document = self.decode()["document"]
        try:
            return copy.deepcopy(_at(self._document, path))
        except LookupError:
            selected = [refs.path for refs in self.refs(path)]
        found = [copy.deepcopy(_at(self._document, one)) for one in selected]
        return found[0] if len(found) == 1 else found

    def set(self, values: Mapping[str, Settable] | Iterable[str] | str, value: Settable | None = None) -> bytes:
        """Returns the bytes of the file with new values.

        Accepts one value, `set("STGI[0].laps", 5)`, several values, `set({"STGI[0].laps": 5})`, or assignments as text,
        `set("GOBJ[*].position.y+=50")`. Sizes, counts and other derived fields are updated. Raises DioramaError: path.*,
        layout.*.
        """
        return self._bytes("dio_set", *lib.texts(_assignments(values, value)))

    def save(self, path: PathLike | None = None, *, canonical: bool = False, lossy: bool = False) -> bytes:
        """Returns the original bytes of the file, and writes them to `path` if one is given.

        - `canonical`: uses the canonical layout, without unreferenced bytes.
        - `lossy`: allows the loss of unreferenced bytes.

        Raises DioramaError: layout.*.
        """
        return _written(path, self._bytes("dio_save", _flags(canonical=canonical, lossy=lossy)))

    def read(self, offset: int = 0, size: int | None = None) -> bytes:
        """Returns `size` bytes of the file from `offset` on, or fewer at its end.

        Without a size, returns all bytes from the offset on. Also works for a file that cannot be read. Raises ValueError for
        negative numbers.
        """
        if not isinstance(offset, int):
            raise TypeError(f"an offset is a number, not {offset!r}; member(PATH) returns a member of an archive")
        if offset < 0 or (size is not None and size < 0):
            raise ValueError("an offset and a size are not negative")
        return self._bytes("dio_bytes", offset, 2**63 - 1 - offset if size is None else size)

    def hex(self, offset: int | None = None, size: int | None = None) -> dict[str, Any]:
        """Returns the position of every value: {"size", "spans": [{"path", "offset", "size", "type", "value"}], "gaps"}.

        With an offset and a size in bytes, returns only the values and gaps in this range.
        """
        if offset is None and size is None:
            whole: dict[str, Any] = self._json("dio_trace")
            return whole
        part: dict[str, Any] = self._json("dio_spans", offset or 0, 2**63 - 1 if size is None else size)
        return part

    def hex_page(self) -> str:
        """Returns the bytes of the file with their meaning as an HTML page."""
        return word_commands(self._bytes("dio_hex_page").decode())

    def tree(self) -> dict[str, Any]:
        """Returns all values with their positions, types and explanations.

        The result is {"name", "type", "offset", "size", "value", "members"}.
        """
        tree: dict[str, Any] = self._json("dio_tree")["tree"]
        return tree

    def ls(self, path: str = "", first: int = 0, count: int = 2**32) -> dict[str, Any]:
        """Returns a value and `count` of its children, starting with the child of index `first`.

        The result is {"path", "name", "type", "offset", "size", "value", "show", "doc", "unit", "count", "total", "members"}; the
        children in `members` have no `members`. Raises DioramaError: path.unknown.
        """
        level: dict[str, Any] = self._json("dio_branch", lib.text(path), first, count)
        return level

    def place(self, path: str) -> tuple[int, int] | None:
        """Returns the offset and the size of a value in bytes, or None if there is no such path."""
        found = self._json("dio_place", lib.text(path))
        return (found["offset"], found["size"]) if found else None

    def path_at(self, offset: int) -> str | None:
        """Returns the path of the innermost value that has bytes at an offset, or None in a gap."""
        found: str | None = self._json("dio_path_at", offset)
        return found

    # ---- edits ----

    def edits(self) -> list[Edit]:
        """Returns the edits that the file supports."""
        return [Edit.of(edit) for edit in self._json("dio_edits")["edits"]]

    @overload
    def edit(self, *, lossy: bool = False) -> Editing: ...
    @overload
    def edit(self, name: str, *elements: str, unlink: bool = False, cascade: bool = False, lossy: bool = False,
             **arguments: Settable) -> bytes: ...  # fmt: skip

    def edit(self, name: str | None = None, *elements: str, unlink: bool = False, cascade: bool = False, lossy: bool = False,
             **arguments: Settable) -> Editing | bytes:  # fmt: skip
        """Makes one edit and returns the new bytes; without a name, starts editing a copy.

        Examples: `edit("mirror")`, `edit("raise-plate", plate=3, by=16)`, `edit("remove", "POTI[0]", unlink=True)`. Raises
        DioramaError if the file cannot be read, and for the edit: edit.*, path.*, layout.*, and the errors of the format.
        """
        editing = Editing(lib.owned("dio_editing_begin", "dio_editing_close", self._handle, _flags(lossy=lossy)), self.edits())
        if name is None:
            if elements or arguments or unlink or cascade:
                raise TypeError("edit() needs the name of an edit before its arguments")
            return editing
        with editing:
            editing.edit(name, *elements, unlink=unlink, cascade=cascade, **arguments)
            return editing.save(lossy=lossy)

    def refs(self, path: str = "", *others: File) -> list[Refs]:
        """Returns the references from and to the selected parts of the file.

        Names that link files to each other, such as material names, are also looked up in the other files. Raises DioramaError:
        path.*.
        """
        held = [other._handle for other in others]
        return [Refs.of(part) for part in self._json("dio_refs", lib.text(path), *lib.handles_of(held))["parts"]]

    def questions(self) -> list[Question]:
        """Returns the questions about a position that the file can answer."""
        return [_from_json(Question, question) for question in self._json("dio_questions")["questions"]]

    def ask(self, question: str, argument: str | Sequence[float]) -> dict[str, Any]:
        """Answers a question from `questions()`: `ask("height", (8, 24))["height"]`.

        Raises DioramaError: capi.argument, question.argument.
        """
        answer: dict[str, Any] = self._json("dio_ask", lib.text(question), lib.text(_value(question, argument)))["answer"]
        return answer

    # ---- sibling files ----

    def beside(self) -> list[str]:
        """Returns the names of the sibling files that belong to this file, such as room.vram, whether they exist or not."""
        return list(self._json("dio_beside")["names"])

    def together(self, *others: File) -> File:
        """Returns a new file: this file combined with its sibling files.

        Examples of sibling files: the textures and animations of a model, the .vram file of a pack, the collision file of a
        course, the files that a .gltf refers to. The other files may be closed afterwards. Raises DioramaError: capi.argument if
        one of them cannot be used with this file.
        """
        held = [other._handle for other in others]
        with self._lock:
            owned = lib.owned("dio_together", "dio_close", self._handle, *lib.handles_of(held))
        both = File(owned, self.name)
        if both.error and (self.ok or both.error.id == "capi.argument"):
            raise both.error
        return both

    # ---- conversions and pictures ----

    def convert(self, to: str = "glb") -> bytes:
        """Returns the file as `glb` (binary glTF), `gltf` (text) or `json`. Raises DioramaError: capi.argument, scene.none."""
        return self._bytes("dio_convert", lib.text(to))

    def make(self, format: str, **options: Option) -> Made:
        """Creates files of a format from a scene (.glb, .gltf, .obj), or from a file of this format in another version.

        Example: `make("splashpack", layout="v21")`. `formats()` lists the options. Raises DioramaError: make.argument, gltf.*,
        and the errors of the format.
        """
        with self._lock:
            return Made.of(*lib.files_of("dio_make", self._handle, lib.text(format), *option_texts(options)))

    def put_back(self, scene: File | PathLike | Buffer, *, unlink: bool = False, cascade: bool = False, canonical: bool = False,
                 lossy: bool = False, partly: bool = False, delete: bool = False) -> Made:  # fmt: skip
        """Applies an edited scene (.glb, .gltf, .obj) to the file that the scene was made from.

        `put_back(scene).content` is the new file. `.more["what"]` describes the changes in words, `.more["deleted"]` is the
        number of elements that the scene lacks, and `.more["lost"]` is the number of scene changes that were not applied;
        `.notes` name them.

        - `partly`: skips scene changes that cannot be applied. Default: they are an error.
        - `delete`: removes missing elements even if there are more than three. Default: this is an error.
        - `unlink`, `cascade`: as in `Editing.run()`.
        - `canonical`, `lossy`: as in `save()`.

        Raises DioramaError: scene.*, gltf.*, edit.*, layout.*.
        """
        with self._lock:
            flags = _flags(unlink=unlink, cascade=cascade, canonical=canonical, lossy=lossy, partly=partly, delete=delete)
            opened = _as_file(scene)
            return Made.of(*lib.files_of("dio_put_back", self._handle, opened._handle, flags))

    def textures(self, **options: Option) -> Made:
        """Returns the pictures of the file as PNG files, and textures.json, which describes them.

        `all_palettes=True` returns each picture with each palette that fits; `pal=True` also returns the palettes as .pal files.
        Raises DioramaError: capi.argument if the format has no textures.
        """
        with self._lock:
            return Made.of(*lib.files_of("dio_textures", self._handle, *option_texts(options)))

    def take_textures(self, folder: PathLike | Mapping[str, Buffer], *, lossy: bool = False, **options: Option) -> Made:
        """Imports edited pictures from the files that `textures()` returned.

        - `folder`: the folder with the pictures and textures.json, or a mapping of file names to bytes.
        - `add=True`: turns .png files that textures.json does not name into new textures.
        - `rescale=True`: adapts texture coordinates to new picture sizes.

        `take_textures(...).content` is the new file; `.more` has the numbers of changed, unchanged and added pictures. Raises
        DioramaError: file.missing, png.*, jasc.*, and the errors of the format.
        """
        if not isinstance(folder, Mapping):
            folder = {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}
        with self._lock:
            named, told = lib.named_of(folder), option_texts(options)
            return Made.of(*lib.files_of("dio_take_textures", self._handle, *named, *told, _flags(lossy=lossy)))

    def sounds(self) -> list[Sound]:
        """Returns the decoded sounds of the file. Samples are views of the result's memory, without a copy."""
        with self._lock:
            listed, contents = lib.files_of("dio_sounds", self._handle)
        return [_from_json(Sound, one, samples=content.cast("h")) for one, content in zip(listed["files"], contents)]

    def render(self, **options: Option) -> bytes:
        """Draws the file and returns a PNG picture: `render(size="256x192", camera="top", look="ds", time=1.5)`.

        For animations, `render(strip=8)` draws eight moments side by side, and `render(**{"as": "apng"})` an animated picture.
        """
        return self._bytes("dio_render", *option_texts(options))

    def thumbnail(self, size: int = 128) -> bytes:
        """Draws a thumbnail and returns a PNG picture of at most `size` x `size` pixels (1 to 1024).

        Raises DioramaError: capi.argument, scene.none.
        """
        return self._bytes("dio_thumbnail", size)

    def budget_picture(self) -> str:
        """Returns the result of `budget()` as a picture (SVG)."""
        return self._bytes("dio_budget_picture").decode()

    def plan(self, **options: Option) -> str:
        """Draws a plan of a course from above and returns it as SVG: `plan(size="1600x1200", show="ckpt,enpt", race=True)`."""
        return self._bytes("dio_plan", *option_texts(options)).decode()

    def scene(self, before: Scene | None = None, **options: Option) -> Scene:
        """Creates the scene of the file: nodes, meshes, materials, images and animations.

        Options, if the format has them: `lit=True` bakes the light of the game into vertex colours, `lamps=True` exports lights
        instead, `tick_rate=30` sets the ticks per second, `race=True` adds the results of `simulate()`.

        - `before`: a scene of the file before an edit; content of unchanged sibling files is copied from it, not created again.

        Raises DioramaError: capi.argument, scene.none.
        """
        texts = option_texts(options)
        if before is not None:
            with self._lock, before._lock:
                return Scene(lib.owned("dio_scene_again", "dio_scene_close", self._handle, before._handle, *texts))
        with self._lock:
            return Scene(lib.owned("dio_scene_of", "dio_scene_close", self._handle, *texts))

    # ---- archives and games ----

    def members(self) -> list[Member]:
        """Returns the members of an archive. Raises DioramaError: archive.none."""
        return [_from_json(Member, member) for member in self._json("dio_members")["members"]]

    def member(self, path: str) -> bytes:
        """Returns the decompressed bytes of a member.

        The path may continue into nested archives: "data/maps.narc/12". Raises DioramaError: file.missing, archive.none.
        """
        return self._bytes("dio_member", lib.text(path))

    def check_member(self, path: str, edited: Mapping[str, Buffer] = {}) -> list[Finding]:
        """Returns the findings for a member of an archive. The check uses all related files in the archive.

        - `edited`: new bytes of members, by their paths.
        """
        return [Finding.of(f) for f in self._json("dio_check_member", lib.text(path), *lib.named_of(edited))["findings"]]

    def replace(self, path: str, content: Buffer) -> bytes:
        """Returns the archive with new bytes for a member, which may be in a nested archive."""
        told = bytes(content)
        return self._bytes("dio_replace", lib.text(path), told, len(told))

    def replace_all(self, members: Mapping[str, Buffer]) -> bytes:
        """Returns the archive with new bytes for several members, in one pass.

        No two of them may be inside the same member of this archive.
        """
        return self._bytes("dio_replace_all", *lib.named_of(members))

    def unpacked(self, folder: str = "") -> Made:
        """Returns the members of the archive, or of one of its folders, as files with safe names.

        The folder `_system` holds the data that `pack()` needs to restore the same archive. Raises DioramaError: archive.none,
        file.missing.
        """
        with self._lock:
            return Made.of(*lib.files_of("dio_unpack", self._handle, lib.text(folder)))

    def unpack(self, folder: PathLike) -> list[Path]:
        """Writes the files of `unpacked()` to a folder and returns their paths. Creates the folder if it is missing."""
        return self.unpacked().write(Path(folder))

    def walk(self, limit: int | None = None) -> Iterator[File]:
        """Yields every member of an archive as an open file, including the members of nested archives, up to eight levels deep.

        Unreadable files and files of unknown formats are included; their `ok` is False.

        - `limit`: the largest total size of all members in bytes, because an archive can be built to expand without end. Default:
          64 MiB plus 16 times the size of this file. Raises ValueError beyond the limit.
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
        """Opens the game in a cartridge, a disc or another archive. Raises DioramaError: game.unknown, archive.none."""
        from ._game import Game

        with self._lock:
            handle = lib.owned("dio_game_open", "dio_game_close", self._handle, keeps=self._reader)
            return Game(handle, self.name, f"{self.name}/", self._reader)

    def close(self) -> None:
        """Frees the memory of the file. Objects made from the file stay valid."""
        self._owned = None

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<diorama.File {self.name!r}: {self.format or 'unknown format'}{'' if self.ok else ', cannot be read'}>"


def _at(document: Any, path: str) -> Any:
    """Returns a value of a document. Raises LookupError."""
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
    """Splits a path into an archive: returns the path of the archive and the path in it, or None if there is no such file."""
    parts = path.split("/")
    for i in range(len(parts) - 1, 0, -1):
        outer = "/".join(parts[:i])
        if os.path.isfile(outer):
            return outer, "/".join(parts[i:])
    return None


def open(source: PathLike | Buffer, name: str | None = None, *, format: str | None = None, strict: bool = False,
         known: bool = False, beside: bool = True) -> File:  # fmt: skip
    """Opens a file.

    - `source`: a path, which may continue into archives ("game.nds/data/shelf.narc/1"), or bytes.
    - `name`: the file name for detection and messages. Default: the path.
    - `format`: the id of the format to read the file as. Default: the format that matches best.
    - `strict`: a damaged part makes the file unreadable. Default: it is kept as raw bytes.
    - `known`: `check()` also reports findings known in retail files.
    - `beside`: also opens the sibling files in the same folder. Has no effect for bytes.

    Raises OSError if there is no such file, and DioramaError if an archive has no such member. Unreadable bytes also give a file:
    its `error` contains the reason, and every method that needs the content raises it.
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
    """Returns a file combined with its existing sibling files, and with those that these name: an .obj names the files of its
    materials, which name pictures."""
    seen: set[str] = set()
    for _ in range(2):
        names: list[str] = []
        with contextlib.suppress(DioramaError):  # for example a scene, which has no format of the library
            names = [name for name in file.beside() if name not in seen]
        if not names:
            return file
        seen.update(names)
        file = _with_files(file, names, read, path)
    return file


def _with_files(file: File, names: list[str], read: Callable[[str], bytes], path: str) -> File:
    folder, own_folder = path.rpartition("/")[0], file.name.rpartition("/")[0]
    others = []
    for name in names:
        inside = name.removeprefix(f"{own_folder}/") if own_folder else name
        with contextlib.suppress(OSError, DioramaError):
            others.append(_opened(read(f"{folder}/{inside}" if folder else inside), name, None, 0))
    try:
        return file.together(*others)
    except DioramaError:  # the content of a file does not match its name
        usable = file.together()
        for other in others:
            with contextlib.suppress(DioramaError):
                usable = usable.together(other)
        return usable


def open_parts(source: PathLike | Callable[[int, int], bytes], size: int | None = None, name: str | None = None, *,
               strict: bool = False, known: bool = False) -> File:  # fmt: skip
    """Opens a large file (the image of a cartridge or a disc) without holding all of it in memory.

    The library reads the tables first, and requested members later, until the file and everything opened from it are closed or no
    longer referred to.

    - `source`: a path, or a function that returns `size` bytes at an offset: `source(offset, size)`. The function must not call
      this package. Its exceptions become the cause of a DioramaError io.read.
    - `size`: the size of the file in bytes, if `source` is a function.
    - `name`, `strict`, `known`: as in `open()`.

    `info()`, `members()`, `member()`, `read()` and `game()` work with such a file; methods that need all bytes raise
    capi.argument. Any other file of up to 256 MiB is read completely.
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
    """Returns a Reader for files on the disk. Files are opened at the first access and stay open."""
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
    """Returns the format of a file with its certainty and reason, or None if the format is unknown or the file cannot be read."""
    with open(source, name, beside=False) as file:
        return file.info() if file.ok else None


def find(source: PathLike | Buffer, name: str = "", *, every_byte: bool = False) -> list[Found]:
    """Finds files of known formats inside other data.

    With `every_byte`, the search tries every byte instead of every fourth.
    """
    told = bytes(source) if isinstance(source, (bytes, bytearray, memoryview)) else Path(source).read_bytes()
    found = lib.json_of("dio_find", told, len(told), lib.text(name), _flags(every_byte=every_byte))
    return [_from_json(Found, one) for one in found["found"]]


def merge(base: File | PathLike | Buffer, ours: File | PathLike | Buffer, theirs: File | PathLike | Buffer, favor: str = "") -> Made:
    """Merges two edits of one file: `merge(base, ours, theirs).content`.

    If the edits collide, `.more["collisions"]` lists the collisions, and there is no file unless `favor` is "ours" or "theirs".
    Raises DioramaError: merge.format, edit.result, layout.*.
    """
    first, second, third = _as_file(base), _as_file(ours), _as_file(theirs)
    return Made.of(*lib.files_of("dio_merge", first._handle, second._handle, third._handle, lib.text(favor)))


def pack(files: Mapping[str, Buffer] | PathLike, **options: Option) -> bytes:
    """Packs files and returns the archive.

    - `files`: a folder, or a mapping of paths to bytes.

    Examples: `pack("unpacked", named=True)`, `pack({"course.kmp": content}, as_="yaz0")`. Raises DioramaError:
    capi.argument, archive.*, archives.*.
    """
    if not isinstance(files, Mapping):
        folder = Path(files)
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return lib.bytes_of("dio_pack", *lib.named_of(files), *option_texts(options))


def sheet(files: Sequence[File | PathLike | Buffer], **options: Option) -> bytes:
    """Draws small pictures of files, with their names, on one sheet, and returns a PNG picture.

    Example: `sheet(files, size="96x96", columns=4)`.
    """
    opened = [_as_file(file) for file in files]
    held = [file._handle for file in opened]
    return lib.bytes_of("dio_sheet", *lib.handles_of(held), *option_texts(options))


def encode(document: Mapping[str, Any] | str, *, canonical: bool = False, lossy: bool = False) -> bytes:
    """Returns the bytes of a file from the result of `decode()` or `decode_json()`, edited or not.

    `canonical` and `lossy` are as in `File.save()`. Raises DioramaError: layout.*, json.*.
    """
    told = (document if isinstance(document, str) else json.dumps(document)).encode()
    return lib.bytes_of("dio_encode", told, len(told), _flags(canonical=canonical, lossy=lossy))
