"""Files of Platinum for platinum_oracle.py, made at random within what the documents allow: (name, format, bytes)."""
import random
import struct

import nitro_files
import platinum_files as files

ONE = 4096


def words(random_, count, most=0xFFFF):
    return [random_.randint(0, most) for _ in range(count)]


def header(random_):
    type_ = random_.randint(0, 6) | random_.randint(0, 22) << 7 | random_.randint(0, 15) << 12
    return struct.pack("<BB8HBBBBH", random_.randint(0, 74), random_.randint(0, 15), random_.randint(0, 288),
                       *words(random_, 5), random_.choice((0xFFFF, 7)), random_.randint(0, 533), random_.randint(0, 255),
                       random_.randint(0, 9), random_.randint(0, 30), random_.randint(0, 16), type_)


def matrix(random_, has_headers, has_altitudes):
    width, height = random_.randint(1, 6), random_.randint(1, 6)
    cells, prefix = width * height, bytes(random_.choices(b"abcdefgh_0123", k=random_.randint(1, 16)))
    made = bytes([width, height, has_headers, has_altitudes, len(prefix)]) + prefix
    if has_headers:
        made += struct.pack(f"<{cells}H", *words(random_, cells, 592))
    if has_altitudes:
        made += bytes(words(random_, cells, 20))
    return made + struct.pack(f"<{cells}H", *random_.choices([*range(666), *[0xFFFF] * 100], k=cells))


def area_build(random_):
    ids = random_.sample(range(590), random_.randint(1, 40))
    return struct.pack(f"<{len(ids) + 1}H", len(ids), *ids)


def area_light(random_, blocks, ends_with_break):
    def color():
        return words(random_, 3, 31)

    times = sorted(random_.sample(range(1, files.DAY), blocks - 1)) + [files.DAY]
    return files.write_area_light({"ends_with_break": ends_with_break, "blocks": [
        {"end_time": time, "lights": [{"valid": random_.randint(0, 1), "color": color(),
                                       "direction": [random_.randint(-4096, 4096) for _ in range(3)]}
                                      for _ in range(4)],
         **{name: color() for name in files.LIGHT_LINES[5:]}} for time in times]})


def anime_list(random_):
    ids = random_.sample(range(98), random_.randint(0, 4))
    head = (1, random_.choice((0, 2, 3)), random_.randint(0, 1), 0) if ids else (0xFF, 0xFF, 0, 0)
    return struct.pack("<4B4i", *head, *(ids + [-1] * 4)[:4])


