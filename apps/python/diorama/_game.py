"""Whole games: maps made of several files, in a cartridge, on a disc or in a folder."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Mapping, Union

from . import _library as lib
from ._file import Buffer, File, PathLike, Settable, _edit_words, _flags, _opened, _reader_of, open_parts
from ._options import Option, option_texts
from ._results import Budget, Edit, Finding, GameEdited, Maps, Part, _from_json
from ._scene import Scene


class Game:
    """A game from `open_game()` or `File.game()`.

    A `Game` is a context manager, like `File`. Several threads may use a game and its scenes: their calls wait for each other.
    Paths of parts and of `file()` are paths in the game. Findings and scenes name files of an image as members of the image:
    game.nds/fielddata/... Methods raise DioramaError.
    """

    def __init__(self, handle: lib.Owned, name: str, prefix: str, reader: lib.Reader | None) -> None:
        """Used by `open_game()`."""
        self._owned: lib.Owned | None = handle
        self.name, self._prefix, self._reader = name, prefix, reader
        self._lock = reader.lock if reader else threading.RLock()
        if not lib.call("dio_game_ok", handle):
            lib.buffer_of("dio_game_info", handle, reader=reader)
        info = self.info()
        self.game: str = info["game"]  #: the id of the kind of game: platinum, fft
        self.title: str = info["title"]
        self.overlays: tuple[str, ...] = tuple(info["overlays"])  #: the overlays for `world(show=...)`
        self.options: tuple[str, ...] = tuple(info["options"])  #: the options of `world()` and `describe()`

    @property
    def _handle(self) -> lib.Owned:
        if self._owned is None:
            raise ValueError(f"the game of {self.name} is closed")
        return self._owned

    def _json(self, function: str, *arguments: Any) -> Any:
        with self._lock:
            return lib.json_of(function, self._handle, *arguments, reader=self._reader)

    def info(self) -> dict[str, Any]:
        """Returns a summary of the game: {"name", "game", "title", "files", "overlays", "options"}."""
        info: dict[str, Any] = self._json("dio_game_info")
        return info

    def parts(self) -> list[Part]:
        """Returns all parts of the game that have an id."""
        return [_from_json(Part, part) for part in self._json("dio_game_parts")["parts"]]

    def maps(self) -> Maps:
        """Returns the table of maps."""
        table = self._json("dio_game_maps")
        return Maps(tuple(table["columns"]), tuple(table["maps"]))

    def describe(self, part: str, **options: Option) -> dict[str, Any]:
        """Describes one part.

        For a map with states, the result lists the changes of each state and the file that each resource comes from; for other
        parts, it lists the parts that they use and that use them. Raises DioramaError: game.part, game.state.
        """
        described: dict[str, Any] = self._json("dio_game_part", lib.text(part), *option_texts(options))
        return described

    def check(self) -> list[Finding]:
        """Returns the findings that concern several files of the game."""
        found = self._json("dio_game_check")["findings"]
        return [Finding.of({**f, "file": self._prefix + (f.get("file") or "")}) for f in found]

    def shown_with(self, part: str) -> list[str]:
        """Returns the paths of the other files that the game needs to show a part. Raises DioramaError: game.part."""
        return list(self._json("dio_game_shown_with", lib.text(part))["files"])

    def world(self, part: str = "", **options: Option) -> Scene:
        """Creates the scene of a part, or of the largest world if no part is given.

        Examples: `world("header/1", time="20:30", show="tiles,events")`, `world("map/1", state="night", all_states=True)`. Raises
        DioramaError: game.part, game.state, scene.none.
        """
        with self._lock:
            told = lib.text(part), *option_texts(options)
            handle = lib.owned("dio_game_world", "dio_scene_close", self._handle, *told, keeps=self._reader)
            return Scene(handle, self._prefix, self._reader, self._lock)

    def edits(self) -> list[Edit]:
        """Returns the edits that change several files of the game."""
        return [Edit.of(edit) for edit in self._json("dio_game_edits")["edits"]]

    def edit(self, *words: str, unlink: bool = False, scene: File | None = None, source: File | None = None, **arguments: Settable) -> GameEdited:
        """Makes one edit of the game by its name, or several edits from words: all of them or none.

        Examples: `edit("add-prop", land=3, model=2, x=8, z=24)`, `edit("add-prop", "land=3", "model=2", "x=8", "z=24", "remove",
        "prop/7")`. The game then has the new files, which `file()` returns; its source does not change.

        - `unlink`: clears references to removed parts.
        - `scene`: an open .glb, .gltf or .obj file, for edits that import a scene, such as make-map.
        - `source`: an open file, for edits that store a file, such as add-file.
        """
        if arguments:
            words = tuple(_edit_words(words[0], words[1:], arguments)) if words else ()
            if not words:
                raise TypeError("edit() needs the name of an edit before its arguments")
        if source:
            words += (f"source={source.name}",)
        held = scene._handle if scene else source._handle if source else None
        made = self._json("dio_game_edit", *lib.texts(words), _flags(unlink=unlink), held)
        files = {one["path"]: one["size"] for one in made["files"]}
        return GameEdited(tuple(made["done"]), tuple(made["changes"]), files, tuple(Finding.of(n) for n in made["notes"]))

    def file(self, path: str = "") -> bytes:
        """Returns the bytes of a file of the game, including all edits; without a path, returns the whole image.

        Raises DioramaError: file.missing, archive.none.
        """
        with self._lock:
            return lib.bytes_of("dio_game_file", self._handle, lib.text(path), reader=self._reader)

    def open(self, path: str, *, known: bool = False) -> File:
        """Opens a file of the game, including all edits. A file in an image has the name of a member: game.nds/fielddata/..."""
        return _opened(self.file(path), self._prefix + path, None, _flags(known=known))

    def budget(self, part: str) -> Budget:
        """Returns a part's use of resources and the limits of the console and the game.

        Raises DioramaError: game.part; game.budget if no limits are known for parts of this kind.
        """
        return Budget.of(self._json("dio_game_budget", lib.text(part)))

    def budgets(self) -> list[Budget]:
        """Returns the budgets of all maps and areas."""
        return [Budget.of(one) for one in self._json("dio_game_budget", lib.text(""))["parts"]]

    def budget_picture(self, part: str) -> str:
        """Returns the budget of a part as a picture (SVG)."""
        with self._lock:
            return lib.text_of("dio_game_budget_picture", self._handle, lib.text(part), reader=self._reader)

    def graph(self, part: str = "", to: str = "json") -> Any:
        """Returns the parts that each part uses and the parts that use it.

        Without a part, the graph contains the whole game; otherwise, it contains the part and its neighbours. `to` is "json" for
        {"parts": [{"part", "uses", "used_by"}]}, or "dot" (Graphviz) or "mermaid" for a text. Raises DioramaError: game.part.
        """
        with self._lock:
            told = lib.text_of("dio_game_graph", self._handle, lib.text(part), lib.text(to), reader=self._reader)
        return json.loads(told) if to == "json" else told

    def refs(self, part: str) -> dict[str, Any]:
        """Returns the values in the game's files that refer to a part, and the parts that this part refers to.

        The result is {"part", "refers_to": [{"file", "path", "from", "to"}], "referred_by": [the same]}. Raises DioramaError:
        game.part.
        """
        found: dict[str, Any] = self._json("dio_game_refs", lib.text(part))["parts"][0]
        return found

    def diff(self, other: Game) -> list[dict[str, Any]]:
        """Returns the differences between the maps of this game and of another game of the same kind.

        The result is [{"kind", "part", "name", "what", "old", "new", "maps"}].
        """
        if not isinstance(other, Game):
            raise TypeError(f"expected a game from open_game(), not {type(other).__name__}")
        first, second = sorted((self._lock, other._lock), key=id)  # a fixed order prevents a deadlock of two threads
        with first, second:
            return list(self._json("dio_game_diff", other._handle)["changes"])

    def make(self, name: str) -> bytes:
        """Builds a file of the game from its other files: `make("matshp")`. Raises DioramaError: game.make."""
        with self._lock:
            return lib.bytes_of("dio_game_make", self._handle, lib.text(name), reader=self._reader)

    def close(self) -> None:
        """Frees the memory of the game. Its scenes stay valid."""
        self._owned = None

    def __enter__(self) -> Game:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<diorama.Game {self.name!r}: {self.title}>"


def _files_below(folder: Path) -> list[tuple[str, Path]]:
    found = []
    for root, folders, names in os.walk(folder):
        folders.sort()
        found += [(Path(root, name).relative_to(folder).as_posix(), Path(root, name)) for name in sorted(names)]
    return found


def open_game(source: Union[PathLike, Buffer, Mapping[str, Buffer]], name: str | None = None, *, known: bool = False) -> Game:
    """Opens the game in a file or a folder.

    - `source`: the image of a cartridge or a disc, as a path (the image is read in parts) or as bytes; the folder of an unpacked
      cartridge or a decompilation; or a mapping with the files of one map: {"MAP001.GNS": bytes, ...}.
    - `name`: the name for messages. Default: the path.
    - `known`: `Game.check()` also reports findings known in retail files.

    Raises OSError; DioramaError: game.unknown, archive.none.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        with _opened(source, name or "", None, _flags(known=known)) as held:
            return held.game()
    if isinstance(source, Mapping):
        files = [(path, bytes(content)) for path, content in source.items()]

        def function(content: bytes) -> Callable[[int, int], bytes]:
            return lambda offset, size: content[offset : offset + size]

        sizes, reader = [(p, len(c)) for p, c in files], lib.Reader([function(c) for _, c in files])
    else:
        path = Path(source)
        name = name or os.fspath(source)
        if not path.is_dir():
            with open_parts(path, name=name, known=known) as image:
                return image.game()
        below = [(inner, outer) for inner, outer in _files_below(path) if outer.is_file()]
        sizes, reader = [(p, outer.stat().st_size) for p, outer in below], _reader_of([outer for _, outer in below])
    handle = lib.owned("dio_game_open_files", "dio_game_close", lib.text(name or ""), lib.sources_of(sizes), len(sizes),
                       reader.function, _flags(known=known), keeps=reader)  # fmt: skip
    return Game(handle, name or "", "", reader)
