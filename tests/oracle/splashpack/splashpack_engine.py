#!/usr/bin/env python3
"""Packs that dio makes, loaded by the engine itself (psxsplash on a console, or an emulator of one).

    splashpack_engine.py DIO

The environment variable DIORAMA_PSX_ENGINE names a program that is called with a pack (its .vram and .spu lie beside
it) and an empty folder. It lets the engine load the pack and draw some frames, and leaves in the folder
    vram.bin   the video memory, 512 rows of 1024 little-endian words;
    frame.ppm  what is on the screen (P6, 8 bits).
Each texel, palette and glyph of the .vram file has to be in video memory, word for word, and the screen has to show
something. Without the variable nothing is judged.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import judging
import splashpack_files as files

TOOLS = pathlib.Path(__file__).resolve().parents[3] / "tools"
SECONDS = 300


def rectangles(vram):
    """(name, x, y, width, words) of everything that a .vram file puts into video memory; x, width in words."""
    for i, one in enumerate(vram["atlases"]):
        yield f"atlas {i}", one["x"], one["y"], one["width"], one["words"]
    for i, one in enumerate(vram["cluts"]):
        yield f"clut {i}", one["x"] * 16, one["y"], one["length"], one["colors"]
    for i, one in enumerate(vram["fonts"]):
        bitmap = one["bitmap"]
        words = [bitmap[k] | bitmap[k + 1] << 8 for k in range(0, len(bitmap) - 1, 2)]
        if words and one["height"]:
            yield f"font {i}", one["x"], one["y"], len(words) // one["height"], words


def differing_words(vram, memory):
    """(lines of what differs, how many words were compared)"""
    texts, count = [], 0
    for name, x, y, width, words in rectangles(vram):
        bad = [k for k, word in enumerate(words)
               if memory[(y + k // width) % files.HEIGHT * files.WIDTH + (x + k % width) % files.WIDTH] != word]
        count += len(words)
        if bad:
            texts.append(f"{name}: {len(bad)} of {len(words)} words differ, the first at {bad[0]}")
    return texts, count


def colors_of(ppm):
    """How many colours a PPM has."""
    header = re.match(rb"P6\s(?:#[^\n]*\n)*(\d+)\s+(\d+)\s(?:#[^\n]*\n)*255\s", ppm)
    if not header or len(ppm) - header.end() != 3 * int(header[1]) * int(header[2]):
        raise ValueError("not a P6 of 8 bits")
    pixels = ppm[header.end():]
    return len({pixels[i:i + 3] for i in range(0, len(pixels), 3)})


def judge_pack(judge, engine, pack):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([engine, pack, folder], capture_output=True, text=True, timeout=SECONDS)
        found = pathlib.Path(folder, "vram.bin")
        if done.returncode or not found.exists():
            judge.count(pack.name, [f"the engine did not load it (exit {done.returncode}): {done.stderr[-200:]}"])
            return
        raw = found.read_bytes()
        memory = [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]
        texts, words = differing_words(files.read_vram(pack.with_suffix(".vram").read_bytes()), memory)
        judge.values += words
        judge.count(f"{pack.name}, video memory", texts)
        colors = colors_of(pathlib.Path(folder, "frame.ppm").read_bytes())
        judge.count(f"{pack.name}, screen", [] if colors > 16 else [f"it has {colors} colours"])


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: splashpack_engine.py DIO")
    judge, engine = judging.Judge(arguments[0]), os.environ.get("DIORAMA_PSX_ENGINE")
    if not engine:
        print("skipped: DIORAMA_PSX_ENGINE names no engine that loads packs")
        return judge.end()
    with tempfile.TemporaryDirectory() as work:
        scene, pack = pathlib.Path(work, "courtyard.glb"), pathlib.Path(work, "courtyard.splashpack")
        subprocess.run([sys.executable, TOOLS / "make_example_scene.py", scene], check=True)
        # The engine whose source is public reads v20 and v21.
        status, _, said = judge.run("convert", scene, "-o", pack, "--scaling", 20, "--target-layout", "v21")
        judge.count("courtyard", [said] if status else [])
        if not status:
            judge_pack(judge, engine, pack)
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
