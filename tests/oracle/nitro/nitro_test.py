#!/usr/bin/env python3
"""Tests of nitro_compare.py: a GLB written from the oracle's drawing agrees with it; a GLB with a fault does not.

    nitro_test.py [FILE...]     also tests real models: each is written, compared, damaged and compared again
"""
import json
import struct
import sys
import zlib

import nitro_animation
import nitro_compare
import nitro_files
import nitro_glb
import nitro_oracle
import nitro_run
import nitro_textures


# ---- a minimal GLB writer --------------------------------------------------------------------------------------------

def to_linear(srgb):
    return srgb / 12.92 if srgb <= 0.04045 else ((srgb + 0.055) / 1.055) ** 2.4


def encode_png(width, height, pixels):
    def part(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    lines = b"".join(b"\0" + b"".join(bytes(p) for p in pixels[y * width:(y + 1) * width]) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            part(b"IDAT", zlib.compress(lines, 1)) + part(b"IEND", b""))


class GlbWriter:
    """Everything stands in the world already; the vertices of each draw are a primitive."""

    METRES = 0.25

    def __init__(self, model, sets):
        self.model, self.sets = model, sets
        self.binary = bytearray()
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "accessors": [],
                     "bufferViews": [], "materials": [], "meshes": [{"primitives": []}],
                     "nodes": [{"scale": [self.METRES] * 3, "children": [1]}, {"mesh": 0}]}
        self.sizes = nitro_compare.texture_sizes(model, sets)
        for material in model.materials:
            self.json["materials"].append(self.material(material))

    def view(self, data):
        self.binary += bytes(-len(self.binary) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, data, component, count, kind):
        self.json["accessors"].append({"bufferView": self.view(data), "componentType": component, "count": count,
                                       "type": kind})
        return len(self.json["accessors"]) - 1

    def floats(self, values):
        width = len(values[0])
        data = struct.pack(f"<{width * len(values)}f", *(x for v in values for x in v))
        return self.accessor(data, 5126, len(values), ("SCALAR", "VEC2", "VEC3", "VEC4")[width - 1])

    def indices(self, values):
        return self.accessor(struct.pack(f"<{len(values)}I", *values), 5125, len(values), "SCALAR")

    def material(self, material):
        surface = {"baseColorFactor": [1, 1, 1, material.alpha / 31]}
        made = {"name": material.name, "pbrMetallicRoughness": surface}
        if material.cull == 3:
            made["doubleSided"] = True
        picture = nitro_textures.decode_pair(self.sets, material.texture, material.palette)
        if picture:
            for name in ("images", "textures", "samplers"):
                self.json.setdefault(name, [])
            self.json["images"].append({"mimeType": "image/png", "bufferView": self.view(encode_png(*picture[:3]))})
            wraps = [{v: k for k, v in nitro_glb.WRAPS.items()}[w] for w in material.wrap()]
            self.json["samplers"].append({"wrapS": wraps[0], "wrapT": wraps[1]})
            number = len(self.json["textures"])
            self.json["textures"].append({"source": number, "sampler": number})
            surface["baseColorTexture"] = {"index": number}
        alphas = {p[3] for p in picture[2]} if picture else set()
        if material.alpha < 31 or alphas - {0, 255}:
            made["alphaMode"] = "BLEND"
        elif 0 in alphas:
            made["alphaMode"] = "MASK"
        return made

    def draw(self, draw):
        """A primitive of its JSON, from the vertices of a draw."""
        material = self.model.materials[draw.material]
        vertices = draw.vertices
        size, transform = self.sizes.get(material.name), nitro_run.texture_transform(self.model, material)
        attributes = {"POSITION": self.floats([v.position for v in vertices])}
        if any(v.normals for v in vertices):
            normals = [v.normals[0] if v.normals else (0, 1, 0) for v in vertices]
            attributes["NORMAL"] = self.floats(normals)
        if size and any(v.texel for v in vertices):
            attributes["TEXCOORD_0"] = self.floats(
                [nitro_run.coordinates(v.texel, transform, size) if v.texel else (0, 0) for v in vertices])
        known = [v.color[1] if v.color and v.color[1] is not None else 0x7FFF for v in vertices]
        attributes["COLOR_0"] = self.floats([[to_linear(c / 255) for c in nitro_textures.color(k)[:3]] for k in known])
        corners = [i for triangle in draw.triangles() for i in triangle]
        return {"attributes": attributes, "indices": self.indices(corners), "material": draw.material}

    def bytes(self):
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.binary) + bytes(-len(self.binary) % 4)
        header = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary))
        return (header + struct.pack("<I4s", len(text), b"JSON") + text +
                struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def write(model, sets, draws=None):
    writer = GlbWriter(model, sets)
    draws = nitro_run.Runner(model).run() if draws is None else draws
    writer.json["meshes"][0]["primitives"] = [writer.draw(d) for d in draws if d.shown and d.polygons]
    return writer


def compared(data, model, sets, **options):
    return nitro_compare.Comparison(nitro_glb.Glb(data), model, sets, **options)


# ---- a writer of GLB with joints, for models whose nodes only move, turn and grow evenly -----------------------------

def quaternion(m):
    """Of nine numbers, three columns."""
    x, y, z = m[0], m[4], m[8]
    candidates = [(1 + x + y + z, (m[5] - m[7], m[6] - m[2], m[1] - m[3], 1 + x + y + z)),
                  (1 + x - y - z, (1 + x - y - z, m[3] + m[1], m[6] + m[2], m[5] - m[7])),
                  (1 - x + y - z, (m[3] + m[1], 1 - x + y - z, m[7] + m[5], m[6] - m[2])),
                  (1 - x - y + z, (m[6] + m[2], m[7] + m[5], 1 - x - y + z, m[1] - m[3]))]
    return nitro_animation.unit(max(candidates)[1])


def inverse(m):
    turned = nitro_run.inverse_transpose(m)
    size = abs(nitro_oracle.determinant(m[:9]))
    columns = [turned[3 * (i % 3) + i // 3] / size for i in range(9)]
    return columns + [-v for v in nitro_run.turn(columns, *m[9:12])]


def owners(model, draws):
    """Of each draw: of each vertex the node it hangs on."""
    runner, current, slots, found = nitro_run.Runner(model), None, {}, []
    for name, option, operands in model.sbc:
        if name == "NODEDESC":
            current = operands[0]
            if option & 1:
                slots[operands[3]] = current
        elif name == "SHP":
            decoded = runner.decoded[operands[0]]
            nodes = [current if slot is None else slots[slot] for slot, _ in decoded.matrices]
            found.append([nodes[v.matrix] for v in decoded.vertices])
    return found


def write_moving(model, sets, animation, fps):
    """The nodes of the model as joints, each vertex on its node; all frames of a joint animation as keys."""
    writer = GlbWriter(model, sets)
    draws = nitro_run.Runner(model).run()
    count, first = len(model.nodes), len(writer.json["nodes"])
    places = [None] * count
    for i, (translation, rotation, scale, _) in enumerate(nitro_animation.pose_at(model, None, 0)):
        own = nitro_glb.from_parts(translation, quaternion(rotation), scale)
        parent = model.parents[i]
        places[i] = own if i == parent else nitro_run.times(places[parent], own)
        writer.json["nodes"].append({"translation": translation, "rotation": quaternion(rotation), "scale": scale})
        if i != parent:
            writer.json["nodes"][first + parent].setdefault("children", []).append(first + i)
    writer.json["nodes"][0]["children"].append(first)
    writer.json["nodes"][1]["skin"] = 0
    writer.json["nodes"][1]["translation"] = [7, 7, 7]  # does not count for a mesh with a skin
    binds = []
    for place in places:
        m = inverse(place)
        binds.append((*m[0:3], 0, *m[3:6], 0, *m[6:9], 0, *m[9:12], 1))
    data = struct.pack(f"<{16 * count}f", *(x for b in binds for x in b))
    writer.json["skins"] = [{"joints": list(range(first, first + count)),
                             "inverseBindMatrices": writer.accessor(data, 5126, count, "MAT4")}]
    primitives = []
    for draw, nodes in zip(draws, owners(model, draws)):
        primitive = writer.draw(draw)
        data = b"".join(struct.pack("<4B", node, 0, 0, 0) for node in nodes)
        primitive["attributes"]["JOINTS_0"] = writer.accessor(data, 5121, len(nodes), "VEC4")
        primitive["attributes"]["WEIGHTS_0"] = writer.floats([(1, 0, 0, 0)] * len(nodes))
        primitives.append(primitive)
    writer.json["meshes"][0]["primitives"] = primitives
    times = writer.floats([(frame / fps,) for frame in range(animation.frames)])
    poses = [nitro_animation.pose_at(model, animation, frame) for frame in range(animation.frames)]
    made = {"name": animation.name, "channels": [], "samplers": []}
    for i in range(count):
        for path, values in (("translation", [p[i][0] for p in poses]),
                             ("rotation", [quaternion(p[i][1]) for p in poses]), ("scale", [p[i][2] for p in poses])):
            made["channels"].append({"sampler": len(made["samplers"]), "target": {"node": first + i, "path": path}})
            made["samplers"].append({"input": times, "output": writer.floats(values)})
    writer.json["animations"] = [made]
    return writer


def add_pointers(writer, name, frames, fps, tracks):
    """An animation of things at JSON pointers: {pointer: [value of each frame]}"""
    made = {"name": name, "channels": [], "samplers": []}
    times = writer.floats([(frame / fps,) for frame in range(frames)])
    for pointer, values in tracks.items():
        target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
        made["channels"].append({"sampler": len(made["samplers"]), "target": target})
        made["samplers"].append({"input": times, "output": writer.floats(values), "interpolation": "STEP"})
    writer.json.setdefault("animations", []).append(made)


# ---- the tests -------------------------------------------------------------------------------------------------------

class Tests:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, what):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"failed: {what}")

    def equal(self, found, wanted, what):
        self.check(found == wanted, f"{what}: {found}, expected {wanted}")

    def near(self, found, wanted, what):
        self.check(nitro_compare.distance(found, wanted) < 1e-6, f"{what}: {found}, expected {wanted}")

    def finds(self, comparison, kinds, what):
        self.equal(set(comparison.differences), set(kinds), f"{what}: {comparison.report(1)}: kinds of differences")


def file_of(make, *arguments):
    file = nitro_oracle.File(make(*arguments))
    assert not file.faults, file.faults
    return file


def test_reads_models_and_name_trees(tests):
    data = nitro_files.nsbmd()
    for at in range(0, len(data), 97):
        try:
            nitro_oracle.File(data[:at])
            tests.check(False, f"rejects a model cut to {at} bytes")
        except nitro_oracle.NitroError:
            tests.check(True, "")
    spoilt = bytearray(data)
    spoilt[24 + 8 + 8 + 4] ^= 1  # the bit of the only inner node in the model dictionary
    tests.check(any("tree" in fault for fault in nitro_oracle.File(spoilt).faults), "detects a wrong name tree")
    tests.equal(nitro_oracle.build_tree(["a"]), [(127, 1, 0, 0), (6, 0, 1, 0)], "tree with one name")
    tests.equal(nitro_oracle.build_tree(["a", "b"]), [(127, 1, 0, 0), (6, 0, 2, 0), (1, 1, 2, 1)], "tree with two names")
    tests.equal(nitro_oracle.build_tree(["a", "a"]), None, "rejects duplicate names")


def test_draws_vertices_and_texels(tests):
    file = file_of(nitro_files.nsbmd)
    model, sets = file.models[0], file.texture_sets
    quad, strip, quads = nitro_run.Runner(model).run()
    tests.equal([v.position for v in quad.vertices], [(8, 2, 0), (8, -2, 0), (12, -2, 0), (12, 2, 1)], "quad vertices")
    tests.equal(list(quad.triangles()), [(0, 1, 2), (0, 2, 3)], "a quad as triangles")
    tests.equal([v.color for v in quad.vertices], [("color", c) for c in (0x1F, 0x3E0, 0x7C00, 0x7FFF)], "vertex colours")
    tests.equal(quad.vertices[2].texel, (16, 16), "vertex texture coordinate")
    # Below "pivot": scaled by 2, x to z, z to -x, at (10, 5, 0). The last vertex belongs to the root.
    tests.near(strip.vertices[1].position, (10, 5, 4), "strip vertex")
    tests.near(strip.vertices[3].position, (10, 9, 4 * 511 / 4096), "VTX_DIFF")
    tests.near(strip.vertices[4].position, (12, 2, 2), "MTX_RESTORE and MTX_SCALE")
    tests.equal(strip.polygons, [(0, 1, 2), (2, 1, 3), (2, 3, 4)], "strip triangles")
    tests.near(strip.vertices[0].normals[0], (-1, 0, 0), "rotated normal")
    tests.near(strip.vertices[4].normals[0], (0, 1, 0), "normal of the root node")
    tests.near(quads.vertices[2].position, (2, 9, 0), "vertex below a node")
    tests.near(quads.vertices[4].position, (2, 9, -8), "VTX_YZ")
    tests.equal(quads.polygons, [(0, 1, 3, 2), (2, 3, 5, 4)], "quad strip polygons")
    tests.equal([v.color for v in quads.vertices], [("diffuse", 0x7FFF)] * 6, "diffuse colours")
    # c_moved turns by a quarter with S twice, T twice, shifted by (1/4, 1/2): u' = 2 v - 1/2, v' = 2 - 2 u.
    moved = nitro_run.texture_transform(model, model.materials[2])
    tests.near(nitro_run.coordinates((8, 0), moved, (8, 8)), (-0.5, 0), "texture matrix")
    width, height, pixels, outside = nitro_textures.decode_pair(sets, "tex16", "pal16")
    tests.equal((width, height, outside), (8, 8, 0), "texture size")
    tests.equal((pixels[0], pixels[1], pixels[15]), ((0, 0, 0, 0), (12, 12, 12, 255), (69, 69, 69, 255)), "texels")
    pixels = nitro_textures.decode_pair(sets, "tex_a3i5", "pal_a3i5")[2]
    tests.equal((pixels[0], pixels[8], pixels[63]), ((255, 0, 0, 0), (255, 0, 0, 36), (199, 0, 0, 255)), "A3I5 texels")
    tests.equal([nitro_textures.eight_bits(v) for v in (0, 1, 16, 30, 31)], [0, 12, 134, 247, 255], "5-bit to 8-bit channels")


def test_decodes_all_block_modes(tests):
    """All four modes of format 5, which the sample files do not use."""
    textures = nitro_oracle.TextureSet.__new__(nitro_oracle.TextureSet)
    textures.block_texels = bytes([0b11100100, 0, 0, 0]) * 4
    textures.block_indices = struct.pack("<4H", *(mode << 14 | 1 for mode in range(4)))
    textures.colors = struct.pack("<6H", 0, 0, 31, 7, 15, 3)
    textures.textures = {"t": nitro_oracle.Texture("t", 5 << 26, 0)}
    textures.palettes = {"p": 0}
    pixels = nitro_textures.decode(textures, "t", "p")[2]
    rows = [[pixels[y * 8 + x + i] for i in range(4)] for y in (0, 4) for x in (0, 4)]
    eight = nitro_textures.eight_bits
    reds = [[31, 7, 15, None], [31, 7, 19, None], [31, 7, 15, 3], [31, 7, (31 * 5 + 7 * 3) // 8, (31 * 3 + 7 * 5) // 8]]
    for mode in range(4):
        wanted = [(0, 0, 0, 0) if red is None else (eight(red), 0, 0, 255) for red in reds[mode]]
        tests.equal(rows[mode], wanted, f"format 5, mode {mode}")


def test_samples_animations_at_frames(tests):
    model = file_of(nitro_files.nsbmd).models[0]

    def x(flag, frame):
        return nitro_animation.pose_at(model, file_of(nitro_files.nsbca, flag).animations[0], frame)[0][0][0]
    tests.equal([x(0, f) for f in (0, 1, 2, 3, 4, 5, 6, 99)], [10, 11, 12, 13, 14, 19, 19, 19], "step 2, whole frames")
    tests.equal([x(0, f) for f in (1.9, 4.5, 5.5)], [11, 14, 19], "not interpolated")
    tests.equal([x(1, f) for f in (0.5, 2.5, 4.5, 5.5)], [10.5, 12.5, 16.5, 19], "interpolated")
    tests.equal([x(3, f) for f in (4.5, 5.5)], [16.5, 14.5], "interpolated to the first")
    animation = file_of(nitro_files.nsbca).animations[0]
    pose = nitro_animation.pose_at(model, animation, 4)
    tests.equal(pose[1][0], [0, 5, 0], "translation of the model")
    tests.equal(pose[1][2:], ([4, 2, 2], [0.25, 0.5, 0.5]), "scale and its inverse")
    tests.equal(nitro_animation.pose_at(model, animation, 3)[1][1], [-1, 0, 0, 0, 0, -1, 0, -1, 0], "basis rotation")
    half = 0.5 ** 0.5  # x and y are interpolated and normalized; z follows without normalization
    tests.near(nitro_animation.pose_at(model, animation, 3.5)[1][1], [-half, 0, half, 0, half, -half, -0.5, -0.5, -0.5],
               "interpolated rotation")
    pattern = file_of(nitro_files.nsbtp).animations[0]
    tests.equal([nitro_animation.pattern_at(pattern, "a_plain", f) for f in (0, 3.9, 4, 6, 7, 50)],
                [("one", "palette")] * 2 + [("two", None)] * 2 + [("one", "palette")] * 2, "pattern keys")
    tests.equal(nitro_animation.pattern_at(pattern, "b_glass", 0), None, "material without a pattern")
    scroll = file_of(nitro_files.nsbta).animations[0]
    values = [nitro_animation.texture_values_at(scroll, "c_moved", f) for f in range(5)]
    tests.equal([v[0] for v in values], [(s, 2) for s in (1, 2, 3, 4, 5)], "texture scale, step 4")
    tests.equal([v[2][0] for v in values], [0, 0.125, 0.25, 0.375, 0.5], "texture shift")
    tests.equal(values[0][1], (1, 0), "texture rotation")
    fade = file_of(nitro_files.nsbma).animations[0]
    tests.equal([nitro_animation.colors_at(fade, "b_glass", f) for f in (0, 2.5, 3)],
                [(0x7FFF, 1, 2, 3, a) for a in (0, 20, 31)], "material colours")
    hide = file_of(nitro_files.nsbva).animations[0]
    tests.equal([nitro_animation.visibility_at(hide, f) for f in range(3)],
                [[True] * 3, [False, True, False], [False, False, True]], "visibility")
    # The modes agree without motion and differ for a shift of (1/4, 1/8).
    for mode in range(4):
        still = nitro_animation.texture_matrix(mode, (1, 1), (0, 1), (0, 0), 8, 16)
        tests.equal(still, ((1, 0, 0), (0, 1, 0)), f"texture matrix, mode {mode}")
        shifted = nitro_animation.texture_matrix(mode, (1, 1), (0, 1), (0.25, 0.125), 8, 16)
        wanted = -0.25, -0.125 if mode == 1 else 0.125
        tests.equal((shifted[0][2], shifted[1][2]), wanted, f"shift, mode {mode}")


def test_comparison_finds_each_difference(tests):
    """Each single fault and the kinds of differences it causes."""
    file = file_of(nitro_files.nsbmd)
    model, sets = file.models[0], file.texture_sets

    def with_draws(spoil):
        draws = nitro_run.Runner(model).run()
        spoil(draws)
        return compared(write(model, sets, draws).bytes(), model, sets)

    def with_json(spoil):
        writer = write(model, sets)
        spoil(writer.json)
        return compared(writer.bytes(), model, sets)

    def move(draws, far):
        x, y, z = draws[0].vertices[2].position
        draws[0].vertices[2].position = x, y + far, z

    def set_vertex(index, field, value):
        return lambda draws: setattr(draws[index].vertices[0], field, value)

    good = with_draws(lambda draws: None)
    tests.finds(good, [], "correct scene")
    tests.equal(good.counts["triangles"], 2 + 3 + 4, "number of triangles")
    tests.equal(good.counts["pictures"], 2, "number of pictures")
    extent = good.extent
    tests.finds(with_draws(lambda draws: move(draws, 0.5e-4 * extent)), [], "vertex moved within the tolerance")
    tests.finds(with_draws(lambda draws: move(draws, 2e-4 * extent)), ["missing", "extra"], "moved vertex")
    tests.finds(with_draws(lambda draws: draws[1].polygons.pop()), ["missing", "count"], "missing triangle")
    tests.finds(with_draws(lambda draws: draws[1].polygons.append((0, 1, 1))), [], "extra triangle without area")
    tests.finds(with_draws(lambda draws: draws[1].polygons.append((0, 1, 2))), ["extra", "count"],
                "extra triangle")
    tests.finds(with_draws(lambda draws: draws[1].polygons.__setitem__(0, (1, 0, 2))), ["missing", "extra"],
                "reversed winding")
    other = with_draws(lambda draws: draws[0].polygons.__setitem__(slice(None), [(0, 1, 3), (1, 2, 3)]))
    tests.finds(other, [], "quad split along the other diagonal")
    tests.finds(with_draws(lambda draws: draws[0].polygons.__setitem__(slice(None), [(0, 1, 3), (0, 2, 3)])),
                ["missing", "extra"], "quad split along both diagonals")
    tests.finds(with_draws(set_vertex(0, "texel", (0.01, 0))), ["uv"], "wrong texture coordinate")
    tests.finds(with_draws(set_vertex(0, "color", ("color", 0x1E))), ["color"], "wrong vertex colour")
    tests.finds(with_draws(set_vertex(2, "color", ("diffuse", 0))), ["color"], "wrong diffuse colour")
    tests.finds(with_draws(set_vertex(1, "normals", [(0, 0, 1)])), ["normal"], "wrong normal")
    tests.finds(with_json(lambda j: j["materials"][0].update(name="other")),
                ["missing", "extra", "count", "material"], "wrong material name")
    tests.finds(with_json(lambda j: j["materials"][0].update(doubleSided=True)), ["material"], "material wrongly double-sided")
    tests.finds(with_json(lambda j: j["materials"][1].pop("doubleSided")), ["material"], "material wrongly single-sided")
    tests.finds(with_json(lambda j: j["materials"][1].update(alphaMode="OPAQUE")), ["alpha mode"], "missing blending")
    tests.finds(with_json(lambda j: j["materials"][1]["pbrMetallicRoughness"].update(baseColorFactor=[1, 1, 1, 1])),
                ["material"], "wrong opacity")
    tests.finds(with_json(lambda j: j["materials"][0]["pbrMetallicRoughness"].pop("baseColorTexture")),
                ["texture"], "missing picture")
    tests.finds(with_json(lambda j: j["samplers"][0].update(wrapS=33071)), ["texture"], "wrong wrap mode")
    tests.finds(with_json(lambda j: j["textures"][0].update(source=1)), ["texture"], "wrong picture")
    transform = {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0, 1e-3]}}}
    tests.finds(with_json(lambda j: j["materials"][0]["pbrMetallicRoughness"].update(baseColorTexture=transform)),
                ["uv"], "wrong texture transform")
    tests.finds(with_json(lambda j: j["nodes"][1].update(rotation=[0, 0, 1, 0])), ["missing", "extra"], "rotated node")
    for top in ({"translation": [1, 0, 0]}, {"scale": [1, 1, 2]}):
        try:
            with_json(lambda j: j["nodes"][0].update(top))
            tests.check(False, f"rejects a root node with {top}")
        except nitro_glb.GlbError:
            tests.check(True, "")
    # Pictures are compared by texel: one channel of one texel differs by one.
    width, height, pixels, _ = nitro_textures.decode_pair(sets, "tex16", "pal16")
    tests.equal(nitro_glb.decode_png(encode_png(width, height, pixels)), (width, height, pixels), "PNG round trip")
    before = len(good.differences["texture"])
    good.picture("", (width, height, pixels), (width, height, [pixels[0], (13, 12, 12, 255), *pixels[2:]]))
    tests.equal(len(good.differences["texture"]), before + 1, "wrong texel")


