#!/usr/bin/env python3
"""Compares what `dio decode` says of SPLASHPACKs and of the files beside them with the second reader
(splashpack_files.py), value for value: none may be missing, none more. Judges which layout dio takes a pack for, `dio
verify`, and `dio encode` back.

    splashpack_oracle.py [--many N] DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, packs are made here at random (splashpack_make.py), N of any
content. FOLDER: packs that somebody has. A line a difference; `N passed, N failed` last.
"""
import json
import os
import pathlib
import random
import struct
import sys
import tempfile

import fft_oracle
import judging
import splashpack_files as files
import splashpack_make as make

ONE = 4096


# ---- as dio shows it -------------------------------------------------------------------------------------------------

def scaled(values):
    return [v / ONE for v in values]


def vector(values, one=ONE):
    return dict(zip("xyz", (v / one if one else v for v in values)))


def texels(words):
    return b"".join(word.to_bytes(2, "little") for word in words).hex()


def show_triangle(t):
    shown = {"positions": [vector(t[f"v{i}"]) for i in range(3)], "normal": vector(t["normal"]),
             "uvs": [dict(zip("uv", t[f"uv{i}"])) for i in range(3)], "unk_uvs": t["uv_pad"],
             "colors": [dict(zip(("red", "green", "blue", "unk_3"), t[f"c{i}"])) for i in range(3)]}
    if "tpage" in t:
        shown.update(page=t["tpage"], clut_x=t["clut_x"], clut_y=t["clut_y"], flags=t["flags"])
    return shown


def show_object(one):
    shown = {"position": vector(one["position"]), "rotation": scaled(one["rotation"]), "offset": one["offset"],
             "triangles": [show_triangle(t) for t in one["triangles"]]}
    for name, as_shown in (("tpage", "page"), ("clut_x", "clut_x"), ("clut_y", "clut_y"), ("colors", "colors"),
                           ("reserved", "unk_54"), ("script", "script"), ("flags", "flags")):
        if name in one:
            shown[as_shown] = one[name]
    return shown


def show_script(one):
    try:
        return {"offset": one["offset"], "text": one["text"].decode()}
    except UnicodeDecodeError:
        return {"offset": one["offset"], "text": {"hex": one["text"].hex()}}


def show_clut(one):
    shown = {"x": one["x"], "y": one["y"], "length": one["length"], "unk_a": one["pad"]}
    for name in ("offset", "colors"):
        if name in one:
            shown[name] = one[name]
    return shown


UNKNOWN = {"a3": ("unk_a",), "b": ("unk_a", "unk_c", "unk_e"), "b2": ("unk_c", "unk_e"), "c": ("unk_1a",),
           "e": ("unk_1e",)}


def show_early(data, form):
    pack, left = files.unread(data, files.read_early, form)
    header = pack["header"]
    shown = {"layout": files.FORMS.index(form), "version": pack["version"]}
    pads = header.get("pad", [])
    shown.update(zip(UNKNOWN.get(form, ()), pads if isinstance(pads, list) else [pads]))
    if "start" in header:
        shown.update(start=vector(header["start"]), rotation=vector(header["rotation"]), height=header["height"] / ONE)
    if "reserved" in header:
        shown["unk_1c"] = header["reserved"]
    if "scene_script" in header:
        shown["script"] = header["scene_script"]
    shown["scripts"] = [show_script(s) for s in pack["scripts"]]
    shown["objects"] = [show_object(one) for one in pack["objects"]]
    shown["navmeshes"] = [{"offset": n["offset"], "unk_6": n["pad"],
                           "triangles": [{"positions": [vector(t[f"v{i}"]) for i in range(3)]} for t in n["triangles"]]}
                          for n in pack["navmeshes"]]
    shown["atlases"] = [{**{k: a[k] for k in ("offset", "width", "height", "x", "y")}, "texels": texels(a["words"])}
                        for a in pack["atlases"]]
    shown["cluts"] = [show_clut(c) for c in pack["cluts"]]
    return shown, residue(left)


