#!/usr/bin/env python3
"""A second reader of the Nitro formats (Nintendo DS): NSBMD NSBTX NSBCA NSBTP NSBTA NSBMA NSBVA.

It was written from the formats' documents alone and shares no code and no tables with the C++ reader, so that a mistake
would have to be made twice to go unseen. This file reads the structures; nitro_run.py draws a model, nitro_textures.py
makes pictures, nitro_animation.py moves things.

    nitro_oracle.py FILE...           the parsed structures as JSON, one file a line
    nitro_oracle.py --check FILE...   what does not fit together, a line each; `N passed, N failed` last

A FILE may be one of the seven formats, or anything with such files inside (archives, land data): they are found by
their magic, byte order mark and header size.
"""
import json
import os
import struct
import sys

FILE_MAGICS = {b"BMD0": (b"MDL0", b"TEX0"), b"BTX0": (b"TEX0",), b"BCA0": (b"JNT0",), b"BTP0": (b"PAT0",),
               b"BTA0": (b"SRT0",), b"BMA0": (b"MAT0",), b"BVA0": (b"VIS0",)}
OBJECT_MAGICS = {b"JNT0": b"J\0AC", b"VIS0": b"V\0AV", b"MAT0": b"M\0AM", b"PAT0": b"M\0PT", b"SRT0": b"M\0AT"}
HEADER_SIZE = 16
FX = 1 / 4096  # fx16 and fx32 have twelve fraction bits


class NitroError(Exception):
    """What makes a file unreadable."""


class Data:
    """The bytes of one file. It remembers every value that was read, for `known`, and what bytes they were."""

    def __init__(self, data):
        self.data = bytes(data)
        self.known = {}  # (offset, size) -> value as it was read, numbers unscaled
        self.faults = []  # what does not fit together but can be read

    def _number(self, code, at, size):
        if at < 0 or at + size > len(self.data):
            raise NitroError(f"0x{at:x}: {size} bytes are outside of the file of {len(self.data)} bytes")
        value = struct.unpack_from(code, self.data, at)[0]
        self.known[at, size] = value
        return value

    def u8(self, at):
        return self._number("<B", at, 1)

    def u16(self, at):
        return self._number("<H", at, 2)

    def u32(self, at):
        return self._number("<I", at, 4)

    def fx16(self, at):
        return self._number("<h", at, 2) * FX

    def fx32(self, at):
        return self._number("<i", at, 4) * FX

    def fx32s(self, at, count):
        return [self.fx32(at + 4 * i) for i in range(count)]

    def raw(self, at, size):
        if at < 0 or size < 0 or at + size > len(self.data):
            raise NitroError(f"0x{at:x}: {size} bytes are outside of the file of {len(self.data)} bytes")
        self.known[at, size] = self.data[at:at + size]
        return self.data[at:at + size]

    def name(self, at):
        raw = self.raw(at, 16)
        text = raw.rstrip(b"\0")
        self.expect(b"\0" not in text, at, f"a name with a NUL inside: {raw!r}")
        return text.decode("latin-1")

    def magic(self, at, wanted):
        found = self.raw(at, len(wanted))
        if found != wanted:
            raise NitroError(f"0x{at:x}: expected {wanted!r}, found {found!r}")

    def expect(self, holds, at, text):
        if not holds:
            self.faults.append(f"0x{at:x}: {text}")

    def covered(self):
        """A byte for each byte of the file, 1 where something was read."""
        told = bytearray(len(self.data))
        for at, size in self.known:
            told[at:at + size] = b"\1" * size
        return told


# ---- dictionaries ----------------------------------------------------------------------------------------------------

class Dictionary:
    def __init__(self, at, size, names, places):
        self.at, self.size, self.names, self.places = at, size, names, places  # places: offset of each entry's data

    def __len__(self):
        return len(self.names)


def name_number(name):
    return int.from_bytes(name.encode("latin-1").ljust(16, b"\0"), "little")


def build_tree(names):
    """The Patricia tree of names as (bit, left, right, entry), the root first; None where two names are equal."""

    class Inner:
        __slots__ = ("bit", "entry", "sides", "number")

    numbers = [name_number(name) for name in names]
    sentinel = ("leaf", None)
    top = sentinel

    def leaf_number(leaf):
        return 0 if leaf[1] is None else numbers[leaf[1]]

    made = []
    for entry, number in enumerate(numbers):
        at = top
        while isinstance(at, Inner):
            at = at.sides[number >> at.bit & 1]
        difference = leaf_number(at) ^ number
        if difference == 0:
            return None
        bit = difference.bit_length() - 1
        above, at = None, top
        while isinstance(at, Inner) and at.bit > bit:
            above, at = at, at.sides[number >> at.bit & 1]
        new = Inner()
        new.bit, new.entry = bit, entry
        own = ("leaf", entry)
        new.sides = [at, own] if number >> bit & 1 else [own, at]
        if above is None:
            top = new
        else:
            above.sides[number >> above.bit & 1] = new
        made.append(new)

    order = []
    waiting = [top]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Inner):
            order.append(node)
            node.number = len(order)
            waiting += [node.sides[1], node.sides[0]]  # the left one is next

    def written(side):
        if isinstance(side, Inner):
            return side.number
        return 0 if side[1] is None else made[side[1]].number

    root = (127, 1 if names else 0, 0, 0)
    return [root] + [(n.bit, written(n.sides[0]), written(n.sides[1]), n.entry) for n in order]


