"""Blender scenes: import and export of glTF, and the data that a scene keeps about its source file."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from array import array
from contextlib import contextmanager
from typing import Any, Iterable, Iterator

import bpy

from . import backend as answers
from . import glb
from .backend import Backend, BackendError, Shown


def current(context: bpy.types.Context) -> Backend:
    """The backend that the preferences select."""
    addon = context.preferences.addons.get(__package__)
    preferences = addon.preferences if addon else None
    program = bpy.path.abspath(preferences.program) if preferences and preferences.program else ""
    return answers.backend(program, bool(preferences and preferences.prefer_program))


def prepare_numpy() -> None:
    """Blender's glTF importer of 3.4 needs numpy, and asks for a name that newer ones do not have."""
    try:
        import numpy
    except ImportError as error:
        raise BackendError("Blender's glTF add-on needs numpy, which this Python does not have; on Debian: "
                           "apt install python3-numpy, and start Blender with PATH=/usr/bin:/bin") from error  # fmt: skip
    if "bool" not in vars(numpy):
        numpy.bool = bool


def enable_gltf() -> None:
    import addon_utils

    if not addon_utils.check("io_scene_gltf2")[1]:
        addon_utils.enable("io_scene_gltf2")
    prepare_numpy()


# ---- what a scene remembers ----


class DIORAMA_Target(bpy.types.PropertyGroup):
    """The source file of a scene."""

    source: bpy.props.StringProperty(name="Source", description="The file that was imported")
    part: bpy.props.StringProperty(name="Part", description="The imported part of the file")
    target: bpy.props.StringProperty(name="Target", description="The file to which the edited scene is applied")
    format: bpy.props.StringProperty(name="Format")
    digest: bpy.props.StringProperty(name="Digest", description="Digest of the target file when it was imported")
    booleans: bpy.props.StringProperty(description="The properties that are true or false")
    options: bpy.props.StringProperty(description="The options of the import")
    note: bpy.props.StringProperty(description="The reason why the scene cannot be written back")
    state: bpy.props.StringProperty(description="The displayed state of the map")


def label_of(target: str) -> str:
    """A short name of a target: game.nds/data/maps.narc/3."""
    outer, inner = answers.split_target(target)
    return os.path.basename(outer) + (f"/{inner}" if inner else "")


def target_of(scene: bpy.types.Scene) -> DIORAMA_Target | None:
    """The data about the source file, if the scene was imported."""
    found = scene.diorama_target
    return found if found.source else None


def told(thing: Any) -> dict[str, Any]:
    """The custom property `diorama` of an object, a material or a scene."""
    found = thing.get("diorama") if thing else None
    return found if hasattr(found, "keys") else {}


# ---- in ----


def _new_scene(context: bpy.types.Context, name: str) -> bpy.types.Scene:
    """A new scene, unless the current one is empty: other objects in the scene would be written back as well."""
    scene = context.scene
    if scene.objects or scene.diorama_target.source:
        scene = bpy.data.scenes.new(name)
        if context.window:
            context.window.scene = scene
    else:
        scene.name = name
    scene.render.fps, scene.render.fps_base = 60, 1.0  # as the consoles; at 24, keys would be lost
    scene.view_settings.view_transform = "Standard"  # colours as the console shows them
    return scene


def _hide_marked(objects: Iterable[bpy.types.Object]) -> None:
    for one in objects:
        if one.get(glb.HIDDEN):
            for below in [one, *one.children_recursive]:
                below.hide_set(True)


def import_glb(context: bpy.types.Context, content: bytes) -> list[bpy.types.Object]:
    """Imports glTF into the scene. Returns the new objects."""
    enable_gltf()
    before = set(bpy.data.objects)
    with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
        path = os.path.join(folder, "scene.glb")
        with open(path, "wb") as out:
            out.write(content)
        told = bpy.ops.import_scene.gltf.get_rna_type().properties
        options = {"filepath": path, "merge_vertices": False, "import_pack_images": True, "import_shading": "NORMALS",
                   "convert_lighting_mode": "COMPAT"}  # fmt: skip
        if "bone_heuristic" in told:
            options["bone_heuristic"] = "TEMPERANCE"
        if "import_scene_extras" in told:
            options["import_scene_extras"] = True
        bpy.ops.import_scene.gltf(**{name: value for name, value in options.items() if name in told})
    return [one for one in bpy.data.objects if one not in before]


def fit_frames(scene: bpy.types.Scene, before: set[bpy.types.Action]) -> None:
    """Sets the frame range of the scene to that of the new actions."""
    last = max((action.frame_range[1] for action in bpy.data.actions if action not in before), default=0)
    if last > 1:
        scene.frame_start, scene.frame_end = 0, max(1, round(last))
    scene.frame_set(0)


