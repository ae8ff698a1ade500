#!/usr/bin/env python3
"""Tests the second readers of Final Fantasy Tactics files and disc images against values computed by hand from the
documents.

    fft_test.py      `N passed, N failed` last
"""
import hashlib
import random
import struct
import sys

import disc_files as disc
import fft_facts as facts
import fft_files as files
import fft_make as make


def file_tests():
    random_ = random.Random(11)
    yield "render constant", hashlib.sha256(files.RENDER_CONSTANT).hexdigest(), \
        "45ca29ccdb1fd2c38469be5bb07c2021e596f43cbf79228a97251f572865ec56"
    row = bytes.fromhex("22 00 00 00 01 17 33 33 2b 27 00 00 00 00 02 00 55 66 77 88")
    gns = files.read_gns(row + make.end_row() + bytes(8))
    names = "variable", "state", "comparison", "type", "lba", "length"
    yield "first row of MAP001.GNS", [gns["rows"][0][n] for n in names], [0x22, 0, 1, 0x17, 10027, 131072]
    yield "GNS tail", (gns["end"]["type"], gns["commands"], gns["tail"]), (0x80, [], bytes(8))
    gns = files.read_gns(dict(make.odd_gns(random_))["long commands"])
    yield "long GNS commands", [(c["type"], c["length"], len(c["payload"])) for c in gns["commands"]], \
        [(0x86, 20, 8), (0x83, 28, 16), (0x84, 28, 16), (0x8B, 20, 8)]
    yield "GNS filler rows", [(r["type"], r["state"], r["lba"] == gns["rows"][1]["lba"]) for r in gns["rows"][2:]], \
        [(0x31, 1, True)] * 2
    # Frequent file sizes and their chunks.
    light, palettes = bytes(45), bytes(512)
    for size, parts in ((753, {0x11: palettes, 0x19: light}), (241, {0x19: light}),
                        (4342, {0x19: light, 0x1A: bytes(4098)}),
                        (1268, {0x11: palettes, 0x19: light, 0x1F: palettes}),
                        (4852, {0x11: palettes, 0x19: light, 0x2C: bytes(4096)}),
                        (4854, {0x11: palettes, 0x19: light, 0x1A: bytes(4098)}),
                        (15376, {0x11: palettes, 0x19: light, 0x23: make.mesh_animations([], {}, {})})):
        yield f"size of a {size}-byte file", len(make.mesh_file(parts)), size
    mesh = files.read_mesh(make.mesh_file({0x10: make.geometry(random_, (75, 330, 24, 61))}))
    yield "polygon counts of MAP001", (mesh["chunks"][0x10]["size"], files.counts_of(mesh)), (26304, [75, 330, 24, 61])
    yield "no unread bytes", [len(b) for _, b in mesh["unread"]], []
    one = struct.pack("<4H", 1, 0, 0, 0) + struct.pack("<9h", *range(9)) + struct.pack("<9h", *range(10, 19)) + \
        bytes((1, 2, 0x13, 0x78, 3, 4, 0x1F, 0, 5, 6, 7 << 1 | 1, 9))
    polygon = files.read_geometry(one, 0)["polygons"][0][0]
    yield "triangle fields", polygon, {"positions": [(0, 1, 2), (3, 4, 5), (6, 7, 8)], "clut": 0x7813, "page": 0x1F, "x": 9,
                                  "normals": [(10, 11, 12), (13, 14, 15), (16, 17, 18)],
                                  "uvs": [(1, 2), (3, 4), (5, 6)], "level": 1, "z": 7}
    yield "tile fields", files.read_tile(bytes((0xC4, 7, 9, 0x63, 0x85, 0xE2, 0x9E, 0x21))), {
        "surface": 4, "unk_0": 3, "unk_1": 7, "height": 9, "slope_height": 3, "depth": 3, "slope": 0x85, "thickness": 2,
        "marks": 7, "missing": 0, "not_walkable": 1, "shading": 3, "unk_6": 1, "pass_only": 1, "camera_low": 1,
        "camera_high": 2}
    slot = files.read_texture_animations(bytes.fromhex("51033a00070046000903b200") + bytes(628), 0)["rows"][0]
    yield "texture animation of MAP062", (facts.texels_of(slot["canvas_x"], slot["canvas_y"], slot["width"], slot["height"]),
                           facts.texels_of(slot["frame_x"], slot["frame_y"], slot["width"], slot["height"])), \
        ((1, 68, 58, 28, 70), (0, 36, 178, 28, 70))
    yield "left texel in the low nibble", files.read_texels(bytes([0x21]) + bytes(127))[0][:3], [1, 2, 0]


