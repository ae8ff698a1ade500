#!/usr/bin/env python3
"""Measures on real files of Pokemon Platinum what the documents say of them.

    platinum_facts.py FOLDER      a line a fact that differs (all with --all); `N passed, N failed` last

FOLDER: see platinum_corpus.py. What is written here as expected was measured once, and where the documents had said
something else it was they who were mended: a change here is a mistake of the reader, not of the files.
"""
import collections
import hashlib
import os
import random
import struct
import sys

import archive_files
import nitro_oracle
import platinum_corpus
import platinum_files as files

FACTS = []


def fact(function):
    """A function that yields (what, expected, found)."""
    FACTS.append(function)
    return function


def hits(condition, things):
    return [i for i, thing in enumerate(things) if condition(thing)]


# ---- containers ------------------------------------------------------------------------------------------------------

CONTAINERS = {  # role: members, least and greatest size, SHA-1 of the archive
    "area_data": (75, 8, 8, "2df833d8f0145f29f21b23c06ba3561dec3f5180"),
    "area_build": (71, 4, 278, "a2cd6f636960544440b489e827e5e16dcaa7f014"),
    "map_matrix": (289, 13, 4508, "992f33f6450613066830606d28e94b91031caddb"),
    "arealight": (4, 2024, 2114, "cea2ad20f4550dcf648aeb6f2bc118dcec7570d9"),
    "land_data": (666, 2972, 64212, "fa044bf2e0599ed2bf42d3b632776af3b7e8452e"),
    "map_tex_set": (74, 652, 79964, "74aded294b971d68f10554f86fd795b072a0b01f"),
    "areabm_texset": (71, 1032, 74244, "8174da67845c24f377f56e84a0f5f0e890e765ec"),
    "build_model": (590, 504, 26368, "7eca91aaa5f7ef816f51a884e2f42a26f51f8bbd"),
    "bm_anime": (98, 152, 5588, "99295a6e74067238dbbc23105cad1679687c6d86"),
    "bm_anime_list": (590, 20, 20, "afd2be309c09733b33ec9b73b793518b41153828"),
    "fldtanime": (53, 336, 14700, "80c1eee60f30744205e89c0d80aeebe7d268d2d9"),
    "mm_list": (16, 4, 36, None),
}


@fact
def containers(corpus):
    for role, (count, least, greatest, digest) in CONTAINERS.items():
        members = corpus.members(role)
        sizes = [len(m) for m in members]
        yield f"{role}: members, least and greatest size", (count, least, greatest), (len(members), min(sizes),
                                                                                     max(sizes))
        if digest:
            yield f"{role}: SHA-1 packed", digest, hashlib.sha1(archive_files.make_narc(members)).hexdigest()
    sizes = [len(m) % 4 for m in corpus.members("land_data")]
    yield "land data with a size of 2 more than a multiple of 4", 431, sizes.count(2)
    for role, place in platinum_corpus.PLACES.items():
        if place.endswith(".narc"):
            narc = archive_files.Narc(platinum_corpus.read_file(corpus.path(place)))
            yield f"{role}: faults, names and form", ([], {}, 0xFFFE, 0x0100), (narc.faults, narc.names, narc.order,
                                                                                narc.version)
            if role != "encounters_d":
                yield f"{role}: empty members", 0, narc.members.count(b"")
    magics = collections.Counter(m[:4] for m in corpus.members("bm_anime"))
    yield "kinds of animations", {b"BTA0": 43, b"BCA0": 32, b"BTP0": 23}, dict(magics)
    kinds = collections.Counter(m[14] for m in corpus.members("build_model"))
    yield "prop models with one and two blocks", {1: 22, 2: 568}, dict(kinds)
    for role in ("map_tex_set", "areabm_texset"):
        yield f"{role}: not BTX0", [], hits(lambda m: m[:4] != b"BTX0", corpus.members(role))


# ---- headers and matrices --------------------------------------------------------------------------------------------

EXAMPLE = bytes.fromhex("06 00 00 00 02 00 F6 01 17 00 F2 03 0F 04 FF FF 02 00 06 01 00 00 01 B1")