def residue(pieces):
    return [{"offset": at, "bytes": raw.hex()} for at, raw in pieces]


def show_vram(data, _):
    vram, left = files.unread(data, files.read_vram)
    return {"unk_7": vram["pad"],
            "atlases": [{**{k: a[k] for k in ("x", "y", "width", "height")}, "texels": texels(a["words"])}
                        for a in vram["atlases"]],
            "cluts": [{"x": c["x"], "y": c["y"], "unk_6": c["pad"], "colors": c["colors"]} for c in vram["cluts"]],
            "fonts": [{**{k: f[k] for k in ("glyph_width", "glyph_height", "x", "y", "height")},
                       "texels": f["bitmap"].hex()} for f in vram["fonts"]]}, residue(left)


def show_geo(data, _):
    geo, left = files.unread(data, files.read_geo)
    return {"sectors": geo["sectors"].hex()}, residue(left)


def show_spu(data, _):
    spu, left = files.unread(data, files.read_spu)
    return {"clips": [{"rate": c["rate"], "loop": c["loop"], "unk_7": c["pad"], "samples": c["adpcm"].hex()}
                      for c in spu["clips"]]}, residue(left)


# Fields of the header of version 20 that are shown as they are, besides counts of lists that are there.
PLAIN = {"bvh_refs": "bvh_ref_count", "scene_type": "scene_type", "collision_meshes": "world_mesh_count",
         "collision_triangles": "world_triangle_count", "nav_regions": "nav_region_count",
         "nav_portals": "nav_portal_count", "pad_58": "unk_3a", "name_table": "name_offset",
         "audio_clips": "audio_clip_count", "pad_66": "unk_42", "audio_table": "audio_offset", "fog": "fog",
         "fog_density": "fog_density", "pad_77": "unk_4d", "portals": "room_portal_count",
         "room_refs": "room_ref_count", "cutscenes": "cutscene_count", "room_cells": "room_cell_count",
         "cutscene_table": "cutscene_offset", "canvases": "canvas_count", "fonts": "font_count", "pad_95": "unk_5f",
         "ui_table": "ui_offset", "pixel_data": "pixels_offset", "animations": "animation_count",
         "room_portal_refs": "room_portal_ref_count", "animation_table": "animation_offset", "skins": "skin_count",
         "skin_table": "skin_offset", "memory_card": "memory_card_offset", "sprite_table": "sprite_offset",
         "sprite_sheets": "sprite_sheet_count", "sprite_anims": "sprite_animation_count", "scene_hash": "scene_hash",
         "lights": "light_offset", "stream_table": "stream_offset", "ordering_table": "ordering_table_size",
         "primitive_buffer": "primitive_buffer_size"}


def show_header(header, form):
    shown = {as_shown: header[name] for name, as_shown in PLAIN.items() if name in header}
    shown.update(zip(("move_speed", "sprint_speed", "jump_velocity", "gravity", "player_radius"),
                     scaled(header[name] for name in ("move", "sprint", "jump", "gravity", "radius"))))
    shown.update(zip(("fog_red", "fog_green", "fog_blue"), header["fog_color"]))
    shown.update(start=vector(header["start"]), rotation=vector(header["rotation"]), height=header["height"] / ONE,
                 script=header["scene_script"], layout=form, version=form)
    if form < 22:
        shown["unk_72"] = header["agents"]
    if form >= 22:
        shown["tilemap_offset" if form >= 23 else "unk_8c"] = header["tilemap"]
    return shown


def show_box(one):
    return {"min": vector(one["min"]), "max": vector(one["max"])}


def show_fields(one, **names):
    """Fields by other names: shown=stored."""
    return {shown: one[stored] for shown, stored in names.items()}


def text(data):
    return data.split(b"\0")[0].decode()


