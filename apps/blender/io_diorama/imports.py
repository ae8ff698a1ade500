"""File > Import: any file that diorama can draw, or a part of an archive, a cartridge, a disc or a folder."""

from __future__ import annotations

import json
import os
from typing import Any

import bpy
from bpy_extras.io_utils import ImportHelper

from . import backend as answers
from . import scenes, states
from .backend import BackendError, Part

#: Files that go with a model and show nothing alone.
BESIDE = {".nsbtx", ".nsbca", ".nsbtp", ".nsbta", ".nsbma", ".nsbva", ".vram", ".spu", ".fft-texture", ".gns"}

_listed: dict[tuple[str, float], list[Part]] = {}
_items: list[tuple[str, str, str]] = []  # Blender does not hold the texts of dynamic lists


def parts_of(context: bpy.types.Context, path: str) -> list[Part]:
    """The parts of a file; cached until the file changes."""
    try:
        key = (path, os.path.getmtime(path))
    except OSError as error:
        raise BackendError(f"{path}: {error.strerror}") from error
    if key not in _listed:
        if len(_listed) > 8:
            _listed.clear()
        _listed[key] = scenes.current(context).parts(path)
    return _listed[key]


def _part_items(self: Any, context: bpy.types.Context) -> list[tuple[str, str, str]]:
    try:
        found = parts_of(context, self.filepath)
    except BackendError:
        found = []
    _items[:] = [(part.id or ".", part.label, "") for part in found] or [(".", "nothing to import", "")]
    return _items


def load(operator: bpy.types.Operator, context: bpy.types.Context, path: str, part: str, options: dict[str, Any]) -> set[str]:
    """Imports a part and reports the notes."""
    try:
        asked = scenes.current(context)
        shown = asked.show(path, part, options)
        shown.target = shown.target or states.file_in(path, shown.glb)
        format = asked.format_of(shown.target) if shown.target else ""
        digest = answers.digest_of(asked.read(shown.target)) if shown.target else ""
        objects = scenes.show_in(context, path, part, shown, format, digest, options)
    except BackendError as error:
        operator.report({"ERROR"}, error.text + (f" ({error.hint})" if error.hint else ""))
        return {"CANCELLED"}
    for note in shown.notes:
        operator.report({"WARNING" if note.severity in ("warning", "error") else "INFO"}, note.text)
    operator.report({"INFO"}, f"{part or os.path.basename(path)}: {len(objects)} objects")
    return {"FINISHED"}


class ImportOptions:
    """The options of an import."""

    time: bpy.props.StringProperty(name="Time", description="The time of day of a Pokémon map, for the light, such as 20:30; default 12:00")
    state: bpy.props.StringProperty(
        name="State", description="The state of a Final Fantasy Tactics map, such as night,heavy-rain,arrangement=1")  # fmt: skip
    all_states: bpy.props.BoolProperty(
        name="All States", description="Import all states of a Final Fantasy Tactics map; choose the displayed state in the side bar")  # fmt: skip
    lamps: bpy.props.BoolProperty(name="Lamps", description="Import the game's lamps as lights instead of baking them into vertex colours")
    overlays: bpy.props.EnumProperty(
        name="Overlays", description="Additional layers to import with a Pokémon map", options={"ENUM_FLAG"},
        items=[(name, name.capitalize(), "") for name in ("tiles", "collision", "heights", "events", "warps")])  # fmt: skip

    def chosen(self) -> dict[str, Any]:
        order = ("tiles", "collision", "heights", "events", "warps")
        return {"time": self.time, "state": self.state, "all_states": self.all_states, "lamps": self.lamps,
                "show": ",".join(name for name in order if name in self.overlays)}  # fmt: skip


