"""A second reader of the map files of Final Fantasy Tactics (PlayStation): the index of a map (GNS), meshes, textures.

Written from the documents alone, like nitro_oracle.py. Every reader takes bytes and gives a record: a dictionary of
numbers, lists and records, as they are stored. FftError says what makes a file unreadable. Slots of a mesh file are
named by their number (0x10 for the pointer at 0x40).
"""
import struct

import archive_files


class FftError(Exception):
    """What makes a file unreadable."""


class Reader(archive_files.Reader):
    def __init__(self, data, at=0):
        super().__init__(data, at, FftError)


def bits(value, *widths):
    """Parts of a number, the lowest first."""
    for width in widths:
        yield value & (1 << width) - 1
        value >>= width


# ---- the index of a map ----------------------------------------------------------------------------------------------

ROW = 20
FILE_ROW = "variable:H state:h comparison:B type:B unk_6:H lba:I length:I marker:B[4]"
COMMAND_ROW = "variable:H state:h comparison:B type:B unk_6:H length:B unk_9:B[3]"
TEXTURE, PRIMARY, OVERRIDE, ALTERNATE, FILLER = 0x17, 0x2E, 0x2F, 0x30, 0x31
FIRST_COMMAND = 0x80


def read_gns(data):
    """rows: files and fillers; end: the row that ends them; commands; tail: bytes from the row of type 0 on."""
    reader, rows, commands, end = Reader(data), [], [], None
    while reader.rest > 5 and end is None:
        is_end = data[reader.at + 5] >= FIRST_COMMAND
        if reader.rest < ROW:
            break
        row = reader.record(FILE_ROW)
        if is_end:
            end = row
        else:
            rows.append(row)
    while end is not None and reader.rest > 8 and data[reader.at + 5] != 0:
        length = data[reader.at + 8]
        if length < 12 or length > reader.rest:
            break
        row = reader.record(COMMAND_ROW)
        row["payload"] = list(reader.take(length - 12))
        commands.append(row)
    return {"rows": rows, "end": end, "commands": commands, "tail": reader.take(reader.rest)}


def file_rows(gns):
    """The rows that name files, of a GNS that was read."""
    return [row for row in gns["rows"] if row["type"] != FILLER]


# ---- textures --------------------------------------------------------------------------------------------------------

TEXTURE_SIZE, PAGE_SIZE, SIDE = 131072, 32768, 256


def read_texels(data):
    """Of each line of 256 texels (128 bytes) the numbers of the colours; the low half of a byte is left."""
    lines = (data[at:at + 128] for at in range(0, len(data), 128))
    return [[texel for byte in line for texel in (byte & 15, byte >> 4)] for line in lines]


# ---- mesh files ------------------------------------------------------------------------------------------------------

SLOTS, HEADER = 49, 196
GEOMETRY, PALETTES, PAGES, LIGHTS, TERRAIN = 0x10, 0x11, (0x13, 0x14, 0x15, 0x16), 0x19, 0x1A
TEXTURE_ANIMATIONS, PALETTE_FRAMES, GRAYSCALE, MESH_ANIMATIONS = 0x1B, 0x1C, 0x1F, 0x23
ANIMATED, RENDER = (0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B), 0x2C
GEOMETRIES = (GEOMETRY, *ANIMATED)
FORBIDDEN = (0x12, 0x2E, 0x2F, 0x30)
SIZES = {PALETTES: 512, **{page: PAGE_SIZE for page in PAGES}, LIGHTS: 45, TERRAIN: 4098, TEXTURE_ANIMATIONS: 640,
         PALETTE_FRAMES: 512, GRAYSCALE: 512, RENDER: 4096}
KNOWN = (*SIZES, *GEOMETRIES, MESH_ANIMATIONS)
LIMITS = (360, 710, 64, 256)
SEEN = (350, 683, 58, 241)
RENDER_SLOTS = (512, 768, 64, 256)


def read_geometry(data, at):
    """polygons: lists of textured triangles, textured quads, untextured triangles, untextured quads."""
    reader = Reader(data, at)
    counts = reader.numbers("4H")
    polygons = [[{} for _ in range(count)] for count in counts]
    for of_kind, corners in zip(polygons, (3, 4, 3, 4)):
        for polygon in of_kind:
            polygon["positions"] = [reader.numbers("3h") for _ in range(corners)]
    for of_kind, corners in zip(polygons[:2], (3, 4)):
        for polygon in of_kind:
            polygon["normals"] = [reader.numbers("3h") for _ in range(corners)]
    for of_kind, corners in zip(polygons[:2], (3, 4)):
        for polygon in of_kind:
            polygon["uvs"] = [reader.numbers("2B")]
            polygon["clut"] = reader.number("H")
            polygon["uvs"].append(reader.numbers("2B"))
            polygon["page"] = reader.number("H")
            polygon["uvs"] += [reader.numbers("2B") for _ in range(corners - 2)]
    for of_kind in polygons[2:]:
        for polygon in of_kind:
            polygon["unread"] = reader.take(4)
    for of_kind in polygons[:2]:
        for polygon in of_kind:
            first, polygon["x"] = reader.numbers("2B")
            polygon["level"], polygon["z"] = bits(first, 1, 7)
    n, p, q, r = counts
    if reader.at - at != 8 + 48 * n + 62 * p + 22 * q + 28 * r:
        raise AssertionError("the sizes of the arrays")
    return {"counts": counts, "polygons": polygons, "size": reader.at - at}


