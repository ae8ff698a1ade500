"""SPLASHPACK scenes made at random within and beyond what the documents allow, always the same for the same seed: packs
of every layout, of version 20 and later with every section, and the files of video and sound memory beside them."""
import random
import struct

import splashpack_files as files


def write(fields, record):
    """The bytes of a record; what it does not have is zero."""
    made = b""
    for field in fields.split():
        name, code = field.split(":")
        value = record.get(name, None)
        if code.endswith("]"):
            code, count = code[:-1].split("[")
            made += struct.pack("<" + count + code, *(value if value is not None else [0] * int(count)))
        elif code.endswith("s"):
            made += struct.pack("<" + code, value or b"")
        else:
            made += struct.pack("<" + code, value or 0)
    return made


class Writer:
    def __init__(self):
        self.data = bytearray()

    def align(self, to=4):
        self.data += bytes(files.align(len(self.data), to) - len(self.data))
        return len(self.data)

    def add(self, data):
        """Where it lies."""
        at = len(self.data)
        self.data += data
        return at

    def put(self, at, data):
        self.data[at:at + len(data)] = data

    def text(self, data):
        return self.add(data + b"\0")


def header_bytes(form, parts, **counts):
    version = form if files.is_late(form) else 1
    record = {**parts.get("header", {}), **counts}
    return b"SP" + struct.pack("<H", parts.get("version", version)) + write(files.HEADERS[form], record)


# ---- packs of 2025 ---------------------------------------------------------------------------------------------------

def early(form, parts, between=None):
    """between(writer): what to put before each block besides the padding."""
    writer = Writer()
    kinds = ("scripts", "objects", "navmeshes", "atlases", "cluts")
    lists = {kind: parts.get(kind, []) for kind in kinds}
    writer.add(header_bytes(form, parts, **{kind: len(rows) for kind, rows in lists.items()
                                            if kind + ":" in files.HEADERS[form]}))
    triangle = files.OLD_TRIANGLE if form in ("a1", "a2") else files.TRIANGLE
    clut = files.OLD_CLUT if form == "a3" else files.CLUT
    later = []
    for kind, fields in (("scripts", files.SCRIPT), ("objects", files.OBJECTS[form]), ("navmeshes", files.NAVMESH),
                         ("atlases", files.ATLAS), ("cluts", clut)):
        if kind + ":" not in files.HEADERS[form]:
            continue
        for one in lists[kind]:
            row = dict(one)
            if kind == "scripts":
                data = one["text"]
                row.setdefault("length", len(data))
            elif kind == "objects":
                data = b"".join(write(triangle, t) for t in one["triangles"])
                row["count"] = len(one["triangles"])
            elif kind == "navmeshes":
                data = b"".join(write(files.NAV_TRIANGLE, t) for t in one["triangles"])
                row["count"] = len(one["triangles"])
            elif kind == "atlases":
                data = struct.pack(f"<{len(one['words'])}H", *one["words"])
            elif form == "a3":
                row["length"] = row.get("length", len(one["colors"]))
                row["colors"], data = (one["colors"] + [0] * 256)[:256], None
            else:
                row["length"], data = len(one["colors"]), struct.pack(f"<{len(one['colors'])}H", *one["colors"])
            at = writer.add(write(fields, row))
            if data is not None:
                later.append((at + offset_in(fields), data, one.get("same")))
    places = []
    for at, data, same in later:
        if same is None:
            writer.align()
            if between:
                between(writer)
            place = writer.add(data)
        else:
            place = places[same]  # a block that another has, too; by its number of all blocks
        places.append(place)
        writer.put(at, struct.pack("<I", place))
    return bytes(writer.data) + parts.get("trailing", b"")


def offset_in(fields):
    at = 0
    for field in fields.split():
        if field == "offset:I":
            return at
        at += files.size_of(field)
    raise AssertionError("no offset")


# ---- version 20 and later --------------------------------------------------------------------------------------------

