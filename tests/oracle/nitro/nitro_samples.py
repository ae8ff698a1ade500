#!/usr/bin/env python3
"""Converts every sample model with its textures and animations, and compares the GLB with what the second reader draws.

    nitro_samples.py DIO FOLDER

FOLDER is what `dio formats --samples` made. A line a difference; `N passed, N failed` last.
"""
import pathlib
import subprocess
import sys
import tempfile

import nitro_compare
import nitro_glb
import nitro_oracle

# What the second reader does not follow: several models in a file, and CALLDL.
LEFT_OUT = {"banners", "crane", "fountain"}

# The samples turn far from one stored sample to the next. The game mixes such matrices number by number, which gives
# no rotation; nodes of glTF have only those.
nitro_compare.MOVING_TOLERANCE = 4e-3


def main(dio, folder):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as made:
        for model in sorted(pathlib.Path(folder, "nsbmd").glob("*.nsbmd")):
            if model.stem in LEFT_OUT:
                continue
            others = sorted(p for p in pathlib.Path(folder).glob(f"*/{model.stem}.nsb*") if p.suffix != ".nsbmd")
            glb = pathlib.Path(made, model.stem + ".glb")
            subprocess.run([dio, "convert", "--quiet", model, *others, "-o", glb], check=True)
            try:
                comparison = nitro_compare.compare(glb, model, others)
                problems = comparison.report()
            except (nitro_oracle.NitroError, nitro_glb.GlbError) as error:
                problems = [str(error)]
            print(model.name + ":", *(problems or ["ok, " + comparison.summary()]), sep="\n  " if problems else " ")
            passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
