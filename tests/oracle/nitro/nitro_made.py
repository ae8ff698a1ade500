#!/usr/bin/env python3
"""Models that dio makes of scenes: each model becomes a GLB, and that a model again, which the second reader draws.

    nitro_made.py DIO SAMPLES [PLATINUM]

The triangles that it draws are those of the GLB, with their colours, texture coordinates, pictures and sides, also at
frames of joint animations; the file has its canonical form. Of PLATINUM: all props, and every map whose number ends
with 7. Then sizes are compared: together, models are at most a tenth larger. A line a difference; `N passed, N failed` last.
"""
import pathlib
import struct
import sys
import tempfile

import judging
import nitro_compare
import nitro_glb
import nitro_oracle

# Coordinates are rounded to a sixteenth of a texel, of pictures of 8 texels at least.
nitro_compare.UV_TOLERANCE = 1 / 32 / 8
# Curves may be as far from those of the scene as README.md, "From glTF", says.
nitro_compare.MOVING_TOLERANCE = 4e-3
# Not drawn by the second reader, or more than one model.
LEFT_OUT = {"banners", "crane", "fountain", "meadow"}
MOST = 1.1  # times the size


def models_in(folder, made):
    """Paths of models with the files that belong to them."""
    for model in sorted(pathlib.Path(folder).rglob("*.nsbmd")):
        # Patterns of textures become several nodes, of which a model has no more than all.
        others = sorted(p for p in model.parent.parent.glob(f"nsb*/{model.stem}.nsb*")
                        if p.suffix not in (".nsbmd", ".nsbtp"))
        yield model, others, False
    sets = sorted(pathlib.Path(folder).rglob("map_texture_set_*.nsbtx"))
    for land in sorted(pathlib.Path(folder).rglob("map_data_*7.bin")):
        data = land.read_bytes()
        sizes = struct.unpack_from("<4I", data)
        model = pathlib.Path(made, land.stem + ".nsbmd")
        model.write_bytes(data[16 + sizes[0] + sizes[1]:][:sizes[2]])
        yield model, sets, True


def main(dio, *folders):
    judge = judging.Judge(dio)
    before = after = 0
    with tempfile.TemporaryDirectory() as folder:
        for model, others, apart in (case for f in folders for case in models_in(f, folder)):
            if model.stem in LEFT_OUT:
                continue
            glb, made = pathlib.Path(folder, "scene.glb"), pathlib.Path(folder, "made.nsbmd")
            for old in pathlib.Path(folder).glob("made.*"):
                old.unlink()
            problems = []
            for words in ([model, *others, "-o", glb], [glb, "-o", made, "--textures", "apart" if apart else "inside"]):
                code, _, said = judge.run("convert", "--quiet", "--force", *words)
                if code not in (0, 1):
                    problems.append(said)
                    break
            else:
                beside = sorted(p for p in pathlib.Path(folder).glob("made.*") if p != made)
                try:
                    problems = nitro_compare.compare(glb, made, beside).report()
                    problems += nitro_oracle.File(made.read_bytes()).faults
                except (nitro_oracle.NitroError, nitro_glb.GlbError) as error:
                    problems = [str(error)]
                if apart or "props" in str(model):
                    before, after = before + model.stat().st_size, after + made.stat().st_size
            judge.count(model.name, problems)
    if before:
        judge.count("sizes", [f"{after} bytes of {before}"] if after > MOST * before else [])
        print(f"{after} bytes of {before}")
    return judge.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