def timeline(writer, one, fields, has_audio):
    """A cutscene or an animation; where it lies."""
    writer.align()
    tracks, skins = one["tracks"], one.get("skin_events", [])
    row = {**one, "tracks": len(tracks), "skin_events": len(skins), "audio_events": len(one.get("audio_events", []))}
    at = writer.add(bytes(files.size_of(fields)))
    row["tracks_offset"] = start = writer.add(bytes(files.size_of(files.TRACK) * len(tracks)))
    rows = []
    for track in tracks:
        writer.align()
        keys = writer.add(b"".join(write(files.KEY, key) for key in track["keys"]))
        rows.append({"type": track["type"], "pad": track.get("pad", 0), "keys": len(track["keys"]), "name_length": len(track["name"]),
                     "keys_offset": keys})
    for track, made in zip(tracks, rows):
        if track["name"]:
            made["name_offset"] = writer.text(track["name"])
    writer.put(start, b"".join(write(files.TRACK, made) for made in rows))
    if has_audio:
        writer.align()
        data = b"".join(write(files.AUDIO_EVENT, event) for event in one["audio_events"])
        row["audio_offset"] = writer.add(data) if data else 0
    writer.align()
    data = b"".join(write(files.SKIN_EVENT, event) for event in skins)
    row["skin_offset"] = writer.add(data) if data else 0
    writer.put(at, write(fields, row))
    return at


def named_table(writer, rows, add):
    """A table of names and data; add(row) writes the data and gives its place."""
    writer.align()
    table = writer.add(bytes(files.size_of(files.NAMED) * len(rows)))
    for i, row in enumerate(rows):
        place = add(row)
        name = writer.text(row["name"])
        writer.put(table + i * files.size_of(files.NAMED), write(files.NAMED, {
            "offset": place, "name_length": len(row["name"]), "name_offset": name}))
    return table


def skin(writer, one):
    writer.align()
    at = writer.add(struct.pack("<HBB", one["object"], one["bones"], len(one["clips"])) + bytes(one["indices"]))
    writer.align()
    for clip in one["clips"]:
        writer.add(bytes([len(clip["name"])]) + clip["name"] + b"\0" + bytes((clip["flags"], clip["fps"])))
        writer.align(2)
        writer.add(struct.pack("<H", clip["frames"]) + b"".join(write(files.BONE, bone) for bone in clip["bones"]))
    return at


def interface(writer, parts):
    writer.align()
    fonts, canvases = parts.get("fonts", []), parts.get("canvases", [])
    table = writer.add(b"".join(write(files.FONT, {**font, "size": len(font["bitmap"])}) for font in fonts))
    rows = writer.add(bytes(files.size_of(files.CANVAS) * len(canvases)))
    made = []
    for canvas in canvases:
        row = {**canvas, "elements": len(canvas["elements"]), "name_length": len(canvas["name"])}
        made.append(row)
        if canvas["elements"]:
            writer.align()
            size = files.size_of(files.ELEMENT)
            row["offset"] = writer.add(bytes(size * len(canvas["elements"])))
            for i, element in enumerate(canvas["elements"]):
                one = {**element, "name_length": len(element["name"])}
                one["text_offset"] = writer.text(element["text"]) if element.get("text") else 0
                one["name_offset"] = writer.text(element["name"])
                writer.put(row["offset"] + i * size, write(files.ELEMENT, one))
    for i, row in enumerate(made):
        row["name_offset"] = writer.text(row["name"])
        writer.put(rows + i * files.size_of(files.CANVAS), write(files.CANVAS, row))
    return table


def named_rows(writer, first, fields, rows):
    """The names of rows that lie at `first`, behind one another."""
    for i, row in enumerate(rows):
        offset = writer.text(row["name"]) if row["name"] else 0
        writer.put(first + i * files.size_of(fields), write(fields, {**row, "name_offset": offset}))


