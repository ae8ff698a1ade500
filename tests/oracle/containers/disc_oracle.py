#!/usr/bin/env python3
"""Judges what dio reads of disc images and writes into them, with the second reader (disc_files.py).

    disc_oracle.py DIO SAMPLES

SAMPLES is what `dio formats --samples` made; its images and those of games are judged. Besides, images of all three
sizes of sectors are made here, by hand and (where it is installed) by xorriso; dio reads them, and replaces files of
maps in them. A line a difference; `N passed, N failed` last.
"""
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import disc_files as disc
import fft_files as files
import fft_make as make
import fft_maps_oracle as maps
from judging import Judge

TABLE_AT, TABLE_COUNT = 0x8EC74, 126  # of the indices' sectors, in BATTLE.BIN
MAPS = 40 + 300  # where MAP begins in the images made here


def battle(placed):
    """BATTLE.BIN with the sectors of all indices."""
    lbas = [0] * TABLE_COUNT
    for path, (lba, _) in placed.items():
        if path.endswith(".GNS"):
            lbas[int(path[-7:-4])] = lba
    return bytes(TABLE_AT) + struct.pack(f"<{TABLE_COUNT}I", *lbas) + b"more of the program"


def made_disc(seed, gap=0, maps=2):
    """{path: (lba, bytes)}"""
    random_ = random.Random(seed)
    placed, at = {}, MAPS
    for number in range(1, maps + 1):
        of_map = make.ordinary_map(random_, number, at, gap=gap)
        placed.update({f"MAP/{name}": one for name, one in of_map.items()})
        at = max(lba + make.sectors_of(data) for lba, data in of_map.values()) + gap
    return {"BATTLE.BIN": (40, battle(placed)), "SYSTEM.CNF": (30, b"BOOT = cdrom:\\SCUS_942.21;1\r\n"), **placed}


def contents(image):
    return {path: image.read(lba, size) for path, (lba, size) in image.files().items()}


def by_xorriso(work, placed):
    """The same files in an image of xorriso, with the sectors that it chose in the indices; None without it."""
    if not shutil.which("xorriso"):
        return None
    folder, path = pathlib.Path(work, "tree"), pathlib.Path(work, "xorriso.iso")
    for name, (_, data) in placed.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    done = subprocess.run(["xorriso", "-as", "mkisofs", "-quiet", "-iso-level", "1", "-full-iso9660-filenames", "-o",
                           str(path), str(folder)], capture_output=True, text=True, timeout=100)
    if done.returncode:
        raise disc.DiscError(f"xorriso: {done.stderr[:300]}")
    iso = bytearray(path.read_bytes())
    found = disc.Image(bytes(iso)).files()
    moved = {placed[name][0]: lba for name, (lba, _) in found.items() if name in placed}
    new = {}
    for name, (lba, size) in found.items():
        data = placed[name][1]
        if name.endswith(".GNS"):
            data = bytearray(data)
            for i in range(len(files.read_gns(data)["rows"])):
                old, = struct.unpack_from("<I", data, make_row(i))
                struct.pack_into("<I", data, make_row(i), moved[old])
        new[name] = lba, bytes(data)
    new["BATTLE.BIN"] = new["BATTLE.BIN"][0], battle(new)
    for lba, data in new.values():
        iso[lba * disc.DATA:lba * disc.DATA + len(data)] = data
    return new, bytes(iso)


def make_row(i):
    """Where the number of the sector stands in the row i of an index."""
    return files.ROW * i + 8


# ---- what is read ----------------------------------------------------------------------------------------------------

