#!/usr/bin/env python3
"""Judges what dio makes of maps of Final Fantasy Tactics: scenes as GLB, states, answers about tiles and polygons.

    fft_maps_oracle.py [--many N] DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, maps are made here (fft_make.py), N with states at random.
FOLDER: a folder with maps that somebody has, MAP001.GNS and what belongs to it. A line a difference; `N passed, N
failed` last.
"""
import json
import os
import pathlib
import random
import re
import struct
import sys
import tempfile

import fft_facts as facts
import fft_files as files
import fft_make as make
import fft_scene as scene
import nitro_glb
from judging import Judge

TICKS = (0, 7, 31, 100)
PARTS = {files.GEOMETRY: "primary mesh", files.PALETTES: "palettes", files.LIGHTS: "lights", files.TERRAIN: "terrain",
         files.TEXTURE_ANIMATIONS: "texture animations", files.PALETTE_FRAMES: "palette frames",
         files.GRAYSCALE: "gray palettes", files.MESH_ANIMATIONS: "mesh animations", files.RENDER: "render properties",
         **{slot: f"animated mesh {i + 1}" for i, slot in enumerate(files.ANIMATED)},
         **{slot: f"texture page {i}" for i, slot in enumerate(files.PAGES)}}


# ---- scenes of single files ------------------------------------------------------------------------------------------

def judge_single(judge, name, data, ticks=TICKS):
    with tempfile.TemporaryDirectory() as work:
        path, glb = pathlib.Path(work, "one.mesh"), pathlib.Path(work, "one.glb")
        path.write_bytes(data)
        status, _, said = judge.run("convert", "--quiet", "--as", "fft-mesh", path, "-o", glb)
        if status:
            judge.count(name, [f"dio convert (exit {status}): {said}"])
            return
        judged = scene.judge_scene(scene.read(glb), scene.view_of(data), ticks=ticks)
        judge.values += judged.values
        judge.count(f"{name}, as a scene", judged)


def judge_lamps(judge, random_, count):
    """Light that is left as lights, and another length of a tick."""
    for i in range(count):
        parts = make.mesh_parts(random_, (4, 4, 0, 0), (3, 3), 1)
        parts[files.MESH_ANIMATIONS] = make.moving_parts(random_, 1)
        data = make.mesh_file({**parts, **{page: random_.randbytes(files.PAGE_SIZE) for page in files.PAGES}})
        with tempfile.TemporaryDirectory() as work:
            path, glb = pathlib.Path(work, "one.mesh"), pathlib.Path(work, "one.glb")
            path.write_bytes(data)
            status, _, said = judge.run("convert", "--quiet", "--as", "fft-mesh", "--lamps", "--tick-rate", 30, path,
                                        "-o", glb)
            if status:
                judge.count(f"lamps {i}", [f"dio convert (exit {status}): {said}"])
                continue
            judged, read = scene.Judged(), scene.read(glb)
            scene.judge_lamps(judged, read, scene.view_of(data).lights)
            for animation in read.json.get("animations", ()):
                told = scene.extras(animation)
                last = max(read.accessor(s["input"])[-1] for s in animation["samplers"])
                judged.near(f"length of {animation['name']}", [last * 30], [told["ticks"]], 0.01)
            judge.values += judged.values
            judge.count(f"lamps {i}", judged)


# ---- answers ---------------------------------------------------------------------------------------------------------

SURFACES = " ".join("""
natural, sand, stalactite, grassland, thicket, snow, rocky cliff, gravel, wasteland, swamp, marsh, poisoned marsh,
lava rocks, ice, waterway, river, lake, sea, lava, road, wooden floor, stone floor, roof, stone wall, sky, darkness,
salt, book,
obstacle, rug, tree, box, brick, chimney, mud wall, bridge, water plant, stairs, furniture, ivy, deck, machine,
iron plate, moss, tombstone, waterfall, coffin""".split()).split(", ")
# From bit 7 down.
CAMERAS = ("NW top", "SW top", "SE top", "NE top", "NW bottom", "SW bottom", "SE bottom", "NE bottom")


