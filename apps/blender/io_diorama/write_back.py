"""File > Export > Back into the game file: applies the changes made in Blender to the source file of the scene."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator

import bpy

from . import backend as answers
from . import findings, imports, scenes, states
from .backend import BackendError, Note, Proposal

#: What the check boxes mean, and when they are shown.
FLAGS = {"partly": "Skip changes that cannot be applied",
         "delete": "Remove parts that are missing from the scene",
         "unlink": "Clear references to removed elements"}  # fmt: skip


class DIORAMA_Line(bpy.types.PropertyGroup):
    """A line in the list of a dialog."""

    text: bpy.props.StringProperty()
    icon: bpy.props.StringProperty(default="DOT")


class DIORAMA_UL_lines(bpy.types.UIList):
    """One line per change."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active: Any) -> None:
        layout.label(text=item.text, icon=item.icon)


ICONS = {"~": "GREASEPENCIL", "+": "ADD", "-": "REMOVE", ">": "SORTSIZE"}


def fill(lines: Any, proposal: Proposal) -> None:
    """The changes and notes of a proposal as lines of a list."""
    for note in proposal.notes:
        line = lines.add()
        line.text, line.icon = note.text, "ERROR" if note.severity in ("error", "warning") else "INFO"
    for change in proposal.changes:
        line = lines.add()
        line.text, line.icon = change, ICONS.get(change[:1], "DOT")


def propose(context: bpy.types.Context, unlink: bool) -> Proposal:
    """The changes that the scene would make in its file. Nothing is written. Raises BackendError."""
    remembered = scenes.target_of(context.scene)
    if not remembered:
        raise BackendError("this scene was not imported from a game; import a file first")
    if remembered.note:
        raise BackendError("this scene cannot be written back: " + remembered.note)
    state, target = states.exported(context.scene, remembered.target)
    with scenes.SceneFile(context, state=state) as scene:
        proposal = scenes.current(context).put_back(target, scene, unlink)
    lost = scenes.unheard(context.scene, remembered.format)
    if lost:
        proposal.notes += [Note("warning", text) for text in lost]
        proposal.needs["partly"] = "; ".join(filter(None, [proposal.needs.get("partly", ""), *lost[:3]])) + (" and more" if len(lost) > 3 else "")
    return proposal


def _belongs(name: str, outer: str) -> bool:
    """Whether the rules of a file read another file in the same folder: one with the same name, or the collision file of a course."""
    return name.split(".")[0] in (os.path.basename(outer).split(".")[0], "course")


@contextmanager
def as_file(target: str, content: bytes) -> Iterator[str]:
    """The new content as a temporary file, together with the companion files that its rules read."""
    outer, inner = answers.split_target(target)
    with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
        if not inner:
            for other in os.scandir(os.path.dirname(outer) or "."):
                if other.is_file() and other.name != os.path.basename(outer) and _belongs(other.name, outer):
                    shutil.copy(other.path, folder)
        path = os.path.join(folder, os.path.basename(inner or outer))
        with open(path, "wb") as out:
            out.write(content)
        yield path


def missing(proposal: Proposal, given: dict[str, bool]) -> list[str]:
    """The flags that the proposal needs but that are not set."""
    return [flag for flag in proposal.needs if not given.get(flag)]


