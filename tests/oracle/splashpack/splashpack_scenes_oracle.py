#!/usr/bin/env python3
"""Judges the scenes that dio makes of SPLASHPACKs, as GLB, and the packs that it makes of GLBs.

    splashpack_scenes_oracle.py [--many N] DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, packs and GLBs are made here (splashpack_make.py,
splashpack_worlds.py), N of any content. FOLDER: packs that somebody has. A line a difference; `N passed, N failed`
last.
"""
import collections
import math
import os
import pathlib
import random
import sys
import tempfile

import splashpack_facts as facts
import splashpack_files as files
import splashpack_make as make
import splashpack_scene as scene
import splashpack_worlds as worlds
from judging import Judge

NEAR_COLOR = 0.6  # of a byte: what a rounded number may be beside
INNER = ((1 / 3, 1 / 3, 1 / 3), (0.6, 0.25, 0.15), (0.1, 0.15, 0.75))


# ---- from a pack -----------------------------------------------------------------------------------------------------

def canonical(points):
    """A triangle of three places, the smallest of its turns."""
    return min(tuple(points[i:]) + tuple(points[:i]) for i in range(3))


class Found:
    """A triangle of a GLB. raw: the places in the mesh. uvs: texels as 0..1. joints: of each corner, or None."""

    def __init__(self, glb, primitive, triangle, scaling, axes):
        signs = scene.AXES[axes]
        self.raw = [tuple(round(v * s * scene.ONE / scaling) for v, s in zip(primitive.positions[i], signs))
                    for i in triangle]
        self.off = max(abs(v * s * scene.ONE / scaling - r) for i, raw in zip(triangle, self.raw)
                       for v, s, r in zip(primitive.positions[i], signs, raw))
        factor = glb.color_factor(primitive.material)
        self.colors = [tuple(v * f for v, f in zip(primitive.colors[i] if primitive.colors else (1, 1, 1, 1), factor))
                       for i in triangle]
        self.times = glb.brightness(primitive.material)
        info = glb.texture_of(primitive.material)
        self.picture = None if info is None else glb.picture(info["index"])
        self.uvs = [primitive.uvs[i] for i in triangle] if primitive.uvs else None
        self.joints = primitive.joints and [
            max(zip(primitive.weights[i], primitive.joints[i]))[1] for i in triangle]

    def pixel(self, weights):
        width, height, pixels = self.picture
        u, v = (sum(w * uv[k] for w, uv in zip(weights, self.uvs)) for k in range(2))
        x, y = math.floor(u * width), math.floor(v * height)
        return pixels[y % height * width + x % width]

    def turned(self, by):
        made = object.__new__(Found)
        made.__dict__.update(self.__dict__)
        made.raw, made.colors = self.raw[by:] + self.raw[:by], self.colors[by:] + self.colors[:by]
        made.uvs = self.uvs and self.uvs[by:] + self.uvs[:by]
        made.joints = self.joints and self.joints[by:] + self.joints[:by]
        return made


def is_texel(found, word, times):
    """Whether a pixel of a picture is a texel, `times` as bright."""
    wanted = scene.color8(word)
    if word == 0:
        return found[3] == 0
    return all(abs(a - min(b * times, 255)) <= 1 for a, b in zip(found[:3], wanted[:3])) and found[3] == 255