def add_newer(writer, header, version, parts):
    """What came with version 21 to 24, in the order of the exporter."""
    sheets, sprites = parts.get("sheets", []), parts.get("sprite_animations", [])
    if version >= 22 and (sheets or sprites):
        header.update(sprite_sheets=len(sheets), sprite_anims=len(sprites), sprite_table=writer.align())
        first = writer.add(bytes(files.size_of(files.SHEET) * len(sheets)))
        second = writer.add(bytes(files.size_of(files.SPRITE) * len(sprites)))
        named_rows(writer, first, files.SHEET, sheets)
        named_rows(writer, second, files.SPRITE, sprites)
    tilemap = parts.get("tilemap")
    if tilemap and version >= 23:
        row = {**tilemap, "objects": len(tilemap["object_list"])}
        header["tilemap"] = at = writer.align()
        writer.add(bytes(files.size_of(files.TILEMAP)))
        row["cells_offset"] = writer.add(b"".join(write(files.TILE, tile) for tile in tilemap["tiles"]))
        if tilemap["object_list"]:
            row["objects_offset"] = writer.align(2)
            writer.add(b"".join(write(files.TILE_OBJECT, one) for one in tilemap["object_list"]))
        writer.put(at, write(files.TILEMAP, row))
    lights = parts.get("lights")
    if lights and version >= 24:
        header["lights"] = writer.align()
        writer.add(write(files.LIGHTS, {**lights, "count": len(lights["list"])}))
        first = writer.add(bytes(files.size_of(files.LIGHT) * len(lights["list"])))
        named_rows(writer, first, files.LIGHT, lights["list"])
    if parts.get("memory_card") and version >= 21:
        writer.align()
        header["memory_card"] = writer.add(write(files.MEMORY_CARD, parts["memory_card"]))
    stream = parts.get("stream")
    if stream and version >= 21:
        header["stream_table"] = writer.align()
        regions, refs = stream["region_list"], stream["ref_list"]
        writer.add(write(files.STREAM, {**stream, "regions": len(regions), "refs": len(refs)}))
        for fields, rows in ((files.STREAM_REGION, regions), (files.STREAM_REF, refs)):
            writer.add(b"".join(write(fields, row) for row in rows))


COUNTED = ("scripts", "objects", "colliders", "triggers", "bvh_nodes", "bvh_refs", "interactables")
ROOMS = (("rooms", files.ROOM), ("portals", files.PORTAL), ("room_refs", files.REF), ("room_cells", files.ROOM_CELL),
         ("room_portal_refs", files.ROOM_PORTAL))


