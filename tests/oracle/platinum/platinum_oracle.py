#!/usr/bin/env python3
"""Compares what `dio decode` says of Platinum's files with the second reader (platinum_files.py), value for value.

    platinum_oracle.py [--every N] DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, files are made here at random (platinum_make.py). FOLDER: a corpus
(see platinum_corpus.py); of its 666 maps every Nth is read (5; 1: all), of all else everything. Then the heights of the
ground at many points, and what `dio` writes when it makes a file anew. A line a difference; `N passed, N failed` last.
"""
import json
import os
import pathlib
import random
import sys
import tempfile

import judging
import platinum_corpus
import platinum_files as files
import platinum_make
from platinum_behaviors import BEHAVIORS

ONE = 4096


# ---- as dio shows it --------------------------------------------------------------------------------------------------

def fx(value):
    return value / ONE


def vector(values):
    return dict(zip("xyz", map(fx, values)))


def show_bdhc(data):
    bdhc = files.read_bdhc(data)
    shown = {"magic": bdhc["magic"].decode()} if bdhc["magic"] == b"BDHC" else {
        "sizes": dict(zip(("cameras", "heights"), (int.from_bytes(bdhc["magic"][i:i + 2], "little") for i in (0, 2))))}
    shown["points"] = [{"x": fx(p["x"]), "z": fx(p["z"])} for p in bdhc["points"]]
    shown["normals"] = [vector(n.values()) for n in bdhc["normals"]]
    shown["constants"] = [fx(c) for c in bdhc["constants"]]
    shown["plates"] = [dict(zip(("first_point", "second_point", "normal", "constant"), p.values()))
                       for p in bdhc["plates"]]
    shown["strips"] = [{"scanline": fx(s["scanline"]), "count": s["access_list_element_count"],
                        "first": s["access_list_start_index"]} for s in bdhc["strips"]]
    shown["access_list"] = bdhc["access_list"]
    if bdhc["magic"] != b"BDHC":
        shown["cameras_pad"] = bdhc["rest"][:bdhc["rest"].index(b"DCAM")].hex()
        plates = files.read_cameras(data)
        for plate in plates:
            plate["offset"] = plate.pop("parameters_offset")
            for parameter in plate["parameters"]:
                for key in ("first", "second"):
                    parameter[key] = files.signed32(parameter[key]) / 65536
        shown["cameras"] = {"plates": plates}
    elif bdhc["rest"]:
        shown["rest"] = bdhc["rest"].hex()
    return shown


SOUND = "sound:B volume:B unk_2:B unk_3:B x0:B y0:B x1:B y1:B"


def show_land(data):
    land = files.read_land(data)
    shown = dict(zip(("attributes_size", "props_size", "model_size", "bdhc_size"), land["sizes"]))
    if land["sounds"] is not None:
        reader, count = files.Reader(land["sounds"]), len(land["sounds"]) // 8
        shown["sounds"] = {"mark": 0x1234, "size": len(land["sounds"]), "plates": reader.records(count, SOUND),
                           "rest": reader.take(reader.rest).hex()}
    shown["attributes"] = [land["attributes"][32 * z:32 * z + 32] for z in range(32)]
    shown["attributes_rest"] = ""
    shown["props"] = [{"model_id": p["model_id"], "position": vector(p["position"]), "rotation": p["rotation"],
                       "scale": vector(p["scale"]), "dummy": p["dummy"]} for p in land["props"]]
    shown["props_rest"] = land["stray"].hex()
    shown["model"] = LEFT_OUT  # the second reader of models reads it
    shown["bdhc"] = show_bdhc(land["bdhc_data"])
    return shown


def show_headers(data):
    return {"headers": files.read_headers(data)}


def show_headers_dp(data):
    reader, headers = files.Reader(data), []
    while reader.rest:
        header = reader.record(files.HEADER_START + " map_label_text_id:H weather:B camera_type:B map_type:B")
        header["battle_bg"], header["flags"] = files.bits(reader.number("B"), 4, 4)
        headers.append(header)
    return {"headers": headers}


