"""Map files of Final Fantasy Tactics, made at random within and beyond what the documents allow, always the same for
the same seed: mesh files with every oddity that the loader lives with, indices, textures, whole maps."""
import random
import struct

import fft_files as files

SLOPES = (0x00, 0x85, 0x52, 0x25, 0x58, 0x41, 0x11, 0x14, 0x44, 0x96, 0x66, 0x69, 0x99)
NONE = b"\xfe\xff"  # the tile binding of what lies on no tile


# ---- chunks ----------------------------------------------------------------------------------------------------------

def shorts(random_, count, least=-600, most=600):
    return struct.pack(f"<{count}h", *(random_.randint(least, most) for _ in range(count)))


def geometry(random_, counts, wild=False):
    """wild: any bytes at all; else as real ones are."""
    n, p, q, r = counts
    made = struct.pack("<4H", *counts)
    if wild:
        return made + random_.randbytes(48 * n + 62 * p + 22 * q + 28 * r)
    made += shorts(random_, 3 * (3 * n + 4 * p + 3 * q + 4 * r))
    for _ in range(3 * n + 4 * p):
        made += struct.pack("<3h", *random_.choice(((0, -4096, 0), (4096, 0, 0), (0, 0, -4096), (-2896, -2896, 0))))
    for i in range(n + p):
        uvs = [bytes((random_.randint(0, 252), random_.randint(0, 249))) for _ in range(4)]
        page = 12 + random_.randint(0, 3) if random_.random() < 0.95 else random_.randint(0, 0x1FF)
        made += uvs[0] + struct.pack("<H", 0x7800 | random_.randint(0, 15)) + uvs[1] + struct.pack("<H", page)
        made += uvs[2] + (uvs[3] if i >= n else b"")
    for _ in range(q + r):
        made += random_.choice((b"\1\0\0\0", b"\1\0\0\0", random_.randbytes(4)))
    for _ in range(n + p):
        made += random_.choice((NONE, bytes((random_.randint(0, 31), random_.randint(0, 15)))))
    return made


def palettes(random_):
    made = []
    for _ in range(16):
        made += [0] + [random_.choice((random_.randint(0, 0x7FFF), random_.randint(0, 0xFFFF))) for _ in range(15)]
    return struct.pack("<256H", *made)


def grayscale(random_):
    return struct.pack("<256H", *(random_.randint(0, 31) * 0x421 for _ in range(256)))


def lights(random_, most=2047, least=0):
    return (shorts(random_, 9, least, most) + shorts(random_, 9, -4096, 4096) + random_.randbytes(3) +
            random_.randbytes(6))


def terrain(random_, x, z, wild=False):
    if wild:
        return bytes((x, z)) + random_.randbytes(4096)
    made = bytes((x, z))
    for level in range(2):
        for i in range(256):
            if i >= x * z:
                made += bytes(8)
                continue
            slope = random_.choice(SLOPES)
            rise = random_.randint(1, 6) if slope else 0
            made += bytes((random_.choice((1, 4, 15, 19, 0x3F)), 0, random_.randint(0, 20),
                           rise | random_.choice((0, 0, 1, 3)) << 5, slope, random_.randint(0, 31),
                           random_.choice((0, 0, 0, 1, 2, 0x80)) | random_.randint(0, 3) << 2, random_.randint(0, 255)))
    return made


def texture_animation(canvas_x=0, canvas_y=0, width=0, height=0, frame_x=0, frame_y=0, mode=0, count=0, duration=0,
                      active=0, column=0, row=0, frame=0, timer=0):
    return struct.pack("<6h8B", canvas_x, canvas_y, width, height, frame_x, frame_y, column, row, mode, count, frame,
                       duration, timer, active)


