"""Triangles of glTF files (.glb), to compare scenes before and after an edit."""
import json, struct
from collections import Counter

COMPONENTS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    def __init__(self, path):
        content = path.read_bytes()
        length = struct.unpack_from("<I", content, 12)[0]
        self.document, self.buffer = json.loads(content[20:20 + length]), content[28 + length:]

    def values(self, accessor):
        """The elements of an accessor, each as a tuple."""
        told = self.document["accessors"][accessor]
        view = self.document["bufferViews"][told["bufferView"]]
        element = struct.Struct(f"<{COUNTS[told['type']]}{COMPONENTS[told['componentType']]}")
        start, stride = view.get("byteOffset", 0) + told.get("byteOffset", 0), view.get("byteStride", element.size)
        return [element.unpack_from(self.buffer, start + i * stride) for i in range(told["count"])]

    def triangles(self, primitive, colours):
        """Triangles of three corners: (position, texture coordinates and colour)."""
        attributes = primitive["attributes"]
        positions = self.values(attributes["POSITION"])
        rest = [self.values(attributes[name]) for name in ("TEXCOORD_0", *(["COLOR_0"] if colours else [])) if name in attributes]
        corners = [(place, tuple(one[i] for one in rest)) for i, place in enumerate(positions)]
        order = [i for i, in self.values(primitive["indices"])] if "indices" in primitive else range(len(positions))
        return [tuple(corners[i] for i in order[at:at + 3]) for at in range(0, len(order), 3)]

    def all(self, colours):
        """Counts each triangle, as (path of the node, material, corners)."""
        nodes, out = self.document["nodes"], Counter()
        above = {child: i for i, node in enumerate(nodes) for child in node.get("children", ())}
        for i, node in enumerate(nodes):
            path, at = (i,), i
            while at in above:
                at = above[at]
                path = (at, *path)
            for primitive in self.document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
                if primitive.get("mode", 4) == 4:
                    # Paths consist of node numbers, because names need not be unique.
                    out.update((path, primitive.get("material"), corners) for corners in self.triangles(primitive, colours))
        return out

    def by_material(self):
        """Counts each triangle independent of its node, as (material name, corners starting with the least)."""
        out, names = Counter(), [one.get("name") for one in self.document.get("materials", ())]
        for (_, material, corners), count in self.all(colours=False).items():
            out[None if material is None else names[material], min(turned(corners))] += count
        return out


def turned(corners):
    return [corners[i:] + corners[:i] for i in range(3)]


def move_between(one, other, tolerance):
    """(position before, position after) if the triangles differ in the position of one corner only."""
    if one[:2] != other[:2]: return None
    for corners in turned(other[2]):
        if any(a[1] != b[1] for a, b in zip(one[2], corners)): continue
        moved = [(a[0], b[0]) for a, b in zip(one[2], corners) if max(map(abs, (x - y for x, y in zip(a[0], b[0])))) > tolerance]
        if len(moved) == 1: return moved[0]
    return None


def moved_corner(before, after, by, tolerance, colours):
    """Returns a problem, or an empty string if exactly one corner moved up by `by`."""
    old, new = Glb(before).all(colours), Glb(after).all(colours)
    gone, come = list((old - new).elements()), list((new - old).elements())
    if not gone: return "no triangle has changed"
    places = set()
    for one in gone:
        found = next(((other, move) for other in come if (move := move_between(one, other, tolerance))), None)
        if not found: return f"{len(gone)} triangles removed, {len(come)} added; no added triangle is this one with a moved corner: {one}"
        come.remove(found[0])
        places.add(found[1])
    if come: return f"{len(come)} triangles added"
    if len({before for before, _ in places}) != 1: return f"several corners moved: {places}"
    for before, after in places:
        if max(abs(b - a - d) for a, b, d in zip(before, after, (0, by, 0))) > tolerance: return f"moved from {before} to {after}, not by {by}"
    return ""


def one_more(before, after):
    """Returns a problem, or an empty string if `after` has one triangle more than `before` and all others are unchanged. Ignores colours, because
    Blender 3.4 mixes them up."""
    old, new = Glb(before).by_material(), Glb(after).by_material()
    gone, come = list((old - new).elements()), list((new - old).elements())
    if gone: return f"{len(gone)} other triangles changed: {gone[0]}"
    return "" if len(come) == 1 else f"{len(come)} triangles instead of one: {come[:2]}"
