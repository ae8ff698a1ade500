#!/usr/bin/env python3
"""Converts every Nitro model in a folder with dio and compares the GLB with what the second reader draws.

    nitro_corpus.py [--jobs N] [--command TEXT] [--frames N] DIO FOLDER [WORD...]

Models are looked for in all files, also in archives and land data. With WORDs only those whose name has one of them.
A model without textures gets the texture set of the folder that has most of those it names. Its animations are those
that the folder's list of prop animations gives it (bm_anime_list.narc and the *.order files), or those of its archive
that fit and whose names begin with its own. `--command` says how dio is called; {dio} {model} {glb} and {others} (the
textures and animations) stand for files.

A line a model with differences; `N passed, N failed` last. A model with nothing to draw is a GLB without triangles.
"""
import multiprocessing
import os
import shlex
import struct
import subprocess
import sys
import tempfile

import nitro_compare
import nitro_glb
import nitro_oracle

COMMAND = "{dio} convert --quiet --force {model} {others} -o {glb}"
EXTENSIONS = {b"BMD0": ".nsbmd", b"BTX0": ".nsbtx", b"BCA0": ".nsbca", b"BTP0": ".nsbtp", b"BTA0": ".nsbta",
              b"BMA0": ".nsbma", b"BVA0": ".nsbva"}


class Member:
    """A Nitro file, alone or inside of another."""

    def __init__(self, path, index, data):
        self.path, self.data = path, data
        self.name = path if index is None else f"{path}#{index}"
        try:
            self.file = nitro_oracle.File(data)
        except nitro_oracle.NitroError as error:
            self.file, self.error = None, error

    @property
    def extension(self):
        return EXTENSIONS[self.data[:4]]


def members_of(path):
    with open(path, "rb") as file:
        data = file.read()
    parts = nitro_oracle.embedded(data)
    whole = len(parts) == 1 and len(parts[0][1]) == len(data)
    return [Member(path, None if whole else i, part) for i, (_, part) in enumerate(parts)]


def narc_members(data):
    """The members of an archive without names."""
    count = int.from_bytes(data[24:26], "little")
    spans = struct.iter_unpack("<II", data[28:28 + 8 * count])
    at = data.index(b"GMIF") + 8
    return [data[at + begin:at + end] for begin, end in spans]


def fits(animation, model):
    if isinstance(animation, nitro_oracle.JointAnimation):
        return len(animation.tracks) == len(model.nodes)
    if isinstance(animation, nitro_oracle.VisibilityAnimation):
        return animation.nodes == len(model.nodes)
    return set(animation.tracks) <= {m.name for m in model.materials}


def listed_animations(files):
    """Path of a prop model -> paths of its animations, as bm_anime_list says."""
    by_name = {os.path.basename(f): f for f in files}
    orders = {}
    for name in ("map_prop_models.order", "prop_animations.order"):
        if name not in by_name:
            return {}
        with open(by_name[name], encoding="utf-8") as file:
            folder = os.path.dirname(by_name[name])
            orders[name] = [os.path.join(folder, line.strip()) for line in file if line.strip()]
    if "bm_anime_list.narc" not in by_name:
        return {}
    with open(by_name["bm_anime_list.narc"], "rb") as file:
        records = narc_members(file.read())
    found = {}
    for model, record in zip(orders["map_prop_models.order"], records):
        ids = [int.from_bytes(record[4 + 4 * i:8 + 4 * i], "little", signed=True) for i in range(4)]
        ids = ids[:ids.index(-1)] if -1 in ids else ids
        found[model] = [orders["prop_animations.order"][i] for i in ids]
    return found


def cases_of(folder, words):
    """(name, the model's bytes, [(extension, bytes)] of the other files) of every model"""
    files = list(nitro_oracle.files_of([folder]))
    listed = listed_animations(files)
    sets, models = [], []  # sets: (names of textures and (names,) of palettes, bytes)
    for path in files:
        members = members_of(path)
        for member in members:
            if member.data[:4] == b"BTX0" and member.file:
                textures = member.file.texture_sets[0]
                sets.append(({*textures.textures, *((name,) for name in textures.palettes)}, member.data))
            if member.data[:4] == b"BMD0" and (not words or any(word in member.name for word in words)):
                models.append((member, members))
    for member, neighbours in models:
        if member.file is None:
            yield member.name, member.data, []
            continue
        others = []
        materials = [m for m in member.file.models[0].materials if m.texture]
        wanted = {m.texture for m in materials} | {(m.palette,) for m in materials}
        if not member.file.texture_sets and wanted and sets:
            names, data = max(sets, key=lambda s: len(wanted & s[0]))
            if wanted & names:
                others.append((".nsbtx", data))
        for path in listed.get(member.path, ()):
            others += [(m.extension, m.data) for m in members_of(path)]
        model = member.file.models[0]
        others += [(m.extension, m.data) for m in neighbours if m.file and m.file.animations and
                   m.file.animations[0].name.startswith(model.name) and fits(m.file.animations[0], model)]
        yield member.name, member.data, others


def run(work):
    """The differences of one case, as lines."""
    (name, model, others), dio, command, frames = work
    with tempfile.TemporaryDirectory() as folder:
        paths = {"dio": dio, "model": os.path.join(folder, "model.nsbmd"), "glb": os.path.join(folder, "model.glb")}
        other_paths = []
        for i, (extension, data) in enumerate(others):
            other_paths.append(os.path.join(folder, f"other{i}{extension}"))
            with open(other_paths[-1], "wb") as file:
                file.write(data)
        with open(paths["model"], "wb") as file:
            file.write(model)
        words = []
        for word in shlex.split(command):
            words += other_paths if word == "{others}" else [word.format(**paths)]
        try:
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=300)
            if not os.path.exists(paths["glb"]):
                return name, [f"no GLB (exit {done.returncode}): {done.stderr.strip()[:300]}"]
            comparison = nitro_compare.compare(paths["glb"], paths["model"], other_paths, frames=frames)
        except (nitro_oracle.NitroError, nitro_glb.GlbError) as error:
            return name, [str(error)]
        except Exception as error:  # a file so damaged that reading it stumbles: that is a difference, too
            return name, [f"{type(error).__name__}: {error}"]
        return name, comparison.report(4) + ([comparison.summary()] if comparison.differences else [])


def main(arguments):
    options = {"--jobs": "2", "--command": COMMAND, "--frames": str(nitro_compare.FRAMES)}
    while arguments and arguments[0] in options:
        options[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    if len(arguments) < 2:
        sys.exit("usage: nitro_corpus.py [--jobs N] [--command TEXT] [--frames N] DIO FOLDER [WORD...]")
    dio, folder, *words = arguments
    passed = failed = 0
    work = ((case, dio, options["--command"], int(options["--frames"])) for case in cases_of(folder, words))
    with multiprocessing.Pool(int(options["--jobs"])) as pool:
        for name, lines in pool.imap(run, work, chunksize=4):
            passed, failed = passed + (not lines), failed + bool(lines)
            if lines:
                print(f"{os.path.relpath(name, folder)}:", *lines, sep="\n  ", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
