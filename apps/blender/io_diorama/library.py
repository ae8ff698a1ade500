"""The backend that uses the library in this package."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from . import core
from .backend import (FEW, MAKES, SCENE_PARTS, TAKES_BACK, Backend, BackendError, MadeFiles, Note, Part, Proposal, Shown, Usage,
                      split_target, write_file)  # fmt: skip

#: Nested archives are listed up to this many bytes.
LISTED = 512 << 20


@contextmanager
def in_words() -> Iterator[None]:
    """Turns errors of the library into BackendError."""
    try:
        yield
    except core.DioramaError as error:
        found = error.finding
        where = ": ".join(part for part in (found.file or "", found.path or "") if part)
        raise BackendError(f"{where}: {found.text}" if where else found.text, found.id, found.hint or "") from error
    except OSError as error:
        raise BackendError(f"{error.filename or ''}: {error.strerror or error}") from error
    except ValueError as error:
        raise BackendError(str(error)) from error


def note_of(finding: Any) -> Note:
    text = finding.text + (f" ({finding.hint})" if finding.hint else "")
    return Note(finding.severity, text, finding.id, finding.path or "", finding.file or "")


def shown(value: Any) -> str:
    """A value as one line of text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {shown(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(shown(one) for one in value) + "]"
    return repr(round(value, 4)) if isinstance(value, float) else str(value)


def line_of(one: Any) -> str:
    """A difference as one line, as `dio diff` prints it."""
    if one.kind == "added":
        return f"+ {one.b}: {shown(one.new)}"
    if one.kind == "removed":
        return f"- {one.a}"
    if one.kind == "moved":
        return f"> {one.a} -> {one.b}"
    return f"~ {one.a or one.b}: {shown(one.old)} -> {shown(one.new)}"


class LibraryBackend(Backend):
    def __init__(self) -> None:
        self.name = f"library {core.__version__}"
        self._formats = {one.id: one for one in core.formats()}

    # ---- what is there ----

    def parts(self, path: str) -> list[Part]:
        with in_words():
            found = self._parts_of_game(path)
            if os.path.isdir(path):
                return found + self._parts_of_folder(path, found)
            with core.open_parts(path) as file:
                format = self._formats.get(file.format or "")
                if not format or not (format.archive or format.compressed):
                    return [Part("", os.path.basename(path))]
                listed = [] if self._is_one_file(file) else self._members(file)
            known = {part.label.rpartition("  ")[2] for part in found}
            return found + [part for part in listed if part.id not in known] or [Part("", os.path.basename(path))]

    def _is_one_file(self, file: Any) -> bool:
        try:
            return not file.members()
        except core.DioramaError:
            return True

    def _members(self, file: Any) -> list[Part]:
        out = []
        for inner in file.walk(limit=LISTED):
            format = self._formats.get(inner.format or "")
            if inner.ok and format and format.gltf:
                path = inner.name[len(file.name) + 1 :]
                out.append(Part(path, f"{path}  ({format.title})"))
        order = {"kmp": 0, "brres": 2, "kcl": 1}
        return sorted(out, key=lambda part: min((rank for id, rank in order.items() if part.id.endswith("." + id)), default=3))

    def _parts_of_folder(self, path: str, found: list[Part]) -> list[Part]:
        if found:
            return []
        extensions = tuple(e for one in self._formats.values() if one.gltf for e in one.extensions.split() if e != ".bin")
        files = sorted(p.relative_to(path).as_posix() for p in Path(path).rglob("*") if p.suffix in extensions and p.is_file())
        return [Part(name, name) for name in files]

    def _parts_of_game(self, path: str) -> list[Part]:
        try:
            game = core.open_game(path)
        except core.DioramaError:
            return []
        with game:
            out = []
            for part in sorted(game.parts(), key=lambda one: (SCENE_PARTS + (one.kind,)).index(one.kind)):
                if part.kind in SCENE_PARTS:
                    named = f" {part.name}" if part.name else ""
                    where = f"  {part.path}" if part.kind == "land" and part.path else ""
                    out.append(Part(part.id, f"{part.kind} {part.number}{named}{where}", game=True))
            return out

    # ---- scenes ----

    def show(self, path: str, part: str, options: dict[str, object]) -> Shown:
        with in_words():
            given = {name: value for name, value in options.items() if value not in ("", False, None)}
            if part.split("/")[0] in SCENE_PARTS and part.split("/")[-1].isdigit() and not os.path.exists(os.path.join(path, part)):
                return self._show_part(path, part, given)
            return self._show_file(f"{path}/{part}" if part else path, given)

    def _show_part(self, path: str, part: str, given: dict[str, Any]) -> Shown:
        with core.open_game(path) as game:
            usable = {name: value for name, value in given.items() if name.replace("_", "-") in game.options}
            with game.world(part, **usable) as scene:
                glb = scene.convert("glb")
            target = ""
            if part.startswith("land/"):  # placed as in its file; the lands of worlds are not
                target = next((f"{path}/{one.path}" for one in game.parts() if one.id == part and one.path), "")
        left = [name for name in given if name not in usable]
        notes = [Note("note", f"the option {name} has no effect on {part}") for name in left]
        return Shown(glb, target, notes)

    def _show_file(self, target: str, given: dict[str, Any]) -> Shown:
        with self._opened(target) as alone:
            if alone.error and alone.format:
                raise alone.error
            others = [core.open(path, beside=False) for path in given.pop("beside", ())]
            file = alone.together(*others) if others else alone
            names = {"lamps", "tick_rate"} if file.format == "fft-mesh" else {"race"}
            with file.scene(**{name: value for name, value in given.items() if name in names}) as scene:
                return Shown(scene.convert("glb"), target)

    def _opened(self, target: str) -> Any:
        """A file with its companion files, including those that a table of the game assigns to it."""
        outer, inner = split_target(target)
        file = core.open(target)
        if not inner or file.format in (None, "land-data"):
            return file
        try:
            game = core.open_game(outer)
        except core.DioramaError:
            return file
        with game, file:
            part = next((one for one in game.parts() if one.path == inner), None)
            names = game.shown_with(part.id) if part else []
            return file.together(*(game.open(name) for name in names))

    # ---- back ----

    def format_of(self, target: str) -> str:
        with in_words(), core.open(target, beside=False) as file:
            return file.format or ""

    def read(self, target: str) -> bytes:
        with in_words():
            outer, inner = split_target(target)
            if not inner:
                return Path(outer).read_bytes()
            with core.open_parts(outer) as archive:
                return archive.member(inner)

    def put_back(self, target: str, scene: str, unlink: bool) -> Proposal:
        with in_words(), core.open(target) as file, core.open(scene, "scene.glb", beside=False) as edited:
            if file.format not in TAKES_BACK:
                raise BackendError(f"{target}: edited scenes cannot be applied to this format ({self._title(file.format)})", "capi.argument")
            try:
                made = file.put_back(edited, unlink=unlink, partly=True, delete=True)
            except core.DioramaError as error:
                if error.id == "edit.referred" and not unlink:
                    return Proposal(str(error), needs={"unlink": error.finding.text})
                raise
            with core.open(made.content, file.name, format=file.format) as after:
                differences = file.diff(after)
        out = Proposal(made.more["what"], [line_of(one) for one in differences], [note_of(note) for note in made.notes], made.content)
        out.reorders = any(one.kind in ("added", "removed", "moved") for one in differences)
        if made.more.get("lost"):
            out.needs["partly"] = f"{made.more['lost']} changes cannot be applied"
        if made.more.get("deleted", 0) > FEW:
            out.needs["delete"] = f"{made.more['deleted']} parts of the file are missing from the scene and would be removed"
        return out

    def _title(self, format: str | None) -> str:
        return self._formats[format].title if format in self._formats else "unknown"

    def replace(self, target: str, content: bytes, backup: bool) -> None:
        with in_words():
            outer, inner = split_target(target)
            if inner:
                with core.open(outer, beside=False) as archive:
                    content = archive.replace(inner, content)
            write_file(outer, content, backup)

    # ---- makers ----

    def make(self, scene: str, format: str, options: dict[str, object]) -> MadeFiles:
        if format not in MAKES:
            raise BackendError(f"{self._title(format)} files cannot be made from a scene")
        with in_words(), core.open(scene, os.path.basename(scene), beside=False) as edited:
            told = {"layout" if name == "target_layout" else name: value for name, value in options.items() if name != "files"}
            if format == "splashpack":
                together = self._with_files(edited, scene)
            else:
                together = edited.together(*self._files_of(str(options.get("files", ""))))
            made = together.make(format, **told)
        return MadeFiles({one.name: one.bytes for one in made.files}, [note_of(note) for note in made.notes])

    @staticmethod
    def _files_of(folder: str) -> list[Any]:
        """The files of a folder, with paths relative to it."""
        if not folder:
            return []
        if not os.path.isdir(folder):
            raise BackendError(f"{folder} is not a folder")
        paths = (path for path in sorted(Path(folder).rglob("*")) if path.is_file())
        return [core.open(path.read_bytes(), path.relative_to(folder).as_posix()) for path in paths]

    def _with_files(self, edited: Any, scene: str) -> Any:
        """A scene with the scripts and sounds from its folder that it names."""
        folder, found = os.path.dirname(scene), []
        for name in edited.beside() if edited.ok else []:
            if os.path.isfile(os.path.join(folder, name)):
                found.append(core.open(Path(folder, name).read_bytes(), name))
        return edited.together(*found)

    @contextmanager
    def _edited_game(self, game: str, scene: str, words: list[str]) -> Iterator[tuple[Any, Any]]:
        with in_words(), core.open_game(game) as opened, core.open(scene, os.path.basename(scene), beside=False) as edited:
            yield opened, opened.edit("make-map", *words, scene=edited)

    def make_map(self, game: str, scene: str, words: list[str]) -> Proposal:
        with self._edited_game(game, scene, words) as (_, made):
            files = [f"{path}: {size:,} bytes" for path, size in made.files.items()]
            return Proposal("; ".join(made.done), [*made.changes, *files], [note_of(note) for note in made.notes], b"")

    def write_map(self, game: str, scene: str, words: list[str], out: str, backup: bool) -> list[str]:
        with self._edited_game(game, scene, words) as (opened, made):
            if os.path.isdir(game):
                for path in made.files:
                    target = core._results.inside(game, path)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    write_file(str(target), opened.file(path), backup)
            else:
                write_file(out, opened.file(), backup)
            return list(made.done)

    # ---- facts ----

    def check(self, target: str) -> list[Note]:
        with in_words(), self._opened(target) as file:
            return [note_of(finding) for finding in file.check()]

    def budget(self, target: str, part: str = "") -> list[Usage]:
        with in_words():
            if part:
                with core.open_game(target) as game:
                    found = game.budget(part)
            else:
                with self._opened(target) as file:
                    found = file.budget()
        return [Usage(use.name, use.used, use.of, use.unit, use.about) for use in found.budgets]

    def value(self, target: str, path: str) -> dict[str, object]:
        try:
            with core.open(target, beside=False) as file:
                return file.explain(path)
        except (core.DioramaError, OSError):
            return {}

    def rule(self, id: str) -> dict[str, str]:
        with in_words():
            found = core.explain(id)
            return {"rule": found.sentence, "why": found.why, "fix": found.fix}
