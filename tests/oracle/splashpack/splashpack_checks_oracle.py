#!/usr/bin/env python3
"""Judges `dio check` of SPLASHPACKs by the second reader: which rules speak, and of which place, and which are silent.

    splashpack_checks_oracle.py [--many N] DIO [FOLDER]

Rules whose words leave no choice; on packs with one fault each, on N of any content, and on those of FOLDER. `N passed,
N failed` last.
"""
import copy
import json
import os
import pathlib
import random
import sys
import tempfile

import splashpack_facts as facts
import splashpack_files as files
import splashpack_make as make
from judging import Judge

SQUARE = 300  # half of a side of the floor, raw


def clean(form):
    """Parts of a pack with nothing wrong (but its age)."""
    random_ = random.Random(7)
    atlas = {"x": 640, "y": 0, "width": 128, "height": 256,
             "words": [random_.randint(0, 0xFFFF) for _ in range(128 * 256)]}
    clut = {"x": 0, "y": 240, "colors": [random_.randint(1, 0x7FFF) for _ in range(256)]}
    page = make.tpage(640, 0, 1)

    def triangle(at):
        # Seen from above, where y is smaller: the cross of its edges points against the normal.
        made = {"v0": (at, 0, 0), "v1": (at + 200, 0, 0), "v2": (at, 0, -200), "normal": (0, -4096, 0), "tpage": page,
                "clut_x": 0, "clut_y": 240, "uv0": (10, 10), "uv1": (60, 10), "uv2": (10, 60)}
        turn = facts.cross(made["v0"], made["v1"], made["v2"])
        if turn[1] * made["normal"][1] > 0:
            made["v1"], made["v2"] = made["v2"], made["v1"]
        return {**made, **{f"c{i}": [128, 128, 128, 0] for i in range(3)}}

    low, high = -SQUARE, SQUARE
    parts = {
        "header": {"start": (0, -100, 0), "rotation": (0, 0, 0), "height": 200, "scene_script": 0},
        "scripts": [{"text": b"x = 1\n"}], "atlases": [atlas], "cluts": [clut],
        "objects": [{"position": (100 * i, 0, 0), "rotation": make.OUTSIDE, "script": 0, "flags": 1,
                     "interactable": 0xFFFF, "triangles": [triangle(0), triangle(300)]} for i in range(2)],
        "navmeshes": [{"triangles": [
            {"v0": (low, 0, low), "v1": (high, 0, low), "v2": (high, 0, high)},
            {"v0": (low, 0, low), "v1": (high, 0, high), "v2": (low, 0, high)}]}]}
    if not files.is_late(form):
        return parts
    del parts["navmeshes"]
    refs = [{"object": i, "triangle": j} for i in range(2) for j in range(2)]
    for i, one in enumerate(parts["objects"]):
        one.update(min=(100 * i, 0, -200), max=(100 * i + 500, 0, 0))
    everything = {"min": (0, 0, -200), "max": (600, 0, 0)}
    parts.update(names=[b"floor", b"wall"], bvh_refs=refs, bvh_nodes=[
        {**everything, "left": 1, "right": 2},
        {**everything, "left": 0xFFFF, "right": 0xFFFF, "first": 0, "count": 2},
        {**everything, "left": 0xFFFF, "right": 0xFFFF, "first": 2, "count": 2}],
        nav={"region_list": [{"x": (low, high, high, low, 0, 0, 0, 0), "z": (low, low, high, high, 0, 0, 0, 0),
                              "plane": (0, 0, 0), "corners": 4, "room": 255}], "portal_list": []},
        audio=[{"name": b"beep", "rate": 22050, "adpcm": bytes(16)}],
        triggers=[{"min": (0, 0, 0), "max": (9, 9, 9), "script": 0}],
        cutscenes=[{"name": b"intro", "frames": 100, "audio_events": [], "tracks": [
            {"type": 2, "name": b"wall", "keys": [{"frame": 0, "values": (0, 0, 0)},
                                                  {"frame": 90, "values": (1, 1, 1)}]}]}])
    return parts