def texture_animations(random_, wild=False):
    if wild:
        return random_.randbytes(640)
    rows = []
    for i in range(random_.randint(0, 32)):
        mode = random_.choice((1, 1, 2, 3, 3, 4, 5, 9, 0x0C, 0x0D, 0x14, 0x15, 0x1C, 0x1D, 0))
        if mode in (3, 4, 0x0D, 0x14):
            count = random_.randint(2, 8)
            rows.append(texture_animation(16 * random_.randint(0, 15), 480, 0, 0, random_.randint(0, 16 - count), 0,
                                          mode, count, random_.randint(1, 20)))
        else:
            width, height, page = random_.randint(1, 10), random_.randint(4, 30), 0x300 + 64 * random_.randint(0, 3)
            rows.append(texture_animation(page + random_.randint(0, 62 - width), random_.randint(0, 200), width, height,
                                          0x300 + 64 * random_.randint(0, 3) + random_.randint(0, 62 - width),
                                          random_.randint(0, 100), mode, random_.randint(2, 5), random_.randint(1, 20)))
    return b"".join(rows).ljust(640, b"\0")


def keyframe(rotation=(0, 0, 0), position=(0, 0, 0), scale=(4096,) * 3, modes=(5,) * 9, starts=(0,) * 9, ends=(0,) * 9,
             pads=(0, 0, 0, 0)):
    return struct.pack("<40H", *(v & 0xFFFF for v in (*rotation, pads[0], *position, pads[1], *scale, pads[2], *starts,
                                                     *ends, *modes, pads[3])))


def mesh_animations(keyframes, instructions, parents, order=(1, 2, 3), count=128, rows=64):
    """instructions: {(state, mesh): [(keyframe, next, duration)]}, both from 0; parents: {mesh: parent}, both from 1"""
    parts = {1: struct.pack("<II", 1, count) + b"".join(keyframes).ljust(80 * count, b"\0"),
             2: struct.pack("<IHH", 2, 16, 64), 3: struct.pack("<II", 3, rows)}
    for row in range(64):
        of_row = instructions.get(divmod(row, 8), ())
        parts[2] += b"".join(struct.pack("<BBH", *one) for one in of_row).ljust(64, b"\0")
    parts[3] += b"".join(bytes((parents.get(i + 1, 0), 0, 0, 0)) for i in range(rows))
    return b"".join(parts[kind] for kind in order) + bytes(4)


def wild_mesh_animations(random_, order=(1, 2, 3), count=128, rows=64):
    """Records of any content."""
    parts = {1: struct.pack("<II", 1, count) + random_.randbytes(80 * count),
             2: struct.pack("<I", 2) + random_.randbytes(4) + random_.randbytes(4096),
             3: struct.pack("<II", 3, rows) + random_.randbytes(4 * rows)}
    return b"".join(parts[kind] for kind in order) + bytes(4)


def render(random_, counts=files.RENDER_SLOTS, constant=files.RENDER_CONSTANT):
    made = constant
    for slots, used in zip(files.RENDER_SLOTS, counts):
        words = [random_.choice((0x8000, 0x8000, 0, random_.randint(0, 0xFFFF))) for _ in range(min(used, slots))]
        made += struct.pack(f"<{slots}H", *(words + [0x8000] * (slots - len(words))))
    return made


# ---- files -----------------------------------------------------------------------------------------------------------

def mesh_file(chunks, order=None, align=4, fill=0, slots=None, tail=b"", gap=b""):
    """chunks: {slot: bytes}; order: the slots as they lie; slots: what stands in the header whatever lies there.
    fill: the byte between chunks, or a source of random ones."""
    header, made = [0] * files.SLOTS, bytearray(files.HEADER)
    for slot in order or sorted(chunks):
        missing = -len(made) % align
        made += fill.randbytes(missing) if isinstance(fill, random.Random) else bytes([fill]) * missing
        header[slot] = len(made)
        made += chunks[slot] + gap
    for slot, value in (slots or {}).items():
        header[slot] = header[value] if isinstance(value, int) and value < files.SLOTS and value else value
    made[:files.HEADER] = struct.pack(f"<{files.SLOTS}I", *header)
    made += tail
    if gap and not tail:
        del made[-len(gap):]
    return bytes(made)