class DIORAMA_OT_import(ImportOptions, bpy.types.Operator, ImportHelper):
    """Imports a game map or model from a file, or from a part of an archive, a cartridge, a disc or a folder"""

    bl_idname = "import_scene.diorama"
    bl_label = "Import Game Map or Model"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: bpy.props.StringProperty(default="*", options={"HIDDEN"})
    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: bpy.props.StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    part: bpy.props.StringProperty(
        name="Part", description="The part to import, such as header/3, map/1 or data/maps.narc/12; if empty, a list appears")  # fmt: skip

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        for name in ("part", "lamps"):
            layout.prop(self, name)
        box = layout.box()
        box.label(text="Pokémon Platinum and related games")
        box.prop(self, "time")
        box.column().prop(self, "overlays")
        box = layout.box()
        box.label(text="Final Fantasy Tactics")
        box.prop(self, "state")
        box.prop(self, "all_states")

    def _selected(self) -> tuple[str, list[str]]:
        """The selected file, and the textures and animations selected together with a model."""
        names = [one.name for one in self.files if one.name]
        if len(names) < 2:
            return self.filepath.rstrip("/\\") or self.filepath, []
        first = next((name for name in names if os.path.splitext(name)[1].lower() not in BESIDE), names[0])
        return os.path.join(self.directory, first), [os.path.join(self.directory, name) for name in names if name != first]

    def execute(self, context: bpy.types.Context) -> set[str]:
        path, beside = self._selected()
        options = {**self.chosen(), "beside": beside} if beside else self.chosen()
        if self.part or beside:
            return load(self, context, path, self.part, options)
        try:
            found = parts_of(context, path)
        except BackendError as error:
            self.report({"ERROR"}, error.text)
            return {"CANCELLED"}
        if len(found) == 1:
            return load(self, context, path, found[0].id, self.chosen())
        if bpy.app.background:
            self.report({"ERROR"}, f"{path} has {len(found)} parts; choose one: " + ", ".join(part.id for part in found[:8]))
            return {"CANCELLED"}
        return bpy.ops.diorama.choose_part("INVOKE_DEFAULT", filepath=path, options=json.dumps(self.chosen()))


class DIORAMA_OT_choose_part(bpy.types.Operator):
    """Chooses the part of an archive, a cartridge, a disc or a folder to import"""

    bl_idname = "diorama.choose_part"
    bl_label = "Import Part"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    bl_property = "part"

    filepath: bpy.props.StringProperty()
    options: bpy.props.StringProperty(default="{}")
    part: bpy.props.EnumProperty(name="Part", items=_part_items)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        return load(self, context, self.filepath, "" if self.part == "." else self.part, json.loads(self.options))


class DIORAMA_OT_reload(bpy.types.Operator):
    """Imports the file again and replaces everything in this scene"""

    bl_idname = "diorama.reload"
    bl_label = "Import Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return scenes.target_of(context.scene) is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context: bpy.types.Context) -> set[str]:
        return reload(self, context)


def _own_data(objects: Any) -> list[tuple[Any, Any]]:
    """Data blocks used only by objects, each with the list that contains it."""
    found: dict[Any, Any] = {}
    lists = {"MESH": bpy.data.meshes, "CAMERA": bpy.data.cameras, "LIGHT": bpy.data.lights, "ARMATURE": bpy.data.armatures}
    for one in objects:
        if one.type in lists and one.data:
            found[one.data] = lists[one.type]
        found.update({slot.material: bpy.data.materials for slot in one.material_slots if slot.material})
        if one.animation_data:
            strips = [strip for track in one.animation_data.nla_tracks for strip in track.strips]
            found.update({thing.action: bpy.data.actions for thing in [one.animation_data, *strips] if thing.action})
    return [(blocks, block) for block, blocks in found.items()]


def reload(operator: bpy.types.Operator, context: bpy.types.Context) -> set[str]:
    """Replaces the scene with the current contents of the file."""
    remembered = scenes.target_of(context.scene)
    path, part, options = remembered.source, remembered.part, json.loads(remembered.options or "{}")
    objects = list(context.scene.objects)
    data = _own_data(objects)
    for one in objects:
        bpy.data.objects.remove(one)
    for blocks, block in data:
        if not block.users:
            blocks.remove(block)
    remembered.source = ""
    return load(operator, context, path, part, options)


def menu(self: Any, context: bpy.types.Context) -> None:
    self.layout.operator(DIORAMA_OT_import.bl_idname, text="Game map or model (diorama)")


CLASSES = (DIORAMA_OT_import, DIORAMA_OT_choose_part, DIORAMA_OT_reload)
