#!/usr/bin/env python3
"""Judges `dio check` of mesh files of Final Fantasy Tactics by the second reader: which rules speak, which are silent.

    fft_checks_oracle.py [--many N] DIO

Rules whose words leave no choice; on files of every oddity and N of any content. `N passed, N failed` last.
"""
import json
import pathlib
import random
import sys
import tempfile

import fft_facts as facts
import fft_files as files
import fft_make as make
from judging import Judge


def beyond(counts, limits):
    return any(count > limit for count, limit in zip(counts, limits))


def of_polygons(mesh):
    chunks = mesh["chunks"]
    geometries = [chunks[slot] for slot in files.GEOMETRIES if slot in chunks]
    textured = [p for g in geometries for of_kind in g["polygons"][:2] for p in of_kind]
    total, primary = files.counts_of(mesh), chunks.get(files.GEOMETRY)
    yield "poly-count", beyond(total, files.LIMITS)
    if not beyond(total, files.LIMITS):
        yield "poly-count-high", beyond(total, files.SEEN)
    yield "poly-count-slots", bool(primary) and beyond(primary["counts"], files.RENDER_SLOTS)
    yield "clut-row", any(p["clut"] & 63 > 15 or p["clut"] >> 8 != 0x78 for p in textured)
    yield "tpage", any(p["page"] >> 2 != 3 for p in textured)
    yield "untex-record", any(p["unread"] != b"\1\0\0\0" for g in geometries for of_kind in g["polygons"][2:]
                              for p in of_kind)
    if files.TERRAIN in chunks:
        x, z = chunks[files.TERRAIN]["x"], chunks[files.TERRAIN]["z"]
        # Of more than 256 tiles the last of level 1 do not exist: a binding to them is one to nothing.
        yield "tile-binding", any(p["level"] and p["z"] * x + p["x"] >= 256 and (p["x"], p["z"]) != (255, 127) or
                                  (p["x"], p["z"]) != (255, 127) and (p["x"] >= x or p["z"] >= z) for p in textured)
    yield "render-missing", bool(primary) and files.RENDER not in chunks
    if files.RENDER in chunks:
        used = primary["counts"] if primary else (0, 0, 0, 0)
        slots = chunks[files.RENDER]["slots"]
        yield "render-header", chunks[files.RENDER]["constant"] != files.RENDER_CONSTANT
        yield "render-unused", any(word != 0x8000 for words, n in zip(slots, used) for word in words[n:])
        yield "render-hidden", any(word >> 2 & 0xFFF == 0xFFF for words, n in zip(slots, used) for word in words[:n])


def of_terrain(mesh):
    terrain = mesh["chunks"].get(files.TERRAIN)
    if terrain is None:
        return
    count = terrain["x"] * terrain["z"]
    yield "terrain-size", not 0 < count <= 256
    if not 0 < count <= 256:
        return
    tiles = [tile for level in terrain["levels"] for tile in level[:count]]
    known = [tile for tile in tiles if tile["slope"] in facts.SLOPE_NAMES]
    yield "terrain-surface", any(0x2F <= tile["surface"] <= 0x3E for tile in tiles)
    yield "terrain-slope", len(known) != len(tiles)
    yield "terrain-marks", any(tile["marks"] for tile in tiles)
    if len(known) == len(tiles):
        yield "terrain-slope-height", any(
            not tile["slope_height"] if tile["slope"] else tile["slope_height"] > 1 for tile in known)


def of_layout(mesh):
    slots, chunks = mesh["slots"], mesh["chunks"]
    known = [(slot, slots[slot]) for slot in sorted(chunks)]
    places = sorted((at, at + chunks[slot]["size"]) for slot, at in known)
    yield "ptr-align", any(at % 4 for _, at in known)
    yield "ptr-order", any(a[1] > b[1] for a, b in zip(known, known[1:]))
    yield "ptr-overlap", any(a[1] > b[0] for a, b in zip(places, places[1:]))
    expected = set(files.KNOWN) - set(files.PAGES[1:])  # no file has these: they are told, too
    yield "ptr-reserved", any(at and slot not in expected for slot, at in enumerate(slots))


