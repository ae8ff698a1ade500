#!/usr/bin/env python3
"""Judges what dio changes in files of Final Fantasy Tactics: edits that have a name, scenes and pictures put back. What
was asked for is done, and nothing else: everything is read again by the second reader.

    fft_edits_oracle.py DIO

A line a difference; `N passed, N failed` last.
"""
import copy
import json
import pathlib
import random
import shutil
import struct
import sys
import tempfile
import zlib

import fft_facts as facts
import fft_files as files
import fft_make as make
import fft_scene as scene
import nitro_glb
from fft_oracle import differences
from judging import Judge

G, KINDS = files.GEOMETRY, ("textured_triangles", "textured_quads", "untextured_triangles", "untextured_quads")


def plain(value):
    """Tuples as lists, bytes as text, so that records can be compared and shown."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.hex() if isinstance(value, bytes) else value


def recounted(geometry):
    n, p, q, r = geometry["counts"] = tuple(len(of_kind) for of_kind in geometry["polygons"])
    geometry["size"] = 8 + 48 * n + 62 * p + 22 * q + 28 * r


# ---- edits that have a name: (words, a function that does the same to the chunks) ------------------------------------

def tiles_of(chunks, xs, zs, level):
    terrain = chunks[files.TERRAIN]
    for z in range(zs[0], zs[1] + 1):
        for x in range(xs[0], xs[1] + 1):
            yield terrain["levels"][level][z * terrain["x"] + x]


def span(name, pair):
    return f"{name}={pair[0]}..{pair[1]}"


def edits(random_, mesh):
    terrain, counts = mesh["chunks"][files.TERRAIN], mesh["chunks"][G]["counts"]
    xs, zs = (sorted(random_.choices(range(n), k=2)) for n in (terrain["x"], terrain["z"]))
    level = random_.randint(0, 1)

    def set_tiles(chunks):
        for tile in tiles_of(chunks, xs, zs, level):
            tile.update(height=9, depth=2, slope=0x41, slope_height=3, surface=0x0F, shading=2, thickness=7, missing=0,
                        not_walkable=1, pass_only=1, camera_low=9, camera_high=1)

    yield ["set-tiles", span("x", xs), span("z", zs), f"level={level}", "height=9", "depth=2", "slope=convex NE",
           "slope-height=3", "surface=river", "shading=2", "thickness=7", "absent=no", "untargetable=yes",
           "pass-only=yes", "cameras=25"], set_tiles

    def raise_tiles(chunks):
        for tile in tiles_of(chunks, xs, zs, level):
            tile["height"] += 3

    yield ["raise-tiles", span("x", xs), span("z", zs), f"level={level}", "by=3"], raise_tiles

    kind = random_.choice([k for k in range(4) if counts[k]])
    first, last = sorted(random_.choices(range(counts[kind]), k=2))
    of = f"of={KINDS[kind]}[{first}..{last}]"

    def move(chunks):
        for polygon in chunks[G]["polygons"][kind][first:last + 1]:
            polygon["positions"] = [(x + 28, y - 12, z - 56) for x, y, z in polygon["positions"]]

    yield ["move-polygons", of, "by=28,-12,-56"], move

    def remove(chunks):
        del chunks[G]["polygons"][kind][first:last + 1]
        if files.RENDER in chunks:
            words = chunks[files.RENDER]["slots"][kind]
            del words[first:last + 1]
            words += [0x8000] * (last + 1 - first)
        recounted(chunks[G])

    yield ["remove-polygons", of], remove

    def duplicate(chunks):
        polygons = chunks[G]["polygons"][kind]
        count = len(polygons)
        for i in range(first, last + 1):
            made = copy.deepcopy(polygons[i])
            made["positions"] = [(x, y - 24, z) for x, y, z in made["positions"]]
            polygons.append(made)
            if files.RENDER in chunks:
                words = chunks[files.RENDER]["slots"][kind]
                words[count + i - first] = words[i]
        recounted(chunks[G])

    yield ["copy-polygons", of, "by=0,-24,0"], duplicate

    if kind < 2:
        def set_polygons(chunks):
            for i, polygon in enumerate(chunks[G]["polygons"][kind][first:last + 1], first):
                polygon["clut"] = polygon["clut"] & ~0x3F | 11
                polygon["page"] = polygon["page"] & ~3 | 2
                polygon.update(x=1, z=2, level=1)
                if files.RENDER in chunks:
                    words = chunks[files.RENDER]["slots"][kind]
                    words[i] = words[i] & ~0xBFFC | 1 << 13 | 1 << 2

        yield ["set-polygons", of, "palette=11", "page=2", "tile=1,2,1", "lit=no", "hidden-from=SW+SSE"], set_polygons

    def light(chunks):
        chunk = chunks[files.LIGHTS]
        for row, value in zip(chunk["colors"], (2048, 1024, -512)):
            row[1] = value
        chunk["directions"][1] = [0, -4096, 2048]
        chunk.update(ambient=[1, 2, 3], top=[4, 5, 6], bottom=[7, 8, 255])

    yield ["set-light", "light=2", "color=0.5,0.25,-0.125", "direction=0,-1,0.5", "ambient=1,2,3", "top=4,5,6",
           "bottom=7,8,255"], light

    def palette(chunks):
        for row in chunks[files.PALETTES]["rows"][3:6]:
            row[1:5] = [7 | 8 << 5 | 9 << 10 | 0x8000] * 4

    yield ["set-palette", "row=3..5", "index=1..4", "color=7,8,9", "stp=1"], palette

    def frames(chunks):
        chunks[files.PALETTE_FRAMES]["rows"][15][15] = 0

    yield ["set-palette", "of=palette_frames", "row=15", "index=15", "color=clear"], frames

    def animation(chunks):
        chunks[files.TEXTURE_ANIMATIONS]["rows"][2].update(
            mode=2, canvas_x=0x340 + 5, canvas_y=30, width=4, height=20, frame_x=0x380 + 2, frame_y=7, frame_count=3,
            duration=9)

    yield ["set-animation", "row=2", "mode=2", "canvas=1,20,30", "size=16,20", "frames=2,8,7", "count=3",
           "duration=9"], animation


def judge_edits(judge, name, data, random_, work):
    path, out = pathlib.Path(work, "in.mesh"), pathlib.Path(work, "out.mesh")
    path.write_bytes(data)
    before = files.read_mesh(data)
    for words, change in edits(random_, before):
        status, _, said = judge.run("edit", "--quiet", "--force", "--as", "fft-mesh", path, *words, "-o", out)
        if status:
            judge.count(f"{name}: {' '.join(words)}", [f"exit {status}: {said}"])
            continue
        wanted = copy.deepcopy(before["chunks"])
        change(wanted)
        found = files.read_mesh(out.read_bytes())
        shown = plain(wanted)
        texts = [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}"
                 for p, f, e in differences(plain(found["chunks"]), shown)]
        texts += fill_faults(found)
        if not texts and plain(before["chunks"]) == shown:
            texts = ["nothing was to be changed: this says nothing"]
        judge.values += len(json.dumps(shown).split(","))
        judge.count(f"{name}: {' '.join(words)}", texts)


def fill_faults(mesh):
    """Chunks stay aligned and in their order."""
    used = [(at, slot) for slot, at in enumerate(mesh["slots"]) if at]
    if [slot for _, slot in sorted(used)] != [slot for _, slot in used]:
        yield f"out of order: {used}"
    for at, slot in used:
        if at % 4:
            yield f"slot 0x{slot:x} at {at}"
    for at, raw in mesh["unread"]:
        if len(raw) > 3 or any(raw):
            yield f"{len(raw)} unread bytes at {at}"


# ---- floors that follow ----------------------------------------------------------------------------------------------

def ground(random_, x_size, z_size):
    """A map whose floors lie on its tiles: quads on every tile, with walls that are bound but lie elsewhere."""
    chunks = make.mesh_parts(random_, (0, 0, 0, 0), (x_size, z_size), animated=0)
    terrain = files.read_terrain(chunks[files.TERRAIN], 0)
    quads = []
    for z in range(z_size):
        for x in range(x_size):
            tile = terrain["levels"][0][z * x_size + x]
            nw, ne, se, sw = facts.corner_heights(tile)
            west, south = 28 * x, 28 * z
            quads.append((x, z, [(west, -12 * sw, south), (west, -12 * nw, south + 28), (west + 28, -12 * se, south),
                                 (west + 28, -12 * ne, south + 28)]))
            if random_.random() < 0.3:
                quads.append((x, z, [(west + 5, 90, south + 5), (west + 5, 60, south + 5), (west + 9, 90, south + 5),
                                     (west + 9, 60, south + 5)]))
    made = struct.pack("<4H", 0, len(quads), 0, 0)
    made += b"".join(struct.pack("<3h", *p) for _, _, points in quads for p in points)
    made += struct.pack("<3h", 0, -4096, 0) * 4 * len(quads)
    for _ in quads:
        made += struct.pack("<BBHBBHBBBB", 0, 0, 0x7800, 20, 0, 12, 0, 20, 20, 20)
    made += b"".join(bytes((z << 1, x)) for x, z, _ in quads)
    chunks[G] = made
    del chunks[files.RENDER], chunks[files.TEXTURE_ANIMATIONS], chunks[files.MESH_ANIMATIONS]
    return make.mesh_file(chunks)


def judge_floors(judge, random_, work):
    path, out = pathlib.Path(work, "in.mesh"), pathlib.Path(work, "out.mesh")
    data = ground(random_, 5, 4)
    path.write_bytes(data)
    for words in (["raise-tiles", "x=1..2", "z=1..3", "by=2"], ["set-tiles", "x=0..4", "z=2", "height=12"],
                  ["set-tiles", "x=2", "z=0..3", "slope=incline N", "slope-height=4"],
                  ["set-tiles", "x=0", "z=0", "slope=flat"]):
        words.append("floor=follow")
        status, _, said = judge.run("edit", "--quiet", "--force", "--as", "fft-mesh", path, *words, "-o", out)
        if status:
            judge.count(" ".join(words), [f"exit {status}: {said}"])
            continue
        before, after = files.read_mesh(data)["chunks"], files.read_mesh(out.read_bytes())["chunks"]
        texts = []
        for i, (old, new) in enumerate(zip(before[G]["polygons"][1], after[G]["polygons"][1])):
            tile = after[files.TERRAIN]["levels"][0][new["z"] * 5 + new["x"]]
            heights = dict(zip(((0, 1), (1, 1), (1, 0), (0, 0)), facts.corner_heights(tile)))
            is_wall = old["positions"][0][0] % 28 != 0
            for p, q in zip(old["positions"], new["positions"]):
                corner = p[0] // 28 - old["x"], p[2] // 28 - old["z"]
                wanted = p if is_wall else (p[0], -12 * heights[corner], p[2])
                judge.values += 3
                if q != wanted:
                    texts.append(f"quad {i}: {q}, expected {wanted}")
            for field in ("uvs", "clut", "page", "x", "z", "level"):
                if old[field] != new[field]:
                    texts.append(f"quad {i}: {field} {new[field]}, was {old[field]}")
        judge.count(" ".join(words), texts)


# ---- scenes put back -------------------------------------------------------------------------------------------------

def judge_onto(judge, random_, work):
    path, glb, out = (pathlib.Path(work, name) for name in ("in.mesh", "in.glb", "out.mesh"))
    chunks = make.mesh_parts(random_, (5, 6, 1, 2), (4, 4), 1)
    del chunks[files.MESH_ANIMATIONS], chunks[files.TEXTURE_ANIMATIONS]
    chunks.update({page: random_.randbytes(files.PAGE_SIZE) for page in files.PAGES})
    data = make.mesh_file(chunks)
    path.write_bytes(data)
    judge.run("convert", "--quiet", "--as", "fft-mesh", path, "-o", glb)
    status, _, said = judge.run("convert", "--quiet", "--force", "--as", "fft-mesh", glb, "--onto", path, "-o", out)
    found = out.read_bytes() if out.exists() else None
    judge.count("unchanged scene applied", [] if found == data else [f"not the same bytes (exit {status}): {said}"])
    # All corners of the primary mesh a unit to the east, by hand in the GLB.
    raw = glb.read_bytes()
    length, = struct.unpack_from("<I", raw, 12)
    told, made = json.loads(raw[20:20 + length]), bytearray(raw)
    mesh = next(n["mesh"] for n in told["nodes"] if n.get("extras", {}).get("diorama", {}).get("path") == "primary")
    done = set()
    for primitive in told["meshes"][mesh]["primitives"]:
        accessor = told["accessors"][primitive["attributes"]["POSITION"]]
        view = told["bufferViews"][accessor["bufferView"]]
        at = 20 + length + 8 + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        if at in done:
            continue
        done.add(at)
        for i in range(accessor["count"]):
            struct.pack_into("<f", made, at + 12 * i, struct.unpack_from("<f", made, at + 12 * i)[0] + 7)
    glb.write_bytes(made)
    status, _, said = judge.run("convert", "--quiet", "--force", "--as", "fft-mesh", glb, "--onto", path, "-o", out)
    if status:
        judge.count("moved vertices applied", [f"exit {status}: {said}"])
        return
    wanted = files.read_mesh(data)["chunks"]
    for of_kind in wanted[G]["polygons"]:
        for polygon in of_kind:
            polygon["positions"] = [(x + 7, y, z) for x, y, z in polygon["positions"]]
    texts = [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}" for p, f, e in
             differences(plain(files.read_mesh(out.read_bytes())["chunks"]), plain(wanted))]
    judge.count("moved vertices applied", texts)


# ---- pictures out and back -------------------------------------------------------------------------------------------

def png(width, height, depth, color, lines, palette=None, clear=None):
    def part(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    made = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
    if palette:
        made += part(b"PLTE", palette)
    if clear:
        made += part(b"tRNS", clear)
    return made + part(b"IDAT", zlib.compress(b"".join(b"\0" + line for line in lines))) + part(b"IEND", b"")


def expanded(word):
    """(red, green, blue, alpha) of a colour of 16 bits"""
    return tuple((v << 3 | v >> 2) for v in facts.rgb5(word)[:3]) + (255 * (word != 0),)


def judge_pictures(judge, random_, work):
    folder, path, out = (pathlib.Path(work, name) for name in ("pictures", "in.bin", "out.bin"))
    data = make.texture(random_)
    path.write_bytes(data)
    judge.run("textures", "--quiet", "--force", "--as", "fft-texture", path, "-o", f"{folder}/")
    picture = scene.Picture((folder / "texture.png").read_bytes())
    found = [[line >> 4, line & 15] for y in range(1024) for line in picture.lines[129 * y + 1:129 * y + 129]]
    wanted = [t for line in files.read_texels(data) for t in line]
    judge.values += len(wanted)
    judge.count("exported texels", [] if [v for pair in found for v in pair] == wanted and picture.depth == 4 else
                ["other texels"])
    changed = list(wanted)
    for i in random_.sample(range(len(wanted)), 500):
        changed[i] = changed[i] + 3 & 15
    lines = [bytes(changed[y + x] << 4 | changed[y + x + 1] for x in range(0, 256, 2))
             for y in range(0, len(changed), 256)]
    (folder / "texture.png").write_bytes(png(256, 1024, 4, 3, lines, picture.palette, picture.clear))
    status, _, said = judge.run("textures", "--quiet", "--force", path, "--as", "fft-texture", "--replace", folder,
                                "-o", out)
    texels = [t for line in files.read_texels(out.read_bytes()) for t in line] if not status else said
    judge.count("edited texels imported", [] if texels == changed else [f"other texels (exit {status}): {said}"])

    data = make.mesh_file(make.mesh_parts(random_))
    path.write_bytes(data)
    out.unlink(missing_ok=True)
    shutil.rmtree(folder)
    judge.run("textures", "--quiet", "--force", "--as", "fft-mesh", path, "-o", f"{folder}/")
    wanted, texts = files.read_mesh(data)["chunks"], []
    for name, slot in (("palettes", files.PALETTES), ("palette_frames", files.PALETTE_FRAMES),
                       ("gray_palettes", files.GRAYSCALE)):
        width, height, pixels = nitro_glb.decode_png((folder / f"{name}.png").read_bytes())
        words = [word for row in wanted[slot]["rows"] for word in row]
        judge.values += len(words)
        # What is black and has a mark is shown as black; what is not seen is clear.
        if (width, height, pixels) != (16, 16, [expanded(word) for word in words]):
            texts.append(f"{name}: {[(hex(w), p) for w, p in zip(words, pixels) if expanded(w) != p][:3]}")
        for i in random_.sample(range(256), 20):
            if words[i] & 0x7FFF:
                words[i] = words[i] & 0x8000 | random_.randint(1, 0x7FFF)
        lines = [b"".join(bytes(expanded(w)) for w in words[16 * y:16 * y + 16]) for y in range(16)]
        (folder / f"{name}.png").write_bytes(png(16, 16, 8, 6, lines))
        wanted[slot]["rows"] = [words[16 * y:16 * y + 16] for y in range(16)]
    judge.count("exported palettes", texts)
    status, _, said = judge.run("textures", "--quiet", "--force", "--as", "fft-mesh", path, "--replace", folder, "-o",
                                out)
    if status:
        judge.count("edited palettes imported", [f"exit {status}: {said}"])
        return
    judge.count("edited palettes imported", [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}" for p, f, e in differences(
        plain(files.read_mesh(out.read_bytes())["chunks"]), plain(wanted))])


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: fft_edits_oracle.py DIO")
    judge = Judge(arguments[0])
    with tempfile.TemporaryDirectory() as work:
        for seed in range(4):
            random_ = random.Random(seed)
            parts = make.mesh_parts(random_, [random_.randint(2, 9) for _ in range(4)], (6, 5))
            judge_edits(judge, f"made {seed}", make.mesh_file(parts), random_, work)
            judge_floors(judge, random_, work)
        judge_onto(judge, random.Random(9), work)
        judge_pictures(judge, random.Random(10), work)
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
