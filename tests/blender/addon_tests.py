"""Tests of the Blender add-on: the steps in Blender and the expected results. Started by `tests/blender/run`."""
import os, shutil
from pathlib import Path

import process

LAND = "fielddata/land_data/land_data.narc/0"

MOVE_BOX = 'at("GOBJ.entries[0]").location.x += 1'
BOX_MOVED = ["~ GOBJ.entries[0].position.x"]
MOVE_PROP = 'at("props[0]").location.x += 16'
PROP_MOVED = ["~ props[0].position.x"]
RAISE = """
mesh = o("primary").data
top = max(vertex.co.z for vertex in mesh.vertices)
for vertex in mesh.vertices:
    if vertex.co.z == top: vertex.co.z += 28
"""


class Test:
    """One job in Blender on a copy of `file`. `lines`: a prefix for each expected line of `dio diff`; `refused`: part of the error message."""

    def __init__(self, name, file, part="", do="", lines=(), refused=None, compare="", more=None, options=None, **job):
        self.name, self.file, self.part, self.do, self.lines, self.refused = name, file, part, do, lines, refused
        self.compare, self.more, self.options, self.job = compare, more, options or {}, job


def unchanged(file, part="", compare="", **more):
    return Test(f"{file} {part}: exported unchanged", file, part, compare=compare, **more)


def not_exported(file, format):
    return Test(f"{file}: export is refused", file, refused=f"cannot be applied to {format} files", do="facts['objects'] = len(context.scene.objects)")


def courses():
    race = "kmp/race.kmp"
    yield unchanged(race)
    yield unchanged("kmp/arena.kmp")
    yield unchanged("course.szs", "course.kmp", "course.kmp")
    yield Test("a course: a moved object is written", race, do=MOVE_BOX, lines=BOX_MOVED)
    yield Test("a course in an archive: a moved object is written", "course.szs", "course.kmp", MOVE_BOX, BOX_MOVED, compare="course.kmp")
    yield Test("a course: settings edited in the side bar are written", race, lines=["~ GOBJ.entries[0].presence", "~ GOBJ.entries[0].settings[1]"],
               do='field(o("itembox 0"), "presence", 7); field(o("itembox 0"), "settings", 5, 1)')
    yield Test("a course: a named value set in the side bar is written", race, lines=["~ ENPT.entries[0].drift"], do='field(o("enemy point 0"), "drift", "end drift")')
    yield Test("a course: deleting a referenced object is refused", race, lines=["- JGPT.entries[1]"], refused="check box: Clear references",
               do='bpy.data.objects.remove(at("JGPT.entries[1]"))')
    yield Test("a course: unlink deletes a referenced object", race, lines=["- JGPT.entries[1]", "~ CKPT.entries"],
               do='bpy.data.objects.remove(at("JGPT.entries[1]"))', back={"unlink": True})
    yield Test("a course: hidden objects are kept", race, do='[one.hide_set(True) for one in context.scene.objects]')
    yield Test("a course: deleting many objects is refused", race, refused="check box: Remove parts that are missing from the scene",
               do='[bpy.data.objects.remove(at(f"GOBJ.entries[{i}]")) for i in range(5)]')
    yield Test("a course: delete removes many objects", race, lines=["- GOBJ.entries"], back={"delete": True},
               do='[bpy.data.objects.remove(at(f"GOBJ.entries[{i}]")) for i in range(5)]')
    yield Test("a course: a copied object is added and imported again", race, lines=["+ GOBJ.entries[1]"],
               do='c = at("GOBJ.entries[0]").copy(); c.location.x += 2; context.collection.objects.link(c)',
               then='facts["boxes"] = [one.name for one in context.scene.objects if one.name.startswith("itembox")]', more={"boxes": 5})
    yield Test("a course: an unrelated mesh is refused", race, do="bpy.ops.mesh.primitive_cube_add()", refused="check box: Skip changes that cannot be applied")
    yield Test("a course: partly skips an unrelated mesh", race, do="bpy.ops.mesh.primitive_cube_add()\n" + MOVE_BOX, back={"partly": True}, lines=BOX_MOVED)
    yield Test("a course: objects in an excluded collection are kept", race, do="""
hidden = bpy.data.collections.new("hidden")
context.scene.collection.children.link(hidden)
for name in ("itembox 0", "itembox 1", "itembox 2", "itembox 3", "respawn 1"):
    one = o(name)
    hidden.objects.link(one)
    context.scene.collection.objects.unlink(one)
context.view_layer.layer_collection.children["hidden"].exclude = True
""")
    yield Test("a course: saved as .blend, loaded and exported", race, lines=BOX_MOVED, do="""
blend = scenes.target_of(context.scene).target + ".blend"
bpy.ops.wm.save_as_mainfile(filepath=blend)
bpy.ops.wm.open_mainfile(filepath=blend)
""" + "bpy.context.scene.objects['itembox 0'].location.x += 1")
    yield Test("a course: exported twice", race, do=MOVE_BOX + "\nbpy.ops.export_scene.diorama_back()\n" + MOVE_BOX, lines=BOX_MOVED)
    yield Test("a course: a file changed since the import is not overwritten", race, refused="has changed since it was imported",
               do='p = scenes.target_of(context.scene).target; b = open(p, "rb").read(); open(p, "wb").write(b[:-4] + b"\\1\\2\\3\\4")', lines=None)