def triangle_texts(found, wanted):
    """What differs between a triangle of a GLB and one of a pack, corner by corner."""
    texts = []
    if found.joints != wanted.bones:
        texts.append(f"bones {found.joints}, expected {wanted.bones}")
    is_flat = wanted.page is None
    words = [] if is_flat else [wanted.word(*corner.uv) for corner in wanted.corners]
    if None in words:  # nobody knows what is in that memory
        return texts + [f"at {raw}, expected {corner.raw}" for corner, raw in zip(wanted.corners, found.raw)
                        if corner.raw != raw]
    for corner, raw, color in zip(wanted.corners, found.raw, found.colors):
        if corner.raw != raw:
            texts.append(f"at {raw}, expected {corner.raw}")
        for value, byte in zip(color, corner.color):
            neutral = 255 if is_flat else 128 * found.times
            told = scene.srgb(max(0, value)) * neutral
            if abs(told - min(byte, neutral)) > NEAR_COLOR:
                texts.append(f"color {told:.2f}, expected {byte}")
    if is_flat:
        return texts + ["a picture where there is none"] * (found.picture is not None)
    if found.picture is None or found.uvs is None:
        return [*texts, "no picture"]
    for i, word in enumerate(words):
        told = found.pixel([float(i == k) for k in range(3)])
        if not is_texel(told, word, found.times):
            texts.append(f"texel {wanted.corners[i].uv} is {told}, expected {scene.color8(word)}")
    for weights in INNER:
        u, v = (sum(w * (c.uv[k] + 0.5) for w, c in zip(weights, wanted.corners)) for k in range(2))
        if min(abs(u - round(u)), abs(v - round(v))) < 0.02:
            continue  # on the border of two texels
        word, told = wanted.word(int(u), int(v)), found.pixel(weights)
        if word is not None and not is_texel(told, word, found.times):
            texts.append(f"texel {u:.1f}, {v:.1f} inside is {told}, expected {scene.color8(word)}")
    return texts


def best(found, wanted):
    """The texts of the turn of `found` that fits best."""
    turns = [found.turned(i) for i in range(3)]
    same = [t for t in turns if t.raw == [c.raw for c in wanted.corners]] or turns
    return min((triangle_texts(t, wanted) for t in same), key=len)


def mesh_texts(what, found, wanted):
    """Triangles that are missing, more than there are, or different."""
    texts, by_place = [], collections.defaultdict(list)
    for triangle in found:
        by_place[canonical(triangle.raw)].append(triangle)
    for triangle in wanted:
        key = canonical([c.raw for c in triangle.corners])
        others = by_place.get(key)
        if not others:
            other = canonical([c.raw for c in reversed(triangle.corners)])
            texts.append(f"{what}: the triangle {key} is " + ("the other way round" if by_place.get(other) else
                                                              "missing"))
            continue
        told = [best(other, triangle) for other in others]
        at = min(range(len(told)), key=lambda i: len(told[i]))
        texts += [f"{what}: triangle {key}: {text}" for text in told[at]]
        others.pop(at)
    left = sum(map(len, by_place.values()))
    return texts + [f"{what}: {left} triangles that the pack does not have"] * bool(left)


def read_beside(path):
    """(the pack's bytes, what is in video memory beside it or None)"""
    vram = path.with_suffix(".vram")
    return path.read_bytes(), files.read_vram(vram.read_bytes()) if vram.exists() else None


def judge_out(judge, name, path, form=None, scaling=scene.SCALING, axes="default"):
    """A pack as a GLB."""
    data, vram = read_beside(path)
    pack = files.read_pack(data, form)
    memory = files.memory_of(pack, vram)
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work, "one.glb")
        options = ["--scaling", scaling] * (scaling != scene.SCALING) + ["--axes", axes] * (axes != "default")
        status, _, said = judge.run("convert", "--quiet", *options, path, "-o", out)
        if status:
            judge.count(name, [f"dio convert (exit {status}): {said}"])
            return
        glb = scene.read(out)
    texts, values = scene_texts(glb, pack, memory, scaling, axes)
    judge.values += values
    judge.count(f"{name}, as a scene", texts)