def mesh_parts(random_, counts=(6, 9, 2, 3), size=(6, 5), animated=2, wild=False):
    """Every chunk of an ordinary file."""
    parts = {files.GEOMETRY: geometry(random_, counts, wild), files.PALETTES: palettes(random_),
             files.LIGHTS: lights(random_, 27648 if wild else 2047), files.TERRAIN: terrain(random_, *size, wild),
             files.TEXTURE_ANIMATIONS: texture_animations(random_, wild), files.PALETTE_FRAMES: palettes(random_),
             files.GRAYSCALE: grayscale(random_), files.MESH_ANIMATIONS: wild_mesh_animations(random_),
             files.RENDER: render(random_, counts)}
    for slot in files.ANIMATED[:animated]:
        parts[slot] = geometry(random_, (1, 2, 0, 1), wild)
    return parts


def shared(random_, total):
    """Counts of nine geometries whose sums are `total`."""
    made = [[0] * 4 for _ in range(9)]
    for kind, count in enumerate(total):
        cuts = sorted(random_.randint(0, count) for _ in range(8))
        for i, (start, end) in enumerate(zip([0, *cuts], [*cuts, count])):
            made[i][kind] = end - start
    return made


def odd_meshes(random_):
    """(name, bytes) of every oddity, once."""
    def parts(**options):
        return mesh_parts(random_, **options)

    yield "ordinary", mesh_file(parts())
    yield "anything", mesh_file(parts(wild=True), fill=random_, tail=random_.randbytes(3))
    page = {**parts(animated=0), files.PAGES[0]: random_.randbytes(files.PAGE_SIZE)}
    yield "page", mesh_file(page)
    yield "two pages", mesh_file({slot: random_.randbytes(files.PAGE_SIZE) for slot in files.PAGES[1:3]})
    yield "17 by 16", mesh_file(parts(size=(17, 16)))
    yield "255 by 255", mesh_file({files.TERRAIN: terrain(random_, 255, 255, True)})
    yield "0 by 3", mesh_file({files.TERRAIN: terrain(random_, 0, 3, True)})
    yield "fill", mesh_file(parts(), fill=0xA5)
    yield "fill at random", mesh_file(parts(), fill=random_)
    yield "not aligned", mesh_file(parts(), align=1)
    yield "gaps", mesh_file(parts(), gap=random_.randbytes(20))
    yield "a tail", mesh_file(parts(), tail=random_.randbytes(41))
    yield "at the most seen", mesh_file({files.GEOMETRY: geometry(random_, files.SEEN), files.RENDER: render(random_)})
    yield "at the limits", mesh_file({files.GEOMETRY: geometry(random_, files.LIMITS), files.RENDER: render(random_)})
    for name, total in (("seen", files.SEEN), ("limits", files.LIMITS)):
        counts = shared(random_, total)
        yield f"{name} over nine", mesh_file({slot: geometry(random_, c) for slot, c in zip(files.GEOMETRIES, counts)})
    yield "beyond the limits", mesh_file({files.GEOMETRY: geometry(random_, (361, 711, 65, 257))})
    crowd = geometry(random_, (3, 0, 70, 260))
    yield "more than slots", mesh_file({files.GEOMETRY: crowd, files.RENDER: render(random_)})
    yield "no geometry", mesh_file({s: c for s, c in parts().items() if s != files.GEOMETRY})
    yield "no polygons", mesh_file({files.GEOMETRY: geometry(random_, (0, 0, 0, 0))})
    for i in range(4):
        yield f"only kind {i}", mesh_file({files.GEOMETRY: geometry(random_, [3 * (i == j) for j in range(4)])})
    yield "nothing", mesh_file({})
    yield "lights", mesh_file({files.LIGHTS: lights(random_)})
    yield "dark lights", mesh_file({files.LIGHTS: lights(random_, 300, -32768)})
    yield "palettes and lights", mesh_file({files.PALETTES: palettes(random_), files.LIGHTS: lights(random_)})
    yield "lights and terrain", mesh_file({files.LIGHTS: lights(random_), files.TERRAIN: terrain(random_, 8, 9)})
    mixed = parts()
    order = list(mixed)
    random_.shuffle(order)
    yield "out of order", mesh_file(mixed, order)
    yield "backwards", mesh_file(mixed, sorted(mixed, reverse=True), fill=random_)
    yield "one for two", mesh_file(parts(), slots={files.GRAYSCALE: files.PALETTES})
    yield "one mesh for two", mesh_file(parts(), slots={files.ANIMATED[5]: files.ANIMATED[0]})
    yield "all palettes one", mesh_file({files.PALETTES: palettes(random_)},
                                        slots={files.GRAYSCALE: files.PALETTES, files.PALETTE_FRAMES: files.PALETTES})
    overlapping = mesh_file({files.PALETTES: palettes(random_), files.GRAYSCALE: grayscale(random_)})
    yield "overlapping", at_slot(overlapping, files.GRAYSCALE, files.HEADER + 100)
    yield "lights in palettes", at_slot(mesh_file(parts()), files.LIGHTS, files.HEADER + 3000)
    yield "other slots", mesh_file(parts(), slots={0x00: 0x12345678, 0x0F: 200, 0x17: 1000, 0x1D: 0xFFFFFFFF, 0x22: 4})
    changed = bytearray(files.RENDER_CONSTANT)
    changed[5], changed[895] = 7, 9
    yield "another constant", mesh_file({files.RENDER: render(random_, constant=bytes(changed))})
    yield "records in another order", mesh_file({files.MESH_ANIMATIONS: wild_mesh_animations(random_, (3, 1, 2))})
    yield "few records", mesh_file({files.MESH_ANIMATIONS: wild_mesh_animations(random_, (1,), count=3)})
    yield "no records", mesh_file({files.MESH_ANIMATIONS: bytes(4)})
    yield "records twice", mesh_file({files.MESH_ANIMATIONS: wild_mesh_animations(random_, (1, 2, 1, 3), 5, 8)})


