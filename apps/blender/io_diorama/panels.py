"""The tab `diorama` in the side bar of the 3D view."""

from __future__ import annotations

import os
from typing import Any

import bpy

from . import findings, imports, scenes, settings, states, write_back


class Tab:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "diorama"


class DIORAMA_PT_file(Tab, bpy.types.Panel):
    bl_idname, bl_label = "DIORAMA_PT_file", "Game File"

    def draw(self, context: bpy.types.Context) -> None:
        layout, remembered = self.layout, scenes.target_of(context.scene)
        if not remembered:
            layout.operator(imports.DIORAMA_OT_import.bl_idname, text="Import", icon="IMPORT")
            return
        column = layout.column(align=True)
        column.label(text=os.path.basename(remembered.source), icon="FILE_3D")
        if remembered.part:
            column.label(text=remembered.part, icon="BLANK1")
        for line in write_back.wrapped(remembered.note, 32) if remembered.note else ():
            column.label(text=line, icon="BLANK1")
        column = layout.column(align=True)
        row = column.row()
        row.enabled = not remembered.note
        row.operator(write_back.DIORAMA_OT_write_back.bl_idname, text="Write Back", icon="EXPORT")
        column.operator(imports.DIORAMA_OT_reload.bl_idname, text="Import Again", icon="FILE_REFRESH")
        if states.count(context.scene) > 1:
            layout.operator_menu_enum(states.DIORAMA_OT_show_state.bl_idname, "state", text=f"State: {states.shown(context.scene)}", icon="LIGHT_SUN")


class DIORAMA_PT_object(Tab, bpy.types.Panel):
    bl_idname, bl_label = "DIORAMA_PT_object", "Selected Object"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and bool(scenes.told(context.object))

    def draw(self, context: bpy.types.Context) -> None:
        one = context.object
        draw_thing(self.layout, context, one, one.name)


class DIORAMA_PT_material(Tab, bpy.types.Panel):
    bl_idname, bl_label = "DIORAMA_PT_material", "Selected Material"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and bool(scenes.told(context.object.active_material))

    def draw(self, context: bpy.types.Context) -> None:
        one = context.object.active_material
        draw_thing(self.layout, context, one, one.name, True)


def draw_thing(layout: Any, context: bpy.types.Context, thing: Any, name: str, material: bool = False) -> None:
    """The diorama data of an object or a material: its kind, its path in the file, and its settings."""
    told = scenes.told(thing)
    row = layout.row()
    row.label(text=name, icon="MATERIAL" if material else "OBJECT_DATA")
    row.operator(settings.DIORAMA_OT_explain.bl_idname, text="", icon="QUESTION").material = material
    column = layout.column(align=True)
    if told.get("kind"):
        column.label(text=str(told["kind"]).rpartition(".")[2].replace("_", " "))
    if told.get("path"):
        column.label(text=str(told["path"]))
    if told.get("file"):
        column.label(text=str(told["file"]))
    settings.draw(layout, context, thing)


class DIORAMA_PT_findings(Tab, bpy.types.Panel):
    bl_idname, bl_label = "DIORAMA_PT_findings", "Findings and Budget"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return findings.DIORAMA_OT_check.poll(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout, lists = self.layout, context.scene.diorama_lists
        row = layout.row(align=True)
        row.operator(findings.DIORAMA_OT_check.bl_idname, text="Check").edited = False
        row.operator(findings.DIORAMA_OT_check.bl_idname, text="Check Edits").edited = True
        if not lists.checked:
            return
        if lists.findings:
            layout.template_list("DIORAMA_UL_findings", "", lists, "findings", lists, "active_finding", rows=4)
            layout.operator(findings.DIORAMA_OT_explain_finding.bl_idname, icon="QUESTION")
            if 0 <= lists.active_finding < len(lists.findings):
                for line in write_back.wrapped(lists.findings[lists.active_finding].text, 32):
                    layout.label(text=line)
        else:
            layout.label(text="No problems found", icon="CHECKMARK")
        column = layout.column(align=True)
        for use in lists.usage:
            row = column.row()
            row.alert = use.over
            row.label(text=f"{use.name}: {use.text}" + (f" ({use.share:.0%})" if use.limited else ""))


CLASSES = (DIORAMA_PT_file, DIORAMA_PT_object, DIORAMA_PT_material, DIORAMA_PT_findings)