@fact
def headers(corpus):
    all_ = corpus.headers
    yield "headers", 593, len(all_)
    yield "header 3 of the specification", EXAMPLE, corpus.single("headers")[72:96]
    names = files.read_map_names(corpus.single("mapname"))
    yield "names of headers", (593, 9488), (len(names), len(corpus.single("mapname")))
    yield "characters of names that are not ASCII", 0, sum(not n.isascii() or not n for n in names)
    areas = {h["area_data_archive_id"] for h in all_}
    matrices = {h["map_matrix_id"] for h in all_}
    yield "areas that no header uses", [1, 3, 16], sorted(set(range(75)) - areas)
    yield "matrices that no header uses", [1, 27, 28, 29, 32, 33, 37, 38, 54, 55, 56, 67, 133, 134, 158, 159, 161, 202,
                                           211], sorted(set(range(289)) - matrices)
    yield "header references out of range", [], hits(lambda h: h["area_data_archive_id"] >= 75 or h["map_matrix_id"] >= 289 or
                                   h["events_archive_id"] >= 534 or
                                   (h["wild_encounters_archive_id"] >= 183 and
                                    h["wild_encounters_archive_id"] != 0xFFFF), all_)
    objects = collections.Counter(h["preloaded_map_objects_archive_id"] for h in all_)
    yield "headers with preloaded objects 15", 493, objects[15]
    yield "headers with preloaded objects out of range", ({20, 31, 54, 55}, 10), (
        {k for k in objects if k >= 16}, sum(n for k, n in objects.items() if k >= 16))
    cameras = collections.Counter(h["camera_type"] for h in all_)
    yield "headers with cameras 4, 0 and 12; largest camera", (300, 189, 60, True), (cameras[4], cameras[0], cameras[12],
                                                                  max(cameras) <= 16)
    yield "window, type and background ranges", (True, True, True), (
        max(h["map_label_window_id"] for h in all_) <= 9, max(h["map_type"] for h in all_) <= 6,
        max(h["battle_bg"] for h in all_) <= 22)
    # Search for the table where it is in the middle of other things.
    table = corpus.single("headers")
    noise = random.Random(1).randbytes(0x10004)
    yield "header table found by searching", (len(noise), 593), files.find_headers(noise + table + noise)


@fact
def matrices(corpus):
    all_ = corpus.matrices
    yield "number of matrices", 289, len(all_)
    yield "matrices that are not square", 29, len(hits(lambda m: m["width"] != m["height"], all_))
    yield "matrices with headers and with altitudes", ([0, 240], [0, 240]), (hits(lambda m: m["has_map_header_ids"], all_),
                                                                 hits(lambda m: m["has_altitudes"], all_))
    yield "flags that are neither 0 nor 1", [], hits(lambda m: m["has_map_header_ids"] > 1 or m["has_altitudes"] > 1,
                                                     all_)
    yield "size and prefix of matrix 0; size of matrix 240", ((30, 30, "map"), (4, 5)), (
        (all_[0]["width"], all_[0]["height"], all_[0]["model_name_prefix"]), (all_[240]["width"], all_[240]["height"]))
    yield "matrices with one cell", 222, sum(m["width"] * m["height"] == 1 for m in all_)
    yield "largest matrix except matrix 0", (225, 2), max((m["width"] * m["height"], i) for i, m in enumerate(all_) if i)
    lengths = [m["model_name_prefix_length"] for m in all_]
    yield "prefix lengths", (3, 11), (min(lengths), max(lengths))
    empty = [m["land_data_ids"].count(0xFFFF) for m in all_]
    yield "empty cells in matrix 0 and elsewhere", (432, 0), (empty[0], sum(empty[1:]))
    ids = zip(all_[0]["map_header_ids"], all_[0]["land_data_ids"])
    yield "headers of empty cells", {0}, {header for header, land in ids if land == 0xFFFF}
    cells = [c for m in all_ for c in files.cells_of(m)]
    yield "cells with land", 1172, len(cells)
    named = 0
    for m in all_:
        for x, z, _, _, land in files.cells_of(m):
            name = corpus.nitro("land_data", land).models[0].name
            named += name in (f"{m['model_name_prefix']}{x:02}_{z:02}{c}" for c in ("", "c"))
    yield "models named by prefix and cell", 633, named
    yield "land ids out of range", [], [land for *_, land in cells if land >= 666]
    used = {land for *_, land in cells}
    yield "land that no cell uses", [119, 120, 121, 122, 226, 227, 228, 349, 350, 665], sorted(set(range(666)) - used)
    yield "cells of land with header 0 in matrix 0", 299, sum(c[2] == 0 for c in files.cells_of(all_[0]))
    yield "cells of land with header 0 in matrix 240", 14, sum(c[2] == 0 for c in files.cells_of(all_[240]))
    for number in (0, 240):
        other = {c[2] for c in files.cells_of(all_[number]) if corpus.headers[c[2]]["map_matrix_id"] != number}
        yield f"headers of other matrices in {number}", ({0} if number else set()), other
    yield "triples of land, area and matrix", 641, len(corpus.uses())
    entering = {n: sorted({h["area_data_archive_id"] for h in corpus.headers if h["map_matrix_id"] == n})
                for n, m in enumerate(all_) if not m["has_map_header_ids"]}
    yield "matrices entered with several areas", {49: [4, 61], 52: [8, 54]}, {n: a for n, a in entering.items()
                                                                             if len(a) > 1}
    overworld = {corpus.headers[c[2]]["area_data_archive_id"] for c in files.cells_of(all_[0]) if c[2]}
    yield "overworld areas without the area of header 0", 13, len(overworld)
    yield "the Underground's lands and cells", (16, 225), (len(set(all_[2]["land_data_ids"])),
                                                           len(all_[2]["land_data_ids"]))
    yield "land with an altitude", set(range(173, 180)), {c[4] for m in all_ for c in files.cells_of(m) if c[3]}
    yield "props on land with an altitude", 0, sum(len(corpus.lands[n]["props"]) for n in range(173, 180))