def find_by_tree(tree, names, name):
    """The entry a walk of the tree finds for a name, as the games do it from 16 entries on; None if there is none."""
    number = name_number(name)
    parent, at = tree[0], tree[tree[0][1]]
    while at[0] < parent[0]:
        parent, at = at, tree[at[2] if number >> at[0] & 1 else at[1]]
    return at[3] if at[3] < len(names) and names[at[3]] == name else None


def read_dictionary(file, at, unit):
    revision, count, size = file.u8(at), file.u8(at + 1), file.u16(at + 2)
    file.expect(revision == 0, at, f"dictionary: revision {revision}")
    file.expect(file.u16(at + 4) == 8, at + 4, "dictionary: expected 8")
    entries = at + file.u16(at + 6)
    file.expect(entries == at + 8 + 4 * (count + 1), at + 6, "dictionary: the entries are elsewhere")
    tree = [tuple(file.u8(at + 8 + 4 * i + j) for j in range(4)) for i in range(count + 1)]
    found_unit, names_at = file.u16(entries), entries + file.u16(entries + 2)
    if found_unit != unit:
        raise NitroError(f"0x{entries:x}: entries of {found_unit} bytes, expected {unit}")
    file.expect(names_at == entries + 4 + unit * count, entries + 2, "dictionary: the names are elsewhere")
    file.expect(size == 12 + 4 * (count + 1) + (unit + 16) * count, at + 2, f"dictionary: size {size}")
    names = [file.name(names_at + 16 * i) for i in range(count)]
    expected = build_tree(names)
    if expected is None:
        file.expect(False, at, "dictionary: a name twice")
    else:
        file.expect(expected == tree, at + 8, "dictionary: the tree is not that of the names")
    if count >= 16 and expected == tree:
        for i, name in enumerate(names):
            file.expect(find_by_tree(tree, names, name) == i, at + 8, f"dictionary: {name} is not found")
    return Dictionary(at, size, names, [entries + 4 + unit * i for i in range(count)])


# ---- models ----------------------------------------------------------------------------------------------------------

IDENTITY = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]