def matshp(random_):
    locators, pairs = b"", b""
    for _ in range(random_.randint(1, 30)):
        count = random_.choice((0, 1, 2, 5))
        locators += struct.pack("<HH", count, len(pairs) // 4 if count else 0xFFFF)
        pairs += b"".join(struct.pack("<HH", i, random_.randint(0, 9)) for i in range(count))
    return struct.pack("<HH", len(locators) // 4, len(pairs) // 4) + locators + pairs


def texture_animations(random_):
    made = b""
    count = random_.randint(1, 9)
    for i in range(count):
        steps = b"".join(bytes([random_.randint(0, 7), random_.randint(0, 60)]) for _ in range(random_.randint(1, 17)))
        made += f"sea_{i}".encode().ljust(16, b"\0") + (steps + b"\xff\0").ljust(36, b"\0")
    return struct.pack("<I", count) + made


def zone_event(random_):
    made = b""

    def signed(most):
        return random_.randint(-most, most)

    def add(count, one):
        nonlocal made
        made += struct.pack("<I", count) + b"".join(one() for _ in range(count))

    counts = words(random_, 4, 6)
    add(counts[0], lambda: struct.pack("<HHiiiHH", *words(random_, 2), signed(900), signed(900), signed(90),
                                       random_.randint(0, 6), 0))
    add(counts[1], lambda: struct.pack("<6Hh3HhhHHi", *words(random_, 6), signed(3), *words(random_, 3), signed(9),
                                       signed(9), *words(random_, 2, 959), signed(90) * 0x10000))
    add(counts[2], lambda: struct.pack("<4HI", *words(random_, 2, 959), random_.randint(0, 592),
                                       random_.randint(0, 40), 0))
    add(counts[3], lambda: struct.pack("<8H", random_.randint(0, 9999), *words(random_, 2, 959),
                                       *words(random_, 2, 30), random_.randint(0, 9), *words(random_, 2)))
    return made


def move_models(random_):
    ids = words(random_, random_.randint(0, 24), 400) + [0xFFFF]
    ids += [0] * (len(ids) % 2)
    return struct.pack(f"<{len(ids)}H", *ids)


def map_names(random_):
    return b"".join(bytes(random_.choices(b"CRT0123456789", k=random_.randint(1, 15))).ljust(16, b"\0")
                    for _ in range(20))


def bdhc(random_, plates):
    made = {"magic": b"BDHC", "points": [], "normals": [], "constants": [], "plates": []}
    normals = [{"x": 0, "y": ONE, "z": 0}, {"x": 2896, "y": 2896, "z": 0}, {"x": 0, "y": 2896, "z": -2896},
               {"x": -1832, "y": 3664, "z": 0}]
    for i in range(plates):
        x, z = random_.randrange(-256, 240, 8), random_.randrange(-256, 240, 8)
        made["points"] += [{"x": x * ONE, "z": z * ONE},
                           {"x": random_.randrange(x + 8, 272, 8) * ONE, "z": random_.randrange(z + 8, 272, 8) * ONE}]
        made["normals"].append(random_.choice(normals))
        made["constants"].append(-random_.randrange(-40, 200, 4) * ONE)
        made["plates"].append({"first_point_index": 2 * i, "second_point_index": 2 * i + 1, "normal_index": i,
                               "constant_index": i})
    return files.write_bdhc(files.rebuild_bdhc(made))


def land(random_, props, plates, sounds=None, stray=b""):
    model = nitro_files.file(b"BMD0", 2, nitro_files.model_block())
    attributes = [random_.choice((0, 2, 8, 0x15, 0x69)) | random_.choice((0, 0x8000)) for _ in range(1024)]
    heights = bdhc(random_, plates)
    made = {"sizes": [2048, props * files.PROP_SIZE + len(stray), len(model), len(heights)], "sounds": sounds,
            "attributes": attributes, "stray": stray, "model": model, "bdhc": files.read_bdhc(heights), "rest": b"",
            "props": [{"model_id": random_.randint(0, 589),
                       "position": [random_.randint(-256 * ONE, 256 * ONE) for _ in range(3)],
                       "rotation": words(random_, 3) if i % 3 == 2 else [0, 0, 0],
                       "scale": [random_.randint(ONE // 2, 3 * ONE) for _ in range(3)],
                       "dummy": [random_.randint(0, 1), 0]} for i in range(props)]}
    return files.write_land(made)


def all_files(seed=1):
    """(name, format, bytes)"""
    random_ = random.Random(seed)
    yield "headers", "map-headers", b"".join(header(random_) for _ in range(40))
    for i in range(8):
        yield f"matrix {i}", "map-matrix", matrix(random_, i & 1, i >> 1 & 1)
    for i in range(4):
        yield f"area data {i}", "area-data", struct.pack("<4H", *words(random_, 2, 70), i, random_.randint(0, 3))
        yield f"area build {i}", "area-build", area_build(random_)
        yield f"anime list {i}", "bm-anime-list", anime_list(random_)
        yield f"matshp {i}", "matshp", matshp(random_)
        yield f"texture animations {i}", "fldtanime", texture_animations(random_)
        yield f"events {i}", "zone-event", zone_event(random_)
        yield f"move models {i}", "mm-list", move_models(random_)
        yield f"BDHC {i}", "bdhc", bdhc(random_, 1 + 9 * i)
        yield f"land {i}", "land-data", land(random_, 5 * i, 1 + 7 * i)
    yield "light, break", "area-light", area_light(random_, 15, True)
    yield "light", "area-light", area_light(random_, 3, False)
    yield "names", "map-names", map_names(random_)
    yield "land, stray", "land-data", land(random_, 3, 4, stray=b"\r\n")
    yield "land, sounds", "land-data", land(random_, 3, 4, sounds=bytes(range(16)))
    yield "land, no sounds", "land-data", land(random_, 3, 4, sounds=b"")