# ---- land ------------------------------------------------------------------------------------------------------------

TILES = {  # behaviour: tiles, with collision, files
    0x00: (582450, 330825, 665), 0x02: (10141, 0, 103), 0x03: (1066, 0, 5), 0x08: (16141, 30, 136),
    0x0B: (1260, 0, 16), 0x0C: (6781, 1172, 23), 0x10: (1583, 8, 28), 0x13: (55, 33, 8), 0x15: (40385, 124, 143),
    0x16: (913, 0, 32), 0x17: (378, 0, 11), 0x1D: (512, 0, 3), 0x20: (835, 12, 7), 0x21: (2436, 4, 23),
    0x2C: (444, 0, 5), 0x2D: (2, 0, 2), 0x30: (25, 20, 3), 0x31: (17, 12, 3), 0x38: (37, 37, 10), 0x39: (65, 65, 17),
    0x3B: (618, 618, 52), 0x3C: (2, 0, 2), 0x3D: (2, 0, 2), 0x3E: (8, 6, 6), 0x3F: (9, 7, 7), 0x40: (11, 0, 2),
    0x41: (18, 0, 2), 0x42: (20, 0, 2), 0x43: (9, 0, 2), 0x49: (6, 0, 1), 0x4A: (7, 0, 1), 0x4B: (200, 200, 30),
    0x4C: (47, 47, 12), 0x56: (10, 0, 1), 0x57: (6, 0, 2), 0x58: (10, 0, 2), 0x59: (1149, 207, 6), 0x5A: (58, 12, 23),
    0x5B: (58, 12, 23), 0x5C: (54, 45, 22), 0x5D: (54, 45, 21), 0x5E: (83, 0, 68), 0x5F: (84, 0, 68), 0x60: (3, 0, 3),
    0x62: (41, 30, 34), 0x63: (41, 30, 35), 0x64: (2, 1, 2), 0x65: (187, 43, 145), 0x67: (86, 0, 15),
    0x69: (192, 192, 95), 0x6A: (6, 0, 4), 0x6B: (11, 0, 7), 0x6C: (56, 0, 39), 0x6D: (54, 0, 40), 0x6E: (175, 1, 107),
    0x6F: (94, 0, 60), 0x70: (200, 0, 35), 0x71: (1405, 0, 34), 0x72: (184, 0, 5), 0x73: (190, 0, 11),
    0x75: (30, 0, 2), 0x76: (104, 0, 7), 0x79: (25, 0, 2), 0x7A: (46, 0, 7), 0x7B: (6, 0, 1), 0x7C: (31, 0, 4),
    0x7D: (11, 0, 2), 0x80: (635, 635, 51), 0x83: (30, 30, 16), 0x85: (16, 16, 8), 0x86: (114, 114, 27),
    0x88: (47, 47, 16), 0x8E: (2, 2, 2), 0x8F: (7, 4, 6), 0xA0: (121, 120, 37), 0xA1: (2687, 0, 11),
    0xA2: (703, 0, 11), 0xA3: (171, 0, 6), 0xA4: (661, 0, 8), 0xA5: (542, 0, 8), 0xA6: (2510, 0, 12),
    0xA7: (584, 0, 6), 0xA8: (1443, 7, 19), 0xA9: (84, 0, 3), 0xD7: (9, 9, 4), 0xD8: (15, 15, 7), 0xD9: (17, 0, 8),
    0xDA: (17, 0, 8), 0xDB: (33, 33, 11), 0xE0: (36, 36, 11), 0xE1: (84, 84, 12), 0xE2: (18, 18, 4),
    0xE4: (37, 37, 25), 0xE5: (132, 120, 14)}