def put(*path, to):
    """A change: the value at a path of the parts."""
    def change(parts):
        place = parts
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
    return change


def add(kind, **record):
    return lambda parts: parts.setdefault(kind, []).append(record)


def of_triangle(**record):
    return lambda parts: parts["objects"][1]["triangles"][1].update(record)


def another_atlas(x, y, width=64, height=256):
    return add("atlases", x=x, y=y, width=width, height=height, words=[1] * (width * height))


def another_clut(x, y, count=256, first=3):
    return add("cluts", x=x, y=y, colors=[first + i for i in range(count)])


TRIANGLE = "objects[1].triangles[1]"
TURN = (0, 0, 4096, 0, 4096, 0, -4096, 0, 0)
# (rule, words of the path, change). What other rules say besides is judged, too.
EVERYWHERE = (
    ("lua-index", "objects[1]", put("objects", 1, "script", to=1)),
    ("lua-index", "objects[1]", put("objects", 1, "script", to=-2)),
    ("lua-unused", "[1]", add("scripts", text=b"y = 2\n")),
    ("lua-length", "[0]", put("scripts", 0, "text", to=b"x = '\0'\n")),
    ("lua-length", "[0]", put("scripts", 0, "text", to="-- ä".encode()[:-1])),
    (None, "", put("objects", 1, "rotation", to=TURN)),
    ("rot-matrix", "objects[1]", put("objects", 1, "rotation", to=(4110, 0, 0, 0, 4096, 0, 0, 0, 4096))),
    ("rot-matrix", "objects[1]", put("objects", 1, "rotation", to=(4096, 0, 0, 0, 4096, 0, 0, 0, -4096))),
    ("tri-degenerate", TRIANGLE, of_triangle(v0=(300, 0, 0), v1=(400, 0, 0), v2=(500, 0, 0))),
    ("tri-winding", TRIANGLE, of_triangle(normal=(0, 4096, 0))),
    ("tri-pad", TRIANGLE, of_triangle(c2=(1, 1, 1, 1))),
    ("tri-pad", TRIANGLE, of_triangle(uv_pad=256)),
    ("tri-pad", TRIANGLE, of_triangle(flags=2)),
    ("color-bright", TRIANGLE, of_triangle(c1=(1, 205, 1, 0))),
    (None, "", of_triangle(c1=(204, 204, 204, 0))),
    ("tpage-depth", TRIANGLE, of_triangle(tpage=make.tpage(640, 0, 3))),
    ("tpage-depth", TRIANGLE, of_triangle(tpage=make.tpage(640, 0, 0))),
    ("tpage-missing", TRIANGLE, of_triangle(tpage=make.tpage(384, 256, 1))),
    ("tpage-fb", TRIANGLE, of_triangle(tpage=make.tpage(256, 256, 1))),
    ("atlas-fb", "atlases[1]", another_atlas(256, 0)),
    (None, "", another_atlas(320, 0)),
    ("atlas-font", "atlases[1]", another_atlas(960, 256)),
    ("atlas-bounds", "atlases[1]", another_atlas(896, 256, 256)),
    ("atlas-bounds", "atlases[1]", another_atlas(384, 257)),
    ("atlas-overlap", "atlases[", another_atlas(704, 0)),
    ("atlas-size", "atlases[1]", another_atlas(384, 0, 64, 128)),
    ("atlas-size", "atlases[1]", another_atlas(384, 0, 32)),
    ("atlas-dma", "atlases[1]", another_atlas(321, 0, 513, 510)),
    ("clut-fb", "cluts[1]", another_clut(0, 239)),
    ("clut-fb", "cluts[1]", another_clut(4, 300)),
    (None, "", another_clut(0, 511)),
    ("clut-bounds", "cluts[1]", another_clut(49, 250)),
    ("clut-bounds", "cluts[1]", another_clut(20, 512)),
    ("clut-overlap", "cluts[", another_clut(15, 240)),
    ("clut-overlap", "cluts[1]", another_clut(40, 10)),
    ("clut-odd", "cluts[1]", another_clut(0, 241, 15)),
    ("clut-count", "cluts[1]", another_clut(0, 241, 18)),
    ("clut-missing", TRIANGLE, of_triangle(clut_y=241)),
    ("uv-out", TRIANGLE, lambda parts: (another_atlas(320, 0, 64)(parts), parts["objects"][1]["triangles"][1].update(
        tpage=make.tpage(320, 0, 1), uv1=(128, 10)))),
    ("black-hole", "", lambda parts: parts["cluts"][0].update(colors=[0] * 256)),
    ("stp", "", lambda parts: parts["cluts"][0].update(colors=[0x8001] * 256)),
    ("clut-short", "", lambda parts: (parts["cluts"][0].update(colors=[5] * 16),
                                      parts["atlases"][0].update(words=[0x1010] * (128 * 256)))),
    ("duplicate-texture", "cluts[", lambda parts: parts["cluts"].append({**parts["cluts"][0], "y": 241})),
    ("tri-budget", "", lambda parts: parts["objects"][1]["triangles"].extend(
        parts["objects"][1]["triangles"][:1] * 1997)),
    ("tri-budget", "", lambda parts: parts["objects"][1]["triangles"].extend(
        parts["objects"][1]["triangles"][:1] * 6000)),
)
EARLY = (
    ("nav-none", "", put("navmeshes", to=[])),
    ("nav-many", "navmeshes[1]", lambda parts: parts["navmeshes"].append(parts["navmeshes"][0])),
    ("nav-overflow", "navmeshes[0].triangles[0]", put("navmeshes", 0, "triangles", 0, "v1", to=(3000, 0, -SQUARE))),
    ("nav-degenerate", "navmeshes[0].triangles[0]", put("navmeshes", 0, "triangles", 0, "v1", to=(0, 90, 0))),
    ("nav-cover", "", put("header", "start", to=(SQUARE + 1, -100, 0))),
    ("pos-range", "objects[1]", put("objects", 1, "position", to=(0, 32768, 0))),
    ("pos-range", "objects[1]", put("objects", 1, "position", to=(0, 0, -32769))),
    (None, "", put("objects", 1, "position", to=(0, 0, -32768))),
    ("trailing", "", put("trailing", to=b"left")),
    ("ram-budget", "", put("scripts", 0, "text", to=b"-" * 1_500_000)),
)
# (rule, words of the path, what becomes of a clean pack's bytes): where the blocks lie.
BYTES = (
    ("gap", "", lambda form: make.early(form, clean(form), lambda writer: writer.add(b"more" * 5))),
    ("pad-nonzero", "", lambda form: changed(form, lambda pack: pack["scripts"][0]["offset"] + 7, b"\1")),
    ("align4", "atlases[0]", lambda form: moved(form, "atlases", 2)),
    ("align4", "cluts[0]", lambda form: moved(form, "cluts", 2)),
    ("overlap", "", lambda form: moved(form, "objects", -52)),
)
# Packs that cannot be read whole: (a rule that has to speak, bytes).
BROKEN = (
    (("truncated", "offset-range", "offset"), lambda form: make.early(form, clean(form))[:-200]),
    (("truncated", "offset-range", "offset"), lambda form: moved(form, "atlases", 1 << 24)),
    (("truncated", "offset-range", "offset"), lambda form: moved(form, "objects", 0x7FFFFFF0)),
)


