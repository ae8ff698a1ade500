"""Reads GLB files for nitro_compare.py: triangles in the world at any time, materials, pictures. Plain glTF 2.0 with
KHR_texture_transform, KHR_node_visibility and KHR_animation_pointer. It knows nothing of who wrote the file."""
import json
import math
import struct
import zlib

from nitro_run import NO_TRANSFORM, apply, times

COMPONENTS = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", 4294967295),
              5126: ("f", None)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
WRAPS = {10497: "repeat", 33071: "clamp", 33648: "mirror"}


class GlbError(Exception):
    pass


# ---- pictures --------------------------------------------------------------------------------------------------------

def decode_png(data):
    """(width, height, [(r, g, b, a)])"""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise GlbError("a picture that is no PNG")
    at, packed, palette, clear, header = 8, b"", [], b"", None
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, at + 8 + length)[0]:
            raise GlbError(f"PNG: the checksum of {kind!r} is wrong")
        at += 12 + length
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = [tuple(body[i:i + 3]) for i in range(0, len(body), 3)]
        elif kind == b"tRNS":
            clear = body
        elif kind == b"IDAT":
            packed += body
    width, height, depth, color, _, _, interlaced = header
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    if interlaced or depth == 16:
        raise GlbError("PNG: interlaced or of 16 bits")
    raw = zlib.decompress(packed)
    stride, step = (width * channels * depth + 7) // 8, max(1, channels * depth // 8)
    pixels, before = [], bytes(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride) if kind else ():
            left = line[x - step] if x >= step else 0
            up, corner = before[x], before[x - step] if x >= step else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            else:
                distances = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                guess = (left, up, corner)[distances.index(min(distances))]
            line[x] = line[x] + guess & 255
        before = line
        if depth < 8:
            each = 8 // depth
            values = [line[i // each] >> (8 - depth * (i % each + 1)) & (1 << depth) - 1
                      for i in range(width * channels)]
        else:
            values = list(line)
        if color == 3:
            pixels += [(*palette[v], clear[v] if v < len(clear) else 255) for v in values]
        elif color == 6:
            pixels += list(zip(*(values[i::4] for i in range(4))))
        elif color == 2:
            key = struct.unpack(">HHH", clear) if clear else None
            pixels += [(*p, 0 if p == key else 255) for p in zip(*(values[i::3] for i in range(3)))]
        elif color == 4:
            pixels += [(v, v, v, a) for v, a in zip(values[::2], values[1::2])]
        else:
            key = struct.unpack(">H", clear)[0] if clear else None
            most = (1 << depth) - 1
            pixels += [(v * 255 // most,) * 3 + (0 if v == key else 255,) for v in values]
    return width, height, pixels


# ---- transforms ------------------------------------------------------------------------------------------------------

def from_parts(translation, rotation, scale):
    x, y, z, w = rotation
    m = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w),
         2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
         2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)]
    return [m[i] * scale[i // 3] for i in range(9)] + list(translation)


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-v for v in b], -dot
    if dot > 0.9999999:
        mixed = [(1 - t) * x + t * y for x, y in zip(a, b)]
    else:
        angle = math.acos(min(dot, 1))
        mixed = [(math.sin((1 - t) * angle) * x + math.sin(t * angle) * y) / math.sin(angle) for x, y in zip(a, b)]
    length = math.sqrt(sum(v * v for v in mixed))
    return [v / length for v in mixed]


class Primitive:
    """Triangles with one material on one node. Lists of vertices, or None: normals, colors (linear RGBA), uvs, joints,
    weights. triangles: corners."""

    def __init__(self, node, skin, material):
        self.node, self.skin, self.material = node, skin, material
        self.positions = self.normals = self.colors = self.uvs = self.joints = self.weights = None
        self.triangles = []


class Sampler:
    def __init__(self, times, values, interpolation):
        self.times, self.values, self.interpolation = times, values, interpolation

    def at(self, time, turns=False):
        # A frame's time is a rounded number: what is due within a hundredth of a millisecond is there.
        keys = self.times
        i = sum(1 for t in keys if t <= time + 1e-5) - 1
        if i < 0:
            return self.values[0]
        if i + 1 >= len(keys) or self.interpolation == "STEP":
            return self.values[i]
        weight = max(0.0, (time - keys[i]) / (keys[i + 1] - keys[i]))
        a, b = self.values[i], self.values[i + 1]
        if turns:
            return slerp(a, b, weight)
        return [(1 - weight) * x + weight * y for x, y in zip(a, b)]


class Glb:
    def __init__(self, data):
        magic, version, length = struct.unpack_from("<4sII", data)
        if magic != b"glTF" or version != 2 or length != len(data):
            raise GlbError("no GLB of version 2")
        self.json, self.binary, at = None, b"", 12
        while at < len(data):
            size, kind = struct.unpack_from("<II", data, at)
            body = data[at + 8:at + 8 + size]
            if kind == 0x4E4F534A:
                self.json = json.loads(body)
            elif kind == 0x004E4942:
                self.binary = body
            at += 8 + size
        self._read_nodes()
        self.materials = self.json.get("materials", [])
        self.pictures = {}
        self.primitives = [p for node in self.order for p in self._primitives(node)]
        self.animations = [self._animation(a) for a in self.json.get("animations", [])]

    def view(self, index):
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        return self.binary[start:start + view["byteLength"]], view.get("byteStride")

    def accessor(self, index):
        """A list of tuples; numbers for SCALAR."""
        accessor = self.json["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise GlbError("a sparse accessor")
        code, most = COMPONENTS[accessor["componentType"]]
        width, count = WIDTHS[accessor["type"]], accessor["count"]
        data, stride = self.view(accessor["bufferView"])
        size = struct.calcsize(f"<{width}{code}")
        start, stride = accessor.get("byteOffset", 0), stride or size
        if stride == size:
            values = list(struct.iter_unpack(f"<{width}{code}", data[start:start + size * count]))
        else:
            values = [struct.unpack_from(f"<{width}{code}", data, start + stride * i) for i in range(count)]
        if len(values) != count:
            raise GlbError("an accessor outside of its view")
        if accessor.get("normalized"):
            values = [tuple(max(v / most, -1) for v in value) for value in values]
        return [v[0] for v in values] if width == 1 else values

    def _read_nodes(self):
        self.nodes = self.json.get("nodes", [])
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", ())}
        scene = self.json["scenes"][self.json.get("scene", 0)]
        self.roots = scene["nodes"]
        self.order, waiting = [], list(reversed(self.roots))
        while waiting:
            node = waiting.pop()
            self.order.append(node)
            waiting += reversed(self.nodes[node].get("children", ()))
        # The scale to metres stands on top, and skinned meshes, whose own place does not count.
        tops = [root for root in self.roots if "skin" not in self.nodes[root]]
        if len(tops) != 1:
            raise GlbError(f"{len(tops)} nodes on top")
        top = self.nodes[tops[0]]
        scale = top.get("scale", [1, 1, 1])
        if top.get("translation", [0, 0, 0]) != [0, 0, 0] or top.get("rotation", [0, 0, 0, 1]) != [0, 0, 0, 1] or \
                "matrix" in top or len(set(scale)) != 1:
            raise GlbError("the node on top does more than to scale")
        self.metres = scale[0]

    def _primitives(self, index):
        node = self.nodes[index]
        if "mesh" not in node:
            return []
        made = []
        for source in self.json["meshes"][node["mesh"]]["primitives"]:
            if source.get("mode", 4) != 4:
                continue
            attributes = source["attributes"]
            primitive = Primitive(index, node.get("skin"), source.get("material"))
            primitive.positions = self.accessor(attributes["POSITION"])
            for field, name in (("normals", "NORMAL"), ("colors", "COLOR_0"), ("uvs", "TEXCOORD_0"),
                                ("joints", "JOINTS_0"), ("weights", "WEIGHTS_0")):
                if name in attributes:
                    setattr(primitive, field, self.accessor(attributes[name]))
            if primitive.colors and len(primitive.colors[0]) == 3:
                primitive.colors = [(*c, 1.0) for c in primitive.colors]
            corners = self.accessor(source["indices"]) if "indices" in source else range(len(primitive.positions))
            primitive.triangles = list(zip(corners[0::3], corners[1::3], corners[2::3]))
            made.append(primitive)
        return made

    # ---- what moves ----

    def _animation(self, source):
        """name, and samplers by ("node", index, path) or ("pointer", pointer)"""
        moved = {}
        for channel in source["channels"]:
            sampler = source["samplers"][channel["sampler"]]
            times, values = self.accessor(sampler["input"]), self.accessor(sampler["output"])
            interpolation = sampler.get("interpolation", "LINEAR")
            if interpolation == "CUBICSPLINE":
                raise GlbError("CUBICSPLINE")
            target = channel["target"]
            if target["path"] == "pointer":
                key = "pointer", target["extensions"]["KHR_animation_pointer"]["pointer"]
            else:
                key = "node", target["node"], target["path"]
            if not isinstance(values[0], tuple):
                values = [(v,) for v in values]
            moved[key] = Sampler(times, values, interpolation)
        return source.get("name", ""), moved

    def pointed(self, animation, pointer, time, rest):
        """The value at a JSON pointer; `rest` if nothing moves it."""
        sampler = animation[1].get(("pointer", pointer)) if animation else None
        return rest if sampler is None else sampler.at(time)

    def globals(self, animation=None, time=0.0):
        """Of each node its transform to the world in the scene's units (without the scale to metres), or None where it
        is invisible."""
        found = {}
        for index in self.order:
            node = self.nodes[index]
            visible = node.get("extensions", {}).get("KHR_node_visibility", {}).get("visible", True)
            if animation:
                pointer = f"/nodes/{index}/extensions/KHR_node_visibility/visible"
                visible, = self.pointed(animation, pointer, time, (visible,))
            parent = self.parents.get(index)
            above = NO_TRANSFORM if parent is None else found[parent][0]
            seen = (parent is None or found[parent][1]) and bool(visible)
            if parent is None:
                found[index] = NO_TRANSFORM, seen
                continue
            if "matrix" in node:
                m = node["matrix"]
                own = [*m[0:3], *m[4:7], *m[8:11], *m[12:15]]
            else:
                parts = []
                for path, rest in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1])):
                    value = node.get(path, rest)
                    if animation and ("node", index, path) in animation[1]:
                        value = animation[1]["node", index, path].at(time, path == "rotation")
                    elif path == "scale" and not seen and not any(value):
                        value = rest  # hidden a second time, for programs that do not know visibility
                    parts.append(value)
                own = from_parts(*parts)
            found[index] = times(above, own), seen
        return found

    def joints(self, skin, places):
        source = self.json["skins"][skin]
        binds = self.accessor(source["inverseBindMatrices"]) if "inverseBindMatrices" in source else None
        made = []
        for i, joint in enumerate(source["joints"]):
            place = places[joint][0]
            if binds:
                m = binds[i]
                place = times(place, [*m[0:3], *m[4:7], *m[8:11], *m[12:15]])
            made.append(place)
        return made

    def placed(self, primitive, places):
        """The matrix of each vertex of a primitive (a function of its index), and whether it is seen."""
        place, seen = places[primitive.node]
        if primitive.skin is None:
            return (lambda i: place), seen
        joints = self.joints(primitive.skin, places)

        def of(i):
            pairs = [(j, w) for j, w in zip(primitive.joints[i], primitive.weights[i]) if w]
            if len(pairs) == 1 and pairs[0][1] == 1:
                return joints[pairs[0][0]]
            return [sum(joints[j][k] * w for j, w in pairs) for k in range(12)]
        return of, seen

    def world(self, primitive, places):
        """World positions in the scene's units, and whether they are seen."""
        matrix, seen = self.placed(primitive, places)
        return [apply(matrix(i), *p) for i, p in enumerate(primitive.positions)], seen

    # ---- materials ----

    def material_name(self, index):
        return None if index is None else self.materials[index].get("name", "")

    def color_factor(self, index):
        surface = {} if index is None else self.materials[index].get("pbrMetallicRoughness", {})
        return surface.get("baseColorFactor", [1, 1, 1, 1])

    def texture_of(self, index):
        """The textureInfo of a material, or None."""
        return None if index is None else self.materials[index].get("pbrMetallicRoughness", {}).get("baseColorTexture")

    def picture(self, texture):
        """(width, height, pixels) of a texture index."""
        source = self.json["textures"][texture]["source"]
        if source not in self.pictures:
            self.pictures[source] = decode_png(self.view(self.json["images"][source]["bufferView"])[0])
        return self.pictures[source]

    def wraps(self, texture):
        sampler = self.json["textures"][texture].get("sampler")
        source = {} if sampler is None else self.json["samplers"][sampler]
        return tuple(WRAPS[source.get(k, 10497)] for k in ("wrapS", "wrapT"))

    def uv_transform(self, index, animation=None, time=0.0):
        """((a, b, c), (d, e, f)) of a material: scaled, then turned, then shifted; None without a texture."""
        info = self.texture_of(index)
        if info is None:
            return None
        own = info.get("extensions", {}).get("KHR_texture_transform", {})
        base = f"/materials/{index}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/"
        x, y = self.pointed(animation, base + "offset", time, own.get("offset", (0, 0)))
        angle, = self.pointed(animation, base + "rotation", time, (own.get("rotation", 0),))
        sx, sy = self.pointed(animation, base + "scale", time, own.get("scale", (1, 1)))
        # With v pointing down, counter-clockwise: the extension's example of a quadrant says which way.
        sine, cosine = math.sin(angle), math.cos(angle)
        return (cosine * sx, sine * sy, x), (-sine * sx, cosine * sy, y)


def read(path):
    with open(path, "rb") as file:
        return Glb(file.read())