@fact
def land(corpus):
    all_ = corpus.lands
    data = corpus.members("land_data")
    yield "land data that changes when written again", [], hits(lambda pair: files.write_land(pair[0]) != pair[1], list(zip(all_, data)))
    yield "attribute sizes", {2048}, {land["sizes"][0] for land in all_}
    yield "land data with bytes after the last section", [], hits(lambda land: land["rest"], all_)
    yield "land data of HeartGold or SoulSilver", [], hits(lambda land: land["sounds"] is not None, all_)
    yield "stray bytes", {506: b"\r\n"}, {i: land["stray"] for i, land in enumerate(all_) if land["stray"]}
    yield "props size of 506", 146, all_[506]["sizes"][1]
    yield "models not aligned to 4 bytes", [506], hits(lambda land: land["model_at"] % 4, all_)
    props = [prop for land in all_ for prop in land["props"]]
    yield "props and models", (3476, 360), (len(props), len({p["model_id"] for p in props}))
    counts = [len(land["props"]) for land in all_]
    yield "maps without props, with 32 props, and most props", (279, [226, 227, 228, 242, 275], 32), (
        counts.count(0), hits(lambda n: n == 32, counts), max(counts))
    yield "rotated or scaled props", 0, sum(any(p["rotation"]) or p["scale"] != [4096] * 3 for p in props)
    dummies = {(i, n): p for i, land in enumerate(all_) for n, p in enumerate(land["props"]) if any(p["dummy"])}
    yield "props with dummy values", {(77, 9), (105, 1), (105, 3), (133, 1), (133, 3), (133, 5), (133, 7), (142, 1), (142, 3),
                      (142, 6), (166, 1), (166, 3), (166, 5), (166, 7), (166, 9), (585, 1)}, set(dummies)
    yield "dummy values and their models", ({(1, 0)}, {70, 298, 438, 442}), ({tuple(p["dummy"]) for p in dummies.values()},
                                                                      {p["model_id"] for p in dummies.values()})
    half = 256 * 4096
    outside = [(i, n) for i, land in enumerate(all_) for n, p in enumerate(land["props"])
               if abs(p["position"][0]) > half or abs(p["position"][2]) > half]
    yield "props outside their map; prop 0 of map 375", (21, True), (len(outside), (375, 0) in outside)
    yield "props below height 0", 62, sum(p["position"][1] < 0 for p in props)
    twice = hits(lambda land: len({repr(p) for p in land["props"]}) < len(land["props"]), all_)
    yield "files with a duplicate prop", 9, len(twice)
    yield "props with a missing model", [], [p["model_id"] for p in props if p["model_id"] >= 590]
    heads = [struct.unpack_from("<4sHHIHH", land["model"]) for land in all_]
    yield "models: magic, version, blocks", {(b"BMD0", 2, 1)}, {(h[0], h[2], h[5]) for h in heads}
    yield "models whose size differs from the section", [], [i for i, h in enumerate(heads) if h[3] != all_[i]["sizes"][2]]
    yield "models per land file", {1}, {len(corpus.nitro("land_data", i).models) for i in range(len(all_))}
    sizes = [land["sizes"][2] for land in all_]
    yield "largest land model", (60556, 489), max((s, i) for i, s in enumerate(sizes))
    tiles, collisions, in_files = (collections.Counter() for _ in range(3))
    other_bits = 0
    for land in all_:
        for value, count in collections.Counter(land["attributes"]).items():
            tiles[value & 0xFF] += count
            collisions[value & 0xFF] += count * (value >> 15)
            other_bits += bool(value & 0x7F00)
        in_files.update({value & 0xFF for value in land["attributes"]})
    yield "number of tiles", 681984, sum(tiles.values())
    yield "tiles with bits 8 to 14", 0, other_bits
    for behaviour in sorted(set(TILES) | set(tiles)):
        yield f"tiles of 0x{behaviour:02X}, with collision, and files", TILES.get(behaviour), (
            tiles[behaviour], collisions[behaviour], in_files[behaviour])


@fact
def props_in_sets(corpus):
    found = set()
    for land, area, _ in corpus.uses():
        there = set(corpus.prop_sets[corpus.areas[area]["map_prop_archives_id"]])
        found |= {(land, area, p["model_id"]) for p in corpus.lands[land]["props"] if p["model_id"] not in there}
    yield "props whose model is missing in the area's set", [(71, 10, 44), (429, 4, 262), (440, 54, 26), (440, 54, 38),
                                                         (440, 54, 438)], sorted(found)