def show_named(one):
    shown = show_fields(one, offset="offset", name_length="name_length", unk_5="pad", name_offset="name_offset")
    return {**shown, **named(one, "name")}


def named(one, name, as_shown=None):
    return {} if one[name] is None else {as_shown or name: one[name].decode()}


def show_track(track):
    is_of_light = 14 <= track["type"] <= 18
    return {**show_fields(track, type="type", target_length="name_length", target_offset="name_offset",
                          keys_offset="keys_offset"), **named(track, "name", "target"),
            "light" if is_of_light else "unk_3": track["pad"],
            "keys": [{"interpolation": key["frame"] >> 13, "frame": key["frame"] & 0x1FFF, "values": key["values"]}
                     for key in track["key_list"]]}


def show_timeline(row):
    one = row["data"]
    shown = {**show_named(row), "frame_count": one["frames"], "tracks_offset": one["tracks_offset"],
             "skin_events_offset": one["skin_offset"], "tracks": [show_track(t) for t in one["track_list"]],
             "skin_events": [show_fields(e, frame="frame", skin="skin", clip="clip", loop="loop", unk_5="pad")
                             for e in one["skin_event_list"]]}
    if "audio_offset" not in one:
        return {**shown, "unk_3": one["pad_3"], "unk_9": one["pad"]}
    return {**shown, "unk_d": one["pad"], "audio_events_offset": one["audio_offset"],
            "audio_events": [show_fields(e, frame="frame", clip="clip", volume="volume", pan="pan", unk_5="pad")
                             for e in one["audio_event_list"]]}


def show_skin(row):
    one, bones = row["data"], row["data"]["bones"]
    clips = []
    for clip in one["clip_list"]:
        frames = [{"rotation": scaled(b["rotation"]), "translation": vector(b["translation"])} for b in clip["bones"]]
        clips.append({"name": clip["name"].decode(), "unk_end": 0, "flags": clip["flags"], "fps": clip["fps"],
                      "frame_count": clip["frames"], "frames": frames})
    return {**show_named(row), "object": one["object"], "bone_count": bones, "clips": clips,
            "corner_bones": [one["indices"][i:i + 3] for i in range(0, len(one["indices"]), 3)]}


def show_element(one):
    data, kind = one["data"], one["type"]

    def word(at, code="<H"):
        return struct.unpack(code, bytes(data[at:at + 2]))[0]
    shown = {**show_fields(one, type="type", flags="flags", name_length="name_length", unk_3="pad",
                           name_offset="name_offset", x="x", y="y", width="w", height="h", anchors="anchors",
                           unk_17="pad_23", text_offset="text_offset", unk_2c="pad_44"), **named(one, "name"),
             **named(one, "text"), **dict(zip(("red", "green", "blue"), one["color"]))}
    if kind == 0:
        shown.update(page_x=data[0], page_y=data[1], clut_x=word(2), clut_y=word(4), depth=data[10],
                     cell_width=data[11], cell_height=data[12], columns=data[13],
                     **{key: dict(zip("uv", data[at:at + 2])) for key, at in (("from", 6), ("to", 8), ("origin", 14))})
    elif kind == 2:
        shown["font"] = data[0]
    elif kind == 3:
        shown.update(zip(("back_red", "back_green", "back_blue", "value"), data))
    elif kind == 4:
        shown.update({key: word(2 * i, "<h") for i, key in enumerate(("x1", "y1", "x2", "y2"))})
    if kind != 0:
        shown["unk_18"] = data[{2: 1, 3: 4, 4: 8}.get(kind, 0):]
    return shown


def show_canvas(one):
    return {**show_fields(one, offset="offset", name_length="name_length", sort_order="order", flags="flags",
                          name_offset="name_offset"), **named(one, "name"),
            "elements": [show_element(e) for e in one["element_list"]]}


