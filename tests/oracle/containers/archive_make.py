"""Archives for archives_oracle.py, put together byte by byte: name tables, cartridges, and compressed data that use
every kind of reference there is."""
import struct

import archive_files


def make_names(paths, first=0):
    """The name table of files (their ids go in this order, from `first` on, folder by folder): (bytes, paths by id)."""
    folders, order = {"": []}, [""]
    for path in paths:
        folder = ""
        for part in path.split("/")[:-1]:
            below = f"{folder}{part}/"
            if below not in folders:
                folders[below] = []
                order.append(below)
            folder = below
        folders[folder].append(path)
    numbers = {folder: 0xF000 + i for i, folder in enumerate(order)}
    table, entries, ids, at = b"", b"", [], 8 * len(order)
    for folder in order:
        parent = len(order) if folder == "" else numbers[folder[:-1].rpartition("/")[0] + "/" * ("/" in folder[:-1])]
        table += struct.pack("<IHH", at + len(entries), first + len(ids), parent)
        for path in folders[folder]:
            name = path.rpartition("/")[2].encode()
            entries += bytes([len(name)]) + name
            ids.append(path)
        for below in order:
            if below != folder and below.startswith(folder) and "/" not in below[len(folder):-1]:
                name = below[len(folder):-1].encode()
                entries += bytes([0x80 | len(name)]) + name + struct.pack("<H", numbers[below])
        entries += b"\0"
    return table + entries, ids


def padded(data, size, fill=b"\xff"):
    return data + fill * (-len(data) % size)


def make_rom(files, overlays=(), arm9=bytes(0x200), arm7=bytes(0x100), code=b"CPUE", banner=bytes(0x840)):
    """files: {path: bytes}; overlays: bytes of those of arm9, stored as they are. The parts in the order of retail
    cartridges: every one at a multiple of 0x200, 0xFF between them."""
    header = bytearray(0x4000)
    image = bytearray(header)
    names, ids = make_names(sorted(files, key=lambda p: (p.count("/"), p.lower())), len(overlays))
    spans = []

    def add(data):
        at = len(image)
        image.extend(padded(data, 0x200))
        return at, len(data)

    arm9_at, arm9_size = add(arm9)
    table = b"".join(struct.pack("<8I", i, 0x021D0D80, len(data), 32, 0, 0, i, 0) for i, data in enumerate(overlays))
    overlays_at, overlays_size = add(table) if overlays else (0, 0)
    for data in overlays:
        at, size = add(data)
        spans.append((at, at + size))
    arm7_at, arm7_size = add(arm7)
    names_at, names_size = add(names)
    table_at, table_size = add(bytes(8 * (len(overlays) + len(ids))))
    banner_at, _ = add(banner)
    for path in ids:
        at, size = add(files[path])
        spans.append((at, at + size))
    used = spans[-1][1] if spans else len(image)
    for i, span in enumerate(spans):
        struct.pack_into("<II", image, table_at + 8 * i, *span)
    struct.pack_into("<12s4s2s", image, 0, b"ORACLE", code, b"01")
    capacity = 0
    while 0x20000 << capacity < len(image):
        capacity += 1
    image[0x14] = capacity
    struct.pack_into("<4I", image, 0x20, arm9_at, 0x02000800, 0x02000000, arm9_size)
    struct.pack_into("<4I", image, 0x30, arm7_at, 0x02380000, 0x02380000, arm7_size)
    struct.pack_into("<4I", image, 0x40, names_at, names_size, table_at, table_size)
    struct.pack_into("<4I", image, 0x50, overlays_at, overlays_size, 0, 0)
    struct.pack_into("<I", image, 0x68, banner_at)
    struct.pack_into("<II", image, 0x80, used, 0x4000)
    struct.pack_into("<H", image, 0x15E, archive_files.crc16(image[:0x15E]))
    return bytes(image[:used])


def matches(data, most, furthest, least=3, nearest=1):
    """Greedy: ("literal", byte) or ("copy", length, distance)."""
    at, seen = 0, {}
    while at < len(data):
        best = 0, 0
        for start in reversed(seen.get(data[at:at + 3], ())):
            distance = at - start
            if distance > furthest:
                break
            if distance < nearest:
                continue
            length = 0
            while length < most and at + length < len(data) and data[start + length] == data[at + length]:
                length += 1
            best = max(best, (length, -distance))
        length, distance = best[0] if best[0] >= least else 1, -best[1]
        yield ("copy", length, distance) if best[0] >= least else ("literal", data[at])
        for i in range(at, at + length):
            seen.setdefault(data[i:i + 3], []).append(i)
        at += length


def pack_lz(data, kind):
    body, group = bytearray(), []

    def flush():
        if group:
            body.append(sum(0x80 >> i for i, (copy, _) in enumerate(group) if copy))
            for _, packed in group:
                body.extend(packed)
            group.clear()

    for step in matches(data, 18 if kind == 0x10 else 0x10110, 4096):
        if step[0] == "literal":
            group.append((False, bytes([step[1]])))
        else:
            _, length, distance = step
            low = distance - 1
            if kind == 0x10:
                packed = struct.pack(">H", length - 3 << 12 | low)
            elif length <= 0x10:
                packed = struct.pack(">H", length - 1 << 12 | low)
            elif length <= 0x110:
                packed = (length - 0x11 << 12 | low).to_bytes(3, "big")
            else:
                packed = (1 << 28 | length - 0x111 << 12 | low).to_bytes(4, "big")
            group.append((True, packed))
        if len(group) == 8:
            flush()
    flush()
    head = bytes([kind]) + len(data).to_bytes(3, "little")
    if len(data) >> 24 or not data:
        head = bytes([kind, 0, 0, 0]) + struct.pack("<I", len(data))
    return head + bytes(body)


def pack_blz(data):
    """All of it compressed from its end."""
    body, group = bytearray(), []  # backwards

    def flush():
        if group:
            body.append(sum(0x80 >> i for i, (copy, _) in enumerate(group) if copy))
            for _, packed in group:
                body.extend(packed)
            group.clear()

    for step in matches(data[::-1], 18, 0x1002, nearest=3):
        if step[0] == "literal":
            group.append((False, bytes([step[1]])))
        else:
            group.append((True, struct.pack(">H", step[1] - 3 << 12 | step[2] - 3)))
        if len(group) == 8:
            flush()
    flush()
    packed = bytes(reversed(body))
    footer = 8 + -len(packed) % 4
    size = len(packed) + footer
    return packed + b"\xff" * (footer - 8) + struct.pack("<II", size | footer << 24, len(data) - size)