def scene_texts(glb, pack, memory, scaling=scene.SCALING, axes="default"):
    """(what is wrong with the scene of a pack, values compared)"""
    texts, values, signs = [], 0, scene.AXES[axes]
    nodes = glb.kinds("object")
    if len(nodes) != len(pack["objects"]):
        texts.append(f"{len(nodes)} objects, expected {len(pack['objects'])}")
    skins = {row["data"]["object"]: row for row in pack.get("skins", ())}
    for i, (node, one) in enumerate(zip(nodes, pack["objects"])):
        found = [Found(glb, p, t, scaling, axes) for p in (*glb.of_node(node), *glb.skinned(node)) for t in p.triangles]
        texts += [f"objects[{i}]: places that are no raw ones"] * any(f.off > 0.01 for f in found)
        wanted = scene.triangles_of(pack, one, memory)
        if i in skins and len(skins[i]["data"]["indices"]) == 3 * len(wanted):
            for k, triangle in enumerate(wanted):
                triangle.bones = [skins[i]["data"]["indices"][3 * k + c] for c in (0, 2, 1)]
            texts += clip_texts(f"objects[{i}]", glb, node, skins[i], scaling, signs)
        texts += mesh_texts(f"objects[{i}]", found, wanted)
        values += 24 * len(wanted)
        texts += place_texts(f"objects[{i}]", glb.place(node), standing(one, pack["form"]), scaling, signs)
        extras = glb.extras(node)
        if "flags" in one and bool(extras.get("active", True)) != bool(one["flags"] & 1):
            texts.append(f"objects[{i}]: active {extras.get('active')}")
    texts += nav_texts(glb, pack, scaling, axes)
    if files.is_late(pack["form"]):
        texts += box_texts(glb, pack, scaling, axes)
        texts += late_nav_texts(glb, pack, scaling, axes)
        texts += motion_texts(glb, pack, nodes, scaling, axes)
    texts += player_texts(glb, pack, scaling, axes)
    return texts + script_texts(glb, pack, nodes), values


def standing(one, form):
    """The object as its engine drew it. The first exporters gave every object this one place, and moved and turned the
    triangles themselves; the engines of their day (3c6989c, dbc4bcb: src/renderer.cpp) take no notice of it."""
    if form not in ("a1", "a2") or any(n != -16384 for n in one["position"]):
        return one
    return {**one, "position": [0, 0, 0], "rotation": [scene.ONE, 0, 0, 0, scene.ONE, 0, 0, 0, scene.ONE]}


def place_texts(what, place, one, scaling, signs):
    """The transform of an object. One that does not turn but something else is not judged."""
    wanted = [v * s * scaling / scene.ONE for v, s in zip(one["position"], signs)]
    texts = []
    if math.dist(place[9:], wanted) > 1e-4 * (1 + max(map(abs, wanted))):
        texts.append(f"{what}: at {place[9:]}, expected {wanted}")
    if scene.is_rotation(one["rotation"]):
        turn = [one["rotation"][3 * row + column] * signs[row] * signs[column] / scene.ONE
                for column in range(3) for row in range(3)]
        if max(abs(a - b) for a, b in zip(turn, place)) > 0.003:
            texts.append(f"{what}: turned {[round(v, 4) for v in place[:9]]}, expected {turn}")
    return texts


def near(found, wanted, slack=2e-3):
    return len(found) == len(wanted) and all(abs(a - b) <= slack + 1e-5 * abs(b) for a, b in zip(found, wanted))


def clip_texts(what, glb, node, row, scaling, signs):
    """Every bone at every frame of the clips of a skin, as it turns and moves the mesh of its object."""
    texts, bones = [], row["data"]["bones"]
    skin = next((p.skin for p in glb.skinned(node)), None)
    if skin is None:
        return [f"{what}: no skin"] * bool(row["data"]["indices"])
    for clip in row["data"]["clip_list"]:
        frames = clip["bones"]
        if not all(scene.is_rotation(b["rotation"]) for b in frames) or not frames:
            continue
        name = "." + clip["name"].decode()
        animation = next((a for a, source in zip(glb.animations, glb.json["animations"]) if a[0].endswith(name) and
                          source["channels"][0]["target"].get("node") in glb.json["skins"][skin]["joints"]), None)
        if animation is None:
            texts.append(f"{what}: no clip {name}")
            continue
        for frame in range(clip["frames"]):
            told = glb.bones(skin, node, animation, frame / clip["fps"])
            for told_one, bone in zip(told, frames[frame * bones:(frame + 1) * bones]):
                turn = [bone["rotation"][3 * r + c] * signs[r] * signs[c] / scene.ONE
                        for c in range(3) for r in range(3)]
                shift = [v * s * scaling / scene.ONE for v, s in zip(bone["translation"], signs)]
                if not near(told_one[:9], turn, 0.003) or not near(told_one[9:], shift):
                    texts.append(f"{what}: clip {name}, frame {frame}: {[round(v, 3) for v in told_one]}, expected "
                                 f"{turn + shift}")
    return texts


