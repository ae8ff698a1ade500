#!/usr/bin/env python3
"""Compares GLBs of `dio world` with what the second reader says stands where.

    platinum_worlds.py [--cells N] DIO FOLDER [PART...]

FOLDER is a corpus or a cartridge (see platinum_corpus.py), or what `dio formats --samples` made, where cartridges with
maps are looked for; a PART is matrix/2, land/489 or header/3, `overworld` the
matrix 0. Of a matrix only the triangles over N cells are compared (16, chosen by a fixed seed). Without PARTs: some of
each kind of a corpus, all of a cartridge.

Every triangle of a map and of its props is looked for in the GLB at its place, with its texture's picture, wrapping,
and texture coordinates; and the GLB may have no others. A line a difference; `N passed, N failed` last.
"""
import collections
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import nitro_compare
import nitro_glb
import nitro_oracle
import nitro_run
import nitro_textures
import platinum_corpus
import platinum_files as files

MAP = 512
STEP = 8  # of an altitude
MOST_PROPS = 32
TOLERANCE = 0.02  # in units; a tile has 16
UV_TOLERANCE = 2e-3
PARTS = ("land/489", "land/45", "land/506", "header/3", "header/411", "matrix/240", "matrix/49", "matrix/7",
         "matrix/100", "overworld")


# ---- what the second reader expects -----------------------------------------------------------------------------------

class Placement:
    """A model of an archive at a place. `textures`: (role, index) of the set it is bound to."""

    def __init__(self, role, index, textures, translation, scale=(1, 1, 1), name=""):
        self.role, self.index, self.textures = role, index, textures
        self.translation, self.scale, self.name = translation, scale, name


def resolves(corpus, land, area):
    return not corpus.missing("land_data", land, "map_tex_set", corpus.areas[area]["map_texture_archive_id"])


def area_of_cell(corpus, matrix, x, z, header, land):
    """Its own header's if that has all textures, else that of the nearest cell which does, else its own."""
    own = corpus.headers[header]["area_data_archive_id"]
    if resolves(corpus, land, own):
        return own
    others = sorted(((ox - x) ** 2 + (oz - z) ** 2, oz, ox, oh) for ox, oz, oh, _, _ in files.cells_of(matrix))
    for _, _, _, other in others:
        area = corpus.headers[other]["area_data_archive_id"]
        if resolves(corpus, land, area):
            return area
    return own


def place_land(corpus, land, area, cell, altitude):
    area = corpus.areas[area]
    base = [MAP * cell[0] + MAP / 2, 0.0, MAP * cell[1] + MAP / 2]
    yield Placement("land_data", land, ("map_tex_set", area["map_texture_archive_id"]),
                    (base[0], altitude * STEP, base[2]), name=f"land {land}")
    set_ = area["map_prop_archives_id"]
    loaded = corpus.prop_sets[set_]
    for number, prop in enumerate(corpus.lands[land]["props"][:MOST_PROPS]):
        model = prop["model_id"] if prop["model_id"] in loaded else 0
        textures = ("areabm_texset", set_) if model in loaded else ("build_model", 0)
        yield Placement("build_model", model, textures,
                        tuple(b + p / 4096 for b, p in zip(base, prop["position"])),
                        tuple(s / 4096 for s in prop["scale"]), f"prop {number} of land {land}")


def place_matrix(corpus, number, area=None):
    """`area`: of the header that was entered, for a matrix without headers."""
    matrix = corpus.matrices[number]
    for x, z, header, altitude, land in files.cells_of(matrix):
        own = area if header is None else area_of_cell(corpus, matrix, x, z, header, land)
        yield from place_land(corpus, land, own, (x, z), altitude)


def entered_area(corpus, number):
    """Of the headers that name a matrix, the first whose area lacks the fewest textures of its lands."""
    areas = [h["area_data_archive_id"] for h in corpus.headers if h["map_matrix_id"] == number]
    if not areas: raise files.PlatinumError(f"no header leads to matrix {number}")
    lands = [land for _, _, _, _, land in files.cells_of(corpus.matrices[number])]

    def lacking(area):
        textures = corpus.areas[area]["map_texture_archive_id"]
        return sum(len(corpus.missing("land_data", land, "map_tex_set", textures)) for land in lands)
    return min(dict.fromkeys(areas), key=lacking)


# ---- triangles --------------------------------------------------------------------------------------------------------

def picture_key(width, height, pixels):
    """What is clear has no colour."""
    return width, height, hash(tuple(p if p[3] else (0, 0, 0, 0) for p in pixels))