# ---- heights ---------------------------------------------------------------------------------------------------------

NOT_REBUILT = [9, 20, 22, 35, 62, 69, 70, 74, 79, 80, 99, 139, 140, 145, 149, 158, 166, 167, 168, 172, 223, 224, 229,
               234, 238, 239, 286, 287, 288, 297, 323, 351, 352, 353, 359, 368, 369, 373, 410, 423, 424, 425, 430, 454,
               457, 458, 462, 470, 472, 473, 491, 502, 503, 504, 506, 507, 544, 587]


@fact
def heights(corpus):
    all_ = [land["bdhc"] for land in corpus.lands]
    yield "heights magic", {b"BDHC"}, {b["magic"] for b in all_}
    yield "heights with bytes after the last part", [], hits(lambda b: b["rest"], all_)
    sizes = sorted(((len(land["bdhc_data"]) - 16, len(land["bdhc"]["plates"]), i)
                    for i, land in enumerate(corpus.lands)), reverse=True)
    yield "largest heights file", (21452, 1033, 188), sizes[0]
    yield "second-largest number of plates", 146, max(p for _, p, i in sizes if i != 188)

    def points(b):
        return [(p["x"], p["z"]) for p in b["points"]]

    def in_order(numbers):
        return list(dict.fromkeys(numbers)) == list(range(max(numbers, default=-1) + 1))

    yield "points not in order of first use", [], hits(lambda b: not in_order(
        [n for p in b["plates"] for n in (p["first_point_index"], p["second_point_index"])]), all_)
    yield "normals not in order of first use", [], hits(lambda b: not in_order(
        [p["normal_index"] for p in b["plates"]]), all_)
    yield "constants not in order of first use", [], hits(lambda b: not in_order(
        [p["constant_index"] for p in b["plates"]]), all_)
    yield "unused points, normals or constants", [], hits(
        lambda b: len({n for p in b["plates"] for n in (p["first_point_index"], p["second_point_index"])}) !=
        len(b["points"]) or len({p["normal_index"] for p in b["plates"]}) != len(b["normals"]) or
        len({p["constant_index"] for p in b["plates"]}) != len(b["constants"]), all_)
    yield "files with duplicate points", [], hits(lambda b: len(set(points(b))) < len(b["points"]), all_)
    normals_twice = hits(lambda b: len({tuple(n.values()) for n in b["normals"]}) < len(b["normals"]), all_)
    constants_twice = hits(lambda b: len(set(b["constants"])) < len(b["constants"]), all_)
    yield "files with duplicate normals and with duplicate constants", (53, 18), (len(normals_twice), len(constants_twice))
    yield "files with duplicate normals or constants", NOT_REBUILT, sorted(set(normals_twice) | set(constants_twice))
    flat, wrong = [], []
    for i, b in enumerate(all_):
        for n, plate in enumerate(b["plates"]):
            (x1, z1), (x2, z2) = files.corners(b, plate)
            flat += [(i, n, z1)] * (x1 == x2 or z1 == z2)
            wrong += [(i, n)] * (x1 > x2 or z1 > z2)
    yield "plates with swapped corners", [], wrong
    yield "plates without area", [(184, 4, -216 * 4096)], flat
    rules = collections.Counter()
    special = set()
    overlaps = walkable_without = 0
    values = collections.Counter()
    for i, b in enumerate(all_):
        rectangles = [files.rectangle(b, plate) for plate in b["plates"]]
        lines = sorted({z for r in rectangles for z in r[2:]})
        rules["scanlines"] += [s["scanline"] for s in b["strips"]] == lines[1:]
        at = 0
        for n, strip in enumerate(b["strips"]):
            first, count = strip["access_list_start_index"], strip["access_list_element_count"]
            rules["not contiguous"] += first != at
            at += count
            expected = [k for k, r in enumerate(rectangles) if r[2] <= strip["scanline"] <= r[3]]
            if b["access_list"][first:at] != expected:
                special.add((i, n))
        rules["covers"] += at == len(b["access_list"])
    yield "files whose scanlines are all distinct z except the smallest", 666, rules["scanlines"]
    yield "strips whose list does not follow the previous one", 0, rules["not contiguous"]
    yield "files whose strips cover the access list", 666, rules["covers"]
    yield "strips that do not list exactly the plates they cross", {(184, 0)}, special
    lengths = [(i, k, sum(v * v for v in n.values()) ** 0.5 / 4096) for i, b in enumerate(all_)
               for k, n in enumerate(b["normals"])]
    yield "normals whose length is not 1", [], [n for n in lengths if abs(n[2] - 1) > 0.002]
    down = [(i, n) for i, b in enumerate(all_) for n, p in enumerate(b["plates"])
            if b["normals"][p["normal_index"]]["y"] < 0]
    yield "plates facing down", [(294, 35), (294, 41)], down
    normals = collections.Counter(tuple(b["normals"][p["normal_index"]].values()) for b in all_ for p in b["plates"])
    yield "distinct normals and horizontal plates", (37, 7969), (len(normals), normals[0, 4096, 0])
    stairs = sum(n for (x, y, z), n in normals.items() if y == 2896 and sorted((abs(x), abs(z))) == [0, 2896])
    yield "plates with a slope of 45 degrees", 789, stairs
    half = 256 * 4096
    yield "files with plates outside the map", 65, len(hits(lambda b: any(abs(v) > half for p in points(b) for v in p), all_))
    for b in all_:
        for plate in b["plates"]:
            for v in (*files.corners(b, plate)[0], *files.corners(b, plate)[1]):
                values.update(["all"] + ["whole"] * (v % 4096 == 0) + ["16"] * (v % (16 * 4096) == 0))
    yield "corner coordinates that are not integers", 46, values["all"] - values["whole"]
    yield "percentage of coordinates that are multiples of 16", 95, round(100 * values["16"] / values["all"])
    for land in corpus.lands:
        b, none = land["bdhc"], False
        for tile, value in enumerate(land["attributes"]):
            z, x = divmod(tile, 32)
            found = files.candidates(b, (16 * x + 8 - 256) * 4096, (16 * z + 8 - 256) * 4096)
            overlaps = max(overlaps, len(found))
            none |= not found and not value >> 15
        walkable_without += none
    yield "most plates at a tile centre", 4, overlaps
    yield "files with a walkable tile without a plate", 153, walkable_without


