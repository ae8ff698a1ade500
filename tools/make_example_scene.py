#!/usr/bin/env python3
"""Writes a small courtyard as a GLB, the way Blender's exporter writes one: names that end in .001, custom properties flat in extras,
KHR_lights_punctual, COLOR_0, PNG textures that repeat. docs/guide/splashpack-from-blender.md makes a pack of it.

    tools/make_example_scene.py courtyard.glb
"""
import json, math, struct, sys, zlib


def png(width, height, pixel):
    """RGBA, rows from the top."""
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def noise(x, y, seed):
    n = (x * 374761393 + y * 668265263 + seed * 974634777) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return (n ^ (n >> 16)) & 255


def shade(color, percent):
    return tuple(min(255, c * percent // 100) for c in color) + (255,)


def brick(x, y):
    row, column = y // 16, (x + (y // 16 % 2) * 16) % 64 // 32
    if y % 16 < 2 or (x + (row % 2) * 16) % 32 < 2: return shade((150, 145, 135), 90 + noise(x, y, 1) % 20)
    return shade((168, 84, 60), 80 + noise(row, column, 2) % 30 + noise(x, y, 3) % 12)


def paving(x, y):
    edge = x % 16 in (0, 15) or y % 16 in (0, 15)
    return (82, 80, 74, 255) if edge else (shade((140, 136, 120), 84 + 4 * (noise(x // 16, y // 16, 4) % 8)))


def crate(x, y):
    wood = [(146, 102, 58, 255), (132, 90, 50, 255), (120, 80, 42, 255), (104, 70, 38, 255)]
    frame = x < 8 or x > 55 or y < 8 or y > 55
    if frame: return wood[3] if x in (0, 7, 56, 63) or y in (0, 7, 56, 63) else wood[0]
    if abs(x - y) < 5: return wood[1] if abs(x - y) < 4 else wood[3]
    return wood[2] if x % 12 else wood[3]


def fence(x, y):
    bar = x % 8 in (3, 4) or y in (4, 5, 26, 27)
    return (70, 74, 82, 255) if bar and x % 8 != 4 else (40, 42, 48, 255) if bar else (0, 0, 0, 0)


def sign(x, y):
    if x < 2 or x > 61 or y < 2 or y > 29: return (230, 226, 200, 255)
    letter = [("11111", "10000", "11110", "10000", "11111"), ("10001", "01010", "00100", "01010", "10001"), ("01110", "00100", "00100", "00100", "01110"), ("11111", "00100", "00100", "00100", "00100")]
    column, row = (x - 6) // 13, (y - 6) // 4
    if 0 <= column < 4 and 0 <= row < 5 and 0 <= (x - 6) % 13 < 10 and letter[column][row][(x - 6) % 13 // 2] == "1": return (240, 236, 210, 255)
    return (30, 96, 54, 255)


class Glb:
    def __init__(self):
        self.bin = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": "diorama tools/make_example_scene.py"}, "scene": 0, "scenes": [{"name": "Courtyard", "nodes": []}], "nodes": [], "meshes": [], "materials": [],
                     "textures": [], "images": [], "samplers": [{"magFilter": 9729, "minFilter": 9987}], "accessors": [], "bufferViews": []}

    def view(self, data, target=None):
        self.bin += b"\0" * (-len(self.bin) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bin), "byteLength": len(data)}
        if target: view["target"] = target
        self.bin += data
        self.json["bufferViews"].append(view)
        return len(self.json["bufferViews"]) - 1

    def accessor(self, kind, code, component, rows, target=34962, **more):
        flat = [x for row in rows for x in (row if isinstance(row, (tuple, list)) else (row,))]
        a = {"bufferView": self.view(struct.pack(f"<{len(flat)}{code}", *flat), target), "componentType": component, "count": len(rows), "type": kind}
        self.json["accessors"].append(a | more)
        return len(self.json["accessors"]) - 1

    def add(self, list_name, item):
        self.json[list_name].append(item)
        return len(self.json[list_name]) - 1

    def material(self, name, picture=None, size=(64, 64), color=None, mask=False):
        surface = {"metallicFactor": 0, "roughnessFactor": 0.9}
        if picture:
            data = png(*size, picture)
            image = self.add("images", {"bufferView": self.view(data), "mimeType": "image/png", "name": name.lower()})
            surface["baseColorTexture"] = {"index": self.add("textures", {"sampler": 0, "source": image})}
        if color: surface["baseColorFactor"] = color
        material = {"name": name, "doubleSided": True, "pbrMetallicRoughness": surface}
        if mask: material |= {"alphaMode": "MASK", "alphaCutoff": 0.5}
        return self.add("materials", material)

    def mesh(self, name, parts):
        """parts: (material, faces); a face: corners, texture coordinates, colours or None."""
        primitives = []
        for material, faces in parts:
            positions, normals, uvs, colors, indices = [], [], [], [], []
            for corners, coordinates, shades in faces:
                a, b = ([q - p for p, q in zip(corners[0], corners[k])] for k in (1, 2))
                n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
                length = math.sqrt(sum(x * x for x in n))
                first = len(positions)
                positions += corners
                normals += [tuple(x / length for x in n)] * len(corners)
                uvs += coordinates
                if shades: colors += shades
                for k in range(1, len(corners) - 1): indices += [first, first + k, first + k + 1]
            attributes = {"POSITION": self.accessor("VEC3", "f", 5126, positions, min=[min(p[k] for p in positions) for k in range(3)], max=[max(p[k] for p in positions) for k in range(3)]),
                          "NORMAL": self.accessor("VEC3", "f", 5126, normals), "TEXCOORD_0": self.accessor("VEC2", "f", 5126, uvs)}
            if colors: attributes["COLOR_0"] = self.accessor("VEC4", "H", 5123, [tuple(round(c * 65535) for c in color) + (65535,) for color in colors], normalized=True)
            primitives.append({"attributes": attributes, "indices": self.accessor("SCALAR", "H", 5123, indices, 34963), "material": material})
        return self.add("meshes", {"name": name, "primitives": primitives})

    def node(self, name, parent=None, **fields):
        index = self.add("nodes", {"name": name} | fields)
        if parent is None: self.json["scenes"][0]["nodes"].append(index)
        else: self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def lamp(self, name, light, **fields):
        lights = self.json.setdefault("extensions", {}).setdefault("KHR_lights_punctual", {"lights": []})["lights"]
        self.json["extensionsUsed"] = ["KHR_lights_punctual"]
        lights.append({"name": name} | light)
        self.node(name, extensions={"KHR_lights_punctual": {"light": len(lights) - 1}}, **fields)

    def bytes(self):
        self.bin += b"\0" * (-len(self.bin) % 4)
        text = json.dumps(self.json | {"buffers": [{"byteLength": len(self.bin)}]}, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        return struct.pack("<4sIIII4s", b"glTF", 2, 28 + len(text) + len(self.bin), len(text), 0x4E4F534A, b"")[:-4] + text + struct.pack("<I4s", len(self.bin), b"BIN\0") + bytes(self.bin)


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return [x * math.sin(half) for x in axis] + [math.cos(half)]


def quad(a, b, c, d, u, v, shades=None):
    """Counter-clockwise seen from its front; the texture lies u times along ab and v times along bc, upright."""
    return ([a, b, c, d], [(0, v), (u, v), (u, 0), (0, 0)], shades)


def box(x, y, z, u=1, v=1, shades=None):
    """Of these half sizes, standing on the ground."""
    h = 2 * y
    sides = [quad((-x, 0, z), (x, 0, z), (x, h, z), (-x, h, z), u, v), quad((x, 0, z), (x, 0, -z), (x, h, -z), (x, h, z), u, v), quad((x, 0, -z), (-x, 0, -z), (-x, h, -z), (x, h, -z), u, v),
             quad((-x, 0, -z), (-x, 0, z), (-x, h, z), (-x, h, -z), u, v), quad((-x, h, z), (x, h, z), (x, h, -z), (-x, h, -z), u, u)]
    return [(c, t, shades(c) if shades else None) for c, t, _ in sides]


def main(path):
    g = Glb()
    bricks, stones = g.material("Bricks", brick), g.material("Paving", paving, (32, 32))
    wood, bars = g.material("Crate", crate), g.material("Fence", fence, (32, 32), mask=True)
    board, plain = g.material("Sign", sign, (64, 32)), g.material("Stone", color=[0.72, 0.7, 0.62, 1])

    w, d, h = 8, 6, 3  # half of the courtyard's width and depth, and the height of its walls, in metres
    floor = [quad((x, 0, z + 4), (x + 4, 0, z + 4), (x + 4, 0, z), (x, 0, z), 4, 4) for x in range(-w, w, 4) for z in range(-d, d, 4)]
    g.node("Floor", mesh=g.mesh("Floor", [(stones, floor)]))
    walls = [quad((-w, 0, -d), (w, 0, -d), (w, h, -d), (-w, h, -d), 8, 1.5), quad((w, 0, -d), (w, 0, d), (w, h, d), (w, h, -d), 6, 1.5),
             quad((w, 0, d), (-w, 0, d), (-w, h, d), (w, h, d), 8, 1.5), quad((-w, 0, d), (-w, 0, -d), (-w, h, -d), (-w, h, d), 6, 1.5)]
    g.node("Walls", mesh=g.mesh("Walls", [(bricks, walls)]))

    cube = g.mesh("Crate", [(wood, box(0.5, 0.5, 0.5))])
    g.node("Crate", mesh=cube, translation=[-4, 0, -3], extras={"lua": "function onInteract(self)\n  print(\"It is locked.\")\nend\n", "interactable": True, "radius": 2.5})
    g.node("Crate.001", mesh=cube, translation=[-2.7, 0, -3.4], rotation=turn((0, 1, 0), 30))
    g.node("Crate.002", mesh=cube, translation=[-3.5, 1, -3.2], rotation=turn((0, 1, 0), -12), scale=[0.8, 0.8, 0.8])

    def dark_below(corners): return [(0.35, 0.35, 0.38) if y == 0 else (1, 1, 1) for _, y, _ in corners]
    pillar = g.mesh("Pillar", [(plain, box(0.3, 1.5, 0.3, shades=dark_below))])
    for k, x in enumerate((-5, 5)): g.node("Pillar" + (f".{k:03}" if k else ""), mesh=pillar, translation=[x, 0, 2])
    g.node("Fence", mesh=g.mesh("Fence", [(bars, [quad((-2, 0, 0), (2, 0, 0), (2, 1, 0), (-2, 1, 0), 4, 1), quad((2, 0, 0), (-2, 0, 0), (-2, 1, 0), (2, 1, 0), 4, 1)])]), translation=[4, 0, -3])
    g.node("Sign", mesh=g.mesh("Sign", [(board, [quad((-0.8, 0, 0), (0.8, 0, 0), (0.8, 0.8, 0), (-0.8, 0.8, 0), 1, 1)])]), translation=[0, 1.6, -5.95],
           extras={"lua_file": "sign.lua", "lua": "function onCreate(self)\n  print(\"EXIT\")\nend\n"})

    columns, rows = (-7, -4.25, -1.5, 1.5, 4.25, 7), (-1.5, 1.5, 4.5)
    places = [(x, z, to_x, to_z) for x, to_x in zip(columns, columns[1:]) for z, to_z in zip(rows, rows[1:])] + [(-1.5, -5, 1.5, -1.5)]  # the last one: up to the sign
    walk = [([(x, 0, to_z), (to_x, 0, to_z), (to_x, 0, z), (x, 0, z)], [(0, 0)] * 4, None) for x, z, to_x, to_z in places]
    g.node("navmesh", mesh=g.mesh("navmesh", [(plain, walk)]))
    g.node("player_start", translation=[0, 0, 4.2], extras={"height": 1.7})
    crates = g.node("collider_crates", mesh=g.mesh("collider", [(plain, box(1.3, 1, 0.8))]), translation=[-3.4, 0, -3.2])
    g.json["nodes"][crates]["extras"] = {"object": "Crate"}
    g.node("trigger.001", translation=[0, 1, -4.5], scale=[1.5, 1, 1], extras={"lua": "function onTriggerEnter()\n  print(\"The way out.\")\nend\n"})
    g.node("ignore_notes", mesh=pillar, translation=[0, 5, 0])

    g.lamp("Sun", {"type": "directional", "intensity": 1.6, "color": [1, 0.95, 0.85]}, rotation=turn((1, 0, 0), -55), translation=[0, 8, 0])
    g.lamp("Lamp", {"type": "point", "intensity": 12, "color": [1, 0.75, 0.45]}, translation=[-5, 2.6, 0.5])
    g.lamp("Spot", {"type": "spot", "intensity": 60, "spot": {"innerConeAngle": 0.3, "outerConeAngle": 0.6}}, translation=[0, 4, -2], rotation=turn((1, 0, 0), -40))

    with open(path, "wb") as f: f.write(g.bytes())


if __name__ == "__main__":
    if len(sys.argv) != 2: sys.exit(__doc__)
    main(sys.argv[1])
