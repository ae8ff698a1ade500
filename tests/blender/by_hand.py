"""Round trips through Blender without the add-on: each scene is imported, edited, exported with and without custom properties, and applied to its
file. Exactly the edited parts must change in the file, or dio must report the limit that `expected.py` lists."""
import json, re, shutil
from collections import Counter, defaultdict
from pathlib import Path

import expected
import process
import triangles

#: Edits for files of every format. {by} is replaced by a distance from `BY`.
EDITS = {
    "unchanged": "",
    "another frame rate": "bpy.context.scene.render.fps = 60",
    "joined": "join(meshes())",
    "split": "split(meshes())",
    "transforms applied": "apply_transforms()",
    "moved": "move_vertex(meshes(), {by})",
    "a mesh moved": "move_mesh(meshes(), {by})",
    "an object moved": "move_object(meshes(), {by})",
    "an object copied": "copy_object(meshes(), {by})",
    "a property edited": "edit_property({property})",
    "a material coloured": "color_material(meshes())",
    "a face deleted": "delete_face(meshes())",
    "a face added": "add_face(meshes(), {by})",
    "a face flipped": "flip_face(meshes())",
    "a property added": "add_property(meshes())",
    "renamed": "rename(meshes())",
    "a hidden layer": "hide(meshes())",
}
#: Messages with which dio may refuse an edit: some formats cannot store more or fewer faces, and removing missing parts needs --delete.
MAY_BE_REFUSED = {
    "a face deleted": r"(polygons|triangles) cannot be added or removed|follow several bones",
    "a face added": r"(polygons|triangles) cannot be added or removed|follow several bones",
    "a mesh moved": r"follow several bones",
    "an object moved": r"follow several bones",
    "a property edited": r"edited propert(y is|ies are) not applied",
    "a material coloured": r"edits to the material .* cannot be applied",
    "a face flipped": r"(polygons|triangles) cannot be added or removed|follow several bones",
    "a property added": r"no value for 1 new custom property: .*: of_mine",
    "a marker reshaped": r"itembox 0.*: the mesh|only mark elements: itembox 0",
    "an illustration moved": r"only illustrate an element: ",
    "an object copied": r"(polygons|triangles) cannot be added or removed|follow several bones",
    "a hidden layer": r"--delete|missing from the scene|no (node|mesh) of the scene",
}
#: Messages about edits, which a scene without edits must not cause.
NAMES_EDITS = r"keep their (names|parents)|new custom propert|only (mark|illustrate)"
#: How far a corner is moved, in scene units.
BY = {"nsbmd": 0.25, "land-data": 13, "kcl": 100, "brres": 8, "fft-mesh": 28, "splashpack": 5}
#: Patterns for the lines of `dio diff` after a corner was moved.
PARTS = {"nsbmd": r"models\[\d+\]\.", "land-data": r"model\.", "kcl": "", "brres": r"models\[\d+\]\.(shapes|positions)", "fft-mesh": r"(primary|animated_\d|terrain)\.", "splashpack": r"objects\[\d+\]\.|bvh_nodes|colliders|room_cells"}
FAMILIES = tuple(BY)
#: Files in which the moved corner belongs to a terrain tile, with the expected lines of `dio diff`.
OF_TERRAIN = {"terrain.fft-mesh": ["~ terrain.levels[0]"]}
REFUSALS = (1, 3, 4)  #: exit codes with which dio refuses

