"""A second reader of what files come in: NARC archives, Nintendo DS cartridges, LZ10, LZ11 and BLZ compression.

Written from the documents alone, like nitro_oracle.py. What makes something unreadable is an ArchiveError; what is
merely not as the retail tools write it is a line in `faults`.
"""
import struct


class ArchiveError(Exception):
    """What makes an archive unreadable."""


class Reader:
    """Numbers of some bytes, little endian, one behind the other."""

    def __init__(self, data, at=0, error=ArchiveError):
        self.data, self.at, self.error = data, at, error

    def take(self, size):
        if size < 0 or self.at + size > len(self.data):
            raise self.error(f"0x{self.at:x}: {size} bytes are outside of the {len(self.data)} bytes there are")
        self.at += size
        return self.data[self.at - size:self.at]

    def numbers(self, code):
        """A tuple, by the letters of `struct`."""
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))

    def number(self, code):
        return self.numbers(code)[0]

    def record(self, fields):
        """By a text "name:code name:code[n]"; codes are those of `struct`."""
        made = {}
        for field in fields.split():
            name, code = field.split(":")
            if code.endswith("]"):
                code, count = code[:-1].split("[")
                made[name] = list(self.numbers(count + code))
            else:
                made[name] = self.number(code)
        return made

    def records(self, count, fields):
        return [self.record(fields) for _ in range(count)]

    @property
    def rest(self):
        return len(self.data) - self.at


# ---- name tables -----------------------------------------------------------------------------------------------------

def read_names(table):
    """File id -> path, of a file name table. Ids that it does not name are not in it."""
    paths, seen = {}, set()

    def folder(number, path):
        if number in seen:
            raise ArchiveError(f"directory 0x{number:x} twice")
        seen.add(number)
        reader = Reader(table, 8 * (number - 0xF000))
        entries, file, _ = reader.numbers("IHH")
        reader.at = entries
        while True:
            length = reader.number("B")
            if length == 0:
                return
            name = reader.take(length & 0x7F).decode("latin-1")
            if length & 0x80:
                folder(reader.number("H"), f"{path}{name}/")
            else:
                if file in paths:
                    raise ArchiveError(f"file {file} has two names")
                paths[file] = path + name
                file += 1

    if len(table) >= 8 and struct.unpack_from("<I", table)[0] >= 8:
        folder(0xF000, "")
    return paths


# ---- NARC ------------------------------------------------------------------------------------------------------------

class Narc:
    """members: bytes in the order of their ids; names: id -> path, empty in an archive without names."""

    def __init__(self, data):
        self.faults = []
        if data[:4] != b"NARC":
            raise ArchiveError(f"no NARC: {data[:4]!r}")
        self.order, self.version, size, header, sections = struct.unpack_from("<HHIHH", data, 4)
        self.expect((self.order, self.version) in ((0xFFFE, 0x0100), (0xFEFF, 0x0001), (0xFFFE, 0x0001),
                                                   (0xFEFF, 0x0100)),
                    f"byte order {self.order:04x}, version {self.version:04x}")
        self.expect(size == len(data), f"says {size} bytes, has {len(data)}")
        self.expect(header == 16 and sections == 3, f"a header of {header} bytes, {sections} sections")
        blocks, at = [], header
        for magic in (b"BTAF", b"BTNF", b"GMIF"):
            if data[at:at + 4] != magic:
                raise ArchiveError(f"0x{at:x}: expected {magic!r}, found {data[at:at + 4]!r}")
            length = struct.unpack_from("<I", data, at + 4)[0]
            blocks.append((at, length))
            at += length
        self.expect(at == len(data), f"the blocks end at 0x{at:x}")
        (table, table_size), (names, names_size), (image, image_size) = blocks
        count, reserved = struct.unpack_from("<HH", data, table + 8)
        self.expect(table_size == 12 + 8 * count and reserved == 0, f"{count} files in a BTAF of {table_size} bytes")
        self.spans = [struct.unpack_from("<II", data, table + 12 + 8 * i) for i in range(count)]
        image_data = data[image + 8:image + image_size]
        self.members, expected = [], 0
        for i, (start, end) in enumerate(self.spans):
            if not start <= end <= len(image_data):
                raise ArchiveError(f"member {i} is at {start} to {end} of {len(image_data)}")
            self.expect(start == expected, f"member {i} begins at {start}, expected {expected}")
            self.members.append(image_data[start:end])
            expected = end + -end % 4
            self.expect(not image_data[end:expected].strip(b"\xff"), f"the gap behind member {i} is not 0xFF")
        self.expect(len(image_data) == expected, f"members end at {expected}, the image at {len(image_data)}")
        self.name_table = data[names + 8:names + names_size]
        self.names = read_names(self.name_table)

    def expect(self, holds, text):
        if not holds:
            self.faults.append(text)


NAMELESS = bytes([4, 0, 0, 0, 0, 0, 1, 0])


def make_narc(members, order=0xFFFE, version=0x0100, name_table=NAMELESS):
    """As the retail tools of Platinum write it."""
    spans, image = b"", b""
    chunks, at = [], 0
    for member in members:
        spans += struct.pack("<II", at, at + len(member))
        chunks += [member, b"\xff" * (-len(member) % 4)]
        at += len(member) + -len(member) % 4
    image = b"".join(chunks)
    blocks = struct.pack("<4sIHH", b"BTAF", 12 + len(spans), len(members), 0) + spans
    blocks += struct.pack("<4sI", b"BTNF", 8 + len(name_table)) + name_table
    blocks += struct.pack("<4sI", b"GMIF", 8 + len(image)) + image
    return struct.pack("<4sHHIHH", b"NARC", order, version, 16 + len(blocks), 16, 3) + blocks