def around(points):
    return [f(v) for f in (min, max) for v in zip(*points)]


def world_points(glb, node):
    place = glb.place(node)
    return [scene.apply(place, *p) for primitive in glb.of_node(node) for p in primitive.positions]


def box_texts(glb, pack, scaling, axes):
    texts = []
    for kind, rows in (("collider", pack["colliders"]), ("trigger", pack["triggers"]), ("room", pack["rooms"])):
        nodes = glb.kinds(kind)
        if len(nodes) != len(rows):
            texts.append(f"{len(nodes)} of {kind}, expected {len(rows)}")
        for i, (node, row) in enumerate(zip(nodes, rows)):
            wanted = around([scene.world(row[side], scaling, axes) for side in ("min", "max")])
            found = around(world_points(glb, node))
            texts += [f"{kind} {i}: {found}, expected {wanted}"] * (not near(found, wanted))
            extras = glb.extras(node)
            for key in ("type", "mask", "object") if kind == "collider" else ():
                texts += [f"{kind} {i}: {key} {extras.get(key)}"] * (extras.get(key) != row[key])
    nodes = glb.kinds("portal")
    if len(nodes) != len(pack["portals"]):
        texts.append(f"{len(nodes)} portals, expected {len(pack['portals'])}")
    for i, (node, row) in enumerate(zip(nodes, pack["portals"])):
        corners = [[c + (a * r * row["half"][0] + b * u * row["half"][1]) / scene.ONE
                    for c, r, u in zip(row["center"], row["right"], row["up"])] for a in (-1, 1) for b in (-1, 1)]
        found, wanted = around(world_points(glb, node)), around([scene.world(c, scaling, axes) for c in corners])
        texts += [f"portal {i}: {found}, expected {wanted}"] * (not near(found, wanted, 0.02))
    return texts


def late_nav_texts(glb, pack, scaling, axes):
    """Corners of the regions: y is A x + B z + D."""
    regions = pack["nav"]["region_list"] if pack["nav"] else []
    nodes, texts = glb.kinds("nav_region"), []
    if len(nodes) != len(regions):
        texts.append(f"{len(nodes)} regions of the floor, expected {len(regions)}")
    for i, (node, row) in enumerate(zip(nodes, regions)):
        a, b, d = row["plane"]
        wanted = [scene.world((x, (a * x + b * z) / scene.ONE + d, z), scaling, axes)
                  for x, z in list(zip(row["x"], row["z"]))[:row["corners"]]]
        points = world_points(glb, node)
        for corner in wanted:
            if not any(near(p, corner, 0.03) for p in points):
                texts.append(f"region {i}: no corner at {corner}")
        if any(not any(near(p, corner, 0.03) for corner in wanted) for p in points):
            texts.append(f"region {i}: a corner more")
    return texts


OBJECT_POSITION, RATE = 2, 30


def motion_texts(glb, pack, nodes, scaling, axes):
    """Where cutscenes and animations move objects, at their keys."""
    texts, names = [], pack["names"]
    for row in (*pack["cutscenes"], *pack["animations"]):
        same = [a for a in glb.animations if a[0] == row["name"].decode()]
        for track in row["data"]["track_list"]:
            if track["type"] != OBJECT_POSITION or track["name"] not in names or len(same) != 1:
                continue
            node = nodes[names.index(track["name"])]
            sampler = same[0][1].get(("node", node, "translation"))
            if sampler is None:
                texts.append(f"{row['name']}: does not move {track['name']}")
                continue
            for key in track["key_list"]:
                found = sampler.at((key["frame"] & 0x1FFF) / RATE)
                wanted = scene.world(key["values"], scaling, axes)
                texts += [f"{row['name']}: {track['name']} at {found}, expected {wanted}"] * (not near(found, wanted))
    return texts


