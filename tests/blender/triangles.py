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
        """Counts each triangle, as (path of the node, material, corners starting with the least)."""
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
                    out.update((path, primitive.get("material"), min(turned(corners))) for corners in self.triangles(primitive, colours))
        return out

    def world(self):
        """Counts each triangle, as (path of the node, material, corners in the scene)."""
        out = Counter()
        for (path, material, corners), count in self.all(colours=False).items():
            places, generated = [place for place, _ in corners], material is not None and "texgen" in self.document["materials"][material].get("extras", {}).get("diorama", {})
            for node in reversed(path): places = [transformed(self.document["nodes"][node], place) for place in places]
            # On the DS, texture coordinates may follow from the positions.
            out[path, material, tuple((place, () if generated else rest) for place, (_, rest) in zip(places, corners))] += count
        return out

    def by_material(self):
        """Counts each triangle independent of its node, as (material name, corners starting with the least)."""
        out, names = Counter(), [one.get("name") for one in self.document.get("materials", ())]
        for (_, material, corners), count in self.all(colours=False).items():
            out[None if material is None else names[material], corners] += count
        return out


def transformed(node, place):
    """A point in the space of the parent of a node."""
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    point = [a * b for a, b in zip(place, node.get("scale", (1, 1, 1)))]
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)), (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    return tuple(sum(a * b for a, b in zip(row, point)) + by for row, by in zip(rows, node.get("translation", (0, 0, 0))))


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


def one_flipped(before, after):
    """Returns a problem, or an empty string if one triangle, or two that share an edge, have their corners in the opposite order and all others are
    unchanged. Ignores normals and colours."""
    def places(file):
        out = Counter()
        for (material, corners), count in Glb(file).by_material().items(): out[material, min(turned(tuple(place for place, _ in corners)))] += count
        return out
    old, new = places(before), places(after)
    gone, come = old - new, new - old
    if not 1 <= gone.total() <= 2 or come.total() != gone.total(): return f"{gone.total()} triangles are gone, {come.total()} are new"
    missing = Counter((material, min(turned(corners[::-1]))) for material, corners in gone.elements()) - come
    return f"the flipped triangle is missing: {missing}" if missing else ""


def shift_between(one, other, tolerance):
    """The vector by which all corners of the second triangle are moved; None if the triangles differ otherwise."""
    for corners in turned(other):
        if any(a[1] != b[1] for a, b in zip(one, corners)): continue
        shifts = [tuple(y - x for x, y in zip(a[0], b[0])) for a, b in zip(one, corners)]
        if all(abs(x - y) <= 2 * tolerance for shift in shifts for x, y in zip(shift, shifts[0])): return shifts[0]
    return None


def is_moved(gone, come, shift, tolerance):
    """Whether each of the first triangles is one of the second, moved by a vector."""
    left = list(come)
    for path, material, corners in gone:
        def fits(other):
            moved = shift_between(corners, other[2], tolerance) if other[:2] == (path, material) else None
            return moved and all(abs(x - y) <= 2 * tolerance for x, y in zip(moved, shift))
        found = next((other for other in left if fits(other)), None)
        if not found: return False
        left.remove(found)
    return True


def find_shift(gone, come, tolerance):
    """The vector by which all of the first triangles are moved in the second ones; None if there is none."""
    for other in come:
        shift = shift_between(gone[0][2], other[2], tolerance) if other[:2] == gone[0][:2] else None
        if shift and any(shift) and is_moved(gone, come, shift, tolerance): return shift
    return None


def moved_mesh(before, after, tolerance, several):
    """Returns a problem, or an empty string if the triangles of one node (or of several) moved by the same vector, and nothing else changed."""
    old, new = Glb(before).world(), Glb(after).world()
    gone, come = list((old - new).elements()), list((new - old).elements())
    if not gone: return "no triangle has changed"
    if len(gone) != len(come): return f"{len(gone)} triangles removed, {len(come)} added"
    if not several and len({path for path, _, _ in gone}) != 1: return f"triangles of several nodes changed: {sorted({path for path, _, _ in gone})}"
    return "" if find_shift(gone, come, tolerance) or has_moved_surface(gone, come, tolerance) else f"the triangles did not move by the same vector: {gone[0]}, {come[0]}"


def moved_copy(before, after, tolerance):
    """Returns a problem, or an empty string if `after` has the triangles of one node once more, moved, and all others are unchanged."""
    old, new = Glb(before).world(), Glb(after).world()
    gone, come = list((old - new).elements()), list((new - old).elements())
    if gone: return f"{len(gone)} triangles removed"
    if not come: return "no triangle was added"
    sources = [one for one in old.elements() if one[0] == come[0][0]]
    if find_shift(come, sources, tolerance) or has_moved_surface(come, sources, tolerance): return ""
    return f"{len(come)} triangles added that are no moved copy: {come[0]}"


def has_moved_surface(gone, come, tolerance):
    """Whether two lists of triangles have the same corners and area, moved by a vector: quads can be split along either diagonal."""
    def corners(all): return sorted({(material, corner) for _, material, corners in all for corner in corners}, key=lambda one: (one[0] or 0, one[1][1], one[1][0]))
    def area(all): return sum(area_of([place for place, _ in corners]) for _, _, corners in all)
    one, other = corners(gone), corners(come)
    if len(one) != len(other): return False
    shifts = [[y - x for x, y in zip(a[1][0], b[1][0])] for a, b in zip(one, other)]
    return (all(a[0] == b[0] and a[1][1] == b[1][1] for a, b in zip(one, other)) and
            all(abs(x - y) <= 2 * tolerance for shift in shifts for x, y in zip(shift, shifts[0])) and abs(area(gone) - area(come)) <= 1e-3 * area(come))


def area_of(corners):
    a, b = ([y - x for x, y in zip(corners[0], corners[k])] for k in (1, 2))
    return 0.5 * sum((a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2]) ** 2 for i in range(3)) ** 0.5