def show_nav(nav):
    regions = [{"xs": scaled(r["x"]), "zs": scaled(r["z"]),
                **dict(zip(("plane_a", "plane_b", "plane_d"), scaled(r["plane"]))),
                **show_fields(r, first_portal="portal_start", portal_count="portals", corner_count="corners",
                              surface="surface", room="room", flags="flags", walk_off="walk_off")}
               for r in nav["region_list"]]
    portals = [{**dict(zip(("ax", "az", "bx", "bz"), scaled([*p["a"], *p["b"]]))), "region": p["neighbour"],
                "step": p["step"] / ONE} for p in nav["portal_list"]]
    return {"start_region": nav["start"], "unk_6": nav["pad"], "regions": regions, "portals": portals}


def show_agent(one):
    return {**show_fields(one, object="object", flags="flags", alert_timeout="alert_timeout", clips="clips",
                          portal_hops="portal_hops", unk_19="pad"),
            **{key: one[key] / ONE for key in ("speed", "stop_distance", "sight_range", "view_cosine",
                                               "hearing_range")},
            "waypoints": [vector(point["position"]) for point in one["waypoint_list"]]}


def show_sheet(one):
    return {**show_fields(one, unk_11="pad_17", unk_12="pad_18",
                          **{key: key for key in ("name_offset", "page_x", "page_y", "clut_x", "clut_y", "cell_width",
                                                  "cell_height", "columns", "rows", "depth")}),
            "origin": dict(zip("uv", one["origin"])), **named(one, "name")}


def show_sprite(one):
    return {**show_fields(one, name_offset="name_offset", sheet="sheet", first_cell="first", cell_count="cells",
                          duration="duration", loop="loop", unk_9="pad_9", unk_a="pad_10"), **named(one, "name")}


def show_tilemap(one):
    return {**show_fields(one, width="width", height="height", tile_width="tile_width", tile_height="tile_height",
                          sheet="sheet", unk_7="pad_7", unk_a="pad_10", tiles_offset="cells_offset",
                          objects_offset="objects_offset"), "tiles": one["tiles"], "tile_objects": one["object_list"]}


def show_light(one):
    return {"position": vector(one["position"]), "radius": one["radius"] / ONE, "intensity": one["intensity"] / ONE,
            **dict(zip(("red", "green", "blue"), one["color"])), **named(one, "name"),
            **show_fields(one, flags="flags", unk_16="pad_22", name_offset="name_offset")}


def show_stream(one):
    regions = [{**dict(zip(("min_x", "min_z", "max_x", "max_z"), scaled(region["bounds"]))),
                **show_fields(region, sector="sector", size="bytes", first_ref="first_ref", ref_count="refs",
                              unk_1c="pad_28")} for region in one["region_list"]]
    return {**show_fields(one, slot_count="slots", unk_6="pad_6", slot_size="slot_bytes"), "regions": regions,
            "load_radius": one["load_radius"] / ONE, "unload_radius": one["unload_radius"] / ONE,
            "refs": [show_fields(ref, object="object", triangle_count="triangles", offset="offset")
                     for ref in one["ref_list"]]}


def show_newer(pack, form):
    """What came with version 21 to 25."""
    shown = {}
    if form >= 22:
        shown.update(agents=[show_agent(one) for one in pack["agents"]],
                     sprite_sheets=[show_sheet(one) for one in pack["sheets"]],
                     sprite_animations=[show_sprite(one) for one in pack["sprite_animations"]])
    if pack["tilemap"]:
        shown["tilemap"] = show_tilemap(pack["tilemap"])
    if pack["lights"]:
        shown["lights"] = {"unk_2": pack["lights"]["pad_2"], "entries": [show_light(e) for e in pack["lights"]["list"]]}
    if pack["stream"]:
        shown["stream"] = show_stream(pack["stream"])
    return shown


