"""Lists the findings in a file and its use of the console's resources. A finding selects the object that it concerns."""

from __future__ import annotations

from typing import Any

import bpy

from . import scenes, states
from .backend import BackendError


class DIORAMA_Finding(bpy.types.PropertyGroup):
    severity: bpy.props.StringProperty()
    text: bpy.props.StringProperty()
    id: bpy.props.StringProperty()
    path: bpy.props.StringProperty()


class DIORAMA_Usage(bpy.types.PropertyGroup):
    name: bpy.props.StringProperty()
    text: bpy.props.StringProperty()
    share: bpy.props.FloatProperty()
    over: bpy.props.BoolProperty()
    limited: bpy.props.BoolProperty()


def object_at(scene: bpy.types.Scene, path: str) -> bpy.types.Object | None:
    """The object whose path is that of a value, or of an element that contains the value."""
    by_path = {}
    for one in scene.objects:
        own = scenes.told(one).get("path")
        if own and str(own) not in by_path:
            by_path[str(own)] = one
    while path:
        if path in by_path:
            return by_path[path]
        cut = max(path.rfind("."), path.rfind("["))
        path = path[:cut] if cut > 0 else ""
    return None


def select(context: bpy.types.Context, one: bpy.types.Object) -> None:
    """Selects only this object, and shows it if it is hidden."""
    for other in context.selected_objects:
        other.select_set(False)
    one.hide_set(False)
    one.select_set(True)
    context.view_layer.objects.active = one


def _chosen(self: Any, context: bpy.types.Context) -> None:
    lists = context.scene.diorama_lists
    if 0 <= lists.active_finding < len(lists.findings):
        one = object_at(context.scene, lists.findings[lists.active_finding].path)
        if one and one.name in context.view_layer.objects:
            select(context, one)


class DIORAMA_Lists(bpy.types.PropertyGroup):
    """The results of the last check."""

    findings: bpy.props.CollectionProperty(type=DIORAMA_Finding)
    active_finding: bpy.props.IntProperty(update=_chosen)
    usage: bpy.props.CollectionProperty(type=DIORAMA_Usage)
    checked: bpy.props.StringProperty(description="The version of the file that was checked")


def outdate(context: bpy.types.Context) -> None:
    """Discards the results after the file has changed."""
    lists = context.scene.diorama_lists
    lists.findings.clear()
    lists.usage.clear()
    lists.checked = ""


ICONS = {"stop": "CANCEL", "error": "CANCEL", "warning": "ERROR", "hint": "INFO", "note": "INFO"}


class DIORAMA_UL_findings(bpy.types.UIList):
    """One line per finding."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active: Any) -> None:
        layout.label(text=item.text, icon=ICONS.get(item.severity, "DOT"))


class DIORAMA_OT_check(bpy.types.Operator):
    """Checks the source file of the scene, or the file that Write Back would write"""

    bl_idname = "diorama.check"
    bl_label = "Check"
    bl_options = {"REGISTER"}

    edited: bpy.props.BoolProperty(name="As Edited", description="Check the file that Write Back would write instead of the file on disk")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        remembered = scenes.target_of(context.scene)
        return bool(remembered and remembered.target)

    def execute(self, context: bpy.types.Context) -> set[str]:
        outdate(context)
        try:
            notes, usages = self._ask(context)
        except BackendError as error:
            self.report({"ERROR"}, error.text)
            return {"CANCELLED"}
        lists = context.scene.diorama_lists
        for note in notes:
            line = lists.findings.add()
            line.severity, line.text, line.id, line.path = note.severity, note.text, note.id, note.path
        for use in usages:
            line = lists.usage.add()
            line.name = use.name
            line.text = f"{use.used:,.0f}" + (f" of {use.of:,.0f}" if use.of else "") + (f" {use.unit}" if use.unit != use.name else "")
            line.share = use.used / use.of if use.of else 0
            line.limited = bool(use.of)
            line.over = bool(use.of and use.used > use.of)
        lists.checked = "with edits" if self.edited else "on disk"
        self.report({"INFO"}, f"{len(notes)} findings, {sum(line.over for line in lists.usage)} limits exceeded")
        return {"FINISHED"}

    def _ask(self, context: bpy.types.Context) -> tuple[list, list]:
        from . import write_back

        asked, remembered = scenes.current(context), scenes.target_of(context.scene)
        if not self.edited:
            _, target = states.exported(context.scene, remembered.target)
            return asked.check(target), _usage(asked, target, remembered)
        proposal = write_back.propose(context, True)
        with write_back.as_file(remembered.target, proposal.content or b"") as path:
            return proposal.notes + asked.check(path), _usage(asked, path, None)


def _usage(asked: Any, target: str, remembered: Any) -> list:
    """The budget of a file, or of the game part if the format has no budget."""
    try:
        return asked.budget(target)
    except BackendError:
        pass
    try:
        return asked.budget(remembered.source, remembered.part) if remembered and remembered.part else []
    except BackendError:
        return []


class DIORAMA_OT_explain_finding(bpy.types.Operator):
    """Explains why the finding matters and how to fix it"""

    bl_idname = "diorama.explain_finding"
    bl_label = "Why It Matters"

    def _rule(self, context: bpy.types.Context) -> dict[str, str]:
        lists = context.scene.diorama_lists
        try:
            return scenes.current(context).rule(lists.findings[lists.active_finding].id)
        except (BackendError, IndexError) as error:
            return {"rule": str(error)}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_popup(self, width=480)

    def execute(self, context: bpy.types.Context) -> set[str]:
        self.report({"INFO"}, " ".join(self._rule(context).values()))
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        from .write_back import wrapped

        for name, icon in (("rule", "CHECKMARK"), ("why", "QUESTION"), ("fix", "TOOL_SETTINGS")):
            for i, line in enumerate(wrapped(self._rule(context).get(name, ""), 70)):
                if line:
                    self.layout.label(text=line, icon=icon if i == 0 else "BLANK1")


CLASSES = (DIORAMA_Finding, DIORAMA_Usage, DIORAMA_Lists, DIORAMA_UL_findings, DIORAMA_OT_check, DIORAMA_OT_explain_finding)