def nav_texts(glb, pack, scaling, axes):
    if files.is_late(pack["form"]):
        return []
    found, wanted = collections.Counter(), collections.Counter()
    for node in glb.kinds("navmesh"):
        place = glb.place(node)
        for primitive in glb.of_node(node):
            points = [scene.apply(place, *p) for p in primitive.positions]
            for t in primitive.triangles:
                raw = [tuple(round(v * s * scene.ONE / scaling) for v, s in zip(points[i], scene.AXES[axes]))
                       for i in t]
                found[canonical(raw)] += 1
    for n in pack["navmeshes"]:
        for t in n["triangles"]:
            wanted[canonical([tuple(t[f"v{i}"]) for i in (0, 2, 1)])] += 1
    if found == wanted:
        return []
    turned = collections.Counter({canonical(key[::-1]): n for key, n in wanted.items()})
    if found == turned:
        return ["the floor is the other way round"]
    return [f"the floor: {sum((wanted - found).values())} triangles missing, {sum((found - wanted).values())} more"]


def player_texts(glb, pack, scaling, axes):
    header, nodes = pack["header"], glb.kinds("player_start")
    if "start" not in header:
        return [f"{len(nodes)} places where the player starts"] * bool(nodes)
    if len(nodes) != 1:
        return [f"{len(nodes)} places where the player starts"]
    # The file has the place of the eyes.
    x, y, z = header["start"]
    wanted = scene.world((x, y + header["height"], z), scaling, axes)
    found = glb.place(nodes[0])[9:]
    texts = [f"the player starts at {found}, expected {wanted}"] * (math.dist(found, wanted) > 1e-3)
    height = glb.extras(nodes[0]).get("height")
    if height is None or abs(height - header["height"] * scaling / scene.ONE) > 1e-3:
        texts.append(f"the player's height is {height}, expected {header['height'] * scaling / scene.ONE}")
    return texts


def script_texts(glb, pack, nodes):
    """The text of each script, and whose it is."""
    if "scripts" not in pack or pack["form"] in ("a1", "a2", "a3", "b", "b2", "c"):
        return []
    texts, told, wanted = [], {}, [one["text"] for one in pack["scripts"]]

    def is_text(data):
        try:
            return "\0" not in data.decode() and not data.startswith(b"\x1b")
        except UnicodeDecodeError:
            return False
    rows = glb.extras().get("scripts", [])
    for row in rows:
        told[row.get("name")] = row.get("text")
    found = [row.get("text", row.get("bytes")) for row in rows]
    expected = [data.decode() if is_text(data) else data.hex() for data in wanted]
    if found != expected:
        texts.append(f"scripts {str(found)[:150]}, expected {str(expected)[:150]}")
    for i, (node, one) in enumerate(zip(nodes, pack["objects"])):
        extras, index = glb.extras(node), one["script"]
        text = extras.get("lua", told.get(extras.get("lua_file")))
        if 0 <= index < len(wanted) and is_text(wanted[index]) and text != wanted[index].decode():
            texts.append(f"objects[{i}]: its script is {str(text)[:60]}, expected {wanted[index][:60]}")
        if index == -1 and text is not None:
            texts.append(f"objects[{i}]: has a script, expected none")
    return texts


def judge_packs(judge, many):
    random_ = random.Random(60)
    with tempfile.TemporaryDirectory() as work:
        for form in files.FORMS:
            for name, data in make.odd_early(random_, form):
                if files.detect(data) != [form]:
                    continue
                path = pathlib.Path(work, f"{form} {name}.splashpack".replace(" ", "_"))
                path.write_bytes(data)
                judge_out(judge, f"{form}: {name}", path, form)
        for i in range(many):
            form = random_.choice(files.FORMS)
            path = pathlib.Path(work, f"{form}_{i}.splashpack")
            path.write_bytes(make.early(form, make.scene(random_, form, random_.choice(((1,), (0, 1), (2, 1))))))
            judge_out(judge, f"{form}: made {i}", path, form, 100.0,
                      "default")
        for i in range(many):
            version = random_.choice((20, 21))
            parts = make.full(random_, version, bare=i % 5 == 4)
            path = pathlib.Path(work, f"v{version}_{i}.splashpack")
            path.write_bytes(make.late(version, parts))
            path.with_suffix(".vram").write_bytes(make.vram(parts))
            path.with_suffix(".spu").write_bytes(make.spu(parts))
            judge_out(judge, f"v{version}: made {i}", path)