def fact_tests():
    light = {"colors": [[2048, 0, 0], [1024, 4096, 0], [0, 0, -2048]], "ambient": [0, 10, 100],
             "directions": [[0, -4096, 0], [4096, 0, 0], [0, 0, 4096]]}
    # 2048 / 16 = 128 from the first light above; nothing from the others.
    yield "light from above", facts.intensity(light, (0, -4096, 0)), [128, 10 + 64, 100]
    yield "light from the east", facts.intensity(light, (4096, 0, 0)), [0, 255, 100]  # 10 + 256 is clamped
    yield "light from behind", facts.intensity(light, (0, 4096, 0)), [0, 10, 100]
    yield "negative light", facts.intensity(light, (0, 0, 4096)), [0, 10, 0]  # 100 - 128 is clamped
    yield "light at an angle", facts.intensity(light, (0, -2048, 0)), [64, 10 + 32, 100]
    # 3000 * 1000 / 4096 is 732.4, and 732 * 1000 / 4096 is 178.7: 5 * 16 + 178 = 258, in sixteenths 16.125.
    aslant = {"colors": [[1000, 0, 0], [0] * 3, [0] * 3], "directions": [[3000, 0, 0], [0] * 3, [0] * 3],
              "ambient": [5, 255, 0]}
    yield "light with hardware rounding", facts.intensity_exact(aslant, (1000, 0, 0)), [16, 255, 0]
    yield "clamped light with hardware rounding", facts.intensity_exact(light, (4096, 0, 0)), [0, 255, 100]
    yield "15-bit colour channels", facts.rgb5(0b1_00001_00010_00011), (3, 2, 1, 1)
    yield "palette word", facts.clut(0x7813), (0x13, 480)
    yield "texture page words", [facts.texture_page(w) for w in (0x000D, 0x001E, 0x00A2, 0x0003)], \
        [(13, 0, 0, 0, True), (14, 1, 0, 0, False), (2, 0, 1, 1, False), (3, 0, 0, 0, False)]
    yield "hidden directions", facts.hidden_from(0x8000 | 1 << 13 | 1 << 9 | 1 << 2), ["SW", "SSW", "SSE"]
    for slope, name in facts.SLOPE_NAMES.items():
        kind, corner = (*name.split(), "")[:2]
        across = {"NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}.get(corner)
        expected = {"flat": set(), "incline": {c for c in facts.CORNERS if corner and corner in c}, "convex": {corner},
                    "concave": set(facts.CORNERS) - {across}}[kind]
        yield f"slope {name}", facts.raised(slope), expected
    yield "invalid slopes", [facts.raised(s) for s in (0x01, 0x84, 0x55, 0xFF)], [None] * 4
    tile = files.read_tile(bytes((0, 0, 5, 3 | 2 << 5, 0x41, 0, 0, 0)))
    yield "corner heights", facts.corner_heights(tile), [5, 8, 5, 5]
    yield "height in half steps", facts.half_steps(tile), 2 * 5 + 2 * 2 + 3

    def row(**fields):
        return files.read_texture_animations(make.texture_animation(**fields).ljust(640, b"\0"), 0)["rows"][0]

    # 44 + 8 = 52 with its right edge at 60; the next frame would end at 68, so it starts at column 2 of the next line.
    long = row(width=8, height=20, frame_x=0x340 + 44, frame_y=10, count=5)
    yield "frames wrap to the next line", facts.frame_places(long), \
        [(876, 10), (884, 10), (834, 30), (842, 30), (850, 30)]
    yield "column 63 is the last edge", facts.frame_places(row(width=9, height=4, frame_x=0x300 + 45, count=3)), \
        [(813, 0), (822, 0), (770, 4)]
    yield "ping-pong frame order", facts.order_of_frames(row(mode=2, count=4)), [0, 1, 2, 3, 2, 1]
    yield "backward frame order", facts.order_of_frames(row(mode=0x15, count=3)), [2, 1, 0]
    yield "animation modes", [facts.animation_kind(m)[0] for m in (0, 1, 3, 5, 0x0C, 0x0D, 0x14, 0x15, 0x1C, 0x1D, 0x1E)], \
        [None, "uv", "palette", "uv", "uv", "palette", "palette", "uv", "uv", "polygons", None]
    # A quarter of a turn at t = 1/2 of 0..2048: its sine is 1.
    yield "animation channels", [round(facts.channel(mode, 100, 40, 0, 2048, 0.5), 6) for mode in (5, 6, 9, 0x0A, 0x11, 0x12)], \
        [70, 120, 40, 140, -20, 180]
    yield "channel without motion", facts.channel(1, 5, 6, 0, 0, 0.5), None

    def rounded(matrix):
        return [[round(v, 6) for v in line] for line in matrix]

    yield "rotation about x", rounded(facts.rotation((1024, 0, 0))), [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    yield "rotation order x, y, z", rounded(facts.rotation((1024, 1024, 0))), [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    parent = facts.placed([0, 1024, 0, 10, 0, 0, 8192, 4096, 4096])
    child = facts.placed([0, 0, 0, 1, 0, 0, 4096, 4096, 4096], parent)
    yield "position in the parent", [round(v, 6) for v in facts.apply(child, (1, 0, 0))], [10, 0, -4]

    def index(*rows):
        return files.read_gns(make.gns([make.gns_row(kind, lba, 2048, state, variable, comparison)
                                        for kind, lba, state, variable, comparison in rows]))

    some = index((0x17, 1, 0, 0x22, 1), (0x2E, 2, 0, 0x22, 1), (0x30, 3, 0x8000, 0x22, 1), (0x17, 4, 0x8000, 0x22, 1),
                 (0x30, 5, 0x2000, 0x22, 1), (0x30, 6, 1, 0x30, 1), (0x2F, 7, 5, 0x22, 1), (0x30, 8, 4, 0x70, 3))

    def lbas(weather=0, night=0, **variables):
        wanted = {int(k[1:], 16): v for k, v in variables.items()}
        return {kind: row["lba"] for kind, row in facts.chosen(some, wanted, weather, night).items()}

    yield "files of the default state", lbas(), {0x17: 1, 0x2E: 2, 0x2F: 7}
    yield "files at night", lbas(night=1), {0x17: 4, 0x2E: 2, 0x2F: 7, 0x30: 3}
    yield "files in light rain", lbas(2), {0x17: 1, 0x2E: 2, 0x2F: 7, 0x30: 8}  # 0x2000 is also more than 4
    yield "files of another arrangement", lbas(x30=1), {0x17: 1, 0x2E: 2, 0x2F: 7, 0x30: 6}
    yield "files with more crystals", lbas(x70=5), {0x17: 1, 0x2E: 2, 0x2F: 7, 0x30: 8}
    random_ = random.Random(2)
    part = {slot: make.geometry(random_, (1, 0, 0, 0)) for slot in files.GEOMETRIES}
    first = files.read_mesh(make.mesh_file({**part, files.LIGHTS: bytes(45)}))
    second = files.read_mesh(make.mesh_file({files.GEOMETRY: part[files.GEOMETRY], 0x25: part[0x25]}))
    yield "source file of each chunk", {slot: name for slot, (name, _) in facts.merged([("a", first), ("b", second)]).items()}, \
        {files.GEOMETRY: "b", 0x25: "b", files.LIGHTS: "a"}


def disc_tests():
    random_ = random.Random(3)
    # By definition: (x^16+x^15+x^2+1)(x^16+x^2+x+1), and of each byte the lowest bit first.
    polynomial = 1 << 32 | 1 << 31 | 1 << 16 | 1 << 15 | 1 << 4 | 1 << 3 | 1 << 1 | 1
    data = random_.randbytes(20)
    value = int("".join(f"{byte:08b}"[::-1] for byte in data), 2) << 32
    for at in range(8 * len(data) + 31, 31, -1):
        if value >> at & 1:
            value ^= polynomial << at - 32
    yield "EDC by long division", disc.edc(data), int(f"{value:032b}"[::-1], 2)
    yield "sector header", disc.header_of(11304, 2), bytes.fromhex("02 32 54 02")
    sector = disc.raw_sector(7, random_.randbytes(2048))
    yield "raw sector", (len(sector), disc.sector_faults(sector, 7)), (2352, [])
    yield "sector without its header", disc.sector_faults(sector[16:], 7), []
    yield "sector at another address", disc.sector_faults(sector, 8), [f"header {sector[12:16].hex()}"]
    for at, faults in ((24, "EDC P Q"), (2071, "EDC P Q"), (2073, "EDC P Q"), (2077, "P Q"), (2247, "P Q"), (2248, "Q"),
                       (2351, "Q"), (3, "sync")):
        spoilt = sector[:at] + bytes([sector[at] ^ 0x10]) + sector[at + 1:]
        yield f"damaged byte {at}", disc.sector_faults(spoilt, 7), faults.split()
    yield "Form 2 sector", disc.sector_faults(disc.raw_sector(7, bytes(2324), bytes((0, 0, 0x20, 0)) * 2), 7), []
    yield "Mode 1 sector", disc.sector_faults(disc.mode1_sector(7, random_.randbytes(2048)), 7), []
    placed = {"A.TXT": (30, b"a"), "MAP/MAP001.8": (31, random_.randbytes(5000)), "MAP/MAP001.GNS": (34, b"gns")}
    placed.update({f"MAP/M{i}": (40 + i, bytes([i])) for i in range(99)})
    iso = disc.make_iso(placed)
    for size in (disc.DATA, disc.XA, disc.RAW):
        image = disc.Image(disc.make_raw(iso, size))
        found = image.files()
        yield f"files with {size}-byte sectors", {p: (lba, image.read(lba, n)) for p, (lba, n) in found.items()}, placed
        yield f"folders with {size}-byte sectors", list(image.folder_faults()), []
        yield f"sector size {size}", (image.size, list(image.faults())), (size, [])


def main():
    passed = failed = 0
    for tests in (file_tests, fact_tests, disc_tests):
        for what, found, expected in tests():
            passed, failed = passed + (found == expected), failed + (found != expected)
            if found != expected:
                print(f"{what}: {str(found)[:300]}, expected {str(expected)[:300]}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