def pivot_rotation(info, a, b):
    """Nine numbers in file order. info: bits 0-3 the element that is 1, 4 that it is -1, 5 C = -B, 6 D = -A."""
    place = info & 15
    if place > 8:
        raise NitroError(f"a pivot at element {place}")
    row, column = divmod(place, 3)
    others = [i for i in range(9) if i // 3 != row and i % 3 != column]
    rotation = [0.0] * 9
    rotation[place] = -1.0 if info & 16 else 1.0
    for i, value in zip(others, (a, b, -b if info & 32 else b, -a if info & 64 else a)):
        rotation[i] = value
    return rotation


class Node:
    def __init__(self, file, at, name):
        self.name = name
        self.flag = file.u16(at)
        first = file.fx16(at + 2)
        place = at + 4
        self.translation, self.rotation = [0.0] * 3, list(IDENTITY)
        self.scale, self.inverse_scale = [1.0] * 3, [1.0] * 3
        if not self.flag & 1:
            self.translation = file.fx32s(place, 3)
            place += 12
        if self.flag & 8:
            a, b = file.fx16(place), file.fx16(place + 2)
            self.rotation = pivot_rotation(self.flag >> 4 & 0x7F, a, b)
            file.expect(first == self.rotation[0], at + 2, f"{name}: element 0 of a pivot is {first}")
            place += 4
        elif not self.flag & 2:
            self.rotation = [first] + [file.fx16(place + 2 * i) for i in range(8)]
            place += 16
        else:
            file.expect(first == 1, at + 2, f"{name}: element 0 without rotation is {first}")
        if not self.flag & 4:
            self.scale, self.inverse_scale = file.fx32s(place, 3), file.fx32s(place + 12, 3)
            place += 24
        self.end = place
        file.expect(self.flag >> 11 == 31, at, f"{name}: stack index {self.flag >> 11}")
        file.expect(abs(determinant(self.rotation) - 1) < 0.01, at, f"{name}: its rotation is none")


def determinant(a):
    return (a[0] * (a[4] * a[8] - a[5] * a[7]) - a[3] * (a[1] * a[8] - a[2] * a[7]) +
            a[6] * (a[1] * a[5] - a[2] * a[4]))


SBC_NAMES = ("NOP", "RET", "NODE", "MTX", "MAT", "SHP", "NODEDESC", "BB", "BBY", "NODEMIX", "CALLDL", "POSSCALE",
             "ENVMAP", "PRJMAP")


def read_sbc(file, at, end):
    """The commands as (name, option bits, operands), and where they end."""
    commands = []
    while True:
        if at >= end:
            raise NitroError(f"0x{at:x}: the SBC has no RET")
        opcode = file.u8(at)
        command, option = opcode & 31, opcode >> 5
        if command >= len(SBC_NAMES):
            raise NitroError(f"0x{at:x}: SBC command {command:02x}")
        name, start = SBC_NAMES[command], at
        if name == "NODEMIX":
            operands = [file.u8(at + 1 + i) for i in range(2)]
            operands += [file.u8(at + 3 + i) for i in range(3 * operands[1])]
            at += 1 + len(operands)
        elif name == "CALLDL":
            operands = [start + file.u32(at + 1), file.u32(at + 5)]
            at += 9
        else:
            count = {"NODE": 2, "MTX": 1, "MAT": 1, "SHP": 1, "NODEDESC": 3, "BB": 1, "BBY": 1, "ENVMAP": 2,
                     "PRJMAP": 2}.get(name, 0)
            if name in ("NODEDESC", "BB", "BBY"):
                count += (option & 1) + (option >> 1 & 1)
            operands = [file.u8(at + 1 + i) for i in range(count)]
            at += 1 + count
        commands.append((name, option, operands))
        if name == "RET":
            return commands, at


class Material:
    def __init__(self, file, at, name):
        self.name = name
        self.texture = self.palette = None  # names, from the pairings
        file.expect(file.u16(at) == 0, at, f"{name}: tag")
        self.size = file.u16(at + 2)
        self.diffuse_ambient, self.specular_emission = file.u32(at + 4), file.u32(at + 8)
        self.polygon_attributes, self.polygon_mask = file.u32(at + 12), file.u32(at + 16)
        self.texture_parameters, self.texture_mask = file.u32(at + 20), file.u32(at + 24)
        self.palette_base, self.flag = file.u16(at + 28), file.u16(at + 30)
        self.width, self.height = file.u16(at + 32), file.u16(at + 34)
        self.magnification = file.fx32s(at + 36, 2)
        self.scale, self.sine_cosine, self.translation, self.effect = [1.0, 1.0], [0.0, 1.0], [0.0, 0.0], None
        place = at + 44
        if not self.flag & 2:
            self.scale = file.fx32s(place, 2)
            place += 8
        if not self.flag & 4:
            self.sine_cosine = [file.fx16(place), file.fx16(place + 2)]
            place += 4
        if not self.flag & 8:
            self.translation = file.fx32s(place, 2)
            place += 8
        if self.flag & 0x2000:
            self.effect = file.fx32s(place, 16)
            place += 64
        file.expect(place == at + self.size, at + 2, f"{name}: size {self.size}, its parts have {place - at}")

    @property
    def diffuse(self):
        return self.diffuse_ambient & 0x7FFF

    @property
    def diffuse_is_vertex_color(self):
        return self.diffuse_ambient >> 15 & 1

    @property
    def alpha(self):
        return self.polygon_attributes >> 16 & 31

    @property
    def wireframe(self):
        return self.flag >> 5 & 1

    @property
    def cull(self):
        """Which sides are shown: bit 0 the back, bit 1 the front."""
        return self.polygon_attributes >> 6 & 3

    @property
    def texgen(self):
        return self.texture_parameters >> 30

    def wrap(self):
        """For S and T: clamp, repeat or mirror."""
        def one(axis):
            if not self.texture_parameters >> 16 + axis & 1:
                return "clamp"
            return "mirror" if self.texture_parameters >> 18 + axis & 1 else "repeat"
        return one(0), one(1)


# GPU commands of a display list and how many words of parameters each has.
GPU_WORDS = {0x00: 0, 0x14: 1, 0x1B: 3, 0x20: 1, 0x21: 1, 0x22: 1, 0x23: 2, 0x24: 1, 0x25: 1, 0x26: 1, 0x27: 1, 0x28: 1,
             0x40: 1, 0x41: 0}


def gpu_commands(data):
    """The commands of a display list as [(opcode, words)], without NOPs."""
    if len(data) % 4:
        raise NitroError(f"a display list of {len(data)} bytes")
    words = struct.unpack(f"<{len(data) // 4}I", data)
    commands, at = [], 0
    while at < len(words):
        packet = words[at]
        at += 1
        for shift in (0, 8, 16, 24):
            opcode = packet >> shift & 0xFF
            count = GPU_WORDS.get(opcode)
            if count is None:
                raise NitroError(f"GPU command {opcode:02x}")
            if at + count > len(words):
                raise NitroError("a display list that ends within a command")
            if opcode:
                commands.append((opcode, words[at:at + count]))
            at += count
    return commands


def pack_gpu_commands(commands):
    """The bytes of a display list, packed four commands a word."""
    words = []
    for i in range(0, len(commands), 4):
        packet = commands[i:i + 4]
        words.append(sum(opcode << 8 * j for j, (opcode, _) in enumerate(packet)))
        for _, parameters in packet:
            words += parameters
        if not GPU_WORDS[packet[-1][0]]:
            words.append(0)
    return struct.pack(f"<{len(words)}I", *words)


class Shape:
    def __init__(self, file, at, name):
        self.name = name
        file.expect(file.u16(at) == 0 and file.u16(at + 2) == 16, at, f"{name}: tag or size")
        self.flag = file.u32(at + 4)
        self.list_at = at + file.u32(at + 8)
        self.list = file.raw(self.list_at, file.u32(at + 12))
        self.commands = gpu_commands(self.list)
        file.expect(pack_gpu_commands(self.commands) == self.list, self.list_at, f"{name}: packed differently")
        used = {opcode for opcode, _ in self.commands}
        flag = sum(bit for bit, opcode in ((1, 0x21), (2, 0x20), (4, 0x22), (8, 0x14)) if opcode in used)
        file.expect(flag == self.flag, at + 4, f"{name}: flag {self.flag}, its commands say {flag}")

    def counts(self):
        """Vertices, triangles, quads."""
        vertices = triangles = quads = inside = 0
        kind = None
        for opcode, words in self.commands + [(0x40, (0,))]:
            if 0x23 <= opcode <= 0x28:
                inside += 1
            elif opcode == 0x40:
                if kind == 0:
                    triangles += inside // 3
                elif kind == 1:
                    quads += inside // 4
                elif kind == 2:
                    triangles += max(inside - 2, 0)
                elif kind == 3:
                    quads += max(inside - 2, 0) // 2
                vertices += inside
                kind, inside = words[0] & 3, 0
        return vertices, triangles, quads


class Model:
    def __init__(self, file, at, name):
        self.name, self.at = name, at
        self.size = file.u32(at)
        end = at + self.size
        sbc_at, material_at, shape_at = (at + file.u32(at + i) for i in (4, 8, 12))
        envelope_at = at + file.u32(at + 16)
        self.sbc_type, self.scaling_rule, self.texture_mode = (file.u8(at + i) for i in (0x14, 0x15, 0x16))
        numbers = [file.u8(at + i) for i in (0x17, 0x18, 0x19)]
        self.first_unused_slot = file.u8(at + 0x1A)
        file.expect(file.u8(at + 0x1B) == 0, at + 0x1B, "model: expected 0")
        self.position_scale, self.inverse_position_scale = file.fx32(at + 0x1C), file.fx32(at + 0x20)
        self.counts = [file.u16(at + 0x24 + 2 * i) for i in range(4)]
        box = [file.fx16(at + 0x2C + 2 * i) for i in range(6)]
        self.box_scale = file.fx32(at + 0x38)
        file.fx32(at + 0x3C)
        # Two corners in model units, each with its three numbers.
        self.box = [[v * self.box_scale for v in box[:3]], [(a + b) * self.box_scale for a, b in zip(box, box[3:])]]

        nodes = read_dictionary(file, at + 0x40, 4)
        self.nodes = [Node(file, nodes.at + file.u32(place), name) for place, name in zip(nodes.places, nodes.names)]
        self.sbc, sbc_end = read_sbc(file, sbc_at, end)
        self._padding(file, sbc_end, material_at)
        self._materials(file, material_at, shape_at)
        shapes = read_dictionary(file, shape_at, 4)
        self.shapes = [Shape(file, shape_at + file.u32(place), name)
                       for place, name in zip(shapes.places, shapes.names)]
        self.envelopes = []  # of each node: twelve numbers (column after column), then nine
        if envelope_at < end:
            self.envelopes = [(file.fx32s(envelope_at + 84 * i, 12), file.fx32s(envelope_at + 84 * i + 48, 9))
                              for i in range(len(self.nodes))]
            file.expect(envelope_at + 84 * len(self.nodes) == end, at + 16, "envelopes that do not end the model")
        file.expect(numbers == [len(self.nodes), len(self.materials), len(self.shapes)], at + 0x17, f"counts {numbers}")
        counts = [sum(c) for c in zip(*(shape.counts() for shape in self.shapes))] or [0, 0, 0]
        file.expect(self.counts == [counts[0], counts[1] + counts[2], counts[1], counts[2]], at + 0x24,
                    f"vertex and polygon counts {self.counts}, the lists have {counts}")
        self._check_sbc(file, at)

    @staticmethod
    def _padding(file, begin, end):
        if begin < end:
            file.expect(end - begin < 4 and not any(file.raw(begin, end - begin)), begin, "padding")

    def _materials(self, file, at, end):
        pairings = [(kind, at + file.u16(at + 2 * i)) for i, kind in enumerate(("texture", "palette"))]
        materials = read_dictionary(file, at + 4, 4)
        places = [at + file.u32(place) for place in materials.places]
        self.materials = [Material(file, place, name) for place, name in zip(places, materials.names)]
        lists_end = 0
        for kind, place in pairings:
            names = read_dictionary(file, place, 4)
            file.expect(names.names == sorted(names.names), names.at, "pairings are not sorted")
            lists_end = max(lists_end, names.at + names.size)
            for name, entry in zip(names.names, names.places):
                first, count = at + file.u16(entry), file.u8(entry + 2)
                file.expect(file.u8(entry + 3) == 0, entry + 3, f"pairing {name}: flag")
                lists_end = max(lists_end, first + count)
                for i in range(count):
                    index = file.u8(first + i)
                    if index >= len(self.materials):
                        raise NitroError(f"0x{first + i:x}: pairing {name} with material {index}")
                    file.expect(getattr(self.materials[index], kind) is None, first + i, f"material {index} twice")
                    setattr(self.materials[index], kind, name)
        self._padding(file, lists_end, min(places, default=end))
        file.expect(materials.names == sorted(materials.names), materials.at, "materials are not sorted")

    def _check_sbc(self, file, at):
        described, drawn, used, stored, parents = [], [], set(), set(), {}
        for name, option, operands in self.sbc:
            if name == "NODEDESC":
                node, parent = operands[:2]
                file.expect(node not in parents, at, f"two NODEDESCs of node {node}")
                file.expect(parent in parents or node == parent == 0, at, f"node {node} before its parent {parent}")
                parents[node] = parent
                described.append(node)
                if option & 2:
                    file.expect(operands[-1] in stored, at, f"slot {operands[-1]} loaded before it is stored")
                if option & 1:
                    stored.add(operands[3])
            elif name in ("BB", "BBY"):
                if option & 2:
                    file.expect(operands[-1] in stored, at, f"slot {operands[-1]} loaded before it is stored")
                if option & 1:
                    stored.add(operands[1])
            elif name == "NODEMIX":
                for slot in operands[2::3]:
                    file.expect(slot in stored, at, f"slot {slot} mixed before it is stored")
                stored.add(operands[0])
            elif name == "MTX":
                file.expect(operands[0] in stored, at, f"slot {operands[0]} loaded before it is stored")
            elif name == "SHP":
                drawn.append(operands[0])
                for opcode, words in self.shapes[operands[0]].commands:
                    if opcode == 0x14:
                        file.expect(words[0] & 31 in stored, at, f"slot {words[0]} restored before it is stored")
            elif name == "MAT":
                used.add(operands[0])
        self.parents = parents
        file.expect(sorted(described) == list(range(len(self.nodes))), at, f"described nodes {described}")
        file.expect(sorted(drawn) == list(range(len(self.shapes))), at, f"drawn shapes {drawn}")
        file.expect(used == set(range(len(self.materials))), at, f"used materials {sorted(used)}")
        highest = 1 + max(stored) if stored else 0
        file.expect(self.first_unused_slot == highest, at + 0x1A, f"{self.first_unused_slot} slots, stored {highest}")


# ---- textures --------------------------------------------------------------------------------------------------------

class Texture:
    def __init__(self, name, word, size_word):
        self.name = name
        self.offset = (word & 0xFFFF) << 3
        self.width, self.height = 8 << (word >> 20 & 7), 8 << (word >> 23 & 7)
        self.format, self.first_clear = word >> 26 & 7, word >> 29 & 1
        self.original = size_word & 0x7FF, size_word >> 11 & 0x7FF
        self.same_size = size_word >> 31


class TextureSet:
    """A TEX0 block. Texture data is kept as it is; nitro_textures.py makes pictures of it."""

    def __init__(self, file, at, size):
        texture_size, textures_at = file.u16(at + 0x0C) << 3, at + file.u16(at + 0x0E)
        for place in (8, 0x18, 0x2C):
            file.expect(file.u32(at + place) == 0, at + place, "TEX0: expected 0")
        for place in (0x10, 0x12, 0x20, 0x22, 0x36):
            file.expect(file.u16(at + place) == 0, at + place, "TEX0: expected 0")
        texture_at = at + file.u32(at + 0x14)
        block_size = file.u16(at + 0x1C) << 3
        file.expect(at + file.u16(at + 0x1E) == textures_at, at + 0x1E, "TEX0: another place of the textures")
        block_at, block_index_at = at + file.u32(at + 0x24), at + file.u32(at + 0x28)
        palette_size, flag = file.u16(at + 0x30) << 3, file.u16(at + 0x32)
        palettes_at = at + file.u16(at + 0x34)
        palette_at = at + file.u32(at + 0x38)
        self.texels = file.raw(texture_at, texture_size)
        self.block_texels = file.raw(block_at, block_size)
        self.block_indices = file.raw(block_index_at, block_size // 2)
        self.colors = file.raw(palette_at, palette_size)
        textures = read_dictionary(file, textures_at, 8)
        self.textures = {name: Texture(name, file.u32(place), file.u32(place + 4))
                         for name, place in zip(textures.names, textures.places)}
        for texture in self.textures.values():
            same = texture.original == (texture.width, texture.height)
            file.expect(same == bool(texture.same_size), at, f"{texture.name}: its size and bit 31 disagree")
        palettes = read_dictionary(file, palettes_at, 4)
        self.palettes = {name: file.u16(place) << 3 for name, place in zip(palettes.names, palettes.places)}
        four = [file.u16(place + 2) for place in palettes.places]
        file.expect(flag == (0x8000 if any(four) else 0), at + 0x32, f"TEX0: flag {flag:x}")
        for name, offset in self.palettes.items():
            file.expect(offset % 16 == 0, at, f"palette {name} at {offset}")
        parts = [(textures.at, textures.size), (palettes.at, palettes.size), (texture_at, texture_size),
                 (block_at, block_size), (block_index_at, block_size // 2), (palette_at, palette_size)]
        end = at + 60
        for place, length in parts:
            file.expect(place == end, place, f"TEX0: a part at 0x{place:x}, expected 0x{end:x}")
            end = place + length
        file.expect(end == at + size, at + 4, "TEX0: its parts do not fill it")


# ---- animations ------------------------------------------------------------------------------------------------------

def sample_count(frames, last, step):
    return frames if step == 1 else last // step + 1 + (frames - 1 - last)


STEPS = (1, 2, 4, 2)


class Curve:
    """A number over the frames. `values` are what is stored, or one if `constant`."""

    def __init__(self, values, step=1, last=0, constant=False):
        self.values, self.step, self.last, self.constant = values, step, last, constant


def read_curve(file, info, first, width, frames, read, where, last_shift, last_bits, expect_last):
    """A sampled curve whose samples are `width` bytes apart."""
    step, last = STEPS[info >> 30], info >> last_shift & (1 << last_bits) - 1
    expected = frames if step == 1 else (frames - 1) // step * step
    if expect_last:
        file.expect(last == expected, first, f"{where}: last interpolated frame {last}, expected {expected}")
    # With step 1 every frame has its sample.
    count = sample_count(frames, last, step)
    return Curve([read(first + width * i) for i in range(count)], step, last)


class JointAnimation:
    """Of each node: None where it is the identity, or translation, rotation, scale: "identity", "model" or curves."""

    def __init__(self, file, at, name):
        self.name, self.at = name, at
        file.magic(at, OBJECT_MAGICS[b"JNT0"])
        self.frames, count = file.u16(at + 4), file.u16(at + 6)
        self.flag = file.u32(at + 8)
        self.pivots_at, self.bases_at = at + file.u32(at + 12), at + file.u32(at + 16)
        self.rotations = {}
        self.tracks = [self._track(file, at, at + file.u16(at + 20 + 2 * i), i) for i in range(count)]

    def _rotation(self, file, place):
        index = file.u16(place)
        if index not in self.rotations:
            if index & 0x8000:
                at = self.pivots_at + 6 * (index & 0x7FFF)
                rotation = pivot_rotation(file.u16(at), file.fx16(at + 2), file.fx16(at + 4))
            else:
                at = self.bases_at + 10 * index
                rotation = basis_rotation([file.u16(at + 2 * i) for i in range(5)])
            file.expect(abs(determinant(rotation) - 1) < 0.01, at, f"rotation {index:x} is none")
            self.rotations[index] = rotation
        return index

    def _track(self, file, at, place, number):
        tag = file.u32(place)
        file.expect(tag >> 24 == number, place, f"track {number} of node {tag >> 24}")
        if tag & 1:
            return None
        place += 4
        track = {}

        def one(kind, constant, where):
            nonlocal place
            pair = kind == "scale"
            if constant:
                if kind == "rotation":
                    curve = Curve([self._rotation(file, place)], constant=True)
                    file.expect(file.u16(place + 2) == 0, place + 2, f"{where}: padding")
                    place += 4
                elif pair:
                    curve = Curve([(file.fx32(place), file.fx32(place + 4))], constant=True)
                    place += 8
                else:
                    curve = Curve([file.fx32(place)], constant=True)
                    place += 4
                return curve
            info, first = file.u32(place), at + file.u32(place + 4)
            place += 8
            half = info >> 29 & 1
            if kind == "rotation":
                width, read = 2, lambda p: self._rotation(file, p)
            elif pair and half:
                width, read = 4, lambda p: (file.fx16(p), file.fx16(p + 2))
            elif pair:
                width, read = 8, lambda p: (file.fx32(p), file.fx32(p + 4))
            else:
                width, read = (2, file.fx16) if half else (4, file.fx32)
            return read_curve(file, info, first, width, self.frames, read, where, 16, 13, True)

        for kind, identity, model, constants in (("translation", 1, 2, (3, 4, 5)), ("rotation", 6, 7, (8,)),
                                                 ("scale", 9, 10, (11, 12, 13))):
            if tag >> identity & 1:
                track[kind] = "identity"
            elif tag >> model & 1:
                track[kind] = "model"
            else:
                track[kind] = [one(kind, tag >> bit & 1, f"{self.name} node {number} {kind}") for bit in constants]
        return track


def basis_rotation(words):
    """Nine numbers in file order from five words."""
    def signed13(value):
        return ((value & 0x1FFF) ^ 0x1000) - 0x1000
    order = [words[4], words[0], words[1], words[2], words[3]]
    high = [signed13(w >> 3) * FX for w in order]
    low = 0
    for word in order:
        low = low << 3 | word & 7
    first = high[1], high[2], high[3]
    second = high[4], high[0], signed13(low) * FX
    return [*first, *second, *cross(first, second)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class PatternAnimation:
    """tracks: material name -> [(frame, texture name, palette name or None)]"""

    def __init__(self, file, at, name):
        self.name = name
        file.magic(at, OBJECT_MAGICS[b"PAT0"])
        self.frames, textures, palettes = file.u16(at + 4), file.u8(at + 6), file.u8(at + 7)
        textures_at, palettes_at = at + file.u16(at + 8), at + file.u16(at + 10)
        self.textures = [file.name(textures_at + 16 * i) for i in range(textures)]
        self.palettes = [file.name(palettes_at + 16 * i) for i in range(palettes)]
        names = read_dictionary(file, at + 12, 8)
        self.tracks = {}
        for name, place in zip(names.names, names.places):
            count, flag, ratio = file.u16(place), file.u16(place + 2), file.fx16(place + 4)
            first = at + file.u16(place + 6)
            file.expect(flag == 0, place + 2, f"{name}: flag {flag}")
            file.expect(ratio == count * 4096 // self.frames * FX, place + 4, f"{name}: ratio {ratio}")
            keys = []
            for key in range(first, first + 4 * count, 4):
                frame, texture, palette = file.u16(key), file.u8(key + 2), file.u8(key + 3)
                if texture >= textures or (palette >= palettes and palette != 255):
                    raise NitroError(f"0x{key:x}: texture {texture} or palette {palette}")
                keys.append((frame, self.textures[texture], None if palette == 255 else self.palettes[palette]))
            file.expect([k[0] for k in keys] == sorted(k[0] for k in keys), first, f"{name}: keys are not sorted")
            self.tracks[name] = keys


class TextureAnimation:
    """tracks: material name -> curves of scale S, scale T, rotation (sine, cosine), translation S, translation T"""

    def __init__(self, file, at, name):
        self.name = name
        file.magic(at, OBJECT_MAGICS[b"SRT0"])
        self.frames, self.flag, self.mode = file.u16(at + 4), file.u8(at + 6), file.u8(at + 7)
        names = read_dictionary(file, at + 8, 40)
        self.tracks = {name: [self._element(file, at, place + 8 * i, i == 2, f"{name} element {i}") for i in range(5)]
                       for name, place in zip(names.names, names.places)}

    def _element(self, file, at, place, rotation, where):
        info, value = file.u32(place), file.u32(place + 4)
        half = info >> 28 & 1
        if info >> 29 & 1:
            file.expect(info & 0xFFFF == self.frames, place, f"{where}: {info & 0xFFFF} frames")
            if rotation:
                return Curve([(file.fx16(place + 4), file.fx16(place + 6))], constant=True)
            return Curve([file.fx32(place + 4)], constant=True)
        if rotation:
            width, read = 4, lambda p: (file.fx16(p), file.fx16(p + 2))
        else:
            width, read = (2, file.fx16) if half else (4, file.fx32)
        return read_curve(file, info, at + value, width, self.frames, read, where, 0, 16, True)


class MaterialAnimation:
    """tracks: material name -> curves of diffuse, ambient, specular, emission (RGB555) and alpha (0-31)"""

    def __init__(self, file, at, name):
        self.name = name
        file.magic(at, OBJECT_MAGICS[b"MAT0"])
        self.frames, self.flag = file.u16(at + 4), file.u16(at + 6)
        names = read_dictionary(file, at + 8, 20)
        self.tracks = {name: [self._element(file, at, place + 4 * i, i == 4, f"{name} element {i}") for i in range(5)]
                       for name, place in zip(names.names, names.places)}

    def _element(self, file, at, place, alpha, where):
        info = file.u32(place)
        if info >> 29 & 1:
            return Curve([info & 0xFFFF], constant=True)
        width, read = (1, file.u8) if alpha else (2, file.u16)
        return read_curve(file, info, at + (info & 0xFFFF), width, self.frames, read, where, 16, 13, True)


class VisibilityAnimation:
    def __init__(self, file, at, name):
        self.name = name
        file.magic(at, OBJECT_MAGICS[b"VIS0"])
        self.frames, self.nodes = file.u16(at + 4), file.u16(at + 6)
        size = file.u16(at + 8)
        file.expect(file.u16(at + 10) == 0, at + 10, "VIS0: expected 0")
        count = (self.frames * self.nodes + 31) // 32
        file.expect(size == 12 + 4 * count, at + 8, f"VIS0: size {size}")
        self.words = [file.u32(at + 12 + 4 * i) for i in range(count)]

    def visible(self, frame, node):
        bit = frame * self.nodes + node
        return bool(self.words[bit // 32] >> bit % 32 & 1)


# ---- files -----------------------------------------------------------------------------------------------------------

ANIMATIONS = {b"JNT0": JointAnimation, b"PAT0": PatternAnimation, b"SRT0": TextureAnimation, b"MAT0": MaterialAnimation,
              b"VIS0": VisibilityAnimation}


class File:
    """A file of one of the seven formats: models, texture sets and animations, each a list."""

    def __init__(self, data):
        self.data = Data(data)
        file = self.data
        self.magic = file.raw(0, 4)
        if self.magic not in FILE_MAGICS:
            raise NitroError(f"no Nitro file: {self.magic!r}")
        if file.u16(4) != 0xFEFF:
            raise NitroError("another byte order")
        self.version = file.u16(6)
        file.expect(self.version == (2 if self.magic == b"BMD0" else 1), 6, f"version {self.version}")
        file.expect(file.u32(8) == len(data), 8, f"size {file.u32(8)}, the file has {len(data)} bytes")
        file.expect(file.u16(12) == HEADER_SIZE, 12, f"header size {file.u16(12)}")
        count = file.u16(14)
        expected = FILE_MAGICS[self.magic]
        if not 1 <= count <= len(expected):
            raise NitroError(f"0xe: {count} blocks")
        self.models, self.texture_sets, self.animations = [], [], []
        end = HEADER_SIZE + 4 * count
        for i in range(count):
            at = file.u32(HEADER_SIZE + 4 * i)
            file.expect(at == end, HEADER_SIZE + 4 * i, f"a block at 0x{at:x}, expected 0x{end:x}")
            file.magic(at, expected[i])
            size = file.u32(at + 4)
            end = at + size
            self._block(expected[i], at, size)
        file.expect(end == len(data), 8, f"the blocks end at 0x{end:x}")
        self._covered()

    def _block(self, magic, at, size):
        file = self.data
        if magic == b"TEX0":
            self.texture_sets.append(TextureSet(file, at, size))
            return
        objects = read_dictionary(file, at + 8, 4)
        for name, place in zip(objects.names, objects.places):
            kind, kept = (Model, self.models) if magic == b"MDL0" else (ANIMATIONS[magic], self.animations)
            kept.append(kind(file, at + file.u32(place), name))

    def _covered(self):
        """Whatever was not read is padding, or samples of constants that are written all the same (SRT0)."""
        told = self.data.covered()
        self.unread = []
        at = told.find(0)
        while at >= 0:
            end = told.find(1, at)
            end = len(told) if end < 0 else end
            self.unread.append((at, end))
            padding = end - at < 4 and not any(self.data.data[at:end])
            self.data.expect(padding or self.magic == b"BTA0", at, f"{end - at} bytes that nothing reads")
            at = told.find(0, end)

    @property
    def faults(self):
        return self.data.faults


def embedded(data):
    """The Nitro files inside some bytes, as (offset, bytes)."""
    if data[:4] in FILE_MAGICS:
        return [(0, data)]
    found, at = [], 0
    while at + HEADER_SIZE <= len(data):
        places = [p for p in (data.find(magic, at) for magic in FILE_MAGICS) if p >= 0]
        if not places:
            break
        at = min(places)
        if at + HEADER_SIZE <= len(data):
            order, _, size, header = struct.unpack_from("<HHIH", data, at + 4)
            if order == 0xFEFF and header == HEADER_SIZE and at + size <= len(data):
                found.append((at, data[at:at + size]))
                at += size
                continue
        at += 4
    return found


def load(path):
    """The Nitro files in a file, as (name, File or NitroError)."""
    with open(path, "rb") as file:
        data = file.read()
    loaded = []
    for i, (at, part) in enumerate(embedded(data)):
        name = path if len(part) == len(data) else f"{path}#{i}"
        try:
            loaded.append((name, File(part)))
        except NitroError as error:
            loaded.append((name, error))
    return loaded


def plain(value):
    """As JSON: objects become dictionaries, bytes their length."""
    if isinstance(value, (bytes, bytearray)):
        return f"{len(value)} bytes"
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "__dict__"):
        return {k: plain(v) for k, v in vars(value).items() if k not in ("data", "commands", "words")}
    return value


def files_of(arguments):
    for argument in arguments:
        if os.path.isdir(argument):
            for folder, _, names in sorted(os.walk(argument)):
                yield from (os.path.join(folder, name) for name in sorted(names))
        else:
            yield argument


def main(arguments):
    check = arguments[:1] == ["--check"]
    if check:
        del arguments[0]
    if not arguments:
        sys.exit("usage: nitro_oracle.py [--check] FILE...")
    passed = failed = 0
    for path in files_of(arguments):
        for name, file in load(path):
            faults = [str(file)] if isinstance(file, NitroError) else file.faults
            passed, failed = passed + (not faults), failed + bool(faults)
            if check:
                for fault in faults:
                    print(f"{name}: {fault}")
            elif isinstance(file, NitroError):
                print(json.dumps({"file": name, "error": str(file)}))
            else:
                print(json.dumps({"file": name, **plain(file)}))
    if check:
        print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
