#!/usr/bin/env python3
"""Adds, replaces, grows and removes files of a map at random, on a disc and in its unpacked folder. After each sequence,
each row of the list finds the content that belongs to it: rows and sectors are read from the bytes of the image. A
folder without the directory of its disc may be refused, but never packed wrongly.

    fft_disc_oracle.py DIO SAMPLES [COUNT [FIRST]]

A line a difference; `N passed, N failed` last.
"""
import pathlib
import random
import shutil
import struct
import sys
import tempfile

import disc_files as disc
import fft_files as files
from judging import Judge

GNS, SECTOR = "MAP/MAP001.GNS", 2352
UNTOUCHED = ("MAP000.5", "MAP001.8", "MAP001.9", "MAP001.11", "MAP001.13")


def mesh(number, sectors=0):
    """A mesh file with lights alone, whose ambient colour is its number."""
    header = bytearray(196)
    struct.pack_into("<I", header, 4 * 0x19, len(header))
    lights = bytearray(45)
    lights[36:39] = number & 255, number >> 8, 7
    return bytes(header + lights) + bytes(2048 * sectors)


class Sequence:
    def __init__(self, judge, image, work, seed):
        self.judge, self.random, self.seed = judge, random.Random(seed), seed
        self.image, self.folder = work / "disc.bin", work / "folder"
        shutil.copy(image, self.image)
        self.first, self.log, self.refused = self.unpacked(), [], 0
        self.expected = self.rows()

    def unpacked(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.judge.run("unpack", self.image, "-o", self.folder, "--quiet")
        return {p.name: p.read_bytes() for p in (self.folder / "MAP").iterdir()}

    def rows(self):
        """What each row of the list loads, by its state and type."""
        raw = self.image.read_bytes()
        out = {}
        for row in files.file_rows(files.read_gns(self.unpacked()["MAP001.GNS"])):
            data = b"".join(raw[SECTOR * at + 24:SECTOR * at + 24 + 2048]
                            for at in range(row["lba"], row["lba"] + row["length"] // 2048))
            out[row["variable"], row["state"], row["comparison"], row["type"]] = data.rstrip(b"\0")
        return out

    def add(self, game, work):
        arrangement = self.random.randrange(10, 4000)
        content = mesh(self.random.randrange(65536), self.random.choice((0, 0, 1, 40)))
        (work / "new.mesh").write_bytes(content)
        name = [f"file=MAP001.{self.random.randrange(20, 999)}"] if self.random.random() < .4 else []
        status, _, said = self.judge.run("edit", game, "add-file", "map=1", f"source={work / 'new.mesh'}", "as=mesh",
                                         f"state=arrangement={arrangement}", *name, "-i")
        self.log.append(f"add {arrangement} {name} {said}")
        if status == 0:
            self.expected[0x30, arrangement, 1, 0x30] = content.rstrip(b"\0")

    def replace(self, game, grows):
        names = [n for n in self.unpacked() if n.startswith("MAP001.") and n != "MAP001.GNS" and n not in UNTOUCHED]
        name = self.random.choice(names)
        before = self.unpacked()[name].rstrip(b"\0")
        content = mesh(self.random.randrange(65536), self.random.choice((1, 3, 60)) if grows else 0)
        (self.folder / "MAP" / name).write_bytes(content)
        self.log.append(f"replace {name} by {len(content)} bytes")
        for row, old in self.expected.items():
            if old == before:
                self.expected[row] = content.rstrip(b"\0")

    def remove(self, game):
        mine = [row for row in self.expected if row[1] >= 10 and row[0] == 0x30]
        if mine:
            row = self.random.choice(mine)
            status, _, said = self.judge.run("edit", f"{game}/{GNS}", "remove-state", f"state=arrangement={row[1]}", "-i")
            self.log.append(f"remove {row[1]} {said}")
            if status == 0:
                del self.expected[row]

    def step(self, work):
        before = dict(self.expected)
        what = self.random.choice(("add", "add", "replace", "grow", "remove"))
        in_folder = what in ("replace", "grow") or self.random.random() < .5
        self.unpacked()
        if what in ("replace", "grow"):
            self.replace(self.folder, what == "grow")
        game = self.folder if in_folder else self.image
        if in_folder and self.random.random() < .15:
            shutil.rmtree(self.folder / "_system")
            self.log.append("without _system")
        if what == "add":
            self.add(game, work)
        elif what == "remove":
            self.remove(game)
        if in_folder:
            status, _, said = self.judge.run("pack", self.folder, "-o", self.image, "--force", "--quiet")
            if status:
                self.log.append(f"refused: {said}")
                self.expected, self.refused = before, self.refused + 1

    def faults(self):
        rows = self.rows()
        out = [f"row {row}: {str(rows.get(row))[:40]}" for row in self.expected if rows.get(row) != self.expected[row]]
        out += [f"row {row} is new" for row in rows if row not in self.expected]
        now = self.unpacked()
        out += [f"{name} has changed" for name in UNTOUCHED if now.get(name) != self.first[name]]
        raw = self.image.read_bytes()
        for lba in range(len(raw) // SECTOR):
            out += [f"sector {lba}: {f}" for f in disc.sector_faults(raw[SECTOR * lba:SECTOR * (lba + 1)], lba)]
        return [f"seed {self.seed}: {out[:3]} after {self.log}"] if out else []


def main(arguments):
    if len(arguments) not in (2, 3, 4):
        sys.exit("usage: fft_disc_oracle.py DIO SAMPLES [COUNT [FIRST]]")
    judge = Judge(arguments[0])
    count, first = (int(n) for n in (*arguments[2:], 12, 0)[:2]) if len(arguments) > 2 else (12, 0)
    image = pathlib.Path(arguments[1], "games", "small_tactics.bin")
    refused = 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as work:
            one = Sequence(judge, image, pathlib.Path(work), seed)
            for _ in range(one.random.randint(3, 8)):
                one.step(pathlib.Path(work))
            judge.count(f"sequence {seed}", one.faults())
            refused += one.refused
    print(f"{refused} folders refused", file=sys.stderr)
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