def at_slot(data, slot, value):
    return data[:4 * slot] + struct.pack("<I", value) + data[4 * slot + 4:]


def some_mesh(random_):
    """A file of any chunks, laid out in any way."""
    wild = random_.random() < 0.5
    everything = mesh_parts(random_, [random_.randint(0, 12) for _ in range(4)],
                            (random_.randint(1, 18), random_.randint(1, 16)), random_.randint(0, 8), wild)
    kept = {slot: chunk for slot, chunk in everything.items() if random_.random() < 0.7}
    if files.MESH_ANIMATIONS in kept and random_.random() < 0.7:
        del kept[files.MESH_ANIMATIONS]
    order = sorted(kept)
    if random_.random() < 0.4:
        random_.shuffle(order)
    return mesh_file(kept, order, random_.choice((4, 4, 4, 1, 2, 16)), random_.choice((0, 0, 0xCC, random_)),
                     tail=random_.choice((b"", b"", b"\0", b"\1\2\3")))


# ---- indices ---------------------------------------------------------------------------------------------------------

def gns_row(kind, lba, length, state=0, variable=0x22, comparison=1, unk_6=0x3333, marker=b"\x55\x66\x77\x88"):
    return struct.pack("<HHBBHII", variable, state & 0xFFFF, comparison, kind, unk_6, lba, length) + marker


def end_row():
    return struct.pack("<HHBBHII", 0x22, 0, 1, 0x80, 0, 0, 0) + bytes(4)


def command_row(kind, payload=b"", state=0, length=0x14, variable=0x22, comparison=1):
    head = struct.pack("<HHBBHI", variable, state & 0xFFFF, comparison, kind, 0, length)
    return head + payload.ljust(length - 12, b"\0")


def gns(rows, commands=(), fillers=0, tail=bytes(8)):
    """rows: of files; fillers repeat the last of them"""
    made = b"".join(rows)
    if fillers:
        last = rows[-1]
        made += fillers * (last[:2] + b"\1\0\1" + bytes([files.FILLER]) + last[6:])
    return made + end_row() + b"".join(commands) + tail


