"""diorama for Blender: imports and exports maps and models of classic console games. See docs/guide/blender-addon.md."""

bl_info = {
    "name": "diorama",
    "author": "The diorama authors",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, 3D View > Sidebar > diorama",
    "description": "Import, edit and export maps and models of classic console games",
    "category": "Import-Export",
}

import bpy

from . import backend, findings, imports, makers, panels, scenes, settings, states, write_back
from .backend import BackendError


def _chosen(self, context):
    backend.forget()


class DIORAMA_Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: bpy.props.StringProperty(
        name="dio Program", subtype="FILE_PATH", update=_chosen,
        description="The program to use if the library in the add-on does not load; if empty, dio on the search path")  # fmt: skip
    prefer_program: bpy.props.BoolProperty(name="Use the program instead of the library", update=_chosen)

    def draw(self, context):
        try:
            self.layout.label(text="In use: " + scenes.current(context).name, icon="CHECKMARK")
        except BackendError as error:
            for line in write_back.wrapped(error.text, 100):
                self.layout.label(text=line, icon="ERROR")
        self.layout.prop(self, "program")
        self.layout.prop(self, "prefer_program")


CLASSES = (DIORAMA_Preferences, scenes.DIORAMA_Target, *settings.CLASSES, *findings.CLASSES, *states.CLASSES, *imports.CLASSES,
           *write_back.CLASSES, *makers.CLASSES, *panels.CLASSES)  # fmt: skip


def export_menu(self, context):
    self.layout.separator()
    write_back.menu(self, context)
    makers.menu(self, context)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.diorama_target = bpy.props.PointerProperty(type=scenes.DIORAMA_Target)
    bpy.types.Scene.diorama_lists = bpy.props.PointerProperty(type=findings.DIORAMA_Lists)
    for kind in (bpy.types.Object, bpy.types.Material):
        kind.diorama_values = bpy.props.PointerProperty(type=settings.DIORAMA_Values)
    bpy.types.TOPBAR_MT_file_import.append(imports.menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(imports.menu)
    for kind, name in ((bpy.types.Scene, "diorama_target"), (bpy.types.Scene, "diorama_lists"), (bpy.types.Object, "diorama_values"),
                       (bpy.types.Material, "diorama_values")):  # fmt: skip
        delattr(kind, name)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
    backend.forget()