def changed(form, place, data):
    """A clean pack with other bytes at a place of it."""
    made = bytearray(make.early(form, clean(form)))
    at = place(files.read_pack(bytes(made), form))
    made[at:at + len(data)] = data
    return bytes(made)


def moved(form, kind, by):
    """A clean pack in which the last block of a kind begins elsewhere; what lies there is what there is."""
    data = make.early(form, clean(form)) + bytes(8)
    pack = files.read_pack(data, form)
    at = pack["descriptors_end"]
    if kind == "objects":
        at = files.header_size(form) + files.size_of(files.SCRIPT) + files.size_of(files.OBJECTS[form])
    else:
        at -= {"atlases": 24, "cluts": 12}[kind]
    offset = int.from_bytes(data[at:at + 4], "little") + by
    return data[:at] + offset.to_bytes(4, "little") + data[at + 4:]


OF_D = (
    ("objects-few", "objects", lambda parts: parts["objects"].pop()),
)
LATE = (
    ("lua-index", "triggers[0]", put("triggers", 0, "script", to=9)),
    ("name-dup", "", put("names", to=[b"wall", b"wall"])),
    ("name-ascii", "", put("names", 0, to=b"w\xc3\xa4nd")),
    ("name-long", "", put("names", 0, to=b"n" * 25)),
    (None, "", put("names", 0, to=b"n" * 24)),
    ("interior-rooms", "", put("header", "scene_type", to=1)),
    ("counts-limit", "", put("triggers", to=[{"min": (0, 0, 0), "max": (9, 9, 9), "script": 0}] * 33)),
    ("counts-limit", "", put("colliders", to=[{"min": (0, 0, 0), "max": (9, 9, 9), "type": 1, "mask": 255}] * 65)),
    ("counts-limit", "cutscenes[0].skin_events[16]",
     put("cutscenes", 0, "skin_events", to=[{"frame": 0, "skin": 0, "clip": 0, "loop": 1}] * 17)),
    ("counts-limit", "cutscenes[0].audio_events[64]",
     put("cutscenes", 0, "audio_events", to=[{"frame": 0, "clip": 0, "volume": 100, "pan": 64}] * 65)),
    (None, "", put("cutscenes", 0, "skin_events", to=[{"frame": 0, "skin": 0, "clip": 0, "loop": 1}] * 16)),
    (None, "", put("cutscenes", 0, "audio_events", to=[{"frame": 0, "clip": 0, "volume": 100, "pan": 64}] * 64)),
    ("key-order", "", put("cutscenes", 0, "tracks", 0, "keys", 0, "frame", to=91)),
    ("key-order", "", put("cutscenes", 0, "frames", to=89)),
    ("key-order", "", put("cutscenes", 0, "tracks", 0, "name", to=b"nobody")),
    ("bvh-tree", "", put("bvh_nodes", 0, "left", to=3)),
    ("bvh-tree", "", put("bvh_nodes", 0, "right", to=0)),
    ("bvh-tree", "", put("bvh_nodes", 1, "count", to=4000)),
    ("bvh-tree", "", put("bvh_nodes", 1, "count", to=1)),
    ("bvh-tree", "", put("bvh_refs", 3, "triangle", to=2)),
    ("bvh-tree", "", put("bvh_refs", 3, "object", to=2)),
    ("bvh-tree", "", put("bvh_nodes", 2, "max", to=(100, 0, 0))),
    ("files-missing", "", put("without", to=".vram")),
    ("files-missing", "", put("without", to=".spu")),
    ("spu-budget", "", put("audio", 0, "adpcm", to=bytes(509 * 1024))),
)