def wanted_tile(mesh, x, z, level):
    """What is to be answered of a tile."""
    terrain = mesh["chunks"][files.TERRAIN]
    index = z * terrain["x"] + x
    tile = terrain["levels"][level][index]
    steps, high = facts.corner_heights(tile), facts.raised(tile["slope"])
    known = tile["slope"] in facts.SLOPE_NAMES
    if not known:
        steps, high = [tile["height"]] * 4, set()
    polygons = [f"{name}[{i}]" for name, kind in (("primary.textured_triangles", 0), ("primary.textured_quads", 1))
                for i, p in enumerate(mesh["chunks"].get(files.GEOMETRY, {"polygons": [[], []]})["polygons"][kind])
                if (p["x"], p["z"], p["level"]) == (x, z, level)]
    views = tile["camera_low"] | tile["camera_high"] << 4
    return {"x": x, "z": z, "level": level, "surface_value": tile["surface"], "height": tile["height"],
            "slope_height": tile["slope_height"], "slope_value": tile["slope"],
            "slope": facts.SLOPE_NAMES.get(tile["slope"]), "raised_corners": sorted(high),
            "corner_steps": dict(zip(facts.CORNERS, steps)),
            "corner_y": dict(zip(facts.CORNERS, [-12 * s for s in steps])), "depth": tile["depth"],
            "displayed_half_steps": facts.half_steps(tile), "thickness": tile["thickness"], "shading": tile["shading"],
            "flags": [w for w, is_set in (("absent", tile["missing"]), ("untargetable", tile["not_walkable"]),
                                          ("pass only", tile["pass_only"])) if is_set],
            "cameras_value": views,
            "cameras": ", ".join(n for i, n in enumerate(CAMERAS) if views >> (7 - i) & 1) or None,
            "path": f"terrain.levels[{level}][{index}]",
            "offset": mesh["slots"][files.TERRAIN] + 2 + 2048 * level + 8 * index, "polygons": polygons}


def judge_tiles(judge, name, path, data, tiles):
    mesh = files.read_mesh(data)
    texts = []
    for x, z, level in tiles:
        status, output, said = judge.run("explain", "--json", "--as", "fft-mesh", f"{path}#tile@{x},{z},{level}")
        if status:
            texts.append(f"tile {x},{z},{level}: dio explain (exit {status}): {said}")
            continue
        found, wanted = json.loads(output)["answer"], wanted_tile(mesh, x, z, level)
        found["flags"] = [flag.split(":")[0] for flag in found["flags"]]
        found["raised_corners"] = sorted(found["raised_corners"])
        judge.values += len(wanted)
        texts += [f"tile {x},{z},{level}: {key} {found.get(key)}, expected {value}" for key, value in wanted.items()
                  if found.get(key, "nothing") != value]
        surface = wanted["surface_value"]
        if surface < len(SURFACES) and not str(found.get("surface")).startswith(SURFACES[surface]):
            texts.append(f"surface {surface}: {found.get('surface')}, expected {SURFACES[surface]}")
    judge.count(f"{name}: tiles", texts)


