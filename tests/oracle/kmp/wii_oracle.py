#!/usr/bin/env python3
"""Judges what dio reads, packs and edits of archives and collision of Mario Kart Wii, with the second reader (wii_files.py).

    wii_oracle.py DIO SAMPLES [REAL...]

SAMPLES is what `dio formats --samples` made. REAL: folders with files of games (.arc, .szs, .kcl). Archives are made here
besides, laid out as dio does not. A line a difference; `N passed, N failed` last.
"""
import collections
import json
import math
import pathlib
import random
import shutil
import struct
import sys
import tempfile

import wii_files as wii
from judging import Judge

POINTS = 3000  # of each file are looked up in the octree
ASKED = 120  # of them dio is asked for
RADII = 0.01, 1, 60, 250


# ---- archives --------------------------------------------------------------------------------------------------------

def expected_members(data):
    data = wii.opened(data)
    return {p: m for p, (_, m) in wii.read_u8(data)[0].items()} if data[:4] == wii.MAGIC_U8 else {"data": data}


def compared(found, expected):
    yield from (f"{path} is missing" for path in expected if path not in found)
    yield from (f"{path} is not in it" for path in found if path not in expected)
    yield from (f"{path} differs" for path in expected if path in found and found[path] != expected[path])


def files_below(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in pathlib.Path(folder).rglob("*") if p.is_file()}