def show_late(data, form):
    pack, left = files.unread(data, files.read_late)
    shown = show_header(pack["header"], form)
    shown["scripts"] = [show_script(s) for s in pack["scripts"]]
    shown["objects"] = []
    for i, one in enumerate(pack["objects"]):
        row = {**show_object(one), "interactable": one["interactable"], "uv_offset": dict(zip("uv", one["uv_offset"])),
               "unk_64": one["events"], "box": show_box(one)}
        if pack["header"]["name_table"]:
            row.update(name=pack["names"][i].decode(), unk_name_end=0)
        shown["objects"].append(row)
    shown["colliders"] = [{"box": show_box(c), **show_fields(c, type="type", mask="mask", object="object",
                                                             unk_1c="pad")} for c in pack["colliders"]]
    shown["triggers"] = [{"box": show_box(t), "script": t["script"], "unk_1a": t["pad"][0] | t["pad"][1] << 8,
                          "unk_1c": int.from_bytes(bytes(t["pad"][2:]), "little")} for t in pack["triggers"]]
    shown["bvh_nodes"] = [{"box": show_box(n), **show_fields(n, left="left", right="right", first_ref="first",
                                                             ref_count="count")} for n in pack["bvh_nodes"]]
    shown["interactables"] = [{"radius_squared": i["radius_squared"] / ONE, "prompt_canvas": text(bytes(i["prompt"])),
                               **show_fields(i, button="button", flags="flags", cooldown="cooldown", object="object",
                                             current_cooldown="current_cooldown")} for i in pack["interactables"]]
    if pack["nav"]:
        shown["nav"] = show_nav(pack["nav"])
    shown["rooms"] = [{"box": show_box(r), **show_fields(
        r, first_ref="first_ref", ref_count="refs", first_cell="first_cell", cell_count="cells",
        portal_ref_count="portals", first_portal_ref="first_portal", unk_22="pad")} for r in pack["rooms"]]
    shown["room_portals"] = [{"room_a": p["rooms"][0], "room_b": p["rooms"][1], "half_width": p["half"][0] / ONE,
                              "half_height": p["half"][1] / ONE, "unk_1a": p["pad"],
                              **{key: vector(p[key]) for key in ("center", "normal", "right", "up")}}
                             for p in pack["portals"]]
    shown["room_cells"] = [{"box": show_box(c), "first_ref": c["first_ref"], "ref_count": c["refs"]}
                           for c in pack["room_cells"]]
    shown["bvh_refs"], shown["room_refs"] = pack["bvh_refs"], pack["room_refs"]
    shown["room_portal_refs"] = [{"portal": r["portal"], "room": r["other"]} for r in pack["room_portal_refs"]]
    shown["atlases"] = [show_fields(a, offset="offset", width="width", height="height", x="x", y="y")
                        for a in pack["atlases"]]
    shown["cluts"] = [show_clut(c) for c in pack["cluts"]]
    shown["audio_clips"] = [{**show_fields(c, offset="offset", size="size", rate="rate", loop="loop",
                                           name_length="name_length", name_offset="name_offset"), **named(c, "name")}
                            for c in pack["audio"]]
    shown["cutscenes"] = [show_timeline(row) for row in pack["cutscenes"]]
    shown["animations"] = [show_timeline(row) for row in pack["animations"]]
    shown["skins"] = [show_skin(row) for row in pack["skins"]]
    shown["fonts"] = [show_fields(f, glyph_width="glyph_width", glyph_height="glyph_height", x="x", y="y",
                                  height="height", offset="offset", size="size", advances="advances")
                      for f in pack["fonts"]]
    shown["canvases"] = [show_canvas(c) for c in pack["canvases"]]
    card = pack["memory_card"]
    if card:
        shown["memory_card"] = {**{key: text(card[key]) for key in ("region", "product", "title")},
                                "icon_count": card["frames"], "unk_2d": card["pad_45"], "unk_2e": card["pad_46"],
                                "colors": card["colors"],
                                "icons": [list(card["icons"][i:i + 128]) for i in range(0, 384, 128)]}
    shown.update(show_newer(pack, form))
    return shown, residue(left)