def late(version, parts):
    """As SplashEdit writes it: the blocks one behind the other in its order."""
    writer, header = Writer(), dict(parts.get("header", {}))
    nav = parts.get("nav")
    header.update({name: len(parts.get(name, [])) for name in COUNTED})
    header.update({name: len(parts.get(name, [])) for name, _ in ROOMS})
    header.update({name: len(parts.get(name, [])) for name in ("atlases", "cluts", "cutscenes", "animations", "skins",
                                                             "canvases", "fonts")})
    header["audio_clips"] = len(parts.get("audio", []))
    header["nav_regions"] = len(nav["region_list"]) if nav else 0
    header["nav_portals"] = len(nav["portal_list"]) if nav else 0
    writer.add(bytes(files.header_size(version)))
    scripts = [writer.add(write(files.SCRIPT, {"length": len(one["text"])})) for one in parts.get("scripts", [])]
    objects = [writer.add(write(files.LATE_OBJECT, {**one, "count": len(one["triangles"])}))
               for one in parts.get("objects", [])]
    for name, fields in (("colliders", files.COLLIDER), ("triggers", files.TRIGGER), ("bvh_nodes", files.BVH_NODE),
                         ("bvh_refs", files.REF), ("interactables", files.INTERACTABLE)):
        writer.add(b"".join(write(fields, one) for one in parts.get(name, [])))
    if version >= 22:
        agents = parts.get("agents", [])
        header["agents"] = len(agents)
        writer.add(b"".join(write(files.AGENT, {**one, "waypoints": len(one["waypoint_list"])}) for one in agents))
        writer.add(b"".join(write(files.WAYPOINT, point) for one in agents for point in one["waypoint_list"]))
    if nav and nav["region_list"]:
        writer.align()
        writer.add(write(files.NAV_HEADER, {**nav, "regions": header["nav_regions"], "portals": header["nav_portals"]}))
        writer.add(b"".join(write(files.NAV_REGION, one) for one in nav["region_list"]))
        writer.add(b"".join(write(files.NAV_PORTAL, one) for one in nav["portal_list"]))
    if header["rooms"]:
        writer.align()
        for name, fields in ROOMS:
            writer.add(b"".join(write(fields, one) for one in parts.get(name, [])))
    for one in parts.get("atlases", []):
        writer.add(write(files.ATLAS, one))
    for one in parts.get("cluts", []):
        writer.add(write(files.CLUT, {**one, "length": len(one["colors"])}))
    for at, one in zip(scripts, parts.get("scripts", [])):
        writer.align()
        writer.put(at, struct.pack("<I", writer.add(one["text"])))
    for at, one in zip(objects, parts.get("objects", [])):
        writer.align()
        writer.put(at, struct.pack("<I", writer.add(b"".join(write(files.TRIANGLE, t) for t in one["triangles"]))))
    if parts.get("names") is not None:
        header["name_table"] = writer.align()
        for name in parts["names"]:
            writer.add(bytes([len(name)]) + name + b"\0")
    if parts.get("audio"):
        writer.align()
        clips = parts["audio"]
        header["audio_table"] = table = writer.add(bytes(files.size_of(files.AUDIO) * len(clips)))
        for i, clip in enumerate(clips):
            row = {**clip, "size": len(clip["adpcm"]), "name_length": len(clip["name"]),
                   "name_offset": writer.text(clip["name"])}
            writer.put(table + i * files.size_of(files.AUDIO), write(files.AUDIO, row))
    if parts.get("cutscenes"):
        header["cutscene_table"] = named_table(writer, parts["cutscenes"],
                                               lambda one: timeline(writer, one, files.CUTSCENE, True))
    if parts.get("animations"):
        header["animation_table"] = named_table(writer, parts["animations"],
                                                lambda one: timeline(writer, one, files.ANIMATION, False))
    if parts.get("skins"):
        header["skin_table"] = named_table(writer, parts["skins"], lambda one: skin(writer, one))
    if parts.get("canvases") or parts.get("fonts"):
        header["ui_table"] = interface(writer, parts)
    add_newer(writer, header, version, parts)
    writer.put(0, header_bytes(version, {**parts, "header": header}))
    return bytes(writer.data) + parts.get("trailing", b"")


def vram(parts):
    writer = Writer()
    atlases, cluts, fonts = (parts.get(name, []) for name in ("atlases", "cluts", "fonts"))
    writer.add(b"VR" + struct.pack("<HHBB", len(atlases), len(cluts), len(fonts), 0))
    for one in atlases:
        writer.add(write("x:H y:H width:H height:H", one) + struct.pack(f"<{len(one['words'])}H", *one["words"]))
        writer.align()
    for one in cluts:
        writer.add(write("x:H y:H length:H pad:H", {**one, "length": len(one["colors"])}))
        writer.add(struct.pack(f"<{len(one['colors'])}H", *one["colors"]))
        writer.align()
    for one in fonts:
        writer.add(write("glyph_width:B glyph_height:B x:H y:H height:H size:I", {**one, "size": len(one["bitmap"])}))
        writer.add(one["bitmap"])
        writer.align()
    return bytes(writer.data)


def spu(parts):
    writer = Writer()
    clips = parts.get("audio", [])
    writer.add(b"SA" + struct.pack("<H", len(clips)))
    for one in clips:
        writer.add(write("size:I rate:H loop:B pad:B", {**one, "size": len(one["adpcm"])}) + one["adpcm"])
        writer.align()
    return bytes(writer.data)


# ---- content ---------------------------------------------------------------------------------------------------------

TURNS = ((4096, 0, 0, 0, 4096, 0, 0, 0, 4096), (0, 0, 4096, 0, 4096, 0, -4096, 0, 0),
         (4096, 0, 0, 0, 2896, -2896, 0, 2896, 2896))
OUTSIDE = (4096, 0, 0, 0, 4096, 0, 0, 0, 4096)


def tpage(x, y, depth, mode=0, dither=1):
    return x // 64 | y // 256 << 4 | mode << 5 | depth << 7 | dither << 9


