"""Scenes that Blender exports as OBJ become the same files as those that it exports as glTF."""
import json, subprocess, sys
from pathlib import Path

import process

TOOLS = Path(__file__).resolve().parents[2] / "tools"


#: The importer packs pictures into the scene, and the OBJ exporter writes only pictures that are files.
EXPORT = """
for image in bpy.data.images:
    image.filepath_raw, image.file_format = "{folder}/" + image.name + ".png", "PNG"
    image.save()
bpy.ops.wm.obj_export(filepath="{obj}", path_mode="RELATIVE")
"""


def facts(dio, file):
    """Facts that must be equal. OBJ files have no empties, which become bones, and rounding splits normals."""
    told = json.loads(dio("info", file, "--json"))["info"]
    if "types" in told: return {name: told[name] for name in ("prisms", "positions", "types")}
    model = told["models"][0]
    return {**{name: model[name] for name in ("materials", "shapes", "triangles")}, "textures": told["textures"]}


def problem_of(dio, gltf, obj, folder, extension):
    made = [folder / f"made_by_{scene.suffix[1:]}{extension}" for scene in (gltf, obj)]
    for scene, file in zip((gltf, obj), made): dio("convert", scene, "-o", file, "-q", "--partly")
    told = [facts(dio, file) for file in made]
    return "" if told[0] == told[1] else f"glTF: {told[0]}, OBJ: {told[1]}"


def run(dio, folder):
    """Yields (family, name, exact or wrong, problem) for each type of file."""
    folder = folder / "obj"
    folder.mkdir()
    track, gltf, obj = folder / "track.glb", folder / "exported.glb", folder / "exported.obj"
    subprocess.run([sys.executable, TOOLS / "make_example_track.py", track], check=True)
    job = {"from": str(track), "to": {str(gltf): False}, "do": EXPORT.format(folder=folder, obj=obj)}
    results, printed = process.run("in_blender.py", {"jobs": [job]}, folder)
    if results is None or results[0]: yield "obj", "Blender exports OBJ", "wrong", results[0] if results else printed
    else:
        for extension in (".brres", ".kcl"):
            problem = problem_of(dio, gltf, obj, folder, extension)
            yield "obj", f"the example track as OBJ becomes {extension}", "wrong" if problem else "exact", problem