@fact
def heights_rebuilt(corpus):
    differing, other = [], []
    points = [(16 * x + 8 - 256) * 4096 for x in range(32)]
    rebuilt = [files.rebuild_bdhc(land["bdhc"]) for land in corpus.lands]
    for i, (land, made) in enumerate(zip(corpus.lands, rebuilt)):
        if files.write_bdhc(made) != land["bdhc_data"]:
            differing.append(i)
            if any(files.candidates(made, x, z) != files.candidates(land["bdhc"], x, z) for z in points
                   for x in points):
                other.append(i)
    yield "files whose bytes differ when rebuilt", NOT_REBUILT, differing
    yield "tile centres whose height differs when rebuilt", [], other


@fact
def strip_search(corpus):
    """The game's search by halves is what its definition says."""
    random_ = random.Random(4)
    wrong = 0
    for count in (1, 2, 3, 4, 5, 7, 8, 30):
        for _ in range(300):
            strips = [{"scanline": v} for v in sorted(random_.sample(range(-100, 100), count))]
            for z in {random_.randrange(-110, 110), strips[0]["scanline"], strips[-1]["scanline"]}:
                bdhc = {"strips": strips}
                wrong += files.strip_by_game(bdhc, z) != files.strip_by_definition(bdhc, z)
    for land in corpus.lands:
        for _ in range(30):
            z = random_.randrange(-300 * 4096, 300 * 4096)
            wrong += files.strip_by_game(land["bdhc"], z) != files.strip_by_definition(land["bdhc"], z)
    yield "searches that find a different strip", 0, wrong


# ---- areas -----------------------------------------------------------------------------------------------------------

UNRESOLVED = {(173, 0): 1, (176, 0): 2, (177, 0): 1, (179, 0): 1, (238, 58): 1, (239, 58): 1, (240, 58): 1,
              (249, 22): 1, (295, 26): 1, (301, 33): 1, (302, 33): 1, (427, 4): 1, (428, 4): 1, (429, 4): 1,
              (430, 4): 1, (437, 54): 1, (438, 54): 1, (439, 54): 1, (440, 54): 1, (507, 72): 1, (594, 74): 1,
              (617, 74): 1}


