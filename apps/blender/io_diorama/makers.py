"""File > Export: new game files from the scene, with the options of `dio convert` and of the edit make-map."""

from __future__ import annotations

import os
from typing import Any

import bpy
from bpy_extras.io_utils import ExportHelper

from . import scenes, write_back
from .backend import BackendError, write_file

SIZES = [(str(size), str(size), "") for size in (8, 16, 32, 64, 128, 256, 512, 1024)]


WII_FORMATS = ("auto", "I4", "I8", "IA4", "IA8", "RGB565", "RGB5A3", "RGBA32", "CMPR")


def choices(*words: str) -> list[tuple[str, str, str]]:
    return [(word, word, "") for word in words]


class Maker(ExportHelper):
    """An export of a new file."""

    bl_options = {"REGISTER", "PRESET"}
    format = ""
    fields: tuple[str, ...] = ()  #: its options
    beside = False  #: whether the scene names files in the folder of the .blend file

    visible: bpy.props.BoolProperty(name="Visible Objects", default=True, description="Leave out hidden objects")
    modifiers: bpy.props.BoolProperty(name="Apply Modifiers", default=True, description="Export meshes with their modifiers applied")

    def chosen(self) -> dict[str, Any]:
        """The options that differ from the defaults of the program."""
        out: dict[str, Any] = {}
        for name in self.fields:
            value = getattr(self, name)
            if value != self.rna_type.properties[name].default:
                out[name] = round(value, 6) if isinstance(value, float) else value
        return out

    def boxes(self) -> dict[str, Any]:
        """Options of Blender's exporter."""
        return {"use_visible": self.visible, "export_apply": self.modifiers, "plain_colors": True, "use_mesh_edges": False,
                "use_mesh_vertices": False}  # fmt: skip

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.use_property_split = True
        for name in (*self.fields, "visible", "modifiers"):
            self.layout.prop(self, name)

    def execute(self, context: bpy.types.Context) -> set[str]:
        folder, name = os.path.split(bpy.path.abspath(self.filepath))
        stem = os.path.splitext(name)[0]
        beside = os.path.dirname(bpy.data.filepath) if self.beside and bpy.data.filepath else ""
        try:
            with scenes.SceneFile(context, stem, beside, **self.boxes()) as scene:
                made = scenes.current(context).make(scene, self.format, self.chosen())
            for other, content in made.files.items():
                own = name if other == next(iter(made.files)) else other
                write_file(os.path.join(folder, own), content, backup=False)
        except BackendError as error:
            self.report({"ERROR"}, error.text + (f" ({error.hint})" if error.hint else ""))
            return {"CANCELLED"}
        for note in made.notes:
            self.report({"WARNING" if note.severity in ("warning", "error") else "INFO"}, note.text)
        self.report({"INFO"}, "wrote " + ", ".join(f"{file} ({len(content):,} bytes)" for file, content in made.files.items()))
        return {"FINISHED"}


class DIORAMA_OT_make_nsbmd(Maker, bpy.types.Operator):
    """Turns the scene into a Nintendo DS model with textures and animations"""

    bl_idname, bl_label = "export_scene.diorama_nsbmd", "Export DS Model"
    filename_ext, format = ".nsbmd", "nsbmd"
    fields = ("units_per_metre", "texture_format", "textures", "largest_texture", "quads", "frames")

    filter_glob: bpy.props.StringProperty(default="*.nsbmd", options={"HIDDEN"})
    units_per_metre: bpy.props.FloatProperty(name="Units per Metre", default=1, min=0.0001, description="16 for Pokémon maps, where one tile is one metre")
    texture_format: bpy.props.EnumProperty(
        name="Texture Format", items=choices("auto", "a3i5", "palette4", "palette16", "palette256", "block4x4", "a5i3", "direct"),
        description="auto: the smallest format that shows the picture")  # fmt: skip
    textures: bpy.props.EnumProperty(name="Textures", items=choices("inside", "apart"), description="apart: write the textures to a .nsbtx next to the model")
    largest_texture: bpy.props.EnumProperty(name="Largest Texture", items=SIZES, default="256")
    quads: bpy.props.BoolProperty(name="Quads", default=True, description="Export two coplanar triangles as one quad")
    frames: bpy.props.IntProperty(name="Frames", default=60, min=1, description="Animation frames per second")