def judge_folder(judge, folder):
    """Packs with what is called like them in the folder or in one beside it."""
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as work:
        for source in sorted(folder.rglob("*")):
            data = source.read_bytes() if source.is_file() else b""
            if len(files.detect(data)) != 1:
                continue
            path = pathlib.Path(work, source.stem, source.name)
            path.parent.mkdir()
            path.write_bytes(data)
            for suffix in (".vram", ".spu"):
                for beside in (source.with_suffix(suffix),
                               folder.with_name("splashpack-" + suffix[1:]) / (source.stem + suffix)):
                    if beside.exists():
                        path.with_suffix(suffix).write_bytes(beside.read_bytes())
            judge_out(judge, path.name, path)


# ---- to a pack -------------------------------------------------------------------------------------------------------

def judge_in(judge, name, world, version, options=(), cut=False, exact=True, scaling=scene.SCALING, axes="default"):
    """A GLB as a pack."""
    with tempfile.TemporaryDirectory() as work:
        source, out = pathlib.Path(work, "world.glb"), pathlib.Path(work, "world.splashpack")
        source.write_bytes(world.glb)
        how = ("--version", version) if version in (1, 20, 21) else ("--target-layout", version)
        status, _, said = judge.run("convert", "--quiet", source, "-o", out, *how, *options)
        if status or not out.exists():
            judge.count(name, [f"dio convert (exit {status}): {said}"])
            return
        data, vram = read_beside(out)
        found, form = files.detect(data), "d" if version == 1 else version
        if found != [form]:
            judge.count(name, [f"a pack of {found}, expected {form}"])
            return
        pack = files.read_pack(data)
        texts = []
        if files.is_late(form):
            if vram is None or not out.with_suffix(".spu").exists():
                judge.count(name, ["no .vram or .spu beside it"])
                return
            texts += [f"{len(vram[k])} {k} beside {pack['header'][k]}" for k in ("atlases", "cluts")
                      if len(vram[k]) != pack["header"][k]]
        found, values = worlds.pack_texts(world, pack, files.memory_of(pack, vram), vram, scaling, axes, cut, exact)
        judge.values += values
        judge.count(f"{name}, as a pack of {form}", texts + found)