#: Edits of a course, each with the expected lines of `dio diff`.
COURSE = {
    "unchanged": ("", []),
    "moved": ('o["itembox 0"].location.x += 1', ["~ GOBJ.entries[0].position.x:"]),
    "deleted": ('bpy.data.objects.remove(o["respawn 1"])', ["- JGPT.entries[1]"]),
    "copied": ('c = o["itembox 0"].copy(); c.location.x += 2; bpy.context.collection.objects.link(c)',
               ['+ GOBJ.entries[1]: {"id": 101, "reference": 0, "position": {"x": 15050.0,']),
    "renamed": ('o["itembox 0"].name = "my box"', []),
    "another frame rate": ("bpy.context.scene.render.fps = 60", []),
    "transforms applied": ("apply_transforms()", []),
    "a hidden layer": ('hide([o["itembox 0"]])', []),
    "properties": ('b = o["itembox 0"]; p = b["diorama"].to_dict(); p["presence"] = 7; p["settings"][0] = 5; b["diorama"] = p',
                   ["~ GOBJ.entries[0].settings[0]: 0 -> 5", "~ GOBJ.entries[0].presence: 63"]),
}
#: Edits of a course that its file cannot store.
REFUSED_IN_COURSE = {
    "a marker reshaped": 'move_vertex([o["itembox 0"]], 1)',
}


class Test:
    """An edit of a file in Blender. `judge(back, scene)` returns what is wrong with the edited file, or an empty string."""

    def __init__(self, family, file, label, edit, do, judge, only_with_properties=False):
        self.family, self.file, self.label, self.edit, self.do, self.judge = family, file, label, edit, do, judge
        self.refusal = MAY_BE_REFUSED.get(edit)  #: the message if dio refuses this edit
        self.exports = {True: None} if only_with_properties else {True: None, False: None}

    def name(self, extras):
        return f"{self.label}, {self.edit}, {'with' if extras else 'without'} custom properties"


def same(dio, file):
    return lambda back, scene: "" if back.read_bytes() == file.read_bytes() else "\n".join(dio("diff", file, back, code=(0, 1)).splitlines()[:6])


def listed(dio, file, lines):
    """Expects exactly these lines of `dio diff`, plus changed references to renumbered elements."""
    def judge(back, scene):
        told = dio("diff", file, back, code=(0, 1)).splitlines()
        lacking = [line for line in lines if not any(one.startswith(line) for one in told)]
        if lacking: return f"expected {lacking[0]}, found {told}"
        own = {line.split(":")[0].split("[")[0].lstrip("~+- ") for line in lines}
        others = [one for one in told if one.lstrip("~+- ").split("[")[0] not in own and not (one.startswith("~") and "respawn" in one)]
        return f"also changed: {others[:5]}" if others else ""
    return judge


def one_corner(dio, family, file, before, folder):
    """Expects one moved corner in the triangles of the file, and no change outside the mesh."""
    def judge(back, scene):
        after = folder / "after.glb"
        dio("convert", back, "-o", after, "-q", "-f", "--as", family)
        changes = [line[2:] for line in dio("diff", file, back, code=(0, 1)).splitlines() if line[:2] in ("~ ", "+ ", "- ", "> ")]
        others = [line for line in changes if not re.match(PARTS[family], line)]
        if others: return f"also changed: {others[:5]}"
        return triangles.moved_corner(before, after, BY[family], BY[family] / 50, colours=family in ("nsbmd", "land-data"))
    return judge


def whole_mesh(dio, family, before, folder, edit):
    """Expects the triangles of one mesh, moved by the same vector, or a moved copy, and no other change."""
    def judge(back, scene):
        after = folder / "after.glb"
        dio("convert", back, "-o", after, "-q", "-f", "--as", family)
        if edit == "an object copied": return triangles.moved_copy(before, after, BY[family] / 50)
        return triangles.moved_mesh(before, after, BY[family] / 50, several=edit == "an object moved")
    return judge


def one_face(dio, family, file, before, folder, edit):
    """Expects one triangle more or less and all others unchanged."""
    if not triangles.Glb(before).by_material(): return same(dio, file)

    def judge(back, scene):
        after = folder / "after.glb"
        dio("convert", back, "-o", after, "-q", "-f", "--as", family)
        return triangles.one_more(before, after) if edit == "a face added" else triangles.one_more(after, before)
    return judge


def editable_property(before):
    """Returns the first custom property that is a number, as (nodes or materials, path, property), or None."""
    document = triangles.Glb(before).document
    for kind in ("nodes", "materials"):
        for one in document.get(kind, ()):
            told = one.get("extras", {}).get("diorama", {})
            for name, value in told.items() if "path" in told else ():
                if isinstance(value, (int, float)) and not isinstance(value, bool): return kind, told["path"], name
    return None