def maps():
    valley, disc, village = "fft-mesh/valley.fft-mesh", "games/small_tactics.bin", "games/village.nds"
    yield unchanged("land-data/town.bin")
    yield Test("a land: a moved prop is written", "land-data/town.bin", do=MOVE_PROP, lines=PROP_MOVED)
    yield unchanged(village, "land/0", LAND)
    yield unchanged(village, LAND, LAND)
    yield Test("a land in a cartridge: a moved prop is written", village, "land/0", MOVE_PROP, PROP_MOVED, compare=LAND)
    yield Test("a world: export is refused", village, "header/1", refused="a world consists of several files", do=MOVE_PROP)
    ground = 'next(one.name for one in context.scene.objects if one.type == "MESH" and one.visible_get())'
    yield Test("a land: raised ground is written", "land-data/town.bin", do=f"raise_corner({ground}, 16)", lines=["~ model.", "+ model.", "- model.", "> model."])
    yield Test("a land in a cartridge: raised ground is written", village, "land/0", f"raise_corner({ground}, 16)", ["~ model.", "+ model.", "- model.", "> model."], compare=LAND)
    yield Test("a land: raised height plates are refused", "land-data/town.bin", do="raise_corner('heights', 16)", refused="heights: this file cannot store the changed shape")
    for level in (0, 1):
        yield Test(f"a battle map: a raised tile on level {level} is written", valley, do=f"raise_corner('level {level}', 24)", lines=[f"~ terrain.levels[{level}]"])
    yield Test("a battle map: a raised water surface is refused", valley, do="raise_corner('depth 0', 24)", refused="depth 0: this file cannot store the changed shape")
    yield Test("a battle map: a new light is refused", valley, do="bpy.ops.object.light_add(type='POINT')", refused="no place for a new light")
    yield Test("a battle map: an extruded face is refused", valley, refused="cannot be applied", do="""
import bmesh
faces = bmesh.new()
faces.from_mesh(o("primary").data)
faces.faces.ensure_lookup_table()
made = bmesh.ops.extrude_face_region(faces, geom=[faces.faces[0]])
for one in made["geom"]:
    if isinstance(one, bmesh.types.BMVert): one.co.z += 20
faces.to_mesh(o("primary").data)
""")
    yield Test("a land: a deleted prop is removed", "land-data/town.bin", do='bpy.data.objects.remove(at("props[1]"))', lines=["- props[1]"])
    yield Test("a land: a copied prop is added", "land-data/town.bin", lines=["+ props["],
               do='c = at("props[1]").copy(); c.location.x += 32; context.collection.objects.link(c)')
    yield Test("a battle map: exported unchanged at frame 100", disc, "map/1", "context.scene.frame_set(100)", compare="MAP/MAP001.9")
    yield unchanged(valley)
    yield Test("a battle map: a raised mesh is written", valley, do=RAISE, lines=["~ primary.", "~ primary", "~ terrain"])
    yield unchanged(disc, "map/1", "MAP/MAP001.9")
    yield unchanged(disc, "MAP/MAP001.9", "MAP/MAP001.9")
    yield Test("a battle map on a disc: a raised mesh is written", disc, "map/1", RAISE, ["~ primary"], compare="MAP/MAP001.9")
    for state in ("default", "night", "normal-rain", "arrangement=1"):
        yield Test(f"a battle map, state {state}: exported unchanged", disc, "map/1", f"bpy.ops.diorama.show_state(state={state!r})", options={"all_states": True},
                   compare="MAP/MAP001.9", more={"visible": 1},
                   then="facts['visible'] = [one.name for one, _ in states._sets(context.scene) if not one.hide_get()]")
    yield Test("a battle map, state arrangement=1: a raised mesh is written", disc, "map/1", "bpy.ops.diorama.show_state(state='arrangement=1')" + RAISE.replace('o("primary")', 'next(b for a, n in states._sets(context.scene) if n == ["arrangement=1"] for b in a.children_recursive if b.name.startswith("primary"))'),
               ["~ primary"], options={"all_states": True}, compare="MAP/MAP001.13")