class DIORAMA_OT_write_back(bpy.types.Operator):
    """Applies the edited scene to its source file. Shows the changes first"""

    bl_idname = "export_scene.diorama_back"
    bl_label = "Write Back into the Game File"
    bl_options = {"REGISTER"}

    partly: bpy.props.BoolProperty(name=FLAGS["partly"], description="Like --partly of dio convert")
    delete: bpy.props.BoolProperty(name=FLAGS["delete"], description="Like --delete of dio convert")
    unlink: bpy.props.BoolProperty(name=FLAGS["unlink"], description="Like --unlink of dio convert")
    even_if_changed: bpy.props.BoolProperty(
        name="Write although the file has changed since the import", description="The scene may undo changes that other programs have made")  # fmt: skip
    backup: bpy.props.BoolProperty(name="Keep the old file as .bak", default=True)
    reload: bpy.props.BoolProperty(
        name="Import the result again", default=True,
        description="After elements were added or removed, other elements have new indices in the file")  # fmt: skip
    lines: bpy.props.CollectionProperty(type=DIORAMA_Line, options={"HIDDEN", "SKIP_SAVE"})
    active: bpy.props.IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    _proposal: Proposal | None = None
    _problem: str = ""
    _changed = False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return scenes.target_of(context.scene) is not None

    def _prepare(self, context: bpy.types.Context) -> None:
        """Fills the dialog."""
        self.lines.clear()
        self._problem, self._proposal = "", None
        try:
            self._proposal = propose(context, self.unlink)
            fill(self.lines, self._proposal)
            _, target = states.exported(context.scene, scenes.target_of(context.scene).target)
            self._target = target
            self._changed = self._has_changed(context, target)
        except BackendError as error:
            self._problem = error.text + (f" ({error.hint})" if error.hint else "")

    def _has_changed(self, context: bpy.types.Context, target: str) -> bool:
        """Whether the file has changed since the import."""
        remembered = scenes.target_of(context.scene)
        if target != remembered.target:  # of another state of a map
            return False
        return answers.digest_of(scenes.current(context).read(target)) != remembered.digest

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.partly = self.delete = self.unlink = self.even_if_changed = False
        self._prepare(context)
        if self._problem:
            self.report({"ERROR"}, self._problem)
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=620)

    def check(self, context: bpy.types.Context) -> bool:
        if self._proposal and "unlink" in self._proposal.needs and self.unlink:
            self._prepare(context)
        return True

    def draw(self, context: bpy.types.Context) -> None:
        layout, proposal = self.layout, self._proposal
        if not proposal:
            layout.label(text=self._problem or "nothing to write", icon="ERROR")
            return
        layout.label(text=scenes.label_of(self._target) + ": " + proposal.what)
        if states.count(context.scene) > 1:
            layout.label(text=f"Only the displayed state is written: {states.shown(context.scene)}", icon="INFO")
        if self.lines:
            layout.template_list("DIORAMA_UL_lines", "", self, "lines", self, "active", rows=min(12, max(3, len(self.lines))))
        else:
            layout.label(text="The file would not change", icon="CHECKMARK")
        for flag, reason in proposal.needs.items():
            box = layout.box()
            for line in wrapped(reason, 90):
                box.label(text=line, icon="ERROR")
            box.prop(self, flag)
        if self.unlink and "unlink" not in proposal.needs:
            layout.prop(self, "unlink")
        if self._changed:
            layout.box().prop(self, "even_if_changed")
        layout.prop(self, "backup")
        if proposal.reorders:
            layout.prop(self, "reload")

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not self._proposal:
            self._prepare(context)
        proposal, given = self._proposal, {flag: getattr(self, flag) for flag in FLAGS}
        if self._problem or not proposal:
            return self._refuse(self._problem)
        lacking = missing(proposal, given)
        if proposal.content is None or lacking:
            reasons = [proposal.needs[flag] + f" (check box: {FLAGS[flag]})" for flag in lacking]
            return self._refuse("; ".join(reasons), proposal)
        if self._changed and not self.even_if_changed:
            return self._refuse("the file has changed since it was imported (even_if_changed=True writes it anyway)")
        return self._write(context, proposal)

    def _refuse(self, reason: str, proposal: Proposal | None = None) -> set[str]:
        for note in proposal.notes if proposal else ():
            self.report({"WARNING"}, note.text)
        self._proposal = None
        self.report({"ERROR"}, "nothing was written: " + reason)
        return {"CANCELLED"}

    def _write(self, context: bpy.types.Context, proposal: Proposal) -> set[str]:
        remembered, target = scenes.target_of(context.scene), self._target
        self._proposal = None
        try:
            asked = scenes.current(context)
            if proposal.content == asked.read(target):
                self.report({"INFO"}, f"{scenes.label_of(target)}: no changes; the file was not written")
                return {"FINISHED"}
            asked.replace(target, proposal.content, self.backup)
            if target == remembered.target:
                remembered.digest = answers.digest_of(proposal.content)
        except BackendError as error:
            return self._refuse(error.text)
        for note in proposal.notes:
            self.report({"WARNING"}, note.text)
        self.report({"INFO"}, f"{scenes.label_of(target)}: {proposal.what}")
        findings.outdate(context)
        if proposal.reorders and self.reload:
            return imports.reload(self, context)
        return {"FINISHED"}


def wrapped(text: str, width: int) -> list[str]:
    """Wraps a text into lines, because Blender labels do not wrap."""
    return re.findall(rf"\S(?:.{{0,{width - 1}}}\S)?(?:\s|$)|\S+", text) or [""]


def menu(self: Any, context: bpy.types.Context) -> None:
    self.layout.operator(DIORAMA_OT_write_back.bl_idname, text="Back into the game file (diorama)")


CLASSES = (DIORAMA_Line, DIORAMA_UL_lines, DIORAMA_OT_write_back)