def of_others(mesh):
    chunks = mesh["chunks"]
    if files.GRAYSCALE in chunks:
        yield "gray-mismatch", any(len(set(facts.rgb5(word)[:3])) > 1 for row in chunks[files.GRAYSCALE]["rows"]
                                   for word in row)
    if files.TEXTURE_ANIMATIONS in chunks:
        yield "texanim-mode", any(row["mode"] > 0x1D for row in chunks[files.TEXTURE_ANIMATIONS]["rows"])
    if files.LIGHTS in chunks and any(not 0 <= v <= 2047 for row in chunks[files.LIGHTS]["colors"] for v in row):
        yield "lights", True


def one_fault(random_):
    """(name, bytes) of files with one thing wrong that is easily overlooked."""
    def parts():
        made = make.mesh_parts(random_, (3, 3, 1, 1), (4, 4), 2)
        del made[files.MESH_ANIMATIONS]
        return made

    def changed(slot, at, value):
        made = parts()
        made[slot] = made[slot][:at] + bytes([value]) + made[slot][at + 1:]
        return make.mesh_file(made)

    yield "nothing wrong", make.mesh_file(parts())
    yield "a mark on the last tile", changed(files.TERRAIN, 2 + 8 * 15 + 5, 0x20)
    yield "a mark on the last tile of level 1", changed(files.TERRAIN, 2050 + 8 * 15 + 5, 0x80)
    yield "a mark beyond the tiles", changed(files.TERRAIN, 2 + 8 * 16 + 5, 0x80)
    yield "a surface of nothing", changed(files.TERRAIN, 2, 0x2F)
    yield "four corners up", changed(files.TERRAIN, 2 + 4, 0xAA)
    yield "two corners up, across", changed(files.TERRAIN, 2 + 4, 0x55)
    yield "the last word of the table", changed(files.RENDER, 4095, 0)
    yield "the last of the 896 bytes", changed(files.RENDER, 895, 1)
    yield "hidden from everywhere", make.mesh_file(
        {**parts(), files.RENDER: files.RENDER_CONSTANT + b"\xfc\xbf" + b"\0\x80" * 1599})
    yield "gray but one", changed(files.GRAYSCALE, 511, 0x70)
    yield "a polygon too many on the last mesh", make.mesh_file({
        files.GEOMETRY: make.geometry(random_, files.LIMITS), files.ANIMATED[7]: make.geometry(random_, (0, 0, 1, 0))})
    yield "one more than was ever seen", make.mesh_file({
        files.GEOMETRY: make.geometry(random_, files.SEEN), files.ANIMATED[7]: make.geometry(random_, (0, 0, 0, 1))})


def main(arguments):
    many = 40
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) != 1:
        sys.exit("usage: fft_checks_oracle.py [--many N] DIO")
    judge, random_ = Judge(arguments[0]), random.Random(40)
    named = [*make.odd_meshes(random_), *one_fault(random_)]
    named += [(f"made {i}", make.some_mesh(random_)) for i in range(many)]
    with tempfile.TemporaryDirectory() as work:
        paths = [pathlib.Path(work, f"{i:04}.mesh") for i in range(len(named))]
        for path, (_, data) in zip(paths, named):
            path.write_bytes(data)
        _, output, said = judge.run("check", "--json", "--all", "--as", "fft-mesh", *paths)
        spoken = {}
        for finding in json.loads(output)["findings"] if output else ():
            spoken.setdefault(finding["file"], set()).add(finding["id"].removeprefix("fft."))
        for path, (name, data) in zip(paths, named):
            mesh, found = files.read_mesh(data), spoken.get(str(path), set())
            texts = [said] if not output else []
            for rules in (of_polygons, of_terrain, of_layout, of_others):
                for rule, is_wrong in rules(mesh):
                    judge.values += 1
                    if (rule in found) != is_wrong:
                        texts.append(f"{rule} is {'silent' if is_wrong else 'not silent'}")
            judge.count(f"{name}, checked", texts)
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
