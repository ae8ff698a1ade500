#!/usr/bin/env python3
"""Compares what dio says of archives, and what it unpacks and packs, with the second reader (archive_files.py).

    archives_oracle.py DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, archives are made here by hand (archive_make.py). FOLDER: a corpus
of Platinum, whose loose members have to pack to the archives of the cartridge. A line a difference; `N passed, N failed`
last.
"""
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import archive_files
import archive_make
import platinum_corpus
import platinum_facts


class Dio:
    def __init__(self, program):
        self.program = program

    def run(self, *words):
        """(exit status, standard output, what it said)"""
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace").strip()[:300]

    def document(self, path, *options):
        status, output, said = self.run("decode", *options, path)
        if status:
            raise archive_files.ArchiveError(f"dio decode (exit {status}): {said}")
        return json.loads(output)["document"]


class Differences(list):
    def same(self, what, found, expected):
        if found != expected:
            self.append(f"{what}: {str(found)[:200]}, expected {str(expected)[:200]}")


# ---- what decode says -------------------------------------------------------------------------------------------------

def told_names(folders):
    """File id -> path, of the folders as decode shows them; files are numbered from first_file on."""
    paths = {}

    def visit(number, path):
        folder = folders[number - 0xF000]
        file = folder["first_file"]
        for entry in folder.get("entries", ()):
            if entry["is_folder"]:
                visit(entry["folder"], f"{path}{entry['name']}/")
            elif entry["length"]:
                paths[file] = path + entry["name"]
                file += 1

    if folders:
        visit(0xF000, "")
    return paths


def told_narc(dio, path, data):
    differences = Differences()
    narc, told = archive_files.Narc(data), dio.document(path)
    differences.same("form", (told["byte_order"], told["version"]), (narc.order, narc.version))
    differences.same("size", (told["size"], told["header_size"], told["sections"]), (len(data), 16, 3))
    differences.same("places", [(f["start"], f["end"]) for f in told["files"]], narc.spans)
    differences.same("members", [bytes.fromhex(f["content"]) for f in told["files"]], narc.members)
    differences.same("names", told_names(told["names"]["folders"]), narc.names)
    return differences


def told_rom(dio, path, data):
    differences = Differences()
    rom, told = archive_files.Rom(data), dio.document(path)
    header = told["header"]
    differences.same("title", bytes(header["title"]).rstrip(b"\0").decode(), rom.title)
    differences.same("game code", bytes(header["game_code"]).decode(), rom.code)
    differences.same("names", told_names(told["names"]["folders"]), rom.names)
    differences.same("places", [(f["start"], f["end"]) for f in told["files"]], rom.spans)
    differences.same("files", [bytes.fromhex(f.get("content", "")) for f in told["files"]], rom.members)
    differences.same("arm9", bytes.fromhex(told["arm9"]), rom.arm9_data)
    for name, overlays in zip(("arm9_overlays", "arm7_overlays"), rom.overlays):
        fields = [list(o.values())[:7] for o in told[name]]
        differences.same(name, fields, [[o.number, o.address, o.size, o.bss_size, o.constructors_start,
                                         o.constructors_end, o.file] for o in overlays])
    return differences


def told_lz(dio, path, data):
    differences = Differences()
    told = dio.document(path)
    differences.same("size and kind", (told["size"], told["kind"]), (len(archive_files.unpack_lz(data)[0]), data[0]))
    return differences


# ---- unpacked and packed ----------------------------------------------------------------------------------------------

def tree_of(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in pathlib.Path(folder).rglob("*") if p.is_file()}


def unpacked(dio, path, expected, work):
    """`expected`: {path: bytes} that have to be among what `dio unpack` writes; packed again it is the same file."""
    differences, folder, again = Differences(), os.path.join(work, "unpacked"), os.path.join(work, "packed")
    for leftover in (folder, again):
        shutil.rmtree(leftover, ignore_errors=True)
        if os.path.exists(leftover):
            os.remove(leftover)
    status, _, said = dio.run("unpack", "--quiet", path, "-o", folder)
    if status:
        return [f"dio unpack (exit {status}): {said}"]
    found = tree_of(folder)
    for name, content in expected.items():
        differences.same(f"unpacked {name}", found.get(name), content)
    again += pathlib.Path(path).suffix
    status, _, said = dio.run("pack", "--quiet", "--force", folder, "-o", again)
    if status:
        return differences + [f"dio pack (exit {status}): {said}"]
    differences.same("packed again", hashlib.sha1(pathlib.Path(again).read_bytes()).hexdigest(),
                     hashlib.sha1(pathlib.Path(path).read_bytes()).hexdigest())
    return differences


def narc_tree(data):
    narc = archive_files.Narc(data)
    return {narc.names.get(i, f"{i:04}.bin"): member for i, member in enumerate(narc.members)}


