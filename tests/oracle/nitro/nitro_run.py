#!/usr/bin/env python3
"""Draws a Nitro model as the games' runtime does: runs its SBC and display lists. Second reader, see nitro_oracle.py.

Billboards are left out: their nodes keep their own rotation.

    nitro_run.py FILE...                               compares the extremes of all vertices with the box of each model
    nitro_run.py --draws [FRAME ANIMATION] MODEL       what is drawn, a draw a line as JSON: shape, material, node,
                                                       vertices (position, normal, colour, texel), triangles
"""
import json
import sys

import nitro_oracle
from nitro_animation import pose_at, texture_matrix, unit
from nitro_oracle import FX

# Transforms are twelve numbers: three columns and the translation; applied to column vectors.
NO_TRANSFORM = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
NINE = nitro_oracle.IDENTITY  # normals have only the columns


def apply(m, x, y, z):
    return (m[0] * x + m[3] * y + m[6] * z + m[9], m[1] * x + m[4] * y + m[7] * z + m[10],
            m[2] * x + m[5] * y + m[8] * z + m[11])


def turn(m, x, y, z):
    return (m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z)


def times(a, b):
    """First b, then a. Of twelve or nine numbers each."""
    made = [*turn(a, *b[0:3]), *turn(a, *b[3:6]), *turn(a, *b[6:9])]
    return made + list(apply(a, *b[9:12])) if len(a) == 12 else made