def pictures(random_, depths=(1,), y=0):
    """An atlas of each depth and a palette for each of 4 or 8 bits, where real ones lie."""
    atlases, cluts, x, row = [], [], 320, 240
    for depth in depths:
        width = 64 << depth
        atlases.append({"x": x, "y": y, "width": width, "height": 256,
                        "words": [random_.randint(1, 0x7FFF) if depth == 2 else random_.randint(0, 0xFFFF)
                                  for _ in range(width * 256)]})
        x += width
        if depth < 2:
            cluts.append({"x": 0, "y": row, "colors": [random_.randint(1, 0x7FFF) for _ in range((16, 256)[depth])]})
            row += 1
    return atlases, cluts


def triangle(random_, atlas=None, clut=None, size=800, wild=False):
    if wild:
        data = random_.randbytes(files.size_of(files.TRIANGLE))
        return files.Reader(data).record(files.TRIANGLE)
    points = [[random_.randint(-size, size) for _ in range(3)] for _ in range(3)]
    made = {f"v{i}": point for i, point in enumerate(points)}
    made["normal"] = (0, -4096, 0)
    for i in range(3):
        made[f"c{i}"] = [random_.randint(0, 204) for _ in range(3)] + [0]
        made[f"uv{i}"] = [random_.randint(0, 255), random_.randint(0, 255)]
    if atlas:
        depth = (64, 128, 256).index(atlas["width"])
        made["tpage"] = tpage(atlas["x"] + 64 * random_.randrange(1 if depth < 2 else 1), atlas["y"], depth)
        if depth < 2:
            made["clut_x"], made["clut_y"] = clut["x"], clut["y"]
    return made


def script(random_):
    return {"text": random_.choice((b"", b"-- nothing\n", "print('grüß dich')".encode(),
                                    b"function onUpdate(self)\n  self.x = 1\nend\n", b"x=1"))}


def scene(random_, form, depths=(1,), objects=3, triangles=6, wild=False):
    """Parts for early() or late(): content as real packs have it, or (wild) any numbers."""
    atlases, cluts = pictures(random_, depths)
    by_width = {atlas["width"]: clut for atlas, clut in
                zip([a for a in atlases if a["width"] < 256], cluts)}

    def some_triangle():
        atlas = random_.choice(atlases) if atlases else None
        return triangle(random_, atlas, by_width.get(atlas["width"]) if atlas else None, wild=wild)

    parts = {"atlases": atlases, "cluts": cluts, "navmeshes": [], "objects": []}
    parts["scripts"] = [script(random_) for _ in range(random_.randint(1, 3))]
    for i in range(objects):
        one = {"position": [random_.randint(-20000, 20000) for _ in range(3)], "rotation": random_.choice(TURNS),
               "triangles": [some_triangle() for _ in range(random_.randint(0, triangles))],
               "script": random_.randint(-1, len(parts["scripts"]) - 1), "flags": random_.randint(0, 1),
               "interactable": 0xFFFF}
        if form in ("a1", "a2") and atlases:
            atlas = random_.choice(atlases)
            depth = (64, 128, 256).index(atlas["width"])
            one["tpage"] = tpage(atlas["x"], atlas["y"], depth)
            if form == "a2":
                one["clut_x"], one["clut_y"] = 0, 240 + i
                one["colors"] = [random_.randint(0, 0xFFFF) for _ in range(256)]
        if wild:
            one["position"] = [random_.randint(-2 ** 31, 2 ** 31 - 1) for _ in range(3)]
            one["rotation"] = [random_.randint(-2 ** 31, 2 ** 31 - 1) for _ in range(9)]
            one["script"], one["flags"] = random_.randint(-32768, 32767), random_.getrandbits(32)
            one["reserved"] = random_.getrandbits(16)
        parts["objects"].append(one)
    for _ in range(random_.choice((1, 1, 0, 2))):
        parts["navmeshes"].append({"triangles": [
            {f"v{i}": [random_.randint(-30000, 30000) for _ in range(3)] for i in range(3)}
            for _ in range(random_.randint(0, 4))], "pad": random_.getrandbits(16) if wild else 0})
    parts["header"] = {"start": [random_.randint(-32768, 32767) for _ in range(3)],
                       "rotation": [random_.randint(0, 25735) for _ in range(3)], "height": random_.randint(0, 2000),
                       "scene_script": random_.randint(-1, len(parts["scripts"]) - 1)}
    if wild:
        parts["header"].update(pad=[random_.getrandbits(16) for _ in range({"b": 3, "b2": 2}[form])]
                               if form in ("b", "b2") else random_.getrandbits(16),
                               reserved=random_.getrandbits(32), scene_script=random_.randint(-32768, 32767))
        for clut in cluts:
            clut["pad"] = random_.getrandbits(16)
    return parts