def show_headers_heart_gold(data):
    reader, headers = files.Reader(data), []
    while reader.rest:
        header = reader.record("wild_encounters_archive_id:B area_data_archive_id:B")
        header["unk_2"], header["world_x"], header["world_y"] = files.bits(reader.number("H"), 4, 6, 6)
        header.update(reader.record("map_matrix_id:H scripts_archive_id:H init_scripts_archive_id:H msg_archive_id:H "
                                    "day_music_id:H night_music_id:H events_archive_id:H map_label_text_id:B"))
        header["area_icon"], header["mom_call"] = files.bits(reader.number("B"), 4, 4)
        names = ("is_kanto", "weather", "map_type", "camera_type", "follow_mode", "battle_bg", "flags")
        header.update(zip(names, files.bits(reader.number("I"), 1, 7, 4, 6, 2, 5, 7)))
        headers.append(header)
    return {"headers": headers}


def show_matrix(data):
    matrix = files.read_matrix(data)
    del matrix["model_name_prefix_length"]
    for name in ("map_header_ids", "altitudes", "land_data_ids"):
        width, cells = matrix["width"], matrix[name] or []
        matrix[name] = [cells[i:i + width] for i in range(0, len(cells), width)]
    return matrix


def show_light(data):
    light = files.read_area_light(data)

    def color(values):
        return dict(zip(("red", "green", "blue"), values))

    for block in light["blocks"]:
        block["lights"] = [{"enabled": one["valid"], **color(one["color"]), **dict(zip("xyz", one["direction"]))}
                           for one in block["lights"]]
        for name in files.LIGHT_LINES[5:]:
            block[name] = color(block[name])
    return {"light": {"blocks": light["blocks"], "ending": "\r\n" if light["ends_with_break"] else ""}}


def show_anime_list(data):
    record = files.read_anime_list(data)
    return {"has_animations": record["has_animations"], "flags": record["flags"], "pad_3": record["padding"],
            "bicycle_slope": record["is_bicycle_slope"], "anime_ids": record["anime_archive_ids"]}


def show_matshp(data):
    table = files.read_matshp(data)
    return {"models": [{"count": one["ids_count"], "first": one["ids_index"]} for one in table["locators"]],
            "draws": table["ids"]}


def show_texture_animations(data):
    return {"textures": [{"name": one["name"], "frames": [{"frame": f, "wait": w} for f, w in one["all_steps"]]}
                         for one in files.read_texture_animations(data)]}


def show_events(data):
    events = files.read_zone_event(data)
    for one in events["bg_events"]:
        one["pad_12"] = one.pop("padding")
    for one in events["object_events"]:
        one["dir"] = one.pop("initial_dir")
        one["y"] /= 65536
    for one in events["warp_events"]:
        one["unused_8"] = one.pop("unused")
    return events


def show_move_models(data):
    """What fills the file up to a multiple of four is no sprite."""
    made = files.read_move_models(data)
    return {"sprite_ids": made["ids"] + [0xFFFF] + [v for v in made["rest"] if v]}


LEFT_OUT = object()
SHOW = {"land-data": show_land, "bdhc": show_bdhc, "map-headers": show_headers, "map-headers-dp": show_headers_dp,
        "map-headers-hgss": show_headers_heart_gold, "map-matrix": show_matrix, "area-data": files.read_area,
        "area-data-hgss": files.read_area_heart_gold, "area-light": show_light,
        "area-build": lambda data: {"map_prop_model_ids": files.read_area_build(data)},
        "bm-anime-list": show_anime_list, "matshp": show_matshp, "fldtanime": show_texture_animations,
        "zone-event": show_events, "mm-list": show_move_models,
        "map-names": lambda data: {"names": [{"name": name} for name in files.read_map_names(data)]}}
ROLES = {"map-matrix": "map_matrix", "area-data": "area_data", "area-light": "arealight", "area-build": "area_build",
         "bm-anime-list": "bm_anime_list", "mm-list": "mm_list"}
