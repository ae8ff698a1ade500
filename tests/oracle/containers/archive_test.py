#!/usr/bin/env python3
"""Tests the second reader of archives: archive_make.py and archive_files.py against values computed by hand, and each other.

    archive_test.py      `N passed, N failed` last
"""
import random
import struct
import sys

import archive_files
import archive_make
import platinum_files as files


def tests():
    # Computed bit by bit from the documents.
    yield "LZ10: hand-made stream", archive_files.unpack_lz(bytes.fromhex("10 0800 00 20 41 42 30 01 43"))[0], b"ABABABAB"
    yield "LZ11: short reference", archive_files.unpack_lz(bytes.fromhex("11 0800 00 40 41 60 00"))[0], b"A" * 8
    yield "LZ11: medium reference", archive_files.unpack_lz(bytes.fromhex("11 1300 00 40 41 00 10 00"))[0], b"A" * 19
    yield "LZ11: long reference", archive_files.unpack_lz(bytes.fromhex("11 1401 00 40 41 10 00 20 00"))[0], b"A" * 0x114
    yield "CRC-16 check value", archive_files.crc16(b"123456789"), 0x4B37
    random_ = random.Random(3)
    for size in (0, 1, 5, 300, 5000):
        noise = bytes(random_.choice(b"abcab\0") for _ in range(size)) + bytes(size // 2) + random_.randbytes(size // 9)
        for kind in (0x10, 0x11):
            packed = archive_make.pack_lz(noise, kind)
            yield f"LZ{kind:x} round trip of {len(noise)} bytes", archive_files.unpack_lz(packed), (noise, len(packed))
        if size > 5:
            yield f"BLZ round trip of {len(noise)} bytes", archive_files.unpack_blz(archive_make.pack_blz(noise)), noise
    members = [random_.randbytes(n) for n in (5, 0, 8, 3)]
    narc = archive_files.Narc(archive_files.make_narc(members))
    yield "NARC round trip", (narc.members, narc.faults, narc.names), (members, [], {})
    names, ids = archive_make.make_names(["a.bin", "sub/c.bin", "b.bin", "sub/deep/d.bin", "e/f.bin"])
    yield "file name table", archive_files.read_names(names), dict(enumerate(ids))
    contents = {path: random_.randbytes(40 * i) for i, path in enumerate(ids)}
    rom = archive_files.Rom(archive_make.make_rom(contents, [b"overlay 0", b"overlay one"]))
    yield "ROM round trip", (rom.files, rom.faults, rom.code), (contents, [], "CPUE")
    yield "ROM overlays", [rom.members[o.file] for o in rom.overlays[0]], [b"overlay 0", b"overlay one"]

    # Heights computed by hand: a slope of 45 degrees over a flat plate, in fx32.
    one = 4096
    bdhc = {"magic": b"BDHC", "rest": b"",
            "points": [{"x": -16 * one, "z": -16 * one}, {"x": 16 * one, "z": 16 * one}],
            "normals": [{"x": 0, "y": one, "z": 0}, {"x": -2896, "y": 2896, "z": 0}],
            "constants": [-8 * one, 0],
            "plates": [{"first_point_index": 0, "second_point_index": 1, "normal_index": i, "constant_index": i}
                       for i in range(2)], "strips": [], "access_list": []}
    bdhc = files.rebuild_bdhc(bdhc)
    yield "strips of two plates", bdhc["strips"], [{"scanline": 16 * one, "access_list_element_count": 2,
                                      "access_list_start_index": 0}]
    yield "heights of both plates", files.candidates(bdhc, 4 * one, 0), [(0, 8 * one), (1, 4 * one)]
    yield "nearest of two heights", [files.height(bdhc, 4 * one, 0, h * one) for h in (0, 5, 6, 7)], [4 * one, 4 * one, 8 * one,
                                                                                     8 * one]
    yield "height outside the plates", files.height(bdhc, 17 * one, 0), None
    yield "heights round trip", files.read_bdhc(files.write_bdhc(bdhc)), bdhc
    yield "fixed-point division rounds", (files.divide(1, 3), files.divide(-1, 3), files.divide(2, 3)), (1365, -1365, 2731)
    matrix = files.read_matrix(b"\x02\x01\1\1\2ab" + struct.pack("<2H2B2H", 7, 8, 0, 3, 9, 0xFFFF))
    yield "matrix cells", list(files.cells_of(matrix)), [(0, 0, 7, 0, 9)]


def main():
    passed = failed = 0
    for what, found, expected in tests():
        passed, failed = passed + (found == expected), failed + (found != expected)
        if found != expected:
            print(f"{what}: {str(found)[:300]}, expected {str(expected)[:300]}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
