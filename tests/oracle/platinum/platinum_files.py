"""A second reader of the map files of Pokemon Platinum (and what is known of Diamond, Pearl, HeartGold, SoulSilver).

Written from the documents alone, like nitro_oracle.py. Every reader takes bytes and gives a record: a dictionary of
numbers, lists and records, with fixed point numbers as they are stored (4096 is one). PlatinumError says what makes a
file unreadable.
"""
import struct

import archive_files


class PlatinumError(Exception):
    """What makes a file unreadable."""


class Reader(archive_files.Reader):
    def __init__(self, data, at=0):
        super().__init__(data, at, PlatinumError)

    def end(self):
        if self.rest:
            raise PlatinumError(f"0x{self.at:x}: {self.rest} bytes behind the end")


def bits(value, *widths):
    """Parts of a number, the lowest first."""
    for width in widths:
        yield value & (1 << width) - 1
        value >>= width


def text(raw):
    return raw.rstrip(b"\0").decode("latin-1")


# ---- headers ---------------------------------------------------------------------------------------------------------

HEADER_SIZE = 24
HEADER_START = ("area_data_archive_id:B preloaded_map_objects_archive_id:B map_matrix_id:H scripts_archive_id:H "
                "init_scripts_archive_id:H msg_archive_id:H day_music_id:H night_music_id:H "
                "wild_encounters_archive_id:H events_archive_id:H")


def read_header(data):
    reader = Reader(data)
    header = reader.record(HEADER_START + " map_label_text_id:B map_label_window_id:B weather:B camera_type:B")
    names = ("map_type", "battle_bg", "is_bike_allowed", "is_running_allowed", "is_escape_rope_allowed",
             "is_fly_allowed")
    header.update(zip(names, bits(reader.number("H"), 7, 5, 1, 1, 1, 1)))
    reader.end()
    return header


def read_headers(data):
    if len(data) % HEADER_SIZE:
        raise PlatinumError(f"{len(data)} bytes are no headers of {HEADER_SIZE}")
    return [read_header(data[at:at + HEADER_SIZE]) for at in range(0, len(data), HEADER_SIZE)]


def find_headers(arm9, areas=75, matrices=289, least=500):
    """(offset, number) of the longest run of plausible headers, a multiple of four in front of it; None without."""
    def plausible(at):
        header = read_header(arm9[at:at + HEADER_SIZE])
        return (header["area_data_archive_id"] < areas and header["map_matrix_id"] < matrices and
                header["map_type"] <= 6 and header["camera_type"] <= 16)

    best = None
    for phase in range(0, HEADER_SIZE, 4):
        start = phase
        for at in range(phase, len(arm9) + HEADER_SIZE, HEADER_SIZE):
            if at + HEADER_SIZE <= len(arm9) and plausible(at):
                continue
            count = (at - start) // HEADER_SIZE
            if count >= least and (best is None or count > best[1]):
                best = start, count
            start = at + HEADER_SIZE
    return best


def read_map_names(data):
    return [text(data[at:at + 16]) for at in range(0, len(data), 16)]


# ---- matrices --------------------------------------------------------------------------------------------------------

def read_matrix(data):
    """header_ids and altitudes are None in a matrix without them; all lists go row by row from the north."""
    reader = Reader(data)
    matrix = reader.record("width:B height:B has_map_header_ids:B has_altitudes:B model_name_prefix_length:B")
    cells = matrix["width"] * matrix["height"]
    matrix["model_name_prefix"] = reader.take(matrix["model_name_prefix_length"]).decode("latin-1")
    matrix["map_header_ids"] = list(reader.numbers(f"{cells}H")) if matrix["has_map_header_ids"] else None
    matrix["altitudes"] = list(reader.numbers(f"{cells}B")) if matrix["has_altitudes"] else None
    matrix["land_data_ids"] = list(reader.numbers(f"{cells}H"))
    reader.end()
    return matrix


EMPTY = 0xFFFF  # a cell without land


def cells_of(matrix):
    """(x, z, header id or None, altitude, land id) of every cell that has land."""
    for i, land in enumerate(matrix["land_data_ids"]):
        if land != EMPTY:
            z, x = divmod(i, matrix["width"])
            header = matrix["map_header_ids"][i] if matrix["map_header_ids"] else None
            yield x, z, header, matrix["altitudes"][i] if matrix["altitudes"] else 0, land


# ---- land ------------------------------------------------------------------------------------------------------------

PROP = "model_id:I position:i[3] rotation:I[3] scale:i[3] dummy:I[2]"
PROP_SIZE = 48


def is_heart_gold(data):
    if len(data) < 20:
        return False
    mark, size = struct.unpack_from("<HH", data, 16)
    return mark == 0x1234 and 20 + size + sum(struct.unpack_from("<4I", data)) == len(data)