def same_texts(first, second, memories):
    """What of a pack is not as it was after it was a scene or of another version: triangles, places, scripts, floor,
    player."""
    texts, has_floor = [], all("navmeshes" in pack["header"] for pack in (first, second))
    if len(first["objects"]) != len(second["objects"]):
        return [f"{len(second['objects'])} objects, expected {len(first['objects'])}"]

    def key(t, one, memory, is_flat):
        """A triangle as a set of corners in their order, with the colours and texels that show there. Without texture
        in one of the two, by its places: in packs of 2025 a white texel and half the colour are the same."""
        page, source = t.get("tpage", one.get("tpage")), one if "clut_x" in one else t
        clut = source.get("clut_x", 0) * 16, source.get("clut_y", 0)
        return canonical([(*t[f"v{i}"], *(() if is_flat else (*t[f"c{i}"][:3], *scene.color8(
            memory.texel(page, clut, *t[f"uv{i}"]) or 0)))) for i in range(3)])

    def is_flat(t):
        return t.get("tpage") == files.UNTEXTURED
    for i, (a, b) in enumerate(zip(first["objects"], second["objects"])):
        if max(abs(x - y) for x, y in zip(a["position"], b["position"])) > 0:
            texts.append(f"objects[{i}]: at {b['position']}, expected {a['position']}")
        if scene.is_rotation(a["rotation"]) and max(abs(x - y) for x, y in zip(a["rotation"], b["rotation"])) > 4:
            texts.append(f"objects[{i}]: turned {b['rotation']}, expected {a['rotation']}")
        # Their order stays.
        flat = [is_flat(t) for t in a["triangles"]]
        if len(a["triangles"]) != len(b["triangles"]) or not any(flat):
            flat = [False] * max(len(a["triangles"]), len(b["triangles"]))
        keys = [collections.Counter(key(t, one, memory, f) for t, f in zip(one["triangles"], flat))
                for one, memory in zip((a, b), memories)]
        lost, new = list((keys[0] - keys[1]).elements()), list((keys[1] - keys[0]).elements())
        if lost or new:
            texts.append(f"objects[{i}]: {len(lost)} triangles lost, {len(new)} new; {lost[:1]}, {new[:1]}")
        if "flags" in a and "flags" in b and a["flags"] & 1 != b["flags"] & 1:
            texts.append(f"objects[{i}]: flags {b['flags']}, expected {a['flags']}")
        if "script" in a and "script" in b and a["script"] != b["script"]:
            texts.append(f"objects[{i}]: script {b['script']}, expected {a['script']}")
    if all("scripts" in pack["header"] for pack in (first, second)):
        told = [[one["text"] for one in pack["scripts"]] for pack in (first, second)]
        texts += [f"scripts {str(told[1])[:80]}, expected {str(told[0])[:80]}"] * (told[0] != told[1])
    for name in ("start", "height"):
        told = [pack["header"].get(name) for pack in (first, second)]
        if None not in told and told[0] != told[1]:
            texts.append(f"{name} {told[1]}, expected {told[0]}")
    if has_floor:
        floors = [collections.Counter(canonical([tuple(t[f"v{i}"]) for i in range(3)]) for n in pack["navmeshes"]
                                      for t in n["triangles"]) for pack in (first, second)]
        texts += [f"the floor: {sum((floors[0] - floors[1]).values())} lost"] * (floors[0] != floors[1])
    return texts


def judge_back(judge, name, path, form, layout):
    """A pack as a scene as a pack."""
    data, vram = read_beside(path)
    first = files.read_pack(data, form)
    with tempfile.TemporaryDirectory() as work:
        glb, out = pathlib.Path(work, "one.glb"), pathlib.Path(work, "one.splashpack")
        for words in (("convert", "--quiet", path, "-o", glb),
                      ("convert", "--quiet", glb, "-o", out, "--target-layout", layout, "--subdivide", "none")):
            status, _, said = judge.run(*words)
            if status:
                judge.count(f"{name}, round trip", [f"dio {' '.join(map(str, words))} (exit {status}): {said}"])
                return
        again, beside = read_beside(out)
        second = files.read_pack(again, files.detect(again)[0])
    memories = files.memory_of(first, vram), files.memory_of(second, beside)
    judge.values += sum(30 * len(one["triangles"]) for one in first["objects"])
    judge.count(f"{name}, round trip", same_texts(first, second, memories))


def judge_other(judge, name, path, form, layout):
    """A pack as one of another version: what both can say is the same."""
    data, vram = read_beside(path)
    first = files.read_pack(data, form)
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work, "one.splashpack")
        status, _, said = judge.run("convert", "--quiet", path, "-o", out, "--target-layout", layout)
        if status or not out.exists():
            judge.count(f"{name} as {layout}", [f"dio convert (exit {status}): {said}"])
            return
        again, beside = read_beside(out)
        found = files.detect(again)
        if found != [int(layout[1:]) if layout.startswith("v") else layout]:
            judge.count(f"{name} as {layout}", [f"a pack of {found}"])
            return
        second = files.read_pack(again, found[0])
    memories = files.memory_of(first, vram), files.memory_of(second, beside)
    judge.values += sum(30 * len(one["triangles"]) for one in first["objects"])
    # Today's engine keeps more of video memory to itself.
    wrong = [rule for rule, is_wrong in facts.of_memory(second, beside) if is_wrong and rule != "atlas-font" and
             not dict(facts.of_memory(first, vram)).get(rule)]
    judge.count(f"{name} as {layout}", same_texts(first, second, memories) + [f"now has {rule}" for rule in wrong])