DERIVED = {"land-data", "bdhc"}
# Samples that are odd: the heights of Diamond and Pearl, a byte behind the end, other ends of lines.
NOT_READ = {"diamond", "map_matrix_0002", "arealight_0002"}


def differences(found, expected, path=""):
    """(path, found, expected) of every value that differs."""
    if expected is LEFT_OUT:
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(k for k in found if k not in expected)]:
            if key not in found:
                if expected[key] not in ([], "", LEFT_OUT):
                    yield f"{path}.{key}", "nothing", expected[key]
            elif key not in expected:
                yield f"{path}.{key}", found[key], "nothing"
            else:
                yield from differences(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, (one, other) in enumerate(zip(found, expected)):
            yield from differences(one, other, f"{path}[{i}]")
    elif found != expected:
        yield path, found, expected


def count_values(shown):
    if isinstance(shown, (dict, list)):
        return sum(map(count_values, shown.values() if isinstance(shown, dict) else shown))
    return 1


# ---- running dio ------------------------------------------------------------------------------------------------------

class Judge(judging.Judge):
    def decode(self, kind, named):
        """Every value of files of one format; named: [(name, bytes)]."""
        with tempfile.TemporaryDirectory() as work:
            folder, out = pathlib.Path(work, "in"), pathlib.Path(work, "out")
            folder.mkdir()
            for i, (_, data) in enumerate(named):
                (folder / f"{i:04}.bin").write_bytes(data)
            for start in range(0, len(named), 100):
                paths = [folder / f"{i:04}.bin" for i in range(start, min(start + 100, len(named)))]
                status, _, said = self.run("decode", "--quiet", "--as", kind, *paths, "-o", f"{out}/")
                for i, path in enumerate(paths, start):
                    name, data = named[i]
                    told = [p for p in (out / f"{path.stem}.json", out / f"{path.name}.json") if p.exists()]
                    if not told:
                        self.count(name, [f"dio decode --as {kind} (exit {status}): {said}"])
                        continue
                    document = json.loads(told[0].read_text())["document"]
                    expected = SHOW[kind](data)
                    self.values += count_values(expected)
                    texts = [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}"
                             for p, f, e in differences(document, expected)]
                    if kind in DERIVED:
                        told[0].unlink()
                    self.count(f"{kind}: {name}", texts)
                if kind not in DERIVED:
                    self.laid_out(kind, out, paths, named[start:start + 100])

    def laid_out(self, kind, out, paths, named):
        """Laid out anew the files of the retail tools are the same. (What is derived in them: see canonical.)"""
        again = out.parent / "again"
        status, _, said = self.run("encode", "--quiet", "--force", "--canonical", *sorted(out.glob("*.json")), "-o",
                                   f"{again}/")
        texts = [] if status == 0 else [f"dio encode (exit {status}): {said}"]
        for path, (name, data) in zip(paths, named):
            found = [p.read_bytes() for p in again.glob(f"{path.stem}*")] if again.exists() else []
            if found != [data]:
                texts.append(f"{name}: {[f.hex()[:60] for f in found]}, expected {data.hex()[:60]}")
        for leftover in (*out.glob("*.json"), *again.glob("*")):
            leftover.unlink()
        self.count(f"{kind} saved canonically", texts)

    def detected(self, kind, path):
        """The file is detected as its format."""
        status, output, said = self.run("info", "--json", path)
        found = json.loads(output.splitlines()[0]).get("format") if status == 0 else said
        self.count(path, [] if found == kind else [f"detected as {found} instead of {kind}"])

    def heights(self, name, data, points):
        """points: [(x, z, height of who asks)] in fx32"""
        bdhc = files.read_land(data)["bdhc"]
        texts = []
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work, "land.bin")
            path.write_bytes(data)
            for x, z, current in points:
                status, output, said = self.run("explain", "--json", "--as", "land-data",
                                                f"{path}#height@{fx(x):.12g}u,{fx(z):.12g}u,{fx(current):.12g}")
                if status:
                    texts.append(f"dio explain (exit {status}): {said}")
                    continue
                answer = json.loads(output)["answer"]
                found = answer["height"] if isinstance(answer["height"], (int, float)) else None
                plates = [(p["plate"], p["height"]) for p in answer["plates"]]
                height = files.height(bdhc, x, z, current)
                expected = (None if height is None else fx(height),
                            [(i, fx(h)) for i, h in files.candidates(bdhc, x, z)])
                if (found, plates) != expected:
                    texts.append(f"at {fx(x)}, {fx(z)} from {fx(current)}: {(found, plates)}, expected {expected}")
        self.count(f"heights of {name}", texts)


    def behaviors(self, data):
        """What every behaviour is called."""
        land, texts = files.read_land(data), []
        land["attributes"] = [i & 0xFF | (i & 1) << 15 for i in range(1024)]
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work, "land.bin")
            path.write_bytes(files.write_land(land))
            for value in range(256):
                status, output, said = self.run("explain", "--json", "--as", "land-data",
                                                f"{path}#tile@{value % 32},{value // 32}")
                if status:
                    texts.append(f"dio explain (exit {status}): {said}")
                    continue
                answer = json.loads(output)["answer"]
                name, flags = BEHAVIORS.get(value, ("", ""))
                found = answer["behavior"], answer["collision"], answer["encounters"], answer["surfable"]
                if found != (value, bool(value & 1), "E" in flags, "S" in flags):
                    texts.append(f"0x{value:02X}: {found}, expected flags {flags!r}")
                if name and answer["name"] != name:
                    texts.append(f"0x{value:02X} is called {answer['name']!r}, the documents say {name!r}")
        self.count("behaviours", texts)

    # ---- what dio writes ----

    def written(self, work, *words):
        """The bytes that dio makes; None if it does not."""
        out = pathlib.Path(work, "out.bin")
        out.unlink(missing_ok=True)
        status, _, said = self.run(*words, "--quiet", "-o", out)
        return (out.read_bytes(), "") if status == 0 and out.exists() else (None, f"exit {status}: {said}")

    def canonical(self, name, kind, data):
        """Laid out anew: of heights everything that follows from the plates is made anew."""
        if kind == "bdhc":
            expected = files.write_bdhc(files.rebuild_bdhc(files.read_bdhc(data)))
        else:
            land = files.read_land(data)
            land["bdhc"] = files.rebuild_bdhc(land["bdhc"])
            land["sizes"][3] = len(files.write_bdhc(land["bdhc"]))
            expected = files.write_land(land)
        with tempfile.TemporaryDirectory() as work:
            path, shown = pathlib.Path(work, "in.bin"), pathlib.Path(work, "in.json")
            path.write_bytes(data)
            self.run("decode", "--quiet", "--as", kind, path, "-o", shown)
            found, said = self.written(work, "encode", "--canonical", shown)
        if found is None:
            texts = [said]
        elif found != expected:
            at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
            texts = [f"{len(found)} bytes, expected {len(expected)}; they differ from 0x{at:x} on"]
        else:
            texts = []
        self.count(f"{name} rebuilt", texts)

    def edits(self, random_, name, data):
        """One of each kind of edit, at random, and what has become of everything."""
        land = files.read_land(data)
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work, "land.bin")
            path.write_bytes(data)
            for words, check in edits_of(random_, land):
                found, said = self.written(work, "edit", "--as", "land-data", path, *words)
                if found is None:
                    texts = [said]
                else:
                    made = files.read_land(found)
                    texts = [text for text in check(made) if text]
                    if made["model"] != land["model"]:
                        texts.append("another model")
                    if made["stray"] != land["stray"] or made["rest"] or made["sounds"] != land["sounds"]:
                        texts.append("other bytes besides")
                self.count(f"{name}: {' '.join(words)}", texts)


