"""A second reader of PlayStation disc images: sectors of 2048, 2336 or 2352 bytes, their checksums, ISO 9660 folders.
And a small writer of both, to have images that nobody else made.

Written from ECMA-119 and ECMA-130 alone. Checksums are judged, not made again: the EDC as a remainder, the P and Q code
words by their two syndromes, so that a mistake in writing them cannot hide here.
"""
import functools
import struct

DATA, RAW, XA = 2048, 2352, 2336
SYNC = b"\0" + b"\xff" * 10 + b"\0"
SUBHEADER, SUBHEADER_LAST = bytes((0, 0, 0x08, 0)) * 2, bytes((0, 0, 0x89, 0)) * 2
EDC_POLYNOMIAL = 0xD8018001  # lowest bit first


class DiscError(Exception):
    """What makes an image unreadable."""


# ---- checksums -------------------------------------------------------------------------------------------------------

def edc_table():
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (EDC_POLYNOMIAL if value & 1 else 0)
        yield value


EDC = list(edc_table())


def edc(data):
    remainder = 0
    for byte in data:
        remainder = remainder >> 8 ^ EDC[(remainder ^ byte) & 0xFF]
    return remainder


# In GF(256) by 0x11D, as tables for bytes.translate: times two, and divided by three.
TWICE = bytes((v << 1 ^ (0x11D if v & 0x80 else 0)) & 0xFF for v in range(256))
THRICE = [v ^ TWICE[v] for v in range(256)]
THIRD = bytes(THRICE.index(v) for v in range(256))


def xor(a, b):
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


def syndromes(rows):
    """Of rows of symbols (each column is a code word): the sum, and the sum weighted with powers of two, the last 1."""
    plain = weighted = bytes(len(rows[0]))
    for row in rows:
        plain, weighted = xor(plain, row), xor(weighted.translate(TWICE), row)
    return plain, weighted


def parity(rows):
    """The two rows behind `rows` that make both syndromes zero."""
    zero = bytes(len(rows[0]))
    plain, weighted = syndromes([*rows, zero, zero])
    first = xor(plain, weighted).translate(THIRD)
    return first, xor(plain, first)


# Of `block`, the bytes of a sector from its header on, without the sync.
Q_PLACES = [[2 * ((44 * m + 43 * n) % 1118) for n in range(26)] for m in range(43)]


def p_rows(block, count=26):
    return [block[86 * i:86 * i + 86] for i in range(count)]


def q_rows(block):
    return [b"".join(block[at:at + 2] for at in places) for places in Q_PLACES]


def faults_of_codes(block):
    """What is wrong with P and Q; the header counts as it stands in `block`."""
    if any(map(any, syndromes(p_rows(block)))):
        yield "P"
    if any(map(any, syndromes(q_rows(block) + [block[2236:2288], block[2288:2340]]))):
        yield "Q"


def bcd(value):
    return value // 10 << 4 | value % 10