def scaled(m, s):
    """First the scale, then m."""
    return [m[i] * s[i // 3] if i < 9 else m[i] for i in range(len(m))]


def moved(m, t):
    return m[:9] + list(apply(m, *t))


def signed10(value, shift):
    return ((value >> shift & 0x3FF) ^ 0x200) - 0x200


def signed16(value):
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000


class LocalVertex:
    """As the display list gives it. `matrix` is an index into the matrices of its shape; color and normal are None
    where the shape has not said them yet: they are what was drawn before, or the material's."""
    __slots__ = ("matrix", "position", "normal", "color", "texel")

    def __init__(self, matrix, position, normal, color, texel):
        self.matrix, self.position, self.normal, self.color, self.texel = matrix, position, normal, color, texel


class Decoded:
    """A display list: vertices, polygons (three or four corners), and matrices: None for the current one, or
    (slot, scale) for one that MTX_RESTORE took."""

    def __init__(self, shape):
        self.matrices = [(None, (1.0, 1.0, 1.0))]
        self.vertices, self.polygons = [], []
        x = y = z = 0
        matrix, normal, color, texel = 0, None, None, None
        kind, start = None, 0
        for opcode, words in shape.commands:
            if 0x23 <= opcode <= 0x28:
                a = words[0]
                if opcode == 0x23:
                    x, y, z = signed16(a), signed16(a >> 16), signed16(words[1])
                elif opcode == 0x24:
                    x, y, z = signed10(a, 0) << 6, signed10(a, 10) << 6, signed10(a, 20) << 6
                elif opcode == 0x25:
                    x, y = signed16(a), signed16(a >> 16)
                elif opcode == 0x26:
                    x, z = signed16(a), signed16(a >> 16)
                elif opcode == 0x27:
                    y, z = signed16(a), signed16(a >> 16)
                else:  # the sums have 16 bits
                    x, y, z = (signed16(v + signed10(a, shift)) for v, shift in ((x, 0), (y, 10), (z, 20)))
                self.vertices.append(LocalVertex(matrix, (x * FX, y * FX, z * FX), normal, color, texel))
            elif opcode == 0x20:
                color = ("color", words[0] & 0x7FFF)
            elif opcode == 0x21:
                normal = tuple(signed10(words[0], shift) / 512 for shift in (0, 10, 20))
                color = ("light", None)
            elif opcode == 0x22:
                texel = signed16(words[0]) / 16, signed16(words[0] >> 16) / 16
            elif opcode == 0x14:
                self.matrices.append((words[0] & 31, (1.0, 1.0, 1.0)))
                matrix = len(self.matrices) - 1
            elif opcode == 0x1B:
                slot, before = self.matrices[matrix]
                scale = [(((w & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000) * FX for w in words]
                self.matrices.append((slot, tuple(s * b for s, b in zip(scale, before))))
                matrix = len(self.matrices) - 1
            elif opcode == 0x40:
                kind, start = words[0] & 3, len(self.vertices)
            elif opcode == 0x41:
                self._assemble(kind, start, len(self.vertices))
                kind = None
        if kind is not None:
            self._assemble(kind, start, len(self.vertices))

    def _assemble(self, kind, start, end):
        """Polygons of the vertices since BEGIN, all with the winding of the first."""
        if kind == 0:
            self.polygons += [(i, i + 1, i + 2) for i in range(start, end - 2, 3)]
        elif kind == 1:
            self.polygons += [(i, i + 1, i + 2, i + 3) for i in range(start, end - 3, 4)]
        elif kind == 2:
            for n, i in enumerate(range(start, end - 2)):
                self.polygons.append((i + 1, i, i + 2) if n & 1 else (i, i + 1, i + 2))
        elif kind == 3:
            self.polygons += [(i, i + 1, i + 3, i + 2) for i in range(start, end - 3, 2)]


class Vertex:
    """In model units. `normals`: the directions that may be meant, the hardware's first; none without NORMAL.
    `color`: ("color", RGB555), ("diffuse", RGB555) or ("light", None) where the game's lights decide."""
    __slots__ = ("position", "normals", "color", "texel")

    def __init__(self, position, normals, color, texel):
        self.position, self.normals, self.color, self.texel = position, normals, color, texel


class Draw:
    """One SHP command."""

    def __init__(self, shape, material, node, shown, vertices, polygons, projected):
        self.shape, self.material, self.node, self.shown = shape, material, node, shown
        self.vertices, self.polygons, self.projected = vertices, polygons, projected

    def triangles(self):
        for polygon in self.polygons:
            yield polygon[:3]
            if len(polygon) == 4:
                yield polygon[0], polygon[2], polygon[3]


def inverse_transpose(m):
    """Of the columns of m, up to a positive factor; None if they are flat."""
    a, b, c = m[0:3], m[3:6], m[6:9]
    cross = nitro_oracle.cross
    normal = [*cross(b, c), *cross(c, a), *cross(a, b)]
    size = nitro_oracle.determinant(m[:9])
    longest = max(abs(v) for v in m[:9])
    if abs(size) <= 1e-9 * longest ** 3:
        return None
    return normal if size > 0 else [-v for v in normal]


class Runner:
    def __init__(self, model):
        self.model = model
        self.decoded = [Decoded(shape) for shape in model.shapes]

    def joint(self, node, parent, flags, current):
        """The position and normal matrix of a node on top of the current ones."""
        position, normal = current
        translation, rotation, scale, inverse = self.pose[node]
        rule = self.model.scaling_rule
        if rule == 2:
            grown, shrunk = ((1.0,) * 3, (1.0,) * 3) if node == parent else self.cumulative[parent]
            position = scaled(position, shrunk)
            position = moved(position, [t * g for t, g in zip(translation, grown)])
            position = times(position, list(rotation) + [0.0] * 3)
            grown = [g * s for g, s in zip(grown, scale)]
            self.cumulative[node] = grown, [g * s for g, s in zip(shrunk, inverse)]
            position = scaled(position, grown)
        else:
            position = moved(position, translation)
            if rule == 1 and flags & 1 and node != parent:
                position = scaled(position, self.pose[parent][3])
            position = times(position, list(rotation) + [0.0] * 3)
            position = scaled(position, scale)
        # MTX_SCALE, with which the runtime scales, leaves the hardware's matrix for normals alone.
        return position, times(normal, rotation)

    def run(self, pose=None, visible=None, normals=True):
        """The draws in order. `pose` as of pose_at; `visible`: of each node, from an animation."""
        model = self.model
        self.pose = pose or pose_at(model, None, 0)
        self.cumulative = {}
        current = NO_TRANSFORM, NINE
        stack = {}
        shown, material, node, color, projected = True, None, None, None, False
        draws = []
        for name, option, operands in model.sbc:
            if name == "RET":
                break
            elif name == "NODE":
                node = operands[0]
                shown = bool(operands[1] & 1)
                if visible is not None and node < len(visible):
                    shown = visible[node]
            elif name == "MTX":
                if shown:
                    current = stack[operands[0]]
            elif name == "MAT":
                material, projected = operands[0], False
                if model.materials[material].diffuse_is_vertex_color:
                    color = "diffuse", model.materials[material].diffuse
            elif name == "SHP":
                draw, color = self.draw(operands[0], material, node, shown, current, stack, color, normals, projected)
                draws.append(draw)
                projected = False
            elif name == "NODEDESC":
                if option & 2:
                    current = stack[operands[-1]]
                current = self.joint(operands[0], operands[1], operands[2], current)
                if option & 1:
                    stack[operands[3]] = current
            elif name in ("BB", "BBY"):
                if option & 2:
                    current = stack[operands[-1]]
                if option & 1:
                    stack[operands[1]] = current
            elif name == "NODEMIX":
                position, normal = [0.0] * 12, [0.0] * 9
                for slot, envelope, weight in zip(*(operands[2 + i::3] for i in range(3))):
                    bind, bind_normal = model.envelopes[envelope]
                    position = [v + weight / 256 * p for v, p in zip(position, times(stack[slot][0], bind))]
                    normal = [v + weight / 256 * p for v, p in zip(normal, times(stack[slot][1], bind_normal))]
                current = position, normal
                stack[operands[0]] = current
            elif name == "POSSCALE":
                factor = model.inverse_position_scale if option & 1 else model.position_scale
                current = scaled(current[0], [factor] * 3), current[1]
            elif name in ("ENVMAP", "PRJMAP"):
                projected = True
            elif name == "CALLDL":
                raise nitro_oracle.NitroError("CALLDL is not drawn")
        return draws

    def draw(self, shape, material, node, shown, current, stack, color, normals, projected):
        decoded = self.decoded[shape]
        matrices = []
        for slot, scale in decoded.matrices:
            position, normal = current if slot is None else stack[slot]
            position = scaled(position, scale)
            matrices.append((position, normal, inverse_transpose(position) if normals else None))
        made = []
        last_color = color
        for vertex in decoded.vertices:
            position, normal, other = matrices[vertex.matrix]
            if vertex.color is not None:
                last_color = vertex.color
            directions = ()
            if normals and vertex.normal is not None:
                directions = [unit(turn(normal, *vertex.normal))]
                if other:
                    directions.append(unit(turn(other, *vertex.normal)))
            made.append(Vertex(apply(position, *vertex.position), directions, last_color, vertex.texel))
        shown = shown and material is not None and self.model.materials[material].alpha > 0
        return Draw(shape, material, node, shown, made, decoded.polygons, projected), last_color


def texture_transform(model, material, values=None):
    """How the coordinates of a material move, as texture_matrix; None if they do not, or if vertices or normals make
    them. `values`: of a texture animation."""
    if values is None:
        if material.texgen != 1:
            return None
        if not material.flag & 1:
            return texture_matrix(model.texture_mode, (1, 1), (0, 1), (0, 0), material.width, material.height)
        values = material.scale, material.sine_cosine, material.translation
    return texture_matrix(model.texture_mode, *values, material.width, material.height)


def coordinates(texel, transform, size):
    """(u, v) of a texel; size: that of the texture."""
    u, v = texel[0] / size[0], texel[1] / size[1]
    if transform:
        (a, b, c), (d, e, f) = transform
        u, v = a * u + b * v + c, d * u + e * v + f
    return u, v


def extremes(draws):
    points = [v.position for draw in draws for v in draw.vertices]
    return [list(map(min, zip(*points))), list(map(max, zip(*points)))] if points else None


def box_differences(model):
    """How far the extremes in the rest pose are from the stored box: six numbers, in units of its rounding."""
    found = extremes(Runner(model).run(normals=False))
    if found is None:
        return []
    unit_size = model.box_scale * FX
    return [(a - b) / unit_size for stored, real in zip(model.box, found) for a, b in zip(stored, real)]


MOVED = {"door01"}  # real models that were moved after their box was made


def judge_box(model):
    """None if the box is that of the vertices; "far" if it is wrong in the way of some models: the greatest z stands
    where the least should; else what differs."""
    differences = box_differences(model)
    if not differences:
        return None
    # Boxes were made before scales and rotations lost their digits.
    found = extremes(Runner(model).run(normals=False))
    rounding = 2 + 2e-3 * max(b - a for a, b in zip(*found)) / (model.box_scale * FX)
    if model.name in MOVED:  # the size is right
        differences = [b - a for a, b in zip(differences[:3], differences[3:])]
    if all(abs(d) <= rounding for d in differences):
        return None
    if abs(model.box[0][2] - found[1][2]) <= rounding * model.box_scale * FX and \
            all(abs(d) <= rounding for i, d in enumerate(differences) if i % 3 != 2):
        return "far"
    return "box differs by " + " ".join(f"{d * model.box_scale * FX:.5g}" for d in differences) + f" of {model.box}"


def print_draws(arguments):
    """[FRAME ANIMATION] MODEL"""
    model = next(m for _, file in nitro_oracle.load(arguments[-1]) for m in getattr(file, "models", ()))
    pose = None
    if len(arguments) == 3:
        animation = next(a for _, file in nitro_oracle.load(arguments[1]) for a in getattr(file, "animations", ()))
        pose = pose_at(model, animation, float(arguments[0]))
    for draw in Runner(model).run(pose):
        vertices = [{"position": v.position, "normal": v.normals[0] if v.normals else None, "color": v.color,
                     "texel": v.texel} for v in draw.vertices]
        print(json.dumps({"shape": model.shapes[draw.shape].name, "material": model.materials[draw.material].name,
                          "node": model.nodes[draw.node].name, "shown": draw.shown, "vertices": vertices,
                          "triangles": list(draw.triangles())}))


def main(arguments):
    if arguments[:1] == ["--draws"]:
        print_draws(arguments[1:])
        return 0
    passed = failed = far = 0
    for path in nitro_oracle.files_of(arguments):
        for name, file in nitro_oracle.load(path):
            for model in getattr(file, "models", ()):
                judged = judge_box(model)
                if judged == "far":
                    far += 1
                elif judged:
                    print(f"{name}: {model.name}: {judged}")
                passed, failed = passed + (judged in (None, "far")), failed + (judged not in (None, "far"))
    print(f"{far} boxes begin at the greatest z")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