def judge_reading(judge, name, path, placed, work):
    expected = {p: data for p, (_, data) in placed.items()}
    folder = pathlib.Path(work, "unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    status, _, said = judge.run("unpack", "--quiet", path, "-o", folder)
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    wrong = [p for p in expected if found.get(p) != expected[p]]
    judge.count(f"{name}, unpacked", [f"exit {status}: {said}"] * bool(status) + [f"{p} differs" for p in wrong])
    status, output, said = judge.run("ls", "--json", f"{path}/MAP")
    names = {p.split("/")[1] for p in expected if p.startswith("MAP/")}
    missing = [n for n in names if n not in output]
    judge.count(f"{name}, listed", [f"exit {status}: {said}"] * bool(status) + [f"no {n}" for n in missing])
    status, output, said = judge.run("verify", path)
    judge.count(f"{name}, verified", [f"exit {status}: {said}"] * bool(status))


def judge_maps(judge, name, path, placed, all_states=False):
    """Rows of an index mean the files that lie there, whatever they are called."""
    for index in (p for p in placed if p.endswith(".GNS")):
        map_ = maps.Map.of_disc(placed, index)
        maps.judge_map(judge, path, map_, f"{name}, {index}", sorted(maps.listed_states(map_)), all_states)


# ---- what is written -------------------------------------------------------------------------------------------------

def gns_of(placed, path):
    return path[:path.index(".")] + ".GNS"


def expected_gns(before, lba, size, now):
    """The index after the file at `lba` got `size` bytes and lies at `now`: its rows and what repeats them."""
    data = bytearray(before)
    gns = files.read_gns(before)
    for i, row in enumerate(gns["rows"]):
        if row["lba"] == lba:
            struct.pack_into("<II", data, make_row(i), now, (size + disc.DATA - 1) // disc.DATA * disc.DATA)
    return bytes(data)


def without_places(data):
    made = bytearray(data)
    for i in range(len(files.read_gns(data)["rows"])):
        made[make_row(i):make_row(i) + 8] = bytes(8)
    return made


def after_replacing(before, after, path, new):
    """What is wrong with an image in which one file was replaced: where it lies, or, if it needs more sectors than it had,
    where nothing was."""
    old_files, new_files = before.files(), after.files()
    lba, old_size = old_files[path]
    sectors, old_sectors = (-(-size // disc.DATA) for size in (len(new), old_size))
    now = new_files.get(path, (lba,))[0]
    if now != lba:
        taken = set(range(16)) | {at for place, size in old_files.values()
                                         for at in range(place, place + -(-size // disc.DATA))}
        if sectors <= old_sectors:
            yield f"moved to sector {now} although it fits"
        for at in range(now, now + sectors):
            if at in taken or any(before.data(at)):
                yield f"sector {at} was not free"
        for at in range(lba, lba + old_sectors):
            if any(after.data(at)):
                yield f"old sector {at} is not empty"
    yield from after.faults()
    yield from after.folder_faults()
    if after.sectors != before.sectors or after.size != before.size:
        yield f"{after.sectors} sectors of {after.size}, there were {before.sectors} of {before.size}"
    if new_files.get(path) != (now, len(new)):
        yield f"the directory says {new_files.get(path)}, expected {(now, len(new))}"
        return
    if after.read(now, len(new)) != new:
        yield f"{path} has other contents"
    if any(after.read(now, sectors * disc.DATA)[len(new):]):
        yield "the last sector is not filled with zeros"
    index = gns_of(old_files, path)
    changed = {path} if index == path else {path, index}
    for name, place in old_files.items():
        if name != path and new_files.get(name) != place:
            yield f"{name} is at {new_files.get(name)}, it was at {place}"
        if name not in changed and after.read(*place) != before.read(*place):
            yield f"{name} has changed"
    if index != path:
        expected = expected_gns(before.read(*old_files[index]), lba, len(new), now)
        found = after.read(*new_files[index])
        if found != expected:
            lengths = [[row["length"] for row in files.read_gns(data)["rows"]] for data in (found, expected)]
            yield f"{index}: lengths {lengths[0]}, expected {lengths[1]}"
            if len(found) != len(expected) or without_places(found) != without_places(expected):
                yield f"{index}: other fields changed"
    # Sectors of nobody, and what is not data in those of others.
    touched = set(range(lba, lba + old_sectors)) | set(range(now, now + sectors)) | {old_files[index][0]}
    touched |= directory_sectors(before, path)
    for at in range(before.sectors):
        if at not in touched and before.sector(at) != after.sector(at):
            yield f"sector {at} has changed"
        head = before.size - disc.XA if before.size != disc.DATA else 0
        if before.sector(at)[:head] != after.sector(at)[:head]:
            yield f"sector {at}: another header"


def directory_sectors(image, path):
    """Where the record of a file lies."""
    name = path.split("/")[-1].encode() + b";1"
    return {lba for lba in range(16, MAPS) if name in image.data(lba)}


def replacements(random_, placed):
    """(what, path, new bytes, whether it fits where it is: else it moves, or is refused)"""
    primary = next(p for p in placed if p.startswith("MAP/MAP001.") and placed[p][1][:4] == bytes(4) and
                   len(placed[p][1]) > 20000 and len(placed[p][1]) != files.TEXTURE_SIZE)
    data = placed[primary][1]
    sectors = make.sectors_of(data)
    small = make.mesh_file({files.LIGHTS: make.lights(random_), files.TERRAIN: make.terrain(random_, 5, 5)})
    same = bytearray(data)
    same[-100:] = random_.randbytes(100)
    yield "same size", primary, bytes(same), True
    yield "one byte longer", primary, data + b"\7", True
    yield "as long as fits", primary, data + b"\7" * (disc.DATA * sectors - len(data)), True
    yield "fewer sectors", primary, small, True
    yield "one sector too long", primary, data + b"\7" * (disc.DATA * sectors - len(data) + 1), False
    last = max((p for p in placed if p.startswith("MAP/MAP001.") and not p.endswith("GNS")), key=lambda p: placed[p][0])
    yield "last file, which fillers repeat", last, make.mesh_file({files.LIGHTS: make.lights(random_)}), True
    texture = next(p for p in placed if len(placed[p][1]) == files.TEXTURE_SIZE)
    yield "a texture", texture, make.texture(random_), True


def judge_writing(judge, name, image_bytes, placed, work, gap, extension):
    random_ = random.Random(7)
    before = disc.Image(image_bytes)
    for what, path, new, fits in replacements(random_, placed):
        image = pathlib.Path(work, "changed" + extension)
        image.write_bytes(image_bytes)
        source = pathlib.Path(work, os.path.basename(path))
        source.write_bytes(new)
        kind = "fft-texture" if len(new) == files.TEXTURE_SIZE else "fft-mesh"
        told = pathlib.Path(work, "told.json")
        status, _, said = judge.run("decode", "--quiet", "--force", "--as", kind, source, "-o", told)
        if status:
            judge.count(f"{name}: {what}", [f"dio decode: {said}"])
            continue
        status, output, said = judge.run("encode", "--quiet", "--force", told, "-o", f"{image}/{path}")
        after = image.read_bytes()
        if status and after != image_bytes:
            texts = [f"refused (exit {status}: {said}), but something was written"]
        elif status:
            texts = [f"refused (exit {status}): {said}"] if fits else [] if said else ["refused without a reason"]
        else:
            texts = list(after_replacing(before, disc.Image(after), path, new))
        judge.count(f"{name}: {what}", texts)


def judge_samples(judge, samples, work):
    """Images that dio wrote itself: every sector, every folder, and the maps on them."""
    paths = [p for p in sorted(pathlib.Path(samples, "iso").glob("*")) if p.is_file()]
    paths += sorted(pathlib.Path(samples, "games").glob("*.bin"))
    if not paths:
        judge.count("images", ["no samples"])
    for path in paths:
        image = disc.Image(path.read_bytes())
        judge.count(f"{path.name}, sectors", list(image.faults()))
        judge.count(f"{path.name}, folders", list(image.folder_faults()))
        placed = {p: (lba, image.read(lba, size)) for p, (lba, size) in image.files().items()}
        judge_reading(judge, path.name, path, placed, work)
        judge_maps(judge, path.name, path, placed, all_states=True)


def numbers_in(value, path=""):
    """PATH=VALUE of each number in JSON, one larger than it is."""
    if isinstance(value, dict):
        for name, member in value.items(): yield from numbers_in(member, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for i, member in enumerate(value): yield from numbers_in(member, f"{path}[{i}]")
    elif isinstance(value, int) and not isinstance(value, bool): yield f"{path}={value + 1}"


def set_first_number(judge, path, placed):
    """Sets the first number of the files of an image that can be set. Returns its file, the exit code and what was said."""
    said = "no number"
    for member in sorted(placed):
        status, output, _ = judge.run("decode", f"{path}/{member}", "--lean", "-o", "-")
        if status: continue
        for number in list(numbers_in(json.loads(output)["document"]))[:20]:
            status, _, said = judge.run("set", f"{path}/{member}", number, "--in-place")
            if not status: return member, status, said
    return next(iter(placed)), 1, said


def judge_odd(judge, work):
    """Mode 1, an image named by its cue sheet, Form 2 sectors, a damaged sector that stays unchanged."""
    placed = made_disc(6)
    iso, random_ = disc.make_iso(placed), random.Random(8)
    sectors = [iso[at:at + disc.DATA] for at in range(0, len(iso), disc.DATA)]
    mode1 = b"".join(disc.mode1_sector(lba, data) for lba, data in enumerate(sectors))
    path = pathlib.Path(work, "mode1.bin")
    path.write_bytes(mode1)
    judge_reading(judge, "Mode 1", path, placed, work)
    judge_writing(judge, "Mode 1", mode1, placed, work, 0, ".bin")

    raw = bytearray(disc.make_raw(iso))
    spoilt = placed["MAP/MAP002.5"][0] + 3
    form2 = disc.raw_sector(25, random_.randbytes(2324), bytes((1, 1, 0x64, 0)) * 2)
    raw[25 * disc.RAW:26 * disc.RAW] = form2
    raw[spoilt * disc.RAW + 1000] ^= 1
    path, cue = pathlib.Path(work, "odd.bin"), pathlib.Path(work, "odd.cue")
    path.write_bytes(raw)
    cue.write_text('FILE "odd.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n')
    status, output, said = judge.run("ls", f"{cue}/MAP")
    judge.count("image named by its cue sheet", [] if "MAP002.GNS" in output else [f"exit {status}: {said}"])
    status, output, said = judge.run("check", path)
    judge.count("check finds a damaged sector", [] if status and str(spoilt) in output + said else ["not detected"])
    member, status, said = set_first_number(judge, path, placed)
    after, before = disc.Image(path.read_bytes()), disc.Image(bytes(raw))
    changed = [lba for lba in range(before.sectors) if before.sector(lba) != after.sector(lba)]
    texts = [f"exit {status}: {said}"] * bool(status)
    texts += [] if len(changed) == 1 and 0 <= changed[0] - placed[member][0] < 64 else [f"changed {changed}"]
    faults = {fault.split(":")[0] for fault in after.faults()}
    texts += [] if faults == {f"sector {spoilt}"} else [f"faults in {sorted(faults)}"]
    judge.count("change next to unusual sectors", texts)


def main(arguments):
    if len(arguments) != 2:
        sys.exit("usage: disc_oracle.py DIO SAMPLES")
    judge = Judge(arguments[0])
    with tempfile.TemporaryDirectory() as work:
        for size, extension in ((disc.RAW, ".bin"), (disc.DATA, ".iso"), (disc.XA, ".img")):
            for gap in (0, 1):
                placed = made_disc(size + gap, gap)
                image = disc.make_raw(disc.make_iso(placed), size)
                path = pathlib.Path(work, "disc" + extension)
                path.write_bytes(image)
                name = f"sectors of {size}" + ", gaps" * gap
                if not gap:
                    judge_reading(judge, name, path, placed, work)
                judge_writing(judge, name, image, placed, work, gap, extension)
        judge_odd(judge, work)
        judge_samples(judge, arguments[1], work)
        made = by_xorriso(work, made_disc(5))
        if not made:
            print("skipped: xorriso is not installed")
        else:
            placed, iso = made
            for size, extension in ((disc.DATA, ".iso"), (disc.RAW, ".bin")):
                image = disc.make_raw(iso, size)
                path = pathlib.Path(work, "xorriso" + extension)
                path.write_bytes(image)
                judge_reading(judge, f"by xorriso, {size}", path, placed, work)
                judge_maps(judge, f"by xorriso, {size}", path, placed)
                judge_writing(judge, f"by xorriso, {size}", image, placed, work, 0, extension)
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