def header_of(lba, mode):
    minutes, rest = divmod(lba + 150, 75 * 60)
    return bytes((bcd(minutes), bcd(rest // 75), bcd(rest % 75), mode))


def raw_sector(lba, data, subheader=SUBHEADER):
    """A sector of 2352 bytes, Mode 2, Form 1, or (by bit 5 of the subheader) Form 2 with 2324 bytes."""
    return SYNC + header_of(lba, 2) + sealed(subheader, data)


@functools.lru_cache(2000)
def sealed(subheader, data):
    body = subheader + data
    body += struct.pack("<I", edc(body))
    if subheader[2] & 0x20 == 0:
        block = bytes(4) + body
        p = b"".join(parity(p_rows(block, 24)))
        body += p + b"".join(parity(q_rows(block + p)))
    return body


def mode1_sector(lba, data):
    start = SYNC + header_of(lba, 1) + data
    block = start[12:] + struct.pack("<I", edc(start)) + bytes(8)
    p = b"".join(parity(p_rows(block, 24)))
    return SYNC + block + p + b"".join(parity(q_rows(block + p)))


def sector_faults(sector, lba):
    """What is wrong with a sector of 2352 or 2336 bytes."""
    made = []
    if len(sector) == RAW:
        if sector[:12] != SYNC:
            return ["sync"]
        mode = sector[15]
        if sector[12:16] != header_of(lba, mode):
            made.append(f"header {sector[12:16].hex()}")
        body = sector[16:]
    else:
        mode, body = 2, sector
    if mode == 1:
        made += ["EDC"] * (edc(sector[:2064]) != int.from_bytes(sector[2064:2068], "little"))
        made += ["zeros"] * any(sector[2068:2076])
        return made + list(faults_of_codes(sector[12:]))
    return made + ([f"mode {mode}"] if mode != 2 else list(body_faults(body)))


@functools.lru_cache(4000)
def body_faults(body):
    """Of a sector of Mode 2, from its subheader on. Nothing of it depends on where it lies."""
    made = []
    if body[:4] != body[4:8]:
        made.append(f"subheader {body[:8].hex()}")
    if body[2] & 0x20:
        stored = int.from_bytes(body[2332:], "little")
        return made + ["EDC"] * (stored not in (0, edc(body[:2332])))
    made += ["EDC"] * (edc(body[:2056]) != int.from_bytes(body[2056:2060], "little"))
    return made + list(faults_of_codes(bytes(4) + body))


# ---- images ----------------------------------------------------------------------------------------------------------

class Image:
    """size: of a sector; sectors: how many."""

    def __init__(self, data):
        self.bytes = data
        if data[:12] == SYNC:
            self.size = RAW
        else:
            starts = ((s, 16 * s + at + 1) for s, at in ((DATA, 0), (XA, 8)))
            self.size = next((s for s, at in starts if data[at:at + 5] == b"CD001"), 0)
        if not self.size or len(data) % self.size:
            raise DiscError(f"{len(data)} bytes are no sectors")
        self.sectors = len(data) // self.size

    def sector(self, lba):
        if lba >= self.sectors:
            raise DiscError(f"sector {lba} of {self.sectors}")
        return self.bytes[lba * self.size:(lba + 1) * self.size]

    def data(self, lba):
        sector = self.sector(lba)
        if self.size == DATA:
            return sector
        at = 8 if self.size == XA else 24 if sector[15] == 2 else 16
        return sector[at:at + DATA]

    def read(self, lba, size):
        return b"".join(self.data(lba + i) for i in range((size + DATA - 1) // DATA))[:size]

    def faults(self, first=0, last=None):
        """Every sector that is not as it should be."""
        if self.size != DATA:
            for lba in range(first, self.sectors if last is None else last):
                for fault in sector_faults(self.sector(lba), lba):
                    yield f"sector {lba}: {fault}"

    # ---- folders ----

    def files(self):
        """Path -> (lba, bytes). Names without their version. What is stored twice and differs is a DiscError."""
        volume = self.data(16)
        if volume[0] != 1 or volume[1:6] != b"CD001":
            raise DiscError("no primary volume descriptor")
        found = {}
        self._folder(volume[156:190], "", found)
        return found

    def folder_faults(self):
        """What disagrees between the volume descriptor, the folders and the two path tables."""
        volume = self.data(16)
        size, = struct.unpack_from("<I", volume, 132)
        tables = []
        for order, at in (("<", 140), (">", 148)):
            table, table_at, found = self.read(struct.unpack_from(order + "I", volume, at)[0], size), 0, []
            while table_at < size:
                length, lba, above = struct.unpack_from(order + "BxIH", table, table_at)
                found.append((table[table_at + 8:table_at + 8 + length], lba, above))
                table_at += 8 + length + length % 2
            tables.append(found)
        if tables[0] != tables[1]:
            yield f"two path tables: {tables}"
        wanted = {}
        for name, lba, above in tables[0]:
            wanted[lba] = name, tables[0][above - 1][1]
        for lba, (name, above, own, up) in self.folders().items():
            if wanted.pop(lba, None) != (name, above):
                yield f"the path tables do not have {name} at {lba} in {above}"
            if (own, up) != (lba, above):
                yield f"{name}: itself at {own}, expected {lba}; above at {up}, expected {above}"
        if wanted:
            yield f"the path tables have more: {wanted}"
        told = struct.unpack_from("<I", volume, 80) + struct.unpack_from(">I", volume, 84)
        if len(set(told)) != 1 or told[0] > self.sectors:
            yield f"the volume has {told} sectors, the image {self.sectors}"

    def folders(self):
        """{lba: (name, where the one above lies, where it says that it lies itself, and the one above)}"""
        found, waiting = {}, [(self.data(16)[156:190], b"\0", None)]
        while waiting:
            raw, name, above = waiting.pop()
            _, lba, size, _ = self.record(raw)
            listing, entries, at = self.read(lba, size), [], 0
            while at < size:
                if listing[at] == 0:
                    at = (at // DATA + 1) * DATA
                    continue
                entries.append(listing[at:at + listing[at]])
                at += listing[at]
            own, up = (self.record(entry)[1] for entry in entries[:2])
            found[lba] = name, lba if above is None else above, own, up
            waiting += [(entry, self.record(entry)[0], lba) for entry in entries[2:] if self.record(entry)[3]]
        return found

    @staticmethod
    def record(raw):
        """(name, lba, size, is folder)"""
        numbers = struct.unpack_from("<I", raw, 2) + struct.unpack_from("<I", raw, 10)
        if numbers != struct.unpack_from(">I", raw, 6) + struct.unpack_from(">I", raw, 14):
            raise DiscError(f"two orders of bytes, two numbers: {raw[2:18].hex()}")
        name = raw[33:33 + raw[32]]
        return name, *numbers, bool(raw[25] & 2)

    def _folder(self, raw, path, found, depth=0):
        _, lba, size, _ = self.record(raw)
        listing = self.read(lba, size)
        for start in range(0, size, DATA):
            at = start
            while at < min(start + DATA, size) and listing[at]:
                entry = listing[at:at + listing[at]]
                at += listing[at]
                name, place, length, is_folder = self.record(entry)
                if name in (b"\0", b"\1"):
                    continue
                name = path + name.decode("ascii").split(";")[0]
                if name in found:
                    raise DiscError(f"{name} twice")
                if is_folder and depth < 8:
                    self._folder(entry, name + "/", found, depth + 1)
                elif not is_folder:
                    found[name] = place, length


# ---- making images ---------------------------------------------------------------------------------------------------

def both(value, code="I"):
    return struct.pack("<" + code, value) + struct.pack(">" + code, value)


def directory_record(name, lba, size, is_folder):
    extra = struct.pack(">HHH2sB5x", 0, 0, 0x8D55 if is_folder else 0x0D55, b"XA", 0)  # as on PlayStation discs
    pad = b"\0" * (len(name) % 2 == 0)
    made = both(lba) + both(size) + bytes((97, 6, 20, 12, 0, 0, 36)) + bytes((2 * is_folder, 0, 0)) + both(1, "H") + \
        bytes([len(name)]) + name + pad + extra
    return bytes((len(made) + 2, 0)) + made


def folder_data(own, above, entries, size):
    """entries: [(name, lba, size, is folder)]; records do not cross sectors"""
    made = b""
    for name, lba, length, is_folder in [(b"\0", *own, True), (b"\1", *above, True), *entries]:
        record = directory_record(name, lba, length, is_folder)
        if len(made) % DATA + len(record) > DATA:
            made += bytes(-len(made) % DATA)
        made += record
    return made.ljust(size, b"\0")


def make_iso(placed, sectors=None, extra_folders=()):
    """An image of 2048-byte sectors. placed: {path: (lba, bytes)}, folders one deep at most; they lie from sector 22
    on."""
    folders = sorted({path.split("/")[0] for path in placed if "/" in path} | set(extra_folders))
    inside = {folder: sorted(p for p in placed if p.startswith(folder + "/")) for folder in folders}
    inside[""] = sorted(p for p in placed if "/" not in p)
    lengths, places, at = {}, {}, 22
    for folder in ["", *folders]:
        lengths[folder] = DATA * (1 + 60 * (len(inside[folder]) + len(folders) + 2) // DATA)
        places[folder] = at
        at += lengths[folder] // DATA
    if min((lba for lba, _ in placed.values()), default=at) < at:
        raise ValueError(f"files begin at {at} at the earliest")
    end = max([at, *(lba + (len(data) + DATA - 1) // DATA for lba, data in placed.values())])
    sectors = max(sectors or 0, end + 1)
    image = bytearray(sectors * DATA)

    def put(lba, data):
        image[lba * DATA:lba * DATA + len(data)] = data

    root = places[""], lengths[""]
    for folder in ["", *folders]:
        entries = [(p.split("/")[-1].encode() + b";1", placed[p][0], len(placed[p][1]), False) for p in inside[folder]]
        if folder == "":
            entries += [(f.encode(), places[f], lengths[f], True) for f in folders]
        own = places[folder], lengths[folder]
        put(own[0], folder_data(own, root, sorted(entries), own[1]))
    tables = []
    for order in "<>":
        table = struct.pack(order + "BBIH", 1, 0, root[0], 1) + b"\0\0"
        for folder in folders:
            name = folder.encode()
            table += struct.pack(order + "BBIH", len(name), 0, places[folder], 1) + name + b"\0" * (len(name) % 2)
        tables.append(table)
    for lba, table in zip((18, 19, 20, 21), (tables[0], tables[0], tables[1], tables[1])):
        put(lba, table)
    date = b"1997062012000000" + b"\x24"
    volume = b"\1CD001\1\0" + b"PLAYSTATION".ljust(32) + b"ORACLE".ljust(32) + bytes(8) + both(sectors) + bytes(32)
    volume += both(1, "H") + both(1, "H") + both(DATA, "H") + both(len(tables[0]))
    volume += struct.pack("<II", 18, 19) + struct.pack(">II", 20, 21)
    volume += bytes([34]) + directory_record(b"\0", *root, True)[1:33] + b"\0"
    volume += b" " * 128 * 4 + b" " * 37 * 3 + date + (b"0" * 16 + b"\0") * 3 + b"\1\0"
    volume = volume.ljust(883, b"\0") + bytes(141) + b"CD-XA001"
    put(16, volume)
    put(17, b"\xffCD001\1")
    for lba, data in placed.values():
        put(lba, data)
    return bytes(image)


def make_raw(iso, size=RAW, last=()):
    """The same image in sectors of 2352 or 2336 bytes. last: sectors that end a file, which the subheader says."""
    if size == DATA:
        return iso
    made = bytearray()
    for lba in range(len(iso) // DATA):
        sector = raw_sector(lba, iso[lba * DATA:(lba + 1) * DATA], SUBHEADER_LAST if lba in last else SUBHEADER)
        made += sector if size == RAW else sector[16:]
    return bytes(made)