class DIORAMA_OT_make_kcl(Maker, bpy.types.Operator):
    """Turns the scene into a Mario Kart Wii collision file. The names of materials state the kind of ground, such as `off-road: grass`"""

    bl_idname, bl_label = "export_scene.diorama_kcl", "Export Course Collision"
    filename_ext, format = ".kcl", "kcl"
    fields = ("units_per_metre", "triangles", "cell")

    filter_glob: bpy.props.StringProperty(default="*.kcl", options={"HIDDEN"})
    units_per_metre: bpy.props.FloatProperty(name="Units per Metre", default=100, min=0.0001)
    triangles: bpy.props.IntProperty(name="Triangles per Cell", default=30, min=1, description="Octree cells with more triangles are split")
    cell: bpy.props.EnumProperty(name="Smallest Cell", items=choices("64", "128", "256", "512", "1024", "2048"), default="512")


class DIORAMA_OT_make_brres(Maker, bpy.types.Operator):
    """Turns the scene into Wii models with textures"""

    bl_idname, bl_label = "export_scene.diorama_brres", "Export Wii Model"
    filename_ext, format = ".brres", "brres"
    fields = ("units_per_metre", "model_name", "texture_format", "largest_texture", "mipmaps")

    filter_glob: bpy.props.StringProperty(default="*.brres", options={"HIDDEN"})
    units_per_metre: bpy.props.FloatProperty(name="Units per Metre", default=100, min=0.0001)
    model_name: bpy.props.StringProperty(name="Model Name", description="Empty: course, or the name of an imported model")
    texture_format: bpy.props.EnumProperty(name="Texture Format", items=choices(*WII_FORMATS))
    largest_texture: bpy.props.EnumProperty(name="Largest Texture", items=SIZES, default="1024")
    mipmaps: bpy.props.BoolProperty(name="Mipmaps", default=True, description="Smaller versions of textures for the distance")


class DIORAMA_OT_make_course(Maker, bpy.types.Operator):
    """Turns the scene into a whole Mario Kart Wii course: a road, and a closed curve along it with the name `course path`"""

    bl_idname, bl_label = "export_scene.diorama_course", "Export Mario Kart Wii Course"
    filename_ext, format = ".szs", "yaz0"
    fields = ("own_files", "units_per_metre", "texture_format", "largest_texture", "mipmaps")

    filter_glob: bpy.props.StringProperty(default="*.szs", options={"HIDDEN"})
    own_files: bpy.props.StringProperty(  # `files` is the selection in a file browser
        name="Files", subtype="DIR_PATH", description="A folder with the files of objects on the course, and with parts that the scene lacks")  # fmt: skip
    units_per_metre: bpy.props.FloatProperty(name="Units per Metre", default=100, min=0.0001)
    texture_format: bpy.props.EnumProperty(name="Texture Format", items=choices(*WII_FORMATS))
    largest_texture: bpy.props.EnumProperty(name="Largest Texture", items=SIZES, default="1024")
    mipmaps: bpy.props.BoolProperty(name="Mipmaps", default=True, description="Smaller versions of textures for the distance")

    def boxes(self) -> dict[str, Any]:
        """With edges, which bare curves become."""
        return {**super().boxes(), "use_mesh_edges": True}

    def chosen(self) -> dict[str, Any]:
        out = super().chosen()
        if "own_files" in out:
            out["files"] = bpy.path.abspath(out.pop("own_files"))
        return out


