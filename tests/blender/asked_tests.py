"""Edits in Blender of a Wii model with a skin and an animated bone, exported with default options: the triangles of the scene must be those of the edited file."""
from collections import defaultdict

import process
from triangles import Glb, turned

#: A house with a roof, a mill that turns, a flag with bones, and a fence.
MAKE = """
import math
bpy.ops.wm.read_factory_settings(use_empty=True)
def material(name):
    return bpy.data.materials.get(name) or bpy.data.materials.new(name)
def add(name, of, **options):
    getattr(bpy.ops.mesh, "primitive_" + options.pop("shape"))(**options)
    one = bpy.context.object
    one.name = name
    one.data.materials.append(material(of))
    return one
add("house", "bricks", shape="cube_add", size=6, location=(10, 4, 3))
add("roof", "tiles", shape="cone_add", vertices=9, radius1=6, depth=4, location=(10, 4, 8))
add("fence", "wood", shape="grid_add", x_subdivisions=8, y_subdivisions=2, size=12, location=(-9, 0, 2), rotation=(math.pi / 2, 0, 0.4))
mill = add("mill", "wood", shape="cylinder_add", vertices=7, radius=2, depth=5, location=(0, 12, 5))
for frame, turn in ((1, 0), (40, 3)):
    mill.rotation_euler.z = turn
    mill.keyframe_insert("rotation_euler", frame=frame)
bpy.context.scene.frame_set(1)
flag = add("flag", "cloth", shape="grid_add", x_subdivisions=2, y_subdivisions=8, size=8, location=(0, 0, 4), rotation=(math.pi / 2, 0, 0))
bpy.ops.object.transform_apply()
bones = bpy.data.objects.new("pole", bpy.data.armatures.new("pole"))
bpy.context.collection.objects.link(bones)
bpy.context.view_layer.objects.active = bones
bpy.ops.object.mode_set(mode="EDIT")
low, high = (bones.data.edit_bones.new(name) for name in ("low", "high"))
low.head, low.tail, high.head, high.tail, high.parent = (0, 0, 0), (0, 0, 4), (0, 0, 4), (0, 0, 8), low
bpy.ops.object.mode_set(mode="OBJECT")
for bone, least, most in (("low", -1, 4), ("high", 4, 9)):
    flag.vertex_groups.new(name=bone).add([v.index for v in flag.data.vertices if least <= v.co.z < most], 1, "REPLACE")
flag.parent = bones
flag.modifiers.new("bones", "ARMATURE").object = bones
"""

#: Python lines for Blender; names are those of the materials, as the export names its nodes.
EDITS = {
    "unchanged": "",
    "moved": 'o["bricks"].location += Vector((300, 200, -100))',
    "turned": 'o["tiles"].rotation_mode = "XYZ"; o["tiles"].rotation_euler.z += 0.7',
    "scaled": 'o["bricks"].scale *= 1.3',
    "mirrored": 'o["tiles"].scale.x *= -1',
    "copied": 'one = o["tiles"].copy(); one.data = one.data.copy(); one.location.x += 900; o["tiles"].users_collection[0].objects.link(one)',
    "a linked copy": 'one = o["bricks"].copy(); one.location.y -= 900; o["bricks"].users_collection[0].objects.link(one)',
    "removed": 'bpy.data.objects.remove(o["bricks"])',
    "joined": "join([o['bricks'], o['tiles']])",
    "half moved": "split([o['bricks']]); [setattr(one, 'location', one.location + Vector((0, 0, 50))) for one in bpy.context.selected_objects[:1]]",
    "one vertex moved": "move_vertex([o['bricks']], 60)",
    "a face removed": "delete_face([o['tiles']])",
    "faces with another material": "o['bricks'].data.materials.append(bpy.data.materials['tiles']); [setattr(p, 'material_index', 1) for p in o['bricks'].data.polygons[:4]]",
    "a new object": 'bpy.ops.mesh.primitive_cube_add(size=4, location=(20, 20, 20)); bpy.context.object.data.materials.append(bpy.data.materials["tiles"])',
    "a new material": 'bpy.ops.mesh.primitive_cube_add(size=4, location=(20, 20, 20)); bpy.context.object.data.materials.append(bpy.data.materials.new("gold"))',
}


def triangles(path):
    """(material, corners in the scene) of each triangle without skins, counterclockwise."""
    scene, out = Glb(path), []
    nodes = scene.document["nodes"]
    names = [one.get("name") for one in scene.document.get("materials", ())]
    for (places, material, corners), count in scene.world().items():
        if "skin" in nodes[places[-1]]: continue
        mirrored = sum(min(nodes[node].get("scale", (1, 1, 1))) < 0 for node in places) % 2
        points = [place for place, _ in corners]
        out += [(names[material] if material is not None else None, points[::-1] if mirrored else points)] * count
    return out


def difference(asked, found, tolerance=0.02):
    """How many triangles of one list are not in the other."""
    near = defaultdict(list)
    cell = lambda points: tuple(round(sum(p[i] for p in points) / 3 / (4 * tolerance)) for i in range(3))
    for material, points in found: near[material, cell(points)].append(points)
    missing = 0
    for material, points in asked:
        x, y, z = cell(points)
        around = [near[material, (x + i, y + j, z + k)] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
        fits = lambda other: any(max(abs(a - b) for p, q in zip(points, one) for a, b in zip(p, q)) < tolerance for one in turned(other))
        match = next(((place, other) for place in around for other in place if fits(other)), None)
        if match: match[0].remove(match[1])
        else: missing += 1
    return missing, sum(map(len, near.values()))


def problem_of(dio, scene, model, folder):
    new, again = folder / "new.brres", folder / "again.glb"
    dio("convert", scene, "--onto", model, "-o", new, "-f", "-q", "--delete")
    dio("convert", new, "-o", again, "-f", "-q")
    missing, extra = difference(triangles(scene), triangles(again))
    return f"{missing} triangles of the scene are missing, {extra} others are there" if missing or extra else ""


def run(dio, folder):
    """Yields (family, name, exact or wrong, problem) for each edit."""
    folder = folder / "asked"
    folder.mkdir()
    empty, made, model, before = folder / "empty.glb", folder / "made.glb", folder / "house.brres", folder / "before.glb"
    dio("convert", folder.parent / "samples/brres/bending.brres", "-o", empty, "-q")
    results, printed = process.run("in_blender.py", {"jobs": [{"from": str(empty), "to": {str(made): False}, "do": MAKE}]}, folder)
    if results is None or results[0]:
        yield "asked", "Blender makes the model", "wrong", results[0] if results else printed
        return
    dio("convert", made, "-o", model, "-q", "--partly")
    dio("convert", model, "-o", before, "-q")
    jobs = [{"from": str(before), "to": {str(folder / f"{i}.glb"): False}, "do": do} for i, do in enumerate(EDITS.values())]
    results, printed = process.run("in_blender.py", {"jobs": jobs}, folder)
    for i, name in enumerate(EDITS):
        problem = printed if results is None else results[i]
        try:
            problem = problem or problem_of(dio, folder / f"{i}.glb", model, folder)
        except AssertionError as error:
            problem = str(error)
        yield "asked", name, "wrong" if problem else "exact", problem
