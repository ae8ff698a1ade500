#!/usr/bin/env python3
"""A second reader of KMP course files (Mario Kart Wii), written from the format's documents alone.

It shares no code and no tables with the C++ reader, so that a mistake would have to be made twice to go unseen.

    kmp_oracle.py FILE        one value a line as JSON, then one line {"covered": [[begin, end], ...]}

A value: offset, size (bytes), type (u8 s8 u16 s16 u32 f32 bytes), value, where; f32 also has its raw bits (and value
null if it is not finite); bytes are in hex. "role" says what a value is for: magic, count, raw, or nothing for a field.
"either_sign" marks fields for which the documents name both a signed and an unsigned reading.
"""
import json
import math
import struct
import sys

WIDTH = {"u8": 1, "s8": 1, "u16": 2, "s16": 2, "u32": 4, "f32": 4}
CODE = {"u8": ">B", "s8": ">b", "u16": ">H", "s16": ">h", "u32": ">I", "f32": ">f"}


def entry(*parts):
    """Fields of an entry as (offset, type, either_sign) from texts like 'f32 3' or 'u8~' (~: either sign)."""
    fields, at = [], 0
    for part in parts:
        kind, _, times = part.partition(" ")
        either = kind.endswith("~")
        kind = kind.rstrip("~")
        for _ in range(int(times or 1)):
            fields.append((at, kind, either))
            at += WIDTH[kind]
    return at, fields


PLACE = ("f32 3", "f32 3")  # position, rotation
GROUP = entry("u8", "u8", "u8 6", "u8 6", "u8 2")  # first, count, previous, next, two bytes
AREA_OLD = ("u8 4", "f32 9", "u16 2")
CAME_OLD = ("u8 4", "u16 3", "u8 2", "f32 3", "f32 3", "f32 2", "f32 3", "f32 3")
STGI_OLD = ("u8 4", "u32")

# Section: the entries it can have, newest first, and from which version on the newest applies.
ENTRIES = {
    "KTPT": ([entry(*PLACE, "s16~", "u16")], 0),
    "ENPT": ([entry("f32 3", "f32", "u16", "u8", "u8"), entry("f32 3")], 1),
    "ENPH": ([GROUP], 0),
    "ITPT": ([entry("f32 3", "f32", "u16", "u16")], 0),
    "ITPH": ([GROUP], 0),
    "CKPT": ([entry("f32 4", "u8~", "u8~", "u8", "u8")], 0),
    "CKPH": ([GROUP], 0),
    "GOBJ": ([entry("u16", "u16", "f32 9", "u16~", "u16 8", "u16")], 0),
    "POTI": None,  # routes of different lengths, see routes()
    "AREA": ([entry(*AREA_OLD, "u8", "u8", "u16"), entry(*AREA_OLD)], 2200),
    "CAME": ([entry(*CAME_OLD, "f32"), entry(*CAME_OLD)], 0x641),
    "JGPT": ([entry(*PLACE, "u16", "s16~")], 0),
    "CNPT": ([entry(*PLACE, "u16", "s16~")], 0),
    "MSPT": ([entry(*PLACE, "u16", "u16")], 0),
    "STGI": ([entry(*STGI_OLD, "u8", "u8", "u16"), entry(*STGI_OLD)], 2320),
}
POINT = entry("f32 3", "u16", "u16")
LAST_OLD_KTPT = 1830
OLD_KTPT = [entry(*PLACE, "s8", "u8 3"), entry(*PLACE)]

for name, size in (("KTPT", 0x1C), ("ENPT", 0x14), ("ENPH", 0x10), ("ITPT", 0x14), ("CKPT", 0x14), ("GOBJ", 0x3C),
                   ("AREA", 0x30), ("CAME", 0x48), ("JGPT", 0x1C), ("CNPT", 0x1C), ("MSPT", 0x1C), ("STGI", 0x0C)):
    assert ENTRIES[name][0][0][0] == size, name