class DIORAMA_OT_make_splashpack(Maker, bpy.types.Operator):
    """Turns the scene into a PlayStation scene pack. Names and custom properties state the kind of each object"""

    bl_idname, bl_label = "export_scene.diorama_splashpack", "Export PlayStation Scene Pack"
    filename_ext, format, beside = ".splashpack", "splashpack", True
    fields = ("target_layout", "scaling", "axes", "depth", "subdivide", "dither", "lights", "exposure", "ambient")

    filter_glob: bpy.props.StringProperty(default="*.splashpack", options={"HIDDEN"})
    visible: bpy.props.BoolProperty(name="Visible Objects", default=False, description="Leave out hidden objects")
    target_layout: bpy.props.EnumProperty(  # `layout` is where an operator draws its buttons
        name="Layout", items=choices("a1", "a2", "a3", "b", "b2", "c", "d", "e", "v20", "v21", "v22", "v23", "v24"), default="v21")  # fmt: skip
    scaling: bpy.props.FloatProperty(
        name="Scaling", default=100, min=0.001, description="Metres per 1.0 pack unit: 20 is enough for scenes of 160 m")  # fmt: skip
    axes: bpy.props.EnumProperty(name="Axes", items=choices("gltf", "unity"))
    depth: bpy.props.EnumProperty(name="Bits per Texel", items=choices("auto", "4", "8", "16"))
    subdivide: bpy.props.EnumProperty(
        name="Subdivide", items=choices("none", "16", "32", "64", "128", "256"), default="64",
        description="Longest edge of textured triangles, in texels")  # fmt: skip
    dither: bpy.props.BoolProperty(name="Dither")
    lights: bpy.props.EnumProperty(name="Lights", items=choices("bake", "none"))
    exposure: bpy.props.FloatProperty(name="Exposure", default=1, min=0)
    ambient: bpy.props.FloatProperty(name="Ambient", default=0, min=0, max=1, description="The light in places that no lamp reaches")


class DIORAMA_OT_make_land(Maker, bpy.types.Operator):
    """Turns the scene into the land file of one Pokémon Platinum map: model, heights, tiles and props"""

    bl_idname, bl_label = "export_scene.diorama_land", "Export Platinum Land"
    filename_ext, format = ".bin", "land-data"
    fields = ("units_per_metre", "largest_texture", "quads")

    filter_glob: bpy.props.StringProperty(default="*.bin", options={"HIDDEN"})
    units_per_metre: bpy.props.FloatProperty(name="Units per Metre", default=1, min=0.0001, description="A tile is 16 game units wide")
    largest_texture: bpy.props.EnumProperty(name="Largest Texture", items=SIZES, default="256")
    quads: bpy.props.BoolProperty(name="Quads", default=True, description="Export two coplanar triangles as one quad")


class MapOptions:
    """The arguments of make-map."""

    game: bpy.props.StringProperty(name="Game", subtype="FILE_PATH", description="A cartridge image (.nds), an unpacked cartridge, or the decompilation")
    out: bpy.props.StringProperty(
        name="Write To", subtype="FILE_PATH", description="The new cartridge image; if empty, or if the game is a folder, the game is changed in place")  # fmt: skip
    header: bpy.props.StringProperty(name="Header", description="The name or number of the map to replace; not needed for an imported map")
    matrix: bpy.props.StringProperty(name="Matrix", description="A matrix number, or new")
    at: bpy.props.StringProperty(name="At", description="The first cell in the matrix, such as 3,4")
    area: bpy.props.StringProperty(name="Area", description="An area number, or new for an area with its own textures, props and light")
    light: bpy.props.StringProperty(name="Light", description="The number of the light to use")
    middle: bpy.props.StringProperty(name="Middle", description="The centre of the north-west map in metres: X,Z; Z points south")
    units_per_metre: bpy.props.FloatProperty(name="Units per Metre", default=1, min=0.0001, description="16 if one tile is one metre wide")
    largest_texture: bpy.props.EnumProperty(name="Largest Texture", items=SIZES, default="256")
    quads: bpy.props.BoolProperty(name="Quads", default=True)
    visible: bpy.props.BoolProperty(name="Visible Objects", default=False, description="Leave out hidden objects")
    backup: bpy.props.BoolProperty(name="Keep old files as .bak", default=True)

    def words(self) -> list[str]:
        out = [f"{name}={getattr(self, name).strip()}" for name in ("header", "matrix", "at", "area", "light", "middle")
               if getattr(self, name).strip()]  # fmt: skip
        if self.units_per_metre != 1:
            out.append(f"units-per-metre={self.units_per_metre:g}")
        if self.largest_texture != "256":
            out.append(f"largest-texture={self.largest_texture}")
        return out + ([] if self.quads else ["quads=no"])

    def paths(self) -> tuple[str, str]:
        game = bpy.path.abspath(self.game).rstrip("/\\")
        return game, bpy.path.abspath(self.out) or game

    def scene(self, context: bpy.types.Context) -> scenes.SceneFile:
        return scenes.SceneFile(context, use_visible=self.visible, export_apply=True, use_mesh_edges=False, use_mesh_vertices=False)