def models():
    for file in ("nsbmd/windmill.nsbmd", "nsbmd/banners.nsbmd", "nsbmd/crane.nsbmd", "kcl/types.kcl", "kcl/hills.kcl", "brres/hill.brres", "brres/bending.brres"):
        yield unchanged(file)
    yield Test("a DS model: a moved vertex is written", "nsbmd/meadow.nsbmd", do="raise_corner('meadow', 0.25)", lines=["~ models[0].polygon_count", "~ models[0].triangle_count", "~ models[0].quad_count", *(f"{kind} models[0].shapes[0]" for kind in "~>")])
    yield Test("a collision file: a moved vertex is written", "kcl/box.kcl", do="raise_corner('road: normal _F0000', 100)", lines=["+ positions[4]", "+ normals", "~ prisms[0]", "~ prisms[1]"])
    yield Test("a BRRES model: a moved vertex is written", "brres/hill.brres", do="raise_corner('sign', 8)", lines=["~ models[0].shapes[2].polygons"])
    yield Test("a BRRES model: a moved vertex gets a value of its own if others share it", "brres/hill.brres", do="raise_corner('road', 8)", lines=["~ models[0].positions[0].count", "~ models[0].positions[0].data", "~ models[0].shapes[1]"])
    yield Test("a BRRES model: changed lines are refused", "brres/bending.brres", do="raise_corner('edges', 8)", refused="edges: this file cannot store the changed shape")
    yield Test("a BRRES model: moving a vertex with several bones is refused", "brres/bending.brres", do="raise_corner('skin', 8)", refused="cannot be applied")
    yield Test("a DS model: a new light is refused", "nsbmd/windmill.nsbmd", do="bpy.ops.object.light_add(type='POINT')", refused="no place for a new light")
    yield Test("a course: changed collision is refused", "course.szs", "course.kmp", refused="this file cannot store the changed shape", compare="course.kmp",
               do='raise_corner(next(one.name for one in context.scene.objects if one.type == "MESH" and one.data.get("diorama_shape") and one.data.polygons), 100)')
    yield Test("a DS model: imports its textures and animations", "nsbmd/windmill.nsbmd", more={"actions": 7}, do="""
import shutil
folder = os.path.dirname(scenes.target_of(context.scene).target)
for kind in ("nsbca", "nsbtp"): shutil.copy(os.path.join(os.environ["DIORAMA_SAMPLES"], kind, "windmill." + kind), folder)
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.import_scene.diorama(directory=folder, files=[{"name": "windmill." + kind} for kind in ("nsbmd", "nsbca", "nsbtp")])
facts["actions"] = [one.name for one in bpy.data.actions]
""")


def packs():
    room = "splashpack/scene_v21.splashpack"
    for file in (room, "splashpack/scene_a1.bin", "splashpack/scene_v25.splashpack"): yield unchanged(file)
    yield Test("a pack: a moved trigger is written", room, do='at("triggers[0]").location.x += 50', lines=["~ triggers[0].box.min.x", "~ triggers[0].box.max.x"])
    yield Test("a pack: a moved object is written with its boxes", "splashpack/scene_v20.splashpack", do='at("objects[0]").location.z += 50',
               lines=["~ objects[0].position.y", "~ objects[0].box", "~ bvh_nodes"])
    yield Test("a pack: a moved vertex is written", "splashpack/scene_v20.splashpack", do='raise_corner(at("objects[0]").name, 5)',
               lines=["~ objects[0].triangles", "~ objects[0].box"])