def one_flipped(dio, family, file, before, folder):
    """Expects one triangle, or the triangles of one quad, with the opposite front."""
    if not triangles.Glb(before).by_material(): return same(dio, file)

    def judge(back, scene):
        after = folder / "after.glb"
        dio("convert", back, "-o", after, "-q", "-f", "--as", family)
        return triangles.one_flipped(before, after)
    return judge


def property_said(file, property):
    """Expects a change of the file, if there was a property to edit."""
    return lambda back, scene: "" if (back.read_bytes() != file.read_bytes()) == bool(property) else f"{property} was edited, but the file is the same"


def color_said(dio, file, before):
    """Expects an unchanged file, and an error if the scene has another colour."""
    def colors(scene):
        return {one["name"]: one.get("pbrMetallicRoughness", {}).get("baseColorFactor", [1, 1, 1, 1])[:3] for one in triangles.Glb(scene).document.get("materials", ())}

    def judge(back, scene):
        old, new = colors(before), colors(scene)
        lost = [name for name in old if name in new and any(abs(a - b) > 0.01 for a, b in zip(old[name], new[name]))]
        return f"no message names the edited colour of {lost}" if lost else same(dio, file)(back, scene)
    return judge


def tests_of_file(dio, family, file, label, folder):
    """All edits of a file of a family; none if it has no scene."""
    before = folder / f"{file.name}.glb"
    if "scene.none" in dio("convert", file, "-o", before, "-q", "-f", code=(0, *REFUSALS), errors=True): return
    property = editable_property(before)
    for edit, do in EDITS.items():
        judge = same(dio, file)
        if edit in ("a face deleted", "a face added"): judge = one_face(dio, family, file, before, folder, edit)
        if edit == "a face flipped" and file.name not in OF_TERRAIN: judge = one_flipped(dio, family, file, before, folder)
        if edit in ("a mesh moved", "an object moved", "an object copied"):
            if file.name in OF_TERRAIN: continue
            if triangles.Glb(before).by_material(): judge = whole_mesh(dio, family, before, folder, edit)
        if edit == "a property edited": judge = property_said(file, property)
        if edit == "a material coloured": judge = color_said(dio, file, before)
        if edit == "moved":
            judge = listed(dio, file, OF_TERRAIN[file.name]) if file.name in OF_TERRAIN else one_corner(dio, family, file, before, folder)
        yield Test(family, file, label, edit, do.format(by=BY[family], property=property), judge, only_with_properties=edit == "a property edited")


def tests_of_families(dio, samples, folder):
    for family in FAMILIES:
        for file in sorted((samples / family).iterdir()): yield from tests_of_file(dio, family, file, f"{family}/{file.name}", folder)
    for name, level in (("broken_bridge", 0), ("odd", 1)):
        file = samples / f"fft-mesh/{name}.fft-mesh"
        yield Test("fft-mesh", file, f"fft-mesh/{file.name}", f"level {level} moved", f'move_vertex(meshes("level {level}"), 24)',
                   listed(dio, file, [f"~ terrain.levels[{level}]"]))


def tests_of_courses(dio, samples, folder):
    race, arena = samples / "kmp/race.kmp", samples / "kmp/arena.kmp"
    for edit, (do, lines) in COURSE.items():
        yield Test("kmp", race, "kmp/race.kmp", edit, do, listed(dio, race, lines) if lines else same(dio, race), only_with_properties=edit == "properties")
    for edit, do in REFUSED_IN_COURSE.items():
        yield Test("kmp", race, "kmp/race.kmp", edit, do, lambda back, scene: "the edit was not refused")
    yield Test("kmp", arena, "kmp/arena.kmp", "unchanged", "", same(dio, arena))
    course = make_course(samples, folder)
    yield Test("kmp", course, "a course in a folder", "unchanged", "", same(dio, course))


