"""The diorama data of an object or a material as editable fields. They read and write the custom property `diorama`, which
Write back takes; nothing else is stored."""

from __future__ import annotations

import json
from typing import Any

import bpy

from . import glb, scenes
from .backend import BackendError

SLOTS = 64  #: fields of one object
LONG = 16  #: longer lists are not shown as fields

#: What places an object is edited by moving it; paths and kinds say what it is.
FIXED = {"path", "kind", "file", "position", "rotation", "scale", "polygons", "tiles", "framed", "handles", "digest", "metres_per_unit"}

#: The name of a setting, and the number in its list, or None.
Slot = tuple[str, "int | None"]


def listed(thing: Any) -> list[Slot]:
    """The fields of an object or a material."""
    told, out = scenes.told(thing), []
    for name in told.keys():
        value = told[name]
        if name in FIXED or hasattr(value, "keys") or len(out) >= SLOTS or str(value).startswith(glb.AS_TEXT):
            continue
        if isinstance(value, (int, float, str)):
            out.append((name, None))
        elif hasattr(value, "__len__") and 0 < len(value) <= LONG and isinstance(value[0], (int, float, str)):
            out += [(name, i) for i in range(min(len(value), SLOTS - len(out)))]
    return out


def hidden_count(thing: Any) -> int:
    """The number of values that are not fields."""
    names = {name for name, _ in listed(thing)}
    return sum(1 for name in scenes.told(thing).keys() if name not in names and name not in FIXED)


def get(thing: Any, slot: Slot) -> Any:
    value = scenes.told(thing)[slot[0]]
    return value if slot[1] is None else value[slot[1]]


def put(thing: Any, slot: Slot, value: Any) -> None:
    """Writes a value into the custom property."""
    told, (name, index) = scenes.told(thing), slot
    if index is None:
        told[name] = value
    else:
        changed = list(told[name])
        changed[index] = value
        told[name] = changed
    if isinstance(thing, bpy.types.Object):
        thing.update_tag()


def type_of(thing: Any, slot: Slot, known: list[str]) -> str:
    """The kind of a field: flag, whole, number or text."""
    value = get(thing, slot)
    if isinstance(value, bool) or f"{scenes.told(thing).get('kind', '')}/{slot[0]}" in known:
        return "flag"
    return "whole" if isinstance(value, int) else "number" if isinstance(value, float) else "text"


# ---- what is known of a value ----

_facts: dict[tuple[str, str], dict[str, Any]] = {}


def facts(context: bpy.types.Context, thing: Any, name: str) -> dict[str, Any]:
    """doc, unit and words of a setting, if the file has a value of this name. Cached."""
    remembered, path = scenes.target_of(context.scene), scenes.told(thing).get("path")
    if not remembered or not remembered.target or not path:
        return {}
    key = (remembered.target, f"{path}.{name}")
    if key not in _facts:
        try:
            _facts[key] = scenes.current(context).value(*key)
        except BackendError:
            _facts[key] = {}
    return _facts[key]


def words_of(context: bpy.types.Context, thing: Any, name: str) -> list[str]:
    """The possible values of a text field."""
    return [str(one["word"]) for one in facts(context, thing, name).get("words", ()) if not one.get("flag")]


# ---- fields of Blender: one group with fields for each slot and type ----


def _getter(index: int, empty: Any) -> Any:
    def read(self: Any) -> Any:
        slots = listed(self.id_data)
        value = get(self.id_data, slots[index]) if index < len(slots) else empty
        return type(empty)(value) if isinstance(value, (int, float)) or isinstance(empty, str) else empty

    return read


def _setter(index: int, made: type) -> Any:
    def write(self: Any, value: Any) -> None:
        slots = listed(self.id_data)
        if index < len(slots):
            put(self.id_data, slots[index], int(value) if made is bool else value)

    return write


def _searcher(index: int) -> Any:
    def search(self: Any, context: bpy.types.Context, typed: str) -> list[str]:
        slots = listed(self.id_data)
        words = words_of(context, self.id_data, slots[index][0]) if index < len(slots) else []
        return [word for word in words if typed.lower() in word.lower()]

    return search


def _fields() -> dict[str, Any]:
    out: dict[str, Any] = {}
    for i in range(SLOTS):
        out[f"whole_{i}"] = bpy.props.IntProperty(get=_getter(i, 0), set=_setter(i, int), options={"SKIP_SAVE"})
        out[f"number_{i}"] = bpy.props.FloatProperty(get=_getter(i, 0.0), set=_setter(i, float), precision=4, options={"SKIP_SAVE"})
        out[f"flag_{i}"] = bpy.props.BoolProperty(get=_getter(i, False), set=_setter(i, bool), options={"SKIP_SAVE"})
        out[f"text_{i}"] = bpy.props.StringProperty(get=_getter(i, ""), set=_setter(i, str), search=_searcher(i),
                                                    search_options={"SUGGESTION"}, options={"SKIP_SAVE"})  # fmt: skip
    return out


DIORAMA_Values = type("DIORAMA_Values", (bpy.types.PropertyGroup,), {"__annotations__": _fields(), "__doc__": "Settings of an object"})


def title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def draw(layout: bpy.types.UILayout, context: bpy.types.Context, thing: Any) -> None:
    """The fields of an object or a material."""
    remembered = scenes.target_of(context.scene)
    known = json.loads(remembered.booleans or "[]") if remembered else []
    column = layout.column(align=True)
    column.use_property_split = True
    column.use_property_decorate = False
    before = ""
    for i, slot in enumerate(listed(thing)):
        name, number = slot
        label = title(name) if number is None else f"{title(name) if name != before else ''} {number}"
        if name != before and before:
            column.separator(factor=0.4)
        column.prop(thing.diorama_values, f"{type_of(thing, slot, known)}_{i}", text=label.strip())
        before = name
    left = hidden_count(thing)
    if left:
        layout.label(text=f"{left} more settings in Custom Properties", icon="INFO")


class DIORAMA_OT_explain(bpy.types.Operator):
    """Shows the documentation of the settings of the selected object"""

    bl_idname = "diorama.explain"
    bl_label = "Explain Settings"

    material: bpy.props.BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    def _thing(self, context: bpy.types.Context) -> Any:
        one = context.object
        return one.active_material if self.material and one else one

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_popup(self, width=560)

    def execute(self, context: bpy.types.Context) -> set[str]:
        for name, text in explained(context, self._thing(context)):
            self.report({"INFO"}, f"{name}: {text}")
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        from .write_back import wrapped

        found = explained(context, self._thing(context))
        for name, text in found:
            lines = wrapped(text, 80)
            row = self.layout.split(factor=0.25)
            row.label(text=name)
            column = row.column()
            for line in lines:
                column.label(text=line)
        if not found:
            self.layout.label(text="The file has no documentation of these settings")


def explained(context: bpy.types.Context, thing: Any) -> list[tuple[str, str]]:
    """The documentation of each setting."""
    out, seen = [], set()
    for name, _ in listed(thing):
        if name in seen:
            continue
        seen.add(name)
        known = facts(context, thing, name)
        parts = [str(known[key]) for key in ("doc", "unit") if known.get(key)]
        words = [f"{one['value']} {one['word']}" for one in known.get("words", ())][:12]
        text = "; ".join(parts + ([", ".join(words)] if words else []))
        if text:
            out.append((title(name), text))
    return out


CLASSES = (DIORAMA_Values, DIORAMA_OT_explain)