def judge_round(judge, many):
    random_ = random.Random(62)
    with tempfile.TemporaryDirectory() as work:
        for i in range(many):
            form = random_.choice(("d", "e"))
            parts = make.scene(random_, form, random_.choice(((1,), (0, 1))))
            parts["navmeshes"] = parts["navmeshes"][:1] or [{"triangles": []}]
            for one in parts["objects"]:  # what a pack cannot say twice, a scene does not keep
                one["script"] = min(one["script"], 0)
            path = pathlib.Path(work, f"{form}_{i}.splashpack")
            path.write_bytes(make.early(form, parts))
            judge_back(judge, f"{form}: made {i}", path, form, form)


def judge_versions(judge, many):
    """Packs as those of other versions, up and down."""
    random_ = random.Random(63)
    with tempfile.TemporaryDirectory() as work:
        for i in range(many):
            form = random_.choice(("b", "b2", "c", "d", "e"))
            parts = make.scene(random_, form, random_.choice(((1,), (0, 1))))
            parts["navmeshes"] = parts["navmeshes"][:1] or [{"triangles": []}]
            path = pathlib.Path(work, f"{form}_{i}.splashpack")
            path.write_bytes(make.early(form, parts))
            for layout in ("v21", "e" if form == "d" else "d") if files.detect(path.read_bytes()) == [form] else ():
                judge_other(judge, f"{form}: made {i}", path, form, layout)
        parts = make.full(random_, 21)
        path = pathlib.Path(work, "full.splashpack")
        for suffix, data in ((".splashpack", make.late(21, parts)), (".vram", make.vram(parts)),
                             (".spu", make.spu(parts))):
            path.with_suffix(suffix).write_bytes(data)
        for layout in ("v20", "v24"):
            judge_other(judge, "v21: all there is", path, 21, layout)


def judge_worlds(judge, many):
    random_ = random.Random(61)
    plain = ("--subdivide", "none")
    for i in range(many):
        for version in (1, 21):
            judge_in(judge, f"world {i}", worlds.World(random_, random_.choice((6, 12))), version, plain)
    for layout in ("e", 20):
        judge_in(judge, "another layout", worlds.World(random_, 10), layout, plain)
    for version in (1, 21):
        judge_in(judge, "200 colours", worlds.World(random_, 200, 128), version, plain)
        judge_in(judge, "too many colours", worlds.World(random_, 400, 256), version, plain, exact=False)
        judge_in(judge, "16 colours of 4 bits", worlds.World(random_, 15), version, (*plain, "--depth", 4))
        judge_in(judge, "colours of 16 bits", worlds.World(random_, 40), version, (*plain, "--depth", 16))
        judge_in(judge, "tiles", worlds.World(random_, 10, tiles=True), version, plain, cut=True)
        for wrap in (worlds.CLAMP, worlds.MIRROR):
            world = worlds.World(random_, 10, tiles=True, wrap=wrap)
            judge_in(judge, f"tiles, {wrap}", world, version, plain, cut=True)
        judge_in(judge, "holes", worlds.World(random_, 10, alpha=True), version, plain)
        judge_in(judge, "subdivided", worlds.World(random_, 10), version, cut=True)
        judge_in(judge, "by Unity, 50", worlds.World(random_, 10), version,
                 (*plain, "--axes", "unity", "--scaling", 50), axes="unity", scaling=50.0)
        judge_in(judge, "without textures", worlds.World(random_, 10, flat=True), version, plain)


def main(arguments):
    many = 8
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (2, 3):
        sys.exit("usage: splashpack_scenes_oracle.py [--many N] DIO SAMPLES [FOLDER]")
    judge = Judge(arguments[0])
    judge_folder(judge, pathlib.Path(arguments[1], "splashpack"))
    judge_packs(judge, many)
    judge_worlds(judge, many)
    judge_round(judge, many)
    judge_versions(judge, many)
    if len(arguments) == 3:
        judge_folder(judge, os.path.expanduser(arguments[2]))
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
