#!/usr/bin/env python3
"""Tests the second reader of SPLASHPACK files against values computed by hand from the documents.

    splashpack_test.py      `N passed, N failed` last
"""
import random
import struct
import sys

import splashpack_engine as engine
import splashpack_facts as facts
import splashpack_files as files
import splashpack_make as make
import splashpack_scene as scene
import splashpack_worlds as worlds


def file_tests():
    yield "header sizes", [files.header_size(form) for form in files.HEADERS], \
        [8, 8, 12, 16, 16, 28, 32, 32, 120, 128, 144, 144, 148, 156]
    yield "object sizes", [files.size_of(files.OBJECTS[form]) for form in files.FORMS], [56, 572, 56, 56, 56, 56, 56, 60]
    yield "triangle sizes", [files.size_of(f) for f in (files.OLD_TRIANGLE, files.TRIANGLE, files.NAV_TRIANGLE)], \
        [44, 52, 36]
    yield "record sizes of later versions", [files.size_of(f) for f in (
        files.LATE_OBJECT, files.COLLIDER, files.TRIGGER, files.BVH_NODE, files.INTERACTABLE, files.NAV_HEADER,
        files.NAV_REGION, files.NAV_PORTAL, files.ROOM, files.PORTAL, files.ROOM_CELL, files.AUDIO, files.NAMED,
        files.CUTSCENE, files.ANIMATION, files.TRACK, files.KEY, files.FONT, files.CANVAS, files.ELEMENT, files.BONE,
        files.MEMORY_CARD)], [92, 32, 32, 32, 28, 8, 84, 20, 36, 40, 28, 16, 12, 20, 16, 12, 8, 112, 12, 48, 24, 464]
    # A hand-made pack in layout D: a script of 5 bytes, an object with a triangle, an atlas of one word.
    data = b"SP" + struct.pack("<6H", 1, 1, 1, 0, 1, 0) + struct.pack("<3h3hHI", 1, -2, 3, 0, 0, 0, 9, 0)
    data += struct.pack("<II", 108, 5) + struct.pack("<I3i9iHh", 116, 7, 8, 9, *make.OUTSIDE, 1, 0)
    data += struct.pack("<IHHHH", 168, 1, 1, 640, 0) + b"x = 1\0\0\0"
    data += struct.pack("<12h", *range(12)) + bytes((1, 2, 3, 0) * 3) + bytes((4, 5, 6, 7, 8, 9, 0, 0))
    data += struct.pack("<4H", 0x28A, 1, 240, 0) + b"\x34\x12"
    yield "detected layout", files.detect(data), ["d"]
    pack = files.read_pack(data)
    t = pack["objects"][0]["triangles"][0]
    yield "values of a hand-made pack", (pack["scripts"][0]["text"], t["v2"], t["uv2"], t["tpage"], t["clut_y"], pack["atlases"][0]["words"],
                   pack["header"]["start"], pack["header"]["height"]), \
        (b"x = 1", [6, 7, 8], [8, 9], 0x28A, 240, [0x1234], [1, -2, 3], 9)
    yield "no layout with an extra byte", files.detect(data + b"\0"), []
    yield "no layout with nonzero padding", files.detect(data[:113] + b"\1" + data[114:]), []
    yield "page word fields", files.tpage(0x285), (320, 0, 0, 1, 1, 0)
    yield "page word", make.tpage(320, 0, 1), 0x285
    memory = files.Memory()
    memory.put(320, 0, 2, [0x4321, 0x8765])
    memory.put(16, 240, 16, list(range(100, 116)))
    yield "4-bit texels", [memory.texel(make.tpage(320, 0, 0), (16, 240), u, 0) for u in (0, 3, 4, 7)], \
        [101, 104, 105, 108]
    yield "8-bit texel without a palette", memory.texel(make.tpage(320, 0, 1), (0, 240), 0, 0), None
    yield "16-bit texel", memory.texel(make.tpage(320, 0, 2), None, 1, 0), 0x8765
    random_ = random.Random(1)
    for form in files.FORMS:
        found = [files.detect(d) for _, d in make.odd_early(random_, form)]
        yield f"detected packs in layout {form}", all(form in f for f in found), True
    for version in (20, 21):
        parts = make.full(random_, version)
        pack = files.read_pack(make.late(version, parts))
        yield f"names and sections of version {version}", (pack["names"], [s["text"] for s in pack["scripts"]],
                                     [len(s["data"]["clip_list"]) for s in pack["skins"]],
                                     [c["name"] for c in pack["canvases"]]), \
            (parts["names"], [s["text"] for s in parts["scripts"]], [len(s["clips"]) for s in parts["skins"]],
             [c["name"] for c in parts["canvases"]])
        vram, left = files.unread(make.vram(parts), files.read_vram)
        yield "video memory file", ([len(vram[k]) for k in ("atlases", "cluts", "fonts")], [len(b) > 3 for _, b in left]), \
            ([len(parts.get(k, ())) for k in ("atlases", "cluts", "fonts")], [False] * len(left))
        yield "sound file", [c["adpcm"] for c in files.read_spu(make.spu(parts))["clips"]], \
            [c["adpcm"] for c in parts["audio"]]