def odd_early(random_, form):
    """(name, bytes) of packs of 2025: as they are written, and odd ones of which one layout still fits."""
    yield "plain", early(form, scene(random_, form, (1, 0)))
    yield "every depth", early(form, scene(random_, form, (0, 1, 2)))
    yield "numbers of any size", early(form, scene(random_, form, (0, 1), wild=True))
    yield "no pictures", early(form, scene(random_, form, ()))
    parts = scene(random_, form)
    parts["cluts"] = [{"x": 3, "y": 241, "colors": [1, 2, 3]}]
    yield "an odd palette at the end", early(form, parts)
    parts = scene(random_, form)
    parts["objects"] *= 40
    yield "many objects", early(form, parts)
    parts = scene(random_, form)
    parts["objects"] = []
    parts["navmeshes"] = []
    yield "no objects", early(form, parts)


def gappy_early(random_, form):
    """(name, bytes) of packs with bytes that are nobody's, so that no layout fits wholly."""
    yield "bytes behind the end", early(form, {**scene(random_, form), "trailing": b"left over"})
    yield "bytes between blocks", early(form, scene(random_, form),
                                        lambda writer: writer.add(random_.randbytes(random_.choice((0, 4, 8)))))
    if form in ("d", "e"):
        parts = scene(random_, form)
        parts["scripts"] = [{"text": "-- äöü\n".encode(), "length": 7}]
        yield "a script counted in characters", early(form, parts)


# ---- a scene of version 20 and later with everything -----------------------------------------------------------------

def box(random_, size=20000):
    low = [random_.randint(-size, size) for _ in range(3)]
    return {"min": low, "max": [value + random_.randint(0, size) for value in low]}


def name(random_, length=None):
    return bytes(random_.choice(b"abcdefghijklmnopqrstuvwxyzABC_.0123456789") for _ in range(length or
                                                                                        random_.randint(1, 24)))


def some_timeline(random_, skins, sounds, is_cutscene):
    tracks = []
    for _ in range(random_.randint(0, 4)):
        frames = sorted(random_.sample(range(200), random_.randint(0, 5)))
        tracks.append({"type": random_.randint(0, 19), "pad": random_.randint(0, 3), "name": random_.choice((b"", name(random_))),
                       "keys": [{"frame": frame | random_.randint(0, 4) << 13,
                                 "values": [random_.randint(-32768, 32767) for _ in range(3)]} for frame in frames]})
    made = {"name": name(random_), "frames": random_.randint(200, 400), "tracks": tracks,
            "skin_events": [{"frame": random_.randint(0, 200), "skin": random_.randrange(skins), "clip": 0, "loop": 1}
                            for _ in range(random_.randint(0, 2))] if skins else []}
    if is_cutscene:
        made["audio_events"] = [{"frame": random_.randint(0, 200), "clip": random_.randrange(sounds), "volume": 100,
                                 "pan": 64} for _ in range(random_.randint(0, 3))] if sounds else []
    return made


def some_skin(random_, objects, index):
    count, bones = len(objects[index]["triangles"]), random_.randint(1, 4)
    clips = []
    for _ in range(random_.randint(0, 3)):
        frames = random_.randint(0, 3)
        clips.append({"name": name(random_), "flags": random_.randint(0, 1), "fps": random_.randint(1, 30),
                      "frames": frames, "bones": [{"rotation": random_.choice(TURNS),
                                                   "translation": [random_.randint(-500, 500) for _ in range(3)]}
                                                  for _ in range(frames * bones)]})
    objects[index]["flags"] |= 16
    return {"name": name(random_), "object": index, "bones": bones, "clips": clips,
            "indices": [random_.randrange(bones) for _ in range(3 * count)]}


