"""What is wrong with a SPLASHPACK by section 6 of its specification: a second judgement of the rules whose words leave
no choice. Where they do leave one (about, many), only what is clear is judged."""
import math

import splashpack_files as files
from splashpack_scene import turned

BUFFERS = ((0, 0, 320, 240), (0, 256, 320, 240))
SYSTEM_FONT, RESERVED = (960, 464, 64, 48), (960, 0, 64, 512)
UNIT_SLACK, FARTHEST = 8, 32767
RAM = 1_400_000


def overlaps(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def surely(is_wrong, is_right=None):
    """True, False, or None where the words leave a choice."""
    return True if is_wrong else False if is_right is None or is_right else None


def cross(a, b, c):
    p, q = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def textured(pack):
    """(triangle, page word, palette as (x in words, y) or None) of all triangles with a texture."""
    for one in pack["objects"]:
        for t in one["triangles"]:
            page = t.get("tpage", one.get("tpage"))
            if files.is_late(pack["form"]) and page == files.UNTEXTURED:
                continue
            source = one if pack["form"] == "a2" else t
            clut = (source["clut_x"] * 16, source["clut_y"]) if "clut_x" in source else None
            yield t, page, clut


def atlas_rect(one):
    return one["x"], one["y"], one["width"], one["height"]


def clut_rect(one):
    return one["x"] * 16, one["y"], one["length"], 1


def of_scripts(pack, data):
    if "scripts" not in pack or pack["form"] not in ("d", "e") and not files.is_late(pack["form"]):
        return
    header, count = pack["header"], len(pack["scripts"])
    used = [one["script"] for one in pack["objects"]] + [one["script"] for one in pack.get("triggers", ())]
    scene = header.get("scene_script")
    wrong = any(not -1 <= index < count for index in used)
    if scene is None or scene >= 0 or files.is_late(pack["form"]):
        yield "lua-index", wrong or scene is not None and not -1 <= scene < count
    unused = set(range(count)) - set(used) - {scene}
    yield "lua-unused", bool(unused)

    def is_text(script):
        return not script["text"].startswith(b"\x1bLua")

    def is_cut(script):
        try:
            script["text"].decode()
            return b"\0" in script["text"]
        except UnicodeDecodeError:
            return True
    after = [data[s["offset"] + s["length"]:files.align(s["offset"] + s["length"])] for s in pack["scripts"]]
    yield "lua-length", surely(any(is_text(s) and is_cut(s) for s in pack["scripts"]),
                               not any(any(rest) for rest in after))


def inside(x, z, corners):
    """Whether a point lies in a triangle of (x, y, z), seen from above; on an edge counts."""
    turns = []
    for i in range(3):
        (ax, _, az), (bx, _, bz) = corners[i], corners[(i + 1) % 3]
        turns.append((bx - ax) * (z - az) - (bz - az) * (x - ax))
    return (all(t >= 0 for t in turns) or all(t <= 0 for t in turns)) and any(turns)


def of_navmeshes(pack):
    if pack["form"] not in ("b2", "c", "d", "e"):
        return
    navmeshes = pack["navmeshes"]
    yield "nav-none", not navmeshes
    yield "nav-many", len(navmeshes) > 1
    triangles = [[t[f"v{i}"] for i in range(3)] for n in navmeshes for t in n["triangles"]]
    edges = [(t[i], t[(i + 1) % 3]) for t in triangles for i in range(3)]
    flat = [math.dist((a[0], a[2]), (b[0], b[2])) for a, b in edges]
    whole = [math.dist(a, b) for a, b in edges]
    yield "nav-overflow", surely(any(length > 1200 for length in flat), not any(length > 1050 for length in whole))
    yield "nav-degenerate", any((b[0] - a[0]) * (c[2] - a[2]) == (b[2] - a[2]) * (c[0] - a[0]) for a, b, c in triangles)
    if pack["form"] != "b2" and navmeshes:
        x, _, z = pack["header"]["start"]
        first = [[t[f"v{i}"] for i in range(3)] for t in navmeshes[0]["triangles"]]
        if not any(inside(x, z, t) for t in triangles):
            yield "nav-cover", True
        elif any(inside(x, z, t) and min(p[1] for p in t) >= pack["header"]["start"][1] for t in first):
            yield "nav-cover", False


def of_objects(pack):
    objects, is_early = pack["objects"], not files.is_late(pack["form"])
    if pack["form"] == "d":
        yield "objects-few", len(objects) < 2
    yield "pos-range", any(not -32768 <= v <= 32767 for one in objects for v in one["position"])

    def is_bad(rotation):
        rows = [rotation[i:i + 3] for i in (0, 3, 6)]
        lengths = [math.dist(row, (0, 0, 0)) for row in rows]
        normal = cross((0, 0, 0), rows[0], rows[1])
        return any(abs(length - files_one) > UNIT_SLACK for length in lengths) or \
            sum(a * b for a, b in zip(normal, rows[2])) < 0
    files_one = 4096
    yield "rot-matrix", any(is_bad(one["rotation"]) for one in objects)
    count = sum(len(one["triangles"]) for one in objects)
    yield "tri-budget", count > 2000
    degenerate = winding = pads = False
    # The oldest writer's normals do not say where the front is.
    has_normals = pack["form"] not in ("a1", "a2")
    for one in objects:
        for t in one["triangles"]:
            turn = cross(t["v0"], t["v1"], t["v2"])
            degenerate |= turn == (0, 0, 0)
            winding |= sum(a * b for a, b in zip(turn, t["normal"])) > 0
            flags = t.get("flags", 0)
            pads |= any(t[f"c{i}"][3] for i in range(3)) or t["uv_pad"] != 0 or (flags != 0 if is_early else flags > 1)
    yield "tri-degenerate", degenerate
    yield "tri-winding", winding if has_normals else None
    yield "tri-pad", pads
    yield "color-bright", any(v > 204 for t, _, _ in textured(pack) for i in range(3) for v in t[f"c{i}"][:3])


def of_memory(pack, vram):
    source = vram or pack
    atlases, cluts = source["atlases"], source.get("cluts", ())
    rects, rows = [atlas_rect(a) for a in atlases], [clut_rect(c) for c in cluts]
    is_early = not files.is_late(pack["form"])
    yield "atlas-fb", any(overlaps(r, b) for r in rects for b in BUFFERS)
    yield "clut-fb", any(overlaps(r, b) for r in rows for b in BUFFERS)
    yield "atlas-font", any(overlaps(r, SYSTEM_FONT if is_early else RESERVED) for r in rects)
    yield "atlas-bounds", any(x + w > 1024 or y + h > 512 for x, y, w, h in rects)
    yield "clut-bounds", any(x + w > 1024 or y >= 512 for x, y, w, _ in rows)
    yield "atlas-overlap", any(overlaps(a, b) for i, a in enumerate(rects) for b in rects[:i])
    yield "clut-overlap", any(overlaps(a, b) for i, a in enumerate(rows) for b in [*rows[:i], *rects])
    yield "atlas-size", any(h != 256 or w not in (64, 128, 256) for _, _, w, h in rects)
    half = [w * h // 2 for _, _, w, h in rects]
    yield "atlas-dma", any(n and n // math.gcd(n, 8) >= 65536 for n in half)
    yield "clut-odd", any(c["length"] % 2 for c in cluts)
    # An odd count is said by the rule for that.
    yield "clut-count", surely(any(c["length"] % 2 == 0 and (c["length"] % 4 or c["length"] > 260) for c in cluts),
                               all(c["length"] in (16, 20, 256, 260) for c in cluts))
    used = list(textured(pack))
    if pack["form"] == "a1":
        return  # the engine of that day draws with page 5, whatever the object says
    pages = {page for _, page, _ in used}
    depths = {page: files.tpage(page)[3] for page in pages}

    def is_on_screen(t, page):
        x, y, _, depth, _, _ = files.tpage(page)
        return any(overlaps((x + t[f"uv{i}"][0] // (4, 2, 1, 1)[depth], y + t[f"uv{i}"][1], 1, 1), b)
                   for i in range(3) for b in BUFFERS)
    # A page may lie on a buffer to a part that no triangle uses.
    yield "tpage-fb", surely(any(is_on_screen(t, page) for t, page, _ in used if depths[page] < 3),
                             not any(files.tpage(page)[0] < 320 for page in pages))
    under = {page: [r for r in rects if r[0] <= files.tpage(page)[0] < r[0] + r[2] and
                    r[1] <= files.tpage(page)[1] < r[1] + r[3]] for page in pages}
    near = {page: [r for r in rects if overlaps(r, (*files.tpage(page)[:2], 64 << min(files.tpage(page)[3], 2), 256))]
            for page in pages}
    # Of a depth that there is not, and on a frame buffer, other rules speak.
    yield "tpage-missing", surely(
        any(not near[page] for page in pages if depths[page] < 3 and files.tpage(page)[0] >= 320),
        all(under[page] for page in pages))

    def is_odd(page, rect):
        return rect[2] in (64, 128, 256) and rect[2] != 64 << files.tpage(page)[3]
    yield "tpage-depth", any(files.tpage(page)[3] == 3 or any(is_odd(page, r) for r in under[page]) for page in pages)

    def leaves(t, page):
        x, y, _, depth, _, _ = files.tpage(page)
        per = (4, 2, 1, 1)[depth]
        return any(x + t[f"uv{i}"][0] // per >= r[0] + r[2] or y + t[f"uv{i}"][1] >= r[1] + r[3]
                   for r in under[page][:1] for i in range(3))
    yield "uv-out", surely(any(leaves(t, page) for t, page, _ in used if depths[page] < 3),
                           not any(leaves(t, page) for t, page, _ in used))
    if pack["form"] not in ("a1", "a2"):
        starts = {(x, y) for x, y, _, _ in rows}
        yield "clut-missing", surely(
            any(files.tpage(p)[3] < 2 and not any(overlaps((*c, 1, 1), r) for r in rows) for _, p, c in used),
            all(files.tpage(p)[3] >= 2 or c in starts for _, p, c in used))


def of_texels(pack, vram):
    """By the texels at corners what is surely wrong; by all there are what is surely not."""
    source, memory = vram or pack, files.memory_of(pack, vram)
    rows = [(clut_rect(c), c["colors"]) for c in source.get("cluts", ())]
    if pack["form"] in ("a1", "a2") or memory.twice:
        return
    words, short = set(), False
    for t, page, clut in textured(pack):
        x, y, _, depth, _, _ = files.tpage(page)
        if depth >= 2:
            continue
        per, bits = (4, 2)[depth], (4, 8)[depth]
        row = next((r for r, _ in rows if r[:2] == clut), None)
        for i in range(3):
            u, v = t[f"uv{i}"]
            word = memory.words[(y + v) % files.HEIGHT][(x + u // per) % files.WIDTH]
            if word is not None and row is not None:
                index = word >> u % per * bits & (1 << bits) - 1
                short |= index >= row[2]
                words.add(memory.texel(page, clut, u, v))
    everything = {word for _, colors in rows for word in colors}
    longest = all(r[2] >= 256 or r[2] >= 16 and not any(
        files.tpage(page)[3] == 1 and c == r[:2] for _, page, c in textured(pack)) for r, _ in rows)
    yield "clut-short", surely(short, longest)
    yield "black-hole", surely(0 in words, 0 not in everything)
    direct = any(files.tpage(page)[3] >= 2 for _, page, _ in textured(pack))
    yield "stp", surely(any(word is not None and word >> 15 for word in words),
                        not direct and not any(word >> 15 for word in everything))
    contents = [tuple(colors) for _, colors in rows]
    if len(set(contents)) < len(contents):
        yield "duplicate-texture", True


def of_late(pack, beside):
    header = pack["header"]
    names = pack["names"]
    yield "name-dup", len(set(names)) < len(names)
    yield "name-ascii", any(max(n, default=0) > 127 for n in names)
    yield "name-long", any(len(n) > 24 for n in names)
    yield "interior-rooms", surely(header["scene_type"] == 1 and (not header["rooms"] or not header["portals"]),
                                   header["scene_type"] == 1 or not header["rooms"])
    limits = {"colliders": 64, "triggers": 32, "scripts": 32, "audio_clips": 32, "cutscenes": 16, "animations": 16,
              "skins": 16, "canvases": 16, "fonts": 3}
    beyond = any(header[name] > most for name, most in limits.items())
    beyond |= any(len(row["data"]["track_list"]) > 8 for kind in ("cutscenes", "animations") for row in pack[kind])
    beyond |= any(track["keys"] > 64 for kind in ("cutscenes", "animations") for row in pack[kind]
                  for track in row["data"]["track_list"])
    beyond |= any(row["data"]["skin_events"] > 16 for kind in ("cutscenes", "animations") for row in pack[kind])
    beyond |= any(row["data"]["audio_events"] > 64 for row in pack["cutscenes"])
    beyond |= any(row["data"]["bones"] > 64 or row["data"]["clips"] > 16 for row in pack["skins"])
    beyond |= sum(canvas["elements"] for canvas in pack["canvases"]) > 128
    yield "counts-limit", surely(beyond, all(len(e["text"] or b"") < 64 for c in pack["canvases"]
                                             for e in c["element_list"]))
    targets = {kind: names for kind in OF_OBJECTS}
    targets[CANVAS] = [c["name"] for c in pack["canvases"]]
    elements = [c["name"] + b"/" + e["name"] for c in pack["canvases"] for e in c["element_list"]
                if c["name"] is not None and e["name"] is not None]
    targets.update({kind: elements for kind in ELEMENTS})
    yield "key-order", any(is_out_of_order(row["data"], targets) for kind in ("cutscenes", "animations")
                           for row in pack[kind])
    yield "bvh-tree", is_bad_tree(pack)
    if beside is not None:
        vram, spu = beside
        yield "files-missing", vram is None or spu is None or (
            len(vram["atlases"]), len(vram["cluts"]), len(vram["fonts"])) != (
            header["atlases"], header["cluts"], header["fonts"]) or len(spu["clips"]) != header["audio_clips"]
        if spu is not None:
            yield "spu-budget", sum(clip["size"] for clip in spu["clips"]) > 508 * 1024


OF_OBJECTS, CANVAS, ELEMENTS = (2, 3, 4, 13), 5, (6, 7, 8, 9)


def is_out_of_order(of, targets):
    for track in of["track_list"]:
        frames = [key["frame"] & 0x1FFF for key in track["key_list"]]
        if frames != sorted(frames) or any(f > of["frames"] for f in frames):
            return True
        if track["type"] in targets and track["name"] not in targets[track["type"]]:
            return True
    return False


def is_bad_tree(pack):
    """Children and references out of range, circles, triangles outside of the box of their leaf, triangles of active
    objects that no leaf has."""
    nodes, refs, objects = pack["bvh_nodes"], pack["bvh_refs"], pack["objects"]
    if not nodes:
        return False
    held, seen, waiting = set(), set(), [0]
    while waiting:
        index = waiting.pop()
        if index >= len(nodes) or index in seen:
            return True
        seen.add(index)
        node = nodes[index]
        children = [c for c in (node["left"], node["right"]) if c != 0xFFFF]
        waiting += children
        if children:
            continue
        if node["first"] + node["count"] > len(refs):
            return True
        for ref in refs[node["first"]:node["first"] + node["count"]]:
            if ref["object"] >= len(objects) or ref["triangle"] >= len(objects[ref["object"]]["triangles"]):
                return True
            one = objects[ref["object"]]
            t = one["triangles"][ref["triangle"]]
            for i in range(3):
                place = [a + b for a, b in zip(turned(one["rotation"], t[f"v{i}"]), one["position"])]
                if any(not low - 8 <= v <= high + 8 for low, v, high in zip(node["min"], place, node["max"])):
                    return True
            held.add((ref["object"], ref["triangle"]))
    wanted = {(i, j) for i, one in enumerate(objects) if one["flags"] & 1 and not one["flags"] & 16
              for j in range(len(one["triangles"]))}
    return not wanted <= held


def of_file(pack, data):
    is_early = not files.is_late(pack["form"])
    yield "version-old", pack["version"] < 20
    if is_early:
        size = len(data)
        yield "ram-budget", surely(size > RAM, size < 0.7 * RAM)
        blocks = sorted((at, at + size, what) for at, size, what in pack["blocks"] if size)
        yield "align4", any(at % 4 for at, _, what in blocks if what.startswith(("atlas", "clut")))
        yield "overlap", surely(any(b[0] < a[1] and a[:2] != b[:2] for a, b in zip(blocks, blocks[1:])),
                                not any(b[0] < a[1] for a, b in zip(blocks, blocks[1:])))
        end = pack["descriptors_end"]
        gaps = pads = False
        for start, stop, _ in blocks:
            if start > end:
                is_pad = start - end < 4 and start == files.align(end)
                gaps |= not is_pad
                pads |= is_pad and any(data[end:start])
            end = max(end, stop)
        yield "gap", gaps
        yield "pad-nonzero", pads
        yield "trailing", len(data) > end if len(data) >= files.align(end) or len(data) == end else None


def judged(pack, data, vram=None, beside=None):
    """(rule, whether it has to speak) of all rules; None: unclear."""
    for rules in (of_file(pack, data), of_scripts(pack, data), of_navmeshes(pack), of_objects(pack),
                  of_memory(pack, vram) if not files.is_late(pack["form"]) or vram else (),
                  of_texels(pack, vram) if not files.is_late(pack["form"]) or vram else (),
                  of_late(pack, beside) if files.is_late(pack["form"]) else ()):
        yield from rules