def odd_gns(random_):
    """(name, bytes)"""
    def row(kind, lba=None, **options):
        lba = random_.randint(10000, 56000) if lba is None else lba
        return gns_row(kind, lba, 2048 * random_.randint(1, 64), **options)

    base = [row(0x17), row(0x2E)]
    yield "ordinary", gns(base, [command_row(0x86), command_row(0x88)], 3)
    yield "no filler", gns(base)
    camera = command_row(0x83, struct.pack("<3h", 100, -200, 300), 0x1001, 0x1C)
    turned = command_row(0x84, random_.randbytes(16), -1, 0x1C)
    yield "long commands", gns(base, [command_row(0x86), camera, turned, command_row(0x8B, b"\3")], 2)
    yield "all types", gns([row(kind) for kind in (0x13, 0x14, 0x15, 0x16, 0x17, 0x2E, 0x2F, 0x30, 0x30)], (), 4)
    yield "all commands", gns(base, [command_row(kind, random_.randbytes(8)) for kind in
                                     (0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B)])
    states = [row(0x30, state=random_.randint(-32768, 32767), variable=variable, comparison=comparison)
              for variable in (0x22, 0x30, 0x70) for comparison in (1, 2, 3)]
    yield "states", gns(base + states, (), 5)
    yield "odd numbers", gns([row(0x17), row(0x2E, lba=0x12345678, comparison=7, variable=0x1234, unk_6=0xABCD),
                              row(0x30, marker=b"\1\2\3\4")], (), 1)
    yield "forty", gns([row(random_.choice((0x17, 0x30)), state=random_.randint(0, 0xFFFF)) for _ in range(40)],
                       [command_row(0x86), command_row(0x88)], 76)
    yield "another tail", gns(base, [command_row(0x86)], 1, random_.randbytes(5) + b"\0" + random_.randbytes(2))


def texture(random_):
    return random_.randbytes(files.TEXTURE_SIZE)


# ---- maps ------------------------------------------------------------------------------------------------------------

SECTOR = 2048


def sectors_of(data):
    return (len(data) + SECTOR - 1) // SECTOR


def whole_map(number, parts, lba, gns_lba, first=5, commands=(), fillers=3, gap=0):
    """{name: (lba, bytes)} of a map. parts: [(type, state, variable, comparison, bytes)]; the same bytes object twice
    is one file with two rows. gap: free sectors behind each file."""
    rows, placed, known, n = [], {}, {}, first
    for kind, state, variable, comparison, data in parts:
        if id(data) not in known:
            known[id(data)] = lba
            if lba <= gns_lba < lba + sectors_of(data):
                lba = gns_lba + 1
                known[id(data)] = lba
            placed[f"MAP{number:03}.{n}"] = lba, data
            lba += sectors_of(data) + gap
            n += 3
        rows.append(gns_row(kind, known[id(data)], SECTOR * sectors_of(data), state, variable, comparison))
    placed[f"MAP{number:03}.GNS"] = gns_lba, gns(rows, commands, fillers)
    return placed


def ordinary_map(random_, number, lba, **options):
    """Day, night, rain, another arrangement; the index in front of its files."""
    parts = mesh_parts(random_, (4, 6, 1, 2))
    parts[files.MESH_ANIMATIONS] = moving_parts(random_, 2)
    night = mesh_file({files.PALETTES: palettes(random_), files.LIGHTS: lights(random_)})
    rain = mesh_file({files.LIGHTS: lights(random_)})
    other = mesh_file({files.GEOMETRY: geometry(random_, (3, 5, 0, 1)), files.TERRAIN: terrain(random_, 6, 5)})
    return whole_map(number, [(0x17, 0, 0x22, 1, texture(random_)), (0x2E, 0, 0x22, 1, mesh_file(parts)),
                              (0x30, 0x8000, 0x22, 1, night), (0x30, 0x2000, 0x22, 1, rain), (0x30, 1, 0x30, 1, other)],
                     lba + 1, lba, commands=[command_row(0x86), command_row(0x88)], **options)


# ---- what moves ------------------------------------------------------------------------------------------------------

def moving_parts(random_, parts=3):
    """Mesh animations as they may be on a disc, for the first of the animated meshes: every way to move a channel,
    loops, ends, parents, scales of nothing."""
    keyframes, instructions, scales = [], {}, ((4096, 4096, 4096), (2048, 4096, 8192), (0, 0, 0))

    def add(moves):
        modes, starts, ends = [], [], []
        for i in range(9):
            mode = random_.choice(moves)
            if i >= 6 and mode & 2:
                mode = mode & ~2 | 1  # scales by something grow and grow
            modes.append(mode)
            starts.append(random_.choice((0, 1024, 3072)))
            ends.append(starts[-1] + random_.choice((1024, 2048, 4096)))
        keyframes.append(keyframe([random_.randrange(-2048, 2049, 256) for _ in range(3)],
                                  [random_.randint(-100, 100) for _ in range(3)],
                                  random_.choice(scales), modes, starts, ends))
        return len(keyframes)

    for part in range(parts):
        rows = [(add((5,)), 2, 1)]
        count = random_.randint(2, 4)
        for i in range(count):
            last = i == count - 1
            follows = random_.choice((1, 2, 0)) if last else i + 3
            rows.append((add((5, 6, 9, 0x0A, 0x11, 0x12)), follows, random_.choice((10, 20, 45))))
        instructions[0, part] = rows
    parents = {part + 1: random_.choice((0, *range(1, part + 1))) for part in range(parts)}
    return mesh_animations(keyframes, instructions, parents)