class Case:
    """A pack to be checked. rule: the one that is wrong (or None), place: words of its path."""

    def __init__(self, name, form, data, parts=None, rule=None, place="", vram=None, spu=None):
        self.name, self.form, self.data, self.rule, self.place = name, form, data, rule, place
        self.vram, self.spu, self.parts = vram, spu, parts

    def write(self, path):
        path.write_bytes(self.data)
        for suffix, data in ((".vram", self.vram), (".spu", self.spu)):
            if data is not None:
                path.with_suffix(suffix).write_bytes(data)


def case_of(form, parts, name, rule=None, place=""):
    without = parts.get("without")
    if files.is_late(form):
        return Case(name, form, make.late(form, parts), parts, rule, place,
                    None if without == ".vram" else make.vram(parts), None if without == ".spu" else make.spu(parts))
    return Case(name, form, make.early(form, parts), parts, rule, place)


def faults(form):
    yield case_of(form, clean(form), f"{form}: nothing wrong")
    rows = (*EVERYWHERE, *(LATE if files.is_late(form) else EARLY), *(OF_D if form == "d" else ()))
    for i, (rule, place, change) in enumerate(rows):
        parts = copy.deepcopy(clean(form))
        change(parts)
        yield case_of(form, parts, f"{form}: fault {i}, {rule or 'none'}", rule, place)
    for i, (rule, place, make_bytes) in enumerate(BYTES if not files.is_late(form) else ()):
        yield Case(f"{form}: bytes {i}, {rule}", form, make_bytes(form), None, rule, place)