def make_course(samples, folder):
    """Makes the folder of a course as in an archive, with a collision file and an object model."""
    out = folder / "course"
    out.mkdir()
    for name, to in (("kmp/race.kmp", "course.kmp"), ("together/race.kcl", "course.kcl"), ("brres/bending.brres", "itembox.brres")):
        shutil.copy(samples / name, out / to)
    return out / "course.kmp"


def tests_of_files(dio, files, edits, folder):
    """Each file unchanged, or all edits of it."""
    for file in map(Path, files):
        family = json.loads(dio("info", file, "--json"))["format"]
        if edits and family in FAMILIES:
            yield from tests_of_file(dio, family, file, str(file), folder)
        else:
            yield Test(family, file, str(file), "unchanged", "", same(dio, file))


def place_for(file, folder):
    """A path for the edited file, next to copies of the files that belong to it."""
    place = folder / "back"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for other in file.parent.glob(f"{file.stem}.*"):
        if other != file and other.is_file(): shutil.copy(other, place)
    return place / file.name


def apply(dio, test, scene, back):
    """Applies the scene. Returns exact, changed or refused, and the messages."""
    back.unlink(missing_ok=True)
    said = dio("convert", scene, "--onto", test.file, "-o", back, "-f", "--unlink", code=(0, *REFUSALS), errors=True)
    if not back.exists(): return "refused", said
    problem = test.judge(back, scene)
    if test.edit == "unchanged" and re.search(NAMES_EDITS, said): problem = problem or "a message names an edit"
    return ("changed" if problem else "exact"), problem + ("\n" + said if problem else "")


def outcome(test, extras, became, said):
    """Returns exact, named (a limit that dio reports) or wrong, and the problem."""
    known = expected.find(test.label, test.edit, extras)
    if known is None and became == "refused" and test.refusal: return ("named", "") if re.search(test.refusal, said) else ("wrong", f"{became}: {said}")
    if known is None: return ("exact", "") if became == "exact" else ("wrong", f"{became}: {said}")
    if became != known.became: return "wrong", f"expected: {known.became}, because {known.reason}; found: {became}: {said}"
    if not re.search(known.says, said): return "wrong", f"expected the message {known.says!r}, found: {said}"
    return "named", ""


def run(dio, samples, folder, files, edits=False):
    """Yields (family, name, exact or named or wrong, problem) for each test: of the samples, or of the files alone if `edits`."""
    tests = [] if edits else [*tests_of_courses(dio, samples, folder), *tests_of_families(dio, samples, folder)]
    tests += tests_of_files(dio, files, edits, folder)
    jobs, scenes, needed = [], {}, set()
    for number, test in enumerate(tests):
        if test.file not in scenes:
            scenes[test.file] = folder / f"before_{number}.glb"
            dio("convert", test.file, "-o", scenes[test.file], "-q")
        test.exports = {extras: folder / f"{number}_{extras}.glb" for extras in test.exports}
        jobs.append({"from": str(scenes[test.file]), "to": {str(path): extras for extras, path in test.exports.items()}, "do": test.do})
    results, printed = process.run("in_blender.py", {"jobs": jobs}, folder)
    if results is None:
        yield "", "Blender starts", "wrong", printed
        return
    for test, error in zip(tests, results):
        for extras, scene in test.exports.items():
            try:
                became, said = ("broken", error) if error else apply(dio, test, scene, place_for(test.file, folder))
            except AssertionError as problem:
                became, said = "broken", str(problem)
            needed.add(expected.find(test.label, test.edit, extras))
            yield test.family, test.name(extras), *outcome(test, extras, became, said)
    for row in expected.EXPECTED:
        if row not in needed and not edits: yield "", f"{row.file}, {row.edit}", "wrong", "no test needs this row of expected.py"


def table(results):
    """The lines of a table with a row for each family."""
    counts, names = defaultdict(Counter), ("exact", "named", "wrong")
    for family, _, became, _ in results:
        counts[family][became] += 1
    yield f"{'':12} {'tried':>6} " + " ".join(f"{name:>6}" for name in names)
    for family, count in counts.items():
        yield f"{family:12} {count.total():6} " + " ".join(f"{count[name]:6}" for name in names)