def moving_textures(random_):
    """(rows, places that they change on page 0 as (u, v, width, height), palettes that they change): every kind of row,
    none in another's way; frames are on pages 1 to 3."""
    rows, places, palettes_ = [], [], []
    for i, mode in enumerate((1, 2, 5, 0x0C, 0x15, 0x1C, 1, 2)):
        width, height, count = random_.randint(2, 9), random_.randint(4, 25), random_.randint(2, 5)
        x, y = 16 * (i % 3) + random_.randint(0, 5), 30 * i + random_.randint(0, 4)
        page = 0x300 + 64 * (1 + i % 3)
        rows.append(texture_animation(0x300 + x, y, width, height, page + random_.randint(0, 63 - width), 40 * i // 3,
                                      mode, count, random_.randint(3, 12)))
        places.append((4 * x, y, 4 * width, height))
    for i, mode in enumerate((3, 4, 0x0D, 0x14)):
        count = random_.randint(2, 4)
        palettes_.append(8 + i)
        rows.append(texture_animation(16 * (8 + i), 480, 0, 0, 4 * i, 0, mode, count, random_.randint(3, 12)))
    order = list(range(len(rows)))
    random_.shuffle(order)
    return b"".join(rows[i] for i in order).ljust(640, b"\0"), places, palettes_


def moving_pictures(random_):
    """A map that shows what moving_textures() changes: exactly, in part, and together with what stays."""
    rows, places, moving = moving_textures(random_)
    quads = [(u, v, u + w, v + h, random_.randint(0, 7)) for u, v, w, h in places]
    quads += [(u + 1, v + 1, u + w - 1, v + h - 1, random_.randint(0, 7)) for u, v, w, h in places]
    quads += [(max(0, u - 9), max(0, v - 7), u + w // 2, v + h // 2, 3) for u, v, w, h in places]
    quads += [(200, 10 * p, 240, 10 * p + 20, p) for p in moving]
    quads.append((0, 0, 200, 120, 1))
    corners = [[(u0, v0), (u1, v0), (u0, v1), (u1, v1)] for u0, v0, u1, v1, _ in quads]
    made = struct.pack("<4H", 0, len(quads), 0, 0)
    for i in range(len(quads)):
        made += struct.pack("<12h", 40 * i, 0, 0, 40 * i + 30, 0, 0, 40 * i, 0, 30, 40 * i + 30, 0, 30)
    made += struct.pack("<3h", 0, -4096, 0) * 4 * len(quads)
    for (a, b, c, d), quad in zip(corners, quads):
        made += bytes(a) + struct.pack("<H", 0x7800 | quad[4]) + bytes(b) + struct.pack("<H", 12) + bytes(c + d)
    light = bytes(36) + bytes((128, 128, 128)) + bytes(6)
    return mesh_file({files.GEOMETRY: made + NONE * len(quads), files.PALETTES: palettes(random_), files.LIGHTS: light,
                      files.TEXTURE_ANIMATIONS: rows, files.PALETTE_FRAMES: palettes(random_),
                      **{page: random_.randbytes(files.PAGE_SIZE) for page in files.PAGES}})


def moving_map(random_, parts=3):
    chunks = mesh_parts(random_, (2, 2, 0, 0), (3, 3), parts)
    chunks[files.MESH_ANIMATIONS] = moving_parts(random_, parts)
    chunks[files.PAGES[0]] = random_.randbytes(files.PAGE_SIZE)
    return mesh_file(chunks)