def read_land(data):
    reader = Reader(data)
    sizes = reader.numbers("4I")
    land = {"sizes": list(sizes), "sounds": None}
    if is_heart_gold(data):
        reader.number("H")
        land["sounds"] = reader.take(reader.number("H"))
    attributes = reader.take(sizes[0])
    land["attributes"] = [v for v, in struct.iter_unpack("<H", attributes[:len(attributes) & ~1])]
    props = Reader(reader.take(sizes[1]))
    land["props"] = props.records(sizes[1] // PROP_SIZE, PROP)
    land["stray"] = props.take(props.rest)
    land["model_at"] = reader.at
    land["model"] = reader.take(sizes[2])
    land["bdhc_at"] = reader.at
    land["bdhc_data"] = reader.take(sizes[3])
    land["rest"] = reader.take(reader.rest)
    land["bdhc"] = read_bdhc(land["bdhc_data"])
    return land


def write_land(land):
    made = struct.pack("<4I", *land["sizes"])
    if land["sounds"] is not None:
        made += struct.pack("<HH", 0x1234, len(land["sounds"])) + land["sounds"]
    made += struct.pack(f"<{len(land['attributes'])}H", *land["attributes"])
    for prop in land["props"]:
        made += struct.pack("<I3i3I3i2I", prop["model_id"], *prop["position"], *prop["rotation"], *prop["scale"],
                            *prop["dummy"])
    return made + land["stray"] + land["model"] + write_bdhc(land["bdhc"]) + land["rest"]


# ---- heights ---------------------------------------------------------------------------------------------------------

BDHC_HEADER = "points:H normals:H constants:H plates:H strips:H access_list:H"
PARTS = (("points", "x:i z:i"), ("normals", "x:i y:i z:i"), ("constants", "i"),
         ("plates", "first_point_index:H second_point_index:H normal_index:H constant_index:H"),
         ("strips", "scanline:i access_list_element_count:H access_list_start_index:H"), ("access_list", "H"))


def read_bdhc(data):
    """The first four bytes are the game's magic, or lengths in a patched game: `cameras` are then what follows."""
    reader = Reader(data)
    bdhc = {"magic": reader.take(4)}
    counts = reader.record(BDHC_HEADER)
    for name, fields in PARTS:
        if ":" in fields:
            bdhc[name] = reader.records(counts[name], fields)
        else:
            bdhc[name] = list(reader.numbers(f"{counts[name]}{fields}"))
    bdhc["rest"] = reader.take(reader.rest)
    return bdhc


def write_bdhc(bdhc):
    made = bdhc["magic"] + struct.pack("<6H", *(len(bdhc[name]) for name, _ in PARTS))
    for name, fields in PARTS:
        code = "".join(field.split(":")[-1] for field in fields.split())
        for entry in bdhc[name]:
            made += struct.pack("<" + code, *(entry.values() if isinstance(entry, dict) else (entry,)))
    return made + bdhc["rest"]


def corners(bdhc, plate):
    """((x1, z1), (x2, z2)) of a plate."""
    first, second = bdhc["points"][plate["first_point_index"]], bdhc["points"][plate["second_point_index"]]
    return (first["x"], first["z"]), (second["x"], second["z"])


def rectangle(bdhc, plate):
    """(least x, greatest x, least z, greatest z)"""
    (x1, z1), (x2, z2) = corners(bdhc, plate)
    return min(x1, x2), max(x1, x2), min(z1, z2), max(z1, z2)


def signed32(value):
    return ((value & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


def multiply(a, b):
    return signed32(a * b + 0x800 >> 12)


def divide(a, b):
    """The divider has a 64-bit result towards zero with 32 fraction bits; the upper 12 of them are kept, rounded."""
    quotient = abs(a << 32) // abs(b)
    return signed32((quotient if (a < 0) == (b < 0) else -quotient) + 0x80000 >> 20)


def plate_height(bdhc, plate, x, z):
    """Of a plate's plane at x, z; None where it has none."""
    normal, constant = bdhc["normals"][plate["normal_index"]], bdhc["constants"][plate["constant_index"]]
    if normal["y"] == 0:
        return None
    sum_ = signed32(-(multiply(normal["x"], x) + multiply(normal["z"], z) + constant))
    return divide(sum_, normal["y"])


def strip_by_definition(bdhc, z):
    strips = bdhc["strips"]
    if not strips:
        return None
    first = next((i for i, strip in enumerate(strips) if strip["scanline"] > z), len(strips))
    return min(first, len(strips) - 1)


def strip_by_game(bdhc, z):
    """As the game searches: by halves, and the last scanline is never looked at."""
    strips = bdhc["strips"]
    if len(strips) < 2:
        return 0 if strips else None
    low, high = 0, len(strips) - 1
    while True:
        middle = (low + high) // 2
        if strips[middle]["scanline"] > z:
            if high - 1 <= low:
                return middle
            high = middle
        else:
            if low + 1 >= high:
                return middle + 1
            low = middle


CANDIDATES = 10


def candidates(bdhc, x, z):
    """[(plate index, height)] of the plates that the game finds at x, z, all in fx32."""
    strip = strip_by_definition(bdhc, z)
    if strip is None:
        return []
    strip = bdhc["strips"][strip]
    first = strip["access_list_start_index"]
    found = []
    for index in bdhc["access_list"][first:first + strip["access_list_element_count"]]:
        plate = bdhc["plates"][index]
        x1, x2, z1, z2 = rectangle(bdhc, plate)
        if x1 <= x <= x2 and z1 <= z <= z2:
            found.append((index, plate_height(bdhc, plate, x, z)))
            if len(found) == CANDIDATES:
                break
    return found


def height(bdhc, x, z, current=0):
    """What the game finds for an object at that height; None where there is no plate."""
    found = candidates(bdhc, x, z)
    return min(found, key=lambda c: abs(c[1] - current))[1] if found else None


def rebuild_bdhc(bdhc):
    """Everything that follows from the plates, made anew by the rules of construction."""
    made = {"magic": bdhc["magic"], "points": [], "normals": [], "constants": [], "plates": [], "strips": [],
            "access_list": [], "rest": b""}

    def number(kind, entry):
        if entry not in made[kind]:
            made[kind].append(entry)
        return made[kind].index(entry)

    for plate in bdhc["plates"]:
        made["plates"].append({
            "first_point_index": number("points", bdhc["points"][plate["first_point_index"]]),
            "second_point_index": number("points", bdhc["points"][plate["second_point_index"]]),
            "normal_index": number("normals", bdhc["normals"][plate["normal_index"]]),
            "constant_index": number("constants", bdhc["constants"][plate["constant_index"]])})
    rectangles = [rectangle(made, plate) for plate in made["plates"]]
    lines = sorted({z for r in rectangles for z in r[2:]})
    for i, line in enumerate(lines[1:]):
        # The first strip has everything from the smallest z on.
        crossing = [n for n, (_, _, z1, z2) in enumerate(rectangles)
                    if (z1 <= line if i == 0 else z1 <= line <= z2)]
        made["strips"].append({"scanline": line, "access_list_element_count": len(crossing),
                               "access_list_start_index": len(made["access_list"])})
        made["access_list"] += crossing
    return made


def read_cameras(bdhc_data):
    """The plates of a DCAM block behind a BDHC of a patched game, or None."""
    at = bdhc_data.find(b"DCAM")
    if at < 0:
        return None
    reader = Reader(bdhc_data, at + 4)
    plates = reader.records(reader.number("I"), "x0:B y0:B x1:B y1:B z:B type:B parameters_offset:H")
    for i, plate in enumerate(plates):
        reader.at = at + 8 + 8 * i + plate["parameters_offset"]
        plate["parameters"] = reader.records(reader.number("I"), "type:I first:i second:i")
    return plates


# ---- areas -----------------------------------------------------------------------------------------------------------

def read_area(data):
    reader = Reader(data)
    area = reader.record("map_prop_archives_id:H map_texture_archive_id:H dummy:H area_light_archive_id:H")
    reader.end()
    return area


def read_area_heart_gold(data):
    reader = Reader(data)
    area = reader.record("map_prop_archives_id:H map_texture_archive_id:H dynamic_texture_archive_id:H area_type:B "
                         "area_light_archive_id:B")
    reader.end()
    return area


def read_area_build(data):
    reader = Reader(data)
    ids = list(reader.numbers(f"{reader.number('H')}H"))
    reader.end()
    return ids


LIGHT_LINES = ("end_time", "lights", "lights", "lights", "lights", "diffuse", "ambient", "specular", "emission")
LIGHT_WIDTHS = (1, 7, 7, 7, 7, 3, 3, 3, 3)


def read_area_light(data):
    """The blocks, and whether a line break follows EOF."""
    lines = data.decode("ascii").split("\r\n")
    ends_with_break = lines[-1] == ""
    if ends_with_break:
        lines.pop()
    if lines.pop() != "EOF":
        raise PlatinumError("no EOF at the end")
    blocks, at = [], 0
    while at < len(lines):
        block = {"end_time": None, "lights": []}
        for name, width, line in zip(LIGHT_LINES, LIGHT_WIDTHS, lines[at:at + 9]):
            fields = line.split(",")
            if fields.pop() != "" or len(fields) != width:
                raise PlatinumError(f"line {at}: {line!r} has not {width} numbers")
            values = [int(field) for field in fields]
            if name == "lights":
                block["lights"].append({"valid": values[0], "color": values[1:4], "direction": values[4:]})
            else:
                block[name] = values[0] if width == 1 else values
        if len(lines) < at + 10 or lines[at + 9] != "":
            raise PlatinumError(f"line {at + 9}: no empty line behind a block")
        blocks.append(block)
        at += 10
    return {"blocks": blocks, "ends_with_break": ends_with_break}


def write_area_light(light):
    lines = []
    for block in light["blocks"]:
        lines.append([block["end_time"]])
        lines += [[one["valid"], *one["color"], *one["direction"]] for one in block["lights"]]
        lines += [block[name] for name in LIGHT_LINES[5:]] + [[]]
    made = "".join("".join(f"{v}," for v in line) + "\r\n" for line in lines)
    return (made + "EOF" + "\r\n" * light["ends_with_break"]).encode()


DAY = 43200  # in units of two seconds


def light_at(blocks, time):
    """The index of the block the game starts with."""
    return next((i for i, block in enumerate(blocks) if block["end_time"] > time), 0)


# ---- props -----------------------------------------------------------------------------------------------------------

def read_anime_list(data):
    reader = Reader(data)
    record = reader.record("has_animations:B flags:B is_bicycle_slope:B padding:B anime_archive_ids:i[4]")
    reader.end()
    return record


def animations_of(record):
    """The ids in front of the first -1."""
    ids = record["anime_archive_ids"]
    return ids[:ids.index(-1)] if -1 in ids else ids


def read_matshp(data):
    reader = Reader(data)
    counts = reader.record("locators:H ids:H")
    made = {"locators": reader.records(counts["locators"], "ids_count:H ids_index:H"),
            "ids": reader.records(counts["ids"], "material_id:H shape_id:H")}
    reader.end()
    return made


def pairs_of(matshp, model):
    """[(material, shape)] of a model"""
    locator = matshp["locators"][model]
    first = locator["ids_index"]
    ids = matshp["ids"][first:first + locator["ids_count"]] if locator["ids_count"] else []
    return [(pair["material_id"], pair["shape_id"]) for pair in ids]


def drawn_pairs(model):
    """[(material, shape)] of a model as its commands draw them (a model of nitro_oracle)."""
    material, pairs = None, []
    for name, _, operands in model.sbc:
        if name == "MAT":
            material = operands[0]
        elif name == "SHP":
            pairs.append((material, operands[0]))
    return pairs


def rebuild_matshp(models, animated):
    """models: of nitro_oracle, in the order of the archive; animated: for each whether it has animations."""
    made = {"locators": [], "ids": []}
    for model, moves in zip(models, animated):
        pairs = [] if moves else sorted(drawn_pairs(model), key=lambda pair: pair[0])
        made["locators"].append({"ids_count": len(pairs), "ids_index": len(made["ids"]) if pairs else 0xFFFF})
        made["ids"] += [{"material_id": m, "shape_id": s} for m, s in pairs]
    return made


# ---- what the running game also needs ----------------------------------------------------------------------------------

def read_texture_animations(data):
    """Member 0 of fldtanime: the names and the frames up to the first 0xFF."""
    reader = Reader(data)
    made = []
    for record in reader.records(reader.number("I"), "name:B[16] steps:B[36]"):
        steps = list(zip(record["steps"][::2], record["steps"][1::2]))
        ends = next((i for i, (frame, _) in enumerate(steps) if frame == 0xFF), len(steps))
        made.append({"name": text(bytes(record["name"])), "steps": steps[:ends], "all_steps": steps})
    reader.end()
    return made


BG_EVENT = "script:H type:H x:i z:i y:i player_facing_dir:H padding:H"
OBJECT_EVENT = ("local_id:H graphics_id:H movement_type:H trainer_type:H hidden_flag:H script:H initial_dir:h "
                "data:H[3] movement_range_x:h movement_range_z:h x:H z:H y:i")
WARP_EVENT = "x:H z:H dest_header_id:H dest_warp_id:H unused:I"
COORD_EVENT = "script:H x:H z:H width:H length:H y:H value:H var:H"


def read_zone_event(data):
    reader = Reader(data)
    made = {}
    for name, fields in (("bg_events", BG_EVENT), ("object_events", OBJECT_EVENT), ("warp_events", WARP_EVENT),
                         ("coord_events", COORD_EVENT)):
        made[name] = reader.records(reader.number("I"), fields)
    reader.end()
    return made


def read_move_models(data):
    """Member of mm_list: the ids in front of 0xFFFF, and what is behind it."""
    ids = [v for v, in struct.iter_unpack("<H", data[:len(data) & ~1])]
    if 0xFFFF not in ids:
        raise PlatinumError("no 0xFFFF at the end")
    end = ids.index(0xFFFF)
    return {"ids": ids[:end], "rest": ids[end + 1:]}