def note_of(target: str, format: str) -> str:
    """The reason why a scene cannot be written back, or an empty string."""
    if not target:
        return "a world consists of several files; to edit it, import one of its lands"
    if format in answers.TAKES_BACK:
        return ""
    new = "; export a new file instead (File > Export)" if format in answers.MAKES else ""
    return f"edited scenes cannot be applied to {format} files{new}"


SHAPE = "diorama_shape"  #: the custom property with the shape that a mesh had when it was imported


def shape_of(mesh: bpy.types.Mesh) -> str:
    """A digest of the vertex positions and face corners."""
    places, corners = array("f", bytes(12 * len(mesh.vertices))), array("i", bytes(4 * len(mesh.loops)))
    mesh.vertices.foreach_get("co", places)
    mesh.loops.foreach_get("vertex_index", corners)
    return answers.digest_of(places.tobytes() + corners.tobytes())


#: Formats that take other shapes of meshes; the library says what it does not take of them.
TAKES_SHAPES = ("fft-mesh", "nsbmd", "land-data", "kcl", "brres", "splashpack")
#: Meshes that only show other values of the file, or other files: ground heights, prop models, water. They are not read back.
DRAWN_ONLY = ("platinum.heights", "platinum.prop", "fft.depth")


def _takes_shape(one: bpy.types.Object, format: str) -> bool:
    """Whether files of a format can store a changed mesh shape."""
    above = [one]
    while above[-1].parent:
        above.append(above[-1].parent)
    if format not in TAKES_SHAPES or any(told(node).get("kind") in DRAWN_ONLY for node in above):
        return False
    return bool(one.data.polygons) or not one.data.edges  # lines stay as they are


def unheard(scene: bpy.types.Scene, format: str) -> list[str]:
    """Changes that the format cannot store and the library does not report: shapes of meshes that are only displayed, and new lights."""
    out, seen = [], set()
    for one in scene.objects:
        if one.type == "LIGHT" and not told(one):
            out.append(f"{one.name}: the file has no place for a new light")
        if one.type != "MESH" or one.data in seen or SHAPE not in one.data:
            continue
        seen.add(one.data)
        if not _takes_shape(one, format) and one.data[SHAPE] != shape_of(one.data):
            out.append(f"{one.name}: this file cannot store the changed shape")
    return out


def show_in(context: bpy.types.Context, source: str, part: str, shown: Shown, format: str, digest: str, options: dict) -> list:
    """Shows imported content in a new scene. Returns the objects."""
    content, known = glb.for_blender(shown.glb)
    label = os.path.basename(source.rstrip("/\\")) + (f" {part}" if part else "")
    scene = _new_scene(context, label[-60:])
    actions = set(bpy.data.actions)
    objects = import_glb(context, content)
    for mesh in {one.data for one in objects if one.type == "MESH"}:
        mesh[SHAPE] = shape_of(mesh)
    _hide_marked(objects)
    fit_frames(scene, actions)
    remembered = scene.diorama_target
    remembered.source, remembered.part, remembered.target = source, part, shown.target
    remembered.format, remembered.digest = format, digest
    remembered.booleans, remembered.options = json.dumps(known), json.dumps(options)
    remembered.note = note_of(shown.target, format)
    if context.window and not bpy.app.background:
        _frame_view(context, objects)
    return objects


def _frame_view(context: bpy.types.Context, objects: list[bpy.types.Object]) -> None:
    """Frames the objects in the view and shows their textures."""
    meshes = [one for one in objects if one.type == "MESH" and one.visible_get()]
    size = max((max(one.dimensions) for one in meshes), default=1)
    for one in objects:
        if one.type == "CAMERA" and one.data.type == "ORTHO":  # drawn as large as what it sees
            one.hide_set(True)
        elif one.type == "CAMERA":
            one.data.display_size = size * 0.03
    for area in context.window.screen.areas:
        if area.type != "VIEW_3D":
            continue
        space = area.spaces.active
        space.clip_start, space.clip_end = max(size / 10000, 0.001), max(1000, size * 10)
        space.overlay.show_relationship_lines = False
        if space.shading.type == "SOLID":
            space.shading.color_type = "TEXTURE"
            if any(image.size[0] for image in bpy.data.images):
                space.shading.light = "FLAT"
        region = next((one for one in area.regions if one.type == "WINDOW"), None)
        if region and hasattr(context, "temp_override"):
            with context.temp_override(window=context.window, area=area, region=region):
                _show_all(context, meshes)


def _show_all(context: bpy.types.Context, meshes: list[bpy.types.Object]) -> None:
    for one in context.selected_objects:
        one.select_set(False)
    for one in meshes:
        one.select_set(True)
    bpy.ops.view3d.view_selected()
    for one in meshes:
        one.select_set(False)


# ---- out ----