def show(kind, data, form):
    if kind == "splashpack":
        return show_late(data, form) if files.is_late(form) else show_early(data, form)
    return {"splashpack-vram": show_vram, "splashpack-spu": show_spu, "splashpack-geo": show_geo}[kind](data, form)


def told_differences(kind, told, data, form):
    """(lines of what differs between a document of dio's and the file, values that were compared)"""
    expected, rest = show(kind, data, form)
    wanted = {"document": expected, "residue": rest}
    found = {"document": told.get("document"), "residue": told.get("residue", [])}
    texts = [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}" for p, f, e in fft_oracle.differences(found, wanted)]
    if told.get("format") != kind or told.get("size") != len(data):
        texts.append(f"told of {told.get('format')}, {told.get('size')} bytes; it is {kind}, {len(data)} bytes")
    return texts, fft_oracle.count_values(wanted)


def taken_for(told, forms):
    """The one of `forms` that dio says, or None."""
    number = told["document"].get("layout")
    return next((form for form in forms if (form if files.is_late(form) else files.FORMS.index(form)) == number), None)


# ---- running dio -----------------------------------------------------------------------------------------------------

class Judge(judging.Judge):
    def decode(self, kind, named, options=()):
        """Every value of files of one format, and the same bytes again from what was told. named: [(name, bytes,
        layout)]; several layouts if without objects, say, there is no telling them apart."""
        for start in range(0, len(named), 40):
            self._decode(kind, named[start:start + 40], options)

    def _decode(self, kind, named, options):
        suffix = kind.replace("splashpack-", ".").replace("splashpack", ".splashpack")
        with tempfile.TemporaryDirectory() as work:
            folder, out, again = (pathlib.Path(work, name) for name in ("in", "out", "again"))
            folder.mkdir()
            paths = [folder / f"{i:04}{suffix}" for i in range(len(named))]
            for path, (_, data, _) in zip(paths, named):
                path.write_bytes(data)
            status, _, said = self.run("verify", "--quiet", *options, *paths)
            self.count(f"{len(named)} of {kind}, verify", [said or f"exit {status}"] * bool(status))
            status, _, said = self.run("decode", "--quiet", *options, *paths, "-o", f"{out}/")
            told = []
            for path, (name, data, form) in zip(paths, named):
                shown = out / f"{path.stem}.json"
                if not shown.exists():
                    self.count(name, [f"dio decode (exit {status}): {said}"])
                    continue
                document = json.loads(shown.read_text())
                if isinstance(form, list):
                    form = taken_for(document, form)
                    if form is None:
                        self.count(name, [f"detected as layout {document['document'].get('layout')}"])
                        continue
                texts, values = told_differences(kind, document, data, form)
                self.values += values
                self.count(f"{kind}: {name}", texts)
                told.append(shown)
            status, _, said = self.run("encode", "--quiet", *told, "-o", f"{again}/")
            for path, (name, data, _) in zip(paths, named):
                found = [p.read_bytes() for p in again.glob(f"{path.stem}*")] if again.exists() else []
                self.count(f"{kind}: {name}, encoded", [] if found == [data] else [
                    f"{[len(f) for f in found]} bytes, not the {len(data)} there were (exit {status}): {said}"])


# ---- what is judged --------------------------------------------------------------------------------------------------

def judge_folder(judge, folder):
    """Every pack, and what lies beside it."""
    by_kind = {}
    for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        data = path.read_bytes()
        if data[:2] == b"SP":
            found = files.detect(data)
            by_kind.setdefault("splashpack", []).append((path.name, data, found))
        elif data[:2] in (b"VR", b"SA"):
            by_kind.setdefault({b"VR": "splashpack-vram", b"SA": "splashpack-spu"}[data[:2]], []).append(
                (path.name, data, None))
        elif path.suffix == ".geo":
            by_kind.setdefault("splashpack-geo", []).append((path.name, data, None))
    for kind, named in by_kind.items():
        judge.decode(kind, named)
    return by_kind