def test_comparison_finds_animation_differences(tests):
    file, fps = file_of(nitro_files.nsbmd), 60
    model, sets = file.models[0], file.texture_sets
    dance = file_of(nitro_files.nsbca).animations[0]

    def moved(animation, writer):
        comparison = compared(writer.bytes(), model, sets, fps=fps, frames=0)
        comparison.moving(animation)
        return comparison

    # The pose is scaled unevenly in the last frames, but no rotated node hangs below that joint.
    good = moved(dance, write_moving(model, sets, dance, fps))
    tests.finds(good, [], "correct joint animation")
    tests.equal(good.counts["frames"], 6, "number of frames")
    tests.finds(moved(dance, write(model, sets)), ["animation"], "missing animation")
    spoilt = file_of(nitro_files.nsbca).animations[0]
    spoilt.tracks[0]["translation"][0].values[3] += 0.01
    late = moved(dance, write_moving(model, sets, spoilt, fps))
    tests.finds(late, ["animation"], "wrong joint key")
    tests.equal(len(late.differences["animation"]), 1, "number of different frames")
    tests.finds(moved(dance, write_moving(model, sets, dance, 30)), ["animation"], "wrong animation speed")

    # c_moved has no texture here; a_plain has, so take the track for that one. Its scale is even at frame 1 only.
    scroll = file_of(nitro_files.nsbta).animations[0]
    scroll.tracks["a_plain"] = scroll.tracks.pop("c_moved")
    track = scroll.tracks["a_plain"]
    track[0] = nitro_oracle.Curve([2.0], constant=True)
    base = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/"

    def scrolling(shift=0.0, angle=1.5707963267948966):
        writer = write(model, sets)
        add_pointers(writer, "scroll", 5, fps, {
            # Scaled by 2 and rotated by a quarter turn, like c_moved: u' = 2 v - 2 a, v' = 1 - 2 u.
            base + "scale": [(2, 2)] * 5, base + "rotation": [(angle,)] * 5,
            base + "offset": [(shift * (i == 3) - 2 * a, 1) for i, a in enumerate((0, 0.125, 0.25, 0.375, 0.5))]})
        return moved(scroll, writer)
    tests.finds(scrolling(), [], "correct texture animation")
    tests.finds(scrolling(shift=0.001), ["animation"], "texture animation with a wrong offset")
    tests.finds(scrolling(angle=-1.5707963267948966), ["animation"], "texture animation with reversed rotation")

    def fading(last):
        writer = write(model, sets)
        add_pointers(writer, "fade", 4, fps, {"/materials/1/pbrMetallicRoughness/baseColorFactor":
                                              [(1, 1, 1, a / 31) for a in (0, 10, 20, last)]})
        return moved(file_of(nitro_files.nsbma).animations[0], writer)
    tests.finds(fading(31), [], "correct opacity animation")
    tests.finds(fading(30), ["animation"], "wrong opacity animation")

    def hiding(values):
        writer = write(model, sets)
        primitives = writer.json["meshes"][0]["primitives"]
        writer.json["meshes"] = [{"primitives": [p]} for p in primitives]
        writer.json["nodes"][1:] = [{"mesh": i} for i in range(3)]
        writer.json["nodes"][0]["children"] = [1, 2, 3]
        add_pointers(writer, "hide", 3, fps, {f"/nodes/{i + 1}/extensions/KHR_node_visibility/visible":
                                              [(v[i],) for v in values] for i in range(3)})
        return moved(file_of(nitro_files.nsbva).animations[0], writer)
    tests.finds(hiding(((1, 1, 1), (0, 1, 0), (0, 0, 1))), [], "correct visibility animation")
    tests.finds(hiding(((1, 1, 1), (0, 1, 0), (0, 1, 1))), ["animation"], "wrong visibility animation")

    # A node hidden by the model: in the GLB it is hidden in both ways, or omitted.
    at = model.sbc.index(("NODE", 0, [2, 1]))
    model.sbc[at] = "NODE", 0, [2, 0]
    tests.equal([d.shown for d in nitro_run.Runner(model).run()], [True, True, False], "draws of a hidden node")

    def hidden(there):
        writer = write(model, sets)
        if there:
            number = len(writer.json["nodes"])
            writer.json["nodes"].append({"mesh": 1, "scale": [0, 0, 0],
                                         "extensions": {"KHR_node_visibility": {"visible": False}}})
            writer.json["nodes"][0]["children"].append(number)
            writer.json["meshes"].append({"primitives": [writer.draw(nitro_run.Runner(model).run()[2])]})
        add_pointers(writer, "hide", 3, fps, {})
        return writer
    tests.finds(compared(hidden(True).bytes(), model, sets), [], "hidden node at rest")
    tests.finds(compared(hidden(False).bytes(), model, sets), [], "omitted hidden node at rest")
    both = file_of(nitro_files.nsbva).animations[0]
    both.words = [0b011_011_011]
    tests.finds(moved(both, hidden(True)), [], "hidden node that stays hidden")
    both.words = [0b111_011_011]
    tests.finds(moved(both, hidden(True)), ["animation"], "hidden node that the animation should show")
    tests.finds(moved(both, hidden(False)), ["animation"], "omitted node that the animation should show")


