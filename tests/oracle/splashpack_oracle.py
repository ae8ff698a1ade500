#!/usr/bin/env python3
"""Compares what `dio decode` says of SPLASHPACKs and of the files beside them with the second reader
(splashpack_files.py), value for value: none may be missing, none more. Judges which layout dio takes a pack for, `dio
verify`, and `dio encode` back.

    splashpack_oracle.py [--many N] DIO SAMPLES [FOLDER]

SAMPLES is what `dio formats --samples` made; besides, packs are made here at random (splashpack_make.py), N of any
content. FOLDER: packs that somebody has. A line a difference; `N passed, N failed` last.
"""
import json
import os
import pathlib
import random
import sys
import tempfile

import fft_oracle
import judging
import splashpack_files as files
import splashpack_make as make

ONE = 4096


# ---- as dio shows it -------------------------------------------------------------------------------------------------

def scaled(values):
    return [v / ONE for v in values]


def vector(values, one=ONE):
    return dict(zip("xyz", (v / one if one else v for v in values)))


def texels(words):
    return b"".join(word.to_bytes(2, "little") for word in words).hex()


def show_triangle(t):
    shown = {"positions": [vector(t[f"v{i}"]) for i in range(3)], "normal": vector(t["normal"]),
             "uvs": [dict(zip("uv", t[f"uv{i}"])) for i in range(3)], "unk_uvs": t["uv_pad"],
             "colors": [dict(zip(("red", "green", "blue", "unk_3"), t[f"c{i}"])) for i in range(3)]}
    if "tpage" in t:
        shown.update(page=t["tpage"], clut_x=t["clut_x"], clut_y=t["clut_y"], flags=t["flags"])
    return shown


def show_object(one):
    shown = {"position": vector(one["position"]), "rotation": scaled(one["rotation"]), "offset": one["offset"],
             "triangles": [show_triangle(t) for t in one["triangles"]]}
    for name, as_shown in (("tpage", "page"), ("clut_x", "clut_x"), ("clut_y", "clut_y"), ("colors", "colors"),
                           ("reserved", "unk_54"), ("script", "script"), ("flags", "flags")):
        if name in one:
            shown[as_shown] = one[name]
    return shown


def show_clut(one):
    shown = {"x": one["x"], "y": one["y"], "length": one["length"], "unk_a": one["pad"]}
    for name in ("offset", "colors"):
        if name in one:
            shown[name] = one[name]
    return shown


UNKNOWN = {"a3": ("unk_a",), "b": ("unk_a", "unk_c", "unk_e"), "b2": ("unk_c", "unk_e"), "c": ("unk_1a",),
           "e": ("unk_1e",)}


def show_early(data, form):
    pack, left = files.unread(data, files.read_early, form)
    header = pack["header"]
    shown = {"layout": files.FORMS.index(form), "version": pack["version"]}
    pads = header.get("pad", [])
    shown.update(zip(UNKNOWN.get(form, ()), pads if isinstance(pads, list) else [pads]))
    if "start" in header:
        shown.update(start=vector(header["start"]), rotation=vector(header["rotation"]), height=header["height"] / ONE)
    if "reserved" in header:
        shown["unk_1c"] = header["reserved"]
    if "scene_script" in header:
        shown["script"] = header["scene_script"]
    shown["scripts"] = [{"offset": s["offset"], "text": s["text"].hex()} for s in pack["scripts"]]
    shown["objects"] = [show_object(one) for one in pack["objects"]]
    shown["navmeshes"] = [{"offset": n["offset"], "unk_6": n["pad"],
                           "triangles": [{"positions": [vector(t[f"v{i}"]) for i in range(3)]} for t in n["triangles"]]}
                          for n in pack["navmeshes"]]
    shown["atlases"] = [{**{k: a[k] for k in ("offset", "width", "height", "x", "y")}, "texels": texels(a["words"])}
                        for a in pack["atlases"]]
    shown["cluts"] = [show_clut(c) for c in pack["cluts"]]
    return shown, residue(left)


