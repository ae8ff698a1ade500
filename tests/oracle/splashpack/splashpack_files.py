"""A second reader of SPLASHPACK scenes (psxsplash, PlayStation): the packs of 2025, those of version 20 and later, and
the files of video and sound memory beside the latter.

Written from the documents and the engine's own reader alone, like nitro_oracle.py. Every reader takes bytes and gives a
record: a dictionary of numbers, lists and records, as they are stored. SplashError says what makes a file unreadable.
"""
import struct

import archive_files


class SplashError(Exception):
    """What makes a file unreadable."""


class Reader(archive_files.Reader):
    touched = None  # (offset, size) of what is read, while somebody wants to know

    def __init__(self, data, at=0):
        super().__init__(data, at, SplashError)

    def take(self, size):
        if Reader.touched is not None:
            Reader.touched.append((self.at, size))
        return super().take(size)


def align(at, to=4):
    return -(-at // to) * to


# ---- layouts ---------------------------------------------------------------------------------------------------------

# Of A0 and A1 only the pictures differ; they are one layout here.
FORMS = ("a1", "a2", "a3", "b", "b2", "c", "d", "e")
PLAYER = "start:h[3] rotation:h[3] height:H "
HEADERS = {
    "a1": "objects:H atlases:H",
    "a2": "objects:H atlases:H",
    "a3": "objects:H atlases:H cluts:H pad:H",
    "b": "objects:H atlases:H cluts:H pad:H[3]",
    "b2": "objects:H navmeshes:H atlases:H cluts:H pad:H[2]",
    "c": "objects:H navmeshes:H atlases:H cluts:H " + PLAYER + "pad:H",
    "d": "scripts:H objects:H navmeshes:H atlases:H cluts:H " + PLAYER + "reserved:I",
    "e": "scripts:H objects:H navmeshes:H atlases:H cluts:H " + PLAYER + "scene_script:h pad:H",
}
LATE_HEADER = ("scripts:H objects:H atlases:H cluts:H colliders:H interactables:H " + PLAYER + "scene_script:h "
               "bvh_nodes:H bvh_refs:H scene_type:H triggers:H collision_meshes:H collision_triangles:H "
               "nav_regions:H nav_portals:H move:H sprint:H jump:H gravity:H radius:H pad_58:H "
               "name_table:I audio_clips:H pad_66:H audio_table:I fog:B fog_color:B[3] fog_density:B pad_77:B "
               "rooms:H portals:H room_refs:H cutscenes:H room_cells:H cutscene_table:I canvases:H fonts:B pad_95:B "
               "ui_table:I pixel_data:I animations:H room_portal_refs:H animation_table:I skins:H agents:H "
               "skin_table:I")
HEADERS[20] = LATE_HEADER
HEADERS[21] = HEADERS[20] + " memory_card:I stream_table:I"
HEADERS[22] = HEADERS[21] + " sprite_table:I sprite_sheets:H sprite_anims:H scene_hash:I tilemap:I"
HEADERS[23] = HEADERS[22]
HEADERS[24] = HEADERS[23] + " lights:I"
HEADERS[25] = HEADERS[24] + " ordering_table:I primitive_buffer:I"

PLACE = "position:i[3] rotation:i[9] "
OBJECTS = {
    "a1": PLACE + "tpage:H count:H offset:I",
    "a2": PLACE + "count:H tpage:H clut_x:H clut_y:H colors:H[256] offset:I",
    "a3": PLACE + "offset:I count:I",
    "b": "offset:I " + PLACE + "count:H reserved:H",
    "d": "offset:I " + PLACE + "count:H script:h",
}
OBJECTS["b2"] = OBJECTS["c"] = OBJECTS["b"]
OBJECTS["e"] = OBJECTS["d"] + " flags:I"
BOX = "min:i[3] max:i[3] "
LATE_OBJECT = OBJECTS["e"] + " interactable:H uv_offset:B[2] events:I " + BOX
POINTS = "v0:h[3] v1:h[3] v2:h[3] normal:h[3] "
COLORS, UVS = "c0:B[4] c1:B[4] c2:B[4] ", "uv0:B[2] uv1:B[2] uv2:B[2] uv_pad:H "
OLD_TRIANGLE = POINTS + UVS + COLORS
TRIANGLE = POINTS + COLORS + UVS + "tpage:H clut_x:H clut_y:H flags:H"
SCRIPT, NAVMESH, ATLAS = "offset:I length:I", "offset:I count:H pad:H", "offset:I width:H height:H x:H y:H"
OLD_CLUT, CLUT = "colors:H[256] x:H y:H length:H pad:H", "offset:I x:H y:H length:H pad:H"
NAV_TRIANGLE = "v0:i[3] v1:i[3] v2:i[3]"


def size_of(fields):
    return sum(struct.calcsize("<" + (code[:-1].split("[")[1] + code[0] if code.endswith("]") else code))
               for code in (field.split(":")[1] for field in fields.split()))


def header_size(form):
    return 4 + size_of(HEADERS[form])


def is_late(form):
    return isinstance(form, int)


UNTEXTURED = 0xFFFF


def tpage(word):
    """(x, y, semi-transparency, depth, dither, rest) of a word; x and y in words of video memory."""
    return (word & 15) * 64, (word >> 4 & 1) * 256, word >> 5 & 3, word >> 7 & 3, word >> 9 & 1, word >> 10


# ---- the packs of 2025 -----------------------------------------------------------------------------------------------

def read_triangles(data, at, count, fields=TRIANGLE):
    size = size_of(fields)
    if at + count * size > len(data):
        raise SplashError(f"0x{at:x}: {count} triangles are outside of the {len(data)} bytes")
    return Reader(data, at).records(count, fields)


def read_early(data, form):
    """A pack of 2025 read as `form`. `blocks`: (offset, size, name) of the data, in the order of the writers."""
    reader = Reader(data)
    if reader.take(2) != b"SP":
        raise SplashError("not a SPLASHPACK: the first two bytes")
    pack = {"form": form, "version": reader.number("H"), "header": reader.record(HEADERS[form])}
    header = pack["header"]
    pack["scripts"] = reader.records(header.get("scripts", 0), SCRIPT)
    pack["objects"] = reader.records(header["objects"], OBJECTS[form])
    pack["navmeshes"] = reader.records(header.get("navmeshes", 0), NAVMESH)
    pack["atlases"] = reader.records(header["atlases"], ATLAS)
    pack["cluts"] = reader.records(header.get("cluts", 0), OLD_CLUT if form == "a3" else CLUT)
    pack["descriptors_end"], blocks = reader.at, []
    for i, script in enumerate(pack["scripts"]):
        script["text"] = Reader(data, script["offset"]).take(script["length"])
        blocks.append((script["offset"], script["length"], f"script {i}"))
    triangle = OLD_TRIANGLE if form in ("a1", "a2") else TRIANGLE
    for i, one in enumerate(pack["objects"]):
        one["triangles"] = read_triangles(data, one["offset"], one["count"], triangle)
        blocks.append((one["offset"], one["count"] * size_of(triangle), f"mesh {i}"))
    for i, one in enumerate(pack["navmeshes"]):
        one["triangles"] = read_triangles(data, one["offset"], one["count"], NAV_TRIANGLE)
        blocks.append((one["offset"], one["count"] * size_of(NAV_TRIANGLE), f"navmesh {i}"))
    for i, one in enumerate(pack["atlases"]):
        size = one["width"] * one["height"]
        one["words"] = list(struct.unpack(f"<{size}H", Reader(data, one["offset"]).take(2 * size)))
        blocks.append((one["offset"], 2 * size, f"atlas {i}"))
    for i, one in enumerate(pack["cluts"]):
        if form != "a3":
            one["colors"] = list(Reader(data, one["offset"]).numbers(f"{one['length']}H"))
            blocks.append((one["offset"], 2 * one["length"], f"clut {i}"))
    pack["blocks"] = blocks
    return pack


def gap(data, form):
    """Why the blocks of `data`, read as `form`, do not lie one behind the other; None if they do."""
    try:
        pack = read_early(data, form)
    except SplashError as error:
        return str(error)
    if pack["version"] != 1:
        return f"version {pack['version']}"
    end = pack["descriptors_end"]
    for at, size, what in pack["blocks"]:
        if at != align(end):
            return f"{what} begins at 0x{at:x}, the block before ends at 0x{end:x}"
        if any(data[end:at]):
            return f"0x{end:x}: padding that is not zero"
        end = at + size
    if end != len(data):
        return f"the last block ends at 0x{end:x}, the file at 0x{len(data):x}"
    return None


def detect(data):
    """The layouts whose blocks fit without a gap: of packs of 2025. Of later ones the version."""
    if len(data) < 4 or data[:2] != b"SP":
        return []
    version = struct.unpack_from("<H", data, 2)[0]
    if version != 1:
        return [version] if version in HEADERS else []
    return [form for form in FORMS if gap(data, form) is None]


# ---- version 20 and later --------------------------------------------------------------------------------------------

COLLIDER = BOX + "type:B mask:B object:H pad:I"
TRIGGER = BOX + "script:h pad:B[6]"
BVH_NODE = BOX + "left:H right:H first:H count:H"
REF = "object:H triangle:H"
INTERACTABLE = "radius_squared:i button:B flags:B cooldown:H current_cooldown:H object:H prompt:B[16]"
NAV_HEADER = "regions:H portals:H start:H pad:H"
NAV_REGION = "x:i[8] z:i[8] plane:i[3] portal_start:H portals:B corners:B surface:B room:B flags:B walk_off:B"
NAV_PORTAL = "a:i[2] b:i[2] neighbour:H step:h"
ROOM = BOX + "first_ref:H refs:H first_cell:H cells:B portals:B first_portal:H pad:H"
PORTAL = "rooms:H[2] center:i[3] half:h[2] normal:h[3] pad:h right:h[3] up:h[3]"
ROOM_CELL = BOX + "first_ref:H refs:H"
ROOM_PORTAL = "portal:H other:H"
AUDIO = "offset:I size:I rate:H loop:B name_length:B name_offset:I"
NAMED = "offset:I name_length:B pad:B[3] name_offset:I"
CUTSCENE = "frames:H tracks:B audio_events:B tracks_offset:I audio_offset:I skin_events:B pad:B[3] skin_offset:I"
ANIMATION = "frames:H tracks:B pad_3:B tracks_offset:I skin_events:B pad:B[3] skin_offset:I"
TRACK = "type:B keys:B name_length:B pad:B name_offset:I keys_offset:I"
KEY = "frame:H values:h[3]"
AUDIO_EVENT = "frame:H clip:B volume:B pan:B pad:B[3]"
SKIN_EVENT = "frame:H skin:B clip:B loop:B pad:B[3]"
FONT = "glyph_width:B glyph_height:B x:H y:H height:H offset:I size:I advances:B[96]"
CANVAS = "offset:I name_length:B order:B elements:B flags:B name_offset:I"
ELEMENT = ("type:B flags:B name_length:B pad:B name_offset:I x:h y:h w:h h:h anchors:B[4] color:B[3] pad_23:B "
           "data:B[16] text_offset:I pad_44:I")
BONE = "rotation:h[9] translation:h[3]"
MEMORY_CARD = "region:2s product:10s title:32s frames:B pad_45:B pad_46:H colors:H[16] icons:384s"
COLLISION_HEADER = 20


def read_text(data, at, length=None):
    """Bytes up to a zero, or as many as told (a zero follows)."""
    if length is None:
        end = data.find(b"\0", at)
        if end < 0 or at >= len(data):
            raise SplashError(f"0x{at:x}: a text without end")
        return Reader(data, at).take(end + 1 - at)[:-1]
    return Reader(data, at).take(length + 1)[:-1]


def read_timeline(data, of, tracks):
    """What cutscenes and animations share."""
    of["track_list"] = Reader(data, of["tracks_offset"]).records(tracks, TRACK)
    for track in of["track_list"]:
        track["key_list"] = Reader(data, track["keys_offset"]).records(track["keys"], KEY) \
            if track["keys_offset"] else []
        track["name"] = read_text(data, track["name_offset"]) if track["name_offset"] else None
    of["skin_event_list"] = Reader(data, of["skin_offset"]).records(of["skin_events"], SKIN_EVENT) \
        if of["skin_offset"] else []
    return of


def read_skin(data, at, objects):
    reader = Reader(data, at)
    skin = reader.record("object:H bones:B clips:B")
    count = objects[skin["object"]]["count"] if skin["object"] < len(objects) else 0
    skin["indices"] = list(reader.take(3 * count))
    reader.at, skin["clip_list"] = align(reader.at), []
    for _ in range(skin["clips"]):
        clip = {"name": reader.take(reader.number("B") + 1)[:-1], **reader.record("flags:B fps:B")}
        reader.at = align(reader.at, 2)
        clip["frames"] = reader.number("H")
        clip["bones"] = reader.records(clip["frames"] * skin["bones"], BONE)
        skin["clip_list"].append(clip)
    skin["end"] = reader.at
    return skin


AGENT = ("object:H flags:B waypoints:B speed:H stop_distance:H sight_range:H view_cosine:h hearing_range:H "
         "alert_timeout:H clips:B[8] portal_hops:B pad:B[3]")
WAYPOINT = "position:i[3]"
SHEET = ("name_offset:I page_x:B page_y:B origin:B[2] clut_x:H clut_y:H cell_width:B cell_height:B columns:B rows:B "
         "depth:B pad_17:B pad_18:H")
SPRITE = "name_offset:I sheet:B first:B cells:B duration:B loop:B pad_9:B pad_10:H"
TILEMAP = "width:H height:H tile_width:B tile_height:B sheet:B pad_7:B objects:H pad_10:H cells_offset:I objects_offset:I"
TILE, TILE_OBJECT = "cell:B flags:B", "kind:B id:B x:H y:H"
LIGHTS = "count:H pad_2:H"
LIGHT = "position:i[3] radius:i intensity:H color:B[3] flags:B pad_22:H name_offset:I"
STREAM = "regions:H refs:H slots:H pad_6:H slot_bytes:I load_radius:i unload_radius:i"
STREAM_REGION = "bounds:i[4] sector:I bytes:I first_ref:H refs:H pad_28:I"
STREAM_REF = "object:H triangles:H offset:I"


def read_agents(reader, count):
    """Waypoints lie behind the last agent, those of the first agent first."""
    agents = reader.records(count, AGENT)
    for agent in agents:
        agent["waypoint_list"] = reader.records(agent["waypoints"], WAYPOINT)
    return agents


def name_rows(data, rows):
    for row in rows:
        row["name"] = read_text(data, row["name_offset"]) if row["name_offset"] else None
    return rows


def read_newer(data, pack, version):
    """What offsets in headers of version 21 and later point to, besides the memory card."""
    header = pack["header"]
    sprites = Reader(data, header.get("sprite_table", 0))
    there = bool(sprites.at)
    pack["sheets"] = sprites.records(header["sprite_sheets"] if there else 0, SHEET)
    pack["sprite_animations"] = sprites.records(header["sprite_anims"] if there else 0, SPRITE)
    name_rows(data, [*pack["sheets"], *pack["sprite_animations"]])
    # The word at 140 of version 22 is of nothing that is known.
    at = header.get("tilemap", 0) if version >= 23 else 0
    tilemap = pack["tilemap"] = Reader(data, at).record(TILEMAP) if at else None
    if tilemap:
        count = tilemap["width"] * tilemap["height"]
        tilemap["tiles"] = Reader(data, tilemap["cells_offset"]).records(count, TILE)
        tilemap["object_list"] = Reader(data, tilemap["objects_offset"]).records(tilemap["objects"], TILE_OBJECT)
    lights, pack["lights"] = Reader(data, header.get("lights", 0)), None
    if lights.at:
        pack["lights"] = lights.record(LIGHTS)
        pack["lights"]["list"] = name_rows(data, lights.records(pack["lights"]["count"], LIGHT))
    stream, pack["stream"] = Reader(data, header.get("stream_table", 0)), None
    if stream.at:
        pack["stream"] = stream.record(STREAM)
        pack["stream"]["region_list"] = stream.records(pack["stream"]["regions"], STREAM_REGION)
        pack["stream"]["ref_list"] = stream.records(pack["stream"]["refs"], STREAM_REF)


def read_late(data):
    """A pack of version 20 or later: what follows the header one behind the other, then what it points at."""
    reader = Reader(data)
    if reader.take(2) != b"SP":
        raise SplashError("not a SPLASHPACK: the first two bytes")
    version = reader.number("H")
    if version not in HEADERS:
        raise SplashError(f"version {version}")
    header = reader.record(HEADERS[version])
    pack = {"form": version, "version": version, "header": header}
    for name, fields in (("scripts", SCRIPT), ("objects", LATE_OBJECT), ("colliders", COLLIDER), ("triggers", TRIGGER),
                         ("bvh_nodes", BVH_NODE)):
        pack[name] = reader.records(header[name], fields)
    pack["bvh_refs"] = reader.records(header["bvh_refs"] if header["bvh_nodes"] else 0, REF)
    pack["interactables"] = reader.records(header["interactables"], INTERACTABLE)
    pack["agents"] = read_agents(reader, header["agents"] if version >= 22 else 0)
    if header["collision_meshes"]:
        reader.at = align(reader.at)
        meshes, triangles, w, h = Reader(data, reader.at).numbers("4H")
        pack["collision"] = reader.take(COLLISION_HEADER + 32 * meshes + 52 * triangles + 4 * w * h)
    pack["nav"] = None
    if header["nav_regions"]:
        reader.at = align(reader.at)
        nav = pack["nav"] = reader.record(NAV_HEADER)
        nav["region_list"] = reader.records(nav["regions"], NAV_REGION)
        nav["portal_list"] = reader.records(nav["portals"], NAV_PORTAL)
    has_rooms = header["rooms"] > 0
    reader.at = align(reader.at) if has_rooms else reader.at
    for name, fields in (("rooms", ROOM), ("portals", PORTAL), ("room_refs", REF), ("room_cells", ROOM_CELL),
                         ("room_portal_refs", ROOM_PORTAL)):
        pack[name] = reader.records(header[name] if has_rooms else 0, fields)
    pack["atlases"] = reader.records(header["atlases"], ATLAS)
    pack["cluts"] = reader.records(header["cluts"], CLUT)
    pack["descriptors_end"] = reader.at
    for script in pack["scripts"]:
        script["text"] = Reader(data, script["offset"]).take(script["length"])
    for one in pack["objects"]:
        one["triangles"] = read_triangles(data, one["offset"], one["count"])
    pack["names"] = []
    if header["name_table"]:
        names = Reader(data, header["name_table"])
        pack["names"] = [names.take(names.number("B") + 1)[:-1] for _ in pack["objects"]]
    pack["audio"] = Reader(data, header["audio_table"]).records(header["audio_clips"], AUDIO) \
        if header["audio_table"] else []
    for clip in pack["audio"]:
        clip["name"] = read_text(data, clip["name_offset"]) if clip["name_offset"] else None
    for table, fields in (("cutscene", CUTSCENE), ("animation", ANIMATION)):
        rows = Reader(data, header[table + "_table"]).records(header[table + "s"], NAMED) \
            if header[table + "_table"] else []
        for row in rows:
            row["name"] = read_text(data, row["name_offset"]) if row["name_offset"] else None
            one = row["data"] = Reader(data, row["offset"]).record(fields)
            read_timeline(data, one, one["tracks"])
            if table == "cutscene":
                one["audio_event_list"] = Reader(data, one["audio_offset"]).records(one["audio_events"], AUDIO_EVENT) \
                    if one["audio_offset"] else []
        pack[table + "s"] = rows
    pack["skins"] = Reader(data, header["skin_table"]).records(header["skins"], NAMED) if header["skin_table"] else []
    for row in pack["skins"]:
        row["name"] = read_text(data, row["name_offset"]) if row["name_offset"] else None
        row["data"] = read_skin(data, row["offset"], pack["objects"])
    pack["fonts"], pack["canvases"] = [], []
    if header["ui_table"]:
        ui = Reader(data, header["ui_table"])
        pack["fonts"] = ui.records(header["fonts"], FONT)
        pack["canvases"] = ui.records(header["canvases"], CANVAS)
        for canvas in pack["canvases"]:
            canvas["name"] = read_text(data, canvas["name_offset"]) if canvas["name_offset"] else None
            canvas["element_list"] = Reader(data, canvas["offset"]).records(canvas["elements"], ELEMENT) \
                if canvas["elements"] else []
            for element in canvas["element_list"]:
                for part in ("name", "text"):
                    at = element[part + "_offset"]
                    element[part] = read_text(data, at) if at else None
    read_newer(data, pack, version)
    at = header.get("memory_card", 0)
    pack["memory_card"] = Reader(data, at).record(MEMORY_CARD) if at else None
    return pack


def read_pack(data, form=None):
    """form: of FORMS, or a version; without it, what the file is found to be."""
    found = [form] if form else detect(data)
    if len(found) != 1:
        raise SplashError(f"{len(found)} layouts fit")
    return read_late(data) if is_late(found[0]) else read_early(data, found[0])


def unread(data, read, *arguments):
    """(what a reader gives, [(offset, bytes)] of what it did not look at)"""
    Reader.touched = []
    try:
        made, touched = read(data, *arguments), sorted(Reader.touched)
    finally:
        Reader.touched = None
    left, end = [], 0
    for at, size in [*touched, (len(data), 0)]:
        if at > end:
            left.append((end, data[end:at]))
        end = max(end, at + size)
    return made, left


# ---- beside it -------------------------------------------------------------------------------------------------------

def padded(reader):
    """Past the zeros up to a multiple of four."""
    reader.at = min(align(reader.at), len(reader.data))


def read_vram(data):
    reader = Reader(data)
    if reader.take(2) != b"VR":
        raise SplashError("not a file of video memory: the first two bytes")
    atlases, cluts, fonts, pad = reader.numbers("HHBB")
    made = {"pad": pad, "atlases": [], "cluts": [], "fonts": []}
    for _ in range(atlases):
        one = reader.record("x:H y:H width:H height:H")
        one["words"] = list(reader.numbers(f"{one['width'] * one['height']}H"))
        padded(reader)
        made["atlases"].append(one)
    for _ in range(cluts):
        one = reader.record("x:H y:H length:H pad:H")
        one["colors"] = list(reader.numbers(f"{one['length']}H"))
        padded(reader)
        made["cluts"].append(one)
    for _ in range(fonts):
        one = reader.record("glyph_width:B glyph_height:B x:H y:H height:H size:I")
        one["bitmap"] = reader.take(one["size"])
        padded(reader)
        made["fonts"].append(one)
    return made


def read_geo(data):
    return {"sectors": Reader(data).take(len(data))}


def read_spu(data):
    reader = Reader(data)
    if reader.take(2) != b"SA":
        raise SplashError("not a file of sound memory: the first two bytes")
    made = {"clips": []}
    for _ in range(reader.number("H")):
        one = reader.record("size:I rate:H loop:B pad:B")
        one["adpcm"] = reader.take(one["size"])
        padded(reader)
        made["clips"].append(one)
    return made


# ---- video memory ----------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 1024, 512


class Memory:
    """Words of video memory; None where nothing was put. Names of what was put where it overlaps are in `twice`."""

    def __init__(self):
        self.words, self.twice = [[None] * WIDTH for _ in range(HEIGHT)], set()

    def put(self, x, y, width, words):
        for i, word in enumerate(words):
            row, column = self.words[(y + i // width) % HEIGHT], (x + i % width) % WIDTH
            if row[column] is not None:
                self.twice.add((x, y))
            row[column] = word

    def texel(self, page, clut, u, v):
        """The word that a texel of a page shows; page: the word of a triangle, clut: (x in words, y)."""
        x, y, _, depth, _, _ = tpage(page)
        per = (4, 2, 1, 1)[depth]
        word = self.words[(y + v) % HEIGHT][(x + u // per) % WIDTH]
        if depth >= 2:
            return word
        if word is None:
            return None
        bits = 16 // per
        return self.words[clut[1] % HEIGHT][(clut[0] + (word >> u % per * bits & (1 << bits) - 1)) % WIDTH]


def memory_of(pack, vram=None):
    """What is in video memory after loading. Of layout A2 each object has its own 16 or 256 colours."""
    memory, source = Memory(), vram or (pack if not is_late(pack["form"]) else {"atlases": ()})
    for atlas in source["atlases"]:
        if atlas["width"]:
            memory.put(atlas["x"], atlas["y"], atlas["width"], atlas["words"])
    for clut in source.get("cluts", ()):
        if clut["length"]:
            memory.put(clut["x"] * 16, clut["y"], clut["length"], clut["colors"][:clut["length"]])
    if pack["form"] == "a2":
        for one in pack["objects"]:
            count = (16, 256, 0, 0)[tpage(one["tpage"])[3]]
            if count:
                memory.put(one["clut_x"] * 16, one["clut_y"], count, one["colors"][:count])
    return memory


def rgb(word):
    """(red, green, blue, stp), of 31."""
    return word & 31, word >> 5 & 31, word >> 10 & 31, word >> 15