def read_palettes(data, at):
    reader = Reader(data, at)
    return {"rows": [list(reader.numbers("16H")) for _ in range(16)], "size": 512}


def read_lights(data, at):
    reader = Reader(data, at)
    return {"colors": [list(reader.numbers("3h")) for _ in range(3)],  # red of three lights, then green, then blue
            "directions": [list(reader.numbers("3h")) for _ in range(3)],  # of each light x, y, z
            "ambient": list(reader.take(3)), "top": list(reader.take(3)), "bottom": list(reader.take(3)), "size": 45}


def read_tile(raw):
    tile = {"unk_1": raw[1], "height": raw[2], "slope": raw[4]}
    tile["surface"], tile["unk_0"] = bits(raw[0], 6, 2)
    tile["slope_height"], tile["depth"] = bits(raw[3], 5, 3)
    tile["thickness"], tile["marks"] = bits(raw[5], 5, 3)
    names = ("missing", "not_walkable", "shading", "unk_6", "pass_only")
    tile.update(zip(names, bits(raw[6], 1, 1, 2, 3, 1)))
    tile["camera_low"], tile["camera_high"] = bits(raw[7], 4, 4)
    return tile


def read_terrain(data, at):
    """levels: twice 256 tiles, as they lie; tile (x, z) is the one with the number z * width + x"""
    reader = Reader(data, at)
    width, depth = reader.numbers("2B")
    levels = [[read_tile(reader.take(8)) for _ in range(256)] for _ in range(2)]
    return {"x": width, "z": depth, "levels": levels, "size": 4098}


TEXTURE_ANIMATION = ("canvas_x:h canvas_y:h width:h height:h frame_x:h frame_y:h column:B row:B mode:B frame_count:B "
                     "frame:B duration:B timer:B active:B")


def read_texture_animations(data, at):
    return {"rows": Reader(data, at).records(32, TEXTURE_ANIMATION), "size": 640}


KEYFRAME = ("rotation:h[3] rotation_pad:h position:h[3] position_pad:h scale:h[3] scale_pad:h start_angles:h[9] "
            "end_angles:h[9] modes:H[9] pad:H")
INSTRUCTION = "keyframe:B next:B duration:H"
STATES, PARTS, INSTRUCTIONS = 8, 8, 16


def read_mesh_animations(data, at):
    """records: as they follow, without the end; type 1: keyframes, 2: instructions, 3: parents"""
    reader, records = Reader(data, at), []
    while True:
        kind = reader.number("I")
        if kind == 0:
            return {"records": records, "size": reader.at - at}
        record = {"type": kind, "count": reader.number("I")}
        if kind == 1:
            record["keyframes"] = reader.records(record["count"], KEYFRAME)
        elif kind == 2:
            record["states"] = [[reader.records(INSTRUCTIONS, INSTRUCTION) for _ in range(PARTS)]
                                for _ in range(STATES)]
        elif kind == 3:
            record["parents"] = [list(reader.take(4)) for _ in range(record["count"])]
        else:
            raise FftError(f"0x{reader.at - 8:x}: mesh animation record of type {kind}")
        records.append(record)


RENDER_CONSTANT = bytes.fromhex("12123434") + b"".join(
    struct.pack("<I", int(1 <= word <= 5 or 10 <= word <= 17)) for word in range(1, 224))


def read_render(data, at):
    """slots: of the four kinds of polygons"""
    reader = Reader(data, at)
    return {"constant": reader.take(896), "slots": [list(reader.numbers(f"{n}H")) for n in RENDER_SLOTS], "size": 4096}


def read_page(data, at):
    return {"texels": Reader(data, at).take(PAGE_SIZE), "size": PAGE_SIZE}


READERS = {PALETTES: read_palettes, LIGHTS: read_lights, TERRAIN: read_terrain, GRAYSCALE: read_palettes,
           TEXTURE_ANIMATIONS: read_texture_animations, PALETTE_FRAMES: read_palettes, RENDER: read_render,
           MESH_ANIMATIONS: read_mesh_animations, **{page: read_page for page in PAGES},
           **{slot: read_geometry for slot in GEOMETRIES}}


def read_mesh(data):
    """slots: the 49 numbers of the header; chunks: of each known slot that is not 0 what is there; unread: [(at,
    bytes)] of what belongs to no chunk."""
    slots = list(Reader(data).numbers(f"{SLOTS}I"))
    chunks, owned = {}, [(0, HEADER)]
    for slot, reader in READERS.items():
        if slots[slot]:
            chunks[slot] = reader(data, slots[slot])
            owned.append((slots[slot], slots[slot] + chunks[slot]["size"]))
    unread, at = [], 0
    for start, end in sorted(owned):
        if start > at:
            unread.append((at, data[at:start]))
        at = max(at, end)
    if at < len(data):
        unread.append((at, data[at:]))
    return {"slots": slots, "chunks": chunks, "unread": unread}


def counts_of(mesh):
    """Polygons of the four kinds, of all nine geometries."""
    return [sum(mesh["chunks"][slot]["counts"][kind] for slot in GEOMETRIES if slot in mesh["chunks"])
            for kind in range(4)]
