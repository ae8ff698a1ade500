#!/usr/bin/env python3
"""Compares what `dio decode` says of the files of Final Fantasy Tactics with the second reader (fft_files.py), value
for value: none may be missing, none more.

    fft_oracle.py [--many N] DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, files are made here at random (fft_make.py), N of any content.
FOLDER: maps that somebody has. A line a difference; `N passed, N failed` last.
"""
import json
import os
import pathlib
import random
import re
import sys
import tempfile

import fft_files as files
import fft_make as make
import judging

ONE = 4096


# ---- as dio shows it -------------------------------------------------------------------------------------------------

def vector(values, one=None):
    return dict(zip("xyz", (v / one if one else v for v in values)))


def show_state(word):
    word &= 0xFFFF
    return {"night": word >> 15, "weather": word >> 12 & 7, "arrangement": word & 0xFFF}


def show_row(row):
    return {"variable": row["variable"], "state": show_state(row["state"]), "comparison": row["comparison"],
            "type": row["type"], "mark": row["unk_6"], "lba": row["lba"], "length": row["length"], "end": row["marker"]}


def show_gns(data):
    gns = files.read_gns(data)
    commands = [{"variable": c["variable"], "state": show_state(c["state"]), "comparison": c["comparison"],
                 "type": c["type"], "mark": c["unk_6"], "length": c["length"], "unk_9": c["unk_9"],
                 "payload": bytes(c["payload"]).hex()} for c in gns["commands"]]
    reader = files.Reader(gns["tail"])
    last = reader.record("variable:H state:h comparison:B type:B mark:H")
    last["state"] = show_state(last["state"])
    return {"rows": [show_row(row) for row in [*gns["rows"], gns["end"]]], "commands": commands + [last]}, \
        residue([(len(data) - reader.rest, reader.take(reader.rest))])


def residue(pieces):
    return [{"offset": at, "bytes": raw.hex()} for at, raw in pieces if raw]


def show_texture(data):
    size = files.PAGE_SIZE
    return {"pages": [{"texels": data[i * size:(i + 1) * size].hex()} for i in range(4)],
            "rest": data[4 * size:].hex()}, []


KINDS = ("textured_triangles", "textured_quads", "untextured_triangles", "untextured_quads")
NAMES = {files.GEOMETRY: "primary", files.PALETTES: "palettes", **{s: f"page_{i}" for i, s in enumerate(files.PAGES)},
         files.LIGHTS: "lights", files.TERRAIN: "terrain", files.TEXTURE_ANIMATIONS: "texture_animations",
         files.PALETTE_FRAMES: "palette_frames", files.GRAYSCALE: "gray_palettes",
         files.MESH_ANIMATIONS: "mesh_animations", **{s: f"animated_{i + 1}" for i, s in enumerate(files.ANIMATED)},
         files.RENDER: "render_properties"}


def show_render_word(word):
    return {"lit": word >> 15, "unk_14": word >> 14 & 1, "hidden_from": word >> 2 & 0xFFF, "unk_1": word >> 1 & 1,
            "lit_copy": word & 1}


def show_polygon(polygon, is_textured):
    shown = {"positions": [vector(p) for p in polygon["positions"]]}
    if not is_textured:
        return {**shown, "unread": list(polygon["unread"])}
    clut, page = polygon["clut"], polygon["page"]
    return {**shown, "normals": [vector(n, ONE) for n in polygon["normals"]],
            "uvs": [{"u": u, "v": v} for u, v in polygon["uvs"]],
            "clut_unk_15": clut >> 15, "clut_y": clut >> 6 & 0x1FF, "palette": clut & 0x3F,
            "page_unk_9": page >> 9, "color_depth": page >> 7 & 3, "blend": page >> 5 & 3, "page_y": page >> 4 & 1,
            "image": page >> 2 & 3, "page": page & 3,
            "tile": {"z": polygon["z"], "level": polygon["level"], "x": polygon["x"]}}


def show_geometry(geometry, render=None):
    shown = {}
    for kind, polygons in enumerate(geometry["polygons"]):
        shown[KINDS[kind]] = [show_polygon(p, kind < 2) for p in polygons]
        if render:
            for polygon, word in zip(shown[KINDS[kind]], render["slots"][kind]):
                polygon["render"] = show_render_word(word)
    return shown


def show_color(word):
    return {"stp": word >> 15, "blue": word >> 10 & 31, "green": word >> 5 & 31, "red": word & 31}


def show_palettes(chunk):
    return {"rows": [[show_color(word) for word in row] for row in chunk["rows"]]}


def show_bytes(values):
    return dict(zip(("red", "green", "blue"), values))


def show_lights(chunk):
    return {**show_bytes([v / ONE for v in row] for row in chunk["colors"]),
            "directions": [vector(d, ONE) for d in chunk["directions"]],
            **{name: show_bytes(chunk[name]) for name in ("ambient", "top", "bottom")}}