def residue(pieces):
    return [{"offset": at, "bytes": raw.hex()} for at, raw in pieces]


def show_vram(data, _):
    vram, left = files.unread(data, files.read_vram)
    return {"unk_7": vram["pad"],
            "atlases": [{**{k: a[k] for k in ("x", "y", "width", "height")}, "texels": texels(a["words"])}
                        for a in vram["atlases"]],
            "cluts": [{"x": c["x"], "y": c["y"], "unk_6": c["pad"], "colors": c["colors"]} for c in vram["cluts"]],
            "fonts": [{**{k: f[k] for k in ("glyph_width", "glyph_height", "x", "y", "height")},
                       "texels": f["bitmap"].hex()} for f in vram["fonts"]]}, residue(left)


def show_spu(data, _):
    spu, left = files.unread(data, files.read_spu)
    return {"clips": [{"rate": c["rate"], "loop": c["loop"], "unk_7": c["pad"], "samples": c["adpcm"].hex()}
                      for c in spu["clips"]]}, residue(left)


def show_late(data, form):
    raise NotImplementedError


def show(kind, data, form):
    if kind == "splashpack":
        return show_late(data, form) if files.is_late(form) else show_early(data, form)
    return {"splashpack-vram": show_vram, "splashpack-spu": show_spu}[kind](data, form)


def told_differences(kind, told, data, form):
    """(lines of what differs between a document of dio's and the file, values that were compared)"""
    expected, rest = show(kind, data, form)
    wanted = {"document": expected, "residue": rest}
    found = {"document": told.get("document"), "residue": told.get("residue", [])}
    texts = [f"{p[1:]}: {str(f)[:80]}, expected {str(e)[:80]}" for p, f, e in fft_oracle.differences(found, wanted)]
    if told.get("format") != kind or told.get("size") != len(data):
        texts.append(f"told of {told.get('format')}, {told.get('size')} bytes; it is {kind}, {len(data)} bytes")
    return texts, fft_oracle.count_values(wanted)


def taken_for(told, forms):
    """The one of `forms` that dio says, or None."""
    number = told["document"].get("layout")
    return next((form for form in forms if (form if files.is_late(form) else files.FORMS.index(form)) == number), None)


# ---- running dio -----------------------------------------------------------------------------------------------------

class Judge(judging.Judge):
    def decode(self, kind, named):
        """Every value of files of one format, and the same bytes again from what was told. named: [(name, bytes,
        layout)]; several layouts if without objects, say, there is no telling them apart."""
        for start in range(0, len(named), 40):
            self._decode(kind, named[start:start + 40])

    def _decode(self, kind, named):
        suffix = kind.replace("splashpack-", ".").replace("splashpack", ".splashpack")
        with tempfile.TemporaryDirectory() as work:
            folder, out, again = (pathlib.Path(work, name) for name in ("in", "out", "again"))
            folder.mkdir()
            paths = [folder / f"{i:04}{suffix}" for i in range(len(named))]
            for path, (_, data, _) in zip(paths, named):
                path.write_bytes(data)
            status, _, said = self.run("verify", "--quiet", *paths)
            self.count(f"{len(named)} of {kind}, verify", [said or f"exit {status}"] * bool(status))
            status, _, said = self.run("decode", "--quiet", *paths, "-o", f"{out}/")
            told = []
            for path, (name, data, form) in zip(paths, named):
                shown = out / f"{path.stem}.json"
                if not shown.exists():
                    self.count(name, [f"dio decode (exit {status}): {said}"])
                    continue
                document = json.loads(shown.read_text())
                if isinstance(form, list):
                    form = taken_for(document, form)
                    if form is None:
                        self.count(name, [f"taken for layout {document['document'].get('layout')}"])
                        continue
                texts, values = told_differences(kind, document, data, form)
                self.values += values
                self.count(f"{kind}: {name}", texts)
                told.append(shown)
            status, _, said = self.run("encode", "--quiet", *told, "-o", f"{again}/")
            for path, (name, data, _) in zip(paths, named):
                found = [p.read_bytes() for p in again.glob(f"{path.stem}*")] if again.exists() else []
                self.count(f"{kind}: {name}, encoded", [] if found == [data] else [
                    f"{[len(f) for f in found]} bytes, not the {len(data)} there were (exit {status}): {said}"])