class Shapes:
    """Of each model and texture set: [(corners as points, their coordinates or None, surface, flat)]. A surface is
    (picture or None, wrapping or None)."""

    def __init__(self, corpus):
        self.corpus, self.made = corpus, {}

    def of(self, placement):
        key = placement.role, placement.index, placement.textures
        if key not in self.made:
            self.made[key] = self.make(*key)
        return self.made[key]

    def make(self, role, index, textures):
        model = self.corpus.nitro(role, index).models[0]
        sets = self.corpus.nitro(*textures).texture_sets
        surfaces = []
        for material in model.materials:
            picture = nitro_textures.decode_pair(sets, material.texture, material.palette)
            surfaces.append((picture_key(*picture[:3]), material.wrap()) if picture else (None, None))
        transforms = [nitro_run.texture_transform(model, m) for m in model.materials]
        made = []
        for draw in self.draws(role, index, model):
            material = model.materials[draw.material]
            if not draw.shown or material.wireframe or material.cull == 0:
                continue
            surface, transform = surfaces[draw.material], transforms[draw.material]
            for polygon in draw.polygons:
                if material.cull == 1:
                    polygon = polygon[::-1]
                vertices = [draw.vertices[i] for i in polygon]
                coordinates = None
                if surface[0] and not draw.projected and material.texgen <= 1 and \
                        all(v.texel is not None for v in vertices):
                    coordinates = [nitro_run.coordinates(v.texel, transform, surface[0][:2]) for v in vertices]
                made.append(([v.position for v in vertices], coordinates, surface))
        return made


    def draws(self, role, index, model):
        """A prop with a list of materials and shapes is drawn by it alone: no node is asked where it is."""
        runner = nitro_run.Runner(model)
        pairs = files.pairs_of(self.corpus.matshp, index) if role == "build_model" else []
        if not pairs:
            return runner.run(normals=False)
        place = nitro_run.scaled(nitro_run.NO_TRANSFORM, [model.position_scale] * 3), nitro_run.NINE
        return [runner.draw(shape, material, 0, True, place, {}, None, False, False)[0] for material, shape in pairs]


def cuts_of(count):
    return [[(0, 1, 2)]] if count == 3 else [[(0, 1, 2), (0, 2, 3)], [(0, 1, 3), (1, 2, 3)]]


def is_flat(points):
    return min(nitro_compare.distance(points[i], points[i - 1]) for i in range(3)) <= 1e-4


def instances_of(glb, node, place):
    """The places of a node: one, or those of EXT_mesh_gpu_instancing."""
    extension = glb.nodes[node].get("extensions", {}).get("EXT_mesh_gpu_instancing")
    if not extension:
        return [place]
    columns = {path: glb.accessor(at) for path, at in extension["attributes"].items() if not path.startswith("_")}
    count = len(next(iter(columns.values())))
    rest = {"TRANSLATION": (0, 0, 0), "ROTATION": (0, 0, 0, 1), "SCALE": (1, 1, 1)}
    return [nitro_run.times(place, nitro_glb.from_parts(*(columns[p][i] if p in columns else r
                                                          for p, r in rest.items()))) for i in range(count)]