def show_tile(tile):
    shown = dict(tile)
    shown["absent"], shown["untargetable"] = shown.pop("missing"), shown.pop("not_walkable")
    shown["cameras"] = shown.pop("camera_low") | shown.pop("camera_high") << 4
    return shown


def show_terrain(chunk):
    return {"size_x": chunk["x"], "size_z": chunk["z"],
            "levels": [[show_tile(tile) for tile in level] for level in chunk["levels"]]}


def show_keyframe(keyframe):
    shown = {name: {**vector(keyframe[name]), "pad": keyframe[name + "_pad"]}
             for name in ("rotation", "position", "scale")}
    return {**shown, **{name: keyframe[name] for name in ("start_angles", "end_angles", "modes", "pad")}}


def show_record(record):
    shown = {"type": record["type"]}
    if record["type"] == 1:
        shown["keyframes"] = [show_keyframe(k) for k in record["keyframes"]]
    elif record["type"] == 2:
        shown["count"] = record["count"]
        shown["states"] = [{"meshes": state} for state in record["states"]]
    else:
        shown["links"] = [{"parent": row[0], "unused": row[1:]} for row in record["parents"]]
    return shown


def show_mesh_animations(chunk):
    return {"records": [show_record(record) for record in chunk["records"]] + [{"type": 0}]}


def show_mesh(data):
    mesh = files.read_mesh(data)
    shown, chunks = {"slots": mesh["slots"]}, mesh["chunks"]
    counts = chunks[files.GEOMETRY]["counts"] if files.GEOMETRY in chunks else (0, 0, 0, 0)
    for slot, chunk in chunks.items():
        if slot == files.GEOMETRY:
            made = show_geometry(chunk, chunks.get(files.RENDER))
        elif slot in files.ANIMATED:
            made = show_geometry(chunk)
        elif slot == files.LIGHTS:
            made = show_lights(chunk)
        elif slot == files.TERRAIN:
            made = show_terrain(chunk)
        elif slot == files.TEXTURE_ANIMATIONS:
            made = {"rows": chunk["rows"]}
        elif slot == files.MESH_ANIMATIONS:
            made = show_mesh_animations(chunk)
        elif slot == files.RENDER:
            made = {"head": chunk["constant"].hex()}
            for kind, words, used in zip(KINDS, chunk["slots"], counts):
                made["unused_" + kind] = [show_render_word(word) for word in words[used:]]
        elif slot in files.PAGES:
            made = {"texels": chunk["texels"].hex()}
        else:
            made = show_palettes(chunk)
        shown[NAMES[slot]] = made
    return shown, residue(mesh["unread"])


SHOW = {"fft-gns": show_gns, "fft-mesh": show_mesh, "fft-texture": show_texture}