def judge_polygons(judge, name, path, data, chosen):
    """chosen: [(slot, kind, index)]"""
    mesh = files.read_mesh(data)
    kinds, texts = ("textured_triangles", "textured_quads", "untextured_triangles", "untextured_quads"), []
    for slot, kind, index in chosen:
        polygon = mesh["chunks"][slot]["polygons"][kind][index]
        of = "primary" if slot == files.GEOMETRY else f"animated_{slot - files.ANIMATED[0] + 1}"
        status, output, said = judge.run("explain", "--json", "--as", "fft-mesh",
                                         f"{path}#polygon@{of}.{kinds[kind]}[{index}]")
        if status:
            texts.append(f"polygon {of}.{kinds[kind]}[{index}]: dio explain (exit {status}): {said}")
            continue
        found = json.loads(output)["answer"]
        wanted = {"path": f"{of}.{kinds[kind]}[{index}]"}
        corners = [dict(zip("xyz", p)) for p in polygon["positions"]]
        if kind < 2:
            for corner, (u, v), normal in zip(corners, polygon["uvs"], polygon["normals"]):
                corner.update(u=u, v=v, normal=dict(zip("xyz", (n / 4096 for n in normal))))
            bound = polygon["x"], polygon["z"]
            wanted.update(palette=polygon["clut"] & 63, page=polygon["page"] & 3, image=polygon["page"] >> 2 & 3,
                          blend=polygon["page"] >> 5 & 3,
                          tile=None if bound == (255, 127) else {**dict(zip("xz", bound)), "level": polygon["level"]})
        if slot == files.GEOMETRY and files.RENDER in mesh["chunks"]:
            word = mesh["chunks"][files.RENDER]["slots"][kind][index]
            wanted["hidden_from"] = ", ".join(facts.hidden_from(word)) or None
            if kind < 2:
                wanted["lit"] = facts.is_lit(word)
        wanted["corners"] = corners
        judge.values += len(wanted) + 5 * len(corners)
        texts += [f"{wanted['path']}: {key} {found.get(key)}, expected {value}" for key, value in wanted.items()
                  if found.get(key, "nothing") != value]
        texts += [f"{wanted['path']}: {what} at {at}" for what, at in found["offsets"].items()
                  if not holds(data, at, what, polygon, mesh, slot, kind, index)]
    judge.count(f"{name}: polygons", texts)


def holds(data, at, what, polygon, mesh, slot, kind, index):
    """Whether that part of a polygon really lies there."""
    if what in ("positions", "normals"):
        flat = [v for vector in polygon[what] for v in vector]
        return list(struct.unpack_from(f"<{len(flat)}h", data, at)) == flat
    if what == "texture":
        return data[at:at + 4] == bytes(polygon["uvs"][0]) + struct.pack("<H", polygon["clut"])
    if what == "unread":
        return data[at:at + 4] == polygon["unread"]
    if what == "tile":
        return data[at:at + 2] == bytes((polygon["z"] << 1 | polygon["level"], polygon["x"]))
    return what == "render" and at == mesh["slots"][files.RENDER] + 896 + 2 * (sum(files.RENDER_SLOTS[:kind]) + index)


# ---- states ----------------------------------------------------------------------------------------------------------

WEATHER = ("no-weather", "weather-alternate", "light-rain", "normal-rain", "heavy-rain", "weather=5", "weather=6",
           "weather=7")


class Map:
    """number, the index as it was read, files: {lba: (name, bytes)}"""

    def __init__(self, number, gns, by_lba):
        self.number, self.gns, self.files, self.meshes = number, gns, by_lba, {}

    @classmethod
    def of_folder(cls, gns_path):
        """Rows and files are paired by the order of both."""
        path = pathlib.Path(gns_path)
        gns = files.read_gns(path.read_bytes())
        found = [p for p in path.parent.iterdir() if re.fullmatch(path.stem + r"\.\d+", p.name)]
        found.sort(key=lambda p: int(p.suffix[1:]))
        lbas = sorted({row["lba"] for row in files.file_rows(gns)})
        if len(lbas) != len(found):
            raise files.FftError(f"{len(lbas)} files in rows, {len(found)} in the folder")
        return cls(int(path.stem[3:]), gns, {lba: (p.name, p.read_bytes()) for lba, p in zip(lbas, found)})

    @classmethod
    def of_disc(cls, placed, path):
        """placed: {path: (lba, bytes)}. Rows say where a file lies; what it is called does not matter."""
        by_lba = {lba: (other.split("/")[-1], data) for other, (lba, data) in placed.items()}
        return cls(int(path[-7:-4]), files.read_gns(placed[path][1]), by_lba)

    def mesh(self, lba):
        if lba not in self.meshes:
            self.meshes[lba] = files.read_mesh(self.files[lba][1])
        return self.meshes[lba]

    def chosen(self, night, weather, arrangement, crystals):
        """The rows of a state. The documents do not say what variable 0x22 is in another arrangement: it is taken to be
        that arrangement if a row asks for just that."""
        word = facts.state_word(arrangement, weather, night)
        asked = any(row["variable"] == 0x22 and row["state"] == word and row["type"] != files.FILLER
                    for row in self.gns["rows"])
        return facts.chosen(self.gns, {0x22: arrangement if asked else 0, 0x30: arrangement, 0x70: crystals}, weather,
                            night)

    def parts(self, rows):
        """({slot or page: name}, {slot: chunk}, texture): who gives what"""
        order = [rows[kind] for kind in (files.PRIMARY, files.OVERRIDE, files.ALTERNATE) if kind in rows]
        merged = facts.merged([(self.files[row["lba"]][0], self.mesh(row["lba"])) for row in order])
        givers, chunks = {s: n for s, (n, _) in merged.items()}, {s: c for s, (_, c) in merged.items()}
        texture = None
        if files.TEXTURE in rows:
            name, texture = self.files[rows[files.TEXTURE]["lba"]]
            for page in files.PAGES:
                givers[page] = name
                chunks.pop(page, None)
        return givers, chunks, texture