def others():
    yield not_exported("kcl-ds/ds_types.kcl", "kcl-ds")
    yield Test("a map without meshes: import is refused", "fft-gns/bare.GNS", refused="nothing to show", back={})
    yield Test("a cartridge: importing without a part is refused", "games/village.nds", refused="choose one: header/0", back={})
    yield Test("a check lists 8 findings", "kmp/few_sections.kmp", do="""
bpy.ops.diorama.check()
facts['found'] = [one.text for one in context.scene.diorama_lists.findings]
bpy.ops.diorama.check(edited=True)
bpy.ops.diorama.explain_finding()
""", more={"found": 8})
    yield Test("a selected finding selects its object", "kmp/race.kmp", do="""
at("GOBJ.entries[4]")["diorama"]["id"] = 9999
bpy.ops.diorama.check(edited=True)
lists = context.scene.diorama_lists
for i, one in enumerate(lists.findings):
    if one.path.startswith("GOBJ.entries[4]"): lists.active_finding = i
facts['active'] = [context.view_layer.objects.active.name] if context.view_layer.objects.active is at("GOBJ.entries[4]") else []
""", more={"active": 1}, lines=["~ GOBJ.entries[4].id"])
    yield Test("a check lists 6 budget entries", "nsbmd/windmill.nsbmd", do="bpy.ops.diorama.check(); facts['usage'] = [one.name for one in context.scene.diorama_lists.usage]",
               more={"usage": 6})
    yield Test("explains the settings of an enemy point", "kmp/race.kmp", more={"told": 3}, do="facts['told'] = settings.explained(context, o('enemy point 0'))")


def with_program():
    for test in (unchanged("kmp/race.kmp"), unchanged("course.szs", "course.kmp", "course.kmp"), unchanged("games/village.nds", "land/0", LAND),
                 unchanged("fft-mesh/valley.fft-mesh"), unchanged("nsbmd/windmill.nsbmd"), unchanged("kcl/types.kcl"), unchanged("brres/hill.brres"),
                 Test("a course in an archive: a moved object is written", "course.szs", "course.kmp", MOVE_BOX, BOX_MOVED, compare="course.kmp"),
                 Test("a course: deleting many objects is refused", "kmp/race.kmp", refused="check box: Remove parts that are missing from the scene",
                      do='[bpy.data.objects.remove(at(f"GOBJ.entries[{i}]")) for i in range(5)]'),
                 Test("a land in a cartridge: a moved prop is written", "games/village.nds", "land/0", MOVE_PROP, PROP_MOVED, compare=LAND),
                 Test("checks an edited scene", "kmp/race.kmp", do="bpy.ops.diorama.check(edited=True)"),
                 Test("a check lists 6 budget entries", "nsbmd/windmill.nsbmd", do="bpy.ops.diorama.check(); facts['usage'] = [one.name for one in context.scene.diorama_lists.usage]",
                      more={"usage": 6})):
        test.name, test.job["program"] = "with the program: " + test.name, True
        yield test


def makers(folder):
    """(format, sample, operator with its options, expected files)"""
    made = folder / "made"
    yield "nsbmd", "nsbmd/windmill.nsbmd", f'bpy.ops.export_scene.diorama_nsbmd(filepath="{made}/mill.nsbmd", textures="apart")', ["mill.nsbmd", "mill.nsbtx"]
    yield "kcl", "kcl/types.kcl", f'bpy.ops.export_scene.diorama_kcl(filepath="{made}/course.kcl")', ["course.kcl"]
    yield "brres", "brres/bending.brres", f'bpy.ops.export_scene.diorama_brres(filepath="{made}/model.brres", mipmaps=False)', ["model.brres"]
    road = 'bpy.ops.mesh.primitive_torus_add(major_radius=150, minor_radius=8, major_segments=96); bpy.context.object.data.materials.append(bpy.data.materials.new("road"))'
    curve = 'bpy.ops.curve.primitive_bezier_circle_add(radius=150, location=(0, 0, 8)); bpy.context.object.name = "course path"'  # without a bevel
    box = 'bpy.ops.object.empty_add(location=(150, 0, 9)); bpy.context.object.name = "itembox"'
    yield "yaz0", "kcl/types.kcl", f'{road}; {curve}; {box}; bpy.ops.export_scene.diorama_course(filepath="{made}/track.szs", own_files="{folder}/objects")', ["track.szs"]
    yield "splashpack", "splashpack/scene_v21.splashpack", f'bpy.ops.export_scene.diorama_splashpack(filepath="{made}/room.splashpack", scaling=100)', ["room.splashpack", "room.vram", "room.spu"]
    yield "land", "land-data/town.bin", f'bpy.ops.export_scene.diorama_land(filepath="{made}/land.bin")', ["land.bin"]


