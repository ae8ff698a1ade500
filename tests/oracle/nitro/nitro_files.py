"""Small Nitro files for nitro_test.py, put together byte by byte. Their numbers are chosen so that what they mean can
be told by hand: see the tests."""
import struct

import nitro_oracle


def fx32(*values):
    return struct.pack(f"<{len(values)}i", *(round(v * 4096) for v in values))


def fx16(*values):
    return struct.pack(f"<{len(values)}h", *(round(v * 4096) for v in values))


def pad(data):
    return data + bytes(-len(data) % 4)


def dictionary(entries):
    """entries: (name, data of one size)"""
    names = [name for name, _ in entries]
    tree = b"".join(bytes(node) for node in nitro_oracle.build_tree(names))
    unit = len(entries[0][1]) if entries else 4
    body = struct.pack("<HH", unit, 4 + unit * len(entries)) + b"".join(data for _, data in entries)
    body += b"".join(name.encode().ljust(16, b"\0") for name in names)
    return struct.pack("<BBHHH", 0, len(entries), 8 + len(tree) + len(body), 8, 8 + len(tree)) + tree + body


def with_offsets(parts, start):
    """A dictionary of offsets of parts [(name, bytes)], and the parts behind it; `start`: what is in front of it."""
    size = len(dictionary([(name, bytes(4)) for name, _ in parts]))
    at, entries = start + size, []
    for name, data in parts:
        entries.append((name, struct.pack("<I", at)))
        at += len(data)
    return dictionary(entries), b"".join(data for _, data in parts)


def file(magic, version, *blocks):
    at = 16 + 4 * len(blocks)
    offsets = b""
    for block in blocks:
        offsets += struct.pack("<I", at)
        at += len(block)
    return struct.pack("<4sHHIHH", magic, 0xFEFF, version, at, 16, len(blocks)) + offsets + b"".join(blocks)


def block(magic, objects):
    names, data = with_offsets(objects, 8)
    return struct.pack("<4sI", magic, 8 + len(names) + len(data)) + names + data


# ---- a model ---------------------------------------------------------------------------------------------------------

def material(alpha=31, cull=2, diffuse=0x7FFF, repeat=0, size=(8, 8), srt=None):
    flag, tail, texgen = 0x1FCE, b"", 0
    if srt:
        (scale, sine_cosine, translation), flag, texgen = srt, 0x1FC1, 1
        tail = fx32(*scale) + fx16(*sine_cosine) + fx32(*translation)
    return struct.pack("<HHIIIIIIHHHH", 0, 44 + len(tail), 0x8000 | diffuse, 0, cull << 6 | alpha << 16, 0x3F1FF8FF,
                       repeat << 16 | texgen << 30, 0xFFFFFFFF, 0, flag, *size) + fx32(1, 1) + tail


def commands(*list_):
    return nitro_oracle.pack_gpu_commands([(opcode, words) for opcode, *words in list_])


def vertex16(x, y, z):
    x, y, z = (round(v * 4096) & 0xFFFF for v in (x, y, z))
    return 0x23, x | y << 16, z


def texcoord(s, t):
    return 0x22, (round(s * 16) & 0xFFFF) | (round(t * 16) & 0xFFFF) << 16


def ten(x, y, z):
    return x & 0x3FF | (y & 0x3FF) << 10 | (z & 0x3FF) << 20


SCALE = [round(2 * 4096)] * 3  # what MTX_SCALE gets behind MTX_RESTORE: the position scale

# A quad with colours and texture coordinates.
QUAD = commands((0x40, 1), (0x20, 0x001F), texcoord(0, 0), vertex16(-1, 1, 0), (0x20, 0x03E0), texcoord(0, 16),
                vertex16(-1, -1, 0), (0x20, 0x7C00), texcoord(16, 16), vertex16(1, -1, 0), (0x20, 0x7FFF),
                texcoord(16, 0), vertex16(1, 1, 0.5), (0x41,))
# A strip of three triangles with normals; the last vertex hangs on slot 0.
STRIP = commands((0x40, 2), (0x21, ten(0, 0, 511)), vertex16(0, 0, 0), (0x26, 0x1000), (0x25, 0x1000 << 16),
                 (0x28, ten(511, 0, 0)), (0x14, 0), (0x1B, *SCALE), (0x21, ten(0, 511, 0)), (0x24, ten(64, 64, 64)),
                 (0x41,))
# Two quads in a strip, with nothing but positions.
QUADS = commands((0x40, 3), vertex16(0, 0, 2), vertex16(0, 1, 2), vertex16(1, 0, 2), vertex16(1, 1, 2),
                 (0x27, 0x2000 | 0x2000 << 16), vertex16(2, 1, 2), (0x41,))


def node(flag, *parts):
    return struct.pack("<H", flag | 31 << 11) + b"".join(parts)