def state_name(night, weather, arrangement, crystals):
    words = ["night"] * night + [WEATHER[weather]] * bool(weather)
    words += [f"arrangement={arrangement}"] * bool(arrangement) + [f"crystals={crystals}"] * bool(crystals)
    return ",".join(words) or "day"


def part_of(map_):
    return f"map/{map_.number}"


def judge_map(judge, folder, map_, name, states, all_states=True, ticks=()):
    texts = []
    for state in states:
        rows = map_.chosen(*state)
        givers, chunks, texture = map_.parts(rows)
        words = state_name(*state)
        status, output, said = judge.run("maps", folder, part_of(map_), "--state", words, "--json")
        if status:
            texts.append(f"{words}: dio maps (exit {status}): {said}")
            continue
        told = json.loads(output)
        wanted = {PARTS[slot]: giver for slot, giver in givers.items()}
        if told["parts"] != wanted:
            texts.append(f"{words}: parts {sorted(set(told['parts'].items()) ^ set(wanted.items()))}")
        wanted = sorted((map_.gns["rows"].index(row), map_.files[row["lba"]][0]) for row in rows.values())
        if sorted((f["row"], f["file"]) for f in told["files"]) != wanted:
            texts.append(f"{words}: files {[(f['row'], f['file']) for f in told['files']]}, expected {wanted}")
        judge.values += len(givers) + len(wanted)
    judge.count(f"{name}: states", texts)
    with tempfile.TemporaryDirectory() as work:
        glb = pathlib.Path(work, "world.glb")
        for state in states:
            _, chunks, texture = map_.parts(map_.chosen(*state))
            words = state_name(*state)
            status, _, said = judge.run("world", "--quiet", "--force", folder, part_of(map_), "--state", words, "-o",
                                        glb)
            if status:
                judge.count(f"{name}, {words}", [f"dio world (exit {status}): {said}"])
                continue
            judged = scene.judge_scene(scene.read(glb), scene.View(chunks, texture), ticks=ticks)
            judge.values += judged.values
            judge.count(f"{name}, {words}", judged)
        if all_states:
            status, _, said = judge.run("world", "--quiet", "--force", folder, part_of(map_), "--all-states", "-o", glb)
            if status:
                judge.count(f"{name}, all states", [f"dio world (exit {status}): {said}"])
            else:
                judge_all_states(judge, name, map_, scene.read(glb))


def parse_state(words):
    night = weather = arrangement = crystals = 0
    for word in words.split(","):
        if word == "night":
            night = 1
        elif word.startswith("arrangement="):
            arrangement = int(word.split("=")[1])
        elif word.startswith("crystals="):
            crystals = int(word.split("=")[1])
        elif word not in ("default", "day"):
            weather = WEATHER.index(word.replace("snow", "rain"))
    return night, weather, arrangement, crystals


