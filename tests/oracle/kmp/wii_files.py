"""A second reader of files of Mario Kart Wii: Yaz0, U8, KCL, and the triangles of a GLB. It was written from the
documents alone, and shares nothing with dio."""
import json
import math
import struct

MAGIC_U8 = b"U\xaa8-"


class WiiError(Exception):
    pass


# ---- Yaz0 ------------------------------------------------------------------------------------------------------------

def unpack_yaz0(data):
    if data[:4] != b"Yaz0":
        raise WiiError("no Yaz0")
    size, = struct.unpack_from(">I", data, 4)
    out, at, flags, left = bytearray(), 16, 0, 0
    try:
        while len(out) < size:
            if not left:
                flags, at, left = data[at], at + 1, 8
            if flags & 0x80:
                out.append(data[at])
                at += 1
            else:
                word = data[at] << 8 | data[at + 1]
                at += 2
                length, back = word >> 12, (word & 0xFFF) + 1
                if length:
                    length += 2
                else:
                    length, at = data[at] + 0x12, at + 1
                if back > len(out):
                    raise WiiError("a copy from before the start")
                start = len(out) - back
                if back >= length:
                    out += out[start:start + length]
                else:
                    out += (bytes(out[start:]) * (length // back + 1))[:length]
            flags, left = flags << 1 & 0xFF, left - 1
    except IndexError:
        raise WiiError("Yaz0 ends early") from None
    return bytes(out[:size])


def pack_yaz0(data, literals=False, farthest=0x1000, longest=0x111, rest=b""):
    """The last place of the same three bytes, or none; far from the best packing there is."""
    out, group, flags, count, at, seen = bytearray(), bytearray(), 0, 0, 0, {}
    while at < len(data):
        length, key = 0, data[at:at + 3]
        start = seen.get(key, -1) if len(key) == 3 and not literals else -1
        if start >= 0 and at - start <= farthest:
            length = 3
            while length < longest and at + length < len(data) and data[start + length] == data[at + length]:
                length += 1
        if length:
            back = at - start - 1
            if length >= 0x12:
                group += bytes([back >> 8, back & 0xFF, length - 0x12])
            else:
                group += bytes([(length - 2) << 4 | back >> 8, back & 0xFF])
        else:
            flags, length = flags | 0x80 >> count, 1
            group.append(data[at])
        if not literals:
            for i in range(at, at + length):
                seen[data[i:i + 3]] = i
        at, count = at + length, count + 1
        if count == 8:
            out += bytes([flags]) + group
            group, flags, count = bytearray(), 0, 0
    if count:
        out += bytes([flags]) + group
    return b"Yaz0" + struct.pack(">I8x", len(data)) + bytes(out) + rest


def opened(data):
    return unpack_yaz0(data) if data[:4] == b"Yaz0" else data


# ---- U8 --------------------------------------------------------------------------------------------------------------

def read_u8(data):
    """{path: (offset, bytes)} and the folders, in the order of the nodes. The folder `.` is left out."""
    if data[:4] != MAGIC_U8:
        raise WiiError("no U8")
    nodes_at, = struct.unpack_from(">I", data, 4)
    first = struct.unpack_from(">III", data, nodes_at)
    names_at = nodes_at + 12 * first[2]
    members, folders, around = {}, [], [(first[2], "")]
    for number in range(1, first[2]):
        word, offset, size = struct.unpack_from(">III", data, nodes_at + 12 * number)
        while number >= around[-1][0]:
            around.pop()
        begin = names_at + (word & 0xFFFFFF)
        name = data[begin:data.index(b"\0", begin)].decode("utf-8", "replace")
        path = around[-1][1] + name
        if word >> 24:
            here = around[-1][1] if name == "." else path + "/"
            if name != ".":
                folders.append(path)
            around.append((size, here))
        else:
            if offset + size > len(data):
                raise WiiError(f"{path} goes beyond the end")
            members[path] = offset, data[offset:offset + size]
    return members, folders


def members_of(data):
    """{path: bytes} of an archive, packed or not."""
    return {path: content for path, (_, content) in read_u8(opened(data))[0].items()}


def write_u8(tree, dot=True, align=32, fill=0, order=None, shared=(), rest=0, empty_folders=()):
    """tree: {path: bytes}. order: paths in the order in which the members lie. shared: (path, path of the member in whose
    last bytes it lies)."""
    root = {}
    for folder in empty_folders:
        root.setdefault(folder, {})
    for path, content in tree.items():
        *above, name = path.split("/")
        here = root
        for folder in above:
            here = here.setdefault(folder, {})
        here[name] = path
    if dot:
        root = {".": root}
    nodes, names = [], bytearray(b"\0")

    def visit(here, parent):
        for name, what in here.items():
            at, number = len(names), len(nodes) + 1
            names.extend(name.encode() + b"\0")
            if isinstance(what, dict):
                node = [1 << 24 | at, parent, 0]
                nodes.append(node)
                visit(what, number)
                node[2] = len(nodes) + 1
            else:
                nodes.append([at, what, len(tree[what])])

    visit(root, 0)
    table = 12 * (len(nodes) + 1) + len(names)
    data_at = (32 + table + align - 1) // align * align
    offsets, body, of_shared = {}, bytearray(), dict(shared)
    for path in order or tree:
        if path not in of_shared:
            body.extend(bytes(-(data_at + len(body)) % align))
            offsets[path] = data_at + len(body)
            body.extend(tree[path])
    for path, whole in of_shared.items():
        if not tree[whole].endswith(tree[path]):
            raise WiiError("these share nothing")
        offsets[path] = offsets[whole] + len(tree[whole]) - len(tree[path])
    out = bytearray(MAGIC_U8 + struct.pack(">III", 32, table, data_at) + bytes([fill]) * 16)
    out += struct.pack(">III", 1 << 24, 0, len(nodes) + 1)
    for word, offset, size in nodes:
        out += struct.pack(">III", word, offsets[offset] if isinstance(offset, str) else offset, size)
    out += names
    out += bytes(data_at - len(out)) + body + bytes(rest)
    return bytes(out)


# ---- KCL -------------------------------------------------------------------------------------------------------------

def f32(number):
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def along(a, b, factor):
    return a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor


class Kcl:
    def __init__(self, data):
        self.data = data
        self.offsets = struct.unpack_from(">4I", data)
        self.thickness, *self.area_min = struct.unpack_from(">4f", data, 0x10)
        self.masks, self.shifts = struct.unpack_from(">3I", data, 0x20), struct.unpack_from(">3I", data, 0x2C)
        positions, normals, prisms, self.octree = self.offsets
        first_part = min(positions, normals, prisms + 16, self.octree)
        self.sphere = struct.unpack_from(">f", data, 0x38)[0] if first_part >= 0x3C else None
        if not first_part <= positions <= normals <= prisms + 16 <= self.octree <= len(data):
            raise WiiError("parts in another order")
        self.positions = list(struct.iter_unpack(">3f", data[positions:positions + (normals - positions) // 12 * 12]))
        self.normals = list(struct.iter_unpack(">3f", data[normals:normals + (prisms + 16 - normals) // 12 * 12]))
        count = (self.octree - prisms - 16) // 16
        self.prisms = list(struct.iter_unpack(">f6H", data[prisms + 16:prisms + 16 + count * 16]))
        self._corners = {}

    def corners(self, number):
        """The three corners of a prism (from 0), or None if it has none; and how near to that it is."""
        if number not in self._corners:
            self._corners[number] = self._found_corners(number)
        return self._corners[number]

    def _found_corners(self, number):
        height, position, *normals, _ = self.prisms[number]
        if position >= len(self.positions) or max(normals) >= len(self.normals):
            return None, 0
        first, (face, a, b, c) = self.positions[position], (self.normals[n] for n in normals)
        second, third = cross(b, face), cross(face, a)
        parts = dot(second, c), dot(third, c)
        if not all(map(math.isfinite, (*first, *parts, height))) or not all(parts):
            return None, 0
        found = first, along(first, second, height / parts[0]), along(first, third, height / parts[1])
        if not all(math.isfinite(x) for corner in found for x in corner):
            return None, 0
        return found, min(map(abs, parts))

    # ---- the octree

    def roots(self):
        """How many cells there are along x, y, z in the first level."""
        return tuple(((~mask & 0xFFFFFFFF) >> self.shifts[0]) + 1 for mask in self.masks)

    def lookup(self, point):
        """(the node, its prism numbers from 1), or None outside."""
        units = []
        for value, least, mask in zip(point, self.area_min, self.masks):
            whole = int(f32(f32(value) - least)) & 0xFFFFFFFF
            if whole & mask:
                return None
            units.append(whole)
        x, y, z = units
        shift, x_shift, xy_shift = self.shifts
        base, index = self.octree, (z >> shift) << xy_shift | (y >> shift) << x_shift | x >> shift
        while True:
            at = base + 4 * index
            word, = struct.unpack_from(">I", self.data, at)
            if word >> 31:
                return (at - self.octree) // 4, self.list_at(base + (word & 0x7FFFFFFF) + 2)
            base, shift = base + word, shift - 1
            if shift < 0:
                raise WiiError("an octree deeper than a unit")
            index = (z >> shift & 1) << 2 | (y >> shift & 1) << 1 | x >> shift & 1

    def list_at(self, at):
        numbers = []
        while True:
            number, = struct.unpack_from(">H", self.data, at)
            if not number:
                return numbers
            numbers.append(number)
            at += 2

    def cells(self):
        """(node, word, where the block of the node starts) of all that can be reached, from the start of the octree."""
        x, y, z = self.roots()
        blocks, found = [(0, x * y * z)], []
        seen = {0}
        while blocks:
            base, count = blocks.pop()
            for i in range(count):
                word, = struct.unpack_from(">I", self.data, self.octree + base + 4 * i)
                found.append((base // 4 + i, word, base))
                if not word >> 31 and base + word not in seen:
                    seen.add(base + word)
                    blocks.append((base + word, 8))
        return found

    # ---- what a sphere hits

    def distances(self, number, point):
        """(above the face, distance of the triangle, how far beyond its edges, the distance that the game takes for that of
        the triangle) of a prism from 0; None without a triangle."""
        corners, _ = self.corners(number)
        if not corners:
            return None
        height, _, *normals, _ = self.prisms[number]
        face, *edges = (self.normals[n] for n in normals)
        local = minus(point, corners[0])
        above = dot(local, face)
        beyond = sorted(((dot(local, edge) - (height if i == 2 else 0), edge) for i, edge in enumerate(edges)), reverse=True)
        return above, triangle_distance(point, corners), beyond[0][0], math.hypot(above, in_plane(*beyond[:2]))


def in_plane(first, second):
    """The game looks at the two edges that a place is furthest beyond. It is nearest to the first of them, or else to the
    corner of the two: never mind the third, which matters where corners are sharp."""
    (far, edge), (less, other) = first, second
    cosine = dot(edge, other)
    if far <= 0:
        return 0
    if cosine * far > less or abs(cosine) >= 1:
        return far
    return math.sqrt(max(0, far * far + less * less - 2 * far * less * cosine) / (1 - cosine * cosine))


def segment_distance(point, a, b):
    edge, to = minus(b, a), minus(point, a)
    length = dot(edge, edge)
    t = min(1, max(0, dot(to, edge) / length)) if length else 0
    return math.dist(point, along(a, edge, t))


def triangle_distance(point, corners):
    a, b, c = corners
    normal = cross(minus(b, a), minus(c, a))
    area = dot(normal, normal)
    if area > 0 and all(dot(cross(minus(q, p), minus(point, p)), normal) >= 0 for p, q in ((a, b), (b, c), (c, a))):
        return abs(dot(minus(point, a), normal)) / math.sqrt(area)
    return min(segment_distance(point, a, b), segment_distance(point, b, c), segment_distance(point, c, a))


# ---- GLB -------------------------------------------------------------------------------------------------------------

def read_glb(data):
    magic, version, size = struct.unpack_from("<4sII", data)
    if magic != b"glTF" or version != 2 or size != len(data):
        raise WiiError("no GLB")
    chunks, at = {}, 12
    while at < size:
        length, kind = struct.unpack_from("<I4s", data, at)
        chunks[kind] = data[at + 8:at + 8 + length]
        at += 8 + length
    return json.loads(chunks[b"JSON"]), chunks.get(b"BIN\0", b"")


def accessor_values(scene, binary, number):
    accessor = scene["accessors"][number]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    letter = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
    view = scene["bufferViews"][accessor["bufferView"]]
    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    one = struct.Struct(f"<{width}{letter}")
    stride = view.get("byteStride", one.size)
    return [one.unpack_from(binary, at + i * stride) for i in range(accessor["count"])]


# Where a mesh has prisms of all flags: scenes of other games have no flags, and one mesh if most prisms differ.
ALL = -1


def collision_of_glb(data):
    """{flags: (triangles in game units, what the node says in its extras)}, of nodes with the flags. Of other games: the attribute, or ALL."""
    scene, binary = read_glb(data)
    found = {}
    for number in scene["scenes"][scene.get("scene", 0)]["nodes"]:
        visit_node(scene, binary, number, (1, 1, 1), (0, 0, 0), found)
    return found


def visit_node(scene, binary, number, scale, move, found):
    node = scene["nodes"][number]
    if "rotation" in node or "matrix" in node:
        raise WiiError("a node that is turned")
    move = tuple(m + s * t for m, s, t in zip(move, scale, node.get("translation", (0, 0, 0))))
    scale = tuple(a * b for a, b in zip(scale, node.get("scale", (1, 1, 1))))
    if "mesh" in node:
        extras = node["extras"]["diorama"]
        flags = int(extras["flags"], 16) if "flags" in extras else extras.get("attribute", ALL)
        if flags in found:
            raise WiiError(f"two nodes with the flags {flags:#x}")
        triangles = []
        for primitive in scene["meshes"][node["mesh"]]["primitives"]:
            material = scene["materials"][primitive["material"]].get("extras", {}).get("diorama", {}).get("flags")
            if "flags" in extras and int(material or "-1", 16) != flags:
                raise WiiError(f"a material with the flags {material} on a node with {flags:#x}")
            if primitive.get("mode", 4) != 4:
                raise WiiError("something else than triangles")
            points = [tuple((x * s + m) * 100 for x, s, m in zip(point, scale, move))
                      for point in accessor_values(scene, binary, primitive["attributes"]["POSITION"])]
            order = ([i for i, in accessor_values(scene, binary, primitive["indices"])] if "indices" in primitive
                     else range(len(points)))
            triangles += [tuple(points[i] for i in order[at:at + 3]) for at in range(0, len(order), 3)]
        found[flags] = triangles, extras
    for child in node.get("children", ()):
        visit_node(scene, binary, child, scale, move, found)
