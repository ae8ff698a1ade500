"""What scenes of SPLASHPACK are as glTF, worked out from the documents: packs as triangles in the world, GLBs read for
that (plain glTF 2.0, any nodes on top), and GLBs made.

Raw is a unit of the file, 4096 of which are `scaling` units of the world. The world's axes are (x, -y, -z) of the
file's, or (-x, -y, z) by the way of Unity; a pack's front is the other way round.
"""
import json
import math
import struct
import zlib

import nitro_glb
import splashpack_files as files
from nitro_run import NO_TRANSFORM, apply, times

ONE, SCALING = 4096, 100.0
AXES = {"default": (1, -1, -1), "unity": (-1, -1, 1)}


def world(raw, scaling=SCALING, axes="default"):
    return tuple(v * sign * scaling / ONE for v, sign in zip(raw, AXES[axes]))


def turned(rotation, raw):
    """A place of a mesh by the nine numbers of an object, row by row."""
    return tuple(sum(rotation[3 * row + i] * raw[i] for i in range(3)) / ONE for row in range(3))


def is_rotation(rotation, slack=16):
    """Rows of length one, square to each other, not mirrored."""
    a, b, c = (rotation[i:i + 3] for i in (0, 3, 6))
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return all(abs(math.dist(row, (0, 0, 0)) - ONE) < slack for row in (a, b, c)) and \
        all(abs(x / ONE - y) < slack for x, y in zip(cross, c))


def srgb(linear):
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def linear(srgb_):
    return srgb_ / 12.92 if srgb_ <= 0.04045 else ((srgb_ + 0.055) / 1.055) ** 2.4


# ---- a pack ----------------------------------------------------------------------------------------------------------

class Corner:
    """raw: the place in the mesh. color: three bytes. uv: texels of the page. texel: the word they show."""

    def __init__(self, raw, color, uv):
        self.raw, self.color, self.uv = tuple(raw), tuple(color[:3]), tuple(uv)


class Triangle:
    """corners: as glTF has them, in front counter-clockwise. page: None without texture. word(u, v): a texel."""

    def __init__(self, source, page, clut, memory):
        corners = [Corner(source[f"v{i}"], source[f"c{i}"], source[f"uv{i}"]) for i in (0, 2, 1)]
        self.corners, self.page, self.clut, self.memory, self.bones = corners, page, clut, memory, None

    def word(self, u, v):
        if self.page is None or self.clut is None and files.tpage(self.page)[3] < 2:
            return None
        return self.memory.texel(self.page, self.clut, u, v)


def triangles_of(pack, one, memory):
    form, made = pack["form"], []
    for t in one["triangles"]:
        page = t.get("tpage", one.get("tpage"))
        if files.is_late(form) and page == files.UNTEXTURED:
            made.append(Triangle(t, None, None, memory))
            continue
        if form == "a1":
            clut = None
        else:
            source = one if form == "a2" else t
            clut = source["clut_x"] * 16, source["clut_y"]
        made.append(Triangle(t, page, clut, memory))
    return made


def color8(word):
    """Red, green, blue and alpha of a texel, of 255."""
    if word == 0:
        return 0, 0, 0, 0
    return tuple(v << 3 | v >> 2 for v in files.rgb(word)[:3]) + (255,)


# ---- a GLB -----------------------------------------------------------------------------------------------------------

class Scene(nitro_glb.Glb):
    """Nodes may lie on top as they like."""

    def _read_nodes(self):
        self.nodes = self.json.get("nodes", [])
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", ())}
        self.roots = self.json["scenes"][self.json.get("scene", 0)].get("nodes", [])
        self.order, waiting = [], list(reversed(self.roots))
        while waiting:
            self.order.append(waiting.pop())
            waiting += reversed(self.nodes[self.order[-1]].get("children", ()))
        self.metres = 1

    def local(self, index):
        node = self.nodes[index]
        if "matrix" in node:
            m = node["matrix"]
            return [*m[0:3], *m[4:7], *m[8:11], *m[12:15]]
        scale = node.get("scale", (1, 1, 1))
        if not node.get("extensions", {}).get("KHR_node_visibility", {}).get("visible", True) and not any(scale):
            scale = 1, 1, 1  # hidden a second time, for programs that do not know visibility
        return nitro_glb.from_parts(node.get("translation", (0, 0, 0)), node.get("rotation", (0, 0, 0, 1)), scale)

    def place(self, index, below=None):
        """The transform of a node to the world, or to the node `below`."""
        above = NO_TRANSFORM if self.parents.get(index) == below else self.place(self.parents[index], below)
        return times(above, self.local(index))

    def skinned(self, node):
        """What hangs on bones of a node."""
        return [p for p in self.primitives if p.skin is not None and
                node in (self.parents.get(j) for j in self.json["skins"][p.skin]["joints"])]

    def bones(self, skin, node, animation, time):
        """How the bones of a skin turn and move the mesh of `node`, beside its own place. They hang on it."""
        source, made = self.json["skins"][skin], []
        binds = self.accessor(source["inverseBindMatrices"]) if "inverseBindMatrices" in source else None
        for i, joint in enumerate(source["joints"]):
            parts = []
            for path, rest in (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1))):
                sampler = animation[1].get(("node", joint, path))
                parts.append(sampler.at(time, path == "rotation") if sampler else self.nodes[joint].get(path, rest))
            place = nitro_glb.from_parts(*parts)
            if binds:
                m = binds[i]
                place = times(place, [*m[0:3], *m[4:7], *m[8:11], *m[12:15]])
            made.append(place)
        return made

    def extras(self, index=None):
        """Ours of a node, or of the scene."""
        source = self.nodes[index] if index is not None else self.json["scenes"][self.json.get("scene", 0)]
        source = source.get("extras", {})
        return source.get("diorama", source)

    def brightness(self, material):
        """How many times as bright as its texels the picture of a material is, so that colours above 128 have room."""
        if material is None:
            return 1
        source = self.materials[material].get("extras", {})
        return source.get("diorama", source).get("texels_times", 1)

    def kinds(self, kind):
        """The nodes of a kind, in their order."""
        return [i for i in self.order if self.extras(i).get("kind") == kind]

    def of_node(self, index):
        return [p for p in self.primitives if p.node == index]