def same(what, found, expected):
    return None if found == expected else f"{what}: {str(found)[:100]}, expected {str(expected)[:100]}"


def plates_of(bdhc):
    """Of each plate what is left when indices are forgotten."""
    return [(files.rectangle(bdhc, p), tuple(bdhc["normals"][p["normal_index"]].values()),
             bdhc["constants"][p["constant_index"]]) for p in bdhc["plates"]]


def covered(bdhc):
    """The strips and their lists are those of the plates."""
    made = files.rebuild_bdhc(bdhc)
    return same("strips", (bdhc["strips"], bdhc["access_list"]), (made["strips"], made["access_list"]))


def edits_of(random_, land):
    """(words, a function of the land that was written, which gives texts or None)"""
    before = plates_of(land["bdhc"])

    def others(made, *changed):
        for part in ("attributes", "props"):
            if part not in changed:
                yield same(part, made[part], land[part])
        if "plates" not in changed:
            yield same("heights", files.write_bdhc(made["bdhc"]), files.write_bdhc(land["bdhc"]))

    x, z = sorted(random_.sample(range(32), 2)), sorted(random_.sample(range(32), 2))
    behavior = random_.choice((0, 2, 0x15, 0x69))

    def tiles(made):
        expected = list(land["attributes"])
        for j in range(z[0], z[1] + 1):
            for i in range(x[0], x[1] + 1):
                expected[32 * j + i] = expected[32 * j + i] & 0x7F00 | behavior | 0x8000
        yield same("attributes", made["attributes"], expected)
        yield from others(made, "attributes")

    yield ["set-tiles", f"x={x[0]}..{x[1]}", f"z={z[0]}..{z[1]}", f"behavior={behavior}", "collision=1"], tiles

    if len(land["props"]) < 32:
        px, pz = random_.randrange(-250, 250), random_.randrange(-250, 250) + 0.25

        def added(made):
            yield same("props before", made["props"][:-1], land["props"])
            prop = made["props"][-1]
            ground = [h for _, h in files.candidates(land["bdhc"], px * ONE, round(pz * ONE))] or [0]
            yield same("model, x, z", (prop["model_id"], prop["position"][0], prop["position"][2]),
                       (7, px * ONE, round(pz * ONE)))
            yield None if prop["position"][1] in ground else f"on {prop['position'][1]}, the ground is at {ground}"
            yield same("the rest", (prop["rotation"], prop["scale"], prop["dummy"]), ([0] * 3, [ONE] * 3, [0] * 2))
            yield from others(made, "props")

        yield ["add-prop", "model=7", f"x={px}", f"z={pz}"], added
    if land["props"]:
        n = random_.randrange(len(land["props"]))
        yield ["remove-prop", f"prop={n}"], lambda made: [
            same("props", made["props"], land["props"][:n] + land["props"][n + 1:]), *others(made, "props")]

        def moved(made):
            expected = [dict(p) for p in land["props"]]
            expected[n]["position"] = [-5 * ONE // 2, expected[n]["position"][1], expected[n]["position"][2]]
            yield same("props", made["props"], expected)
            yield from others(made, "props")

        yield ["move-prop", f"prop={n}", "x=-2.5"], moved
    if not before:
        return
    n, by = random_.randrange(len(before)), random_.choice((8, -16, 3.5))

    def raised(made):
        after = plates_of(made["bdhc"])
        yield same("other plates", after[:n] + after[n + 1:], before[:n] + before[n + 1:])
        yield same("rectangle and normal", after[n][:2], before[n][:2])
        x1, x2, z1, z2 = before[n][0]
        for corner in ((x1, z1), (x2, z2)):
            up = files.plate_height(made["bdhc"], made["bdhc"]["plates"][n], *corner) - \
                files.plate_height(land["bdhc"], land["bdhc"]["plates"][n], *corner)
            yield None if abs(up - by * ONE) <= 2 else f"raised by {fx(up)}"
        yield covered(made["bdhc"])
        yield from others(made, "plates")

    yield ["raise-plate", f"plate={n}", f"by={by}"], raised
    yield ["remove-plate", f"plate={n}"], lambda made: [
        same("plates", plates_of(made["bdhc"]), before[:n] + before[n + 1:]), covered(made["bdhc"]),
        *others(made, "plates")]
    west, north = random_.randrange(-256, 200, 8), random_.randrange(-256, 200, 8)
    heights = [random_.randrange(0, 64, 8) for _ in range(3)]

    def new(made):
        after = plates_of(made["bdhc"])
        yield same("plates before", after[:-1], before)
        yield same("rectangle", after[-1][0], tuple(v * ONE for v in (west, west + 48, north, north + 32)))
        plate = made["bdhc"]["plates"][-1]
        for (cx, cz), expected in zip(((west, north), (west + 48, north), (west, north + 32)), heights):
            found = files.plate_height(made["bdhc"], plate, cx * ONE, cz * ONE)
            # A normal has twelve bits, and a map 512 units.
            yield None if abs(found - expected * ONE) <= ONE // 2 else f"{fx(found)} at {cx}, {cz}, not {expected}"
        yield covered(made["bdhc"])
        yield from others(made, "plates")

    yield ["add-plate", f"x={west}..{west + 48}", f"z={north}..{north + 32}",
           "heights=" + ",".join(map(str, heights))], new


def points_of(random_, bdhc, count):
    """Anywhere, and on the edges of plates and strips, where it matters which side is closed."""
    edges = [v for plate in bdhc["plates"] for v in files.rectangle(bdhc, plate)] or [0]
    for _ in range(count):
        x, z = (random_.choice((random_.randrange(-270 * 64, 270 * 64) * 64, random_.choice(edges))) for _ in range(2))
        yield x, z, random_.randrange(-20, 200) * ONE


# ---- what is judged ---------------------------------------------------------------------------------------------------

def judge_samples(judge, samples):
    for kind in SHOW:
        paths = sorted(p for p in pathlib.Path(samples, kind).glob("*") if p.stem not in NOT_READ)
        if not paths:
            judge.count(kind, ["no samples"])
        judge.decode(kind, [(p.name, p.read_bytes()) for p in paths])
        for path in paths:
            judge.detected(kind, str(path))


def judge_made(judge):
    made = {}
    for name, kind, data in platinum_make.all_files():
        made.setdefault(kind, []).append((name, data))
    for kind, named in made.items():
        if kind in SHOW:
            judge.decode(kind, named)
    random_ = random.Random(7)
    for name, data in made["land-data"]:
        judge.heights(name, data, list(points_of(random_, files.read_land(data)["bdhc"], 8)))
        judge.edits(random_, name, data)
    judge.behaviors(made["land-data"][0][1])
    for kind in ("bdhc", "land-data"):
        for name, data in made[kind]:
            judge.canonical(name, kind, data)


def judge_corpus(judge, corpus, every):
    for kind, role in ROLES.items():
        judge.decode(kind, [(f"{role} {i}", data) for i, data in enumerate(corpus.members(role))])
    judge.decode("fldtanime", [("fldtanime 0", corpus.members("fldtanime")[0])])
    for kind, role in (("map-headers", "headers"), ("matshp", "matshp"), ("map-names", "mapname")):
        judge.decode(kind, [(role, corpus.single(role))])
    random_ = random.Random(8)
    lands = corpus.members("land_data")
    chosen = sorted({*range(0, len(lands), every), 184, 188, 294, 506})
    judge.decode("land-data", [(f"land {i}", lands[i]) for i in chosen])
    for i in chosen[::max(1, 20 // every)]:
        judge.heights(f"land {i}", lands[i], list(points_of(random_, corpus.lands[i]["bdhc"], 6)))
        judge.edits(random_, f"land {i}", lands[i])
    for i in {*chosen[::max(1, 20 // every)], 184, 294, 506}:
        judge.canonical(f"land {i}", "land-data", lands[i])


def main(arguments):
    every = 5
    if arguments[:1] == ["--every"]:
        every, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (2, 3):
        sys.exit("usage: platinum_oracle.py [--every N] DIO SAMPLES [FOLDER]")
    judge = Judge(arguments[0])
    judge_samples(judge, arguments[1])
    judge_made(judge)
    if len(arguments) == 3:
        judge_corpus(judge, platinum_corpus.Corpus(os.path.expanduser(arguments[2])), every)
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