def model_block():
    # The root moves; the first child turns by a pivot, moves and doubles; the second turns by a matrix.
    nodes = [("root", node(2 | 4, fx16(1), fx32(10, 0, 0))),
             # Element 4 is 1, A = 0 and B = 1 with C = -B: x goes to z, z to -x.
             ("pivot", node(8 | 4 << 4 | 1 << 9, fx16(0), fx32(0, 5, 0), fx16(0, 1), fx32(2, 2, 2, 0.5, 0.5, 0.5))),
             # x to y, y to -x.
             ("matrix", node(1 | 4, fx16(0), fx16(1, 0, -1, 0, 0, 0, 0, 1)))]
    sbc = bytes([0x26, 0, 0, 0, 0,  # root; slot 0
                 2, 0, 1, 0x0B, 4, 0, 5, 0, 0x2B,  # the quad
                 0x26, 1, 0, 0, 1, 2, 1, 1, 0x0B, 4, 1, 5, 1, 0x2B,  # the strip
                 0x46, 2, 1, 0, 1, 2, 2, 1, 0x0B, 4, 2, 5, 2, 1])  # the quads, below "pivot"
    names, data = with_offsets(nodes, 0)
    head = 64 + len(names) + len(data)
    sbc_at = head
    materials_at = sbc_at + len(pad(sbc))
    # Two of three materials have a texture; one moves it: twice as large across, turned by a quarter, shifted.
    materials = [("a_plain", material(repeat=5)), ("b_glass", material(alpha=16, cull=3, diffuse=0x03FF)),
                 ("c_moved", material(srt=((2, 2), (1, 0), (0.25, 0.5))))]
    textures = [("tex16", [0]), ("tex_a3i5", [2])]
    palettes = [("pal16", [0]), ("pal_a3i5", [2])]
    size = len(dictionary([(n, bytes(4)) for n, _ in materials]))
    pairing = len(dictionary([(n, bytes(4)) for n, _ in textures]))
    lists_at = 4 + size + 2 * pairing
    lists = b""
    pairings = []
    for group in (textures, palettes):
        entries = []
        for name, used in group:
            entries.append((name, struct.pack("<HBB", lists_at + len(lists), len(used), 0)))
            lists += bytes(used)
        pairings.append(dictionary(entries))
    at, entries = lists_at + len(pad(lists)), []
    for name, part in materials:
        entries.append((name, struct.pack("<I", at)))
        at += len(part)
    section = struct.pack("<HH", 4 + size, 4 + size + pairing) + dictionary(entries) + b"".join(pairings) + pad(lists)
    section += b"".join(part for _, part in materials)
    shapes_at = materials_at + len(section)
    shapes = [("quad", 2 | 4, QUAD), ("strip", 1 | 8, STRIP), ("quads", 0, QUADS)]
    at = 48
    parts = []
    for number, (name, flag, list_) in enumerate(shapes):
        parts.append((name, struct.pack("<HHIII", 0, 16, flag, at - 16 * number, len(list_))))
        at += len(list_)
    shape_names, shape_data = with_offsets(parts, 0)
    shape_section = shape_names + shape_data + b"".join(list_ for _, _, list_ in shapes)
    size = shapes_at + len(shape_section)
    header = struct.pack("<IIIII", size, sbc_at, materials_at, shapes_at, size)
    header += bytes([0, 0, 0, 3, 3, 3, 2, 0]) + fx32(2, 0.5)
    header += struct.pack("<4H", 4 + 5 + 6, 3 + 1 + 2, 3, 1 + 2) + fx16(0, 0, 0, 1, 1, 1) + fx32(1, 1)
    return block(b"MDL0", [("test", header + names + data + pad(sbc) + section + shape_section)])


def texture_block():
    """tex16: 8 x 8 of 16 colours, index = (x + y) % 16, 0 is clear. tex_a3i5: 8 x 8, index = x, alpha = y."""
    texels = bytes((x + y) % 16 | (x + 1 + y) % 16 << 4 for y in range(8) for x in range(0, 8, 2))
    texels += bytes(x | y << 5 for y in range(8) for x in range(8))
    colors = struct.pack("<16H", *(i | i << 5 | i << 10 for i in range(16)))
    colors += struct.pack("<32H", *(31 - i for i in range(32)))
    same = 1 << 31 | 8 << 11 | 8
    textures = dictionary([("tex16", struct.pack("<II", 3 << 26 | 1 << 29, same)),
                           ("tex_a3i5", struct.pack("<II", 32 >> 3 | 1 << 26, same))])
    palettes = dictionary([("pal16", struct.pack("<HH", 0, 0)), ("pal_a3i5", struct.pack("<HH", 32 >> 3, 0))])
    at = 60 + len(textures) + len(palettes)
    end = at + len(texels)
    header = struct.pack("<4sIIHHHHI", b"TEX0", end + len(colors), 0, len(texels) >> 3, 60, 0, 0, at)
    header += struct.pack("<IHHHHII", 0, 0, 60, 0, 0, end, end)
    header += struct.pack("<IHHHHI", 0, len(colors) >> 3, 0, 60 + len(textures), 0, end)
    return header + textures + palettes + texels + colors


