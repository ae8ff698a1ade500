"""Writes the scenes of tools/make_example_town.py and make_example_track.py: in Blender they are built and exported; without Blender they are
written the way Blender's exporter would write them. X is east, Y north, Z up, as in Blender.
"""
import math, sys
from pathlib import Path

try:
    import bpy
except ImportError:
    bpy = None
    from make_example_scene import Glb


class InBlender:
    def __init__(self, name):
        for o in list(bpy.data.objects): bpy.data.objects.remove(o)
        bpy.context.scene.name = name
        bpy.context.scene.render.fps = 60
        self.materials = {}

    def material(self, key, name, picture, size, pixel, clip, **properties):
        image = bpy.data.images.new(picture, size, size, alpha=True)
        image.pixels = [c / 255 for y in range(size) for x in range(size) for c in pixel(x, size - 1 - y)]  # its rows go up
        image.pack()
        made = self.materials[key] = bpy.data.materials.new(name)
        made.use_nodes, made.use_backface_culling = True, not clip
        nodes, links = made.node_tree.nodes, made.node_tree.links
        texture = nodes.new("ShaderNodeTexImage")
        texture.image, texture.interpolation = image, "Closest"
        links.new(texture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
        if clip:
            links.new(texture.outputs["Alpha"], nodes["Principled BSDF"].inputs["Alpha"])
            made.blend_method = "CLIP"
        for property_name, value in properties.items(): made[property_name] = value

    def mesh(self, faces):
        mesh = bpy.data.meshes.new(faces.name)
        mesh.from_pydata(faces.points, [], [[4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3] for i in range(len(faces.kinds))])
        used = sorted(set(faces.kinds))
        for kind in used: mesh.materials.append(self.materials[kind])
        layer = mesh.uv_layers.new(name="UVMap")
        for polygon, kind in zip(mesh.polygons, faces.kinds): polygon.material_index = used.index(kind)
        for i, uv in enumerate(faces.uvs): layer.data[i].uv = uv
        mesh.update()
        return mesh

    def object(self, name, mesh, at, parent=None, size=1.0, **properties):
        made = bpy.data.objects.new(name, mesh)
        made.location, made.scale, made.parent = at, (size, size, size), parent
        for key, value in properties.items(): made[key] = value
        bpy.context.scene.collection.objects.link(made)
        return made

    def curve(self, name, points, closed):
        """With a bevel: the exporter omits bare curves."""
        made = bpy.data.curves.new(name, "CURVE")
        made.dimensions, made.bevel_depth, made.bevel_resolution = "3D", 0.5, 0
        line = made.splines.new("POLY")
        line.points.add(len(points) - 1)
        for point, (x, y, z) in zip(line.points, points): point.co = (x, y, z, 1)
        line.use_cyclic_u = closed
        return self.object(name, made, (0, 0, 0))

    def spin(self, made, frames):
        """Once around Y."""
        for frame in range(0, frames + 1, 10):
            made.rotation_euler = (0, frame / frames * 2 * math.pi, 0)
            made.keyframe_insert("rotation_euler", frame=frame)
        for curve in made.animation_data.action.fcurves:
            for key in curve.keyframe_points: key.interpolation = "LINEAR"

    def save(self, path):
        bpy.context.scene.frame_end = 120
        bpy.ops.export_scene.gltf(filepath=str(Path(path).absolute()), export_format="GLB", export_yup=True, export_extras=True, export_apply=True)


class Here:
    def __init__(self, name):
        self.glb, self.materials = Glb(), {}
        self.glb.json["scenes"][0]["name"] = name
        self.glb.json["samplers"] = [{"magFilter": 9728, "minFilter": 9984}]

    def material(self, key, name, picture, size, pixel, clip, **properties):
        made = self.materials[key] = self.glb.material(name, pixel, (size, size), mask=clip)
        self.glb.json["images"][-1]["name"] = picture
        if not clip: del self.glb.json["materials"][made]["doubleSided"]
        if properties: self.glb.json["materials"][made]["extras"] = properties

    def mesh(self, faces):
        parts = []
        for kind in sorted(set(faces.kinds)):
            quads = [i for i, k in enumerate(faces.kinds) if k == kind]
            parts.append((self.materials[kind], [([(x, z, -y) for x, y, z in faces.points[4 * i:4 * i + 4]], [(u, 1 - v) for u, v in faces.uvs[4 * i:4 * i + 4]], None) for i in quads]))
        return self.glb.mesh(faces.name, parts)

    def object(self, name, mesh, at, parent=None, size=1.0, **properties):
        fields = {"translation": [at[0], at[2], -at[1]]}
        if size != 1: fields["scale"] = [size] * 3
        if mesh is not None: fields["mesh"] = mesh
        if properties: fields["extras"] = properties
        return self.glb.node(name, parent, **fields)

    def curve(self, name, points, closed):
        """A tube with a square cross section."""
        rings = []
        for i, (x, y, z) in enumerate(points):
            a, b = (points[(i + k) % len(points)] if closed else points[max(0, min(len(points) - 1, i + k))] for k in (-1, 1))
            dx, dy = b[0] - a[0], b[1] - a[1]
            length = math.hypot(dx, dy)
            side = (-dy / length * 0.5, dx / length * 0.5)
            rings.append([(x + side[0], y + side[1], z), (x, y, z + 0.5), (x - side[0], y - side[1], z), (x, y, z - 0.5)])
        faces = Faces(name)
        for i in range(len(points) if closed else len(points) - 1):
            ring, after = rings[i], rings[(i + 1) % len(points)]
            for k in range(4): faces.quad(None, [ring[k], after[k], after[(k + 1) % 4], ring[(k + 1) % 4]], [(0, 0)] * 4)
        self.materials[None] = None
        mesh = self.mesh(faces)
        for primitive in self.glb.json["meshes"][mesh]["primitives"]: del primitive["material"]
        return self.object(name, mesh, (0, 0, 0))

    def spin(self, made, frames):
        times = [frame / 60 for frame in range(0, frames + 1, 10)]
        turns = [(0, 0, -math.sin(t / times[-1] * math.pi), math.cos(t / times[-1] * math.pi)) for t in times]
        sampler = {"input": self.glb.accessor("SCALAR", "f", 5126, times, None, min=[0], max=[times[-1]]), "output": self.glb.accessor("VEC4", "f", 5126, turns, None), "interpolation": "LINEAR"}
        self.glb.json.setdefault("animations", []).append({"name": "spin", "samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": made, "path": "rotation"}}]})

    def save(self, path): Path(path).write_bytes(self.glb.bytes())


class Faces:
    """Quads with materials and texture coordinates, which become one object."""

    def __init__(self, name):
        self.name, self.points, self.uvs, self.kinds = name, [], [], []

    def quad(self, kind, corners, uv=None):
        """Counterclockwise, seen from the side that is shown."""
        self.points += corners
        self.kinds.append(kind)
        if uv is None:
            def length(a, b): return math.dist(a, b)
            u, v = length(corners[0], corners[1]), length(corners[1], corners[2])
            uv = [(0, 0), (u, 0), (u, v), (0, v)]
        self.uvs += uv


def noise(x, y, seed):
    n = (x * 374761393 + y * 668265263 + seed * 974634777) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 255) / 255


def steps(colors, seed):
    return lambda x, y: colors[int(noise(x, y, seed) * len(colors) * 0.999)] + (255,)


def save(out, usage):
    """Where the command says."""
    if bpy: out.save(sys.argv[sys.argv.index("--") + 1])
    elif len(sys.argv) == 2: out.save(sys.argv[1])
    else: sys.exit(usage)