def listed_states(map_):
    """Every state that some row asks for."""
    found = {(0, 0, 0, 0)}
    for row in map_.gns["rows"]:
        if row["type"] == files.FILLER or facts.is_default(row) or row["variable"] not in (0x22, 0x30, 0x70):
            continue
        value, weather, night = files.bits(row["state"] & 0xFFFF, 12, 3, 1)
        if row["comparison"] == 1:
            found.add((night, weather, 0, value) if row["variable"] == 0x70 else (night, weather, value, 0))
    return found


def judge_all_states(judge, name, map_, glb):
    """One scene with all states: each is the nodes of one of them, with the materials of a variant."""
    variants = [v["name"] for v in glb.json.get("extensions", {}).get("KHR_materials_variants", {}).get("variants", ())]
    seen = set()
    for index in glb.order:
        told = scene.extras(glb.nodes[index])
        if told.get("kind") != "fft.state":
            continue
        for words in told["states"]:
            state = parse_state(words)
            seen.add(state)
            _, chunks, texture = map_.parts(map_.chosen(*state))
            variant = variants.index(words) if words in variants else None
            judged = scene.judge_scene(glb, scene.View(chunks, texture), index, variant=variant)
            judge.values += judged.values
            judge.count(f"{name}, all states, {words}", judged)
    missing = listed_states(map_) - seen
    # States that show the same as another need no nodes of their own.
    shown = [map_.parts(map_.chosen(*state))[0] for state in seen]
    missing = [state for state in missing if map_.parts(map_.chosen(*state))[0] not in shown]
    judge.count(f"{name}, all states", [f"{state_name(*state)} is missing" for state in missing])


def made_map(random_, seed):
    """Rows of any variable and comparison, overrides, alternates with and without geometry."""
    def light():
        return make.mesh_file({files.LIGHTS: make.lights(random_)})

    parts = make.mesh_parts(random_, (2, 3, 1, 1), (4, 3))
    for slot in (files.MESH_ANIMATIONS, files.TEXTURE_ANIMATIONS, files.PALETTE_FRAMES):
        del parts[slot]
    rows = [(0x17, 0, 0x22, 1, make.texture(random_)), (0x2E, 0, 0x22, 1, make.mesh_file(parts))]
    for _ in range(random_.randint(2, 7)):
        kind = random_.choice((files.OVERRIDE, files.ALTERNATE, files.ALTERNATE, files.ALTERNATE))
        variable = random_.choice((0x22, 0x22, 0x30, 0x70))
        value = random_.randint(0, 3) if variable != 0x22 else 0
        state = value | random_.choice((0, 0x2000, 0x4000)) | random_.choice((0, 0x8000))
        data = light()
        if random_.random() < 0.5:
            chunks = {files.PALETTES: make.palettes(random_)}
            if random_.random() < 0.6:
                chunks[files.GEOMETRY] = make.geometry(random_, (1, 2, 0, 1))
            if random_.random() < 0.4:
                chunks[files.ANIMATED[3]] = make.geometry(random_, (0, 1, 0, 0))
            if random_.random() < 0.4:
                chunks[files.TERRAIN] = make.terrain(random_, 3, 3)
            if random_.random() < 0.3:
                chunks[files.RENDER] = make.render(random_, (1, 2, 0, 1))
            data = make.mesh_file(chunks)
        rows.append((kind, state, variable, random_.choice((1, 1, 1, 2, 3)) if variable == 0x70 else 1, data))
    return make.whole_map(seed + 1, rows, 20000 + 200 * seed, 20199 + 200 * seed)