def test_compares_real_models(tests, paths):
    for path in nitro_oracle.files_of(paths):
        for name, file in nitro_oracle.load(path):
            for model in getattr(file, "models", ()):
                writer = write(model, file.texture_sets)
                primitives = writer.json["meshes"][0]["primitives"]
                if not primitives:
                    continue
                tests.finds(compared(writer.bytes(), model, file.texture_sets), [], name)
                # Move one vertex of the first triangle by a thousandth of the extent.
                draws = nitro_run.Runner(model).run()
                low, high = nitro_run.extremes(draws)
                draw = next(d for d in draws if d.shown and d.polygons)
                vertex = draw.vertices[draw.polygons[0][0]]
                x, y, z = vertex.position
                vertex.position = x + 1e-3 * max(b - a for a, b in zip(low, high)), y, z
                spoilt = compared(write(model, file.texture_sets, draws).bytes(), model, file.texture_sets)
                tests.check("missing" in spoilt.differences, f"{name}: moved vertex not detected")


def main(arguments):
    tests = Tests()
    for test in (test_reads_models_and_name_trees, test_draws_vertices_and_texels, test_decodes_all_block_modes,
                 test_samples_animations_at_frames, test_comparison_finds_each_difference,
                 test_comparison_finds_animation_differences):
        test(tests)
    test_compares_real_models(tests, arguments)
    print(f"{tests.passed} passed, {tests.failed} failed")
    return 1 if tests.failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