def some_element(random_):
    kind = random_.randint(0, 4)
    return {"type": kind, "flags": random_.randint(0, 1), "name": name(random_), "x": random_.randint(-50, 320),
            "y": random_.randint(-50, 240), "w": random_.randint(0, 320), "h": random_.randint(0, 240),
            "anchors": [random_.randint(0, 255) for _ in range(4)],
            "color": [random_.randint(0, 128) for _ in range(3)],
            "data": [random_.randint(0, 255) for _ in range((16, 0, 1, 4, 8)[kind])] +
            [0] * (0, 16, 15, 12, 8)[kind], "text": name(random_) if kind == 2 and random_.random() < 0.8 else b""}


def some(random_, fields, **told):
    """A record of any numbers; `told` are not random."""
    return {**files.Reader(random_.randbytes(files.size_of(fields))).record(fields), **told}


def newer(random_, parts):
    """What versions 21 to 25 have besides: any numbers in every field, the counts as they are."""
    def any_number(most):
        return range(random_.randint(0, most))
    width, height = random_.randint(0, 9), random_.randint(0, 9)
    parts.update(
        agents=[some(random_, files.AGENT, waypoint_list=[some(random_, files.WAYPOINT) for _ in any_number(4)])
                for _ in any_number(3)],
        sheets=[some(random_, files.SHEET, name=name(random_)) for _ in any_number(3)],
        sprite_animations=[some(random_, files.SPRITE, name=random_.choice((b"", name(random_)))) for _ in any_number(3)],
        tilemap=some(random_, files.TILEMAP, width=width, height=height, objects_offset=0,
                     tiles=[some(random_, files.TILE) for _ in range(width * height)],
                     object_list=[some(random_, files.TILE_OBJECT) for _ in any_number(3)]),
        lights=some(random_, files.LIGHTS, list=[some(random_, files.LIGHT, name=random_.choice((b"", name(random_))))
                                                 for _ in any_number(4)]),
        stream=some(random_, files.STREAM, region_list=[some(random_, files.STREAM_REGION) for _ in any_number(4)],
                    ref_list=[some(random_, files.STREAM_REF) for _ in any_number(4)]))
    for one in ("tilemap", "lights", "stream"):
        if random_.random() < 0.2:
            parts[one] = None
    parts["header"].update({name: random_.getrandbits(32)
                            for name in ("scene_hash", "ordering_table", "primitive_buffer")})
    return parts