def read(path):
    with open(path, "rb") as file:
        return Scene(file.read())


# ---- a GLB is made ---------------------------------------------------------------------------------------------------

def png(width, height, pixels):
    """pixels: (red, green, blue, alpha), row by row."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + b"".join(bytes(p) for p in pixels[y * width:(y + 1) * width]) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Maker:
    """A GLB from parts."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "accessors": [], "bufferViews": [], "materials": [], "textures": [], "images": [], "samplers": []}
        self.binary = bytearray()

    def add(self, kind, record):
        self.json[kind].append(record)
        return len(self.json[kind]) - 1

    def view(self, data):
        self.binary += bytes(-len(self.binary) % 4)
        at = len(self.binary)
        self.binary += data
        return self.add("bufferViews", {"buffer": 0, "byteOffset": at, "byteLength": len(data)})

    def accessor(self, values, kind, component=5126):
        code = nitro_glb.COMPONENTS[component][0]
        flat = [v for value in values for v in (value if isinstance(value, (tuple, list)) else (value,))]
        made = {"bufferView": self.view(struct.pack(f"<{len(flat)}{code}", *flat)), "componentType": component,
                "count": len(values), "type": kind}
        if kind == "VEC3" and values:
            single = [struct.unpack("<3f", struct.pack("<3f", *value)) for value in values]
            made["min"], made["max"] = [list(map(f, zip(*single))) for f in (min, max)]
        return self.add("accessors", made)

    def texture(self, width, height, pixels, wrap=10497):
        image = self.add("images", {"bufferView": self.view(png(width, height, pixels)), "mimeType": "image/png"})
        sampler = self.add("samplers", {"wrapS": wrap, "wrapT": wrap, "magFilter": 9728, "minFilter": 9728})
        return self.add("textures", {"source": image, "sampler": sampler})

    def material(self, texture=None, factor=(1, 1, 1, 1), **more):
        surface = {"baseColorFactor": list(factor), "metallicFactor": 0}
        if texture is not None:
            surface["baseColorTexture"] = {"index": texture}
        return self.add("materials", {"pbrMetallicRoughness": surface, **more})

    def mesh(self, primitives):
        """primitives: (material or None, [[(position, uv or None, linear color or None) x 3], ...])"""
        made = []
        for material, triangles in primitives:
            corners = [corner for triangle in triangles for corner in triangle]
            attributes = {"POSITION": self.accessor([c[0] for c in corners], "VEC3")}
            if corners[0][1] is not None:
                attributes["TEXCOORD_0"] = self.accessor([c[1] for c in corners], "VEC2")
            if corners[0][2] is not None:
                attributes["COLOR_0"] = self.accessor([(*c[2], 1.0) for c in corners], "VEC4")
            made.append({"attributes": attributes, **({} if material is None else {"material": material})})
        return self.add("meshes", {"primitives": made})

    def node(self, name, parent=None, extras=None, **record):
        made = {"name": name, **record, **({"extras": extras} if extras else {})}
        index = self.add("nodes", made)
        if parent is None:
            self.json["scenes"][0]["nodes"].append(index)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def bytes(self):
        made = {key: value for key, value in self.json.items() if value != []}
        self.binary += bytes(-len(self.binary) % 4)
        if self.binary:
            made["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(made).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text
        if self.binary:
            body += struct.pack("<II", len(self.binary), 0x004E4942) + bytes(self.binary)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def quaternion(axis, angle):
    length = math.dist(axis, (0, 0, 0))
    return [v / length * math.sin(angle / 2) for v in axis] + [math.cos(angle / 2)]


__all__ = ["apply", "times"]