class Reader:
    def __init__(self, data):
        self.data = data
        self.values = []
        self.header()

    # One value. The caller has made sure that it is inside the file.
    def take(self, at, kind, where, either=False, role=None):
        raw = self.data[at:at + WIDTH[kind]]
        value = struct.unpack(CODE[kind], raw)[0]
        line = {"offset": at, "size": len(raw), "type": kind, "value": value, "where": where}
        if kind == "f32":
            line["bits"] = struct.unpack(">I", raw)[0]
            if not math.isfinite(value):
                line["value"] = None
        if either:
            line["either_sign"] = True
        if role:
            line["role"] = role
        self.values.append(line)
        return value

    def take_bytes(self, at, end, where, role):
        if end > at:
            self.values.append({"offset": at, "size": end - at, "type": "bytes", "value": self.data[at:end].hex(),
                                "where": where, "role": role})

    def take_entry(self, at, fields, where):
        for inside, kind, either in fields:
            self.take(at + inside, kind, f"{where}+0x{inside:02X}", either)

    # A value if it is inside the file, which may end within the header.
    def take_if_there(self, at, kind, role=None):
        if at + WIDTH[kind] <= len(self.data):
            return self.take(at, kind, f"header+0x{at:02X}", role=role)
        return None

    def header(self):
        size = len(self.data)
        if size < 4:
            return
        self.take_bytes(0, 4, "header+0x00", "magic")
        self.take_if_there(4, "u32")
        sections = self.take_if_there(8, "u16", role="count")
        length = self.take_if_there(0x0A, "u16")
        if length is None or length - 4 * sections < 0x0C:
            return  # no header to trust: the rest belongs to nothing
        table = length - 4 * sections
        self.version = self.take_if_there(table - 4, "u32") if table > 0x0C else 0
        offsets = [self.take_if_there(at, "u32") for at in range(table, length, 4)]
        if length > size:
            return
        starts = [length + offset for offset in offsets]
        seen_names = set()
        for start in starts:
            if start + 4 <= size:  # without its magic in the file it is no section
                self.section(start, min([other for other in starts if other > start] + [size]), seen_names)

    def section(self, start, end, seen_names):
        magic = self.data[start:start + 4]
        name = magic.decode("latin-1")
        known = name in ENTRIES and name not in seen_names
        seen_names.add(name)
        mark = len(self.values)
        if not known or not self.typed(start, end, name):
            del self.values[mark:]
            self.take_bytes(start, end, f"raw {name!r}", "raw")

    # False: the section has to stay raw.
    def typed(self, start, end, name):
        if start + 8 > len(self.data):
            return False
        self.take_bytes(start, start + 4, f"{name}+0x00", "magic")
        if name == "KTPT" and self.version <= LAST_OLD_KTPT:
            return self.old_start_point(start, end)
        count = self.take(start + 4, "u16", f"{name}+0x04", role="count")
        if name == "CAME":
            self.take(start + 6, "u8", "CAME+0x06", either=True)
            self.take(start + 7, "u8", "CAME+0x07")
        else:
            self.take(start + 6, "u16", f"{name}+0x06")
        if name == "POTI":
            return self.routes(start + 8, count)
        size, fields = self.choose(name, count, end - start - 8)
        if start + 8 + count * size > len(self.data):
            return False
        for i in range(count):
            self.take_entry(start + 8 + i * size, fields, f"{name}[{i}]")
        return True

    # The entry whose size divides the extent; else the one of the version.
    def choose(self, name, count, extent):
        layouts, newest_from = ENTRIES[name]
        for size, fields in layouts:
            if count and size * count == extent:
                return size, fields
        return layouts[0] if self.version >= newest_from else layouts[1]

    def old_start_point(self, start, end):
        fitting = [layout for layout in OLD_KTPT if layout[0] == end - start - 4]
        size, fields = (fitting or OLD_KTPT)[0]
        if start + 4 + size > len(self.data):
            return False
        self.take_entry(start + 4, fields, "KTPT[0]")
        return True

    def routes(self, at, count):
        for i in range(count):
            if at + 4 > len(self.data):
                return False
            points = self.take(at, "u16", f"POTI[{i}]+0x00", role="count")
            self.take(at + 2, "u8", f"POTI[{i}]+0x02")
            self.take(at + 3, "u8", f"POTI[{i}]+0x03")
            at += 4
            size, fields = POINT
            if at + points * size > len(self.data):
                return False
            for k in range(points):
                self.take_entry(at + k * size, fields, f"POTI[{i}].point[{k}]")
            at += points * size
        return True

    def covered(self):
        ranges = []
        for begin, end in sorted((v["offset"], v["offset"] + v["size"]) for v in self.values):
            if ranges and begin <= ranges[-1][1]:
                ranges[-1][1] = max(end, ranges[-1][1])
            else:
                ranges.append([begin, end])
        return ranges


def read(data):
    reader = Reader(data)
    return reader.values, reader.covered()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: kmp_oracle.py FILE")
    with open(sys.argv[1], "rb") as file:
        values, covered = read(file.read())
    for value in values:
        print(json.dumps(value))
    print(json.dumps({"covered": covered}))


if __name__ == "__main__":
    main()