def run(dio, addon, samples, folder):
    """Yields (name, problem) for each test; the problem is empty if the test passed."""
    copies, tests, jobs = folder / "copies", [], []
    (folder / "made").mkdir()
    (folder / "objects").mkdir()
    shutil.copy(samples / "brres/bending.brres", folder / "objects/itembox.brres")
    shutil.copytree(folder / "course", folder / "packed")
    dio("pack", folder / "packed", "-o", samples / "course.szs", "-q")
    for number, test in enumerate([*courses(), *maps(), *models(), *packs(), *others(), *with_program()]):
        own = copies / str(number) / Path(test.file).name
        own.parent.mkdir(parents=True)
        shutil.copy(samples / test.file, own)
        tests.append((test, own))
        jobs.append({"import": {"filepath": str(own), "part": test.part, **test.options}, "do": test.do, "back": {}, **test.job})
    for name, file, operator, _ in makers(folder):
        jobs.append({"import": {"filepath": str(samples / file)}, "do": operator})
        jobs.append({"import": {"filepath": str(samples / file)}, "do": operator.replace(f"{folder}/made/", f"{folder}/made/p_"), "program": True})
    jobs.append({"import": {"filepath": str(samples / "games/small_game.nds"), "part": "matrix/0"},
                 "do": f'bpy.ops.export_scene.diorama_map(game="{samples}/games/small_game.nds", out="{folder}/made/world.nds")'})
    home = folder / "home"
    home.mkdir()
    told = {"zip": str(addon), "program": str(dio.path), "jobs": jobs}
    answers, printed = process.run("addon.py", told, folder, HOME=str(home), XDG_CONFIG_HOME=str(home), BLENDER_USER_RESOURCES=str(home), DIORAMA_SAMPLES=str(samples))
    if answers is None:
        yield "add-on: Blender starts", printed
        return
    for (test, own), answer in zip(tests, answers):
        yield "add-on: " + test.name, problem_of(dio, test, samples / test.file, own, answer)
    rest = iter(answers[len(tests):])
    for name, file, _, made in makers(folder):
        for prefix in ("", "p_"):
            yield f"add-on: {'with the program: ' if prefix else ''}exports {name}", problem_of_made(dio, folder / "made", [prefix + one for one in made], next(rest))
    yield "add-on: adds a map to a game", problem_of_made(dio, folder / "made", ["world.nds"], next(rest))


def problem_of(dio, test, before, own, answer):
    """The first difference from the expected result; empty if there is none."""
    error = answer["error"]
    if test.job.get("program") and "dio" not in answer["facts"]["backend"]:
        return f"expected the program as the backend, found {answer['facts']['backend']}"
    if test.refused is None and error: return error
    if test.refused is not None and test.refused not in error: return f"expected the refusal {test.refused!r}, found {error!r}"
    for name, count in (test.more or {}).items():
        found = answer["facts"].get(name)
        if not found or len(found) != count: return f"expected {count} {name}, found {found}"
    if test.lines is None: return ""
    same = before.read_bytes() == own.read_bytes()
    lines = () if test.refused else test.lines
    if not lines: return "" if same else "the file changed: " + "\n".join(diff(dio, before, own, test.compare)[:5])
    told = diff(dio, before, own, test.compare)
    for line in lines if not own.name.endswith("mesh") else lines[:1]:
        if not any(one.startswith(line) for one in told): return f"expected {line}, found {told[:8]}"
    others = [one for one in told if not one.startswith(tuple(lines))]
    return f"also changed: {others[:5]}" if others else ""


def diff(dio, before, own, member):
    a, b = (f"{file}/{member}" if member else str(file) for file in (before, own))
    return dio("diff", a, b, code=(0, 1)).splitlines()


def problem_of_made(dio, folder, names, answer):
    if answer["error"]: return answer["error"]
    for name in names:
        if not (folder / name).is_file(): return f"{name} was not written; the folder contains {os.listdir(folder)}"
        dio("info", folder / name)
        dio("verify", folder / name)
    return ""