def judge_made(judge, many):
    random_, named = random.Random(50), []
    for form in files.FORMS:
        # What fits two layouts is nobody's.
        named += [(f"{form}: {name}", data, form) for name, data in make.odd_early(random_, form)
                  if files.detect(data) == [form]]
        # One block too many or too short does not hide what the others say; the user says what dio cannot know.
        gappy = list(make.gappy_early(random_, form))
        named += [(f"{form}: {name}", data, [form]) for name, data in gappy if name != "bytes between blocks"]
        judge.decode("splashpack", [(f"{form}: {name}, told", data, form) for name, data in gappy], ("--layout", form))
    for i in range(many):
        form = random_.choice(files.FORMS)
        data = make.early(form, make.scene(random_, form, random_.choice(((1,), (0,), (0, 1), (2,))),
                                           random_.randint(1, 6), 12, random_.random() < 0.4))
        if files.detect(data) == [form]:
            named.append((f"{form}: made {i}", data, form))
    judge.decode("splashpack", named)
    parts = [make.full(random_, random_.choice((20, 21)), bare=i % 6 == 5) for i in range(many // 2)]
    named = []
    for version in range(21, 26):
        for i in range(max(3, many // 6)):
            made = make.newer(random_, make.full(random_, version))
            named.append((f"v{version}: made {i}", make.late(version, made), version))
    judge.decode("splashpack", named)
    judge.decode("splashpack-vram", [(f"memory {i}", make.vram(p), None) for i, p in enumerate(parts)])
    judge.decode("splashpack-spu", [(f"sounds {i}", make.spu(p), None) for i, p in enumerate(parts)])
    judge.decode("splashpack", [(f"v{v}: made {i}", make.late(v, p), v) for i, p in enumerate(parts) for v in (20, 21)])


# ---- the judge is judged ---------------------------------------------------------------------------------------------

def judge_mutations(judge, count=40):
    """Damages one value of a document; the comparison must report it."""
    random_ = random.Random(51)
    parts = make.full(random_, 21)
    made = [("splashpack", make.early(form, make.scene(random_, form, (0,), 2, 3)), form) for form in files.FORMS]
    made += [("splashpack-vram", make.vram({**parts, "atlases": []}), None), ("splashpack-spu", make.spu(parts), None),
             ("splashpack", make.late(21, parts), 21),
             ("splashpack", make.late(25, make.newer(random_, make.full(random_, 25))), 25)]
    for kind, data, form in made:
        shown, rest = show(kind, data, form)
        told = {"format": kind, "size": len(data), "document": shown, **({"residue": rest} if rest else {})}
        judge.count(f"{kind}, undamaged", told_differences(kind, told, data, form)[0])
        paths = [path for path in fft_oracle.leaves(told) if path[0] in ("document", "residue")]
        for path in random_.sample(paths, min(len(paths), count // 3)):
            for how in ("changed", "missing", "more"):
                texts, _ = told_differences(kind, fft_oracle.spoilt(told, path, how), data, form)
                judge.count(f"{kind}: {path} {how}", [] if texts else ["not detected"])


def main(arguments):
    many = 30
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (2, 3):
        sys.exit("usage: splashpack_oracle.py [--many N] DIO SAMPLES [FOLDER]")
    judge = Judge(arguments[0])
    judge_mutations(judge)
    for kind in ("splashpack", "splashpack-vram", "splashpack-spu", "splashpack-geo"):
        if not judge_folder(judge, pathlib.Path(arguments[1], kind)):
            judge.count(kind, ["no samples"])
    judge_made(judge, many)
    if len(arguments) == 3:
        judge_folder(judge, os.path.expanduser(arguments[2]))
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