class Comparison:
    """`window`: a function of (x, z) that says which triangles, by their middle, are looked at."""

    def __init__(self, glb, shapes, placements, window=lambda x, z: True):
        self.glb, self.window = glb, window
        self.differences = collections.defaultdict(list)
        self.count = 0
        self.cells = collections.defaultdict(list)
        self.surfaces = {}
        self.read_glb()
        for placement in placements:
            self.place(placement, shapes.of(placement))
        for cell in self.cells.values():
            for points, _, surface, used in cell:
                if not used[0] and not is_flat(points):
                    self.differ("extra", f"a triangle at {nitro_compare.rounded(points)} that nothing is")

    def differ(self, kind, text):
        self.differences[kind].append(text)

    def surface(self, material):
        if material not in self.surfaces:
            info = self.glb.texture_of(material)
            self.surfaces[material] = (None, None) if info is None else (
                picture_key(*self.glb.picture(info["index"])), self.glb.wraps(info["index"]))
        return self.surfaces[material]

    def read_glb(self):
        places = self.glb.globals()
        for primitive in self.glb.primitives:
            place, seen = places[primitive.node]
            if not seen or self.glb.color_factor(primitive.material)[3] <= 0 or self.is_overlay(primitive):
                continue
            surface = self.surface(primitive.material)
            transform = self.glb.uv_transform(primitive.material)
            if primitive.skin is None:
                copies = [[nitro_run.apply(one, *p) for p in primitive.positions]
                          for one in instances_of(self.glb, primitive.node, place)]
            else:
                copies = [self.glb.world(primitive, places)[0]]
            for points in copies:
                for corners in primitive.triangles:
                    triangle = [points[i] for i in corners]
                    middle = [sum(p[k] for p in triangle) / 3 for k in range(3)]
                    if self.window(middle[0], middle[2]):
                        coordinates = None
                        if surface[0] and primitive.uvs:
                            coordinates = [nitro_run.coordinates(primitive.uvs[i], transform, (1, 1)) for i in corners]
                        self.cells[tuple(math.floor(c) for c in middle)].append(
                            (triangle, coordinates, surface, [False]))

    def is_overlay(self, primitive):
        """What is drawn over the maps says so by its name."""
        node = primitive.node
        while node is not None:
            if self.glb.nodes[node].get("extras", {}).get("diorama", {}).get("overlay"):
                return True
            node = self.glb.parents.get(node)
        return False

    def near(self, points):
        """(how far, entry, rotation) of unused triangles at the place."""
        ranges = []
        for k in range(3):
            middle = sum(p[k] for p in points) / 3
            ranges.append(range(math.floor(middle - TOLERANCE), math.floor(middle + TOLERANCE) + 1))
        for x in ranges[0]:
            for y in ranges[1]:
                for z in ranges[2]:
                    for entry in self.cells.get((x, y, z), ()):
                        if entry[3][0]:
                            continue
                        for rotation in nitro_compare.ROTATIONS:
                            far = max(nitro_compare.distance(points[i], entry[0][rotation[i]]) for i in range(3))
                            if far <= TOLERANCE:
                                yield far, entry, rotation

    @staticmethod
    def unlike(entry, rotation, surface, coordinates):
        if entry[2] != surface:
            return 1e9
        if coordinates is None:
            return 0
        if entry[1] is None:
            return 1e6
        return max(nitro_compare.distance(coordinates[i], entry[1][rotation[i]]) /
                   max(1.0, *map(abs, coordinates[i])) for i in range(3))

    def place(self, placement, polygons):
        x, y, z = placement.translation
        sx, sy, sz = placement.scale
        for local, coordinates, surface in polygons:
            points = [(x + sx * p[0], y + sy * p[1], z + sz * p[2]) for p in local]
            for cut in cuts_of(len(points)):
                found = [self.find(points, coordinates, surface, corners) for corners in cut]
                if all(f is not None for f in found):
                    break
            else:
                self.differ("missing", f"{placement.name}, {placement.role} {placement.index}: no triangles at "
                            f"{nitro_compare.rounded(points)}")
                continue
            for one in found:
                if one == "nothing":
                    continue
                unlike, entry = one
                entry[3][0] = True
                self.count += 1
                if unlike >= 1e9:
                    self.differ("picture", f"{placement.name}, {placement.role} {placement.index} with "
                                f"{placement.textures}: {entry[2]}, expected {surface}")
                elif unlike > UV_TOLERANCE:
                    self.differ("uv", f"{placement.name}, {placement.role} {placement.index}: texture coordinates at "
                                f"{nitro_compare.rounded(points)}: {entry[1]}, expected {coordinates}")

    def find(self, points, coordinates, surface, corners):
        """(how unlike, entry) of the best triangle; "nothing" where none is needed; None if there is none."""
        triangle = [points[i] for i in corners]
        middle = [sum(p[k] for p in triangle) / 3 for k in range(3)]
        if not self.window(middle[0], middle[2]):
            return "nothing"
        own = coordinates and [coordinates[i] for i in corners]
        found = [(self.unlike(entry, rotation, surface, own), entry) for _, entry, rotation in self.near(triangle)]
        if found:
            return min(found, key=lambda f: f[0])
        return "nothing" if is_flat(triangle) else None


# ---- running ----------------------------------------------------------------------------------------------------------

def window_of(cells):
    """Triangles by their middle; those near the edge of the cells chosen are left out on both sides."""
    def inside(x, z):
        cell = math.floor(x / MAP), math.floor(z / MAP)
        return cell in cells and min(x % MAP, MAP - x % MAP, z % MAP, MAP - z % MAP) > 2 * TOLERANCE
    return inside