def _write_map(operator: Any, context: bpy.types.Context) -> set[str]:
    game, out = operator.paths()
    try:
        with operator.scene(context) as scene:
            done = scenes.current(context).write_map(game, scene, operator.words(), out, operator.backup)
    except BackendError as error:
        operator.report({"ERROR"}, error.text + (f" ({error.hint})" if error.hint else ""))
        return {"CANCELLED"}
    for line in done:
        operator.report({"INFO"}, line)
    return {"FINISHED"}


MAP_FIELDS = ("game", "out", "header", "matrix", "at", "area", "light", "middle", "units_per_metre", "largest_texture", "quads", "visible", "backup")


class DIORAMA_OT_make_map(MapOptions, bpy.types.Operator):
    """Turns the scene into a map of a Pokémon game, with its textures, heights and events. Shows the changes before it writes them"""

    bl_idname, bl_label = "export_scene.diorama_map", "Make a Map in a Pokémon Game"
    bl_options = {"REGISTER"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        remembered = scenes.target_of(context.scene)
        if remembered and not self.game:
            self.game = remembered.source
        return context.window_manager.invoke_props_dialog(self, width=480)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.use_property_split = True
        for name in MAP_FIELDS:
            self.layout.prop(self, name)

    def execute(self, context: bpy.types.Context) -> set[str]:
        if bpy.app.background:
            return _write_map(self, context)
        return bpy.ops.diorama.confirm_map("INVOKE_DEFAULT", **{name: getattr(self, name) for name in MAP_FIELDS})


class DIORAMA_OT_confirm_map(MapOptions, bpy.types.Operator):
    """Shows the changes to the game, then writes them"""

    bl_idname, bl_label = "diorama.confirm_map", "Write the Map into the Game"
    bl_options = {"REGISTER", "INTERNAL"}

    lines: bpy.props.CollectionProperty(type=write_back.DIORAMA_Line, options={"HIDDEN", "SKIP_SAVE"})
    active: bpy.props.IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.lines.clear()
        try:
            with self.scene(context) as scene:
                proposal = scenes.current(context).make_map(self.paths()[0], scene, self.words())
        except BackendError as error:
            self.report({"ERROR"}, error.text + (f" ({error.hint})" if error.hint else ""))
            return {"CANCELLED"}
        self._what = proposal.what
        write_back.fill(self.lines, proposal)
        return context.window_manager.invoke_props_dialog(self, width=620)

    def draw(self, context: bpy.types.Context) -> None:
        for line in write_back.wrapped(self._what, 90):
            self.layout.label(text=line)
        self.layout.template_list("DIORAMA_UL_lines", "", self, "lines", self, "active", rows=10)

    def execute(self, context: bpy.types.Context) -> set[str]:
        return _write_map(self, context)


def menu(self: Any, context: bpy.types.Context) -> None:
    for operator, text in ((DIORAMA_OT_make_nsbmd, "DS model (.nsbmd)"), (DIORAMA_OT_make_course, "Mario Kart Wii course (.szs)"),
                           (DIORAMA_OT_make_kcl, "Mario Kart Wii collision (.kcl)"), (DIORAMA_OT_make_brres, "Wii model (.brres)"),
                           (DIORAMA_OT_make_splashpack, "PlayStation scene pack (.splashpack)"), (DIORAMA_OT_make_land, "Platinum land (.bin)"),
                           (DIORAMA_OT_make_map, "Map in a Pokémon game")):  # fmt: skip
        self.layout.operator(operator.bl_idname, text=text)


CLASSES = (DIORAMA_OT_make_nsbmd, DIORAMA_OT_make_course, DIORAMA_OT_make_kcl, DIORAMA_OT_make_brres, DIORAMA_OT_make_splashpack, DIORAMA_OT_make_land, DIORAMA_OT_make_map,
           DIORAMA_OT_confirm_map)  # fmt: skip
