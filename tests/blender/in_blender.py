"""Runs in Blender: imports glTF files, changes things, exports them. One JSON text after `--`: a list of
{"from", "to", "extras": bool, "do": lines of Python}, in which `o` finds an object by its name."""
import json, sys

import bpy
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian's importer asks for the old name

for job in json.loads(sys.argv[sys.argv.index("--") + 1]):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=job["from"])
    exec(job["do"], {"bpy": bpy, "o": bpy.data.objects})
    bpy.ops.export_scene.gltf(filepath=job["to"], export_format="GLB", export_extras=job["extras"])