def expected(corpus, part):
    """The placements, and the cells with land or None."""
    kind, _, number = part.partition("/")
    if kind == "land":
        number = int(number)
        area = min(a for land, a, _ in corpus.uses() if land == number)
        # A map alone stands around the origin.
        return list(place_land(corpus, number, area, (-0.5, -0.5), 0)), None
    if kind not in ("matrix", "header", "overworld"):
        raise files.PlatinumError(f"{part} is no part that is compared")
    matrix, area = 0, None
    if kind == "matrix":
        matrix = int(number)
        area = None if corpus.matrices[matrix]["map_header_ids"] else entered_area(corpus, matrix)
    elif kind == "header":
        header = corpus.headers[int(number)]
        matrix, area = header["map_matrix_id"], header["area_data_archive_id"]
        if corpus.matrices[matrix]["map_header_ids"]:
            own = corpus.matrices[matrix]
            cells = [c for c in files.cells_of(own) if c[2] == int(number)]
            placed = [p for x, z, h, altitude, land in cells
                      for p in place_land(corpus, land, area_of_cell(corpus, own, x, z, h, land), (x, z), altitude)]
            return placed, [c[:2] for c in cells]
    return list(place_matrix(corpus, matrix, area)), [c[:2] for c in files.cells_of(corpus.matrices[matrix])]


def compare(dio, corpus, shapes, part, most_cells, glb_path=None):
    """(triangles, differences)"""
    with tempfile.TemporaryDirectory() as folder:
        if glb_path is None:
            glb_path = os.path.join(folder, "world.glb")
            words = [dio, "world", "--quiet", corpus.folder] + [part] * (part != "overworld") + ["-o", glb_path]
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=600)
            if not os.path.exists(glb_path):
                return 0, [f"no GLB (exit {done.returncode}): {done.stderr.strip()[:300]}"]
        glb = nitro_glb.read(glb_path)
    placements, cells = expected(corpus, part)
    window = lambda x, z: True
    if cells is not None and len(cells) > most_cells:
        chosen = set(random.Random(5).sample(sorted(cells), most_cells))
        window = window_of(chosen)
        # A prop may reach into the cells around its own.
        near = {(x + i, z + j) for x, z in chosen for i in (-1, 0, 1) for j in (-1, 0, 1)}
        placements = [p for p in placements
                      if (math.floor(p.translation[0] / MAP), math.floor(p.translation[2] / MAP)) in near]
    comparison = Comparison(glb, shapes, placements, window)
    texts = []
    for kind, found in comparison.differences.items():
        texts += [f"{kind}: {text}" for text in found[:4]]
        if len(found) > 4:
            texts.append(f"{kind}: ... {len(found)} in all")
    return comparison.count, texts


def parts_of(corpus):
    """All of a small game."""
    yield "overworld"
    yield from (f"matrix/{i}" for i in range(len(corpus.matrices))
                if any(h["map_matrix_id"] == i for h in corpus.headers))
    yield from (f"land/{i}" for i in sorted({land for land, _, _ in corpus.uses()}))
    yield from (f"header/{i}" for i in range(len(corpus.headers)))


def main(arguments):
    most_cells = 16
    if arguments[:1] == ["--cells"]:
        most_cells, arguments = int(arguments[1]), arguments[2:]
    if len(arguments) < 2:
        sys.exit("usage: platinum_worlds.py [--cells N] DIO FOLDER [PART...]")
    dio, folder, *parts = arguments
    folder = os.path.expanduser(folder)
    cartridges = sorted(str(p) for p in pathlib.Path(folder, "games").glob("*.nds"))
    games = [platinum_corpus.open_corpus(path) for path in cartridges or [folder]]
    passed = failed = 0
    for corpus, shapes in ((game, Shapes(game)) for game in games if game.has("map_matrix")):
        more_passed, more_failed = judge(dio, corpus, shapes, parts, most_cells)
        passed, failed = passed + more_passed, failed + more_failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def judge(dio, corpus, shapes, parts, most_cells):
    passed = failed = 0
    for part in parts or (PARTS if os.path.isdir(corpus.folder) else parts_of(corpus)):
        try:
            count, differences = compare(dio, corpus, shapes, part, most_cells)
        except (nitro_glb.GlbError, nitro_oracle.NitroError, files.PlatinumError) as error:
            count, differences = 0, [str(error)]
        failed += bool(differences)
        passed += not differences
        print(f"{part}: " + ("differs" if differences else f"{count} triangles agree"), *differences, sep="\n  ",
              flush=True)
    return passed, failed


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