def content_through_path(dio, path, data, work):
    """Members by their paths, as every verb takes them: here what `dio hex` knows of the bytes is not asked, only that
    the member is found at all and has its size."""
    differences = Differences()
    files = archive_files.Rom(data).files if path.endswith(".nds") else narc_tree(data)
    for name, content in files.items():
        status, output, said = dio.run("info", "--json", f"{path}/{name}")
        if status == 0:
            differences.same(name, json.loads(output.splitlines()[0]).get("size"), len(content))
        elif status != 3 or "[detect." not in said:  # of no known format, as most are: but there
            differences.append(f"{name}: exit {status}: {said}")
    return differences


def unpacked_lz(dio, path, data, work):
    differences, folder = Differences(), os.path.join(work, "unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    status, _, said = dio.run("unpack", "--quiet", path, "-o", folder)
    differences.same("exit status", (status, said), (0, ""))
    content = [data for name, data in tree_of(folder).items() if not name.startswith("_system/")]  # how it was packed
    differences.same("unpacked", content, [archive_files.unpack_lz(data)[0]])
    return differences


def packed_with_changes(dio, path, data, work):
    """A member made longer, one shorter: the archive has these and all else as before."""
    differences, folder = Differences(), os.path.join(work, "changed")
    again = os.path.join(work, "changed" + pathlib.Path(path).suffix)
    shutil.rmtree(folder, ignore_errors=True)
    dio.run("unpack", "--quiet", path, "-o", folder)
    is_rom = path.endswith(".nds")
    expected = dict(archive_files.Rom(data).files if is_rom else narc_tree(data))
    names = sorted(expected)
    if not names:
        return differences
    expected[names[0]] += b"more" * 300
    expected[names[-1]] = expected[names[-1]][:-1]
    for name in (names[0], names[-1]):
        pathlib.Path(folder, name).write_bytes(expected[name])
    status, _, said = dio.run("pack", "--quiet", "--force", folder, "-o", again)
    if status:
        return [f"dio pack (exit {status}): {said}"]
    made = pathlib.Path(again).read_bytes()
    if is_rom:
        before, after = archive_files.Rom(data), archive_files.Rom(made)
        differences.same("files", after.files, expected)
        differences.same("names", after.names, before.names)
        differences.same("faults", after.faults, [])
        differences.same("program", after.arm9_data, before.arm9_data)
        differences.same("overlays", [after.members[o.file] for o in after.overlays[0]],
                         [before.members[o.file] for o in before.overlays[0]])
        differences.same("the parts end within it", max(end for _, end in after.spans) <= len(made), True)
        spans = sorted(span for span in after.spans if span[0] != span[1])
        differences.same("overlaps", [a for a, b in zip(spans, spans[1:]) if a[1] > b[0]], [])
    else:
        differences.same("members", narc_tree(made), expected)
        differences.same("faults", archive_files.Narc(made).faults, [])
    return differences


HOSTILE = ("../out.bin", "../../out.bin", "/out.bin", "a\\..\\out.bin", "...", ". /x", "CON", "a:b", "same", "SAME", "dir./x")


def hostile(dio, work):
    """Whatever members are called, nothing is written outside of the folder, and it packs again."""
    for i, name in enumerate(HOSTILE):
        parent = os.path.join(work, f"hostile{i}")
        os.mkdir(parent)
        table, ids = archive_make.make_names(["fine.bin", name])
        data = archive_files.make_narc([b"fine", b"hostile"], name_table=archive_make.padded(table, 4))
        path = os.path.join(parent, "in.narc")
        pathlib.Path(path).write_bytes(data)
        status, _, said = dio.run("unpack", "--quiet", path, "-o", os.path.join(parent, "a", "folder"))
        differences = Differences()
        outside = [p for p in tree_of(parent) if not p.startswith("a/folder/") and p != "in.narc"]
        differences.same("written outside", outside, [])
        if status == 0:
            dio.run("pack", "--quiet", os.path.join(parent, "a", "folder"), "-o", os.path.join(parent, "out.narc"))
            differences.same("packed again", pathlib.Path(parent, "out.narc").read_bytes(), data)
        else:
            differences.same("refused with a reason", (status in (3, 4), bool(said)), (True, True))
        yield f"a member called {name!r}", differences


def named(dio, work):
    """A folder packed with its names."""
    folder, packed = os.path.join(work, "named"), os.path.join(work, "named_by_dio.narc")
    contents = {"b.bin": b"1", "A.bin": b"22", "sub/c.bin": b"333", "sub/deep/x": b"", "Zed/y": b"55555"}
    for name, content in contents.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    differences = Differences()
    for options, form in (((), (0xFFFE, 0x0100)), (("--byte-order", "ff-fe"), (0xFEFF, 0x0001))):
        status, _, said = dio.run("pack", "--quiet", "--force", "--named", *options, folder, "-o", packed)
        if status:
            differences.append(f"dio pack (exit {status}): {said}")
            continue
        narc = archive_files.Narc(pathlib.Path(packed).read_bytes())
        differences.same("contents", {name: narc.members[i] for i, name in narc.names.items()}, contents)
        differences.same("faults and form", (narc.faults, (narc.order, narc.version)), ([], form))
    return differences


# ---- what is judged ---------------------------------------------------------------------------------------------------

def made_archives():
    random_ = random.Random(6)

    def noise(size):
        return bytes(random_.choice(b"\0\1ab") for _ in range(size // 2)) + random_.randbytes(size - size // 2)

    members = [noise(n) for n in (1, 2, 3, 4, 0, 97, 300)]
    yield "plain.narc", archive_files.make_narc(members)
    yield "none.narc", archive_files.make_narc([])
    yield "one.narc", archive_files.make_narc([noise(5)], 0xFEFF, 0x0001)
    yield "many.narc", archive_files.make_narc([noise(i % 7) for i in range(300)])
    names, ids = archive_make.make_names(["a.bin", "b.bin", "deep/er/c.bin", "deep/d.bin", "z/e"])
    named = [noise(10 * i + 1) for i in range(len(ids))]
    yield "named.narc", archive_files.make_narc(named, name_table=archive_make.padded(names, 4))
    tree = {"data/map.narc": archive_files.make_narc(members), "data/empty": b"", "readme.txt": b"by hand",
            "data/more/packed.bin": archive_make.pack_lz(noise(400), 0x10)}
    yield "game.nds", archive_make.make_rom(tree, [noise(90), noise(600)], arm9=noise(0x350))
    yield "small.nds", archive_make.make_rom({"one": b"1"}, code=b"ADAE")
    for kind in (0x10, 0x11):
        for size in (1, 40, 3000):
            yield f"packed{kind:x}_{size}.lz", archive_make.pack_lz(noise(size) + bytes(size) + noise(size), kind)


TOLD = {".narc": told_narc, ".nds": told_rom, ".lz": told_lz}


def judge(dio, path, work):
    """(what, differences) of one archive."""
    with open(path, "rb") as file:
        data = file.read()
    kind = pathlib.Path(path).suffix
    yield "decode", TOLD[kind](dio, path, data)
    if kind == ".lz":
        yield "unpack", unpacked_lz(dio, path, data, work)
    else:
        expected = narc_tree(data) if kind == ".narc" else archive_files.Rom(data).files
        yield "unpack and pack", unpacked(dio, path, expected, work)
        yield "changed", packed_with_changes(dio, path, data, work)
        yield "members by path", content_through_path(dio, path, data, work)


def retail(dio, corpus, work):
    """Members laid into folders, and packed by dio."""
    for role, (_, _, _, digest) in platinum_facts.CONTAINERS.items():
        if digest is None:
            continue
        folder, packed = os.path.join(work, role), os.path.join(work, role + ".narc")
        os.mkdir(folder)
        for i, member in enumerate(corpus.members(role)):
            pathlib.Path(folder, f"{i:04}.bin").write_bytes(member)
        status, _, said = dio.run("pack", "--quiet", folder, "-o", packed)
        differences = Differences()
        if status:
            differences.append(f"dio pack (exit {status}): {said}")
        else:
            differences.same("SHA-1", hashlib.sha1(pathlib.Path(packed).read_bytes()).hexdigest(), digest)
        yield role, differences


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit("usage: archives_oracle.py DIO SAMPLES [FOLDER]")
    dio = Dio(arguments[0])
    passed = failed = 0

    def count(what, differences):
        nonlocal passed, failed
        passed, failed = passed + (not differences), failed + bool(differences)
        for text in differences[:6]:
            print(f"{what}: {text}", flush=True)

    with tempfile.TemporaryDirectory() as work:
        paths = [str(p) for kind in TOLD for p in sorted(pathlib.Path(arguments[1], kind[1:]).glob("*" + kind))]
        for name, data in made_archives():
            paths.append(os.path.join(work, name))
            pathlib.Path(paths[-1]).write_bytes(data)
        for path in paths:
            try:
                for what, differences in judge(dio, path, work):
                    count(f"{os.path.basename(path)}: {what}", differences)
            except (archive_files.ArchiveError, ValueError, KeyError, OSError) as error:
                count(os.path.basename(path), [f"{type(error).__name__}: {error}"])
        count("folder with file names", named(dio, work))
        for what, differences in hostile(dio, work):
            count(what, differences)
        if len(arguments) == 3:
            for what, differences in retail(dio, platinum_corpus.Corpus(arguments[2]), work):
                count(what, differences)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