@fact
def areas(corpus):
    all_, sets = corpus.areas, corpus.prop_sets
    yield "light sets", {0: 22, 1: 50, 2: 3}, dict(collections.Counter(a["area_light_archive_id"] for a in all_))
    dummies = collections.Counter(a["dummy"] for a in all_)
    yield "area dummy values", (0, 9, 35, 28), (min(dummies), max(dummies), dummies[3], dummies[0])
    yield "area references out of range", [], hits(lambda a: a["map_prop_archives_id"] >= 71 or a["map_texture_archive_id"] >= 74, all_)
    yield "smallest and largest prop set; valid ids", (1, 138, True), (min(map(len, sets)), max(map(len, sets)),
                                                                     max(map(max, sets)) <= 589)
    yield "prop sets with a duplicate id", [], hits(lambda s: len(set(s)) < len(s), sets)
    yield "models in no set", 63, len(set(range(590)) - {i for s in sets for i in s})
    missing = [(i, n) for i, s in enumerate(sets) for n in s if corpus.missing("build_model", n, "areabm_texset", i)]
    yield "prop set models with missing textures", [], missing
    found = collections.Counter((land, area) for land, area, _ in corpus.uses() if corpus.missing(
        "land_data", land, "map_tex_set", corpus.areas[area]["map_texture_archive_id"]))
    yield "land and area pairs with missing textures, and their matrices", UNRESOLVED, dict(found)
    yield "uses of land with missing textures", 23, sum(found.values())
    formats = collections.Counter(t.format for role in ("map_tex_set", "areabm_texset")
                                  for i in range(len(corpus.members(role)))
                                  for s in corpus.nitro(role, i).texture_sets for t in s.textures.values())
    yield "texture formats", {3: 4306, 2: 1484, 1: 259, 6: 96, 4: 48}, dict(formats)
    peaks = []
    for i, area in enumerate(all_):
        both = [s for role, n in (("map_tex_set", area["map_texture_archive_id"]),
                                  ("areabm_texset", area["map_prop_archives_id"]))
                for s in corpus.nitro(role, n).texture_sets]
        peaks.append((sum(len(s.texels) for s in both), sum(len(s.colors) for s in both), i))
    yield "most texture bytes of an area", (107808, 6), max((t, i) for t, _, i in peaks)
    yield "most palette bytes of an area", (4704, 2), max((p, i) for _, p, i in peaks)


@fact
def lights(corpus):
    sets = corpus.lights
    yield "light files written again", corpus.members("arealight"), [files.write_area_light(s) for s in sets]
    yield "light blocks per file", [15] * 4, [len(s["blocks"]) for s in sets]
    yield "light files ending with a line break", [False, True, False, True], [s["ends_with_break"] for s in sets]
    yield "light files whose first block ends at 0", (True, False, True, False), tuple(s["blocks"][0]["end_time"] == 0 for s in sets)
    yield "end times of the last light block", {files.DAY}, {s["blocks"][-1]["end_time"] for s in sets}
    yield "light end times that do not ascend", [], hits(
        lambda s: any(a["end_time"] >= b["end_time"] for a, b in zip(s["blocks"], s["blocks"][1:])), sets)
    on = [{n for block in s["blocks"] for n, light in enumerate(block["lights"]) if light["valid"] == 1} for s in sets]
    yield "light sets with light 1 on, and with light 3 off", ([], [1]), (hits(lambda s: 1 in s, on), hits(lambda s: 3 not in s, on))
    blocks = [b for s in sets for b in s["blocks"]]
    colors = [light["color"] for b in blocks for light in b["lights"]]
    colors += [b[n] for b in blocks for n in files.LIGHT_LINES[5:]]
    yield "light colours above 31", 0, sum(not 0 <= v <= 31 for c in colors for v in c)
    yield "light directions above 4096", 0, sum(abs(v) > 4096 for b in blocks for light in b["lights"]
                                           for v in light["direction"])


# ---- props -----------------------------------------------------------------------------------------------------------

@fact
def anime_lists(corpus):
    all_ = corpus.anime_lists
    kinds = collections.Counter((a["has_animations"], a["flags"], a["is_bicycle_slope"]) for a in all_)
    yield "kinds of animation lists", {(0xFF, 0xFF, 0): 478, (1, 0, 0): 75, (1, 3, 0): 34, (1, 2, 1): 2, (1, 2, 0): 1}, dict(kinds)
    yield "animation list padding", {0}, {a["padding"] for a in all_}
    yield "lists without animations but with ids", [], hits(lambda a: (a["has_animations"] == 0xFF) != (not files.animations_of(a)), all_)
    yield "ids after an id of -1", [], hits(lambda a: any(i != -1 for i in a["anime_archive_ids"][len(files.animations_of(a)):]),
                                    all_)
    yield "animations in use", set(range(98)), {i for a in all_ for i in files.animations_of(a)}
    counts = {len(corpus.nitro("bm_anime", i).animations) for i in range(98)}
    yield "animations per file", {1}, counts
    alive = [(sum(len(files.animations_of(all_[n])) for n in s if not all_[n]["flags"] & 1), i)
             for i, s in enumerate(corpus.prop_sets)]
    yield "most non-deferred animations of a set", (11, 15), max(alive)