# ---- what is judged --------------------------------------------------------------------------------------------------

def judge_folder(judge, folder):
    """Every pack, and what lies beside it."""
    by_kind = {}
    for path in sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file()):
        data = path.read_bytes()
        if data[:2] == b"SP":
            found = files.detect(data)
            by_kind.setdefault("splashpack", []).append((path.name, data, found))
        elif data[:2] in (b"VR", b"SA"):
            by_kind.setdefault({b"VR": "splashpack-vram", b"SA": "splashpack-spu"}[data[:2]], []).append(
                (path.name, data, None))
    for kind, named in by_kind.items():
        judge.decode(kind, named)
    return by_kind


def judge_made(judge, many):
    random_, named = random.Random(50), []
    for form in files.FORMS:
        # What fits two layouts is nobody's.
        named += [(f"{form}: {name}", data, form) for name, data in make.odd_early(random_, form)
                  if files.detect(data) == [form]]
    for i in range(many):
        form = random_.choice(files.FORMS)
        data = make.early(form, make.scene(random_, form, random_.choice(((1,), (0,), (0, 1), (2,))),
                                           random_.randint(1, 6), 12, random_.random() < 0.4))
        if files.detect(data) == [form]:
            named.append((f"{form}: made {i}", data, form))
    judge.decode("splashpack", named)
    parts = [make.full(random_, random_.choice((20, 21)), bare=i % 6 == 5) for i in range(many // 2)]
    judge.decode("splashpack-vram", [(f"memory {i}", make.vram(p), None) for i, p in enumerate(parts)])
    judge.decode("splashpack-spu", [(f"sounds {i}", make.spu(p), None) for i, p in enumerate(parts)])
    judge.decode("splashpack", [(f"v{v}: made {i}", make.late(v, p), v) for i, p in enumerate(parts) for v in (20, 21)])


# ---- the judge is judged ---------------------------------------------------------------------------------------------

def judge_mutations(judge, count=40):
    """One value of a document is spoilt: that has to be told."""
    random_ = random.Random(51)
    parts = make.full(random_, 21)
    made = [("splashpack", make.early(form, make.scene(random_, form, (0,), 2, 3)), form) for form in files.FORMS]
    made += [("splashpack-vram", make.vram({**parts, "atlases": []}), None), ("splashpack-spu", make.spu(parts), None),
             ("splashpack", make.late(21, parts), 21)]
    for kind, data, form in made:
        shown, rest = show(kind, data, form)
        told = {"format": kind, "size": len(data), "document": shown, **({"residue": rest} if rest else {})}
        judge.count(f"{kind}, not spoilt", told_differences(kind, told, data, form)[0])
        paths = [path for path in fft_oracle.leaves(told) if path[0] in ("document", "residue")]
        for path in random_.sample(paths, min(len(paths), count // 3)):
            for how in ("changed", "missing", "more"):
                texts, _ = told_differences(kind, fft_oracle.spoilt(told, path, how), data, form)
                judge.count(f"{kind}: {path} {how}", [] if texts else ["nobody noticed"])


def main(arguments):
    many = 30
    if arguments[:1] == ["--many"]:
        many, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) not in (2, 3):
        sys.exit("usage: splashpack_oracle.py [--many N] DIO SAMPLES [FOLDER]")
    judge = Judge(arguments[0])
    judge_mutations(judge)
    for kind in ("splashpack", "splashpack-vram", "splashpack-spu"):
        if not judge_folder(judge, pathlib.Path(arguments[1], kind)):
            judge.count(kind, ["no samples"])
    judge_made(judge, many)
    if len(arguments) == 3:
        judge_folder(judge, os.path.expanduser(arguments[2]))
    return judge.end()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