def nsbmd():
    return file(b"BMD0", 2, model_block(), texture_block())


# ---- animations ------------------------------------------------------------------------------------------------------

def nsbca(flag=1):
    """Six frames. The root's x: step 2, so 0 2 4 and 9 at frames 0 2 4 5. "pivot" turns from rest about y, and grows;
    "matrix" is the identity."""
    offsets_at = 20
    tracks_at = offsets_at + 8  # three offsets, padded
    root = struct.pack("<I", 0 << 24 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 9)
    pivot = struct.pack("<I", 1 << 24 | 1 << 2 | 1 << 12 | 1 << 13)
    identity = struct.pack("<I", 2 << 24 | 1)
    root_at = tracks_at
    pivot_at = root_at + len(root) + 8 + 8
    identity_at = pivot_at + len(pivot) + 8 + 8 + 16
    pivots_at = identity_at + len(identity)
    pivots = struct.pack("<H", 4 | 1 << 5) + fx16(0, 1)  # as in the model
    bases_at = pivots_at + len(pad(pivots))
    # Rows -1 0 0 and 0 0 -1: the ninth number is made of the low three bits of w4 w0 w1 w2 w3.
    bases = struct.pack("<5H", 0x8000, 0, 0, 0, 1)
    indices_at = bases_at + len(pad(bases))
    indices = struct.pack("<6H", 0x8000, 0x8000, 0, 0, 0x8000, 0)
    scales_at = indices_at + len(pad(indices))
    scales = b"".join(fx16(s, 1 / s) for s in (2, 2, 2, 2, 4, 4))
    values_at = scales_at + len(scales)
    values = fx32(10, 12, 14, 19)
    root += struct.pack("<II", 1 << 30 | 4 << 16, values_at) + fx32(0, 0)
    pivot += struct.pack("<II", 6 << 16, indices_at) + struct.pack("<II", 1 << 29 | 6 << 16, scales_at)
    pivot += fx32(2, 0.5, 2, 0.5)
    body = b"J\0AC" + struct.pack("<HHIII", 6, 3, flag, pivots_at, bases_at)
    body += struct.pack("<4H", root_at, pivot_at, identity_at, 0)
    body += root + pivot + identity + pad(pivots) + pad(bases) + pad(indices) + scales + values
    return file(b"BCA0", 1, block(b"JNT0", [("dance", body)]))


def nsbtp():
    names = dictionary([("a_plain", struct.pack("<HHHH", 3, 0, 3 * 4096 // 10, 0))])
    keys_at = 12 + len(names)
    names = dictionary([("a_plain", struct.pack("<HHHH", 3, 0, 3 * 4096 // 10, keys_at))])
    keys = struct.pack("<HBBHBBHBB", 0, 0, 0, 4, 1, 255, 7, 0, 0)
    textures_at = keys_at + len(keys)
    body = b"M\0PT" + struct.pack("<HBBHH", 10, 2, 1, textures_at, textures_at + 32) + names + keys
    body += b"".join(n.ljust(16, b"\0") for n in (b"one", b"two", b"palette"))
    return file(b"BTP0", 1, block(b"PAT0", [("blink", body)]))


def nsbta():
    """Five frames, of c_moved: scale S by step 4 (1, 5, so 1 2 3 4 5), scale T 2, turned by a quarter, S shifts."""
    at = 8 + len(dictionary([("c_moved", bytes(40))]))
    scale, shift = fx16(1, 5), fx16(0, 0.125, 0.25, 0.375, 0.5)
    entry = struct.pack("<II", 4 | 1 << 28 | 2 << 30, at) + struct.pack("<I", 5 | 1 << 29) + fx32(2)
    entry += struct.pack("<I", 5 | 1 << 29) + fx16(1, 0) + struct.pack("<II", 5 | 1 << 28, at + len(scale))
    entry += struct.pack("<I", 5 | 1 << 29) + fx32(0)
    body = b"M\0AT" + struct.pack("<HBB", 5, 0, 0) + dictionary([("c_moved", entry)]) + scale + pad(shift)
    return file(b"BTA0", 1, block(b"SRT0", [("scroll", body)]))


def nsbma():
    """Four frames, of b_glass: the colours stay, alpha is 0 10 20 31."""
    at = 8 + len(dictionary([("b_glass", bytes(20))]))
    entry = struct.pack("<4I", *(c | 4 << 16 | 1 << 29 for c in (0x7FFF, 1, 2, 3))) + struct.pack("<I", at | 4 << 16)
    body = b"M\0AM" + struct.pack("<HH", 4, 0) + dictionary([("b_glass", entry)]) + bytes([0, 10, 20, 31])
    return file(b"BMA0", 1, block(b"MAT0", [("fade", body)]))


def nsbva():
    """Three frames of three nodes: all; only the second; none but the third."""
    body = b"V\0AV" + struct.pack("<HHHHI", 3, 3, 16, 0, 0b100_010_111)
    return file(b"BVA0", 1, block(b"VIS0", [("hide", body)]))