@fact
def matshp(corpus):
    table, size = corpus.matshp, len(corpus.single("matshp"))
    yield "size and counts of the draw table", (6400, 590, 1009), (size, len(table["locators"]), len(table["ids"]))
    yield "models per prop file", {1}, {len(corpus.nitro("build_model", i).models) for i in range(590)}
    animated = [bool(files.animations_of(a)) for a in corpus.anime_lists]
    empty = [locator["ids_count"] == 0 for locator in table["locators"]]
    yield "models with an empty draw list, all animated", (112, animated), (sum(empty), empty)
    yield "index of empty draw lists", {0xFFFF}, {loc["ids_index"] for loc in table["locators"] if loc["ids_count"] == 0}
    models = [corpus.nitro("build_model", i).models[0] for i in range(590)]
    made = files.rebuild_matshp(models, animated)
    yield "rebuilt locators", table["locators"], made["locators"]
    yield "draw lists that differ when rebuilt", [22, 23, 236], [
        i for i in range(590) if files.pairs_of(made, i) != files.pairs_of(table, i)]
    yield "names of models with other draw lists", ["t1_h01", "t1_s01", "t1_s02"], [models[i].name for i in (22, 23, 236)]
    yield "draw lists that differ from the model's draws", [], [
        i for i in range(590) if not empty[i] and sorted(files.pairs_of(table, i)) != sorted(files.drawn_pairs(models[i]))]
    yield "draw counts that differ from the model's shapes", [], [
        i for i in range(590) if not empty[i] and table["locators"][i]["ids_count"] != len(models[i].shapes)]
    pairs = [files.pairs_of(table, i) for i in range(590)]
    yield "models that draw a material twice", [175], [
        i for i in range(590) if len({m for m, _ in pairs[i]}) < len(pairs[i])]
    yield "name of model 0", "dmybox00", models[0].name
    polygons = [(sum(polygon_counts(m)), i) for i, m in enumerate(models)]
    yield "most polygons of a prop", (768, 574), max(polygons)
    polygons = [(sum(polygon_counts(corpus.nitro("land_data", i).models[0])), i) for i in range(666)]
    yield "most polygons of a map", (1646, 489), max(polygons)


def polygon_counts(model):
    """As the head of a model has them: triangles and quads may share it, so by the display lists."""
    for shape in model.shapes:
        _, triangles, quads = shape.counts()[:3]
        yield triangles + quads


@fact
def running_game(corpus):
    members = corpus.members("fldtanime")
    records = files.read_texture_animations(members[0])
    yield "animated textures", (52, 53), (len(records), len(members))
    yield "members without textures", [], hits(lambda m: m[:4] != b"BTX0", members[1:])
    names = {r["name"] for r in records}
    yield "known animated texture names", True, {"sea", "rhana", "asasea", "hamabe", "asahamabe", "t3_fl_b.1"} <= names
    sets = [corpus.names_of("map_tex_set", i)[0] for i in range(74)]
    yield "map texture sets with sea", 23, sum("sea" in s for s in sets)
    yield "animation frames with a missing texture", [], [
        r["name"] for r, m in zip(records, members[1:])
        if any(f >= sum(len(s.textures) for s in nitro_oracle.File(m).texture_sets) for f, _ in r["steps"])]
    lists = [files.read_move_models(m) for m in corpus.members("mm_list")]
    yield "lists of preloaded objects", (16, True), (len(lists), max(len(one["ids"]) for one in lists) <= 24)
    yield "attribute member sizes of the Distortion World", {2048}, {len(m) for m in corpus.members("tw_arc_attr")}


def main(arguments):
    everything = arguments[:1] == ["--all"]
    if len(arguments) != 1 + everything:
        sys.exit("usage: platinum_facts.py [--all] FOLDER")
    corpus = platinum_corpus.Corpus(os.path.expanduser(arguments[-1]))
    passed = failed = 0
    for function in FACTS:
        for what, expected, found in function(corpus):
            same = expected == found
            passed, failed = passed + same, failed + (not same)
            if everything or not same:
                print(f"{'agree ' if same else 'DIFFER'} {function.__name__}: {what}: {str(found)[:300]}" +
                      ("" if same else f", expected {str(expected)[:300]}"), flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