def full(random_, version, objects=4, bare=False):
    """Every section that versions 20 and 21 have, each of them there or (bare) not."""
    parts = scene(random_, version, random_.choice(((1,), (0, 1), (0, 1, 2))), objects)
    del parts["navmeshes"]
    for one in parts["objects"]:
        one.update(box(random_))
        one["position"] = [random_.randint(-200000, 200000) for _ in range(3)]
        one["uv_offset"] = [random_.randint(0, 255) for _ in range(2)]
        for t in one["triangles"]:
            t["flags"] = random_.randint(0, 1)
            if random_.random() < 0.2:
                t.update(tpage=files.UNTEXTURED, clut_x=0, clut_y=0, uv0=(0, 0), uv1=(0, 0), uv2=(0, 0))
    parts["names"] = [name(random_) for _ in parts["objects"]]
    header = parts["header"]
    header.update({key: random_.randint(0, 65535) for key in ("move", "sprint", "jump", "gravity", "radius")},
                  scene_type=0, fog=random_.randint(0, 1), fog_color=[random_.randint(0, 255) for _ in range(3)],
                  fog_density=random_.randint(1, 10))
    if bare:
        return {**parts, "names": None}
    count = len(parts["objects"])
    refs = [{"object": i, "triangle": j} for i, one in enumerate(parts["objects"])
            for j in range(len(one["triangles"]))]
    parts["colliders"] = [{**box(random_), "type": 1, "mask": 255, "object": random_.randrange(count)}
                          for _ in range(random_.randint(1, 3))]
    parts["triggers"] = [{**box(random_), "script": random_.randint(-1, len(parts["scripts"]) - 1)}
                         for _ in range(random_.randint(1, 3))]
    parts["bvh_nodes"] = [{**box(random_), "left": 1, "right": 2, "first": 0, "count": 0}] + [
        {**box(random_), "left": 0xFFFF, "right": 0xFFFF, "first": at, "count": many}
        for at, many in ((0, len(refs) // 2), (len(refs) // 2, len(refs) - len(refs) // 2))]
    parts["bvh_refs"] = refs
    parts["interactables"] = [{"radius_squared": random_.randint(0, 99999), "button": random_.randint(0, 15),
                               "flags": random_.randint(0, 7), "cooldown": random_.randint(0, 999), "object": i,
                               "prompt": list(name(random_, 9)) + [0] * 7} for i in range(2)]
    for i in range(2):
        parts["objects"][i]["interactable"] = i
    parts["nav"] = {"start": 0, "region_list": [
        {"x": [random_.randint(-9999, 9999) for _ in range(4)] + [0] * 4,
         "z": [random_.randint(-9999, 9999) for _ in range(4)] + [0] * 4, "plane": (0, random_.randint(-500, 500), 7),
         "portal_start": i, "portals": 1, "corners": 4, "surface": random_.randint(0, 2),
         "room": random_.choice((0, 255)), "flags": random_.randint(0, 1), "walk_off": random_.randint(0, 255)}
        for i in range(2)], "portal_list": [
        {"a": (-5, 9), "b": (random_.randint(0, 99999), 8), "neighbour": 1 - i, "step": random_.randint(-99, 99)}
        for i in range(2)]}
    if random_.random() < 0.7:
        header["scene_type"] = 1
        half = len(refs) // 2
        parts["rooms"] = [{**box(random_), "first_ref": at, "refs": many, "first_cell": i, "cells": 1, "portals": 1,
                           "first_portal": i} for i, (at, many) in enumerate(((0, half), (half, len(refs) - half)))]
        parts["portals"] = [{"rooms": (0, 1), "center": (1, -2, 70000), "half": (300, 400), "normal": (0, 0, 4096),
                             "right": (4096, 0, 0), "up": (0, -4096, 0)}]
        parts["room_refs"] = refs
        parts["room_cells"] = [{**box(random_), "first_ref": 0, "refs": half} for _ in range(2)]
        parts["room_portal_refs"] = [{"portal": 0, "other": 1}, {"portal": 0, "other": 0}]
    parts["audio"] = [{"name": name(random_), "rate": random_.choice((11025, 22050, 44100)), "loop": i & 1,
                       "adpcm": random_.randbytes(16 * random_.randint(0, 4) + (i == 2))} for i in range(3)]
    parts["skins"] = [some_skin(random_, parts["objects"], i) for i in random_.sample(range(count), 2)]
    parts["cutscenes"] = [some_timeline(random_, 2, 3, True) for _ in range(random_.randint(0, 3))]
    parts["animations"] = [some_timeline(random_, 2, 0, False) for _ in range(random_.randint(0, 3))]
    parts["fonts"] = [{"glyph_width": 8, "glyph_height": 12, "x": 960, "y": 0, "height": 36,
                       "bitmap": random_.randbytes(128 * 36), "advances": [random_.randint(0, 8) for _ in range(96)]}
                      for _ in range(random_.randint(0, 2))]
    parts["canvases"] = [{"name": name(random_), "order": random_.randint(0, 9), "flags": random_.randint(0, 1),
                          "elements": [some_element(random_) for _ in range(random_.randint(0, 5))]}
                         for _ in range(random_.randint(0, 3))]
    if random_.random() < 0.8:
        parts["memory_card"] = {"region": b"BA", "product": b"SLUS-00000", "title": name(random_), "frames": 2,
                                "colors": [random_.randint(0, 0x7FFF) for _ in range(16)],
                                "icons": random_.randbytes(384)}
    return parts
