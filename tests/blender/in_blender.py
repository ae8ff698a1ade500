"""Runs in Blender: imports glTF files, edits and exports them. The argument after `--` is a JSON file: {"results": file, "jobs": [{"from", "to": {path:
whether to export custom properties}, "do": lines of Python}]}. The Python lines may call the functions of this file; `o` maps names to objects.
Writes one result for each job: the error, or an empty string."""
import json, sys, traceback

import bpy
import numpy
from mathutils import Vector

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian's importer asks for the old name


def meshes(named=""):
    """All meshes with a size in the scene, skinned meshes last; with `named`, the mesh with this name."""
    found = [one for one in bpy.data.objects if one.type == "MESH" and (one.name == named if named else one.matrix_world.determinant() != 0)]
    return sorted(found, key=lambda one: (one.find_armature() is not None, one.name))


def select(objects):
    bpy.ops.object.select_all(action="DESELECT")
    for one in objects:
        one.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]


def join(objects):
    """Joins objects like Ctrl J, except skinned meshes."""
    objects = [one for one in objects if one.find_armature() is None]
    if len(objects) > 1:
        select(objects)
        bpy.ops.object.join()


def split(objects):
    """Separates meshes like P, By Loose Parts."""
    if not objects:
        return
    select(objects)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")


def apply_transforms():
    """Applies all transforms of all objects like Ctrl A, All Transforms."""
    objects = [one for one in bpy.data.objects if one.type in ("MESH", "EMPTY")]
    select(sorted(objects, key=lambda one: one.type != "MESH"))
    for one in objects:
        if one.type == "MESH" and one.data.users > 1:
            one.data = one.data.copy()  # Blender refuses meshes of several objects
    if any(one.type == "MESH" for one in objects):
        bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)


def move_vertex(objects, by):
    """Raises a corner: all vertices of one mesh at the same position."""
    vertices = objects[len(objects) // 2].data.vertices if objects else ()
    place = vertices[len(vertices) // 2].co.copy() if vertices else None
    for vertex in vertices:
        if (vertex.co - place).length < 1e-5:
            vertex.co += Vector((0, 0, by))


def middle(objects):
    """Returns the middle one of the meshes with faces, or None."""
    objects = [one for one in objects if one.data.polygons]
    return objects[len(objects) // 2] if objects else None


def move_mesh(objects, by):
    """Raises all vertices of one mesh, as in edit mode."""
    if one := middle(objects):
        for vertex in one.data.vertices:
            vertex.co += Vector((0, 0, by))


def move_object(objects, by):
    """Raises one object."""
    if one := middle(objects):
        one.location.z += by


def copy_object(objects, by):
    """Copies one object with its mesh, like Shift D, and raises the copy."""
    if one := middle(objects):
        copy = one.copy()
        copy.data = one.data.copy()
        copy.location.z += by
        bpy.context.collection.objects.link(copy)


def color_material(objects):
    """Makes the first material of one mesh red."""
    one = middle(objects)
    for slot in one.material_slots if one else ():
        if slot.material and slot.material.node_tree:
            for node in slot.material.node_tree.nodes:
                for socket in [socket for socket in node.inputs if socket.type == "RGBA" and not socket.is_linked]:
                    socket.default_value = (1, 0, 0, 1)
        return


def edit_property(which):
    """Adds 1 to a custom property: (nodes or materials, path, property)."""
    if not which:
        return
    kind, path, key = which
    for one in bpy.data.objects if kind == "nodes" else bpy.data.materials:
        told = one["diorama"].to_dict() if "diorama" in one else {}
        if told.get("path") == path and key in told:
            told[key] += 1
            one["diorama"] = told


def middle_face(objects):
    """Enters edit mode for the middle mesh in the list and selects one face; None if no mesh has faces."""
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
    """Deletes a face like X, Faces."""
    if middle_face(objects):
        bpy.ops.mesh.delete(type="FACE")
        bpy.ops.object.mode_set(mode="OBJECT")


def add_face(objects, by):
    """Copies a face and raises the copy, like Shift D, Z."""
    if middle_face(objects):
        bpy.ops.mesh.duplicate_move(TRANSFORM_OT_translate={"value": (0, 0, by)})
        bpy.ops.object.mode_set(mode="OBJECT")


def flip_face(objects):
    """Turns a face over like Alt N, Flip."""
    if middle_face(objects):
        bpy.ops.mesh.flip_normals()
        bpy.ops.object.mode_set(mode="OBJECT")


def add_property(objects):
    """Adds a custom property to one object."""
    if one := middle(objects):
        one["of_mine"] = 7


def rename(objects):
    for number, one in enumerate(objects):
        one.name = f"thing {number}"


def hide(objects):
    """Moves one mesh to an excluded collection."""
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
