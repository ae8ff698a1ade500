"""Runs in Blender: imports glTF files, changes things, exports them. After `--` a file with JSON: {"results": file, "jobs": [{"from", "to": {path: whether
with custom properties}, "do": lines of Python}]}, in which `o` finds an object by its name, and the functions here help. For each job the
results have the error, or an empty text."""
import json, sys, traceback

import bpy
import numpy
from mathutils import Vector

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian's importer asks for the old name


def meshes(named=""):
    """The meshes that are drawn, those of skeletons last; or the one of a name. What has no size in the scene is not drawn."""
    found = [one for one in bpy.data.objects if one.type == "MESH" and (one.name == named if named else one.matrix_world.determinant() != 0)]
    return sorted(found, key=lambda one: (one.find_armature() is not None, one.name))


def select(objects):
    bpy.ops.object.select_all(action="DESELECT")
    for one in objects:
        one.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]


def join(objects):
    """As Ctrl J does. What a skeleton moves stays apart."""
    objects = [one for one in objects if one.find_armature() is None]
    if len(objects) > 1:
        select(objects)
        bpy.ops.object.join()


def split(objects):
    """As P, By Loose Parts, does."""
    if not objects:
        return
    select(objects)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")


def apply_transforms():
    """As Ctrl A, All Transforms, does to everything."""
    objects = [one for one in bpy.data.objects if one.type in ("MESH", "EMPTY")]
    select(sorted(objects, key=lambda one: one.type != "MESH"))
    if any(one.type == "MESH" for one in objects):
        bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)


def move_vertex(objects, by):
    """Moves a corner up: all vertices of one mesh that lie in one place."""
    vertices = objects[len(objects) // 2].data.vertices if objects else ()
    place = vertices[len(vertices) // 2].co.copy() if vertices else None
    for vertex in vertices:
        if (vertex.co - place).length < 1e-5:
            vertex.co += Vector((0, 0, by))


def middle_face(objects):
    """The mesh in the middle of the list, in edit mode with one face selected; or nothing, if there is no face."""
    objects = [one for one in objects if one.data.polygons]
    if not objects:
        return None
    one = objects[len(objects) // 2]
    select([one])
    for part in (one.data.vertices, one.data.edges, one.data.polygons):
        part.foreach_set("select", [False] * len(part))
    one.data.polygons[len(one.data.polygons) // 2].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    return one


def delete_face(objects):
    """As X, Faces, does."""
    if middle_face(objects):
        bpy.ops.mesh.delete(type="FACE")
        bpy.ops.object.mode_set(mode="OBJECT")


def add_face(objects, by):
    """As Shift D, Z does: a copy of one face, higher."""
    if middle_face(objects):
        bpy.ops.mesh.duplicate_move(TRANSFORM_OT_translate={"value": (0, 0, by)})
        bpy.ops.object.mode_set(mode="OBJECT")


def rename(objects):
    for number, one in enumerate(objects):
        one.name = f"thing {number}"


def hide(objects):
    """One mesh goes into a collection that is not shown, as programs hide layers."""
    if not objects:
        return
    one, layer = objects[len(objects) // 2], bpy.data.collections.new("hidden")
    bpy.context.scene.collection.children.link(layer)
    for collection in one.users_collection:
        collection.objects.unlink(one)
    layer.objects.link(one)
    bpy.context.view_layer.layer_collection.children["hidden"].exclude = True


def run(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=job["from"])
    exec(job["do"], {**globals(), "o": bpy.data.objects})
    for path, extras in job["to"].items():
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", export_extras=extras)
    return ""


with open(sys.argv[sys.argv.index("--") + 1]) as file:
    told = json.load(file)
results = []
for job in told["jobs"]:
    try:
        results.append(run(job))
    except Exception:
        results.append(traceback.format_exc(limit=3))
with open(told["results"], "w") as out:
    json.dump(results, out)