# ---- cartridges ------------------------------------------------------------------------------------------------------

def crc16(data):
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value


class Overlay:
    def __init__(self, data):
        (self.number, self.address, self.size, self.bss_size, self.constructors_start, self.constructors_end, self.file,
         last) = struct.unpack("<8I", data)
        self.compressed_size, self.compressed = last & 0xFFFFFF, last >> 24 & 1


class Rom:
    """files: path -> bytes; overlays of both processors; parts: the spans of everything that the header tells of."""

    def __init__(self, data):
        self.faults = []
        if len(data) < 0x160:
            raise ArchiveError("no cartridge: shorter than its header")
        self.title = data[:12].rstrip(b"\0").decode("latin-1")
        self.code, self.maker = data[12:16].decode("latin-1"), data[16:18].decode("latin-1")
        self.capacity, self.revision = data[0x14], data[0x1E]
        self.arm9 = struct.unpack_from("<4I", data, 0x20)  # offset, entry, address, size
        self.arm7 = struct.unpack_from("<4I", data, 0x30)
        (names, names_size), (table, table_size) = (struct.unpack_from("<II", data, at) for at in (0x40, 0x48))
        self.used, self.header_size = struct.unpack_from("<II", data, 0x80)
        self.checksum = struct.unpack_from("<H", data, 0x15E)[0]
        if self.checksum != crc16(data[:0x15E]):
            self.faults.append(f"the header's checksum is {self.checksum:04x}, expected {crc16(data[:0x15E]):04x}")
        self.spans = [self.span(data, struct.unpack_from("<II", data, table + 8 * i)) for i in range(table_size // 8)]
        self.members = [data[start:end] for start, end in self.spans]
        self.names = read_names(data[names:names + names_size])
        self.overlays = [self.read_overlays(data, at) for at in (0x50, 0x58)]
        self.files = {}
        for number, path in self.names.items():
            if number >= len(self.members):
                raise ArchiveError(f"{path}: file {number} of {len(self.members)}")
            self.files[path] = self.members[number]
        self.arm9_data = data[self.arm9[0]:self.arm9[0] + self.arm9[3]]

    @staticmethod
    def span(data, span):
        start, end = span
        if not start <= end <= len(data):
            raise ArchiveError(f"a file at 0x{start:x} to 0x{end:x} of 0x{len(data):x}")
        return span

    @staticmethod
    def read_overlays(data, at):
        start, size = struct.unpack_from("<II", data, at)
        return [Overlay(data[start + i:start + i + 32]) for i in range(0, size, 32)]


# ---- compression -----------------------------------------------------------------------------------------------------

def unpack_lz(data):
    """LZ10 or LZ11, and how many bytes of `data` it took."""
    reader = Reader(data)
    kind = reader.number("B")
    if kind not in (0x10, 0x11):
        raise ArchiveError(f"no LZ10 or LZ11: 0x{kind:02x}")
    size = int.from_bytes(reader.take(3), "little")
    if size == 0:
        size = reader.number("I")
    out = bytearray()
    while len(out) < size:
        flags = reader.number("B")
        for bit in range(7, -1, -1):
            if len(out) >= size:
                break
            if not flags >> bit & 1:
                out += reader.take(1)
                continue
            first = reader.number("B")
            if kind == 0x10:
                length = (first >> 4) + 3
            elif first >> 4 == 0:
                second = reader.number("B")
                length = (first << 4 & 0xFF | second >> 4) + 0x11
                first = second
            elif first >> 4 == 1:
                second, third = reader.numbers("BB")
                length = ((first & 15) << 12 | second << 4 | third >> 4) + 0x111
                first = third
            else:
                length = (first >> 4) + 1
            distance = ((first & 15) << 8 | reader.number("B")) + 1
            if distance > len(out):
                raise ArchiveError(f"0x{reader.at:x}: refers to {distance} bytes back, there are {len(out)}")
            if len(out) + length > size:
                raise ArchiveError(f"0x{reader.at:x}: {len(out) + length} bytes, expected {size}")
            for _ in range(length):
                out.append(out[-distance])
    return bytes(out), reader.at


def unpack_blz(data):
    """Compressed from its end; the last 8 bytes say how much and where it begins."""
    if len(data) < 8:
        raise ArchiveError("no BLZ: shorter than its footer")
    lengths, growth = struct.unpack_from("<II", data, len(data) - 8)
    packed, footer = lengths & 0xFFFFFF, lengths >> 24
    if growth == 0:
        return data[:-4] if footer == 0 else data
    if not 8 <= footer <= packed <= len(data):
        raise ArchiveError(f"BLZ: {packed} packed bytes with {footer} of footer in {len(data)}")
    start = len(data) - packed
    source, at = data[start:len(data) - footer], len(data) - footer - start
    out = bytearray()  # backwards
    size = packed + growth
    while len(out) < size:
        if at == 0:
            raise ArchiveError("BLZ: it ends too early")
        at -= 1
        flags = source[at]
        for bit in range(7, -1, -1):
            if len(out) >= size:
                break
            if not flags >> bit & 1:
                at -= 1
                if at < 0:
                    raise ArchiveError("BLZ: it ends too early")
                out.append(source[at])
                continue
            at -= 2
            if at < 0:
                raise ArchiveError("BLZ: it ends too early")
            value = source[at + 1] << 8 | source[at]
            length, distance = (value >> 12) + 3, (value & 0xFFF) + 3
            if distance > len(out):
                raise ArchiveError(f"BLZ: refers to {distance} bytes back, there are {len(out)}")
            for _ in range(min(length, size - len(out))):
                out.append(out[-distance])
    return data[:start] + bytes(reversed(out))