def scene_tests():
    yield "world position", scene.world((4096, -2048, 0)), (100.0, 50.0, -0.0)
    yield "world position with Unity axes", scene.world((4096, -2048, 4096), 10, "unity"), (-10.0, 5.0, 10.0)
    yield "rotated vector", scene.turned((0, -4096, 0, 4096, 0, 0, 0, 0, 4096), (1, 2, 3)), (-2, 1, 3)
    yield "valid rotation matrices", [scene.is_rotation(r) for r in (*make.TURNS, (4096, 0, 0, 0, 4096, 0, 0, 0, -4096), (0,) * 9)], \
        [True, True, True, False, False]
    yield "15-bit colours", (scene.color8(0x001F), scene.color8(0), scene.color8(0x8000)), \
        ((255, 0, 0, 255), (0, 0, 0, 0), (0, 0, 0, 255))
    yield "sRGB round trip", round(scene.srgb(scene.linear(0.3)), 9), 0.3
    glb = scene.Scene(worlds.World(random.Random(3)).glb)
    yield "player start in a world", [glb.extras(i).get("kind") for i in glb.order if glb.extras(i).get("kind") == "player_start"], \
        ["player_start"]


def fact_tests():
    yield "overlapping rectangles", [facts.overlaps((0, 0, 2, 2), r) for r in ((2, 0, 1, 1), (1, 1, 1, 1), (0, 2, 1, 1))], \
        [False, True, False]
    yield "points above a triangle", [facts.inside(x, 1, ((0, 0, 0), (4, 9, 0), (0, 5, 4))) for x in (1, 0, 3, 4)], \
        [True, True, True, False]
    yield "point above a degenerate triangle", facts.inside(0, 0, ((0, 0, 0), (1, 0, 1), (2, 0, 2))), False


def engine_tests():
    """The engine check detects a wrong word."""
    parts = make.full(random.Random(4), 21)
    vram = files.read_vram(make.vram(parts))
    memory = [0] * (files.WIDTH * files.HEIGHT)
    for _, x, y, width, words in engine.rectangles(vram):
        for k, word in enumerate(words):
            memory[(y + k // width) * files.WIDTH + x + k % width] = word
    one = vram["atlases"][0]
    yield "video memory as loaded", engine.differing_words({**vram, "fonts": []}, memory)[0], []
    memory[(one["y"] + 3) * files.WIDTH + one["x"] + 2] ^= 1
    yield "one different word", engine.differing_words({**vram, "fonts": []}, memory)[0], [
        f"atlas 0: 1 of {len(one['words'])} words differ, the first at {3 * one['width'] + 2}"]
    yield "number of colours", engine.colors_of(b"P6\n# by hand\n2 1\n255\n" + bytes((1, 2, 3, 4, 5, 6))), 2


def main():
    passed = failed = 0
    for tests in (file_tests, scene_tests, fact_tests, engine_tests):
        for name, found, wanted in tests():
            passed, failed = passed + (found == wanted), failed + (found != wanted)
            if found != wanted:
                print(f"{name}: {found}, expected {wanted}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