def made(random_, many):
    for i in range(many):
        if i % 2:
            form = random_.choice(("d", "e", "c", "b2"))
            parts = make.scene(random_, form, random_.choice(((1,), (0, 1, 2), (2,))), wild=i % 8 == 1)
            yield Case(f"{form}: made {i}", form, make.early(form, parts))
        else:
            form = random_.choice((20, 21))
            yield case_of(form, make.full(random_, form), f"v{form}: made {i}")


def real(folder):
    for path in sorted(pathlib.Path(folder).rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        found = files.detect(data)
        if len(found) == 1:
            beside = [path.with_suffix(s) for s in (".vram", ".spu")]
            yield Case(path.name, found[0], data, vram=beside[0].read_bytes() if beside[0].exists() else None,
                       spu=beside[1].read_bytes() if beside[1].exists() else None)


def judge_cases(judge, cases):
    spoken = {}
    with tempfile.TemporaryDirectory() as work:
        for i, case in enumerate(cases):
            folder = pathlib.Path(work, f"{i:04}")
            folder.mkdir()
            case.path = folder / "scene.splashpack"
            case.write(case.path)
        by_form = {}
        for case in cases:
            by_form.setdefault(case.form, []).append(case)
        for form, some in by_form.items():
            _, output, said = judge.run("check", "--json", "--all", *(case.path for case in some))
            if not output:
                judge.count(f"dio check of {form}", [said or "says nothing"])
            for finding in json.loads(output)["findings"] if output else ():
                spoken.setdefault(finding["file"], []).append(finding)
    for case in cases:
        findings = spoken.get(str(case.path), [])
        ids = {finding["id"].removeprefix("splashpack.") for finding in findings}
        pack = files.read_pack(case.data, case.form)
        vram = files.read_vram(case.vram) if case.vram is not None else None
        spu = files.read_spu(case.spu) if case.spu is not None else None
        beside = (vram, spu) if files.is_late(case.form) else None
        texts, judged = [], dict(facts.judged(pack, case.data, vram, beside))
        for rule, is_wrong in judged.items():
            if is_wrong is not None:
                judge.values += 1
                if (rule in ids) != is_wrong:
                    texts.append(f"{rule} is {'silent' if is_wrong else 'not silent'}")
        if case.rule:
            if not judged.get(case.rule):
                texts.append(f"the judge himself does not see {case.rule}")
            paths = [place.get("path", "") for f in findings if f["id"] == f"splashpack.{case.rule}"
                     for place in f.get("places", [f])]
            if paths and not any(case.place in path for path in paths):
                texts.append(f"{case.rule} is said of {paths[:3]}, expected {case.place}")
        judge.count(f"{case.name}, checked", texts)


def judge_broken(judge):
    for form in ("d", "e"):
        for i, (rules, make_bytes) in enumerate(BROKEN):
            with tempfile.TemporaryDirectory() as work:
                path = pathlib.Path(work, "scene.splashpack")
                path.write_bytes(make_bytes(form))
                status, output, said = judge.run("check", "--json", "--all", path)
                # What cannot be read at all is said in the words of every format: `layout.truncated`, `layout.offset`.
                ids = {f["id"].split(".", 1)[1] for f in json.loads(output)["findings"]} if output else set()
                judge.count(f"{form}: broken {i}", [] if ids & set(rules) and status in (1, 3) else [
                    f"none of {rules} (exit {status}): {sorted(ids)} {said}"])


def main(arguments):
    many = 30
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (1, 2):
        sys.exit("usage: splashpack_checks_oracle.py [--many N] DIO [FOLDER]")
    judge = Judge(arguments[0])
    judge_cases(judge, [case for form in ("d", "e", 21) for case in faults(form)])
    judge_broken(judge)
    judge_cases(judge, list(made(random.Random(66), many)))
    if len(arguments) == 2:
        judge_cases(judge, list(real(os.path.expanduser(arguments[1]))))
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