def judge_maps(judge, many):
    random_ = random.Random(31)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work, "MAP")
        folder.mkdir()
        for seed in range(many):
            for name, (_, data) in made_map(random_, seed).items():
                (folder / name).write_bytes(data)
        for seed in range(many):
            map_ = Map.of_folder(folder / f"MAP{seed + 1:03}.GNS")
            states = [*listed_states(map_), (1, 2, 1, 2), (0, 4, 0, 0), (1, 0, 2, 0)]
            states = sorted(set(states))
            judge_map(judge, work, map_, f"made map {seed + 1}", states, all_states=seed % 3 == 0)
        # Nobody knows which file a row means if there is one more.
        (folder / "MAP001.99").write_bytes(make.mesh_file({files.LIGHTS: bytes(45)}))
        status, _, said = judge.run("world", work, "map/1", "-o", pathlib.Path(work, "none.glb"))
        judge.count("rejects an extra file", [] if status and said else ["not rejected"])


# ---- the judge is judged ---------------------------------------------------------------------------------------------

def spoilt_glbs(glb_bytes, random_):
    """(what, bytes) of a GLB with one thing changed."""
    length, = struct.unpack_from("<I", glb_bytes, 12)
    told, start = json.loads(glb_bytes[20:20 + length]), 20 + length + 8

    def with_json(change):
        made = json.loads(json.dumps(told))
        change(made)
        text = json.dumps(made).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<I4s", len(text), b"JSON") + text + glb_bytes[20 + length:]
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body

    primitives = [p for m in told["meshes"][:1] for p in m["primitives"] if "TEXCOORD_0" in p["attributes"]]
    for attribute in ("POSITION", "NORMAL", "COLOR_0", "TEXCOORD_0", "_SOURCE"):
        having = [p for p in primitives if attribute in p["attributes"]]
        accessor = told["accessors"][random_.choice(having)["attributes"][attribute]]
        view = told["bufferViews"][accessor["bufferView"]]
        at = start + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        made = bytearray(glb_bytes)
        if accessor["componentType"] == 5126:
            value, = struct.unpack_from("<f", made, at)
            struct.pack_into("<f", made, at, value + (0.3 if attribute != "_SOURCE" else 1))
        else:
            value, = struct.unpack_from("<H", made, at)
            struct.pack_into("<H", made, at, value ^ 0x4000)
        yield attribute, bytes(made)
    yield "a missing triangle", with_json(lambda j: j["accessors"][
        next(p for p in j["meshes"][0]["primitives"] if "TEXCOORD_0" in p["attributes"])["indices"]].update(
            count=told["accessors"][primitives[0]["indices"]]["count"] - 3))
    yield "a wrong material", with_json(lambda j: next(
        p for p in j["meshes"][0]["primitives"] if "TEXCOORD_0" in p["attributes"]).update(
            material=primitives[1]["material"]))
    yield "a wrong scale", with_json(lambda j: j["nodes"][j["scenes"][0]["nodes"][0]].update(scale=[0.04] * 3))

    def wrong_height(j):
        tile = next(n for n in j["nodes"] if n.get("name") == "level 0")["extras"]["diorama"]
        tile["height"][0] += 1

    yield "a wrong height", with_json(wrong_height)
    node = next(n for n in told["nodes"] if n.get("name") == "level 0")
    accessor = told["accessors"][told["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"]]
    made = bytearray(glb_bytes)
    at = start + told["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0) + 4
    struct.pack_into("<f", made, at, struct.unpack_from("<f", made, at)[0] + 1)
    yield "a moved tile corner", bytes(made)


def judge_mutations(judge):
    random_ = random.Random(33)
    parts = make.mesh_parts(random_, (4, 6, 1, 1), (3, 3), animated=1)
    del parts[files.TEXTURE_ANIMATIONS], parts[files.MESH_ANIMATIONS]
    data = make.mesh_file({**parts, **{page: random_.randbytes(files.PAGE_SIZE) for page in files.PAGES}})
    with tempfile.TemporaryDirectory() as work:
        path, out = pathlib.Path(work, "one.mesh"), pathlib.Path(work, "one.glb")
        path.write_bytes(data)
        judge.run("convert", "--quiet", "--as", "fft-mesh", path, "-o", out)
        whole = out.read_bytes()
        for what, spoilt in spoilt_glbs(whole, random_):
            try:
                noticed = bool(scene.judge_scene(nitro_glb.Glb(spoilt), scene.view_of(data)))
            except (nitro_glb.GlbError, IndexError, ValueError):
                noticed = True
            judge.count(f"scene with {what}", [] if noticed else ["not detected"])
        # And what the file says, when the GLB stays: one texel, one colour, one light.
        for what, slot in (("texels", files.PAGES[0]), ("palettes", files.PALETTES), ("lights", files.LIGHTS),
                           ("render properties", files.RENDER), ("terrain", files.TERRAIN)):
            at, = struct.unpack_from("<I", data, 4 * slot)
            size = files.SIZES[slot]
            if slot == files.RENDER:
                at, size = at + 896, 2 * 4
            other = data[:at] + bytes(b ^ 0x15 for b in data[at:at + size]) + data[at + size:]
            noticed = bool(scene.judge_scene(nitro_glb.Glb(whole), scene.view_of(other)))
            judge.count(f"scene with other {what}", [] if noticed else ["not detected"])


def judge_made(judge):
    random_ = random.Random(30)
    odd = dict(make.odd_meshes(random_))
    for name in ("ordinary", "anything", "page", "17 by 16", "at the most seen", "limits over nine", "no geometry",
                 "out of order", "one mesh for two", "more than slots"):
        judge_single(judge, name, odd[name], ())
    for seed in range(4):
        judge_single(judge, f"moving parts {seed}", make.moving_map(random.Random(seed)))
    judge_single(judge, "moving pictures", make.moving_pictures(random.Random(3)), (0, 7, 31))
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work, "tiles.mesh")
        terrain = bytearray(make.terrain(random_, 16, 16))
        for i in range(256):  # every surface, every slope, every mask
            terrain[2 + 8 * i], terrain[6 + 8 * i], terrain[8 + 8 * i], terrain[9 + 8 * i] = i, i, i, 255 - i
        data = make.mesh_file({files.TERRAIN: bytes(terrain), files.GEOMETRY: make.geometry(random_, (40, 60, 1, 1))})
        path.write_bytes(data)
        judge_tiles(judge, "every value", path, data, [(i % 16, i // 16, 0) for i in range(0, 256, 3)])
        data = odd["ordinary"]
        path.write_bytes(data)
        judge_tiles(judge, "ordinary", path, data, [(x, z, level) for x in range(6) for z in (0, 3)
                                                    for level in (0, 1)])
        judge_polygons(judge, "ordinary", path, data, [(slot, kind, 0) for slot in (files.GEOMETRY, files.ANIMATED[1])
                                                       for kind in (0, 1, 3)] + [(files.GEOMETRY, 2, 1),
                                                                                 (files.GEOMETRY, 1, 8)])


def judge_folder(judge, folder):
    """Maps that somebody has."""
    for path in sorted(pathlib.Path(folder).rglob("MAP*.GNS")):
        map_ = Map.of_folder(path)
        states = sorted(listed_states(map_) | {(1, 2, 0, 0), (0, 3, 0, 0)})
        judge_map(judge, path.parent, map_, path.name, states, ticks=TICKS)


def main(arguments):
    many = 4
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (2, 3):
        sys.exit("usage: fft_maps_oracle.py [--many N] DIO SAMPLES [FOLDER]")
    judge = Judge(arguments[0])
    judge_mutations(judge)
    for path in sorted(pathlib.Path(arguments[1], "fft-mesh").rglob("*")):
        if path.is_file() and files.GEOMETRY in files.read_mesh(path.read_bytes())["chunks"]:
            judge_single(judge, path.name, path.read_bytes())
    judge_made(judge)
    judge_lamps(judge, random.Random(34), 3)
    judge_maps(judge, many)
    if len(arguments) == 3:
        judge_folder(judge, os.path.expanduser(arguments[2]))
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
