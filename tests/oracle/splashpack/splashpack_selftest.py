#!/usr/bin/env python3
"""Tests the scene checks: a simple correct scene must pass, a damaged one must fail.

    splashpack_selftest.py      `N passed, N failed` last
"""
import copy
import math
import random
import sys

import splashpack_files as files
import splashpack_make as make
import splashpack_scene as scene
import splashpack_scenes_oracle as oracle
import splashpack_worlds as worlds

SIGNS = scene.AXES["default"]


# ---- packs as scenes, by hand ----------------------------------------------------------------------------------------

def whole_page(memory, page, clut):
    return [scene.color8(memory.texel(page, clut, i % 256, i // 256) or 0) for i in range(256 * 256)]


def scene_of(pack, memory):
    """The parts of a GLB in which every triangle shows a picture of its whole page."""
    return {"objects": [(one, scene.triangles_of(pack, one, memory)) for one in pack["objects"]], "pack": pack,
            "memory": memory}


def glb_of(parts, spoil=None):
    """spoil: changes the corners or extras of the first triangle and object."""
    maker, materials, pack = scene.Maker(), {}, parts["pack"]
    scripts = [{"name": f"s{i}", "text": s["text"].decode()} for i, s in enumerate(pack["scripts"])]
    maker.json["scenes"][0]["extras"] = {"diorama": {"scripts": scripts}}
    for index, (one, triangles) in enumerate(parts["objects"]):
        primitives = []
        for k, t in enumerate(triangles):
            corners = [[scene.world(c.raw), [(v + 0.5) / 256 for v in c.uv],
                        tuple(scene.linear(min(v / 128, 1)) for v in c.color)] for c in t.corners]
            if spoil and not index and not k:
                spoil(corners, None)
            key = t.page, t.clut
            if key not in materials:
                materials[key] = maker.material(maker.texture(256, 256, whole_page(parts["memory"], *key)))
            primitives.append((materials[key], [corners]))
        m = [one["rotation"][3 * r + c] * SIGNS[r] * SIGNS[c] / scene.ONE for c in range(3) for r in range(3)]
        extras = {"kind": "object", "active": bool(one.get("flags", 1) & 1)}
        if one["script"] >= 0:
            extras["lua_file"] = f"s{one['script']}"
        matrix = [*m[0:3], 0, *m[3:6], 0, *m[6:9], 0, *scene.world(one["position"]), 1]
        record = {"mesh": maker.mesh(primitives)} if primitives else {}
        if spoil and not index:
            spoil(None, (extras, matrix))
        maker.node(f"o{index}", None, {"diorama": extras}, matrix=matrix, **record)
    for n in pack["navmeshes"]:
        rows = [[(scene.world(t[f"v{i}"]), None, None) for i in (0, 2, 1)] for t in n["triangles"]]
        record = {"mesh": maker.mesh([(None, rows)])} if rows else {}
        maker.node("floor", None, {"diorama": {"kind": "navmesh"}}, **record)
    header = pack["header"]
    maker.node("start", None, {"diorama": {"kind": "player_start", "height": header["height"] * 100 / 4096}},
               translation=scene.world((header["start"][0], header["start"][1] + header["height"], header["start"][2])))
    return scene.Scene(maker.bytes())


def moved(corners, at, by):
    corners[0][at] = tuple(v + d for v, d in zip(corners[0][at], by))


def swapped(corners):
    corners[1], corners[2] = corners[2], corners[1]


OUT_FAULTS = {
    "scene: vertex off by one raw unit": lambda c, _: c and moved(c, 0, (0, 100 / 4096, 0)),
    "scene: reversed winding": lambda c, _: c and swapped(c),
    "scene: texel shifted sideways": lambda c, _: c and moved(c, 1, (1 / 256, 0)),
    "scene: texel shifted down": lambda c, _: c and moved(c, 1, (0, 1 / 256)),
    "scene: wrong colour": lambda c, _: c and moved(c, 2, (0.05, 0, 0)),
    "scene: wrong active state": lambda _, o: o and o[0].update(active=not o[0]["active"]),
    "scene: wrong script": lambda _, o: o and o[0].update(lua_file="s9"),
    "scene: wrong position": lambda _, o: o and o[1].__setitem__(12, o[1][12] + 0.1),
    "scene: rotated object": lambda _, o: o and o[1].__setitem__(slice(0, 3), [-v for v in o[1][0:3]]),
}


def scene_tests():
    random_ = random.Random(9)
    parts = make.scene(random_, "e", (1, 0), 2, 4)
    parts["scripts"] = [{"text": b"-- one"}, {"text": b"-- two"}]
    for one in parts["objects"]:
        one["script"], one["rotation"] = 0, make.OUTSIDE
        one["triangles"] = [make.triangle(random_, parts["atlases"][0], parts["cluts"][0]) for _ in range(2)]
        for t in one["triangles"]:
            t.update({f"c{i}": [100, 90, 80, 0] for i in range(3)}, tpage=make.tpage(320, 0, 1))
    pack = files.read_pack(make.early("e", parts), "e")
    memory = files.memory_of(pack)
    whole = scene_of(pack, memory)
    yield "correct scene", oracle.scene_texts(glb_of(whole), pack, memory)[0], True
    for name, spoil in OUT_FAULTS.items():
        yield name, oracle.scene_texts(glb_of(whole, spoil), pack, memory)[0], False
    for name, change in (("scene: missing floor", lambda p: p["navmeshes"].append({"triangles": [
            {f"v{i}": (i, i * i, 5) for i in range(3)}]})),
            ("scene: missing script", lambda p: p["scripts"].append({"text": b"-- three"})),
            ("scene: missing object", lambda p: p["objects"].append(p["objects"][0])),
            ("scene: missing triangle", lambda p: p["objects"][1]["triangles"].append(p["objects"][0]["triangles"][0])),
            ("scene: extra triangle", lambda p: p["objects"][1]["triangles"].pop()),
            ("scene: wrong player height", lambda p: p["header"].update(height=p["header"]["height"] + 1)),
            ("scene: wrong player position", lambda p: p["header"].update(start=[v // 2 + 9 for v in p["header"]["start"]]))):
        other = copy.deepcopy(pack)
        change(other)
        yield name, oracle.scene_texts(glb_of(whole), other, memory)[0], False


# ---- worlds as packs, by hand ----------------------------------------------------------------------------------------

def five(color):
    return sum(v >> 3 << 5 * i for i, v in enumerate(color[:3])) or 0x8000


def raw(point, scaling=scene.SCALING):
    return [round(v * s * scene.ONE / scaling) for v, s in zip(point, SIGNS)]


def parts_of(world, random_):
    """A pack made from a world; every object has its own rotation."""
    atlases, cluts, places = [], [], {}
    for k, (picture, _) in enumerate(world.pictures):
        palette = sorted({p for p in picture.pixels})
        places[picture] = (640 + 128 * k, 240 + k)
        words = [0] * (128 * 256)
        for y in range(picture.height):
            for x in range(0, picture.width, 2):
                low, high = (palette.index(picture.pixel(x + i, y)) for i in range(2))
                words[y * 128 + x // 2] = low | high << 8
        atlases.append({"x": 640 + 128 * k, "y": 0, "width": 128, "height": 256, "words": words})
        colors = [five(p) for p in palette]
        cluts.append({"x": 0, "y": 240 + k, "colors": colors + [1] * (256 - len(colors))})
    objects = []
    for i, (_, faces) in enumerate(world.objects):
        rotation, position = random_.choice(make.TURNS), [random_.randint(-999, 999) for _ in range(3)]
        rows = []
        for face in faces:
            t = {}
            for at, corner in zip((0, 2, 1), range(3)):
                there = [a - b for a, b in zip(raw(face.points[corner]), position)]
                t[f"v{at}"] = [round(sum(rotation[3 * r + c] * there[r] for r in range(3)) / scene.ONE)
                               for c in range(3)]
                t[f"uv{at}"] = [min(int(v * n), n - 1) for v, n in zip(face.uvs[corner],
                                                                       (face.picture.width, face.picture.height))]
                color = face.colors[corner] if face.colors else (1, 1, 1)
                t[f"c{at}"] = [round(scene.srgb(v) * 128) for v in color] + [0]
            turn = worlds.facts.cross(t["v0"], t["v1"], t["v2"])
            t["normal"] = [-round(v * 4096 / math.dist(turn, (0, 0, 0))) for v in turn]
            x, y = places[face.picture]
            rows.append({**t, "tpage": make.tpage(x, 0, 1), "clut_x": 0, "clut_y": y})
        objects.append({"position": position, "rotation": rotation, "script": 0 if i == 0 else -1, "flags": 1,
                        "triangles": rows})
    floor = [{f"v{at}": raw(t[i]) for at, i in zip((0, 2, 1), range(3))} for t in world.floor]
    return {"atlases": atlases, "cluts": cluts, "objects": objects, "navmeshes": [{"triangles": floor}],
            "scripts": [{"text": s.encode()} for s in world.scripts],
            "header": {"start": raw([a + b for a, b in zip(world.player[0], (0, world.player[1], 0))]),
                       "height": round(world.player[1] * 40.96)}}


def of_first(**record):
    return lambda p: p["objects"][0]["triangles"][0].update(
        {k: v(p["objects"][0]["triangles"][0][k]) for k, v in record.items()})


def turn_round(p):
    t = p["objects"][0]["triangles"][0]
    t["v1"], t["v2"], t["uv1"], t["uv2"] = t["v2"], t["v1"], t["uv2"], t["uv1"]


IN_FAULTS = {
    "pack: moved vertex": of_first(v0=lambda v: [v[0] + 20, *v[1:]]),
    "pack: reversed winding": turn_round,
    "pack: reversed normal": of_first(normal=lambda v: [-k for k in v]),
    "pack: shifted texels": of_first(uv0=lambda v: [(v[0] + 16) % 64, v[1]]),
    "pack: wrong colour": of_first(c0=lambda v: [v[0] ^ 4, *v[1:]]),
    "pack: missing triangle": lambda p: p["objects"][0]["triangles"].pop(),
    "pack: missing object": lambda p: p["objects"].pop(),
    "pack: wrong script": lambda p: p["objects"][0].update(script=-1),
    "pack: wrong start position": lambda p: p["header"]["start"].__setitem__(0, p["header"]["start"][0] + 3),
    "pack: wrong floor": lambda p: p["navmeshes"][0]["triangles"][0].update(v0=[0, 0, 0]),
    "pack: palette in the frame buffer": lambda p: p["cluts"][0].update(y=100),
    "pack: page in the frame buffer": of_first(tpage=lambda _: make.tpage(64, 0, 1)),
    "pack: missing palette": of_first(clut_y=lambda _: 250),
}


def pack_tests():
    for seed in range(3):
        random_ = random.Random(seed)
        world = worlds.World(random_, 12)
        parts = parts_of(world, random_)

        def told(parts, cut):
            pack = files.read_pack(make.early("d", parts), "d")
            return worlds.pack_texts(world, pack, files.memory_of(pack), None, cut=cut)[0]
        yield f"correct world {seed}", told(parts, False), True
        yield f"correct world {seed}, compared by position", told(parts, True), True
        for name, spoil in IN_FAULTS.items():
            other = copy.deepcopy(parts)
            spoil(other)
            yield name, told(other, False), False
            if name not in ("pack: moved vertex", "pack: shifted texels", "pack: wrong colour"):
                yield f"{name}, compared by position", told(other, True), False


def main():
    passed = failed = 0
    for tests in (scene_tests, pack_tests):
        for name, texts, is_right in tests():
            is_good = bool(texts) != is_right
            passed, failed = passed + is_good, failed + (not is_good)
            if not is_good:
                print(f"{name}: {texts[:3] if texts else 'not detected'}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