def differences(found, expected, path=""):
    """(path, found, expected) of every value that differs, is missing, or is there besides."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(k for k in found if k not in expected)]:
            if key not in found:
                yield f"{path}.{key}", "nothing", expected[key]
            elif key not in expected:
                yield f"{path}.{key}", found[key], "nothing"
            else:
                yield from differences(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            yield f"{path}: number", len(found), len(expected)
        for i, (one, other) in enumerate(zip(found, expected)):
            yield from differences(one, other, f"{path}[{i}]")
    elif found != expected or isinstance(found, bool) != isinstance(expected, bool):
        yield path, found, expected


def count_values(shown):
    if isinstance(shown, (dict, list)):
        return sum(map(count_values, shown.values() if isinstance(shown, dict) else shown))
    return 1


def told_differences(kind, told, data):
    """(lines of what differs between a document of dio's and the file, values that were compared)"""
    expected, rest = SHOW[kind](data)
    wanted = {"document": expected, "residue": rest}
    found = {"document": told.get("document"), "residue": told.get("residue", [])}
    texts = [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}" for p, f, e in differences(found, wanted)]
    if told.get("format") != kind or told.get("size") != len(data):
        texts.append(f"told of {told.get('format')}, {told.get('size')} bytes; it is {kind}, {len(data)} bytes")
    return texts, count_values(wanted)


# ---- running dio -----------------------------------------------------------------------------------------------------

class Judge(judging.Judge):
    def decode(self, kind, named):
        """Every value of files of one format, and the same bytes again from what was told. named: [(name, bytes)]."""
        for start in range(0, len(named), 50):
            self._decode(kind, named[start:start + 50])

    def _decode(self, kind, named):
        with tempfile.TemporaryDirectory() as work:
            folder, out, again = (pathlib.Path(work, name) for name in ("in", "out", "again"))
            folder.mkdir()
            paths = [folder / f"{i:04}.bin" for i in range(len(named))]
            for path, (_, data) in zip(paths, named):
                path.write_bytes(data)
            status, _, said = self.run("verify", "--quiet", "--as", kind, *paths)
            self.count(f"{len(named)} of {kind}, verify", [said or f"exit {status}"] * bool(status))
            status, _, said = self.run("decode", "--quiet", "--as", kind, *paths, "-o", f"{out}/")
            told = []
            for path, (name, data) in zip(paths, named):
                shown = next(out.glob(f"{path.stem}*.json"), None)
                if not shown:
                    self.count(name, [f"dio decode --as {kind} (exit {status}): {said}"])
                    continue
                texts, values = told_differences(kind, json.loads(shown.read_text()), data)
                self.values += values
                self.count(f"{kind}: {name}", texts)
                told.append(shown)
            status, _, said = self.run("encode", "--quiet", *told, "-o", f"{again}/")
            for path, (name, data) in zip(paths, named):
                found = [p.read_bytes() for p in again.glob(f"{path.stem}*")] if again.exists() else []
                self.count(f"{kind}: {name}, encoded", [] if found == [data] else [
                    f"{[len(f) for f in found]} bytes, not the {len(data)} there were (exit {status}): {said}"])

    def detected(self, kind, path):
        """The file is detected as its format."""
        status, output, said = self.run("info", "--json", path)
        found = json.loads(output.splitlines()[0]).get("format") if status == 0 else said
        self.count(path, [] if found == kind else [f"detected as {found} instead of {kind}"])


# ---- what is judged --------------------------------------------------------------------------------------------------

def kind_of(path):
    """The format of a file by its name, as on the disc, or None."""
    if re.fullmatch(r"MAP\d\d\d\.GNS", path.name, re.IGNORECASE):
        return "fft-gns"
    if re.fullmatch(r"MAP\d\d\d\.\d+", path.name, re.IGNORECASE):
        return "fft-texture" if path.stat().st_size == files.TEXTURE_SIZE else "fft-mesh"
    return None


def judge_files(judge, paths):
    by_kind = {}
    for kind, path in paths:
        by_kind.setdefault(kind, []).append(path)
        judge.detected(kind, str(path))
    for kind, found in by_kind.items():
        judge.decode(kind, [(p.name, p.read_bytes()) for p in found])


def judge_samples(judge, samples):
    for kind in SHOW:
        # A sample may be of several files, in a folder.
        paths = sorted(p for p in pathlib.Path(samples, kind).rglob("*") if p.is_file())
        if not paths:
            judge.count(kind, ["no samples"])
        judge_files(judge, [(kind_of(p) or kind, p) for p in paths])


def judge_made(judge, many):
    random_ = random.Random(20)
    judge.decode("fft-mesh", list(make.odd_meshes(random_)))
    judge.decode("fft-gns", list(make.odd_gns(random_)))
    judge.decode("fft-texture", [("a texture", make.texture(random_))])
    random_ = random.Random(21)
    for start in range(0, many, 50):
        judge.decode("fft-mesh", [(f"made {i}", make.some_mesh(random_)) for i in range(start, min(start + 50, many))])


def judge_corpus(judge, folder):
    paths = sorted(p for p in pathlib.Path(folder).rglob("*") if kind_of(p))
    judge_files(judge, [(kind_of(p), p) for p in paths])


# ---- the judge is judged ---------------------------------------------------------------------------------------------

def leaves(value, path=()):
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*path, key))
    else:
        yield path


def spoilt(told, path, how):
    """A copy of a document with one value changed, taken away, or a value more beside it."""
    made = json.loads(json.dumps(told))
    place = made
    for key in path[:-1]:
        place = place[key]
    value = place[path[-1]]
    if how == "changed":
        place[path[-1]] = value + ("00" if isinstance(value, str) else 1)
    elif how == "missing":
        del place[path[-1]]
    elif isinstance(place, list):
        place.append(0)
    else:
        place["another"] = 0
    return made


def judge_mutations(judge, count=60):
    """One value of a document is spoilt: that has to be told."""
    random_ = random.Random(22)
    made = {"fft-mesh": make.mesh_file(make.mesh_parts(random_, (1, 2, 1, 1)), fill=random_),
            "fft-gns": dict(make.odd_gns(random_))["long commands"], "fft-texture": make.texture(random_)}
    for kind, data in made.items():
        shown, rest = SHOW[kind](data)
        told = {"format": kind, "size": len(data), "document": shown, **({"residue": rest} if rest else {})}
        judge.count(f"{kind}, undamaged", told_differences(kind, told, data)[0])
        paths = [path for path in leaves(told) if path[0] in ("document", "residue")]
        for path in random_.sample(paths, min(len(paths), count // 3)):
            for how in ("changed", "missing", "more"):
                texts, _ = told_differences(kind, spoilt(told, path, how), data)
                judge.count(f"{kind}: {path} {how}", [] if texts else ["not detected"])


def main(arguments):
    many = 60
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (2, 3):
        sys.exit("usage: fft_oracle.py [--many N] DIO SAMPLES [FOLDER]")
    judge = Judge(arguments[0])
    judge_mutations(judge)
    judge_samples(judge, arguments[1])
    judge_made(judge, many)
    if len(arguments) == 3:
        judge_corpus(judge, os.path.expanduser(arguments[2]))
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
