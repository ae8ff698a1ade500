"""The shared library: finds and loads it, and calls the functions that _functions.py declares. Other modules do not use
ctypes.
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

from ._functions import (CANONICAL as CANONICAL, CASCADE as CASCADE, DELETE as DELETE, EVERY_BYTE as EVERY_BYTE,
                         FUNCTIONS as FUNCTIONS, KNOWN as KNOWN, LOSSY as LOSSY, NO_SOURCE as NO_SOURCE, PARTLY as PARTLY, STRICT as STRICT, UNLINK as UNLINK, dio_buffer, dio_file,
                         dio_named, dio_read, dio_source)
from ._results import DioramaError as DioramaError, Finding, LibraryError
from ._version import __version__

VARIABLE = "DIORAMA_LIBRARY"

# ---- finding and loading the library ----

_FILE_NAME = {"win32": "diorama_capi.dll", "darwin": "libdiorama_capi.dylib"}.get(sys.platform, "libdiorama_capi.so")


def _places() -> Iterator[tuple[Path, str]]:
    """Yields each path where the library may be, with a description of the place."""
    told = os.environ.get(VARIABLE)
    if told:
        yield Path(told), f"the environment variable {VARIABLE}"
        return
    here = Path(__file__).resolve().parent
    yield here / _FILE_NAME, "in the package"
    if len(here.parents) > 2 and (here.parents[2] / "src/capi/diorama.h").is_file():
        yield here.parents[2] / "build/release" / _FILE_NAME, "in the source tree: ./dev python builds it"
    system = ctypes.util.find_library("diorama_capi")  # slow: runs other programs
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


# ---- owned objects ----

if TYPE_CHECKING:
    Handle = Any


class Owned:
    """An object of the library, freed when nothing refers to it any more. A call keeps its arguments alive: an object that
    another thread closes in the meantime is freed after the call.
    """

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
    """Calls a function whose result has to be freed by another function."""
    return Owned(call(name, *arguments), free, keeps)


def text(value: str | os.PathLike[str] | None) -> bytes | None:
    """Returns a text argument as UTF-8. Raises ValueError if the text contains a NUL, which would end it."""
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"expected a text such as \"map/1\", not {value!r}")
    encoded = os.fspath(value).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError("a text for diorama must not have NUL characters in it")
    return encoded


def texts(values: Iterable[str]) -> tuple[Any, int]:
    """Returns a list of texts and its length."""
    encoded = [text(value) for value in values]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


# ---- results ----


def _view(buffer: Owned) -> memoryview:
    """Returns the bytes of a buffer, read-only. The buffer lives as long as the view or a part of the view."""
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
    """Calls a function and returns its buffer. Raises DioramaError if the buffer holds an error."""
    buffer = owned(name, "dio_buffer_free", *arguments)
    return _checked(buffer, reader.taken_error() if reader else None)


def view_of(name: str, *arguments: Any, reader: Reader | None = None) -> memoryview:
    """Like `buffer_of()`, but returns the bytes without a copy."""
    return _view(buffer_of(name, *arguments, reader=reader))


def bytes_of(name: str, *arguments: Any, reader: Reader | None = None) -> bytes:
    """Like `buffer_of()`, but returns a copy of the bytes."""
    return bytes(view_of(name, *arguments, reader=reader))


def text_of(name: str, *arguments: Any, reader: Reader | None = None) -> str:
    """Like `buffer_of()`, but returns a text."""
    return str(view_of(name, *arguments, reader=reader), "utf-8")


def json_of(name: str, *arguments: Any, reader: Reader | None = None) -> Any:
    """Like `buffer_of()`, but returns the parsed JSON."""
    return json.loads(bytes_of(name, *arguments, reader=reader))


def files_of(name: str, *arguments: Any) -> tuple[dict[str, Any], list[memoryview]]:
    """Calls a function that returns several files. Returns its JSON and the bytes of each file."""
    buffer = buffer_of(name, *arguments)
    listed: dict[str, Any] = json.loads(bytes(_view(buffer)))
    return listed, [view_of("dio_buffer_file", buffer, i) for i in range(len(listed["files"]))]


# ---- reading in parts ----


class Reader:
    """Reads parts of files for the library. Exceptions in a reading function become the cause of the error io.read. `lock`:
    one thread at a time may use the objects that read through this Reader.
    """

    def __init__(self, sources: Sequence[Callable[[int, int], bytes]], closes: Callable[[], None] | None = None) -> None:
        self._closes = closes
        self.lock = threading.RLock()
        self._errors: list[BaseException] = []
        readers, errors = list(sources), self._errors  # not self, which would create a reference cycle

        def read(user: int | None, offset: int, to: int, size: int) -> int:
            try:
                found = readers[(user or 0) - 1](offset, size)
                count = min(len(found), size)
                ctypes.memmove(to, bytes(found[:count]), count)
                return count
            except BaseException as error:  # no exception may pass through the library
                errors.append(error)
                return 0

        self.function = dio_read(read)

    def taken_error(self) -> BaseException | None:
        """Returns the last error of a reading function, and forgets it."""
        error = self._errors[-1] if self._errors else None
        self._errors.clear()
        return error

    def __del__(self) -> None:
        if self._closes:
            self._closes()


def sources_of(files: Sequence[tuple[str, int]]) -> Any:
    """Returns the files of a folder, given as (path, size). Function n of a Reader reads file n."""
    return (dio_source * len(files))(*(dio_source(text(path), size, i + 1) for i, (path, size) in enumerate(files)))


def named_of(files: Mapping[str, bytes | bytearray | memoryview]) -> tuple[Any, int]:
    """Returns bytes by their names, and their number. The array keeps the bytes alive."""
    held = [(text(name), bytes(content)) for name, content in files.items()]
    array: Any = (dio_named * len(held))(
        *(dio_named(name, ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p), len(content)) for name, content in held)
    )
    array.held = held
    return array, len(held)


def buffers_of(buffers: Sequence[Owned]) -> tuple[Any, int]:
    """Returns a list of results and its length. The caller keeps the results alive."""
    return (ctypes.POINTER(dio_buffer) * len(buffers))(*(b._as_parameter_ for b in buffers)), len(buffers)


def handles_of(files: Sequence[Owned]) -> tuple[Any, int]:
    """Returns a list of files and its length. The caller keeps the files alive."""
    return (ctypes.POINTER(dio_file) * len(files))(*(f._as_parameter_ for f in files)), len(files)
