"""The backend that runs the program `dio`, for platforms without the library in the package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from .backend import (MAKES, SCENE_PARTS, TAKES_BACK, Backend, BackendError, MadeFiles, Note, Part, Proposal, Shown, Usage,
                      split_target)  # fmt: skip

#: `error: FILE: message [id]`, with a line `  help: ...` below it.
_ERROR = re.compile(r"^(error|stop|warning|hint): (.*?)(?: \[([a-z.-]+)\])?$")


def _notes(text: str) -> list[Note]:
    """The messages of a run, one note each."""
    out: list[Note] = []
    for line in text.splitlines():
        found = _ERROR.match(line)
        if found:
            out.append(Note(found[1], found[2], found[3] or ""))
        elif line.startswith("  help: ") and out:
            out[-1] = Note(out[-1].severity, f"{out[-1].text} ({line[8:]})", out[-1].id)
        elif line and not line.startswith(("wrote ", "would ", " ", "changed ")):
            out.append(Note("note", line))
    return out


class ProgramBackend(Backend):
    def __init__(self, program: str) -> None:
        self._program = program
        self.name = f"{program}, {self._run('--version')[1].strip()}"
        self._formats = {one["id"]: one for one in self._json("formats")["formats"]}

    def _run(self, *words: str, codes: tuple[int, ...] = (0,)) -> tuple[int, str, str]:
        """Returns the exit code, the output and the messages. Raises BackendError for other exit codes."""
        quiet = {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}
        try:
            done = subprocess.run([self._program, *words], capture_output=True, stdin=subprocess.DEVNULL, **quiet)
        except OSError as error:
            raise BackendError(f"{self._program}: {error.strerror or error}") from error
        out, told = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        if done.returncode not in codes:
            notes = [note for note in _notes(told) if note.severity in ("error", "stop")] or _notes(told)
            last = notes[-1] if notes else Note("error", f"dio {words[0]} failed with exit code {done.returncode}")
            raise BackendError(last.text, last.id)
        return done.returncode, out, told

    def _json(self, *words: str, codes: tuple[int, ...] = (0,)) -> dict:
        _, out, told = self._run(*words, "--json", codes=codes)
        if not out.strip():  # said in words why there is nothing
            raise BackendError(told.strip() or f"dio {words[0]} printed nothing")
        return json.loads(out)

    # ---- what is there ----

    def parts(self, path: str) -> list[Part]:
        found = self._parts_of_game(path)
        return found + self._members(path, path, 4) or [Part("", os.path.basename(path))]

    def _parts_of_game(self, path: str) -> list[Part]:
        try:
            table = self._json("maps", path)
        except BackendError:
            return []
        out, lands = [], []
        for row in table["maps"]:
            kind = table["columns"][0]
            out.append(Part(f"{kind}/{row[kind]}", f"{kind} {row[kind]} {row.get('name', '')}", game=True))
            lands += [land for land in row.get("lands", []) if land not in lands]
        return out + [Part(f"land/{land}", f"land {land}", game=True) for land in sorted(lands)]

    def _members(self, root: str, path: str, depth: int) -> list[Part]:
        try:
            listed = self._json("ls", path, "-a").get("members", [])
        except BackendError:
            return []
        out = []
        for member in listed:
            format = self._formats.get(member.get("what", ""), {})
            whole = f"{path}/{member['path']}"
            if format.get("gltf"):
                inner = whole[len(root) + 1 :]
                out.append(Part(inner, f"{inner}  ({format['title']})"))
            elif depth and format.get("archive"):
                out += self._members(root, whole, depth - 1)
        return out

    # ---- scenes ----

    def show(self, path: str, part: str, options: dict[str, object]) -> Shown:
        is_part = part.split("/")[0] in SCENE_PARTS and part.split("/")[-1].isdigit() and not os.path.exists(os.path.join(path, part))
        target = f"{path}/{part}" if part and not is_part else "" if is_part else path
        words = ["world", path, part] if is_part else ["convert", target, *options.get("beside", ())]
        for name, value in options.items():
            if name == "beside":
                continue
            allowed = is_part or name in ("lamps", "tick_rate")
            if allowed and value is True:
                words.append("--" + name.replace("_", "-"))
            elif allowed and value not in ("", False, None):
                words += ["--" + name.replace("_", "-"), str(value)]
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
            out = Path(folder, "scene.glb")
            told = self._run(*words, "-o", str(out))[2]
            glb = out.read_bytes()
        if part.startswith("land/") and is_part:
            target = self._file_of_land(path, part)
        return Shown(glb, target, _notes(told))

    def _file_of_land(self, path: str, part: str) -> str:
        listed = self._json("tree", path, "--maps", part)["parts"]
        return f"{path}/{listed[0]['path']}" if listed and listed[0].get("path") else ""

    # ---- back ----

    def format_of(self, target: str) -> str:
        found = self._json("info", target)
        return found.get("format", "")

    def read(self, target: str) -> bytes:
        outer, inner = split_target(target)
        if not inner:
            return Path(outer).read_bytes()
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
            out = Path(folder, "member")
            self._run("convert", target, "--to", self.format_of(target), "-o", str(out), "-q")
            return out.read_bytes()

    def put_back(self, target: str, scene: str, unlink: bool) -> Proposal:
        more = ["--unlink"] if unlink else []
        if self.format_of(target) not in TAKES_BACK:
            raise BackendError(f"{target}: edited scenes cannot be applied to this format", "capi.argument")
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
            out = Path(folder, "result" + Path(target).suffix)
            try:
                told = self._run("convert", scene, "--onto", target, "-o", str(out), "--partly", "--delete", *more)[2]
            except BackendError as error:
                if error.id == "edit.referred" and not unlink:
                    return Proposal(error.text, needs={"unlink": error.text})
                raise
            notes = _notes(told)
            what = next((note.text.removeprefix(f"{target}: ") for note in reversed(notes) if note.text.startswith(target)), "")
            notes = [note for note in notes if not note.text.startswith(target)]
            same = Path(folder, "before" + Path(target).suffix)
            same.write_bytes(self.read(target))
            changes = self._run("diff", str(same), str(out), codes=(0, 1))[1].splitlines()
            proposal = Proposal(what, changes, notes, out.read_bytes())
        proposal.reorders = any(line.startswith(("+", "-", ">")) for line in changes)
        self._find_needs(target, scene, more, proposal)
        return proposal

    def _find_needs(self, target: str, scene: str, more: list[str], proposal: Proposal) -> None:
        for flag, other, id in (("partly", "--delete", "scene.lost"), ("delete", "--partly", "scene.deleted")):
            try:
                self._run("convert", scene, "--onto", target, "-n", other, *more)
            except BackendError as error:
                if error.id == id:
                    proposal.needs[flag] = error.text

    def replace(self, target: str, content: bytes, backup: bool) -> None:
        from .backend import write_file

        outer, inner = split_target(target)
        if not inner:
            write_file(outer, content, backup)
            return
        if backup:
            write_file(outer + ".bak", Path(outer).read_bytes(), False)
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
            new = Path(folder, "new" + Path(inner).suffix)
            new.write_bytes(content)
            format = self.format_of(target)
            self._run("convert", str(new), "--as", format, "--to", format, "-o", target, "-f")

    # ---- makers ----

    def make(self, scene: str, format: str, options: dict[str, object]) -> MadeFiles:
        if format not in MAKES:
            raise BackendError(f"{format} files cannot be made from a scene")
        words = []
        for name, value in options.items():
            told = "yes" if value is True else "no" if value is False else str(value)
            words += ["--" + name.replace("_", "-"), told]
        with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
            out = Path(folder, Path(scene).stem + MAKES[format])
            told = self._run("convert", scene, "--to", format, "-o", str(out), "--partly", *words)[2]
            return MadeFiles({file.name: file.read_bytes() for file in sorted(Path(folder).iterdir())}, _notes(told))

    def make_map(self, game: str, scene: str, words: list[str]) -> Proposal:
        told = self._run("edit", game, "make-map", f"scene={scene}", *words, "-n")
        return Proposal("make-map", told[1].splitlines() + told[2].splitlines(), [], b"")

    def write_map(self, game: str, scene: str, words: list[str], out: str, backup: bool) -> list[str]:
        in_place = os.path.isdir(game) or (os.path.exists(out) and os.path.samefile(game, out))
        where = ["-i", *(["--backup"] if backup else [])] if in_place else ["-o", out, "-f"]
        return self._run("edit", game, "make-map", f"scene={scene}", *words, *where)[2].splitlines()

    # ---- facts ----

    def check(self, target: str) -> list[Note]:
        found = self._json("check", target, "-a", codes=(0, 1, 3))["findings"]
        return [Note(one["severity"], one.get("message") or f"expected {one.get('expected')}, found {one.get('found')}", one["id"],
                     one.get("path", ""), one.get("file", "")) for one in found]  # fmt: skip

    def budget(self, target: str, part: str = "") -> list[Usage]:
        more = ["--maps", "--part", part] if part else []
        found = self._json("budget", target, *more, codes=(0, 1))
        found = found.get("parts", [found])[0]
        return [Usage(one["name"], one["used"], one.get("of"), one.get("unit", ""), one.get("about", "")) for one in found["budgets"]]

    def value(self, target: str, path: str) -> dict[str, object]:
        try:
            return self._json("explain", f"{target}#{path}")
        except BackendError:
            return {}

    def rule(self, id: str) -> dict[str, str]:
        found = self._json("explain", id)
        return {"rule": found.get("sentence", ""), "why": found.get("why", ""), "fix": found.get("fix", "")}
