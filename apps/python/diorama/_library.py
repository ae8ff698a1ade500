"""The shared library: where it is, and its functions as diorama.h declares them. Nothing above this file knows ctypes.

tests/python compares the declarations with diorama.h, so that the two cannot drift apart.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Sequence

from ._results import DioramaError as DioramaError, Finding, LibraryError
from ._version import __version__

VARIABLE = "DIORAMA_LIBRARY"

# Flags of diorama.h.
STRICT, KNOWN, CANONICAL, LOSSY, UNLINK, CASCADE, EVERY_BYTE = 1, 8, 2, 4, 16, 32, 64
NO_SOURCE = 0xFFFFFFFF


class dio_named(ctypes.Structure):
    """Bytes with a name."""

    _fields_ = [("name", ctypes.c_char_p), ("bytes", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class dio_buffer(ctypes.Structure):
    """A result, or an error."""


class dio_file(ctypes.Structure):
    """A file that was opened."""


class dio_editing(ctypes.Structure):
    """A file that is edited."""


class dio_scene(ctypes.Structure):
    """What a file, or a part of a game, looks like."""


class dio_game(ctypes.Structure):
    """A whole game."""


class dio_source(ctypes.Structure):
    """A file of a folder."""

    _fields_ = [("path", ctypes.c_char_p), ("size", ctypes.c_uint64), ("user", ctypes.c_void_p)]


dio_read = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)

_void, _text, _size, _u32, _u64 = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_uint64
_texts = ctypes.POINTER(ctypes.c_char_p)
_buffer, _file, _editing = ctypes.POINTER(dio_buffer), ctypes.POINTER(dio_file), ctypes.POINTER(dio_editing)
_scene, _game = ctypes.POINTER(dio_scene), ctypes.POINTER(dio_game)
_files, _sources = ctypes.POINTER(_file), ctypes.POINTER(dio_source)
_buffers, _named = ctypes.POINTER(_buffer), ctypes.POINTER(dio_named)

#: Every function of diorama.h: its name, what it returns (None: nothing), what it takes.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "dio_version": (_text, []),
    "dio_formats": (_buffer, []),
    "dio_samples": (_buffer, []),
    "dio_sample": (_buffer, [_text, _text]),
    "dio_explain": (_buffer, [_text]),
    "dio_schema": (_buffer, [_text, _text]),
    "dio_find": (_buffer, [_void, _size, _text, _u32]),
    # files
    "dio_open": (_file, [_void, _size, _text, _text, _u32]),
    "dio_close": (None, [_file]),
    "dio_open_parts": (_file, [_u64, _text, dio_read, _void, _u32]),
    "dio_file_ok": (_u32, [_file]),
    "dio_error": (_buffer, [_file]),
    "dio_file_format": (_text, [_file]),
    "dio_beside": (_buffer, [_file]),
    "dio_together": (_file, [_file, _files, _size]),
    "dio_info": (_buffer, [_file]),
    "dio_check": (_buffer, [_file]),
    "dio_simulate": (_buffer, [_file]),
    "dio_report": (_buffer, [_buffers, _size, _text, _texts, _size]),
    "dio_repair": (_buffer, [_file]),
    "dio_verify": (_buffer, [_file]),
    "dio_diff": (_buffer, [_file, _file, _texts, _size]),
    "dio_merge": (_buffer, [_file, _file, _file, _text]),
    "dio_hex_page": (_buffer, [_file]),
    "dio_trace": (_buffer, [_file]),
    "dio_tree": (_buffer, [_file]),
    "dio_branch": (_buffer, [_file, _text, _size, _size]),
    "dio_spans": (_buffer, [_file, _u64, _u64]),
    "dio_place": (_buffer, [_file, _text]),
    "dio_path_at": (_buffer, [_file, _u64]),
    "dio_explain_value": (_buffer, [_file, _text]),
    "dio_bytes": (_buffer, [_file, _u64, _u64]),
    "dio_decode": (_buffer, [_file]),
    "dio_decode_refs": (_buffer, [_file]),
    "dio_decode_lean": (_buffer, [_file]),
    "dio_encode": (_buffer, [_text, _size, _u32]),
    "dio_save": (_buffer, [_file, _u32]),
    "dio_set": (_buffer, [_file, _texts, _size]),
    # editing
    "dio_edits": (_buffer, [_file]),
    "dio_refs": (_buffer, [_file, _text, _files, _size]),
    "dio_editing_begin": (_editing, [_file, _u32]),
    "dio_editing_close": (None, [_editing]),
    "dio_editing_ok": (_u32, [_editing]),
    "dio_editing_run": (_buffer, [_editing, _texts, _size, _u32]),
    "dio_editing_undo": (_buffer, [_editing]),
    "dio_editing_redo": (_buffer, [_editing]),
    "dio_editing_follow": (_buffer, [_editing, _file]),
    "dio_editing_save": (_buffer, [_editing, _u32]),
    # what it says
    "dio_budget": (_buffer, [_file]),
    "dio_budget_picture": (_buffer, [_file]),
    "dio_convert": (_buffer, [_file, _text]),
    "dio_render": (_buffer, [_file, _texts, _size]),
    "dio_sheet": (_buffer, [_files, _size, _texts, _size]),
    "dio_thumbnail": (_buffer, [_file, _u32]),
    "dio_plan": (_buffer, [_file, _texts, _size]),
    "dio_questions": (_buffer, [_file]),
    "dio_ask": (_buffer, [_file, _text, _text]),
    # scenes
    "dio_scene_of": (_scene, [_file, _texts, _size]),
    "dio_scene_close": (None, [_scene]),
    "dio_scene_ok": (_u32, [_scene]),
    "dio_scene_data": (_buffer, [_scene]),
    "dio_scene_convert": (_buffer, [_scene, _text, _texts, _size]),
    "dio_scene_render": (_buffer, [_scene, _texts, _size]),
    "dio_scene_tiles": (_buffer, [_scene, _texts, _size]),
    "dio_scene_source": (_buffer, [_scene, _u32, _u32]),
    "dio_scene_shows": (_buffer, [_scene, _text, _text]),
    # games
    "dio_game_open": (_game, [_file]),
    "dio_game_open_files": (_game, [_text, _sources, _size, dio_read, _u32]),
    "dio_game_close": (None, [_game]),
    "dio_game_ok": (_u32, [_game]),
    "dio_game_info": (_buffer, [_game]),
    "dio_game_parts": (_buffer, [_game]),
    "dio_game_maps": (_buffer, [_game]),
    "dio_game_part": (_buffer, [_game, _text, _texts, _size]),
    "dio_game_check": (_buffer, [_game]),
    "dio_game_budget": (_buffer, [_game, _text]),
    "dio_game_budget_picture": (_buffer, [_game, _text]),
    "dio_game_graph": (_buffer, [_game, _text, _text]),
    "dio_game_refs": (_buffer, [_game, _text]),
    "dio_game_diff": (_buffer, [_game, _game]),
    "dio_game_make": (_buffer, [_game, _text]),
    "dio_game_shown_with": (_buffer, [_game, _text]),
    "dio_game_world": (_scene, [_game, _text, _texts, _size]),
    "dio_game_edits": (_buffer, [_game]),
    "dio_game_edit": (_buffer, [_game, _texts, _size, _u32, _file]),
    "dio_game_file": (_buffer, [_game, _text]),
    # several files at once
    "dio_make": (_buffer, [_file, _text, _texts, _size]),
    "dio_put_back": (_buffer, [_file, _file, _u32]),
    "dio_textures": (_buffer, [_file, _texts, _size]),
    "dio_take_textures": (_buffer, [_file, _named, _size, _texts, _size, _u32]),
    "dio_sounds": (_buffer, [_file]),
    # archives
    "dio_members": (_buffer, [_file]),
    "dio_member": (_buffer, [_file, _text]),
    "dio_check_member": (_buffer, [_file, _text]),
    "dio_replace": (_buffer, [_file, _text, _void, _size]),
    "dio_replace_all": (_buffer, [_file, _named, _size]),
    "dio_unpack": (_buffer, [_file, _text]),
    "dio_pack": (_buffer, [_named, _size, _texts, _size]),
    # results
    "dio_buffer_ok": (_u32, [_buffer]),
    "dio_buffer_data": (_void, [_buffer]),
    "dio_buffer_size": (_size, [_buffer]),
    "dio_buffer_file": (_buffer, [_buffer, _size]),
    "dio_buffer_free": (None, [_buffer]),
    # memory, for callers that have none of their own; not used here
    "dio_alloc": (_void, [_size]),
    "dio_free": (None, [_void]),
}


# ---- finding and loading it ----

_FILE_NAME = {"win32": "diorama_capi.dll", "darwin": "libdiorama_capi.dylib"}.get(sys.platform, "libdiorama_capi.so")


def _places() -> Iterator[tuple[Path, str]]:
    """Where the library may be, and what that place is."""
    told = os.environ.get(VARIABLE)
    if told:
        yield Path(told), f"the environment variable {VARIABLE}"
        return
    here = Path(__file__).resolve().parent
    yield here / _FILE_NAME, "in the package"
    if len(here.parents) > 2 and (here.parents[2] / "src/capi/diorama.h").is_file():
        yield here.parents[2] / "build/release" / _FILE_NAME, "in the source tree: ./dev python builds it"
    system = ctypes.util.find_library("diorama_capi")  # which asks other programs, and takes its time
    if system:
        yield Path(system), "installed in the system"


def _load() -> Any:
    tried = []
    for path, what in _places():
        if path.parent != Path() and not path.exists():
            tried.append(f"\n  {path} ({what}): there is no such file")
            continue
        try:
            library = ctypes.CDLL(str(path))
        except OSError as error:
            tried.append(f"\n  {path} ({what}): {error}")
            continue
        try:
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            version = library.dio_version().decode()
        except AttributeError as error:
            raise LibraryError(f"{path} is not libdiorama_capi {__version__}: {error}") from None
        if version != __version__:
            raise LibraryError(f"{path} has the version {version}; this Python package needs {__version__}")
        return library
    raise LibraryError(
        f"libdiorama_capi was not found; {VARIABLE} may name it. These places were tried:" + "".join(tried)
    )


_loaded: Any = _load()


# ---- what is owned ----

if TYPE_CHECKING:
    Handle = Any


class Owned:
    """Something of the library, freed when nothing refers to it any more. A call holds a reference to what it uses: what another
    thread closes in the meantime is freed after the call."""

    __slots__ = ("_as_parameter_", "_free", "_keeps", "__weakref__")

    def __init__(self, handle: Handle, free: str, keeps: object = None) -> None:
        self._as_parameter_ = handle
        self._free = getattr(_loaded, free)
        self._keeps = keeps

    def __del__(self) -> None:
        self._free(self._as_parameter_)
        self._keeps = None


def call(name: str, *arguments: Any) -> Any:
    """Calls a function that returns no buffer."""
    return getattr(_loaded, name)(*arguments)


def owned(name: str, free: str, *arguments: Any, keeps: object = None) -> Owned:
    """What a function returns that has to be freed by another."""
    return Owned(call(name, *arguments), free, keeps)


def text(value: str | os.PathLike[str] | None) -> bytes | None:
    """A text argument: UTF-8. Raises ValueError where there is a NUL in it, with which it would end."""
    if value is None:
        return None
    encoded = os.fspath(value).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError("a text for diorama must not have NUL characters in it")
    return encoded


def texts(values: Iterable[str]) -> tuple[Any, int]:
    """A list of texts, and how many."""
    encoded = [text(value) for value in values]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


# ---- results ----


def _view(buffer: Owned) -> memoryview:
    """The bytes of a buffer, which lives as long as the view or a part of it. Read-only."""
    size = call("dio_buffer_size", buffer)
    if not size:
        return memoryview(b"")
    array = (ctypes.c_ubyte * size).from_address(call("dio_buffer_data", buffer))
    array.owner = buffer
    return memoryview(array).cast("B").toreadonly()


def _checked(buffer: Owned, cause: BaseException | None) -> Owned:
    if call("dio_buffer_ok", buffer):
        return buffer
    raise DioramaError(Finding.of(json.loads(bytes(_view(buffer))))) from cause


def buffer_of(name: str, *arguments: Any, reader: Reader | None = None) -> Owned:
    """The buffer that a function returns. Raises DioramaError if it is an error."""
    buffer = owned(name, "dio_buffer_free", *arguments)
    return _checked(buffer, reader.taken_error() if reader else None)


def view_of(name: str, *arguments: Any, reader: Reader | None = None) -> memoryview:
    """The same as its bytes, without a copy."""
    return _view(buffer_of(name, *arguments, reader=reader))


def bytes_of(name: str, *arguments: Any, reader: Reader | None = None) -> bytes:
    """The same as a copy."""
    return bytes(view_of(name, *arguments, reader=reader))


def text_of(name: str, *arguments: Any, reader: Reader | None = None) -> str:
    """The same as text."""
    return str(view_of(name, *arguments, reader=reader), "utf-8")


def json_of(name: str, *arguments: Any, reader: Reader | None = None) -> Any:
    """The same as what the JSON says."""
    return json.loads(bytes_of(name, *arguments, reader=reader))


def files_of(name: str, *arguments: Any) -> tuple[dict[str, Any], list[memoryview]]:
    """A list of files, and the bytes of each."""
    buffer = buffer_of(name, *arguments)
    listed: dict[str, Any] = json.loads(bytes(_view(buffer)))
    return listed, [view_of("dio_buffer_file", buffer, i) for i in range(len(listed["files"]))]


# ---- reading in parts ----


class Reader:
    """Reads parts of files for the library. What a reading function raises becomes the cause of the error io.read. `lock`: what is read
    through one is for one thread at a time."""

    def __init__(self, sources: Sequence[Callable[[int, int], bytes]], closes: Callable[[], None] | None = None) -> None:
        self._closes = closes
        self.lock = threading.RLock()
        self._errors: list[BaseException] = []
        readers, errors = list(sources), self._errors  # not self: it would hold itself

        def read(user: int | None, offset: int, to: int, size: int) -> int:
            try:
                found = readers[(user or 0) - 1](offset, size)
                count = min(len(found), size)
                ctypes.memmove(to, bytes(found[:count]), count)
                return count
            except BaseException as error:  # it must not leave through the library
                errors.append(error)
                return 0

        self.function = dio_read(read)

    def taken_error(self) -> BaseException | None:
        """The last error of a reading function, once."""
        error = self._errors[-1] if self._errors else None
        self._errors.clear()
        return error

    def __del__(self) -> None:
        if self._closes:
            self._closes()


def sources_of(files: Sequence[tuple[str, int]]) -> Any:
    """Files of a folder, which the n-th function of a Reader reads: (path, size) each."""
    return (dio_source * len(files))(*(dio_source(text(path), size, i + 1) for i, (path, size) in enumerate(files)))


def named_of(files: Mapping[str, bytes | bytearray | memoryview]) -> tuple[Any, int]:
    """Bytes by their names, and how many. The array holds what it names."""
    held = [(text(name), bytes(content)) for name, content in files.items()]
    array: Any = (dio_named * len(held))(
        *(dio_named(name, ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p), len(content)) for name, content in held)
    )
    array.held = held
    return array, len(held)


def buffers_of(buffers: Sequence[Owned]) -> tuple[Any, int]:
    """A list of results, and how many. The caller holds them."""
    return (_buffer * len(buffers))(*(b._as_parameter_ for b in buffers)), len(buffers)


def handles_of(files: Sequence[Owned]) -> tuple[Any, int]:
    """A list of files, and how many. The caller holds them."""
    return (_file * len(files))(*(f._as_parameter_ for f in files)), len(files)