def judge_archive(judge, name, path, work):
    """An archive that is there: its list, its members, and that it is written as it was."""
    data = path.read_bytes()
    expected = expected_members(data)
    packed, plain = data[:4] == b"Yaz0", wii.opened(data)[:4] != wii.MAGIC_U8
    status, output, said = judge.run("ls", "-a", "--json", path)
    texts = [f"exit {status}: {said}"] * bool(status)
    if not status:
        told = json.loads(output)["members"]
        places = {"data": 16} if plain else {p: at for p, (at, _) in wii.read_u8(wii.opened(data))[0].items()}
        texts += [f"lists {[m['path'] for m in told]}"] * ([m["path"] for m in told] != list(expected))
        texts += [f"{m['path']}: at {m['offset']}, of {m['size']}" for m in told if m["path"] in expected and
                  (m["offset"] != places[m["path"]] or not plain and m["size"] != len(expected[m["path"]]))]
    judge.count(f"{name}, listed", texts)
    folder = pathlib.Path(work, "unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    status, _, said = judge.run("unpack", "--quiet", path, "-o", folder)
    found = {p: data_ for p, data_ in files_below(folder).items() if not p.startswith("_system/")}
    judge.count(f"{name}, unpacked", [f"exit {status}: {said}"] * bool(status) + list(compared(found, expected)))
    again = pathlib.Path(work, "again.szs" if packed else "again.arc")
    status, _, said = judge.run("pack", "--quiet", "-f", folder, "-o", again)
    texts = [f"exit {status}: {said}"] * bool(status)
    judge.count(f"{name}, packed again", texts or ["other bytes"] * (again.read_bytes() != data))
    status, output, said = judge.run("verify", path)
    judge.count(f"{name}, verified", [] if not status and output.startswith("identical") else [f"{output} {said}"])
    return expected


def random_bytes(random_, most):
    kind, size = random_.randrange(4), random_.randrange(most)
    if kind == 0:
        return random_.randbytes(size)
    if kind == 1:
        return bytes([random_.randrange(256)]) * size
    if kind == 2:  # copies of all lengths and distances
        out = bytearray(random_.randbytes(8))
        while len(out) < size:
            back = random_.choice((1, 2, 3, random_.randrange(1, 5000), 0x1000, 0x1001))
            back = min(back, len(out))
            length = random_.choice((3, 0x11, 0x12, 0x111, 0x112, random_.randrange(1, 700)))
            for _ in range(length):
                out.append(out[-back])
            out += random_.randbytes(random_.randrange(3))
        return bytes(out[:size])
    return b"".join(random_.choice((b"brres", b"course", b"\0\0\0\0", b"\x3f\x80\0\0")) for _ in range(size // 4))


def random_tree(random_, count, most=3000):
    folders, tree = [""], {}
    for _ in range(random_.randrange(4)):
        folders.append(random_.choice(folders) + random_.choice(("effect", "Posteffect", "a b", "Z", "_x")) + "/")
    for _ in range(count):
        name = random_.choice(("course", "Map_model", "vrcorn", "ITEM", "minigame", "a", "B", "x_y", "x-y", "x.y"))
        path = f"{random_.choice(folders)}{name}{random_.choice(('', random_.randrange(30)))}.{random_.choice(('brres', 'bin'))}"
        # One name for a file and a folder, or two that differ in case only, are for other tests.
        if path.lower() not in (p.lower() for p in tree):
            tree[path] = random_bytes(random_, most) if random_.randrange(8) else b""
    return tree


def written(folder, tree):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path, data in tree.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def ordered(tree):
    """Paths in the order of the nodes: files first, then folders, without regard to case."""
    files = sorted((p for p in tree if "/" not in p), key=str.lower)
    below = collections.defaultdict(dict)
    for path in tree:
        if "/" in path:
            folder, rest = path.split("/", 1)
            below[folder][rest] = None
    return files + [f"{folder}/{p}" for folder in sorted(below, key=str.lower) for p in ordered(below[folder])]


def judge_packing(judge, seed, work):
    random_ = random.Random(seed)
    tree = random_tree(random_, random_.randrange(1, 14))
    folder, packed = written(work / "tree", tree), {}
    for end in "arc", "szs":
        path = work / f"packed.{end}"
        status, _, said = judge.run("pack", "--quiet", "-f", folder, "-o", path)
        texts = [f"exit {status}: {said}"] * bool(status)
        if not status:
            data = path.read_bytes()
            packed[end] = wii.opened(data)
            texts += ["not packed"] * (end == "szs" and data[:4] != b"Yaz0")
            members, _ = wii.read_u8(packed[end])
            texts += compared({p: m for p, (_, m) in members.items()}, tree)
            texts += [f"nodes in the order {list(members)}"] * (list(members) != ordered(tree))
            texts += [f"{p} at {at}" for p, (at, _) in members.items() if at % 32]
            if end == "szs":
                naive = len(wii.pack_yaz0(packed[end]))
                texts += [f"{len(data)} bytes, {naive} if packed naively"] * (len(data) > naive)
        judge.count(f"tree {seed} packed as .{end}", texts)
    judge.count(f"tree {seed}, .arc and .szs", ["differ"] * (len(set(packed.values())) != 1))
    data = random_bytes(random_, 9000)
    path = work / "plain.bin"
    path.write_bytes(data)
    status, _, said = judge.run("pack", "--quiet", "-f", path, "-o", work / "plain.szs")
    texts = [f"exit {status}: {said}"] * bool(status)
    judge.count(f"file {seed} packed", texts or ["differs"] * (wii.opened((work / "plain.szs").read_bytes()) != data))


def made_archives(seed, kmp):
    """(name, bytes of an archive with course.kmp) of all layouts."""
    random_ = random.Random(seed)
    tree = {"zero.bin": b"", "course.kmp": kmp, **random_tree(random_, 7, 1500), "twin.bin": b"", "tail.bin": b""}
    whole = max(tree, key=lambda p: (p != "course.kmp", len(tree[p])))
    tree["twin.bin"] = tree[whole]
    tree["tail.bin"] = tree[whole][len(tree[whole]) // 2:]
    twins = [("twin.bin", whole)]
    backwards = list(tree)[::-1]
    mixed = random_.sample(list(tree), len(tree))
    layouts = {
        "plain": {}, "without the folder .": {"dot": False}, "0xCC": {"fill": 0xCC}, "aligned to 4": {"align": 4},
        "not aligned": {"align": 1, "fill": 0xCC}, "aligned to 256": {"align": 256}, "aligned to 8192": {"align": 8192},
        "backwards": {"order": backwards}, "mixed": {"order": mixed, "align": 16, "rest": 5},
        "twins": {"shared": twins}, "twins, mixed": {"shared": twins, "order": mixed, "rest": 64},
        "a tail": {"shared": [("tail.bin", whole)], "align": 4}, "twins of a kmp": {"shared": [("copy.kmp", "course.kmp")]},
        "folders without files": {"empty_folders": ("nothing", "none")},
    }
    for name, layout in layouts.items():
        its = dict(tree)
        if name == "twins of a kmp":
            its["copy.kmp"] = kmp
        yield name, wii.write_u8(its, **layout)


def judge_made(judge, seed, kmps, work):
    path = work / "made.arc"
    for name, data in made_archives(seed, kmps["race"]):
        name = f"archive {seed}, {name}"
        path.write_bytes(data)
        expected = judge_archive(judge, name, path, work)
        judge_edits(judge, name, path, data, expected, kmps, work)
    packers = {"naive": {}, "literals": {"literals": True}, "near": {"farthest": 40}, "short": {"longest": 0x11},
               "with zeros behind": {"rest": bytes(13)}}
    path = work / "made.szs"
    for number, (how, options) in enumerate(packers.items()):
        name, data = list(made_archives(seed, kmps["race"]))[(seed * 5 + number) % 14]
        name = f"archive {seed}, {name}, packed: {how}"
        data = wii.pack_yaz0(data, **options)
        path.write_bytes(data)
        expected = judge_archive(judge, name, path, work)
        judge_edits(judge, name, path, data, expected, kmps, work)


def judge_edits(judge, name, path, before, expected, kmps, work):
    """One member is changed in its place, then replaced by a larger and a smaller one; all others stay."""
    laps = expected["course.kmp"]
    at = struct.unpack_from(">15I", laps, 0x10)[14] + 0x4C + 8
    changed = {**expected, "course.kmp": laps[:at] + b"\5" + laps[at + 1:]}
    status, _, said = judge.run("set", "--quiet", f"{path}/course.kmp", "STGI.entries[0].laps=5", "-i")
    judge_edited(judge, f"{name}, laps set", path, changed, status, said)
    if not status and before[:4] != b"Yaz0":
        after = path.read_bytes()
        places = [{p: at for p, (at, _) in wii.read_u8(d)[0].items()} for d in (before, after)]
        moved = [p for p in places[0] if places[1].get(p) != places[0][p]]
        if name.endswith("twins of a kmp"):
            moved = []  # one of the two has to move
        judge.count(f"{name}, member positions after an edit", [f"{p} moved" for p in moved])
    for kmp in "arena", "few_sections", "race":
        changed["course.kmp"] = kmps[kmp]
        status, _, said = judge.run("encode", "--quiet", "-f", work / f"{kmp}.json", "-o", f"{path}/course.kmp")
        judge_edited(judge, f"{name}, {kmp} in place", path, changed, status, said)
    status, _, said = judge.run("set", "--quiet", f"{path}/course.kmp", "STGI.entries[0].laps=5", "-o", work / "out.kmp", "-f")
    judge.count(f"{name}, member after edits", [f"exit {status}: {said}"] * bool(status))


def judge_edited(judge, name, path, expected, status, said):
    texts = [f"exit {status}: {said}"] * bool(status)
    if not status:
        texts += compared(wii.members_of(path.read_bytes()), expected)
        status, output, said = judge.run("verify", path)
        texts += [f"verify: {output} {said}"] * (bool(status) or not output.startswith("identical"))
    judge.count(name, texts)


# ---- collision -------------------------------------------------------------------------------------------------------

FLAGS = ("type", 0, 5), ("variant", 5, 3), ("light", 8, 3), ("wheel_depth", 11, 2), ("trickable", 13, 1), \
        ("reject_road", 14, 1), ("soft_wall", 15, 1)


def same_float(told, number):
    try:
        told = float(told)
    except (TypeError, ValueError):
        return math.isnan(number) or math.isinf(number)
    return math.isnan(told) and math.isnan(number) or \
        struct.pack("<f", told) == struct.pack("<f", number)


def vectors(told, numbers, what):
    if len(told) != len(numbers):
        yield f"{len(told)} {what}, expected {len(numbers)}"
    for i, (one, expected) in enumerate(zip(told, numbers)):
        if not all(same_float(one[axis], value) for axis, value in zip("xyz", expected)):
            yield f"{what}[{i}]: {one}, expected {expected}"


def judge_numbers(judge, name, kcl, told):
    """What decode says, field by field."""
    texts = []

    def same(what, found, expected):
        judge.values += 1
        if found != expected:
            texts.append(f"{what}: {str(found)[:100]}, expected {str(expected)[:100]}")

    same("offsets", tuple(told[f"{part}_offset"] for part in ("positions", "normals", "prisms", "octree")), kcl.offsets)
    same("masks", tuple(told["area_mask"][axis] for axis in "xyz"), kcl.masks)
    same("shifts", tuple(told[f"{shift}_shift"] for shift in ("block", "x", "xy")), kcl.shifts)
    same("thickness", same_float(told["thickness"], kcl.thickness), True)
    same("sphere", "sphere_radius" in told, kcl.sphere is not None)
    same("sphere", same_float(told.get("sphere_radius", 0), kcl.sphere or 0), True)
    texts += vectors([told["area_min"]], [kcl.area_min], "area_min")
    texts += vectors(told["positions"], kcl.positions, "positions")
    texts += vectors(told["normals"], kcl.normals, "normals")
    judge.values += len(kcl.positions) + len(kcl.normals)
    same("prisms", len(told["prisms"]), len(kcl.prisms))
    for i, (one, (height, *numbers, flags)) in enumerate(zip(told["prisms"], kcl.prisms)):
        same(f"prisms[{i}].height", same_float(one["height"], height), True)
        same(f"prisms[{i}]", [one[f] for f in ("position", "face_normal", "edge_a", "edge_b", "edge_c")], numbers)
        found = one.get("attribute")
        if found is None:
            found = sum(one[field] << at for field, at, _ in FLAGS)
            texts += [f"prisms[{i}].{field}" for field, at, bits in FLAGS if one[field] != flags >> at & (1 << bits) - 1]
        same(f"prisms[{i}], flags", found, flags)
    judge.count(f"{name}, decoded", texts)


def judge_octree(judge, name, kcl, told):
    """Nodes and lists of decode; and what is found at places, in its lists."""
    texts, nodes = [], told["octree"]["nodes"]
    cells = kcl.cells()
    for node, word, _ in cells:
        if node >= len(nodes):
            texts.append(f"no octree.nodes[{node}]")
        elif (nodes[node]["is_leaf"], nodes[node]["offset"]) != (word >> 31, word & 0x7FFFFFFF):
            texts.append(f"octree.nodes[{node}]: {nodes[node]}, expected {word:#x}")
    judge.values += len(cells)
    texts += [f"{len(nodes)} nodes, expected {1 + max(n for n, _, _ in cells)}"] * (
        len(nodes) != 1 + max(n for n, _, _ in cells))
    # Where each list lies; the next begins at its end.
    words, starts, at = {}, {}, 4 * len(nodes)
    for number, one in enumerate(told["octree"]["lists"]):
        at = one.get("offset", at)
        starts[at] = number
        for i, prism in enumerate(one["prisms"]):
            words[at + 2 * i] = prism
        at += 2 * len(one["prisms"])

    def of_json(place):
        found = []
        while words.get(place):
            found.append(words[place])
            place += 2
        return found if place in words else None

    for node, word, base in cells:
        if word >> 31:
            place = base + (word & 0x7FFFFFFF) + 2
            expected = kcl.list_at(kcl.octree + place)
            judge.values += 1
            if of_json(place) != expected:
                texts.append(f"the list of octree.nodes[{node}]: {of_json(place)}, expected {expected}")
            texts += [f"the list of octree.nodes[{node}] has {n}" for n in expected if n > len(kcl.prisms)]
    judge.count(f"{name}, octree", texts)


def random_points(kcl, random_, count):
    """Near triangles, in the area, at borders of cells, and around the area."""
    size = [(~mask & 0xFFFFFFFF) + 1 for mask in kcl.masks]
    for i in range(count):
        kind, corners = i % 4, None
        if kind < 2 and kcl.prisms:
            corners, _ = kcl.corners(random_.randrange(len(kcl.prisms)))
        if corners:
            weights = [random_.random() for _ in range(3)]
            point = tuple(sum(w * c[axis] for w, c in zip(weights, corners)) / sum(weights) +
                          random_.uniform(-1, 1) * random_.choice((0, 1, 30, 300)) for axis in range(3))
        elif kind == 2:
            point = tuple(low + random_.uniform(-0.02, 1.02) * all_ for low, all_ in zip(kcl.area_min, size))
        else:
            step = 1 << max(0, kcl.shifts[0] - random_.randrange(4))
            point = tuple(low + random_.randrange(0, all_ // step + 1) * step + random_.choice((-1, -0.5, 0, 0.5, 1))
                          for low, all_ in zip(kcl.area_min, size))
        yield tuple(wii.f32(x) for x in point)


def written_point(point, radius):
    return ",".join(repr(x) if "e" not in repr(x) else f"{x:.20f}" for x in (*point, radius))


def judge_hits(judge, name, path, kcl, random_):
    texts, found_some = [], 0
    points = list(random_points(kcl, random_, POINTS))
    looked = [kcl.lookup(point) for point in points]
    asked = random_.sample(range(POINTS), ASKED)
    for i in asked:
        radius = random_.choice(RADII)
        where = f"hit@{written_point(points[i], radius)}"
        status, output, said = judge.run("explain", "--json", f"{path}#{where}")
        if status:
            texts.append(f"{where}: exit {status}: {said}")
            continue
        answer, place = json.loads(output)["answer"], looked[i]
        judge.values += 1
        if not place:
            texts += [f"{where}: {answer['cell']}, expected none"] * (not answer["cell"].startswith("none"))
            continue
        cell = f"octree.nodes[{place[0]}]"
        if (answer["cell"], answer.get("listed")) != (cell, len(place[1])):
            texts.append(f"{where}: {answer['cell']} with {answer.get('listed')}, expected {cell} with {len(place[1])}")
            continue
        told = {int(hit["prism"][7:-1]): hit["above"] for hit in answer["hit"]}
        found_some += bool(told)
        texts += wrong_hits(kcl, points[i], radius, place[1], told, where)
    judge.count(f"{name}, {found_some} of {ASKED} points hit", texts)


def wrong_hits(kcl, point, radius, listed, told, where):
    """A sphere hits what it touches, and what its middle is over and less than the thickness behind. Between what has to
    be hit and what cannot be is a narrow room for how numbers are rounded."""
    yield from (f"{where}: hits prisms[{n}], which is not listed" for n in told if n + 1 not in listed)
    radius = min(radius, kcl.sphere) if kcl.sphere else radius
    for number in sorted({n - 1 for n in listed}):
        places = kcl.distances(number, point) if number < len(kcl.prisms) else None
        if not places:
            if number in told:
                yield f"{where}: hits prisms[{number}], which has no triangle"
            continue
        above, distance, out, of_game = places
        room = 0.02 + 1e-5 * max(map(abs, point)) + radius * 1e-3
        where_it_is = f"(above {above:.3f}, distance {distance:.3f}, of the game {of_game:.3f}, beyond the edges {out:.3f})"
        over = out < -room and room - kcl.thickness < above < radius - room
        near = out < room and -room - kcl.thickness < above < radius + room
        touched = distance < radius - room and above > room - kcl.thickness
        if (touched or over) and number not in told:
            yield f"{where}: prisms[{number}] is not hit {where_it_is}"
        if not near and of_game > radius + room and number in told:
            yield f"{where}: prisms[{number}] is hit {where_it_is}"
        if number in told and abs(told[number] - above) > room:
            yield f"{where}: prisms[{number}] is {told[number]} above, expected {above:.3f}"


def judge_triangles(judge, name, path, kcl, work):
    target = work / "scene.glb"
    status, _, said = judge.run("convert", "--quiet", "-f", path, "-o", target)
    if status:
        # A file without triangles has no picture.
        drawn = any(kcl.corners(i)[0] for i in range(len(kcl.prisms)))
        judge.count(f"{name}, drawn", [f"exit {status}: {said}"] * drawn)
        return
    found, expected, texts = wii.collision_of_glb(target.read_bytes()), collections.defaultdict(list), []
    for number, prism in enumerate(kcl.prisms):
        corners, sure = kcl.corners(number)
        if corners:
            expected[wii.ALL if wii.ALL in found else prism[6]].append((number, corners, sure))
    for flags in sorted(set(found) | set(expected)):
        triangles, extras = found.get(flags, ([], {}))
        its = expected.get(flags, [])
        texts += [f"{flags:#x}: extras say {extras['prisms']} prisms of {len(triangles)}"] * (
            extras.get("prisms", len(triangles)) != len(triangles))
        if "prism" in extras:
            missing = {n for n, _, _ in its} ^ set(extras["prism"])
            texts += [f"{flags:#x}: extras name {extras['prism']}"] * bool(missing)
        unsure = [n for n, corners, sure in its if not well_shaped(corners, sure)]
        texts += [f"{flags:#x}: {len(triangles)} triangles, expected {len(its)}"] * (
            not len(its) - len(unsure) <= len(triangles) <= len(its))
        judge.values += len(its)
        texts += unmatched(flags, triangles, its)
    judge.count(f"{name}, drawn", texts)


def well_shaped(corners, sure):
    edges = sorted(math.dist(a, b) for a, b in zip(corners, corners[1:] + corners[:1]))
    return sure > 1e-3 and edges[0] > 1e-3


def unmatched(flags, triangles, expected):
    """Triangles are the same if their corners are, in the same sense."""
    size = 64
    places = collections.defaultdict(list)
    for triangle in triangles:
        places[tuple(int(sum(c[axis] for c in triangle) / 3 // size) for axis in range(3))].append(triangle)
    for number, corners, sure in expected:
        longest = max(math.dist(a, b) for a, b in zip(corners, corners[1:] + corners[:1]))
        near = min(size, 1e-3 * longest + 2e-6 * max(abs(x) for c in corners for x in c) + 1e-3)
        middle = [sum(c[axis] for c in corners) / 3 for axis in range(3)]
        keys = {(x, y, z) for x in cells_of(middle[0], near, size) for y in cells_of(middle[1], near, size)
                for z in cells_of(middle[2], near, size)}
        best = None
        for key in keys:
            for triangle in places.get(key, ()):
                for turn in range(3):
                    far = max(math.dist(triangle[(turn + i) % 3], corners[i]) for i in range(3))
                    if best is None or far < best[0]:
                        best = far, key, triangle
        if best and best[0] <= near:
            places[best[1]].remove(best[2])
        elif well_shaped(corners, sure):
            yield f"{flags:#x}: no triangle of prisms[{number}] {corners}" + f", one is {best[0]:.3f} away" * bool(best)


def cells_of(value, near, size):
    return range(int((value - near) // size), int((value + near) // size) + 1)


def judge_kcl(judge, name, path, work):
    kcl = wii.Kcl(path.read_bytes())
    status, output, said = judge.run("decode", path)
    if status:
        judge.count(f"{name}, decoded", [f"exit {status}: {said}"])
        return
    told = json.loads(output)["document"]
    judge_numbers(judge, name, kcl, told)
    judge_octree(judge, name, kcl, told)
    judge_triangles(judge, name, path, kcl, work)
    judge_hits(judge, name, path, kcl, random.Random(name))


def guarded(judge, name, what, *arguments):
    try:
        what(judge, name, *arguments)
    except (wii.WiiError, KeyError, IndexError, ValueError, struct.error) as error:
        judge.count(name, [f"the second reader: {type(error).__name__}: {error}"])


def main(words):
    if len(words) < 2:
        sys.exit(__doc__)
    judge, samples = Judge(words[0]), pathlib.Path(words[1])
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        archives = sorted([*(samples / "u8").iterdir(), *(samples / "yaz0").iterdir()])
        collision = sorted((samples / "kcl").glob("*.kcl"))
        for real in map(pathlib.Path, words[2:]):
            archives += sorted(p for end in ("arc", "szs", "u8") for p in real.rglob(f"*.{end}"))
            collision += sorted(real.rglob("*.kcl"))
        for path in archives:
            guarded(judge, path.name, judge_archive, path, work)
            data = wii.opened(path.read_bytes())
            members = wii.members_of(data) if data[:4] == wii.MAGIC_U8 else {}
            for member, content in members.items():
                if member.endswith(".kcl"):
                    # Not beside the others, as dio would take files of the same name along.
                    path_ = work / f"{path.stem}.kcl"
                    path_.write_bytes(content)
                    collision.append(path_)
        kmps = {name: (samples / "kmp" / f"{name}.kmp").read_bytes() for name in ("race", "arena", "few_sections")}
        for name in kmps:
            judge.run("decode", "--quiet", samples / "kmp" / f"{name}.kmp", "-o", work / f"{name}.json")
        for seed in range(12):
            judge_packing(judge, seed, work)
        for seed in range(3):
            judge_made(judge, seed, kmps, work)
        for path in collision:
            guarded(judge, path.name, judge_kcl, path, work)
    return judge.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
