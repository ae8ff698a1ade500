"""Runs in Blender: installs the add-on from its zip and runs jobs with it. The argument after `--` is a JSON file: {"zip", "results": file,
"program", "jobs": [...]}. A job: {"import": {...}, "do": lines of Python, "back": {...}, "then": lines of Python, "program": bool}. Writes one
result for each job: {"error", "facts"}. The Python lines of a job may add to `facts`."""
import json, os, sys, traceback

import bpy

with open(sys.argv[sys.argv.index("--") + 1]) as file:
    told = json.load(file)
bpy.ops.preferences.addon_install(filepath=told["zip"], overwrite=True)
bpy.ops.preferences.addon_enable(module="io_diorama")
import io_diorama
from io_diorama import findings, imports, scenes, settings, states

preferences = bpy.context.preferences.addons["io_diorama"].preferences


def find(name, types=()):
    """The object of this scene with this name; with `types`, only objects of these types."""
    found = [one for one in bpy.context.scene.objects if name in (one.name, one.name.rpartition(".")[0]) and (not types or one.type in types)]
    return min(found, key=lambda one: len(one.name))


def at(path):
    return findings.object_at(bpy.context.scene, path)


def raise_corner(name, by):
    """Raises all vertices of a mesh at the position of its first vertex."""
    vertices = find(name, ["MESH"]).data.vertices
    place = vertices[0].co.copy()
    for vertex in vertices:
        if (vertex.co - place).length < 1e-5:
            vertex.co.z += by


def field(one, name, value, index=None):
    """Edits a setting like the side bar."""
    slots = settings.listed(one)
    kind = settings.type_of(one, (name, index), json.loads(bpy.context.scene.diorama_target.booleans or "[]"))
    setattr(one.diorama_values, f"{kind}_{slots.index((name, index))}", value)


def attempt(job, facts):
    """The error of the first operator that failed, or an empty string."""
    known = {"bpy": bpy, "os": os, "o": find, "at": at, "field": field, "facts": facts, "states": states, "scenes": scenes, "imports": imports,
             "settings": settings, "context": bpy.context, "raise_corner": raise_corner}
    for name, operator in (("import", bpy.ops.import_scene.diorama), ("do", None), ("back", bpy.ops.export_scene.diorama_back), ("then", None)):
        if name not in job:
            continue
        try:
            if operator is None:
                exec(job[name], known)
            else:
                operator(**job[name])
        except RuntimeError as error:
            return str(error).strip()
    return ""


results = []
for job in told["jobs"]:
    bpy.ops.wm.read_homefile(use_empty=True)
    preferences = bpy.context.preferences.addons["io_diorama"].preferences
    preferences.program, preferences.prefer_program = told["program"], bool(job.get("program"))
    io_diorama.backend.forget()
    facts = {}
    try:
        error = attempt(job, facts)
    except Exception:
        error = "Python: " + traceback.format_exc()
    facts["backend"] = scenes.current(bpy.context).name
    results.append({"error": error, "facts": facts})
with open(told["results"], "w") as out:
    json.dump(results, out)
