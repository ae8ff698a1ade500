"""States of battle maps: sets of objects and material variants, of which one is shown."""

from __future__ import annotations

from typing import Any

import bpy

from . import glb, scenes

_items: list[tuple[str, str, str]] = []


def _sets(scene: bpy.types.Scene) -> list[tuple[bpy.types.Object, list[str]]]:
    """The parent objects of each state, with the names of their states."""
    out = []
    for one in scene.objects:
        told = scenes.told(one)
        if told.get("kind") == "fft.state" and "states" in told:
            out.append((one, [str(name) for name in told["states"]]))
    return out


def _all(scene: bpy.types.Scene) -> list[str]:
    told = scenes.told(scene)
    names = [str(name) for name in told["states"]] if "states" in told else []
    for _, more in _sets(scene):
        names += [name for name in more if name not in names]
    return names


def count(scene: bpy.types.Scene) -> int:
    return len(_all(scene))


def shown(scene: bpy.types.Scene) -> str:
    """The displayed state."""
    names = _all(scene)
    told = scene.diorama_target.state
    return told if told in names else names[0] if names else ""


def _file_of(one: bpy.types.Object) -> str:
    """The file that contains the mesh of a state."""
    files = [str(scenes.told(below)["file"]) for below in one.children_recursive
             if scenes.told(below).get("kind") == "fft.mesh" and scenes.told(below).get("path") == "primary" and "file" in scenes.told(below)]  # fmt: skip
    return files[0] if files else ""


def file_in(source: str, content: bytes) -> str:
    """The game file to which a battle map scene is applied: the file of its first mesh."""
    whole, _ = glb.read(content)
    for node in whole.get("nodes", []):
        told = glb.told(node)
        if told.get("kind") == "fft.mesh" and told.get("path") == "primary" and told.get("file"):
            return f"{source}/{told['file']}"
    return ""


def exported(scene: bpy.types.Scene, target: str) -> tuple[str, str]:
    """The state to write back, if there are several, and its file."""
    sets = _sets(scene)
    if len(sets) < 2:
        return "", target
    state = shown(scene)
    for one, names in sets:
        if state in names and _file_of(one):
            return state, f"{scene.diorama_target.source}/{_file_of(one)}"
    return state, target


def show(context: bpy.types.Context, state: str) -> None:
    """Shows one state and hides the others."""
    scene = context.scene
    scene.diorama_target.state = state
    names = _all(scene)
    for one, of in _sets(scene):
        visible = state in of
        for below in [one, *one.children_recursive]:
            hidden_layer = any(up.get(glb.HIDDEN) and up is not one for up in _up_to(below, one))
            below.hide_set(not visible or hidden_layer)
    for one in scene.objects:
        if one.type == "MESH":
            _show_variant(one, names.index(state) if state in names else 0)


def _up_to(below: bpy.types.Object, top: bpy.types.Object) -> list[bpy.types.Object]:
    out = []
    while below is not None and below is not top:
        out.append(below)
        below = below.parent
    return out


def _show_variant(one: bpy.types.Object, number: int) -> None:
    """The materials of a variant, as Blender's glTF add-on remembers them."""
    for mapping in getattr(one.data, "gltf2_variant_mesh_data", ()):
        if any(variant.variant.variant_idx == number for variant in mapping.variants):
            if mapping.material_slot_index < len(one.material_slots):
                one.material_slots[mapping.material_slot_index].material = mapping.material


def _state_items(self: Any, context: bpy.types.Context) -> list[tuple[str, str, str]]:
    _items[:] = [(name, name, "") for name in _all(context.scene)] or [(".", "none", "")]
    return _items


class DIORAMA_OT_show_state(bpy.types.Operator):
    """Shows a state of the map: a time of day, weather or arrangement"""

    bl_idname = "diorama.show_state"
    bl_label = "Show State"
    bl_options = {"REGISTER", "UNDO"}

    state: bpy.props.EnumProperty(name="State", items=_state_items)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return count(context.scene) > 1

    def execute(self, context: bpy.types.Context) -> set[str]:
        show(context, self.state)
        return {"FINISHED"}


CLASSES = (DIORAMA_OT_show_state,)