#: The boxes of Blender's exporter, under the names that its versions give them. Hidden layers, cameras, lights and custom properties are
#: parts of the file: without them, `convert --onto` would take them for deleted.
BOXES = {
    "export_format": "GLB", "export_extras": True, "export_cameras": True, "export_lights": True, "export_attributes": True,
    "export_normals": True, "export_texcoords": True, "export_colors": True, "export_yup": True, "export_apply": False,
    "use_selection": False, "use_visible": False, "use_renderable": False, "use_active_collection": False, "use_active_scene": True,
    "export_materials": "EXPORT", "export_image_format": "AUTO", "export_animations": True, "export_frame_range": False,
    "export_force_sampling": True, "export_skins": True, "export_morph": True, "convert_lighting_mode": "COMPAT",
    "export_import_convert_lighting_mode": "COMPAT", "export_draco_mesh_compression_enable": False, "export_current_frame": False,
    "export_vertex_color": "ACTIVE", "export_all_vertex_colors": True, "export_active_vertex_color_when_no_material": True,
    "export_unused_images": False, "export_animation_mode": "ACTIONS", "export_anim_slide_to_zero": False,
    "export_optimize_animation_size": False, "export_gn_mesh": False, "export_gpu_instances": False, "will_save_settings": False,
    "use_mesh_edges": True, "use_mesh_vertices": True, "export_hierarchy_flatten_objs": False, "check_existing": False,
}  # fmt: skip


def export_options() -> dict[str, Any]:
    """The export options that this version of Blender has."""
    has = bpy.ops.export_scene.gltf.get_rna_type().properties
    out = {}
    for name, value in BOXES.items():
        if name not in has:
            continue
        if has[name].type == "ENUM" and value not in {item.identifier for item in has[name].enum_items}:
            continue
        out[name] = value
    return out


@contextmanager
def poses_kept(scene: bpy.types.Scene) -> Iterator[None]:
    """Blender's exporter of 3.4 plays all animations and leaves what they moved where it is then: the next export would take that for
    an edit."""
    kept = []
    for one in scene.objects:
        bones = [(bone, bone.matrix_basis.copy()) for bone in one.pose.bones] if one.pose else []
        data = one.animation_data
        tracks = [(track, track.mute, track.is_solo) for track in data.nla_tracks] if data else []
        kept.append((one, one.location.copy(), one.rotation_quaternion.copy(), one.rotation_euler.copy(),
                     one.scale.copy(), data, data.action if data else None, tracks, bones))  # fmt: skip
    frame = scene.frame_current
    try:
        yield
    finally:
        scene.frame_set(frame)
        for one, location, quaternion, euler, scale, data, action, tracks, bones in kept:
            if data:
                for track, mute, solo in tracks:
                    track.mute, track.is_solo = mute, solo
                data.action = action
            one.location, one.rotation_quaternion, one.rotation_euler, one.scale = location, quaternion, euler, scale
            for bone, basis in bones:
                bone.matrix_basis = basis


def export_glb(context: bpy.types.Context, state: str = "", **more: Any) -> bytes:
    """The scene as glTF with these export options. `more`: other options. `plain_colors`: for new files."""
    enable_gltf()
    if context.mode != "OBJECT" and context.view_layer.objects.active:
        bpy.ops.object.mode_set(mode="OBJECT")  # what is being edited is not in the objects yet
    plain = more.pop("plain_colors", False)
    options = {**export_options(), **{name: value for name, value in more.items() if name in export_options()}}
    with tempfile.TemporaryDirectory(prefix="diorama-") as folder:
        path = os.path.join(folder, "scene.glb")
        with poses_kept(context.scene):
            result = bpy.ops.export_scene.gltf(filepath=path, **options)
        if "FINISHED" not in result or not os.path.exists(path):
            raise BackendError("Blender's exporter has written no file")
        with open(path, "rb") as file:
            content = file.read()
    return glb.from_blender(content, state, plain)


class SceneFile:
    """Context manager: the scene as a .glb in a temporary folder. New files get the name of the .glb."""

    def __init__(self, context: bpy.types.Context, name: str = "scene", beside: str = "", **options: Any) -> None:
        self._content, self._name, self._beside = export_glb(context, **options), name, beside

    def __enter__(self) -> str:
        self._folder = tempfile.TemporaryDirectory(prefix="diorama-")
        for file in os.scandir(self._beside) if self._beside else ():
            if file.is_file() and file.name.endswith((".lua", ".wav", ".vag", ".json", ".png")):
                shutil.copy(file.path, self._folder.name)
        path = os.path.join(self._folder.name, f"{self._name}.glb")
        with open(path, "wb") as out:
            out.write(self._content)
        return path

    def __exit__(self, *_: Any) -> None:
        self._folder.cleanup()
