#!/usr/bin/env python3
"""Compares a GLB with what the second reader says of the Nitro files it was made from.

    nitro_compare.py [--fps N] [--frames N] GLB MODEL [TEXTURES] [ANIMATIONS]

Triangles are compared as sets for each material: world positions with their winding, normals, colours, texture
coordinates; then pictures, wrapping and sides of materials; then world positions at N whole frames of each animation
(13; 0: all), texture transforms, opacity and visibility. TEXTURES and ANIMATIONS are any number of files; a file of
land data stands for the model in it. The model's own textures come first.

A line a difference, then what was compared. The exit status is 1 if there are differences.
"""
import collections
import math
import sys

import nitro_animation
import nitro_glb
import nitro_oracle
import nitro_run
import nitro_textures

POSITION_TOLERANCE = 1e-4  # of the model's extent
MOVING_TOLERANCE = 3e-4  # the game's rotations have twelve bits and are not quite orthogonal; those of glTF are
NORMAL_TOLERANCE = 2e-3  # ten bits tell normals apart by no more
UV_TOLERANCE = 1e-4  # of the coordinate, if it is over 1
COLOR_TOLERANCE = 1.0  # of 255 as shown
FPS, FRAMES = 60, 13
SHOWN = 8  # differences of a kind


def to_srgb(linear):
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def texture_sizes(model, sets):
    """Of each material that has a texture: its size, or what the material says where the texture is not here."""
    sizes = {}
    for material in model.materials:
        found = nitro_textures.find_texture(sets, material.texture) if material.texture else None
        if found:
            texture = found.textures[material.texture]
            sizes[material.name] = texture.width, texture.height
        elif material.texture and material.width and material.height:
            sizes[material.name] = material.width, material.height
    return sizes


def distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


ROTATIONS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


class Finder:
    """Triangles of the GLB by where their middle is."""

    def __init__(self, tolerance):
        self.tolerance, self.cell = tolerance, 4 * tolerance
        self.cells = collections.defaultdict(list)

    @staticmethod
    def middle(points):
        return [sum(p[i] for p in points) / 3 for i in range(3)]

    def add(self, points, what):
        """what[0] tells whether it is still to be found."""
        key = tuple(math.floor(c / self.cell) for c in self.middle(points))
        self.cells[key].append((points, what))

    def near(self, points):
        """(how far, what, rotation of its corners) of those within the tolerance."""
        ranges = []
        for c in self.middle(points):
            low, high = math.floor((c - self.tolerance) / self.cell), math.floor((c + self.tolerance) / self.cell)
            ranges.append(range(low, high + 1))
        for x in ranges[0]:
            for y in ranges[1]:
                for z in ranges[2]:
                    for other, what in self.cells.get((x, y, z), ()):
                        if not what[0]:
                            continue
                        for rotation in ROTATIONS:
                            far = max(distance(points[i], other[rotation[i]]) for i in range(3))
                            if far <= self.tolerance:
                                yield far, what, rotation


class Comparison:
    def __init__(self, glb, model, sets=(), fps=FPS, frames=FRAMES, animations=()):
        self.glb, self.model, self.sets, self.fps, self.frame_limit = glb, model, list(sets), fps, frames
        self.differences = collections.defaultdict(list)  # kind -> texts
        self.counts = collections.Counter()
        self.worst = collections.Counter()  # kind -> the largest difference met
        self.pairs = []  # ((draw, vertex), (primitive, vertex)) of corners that are the same
        self.materials = {m.name: m for m in model.materials}
        self.fading = {name for a in animations if isinstance(a, nitro_oracle.MaterialAnimation) for name in a.tracks
                       if any(nitro_animation.colors_at(a, name, f)[4] < 31 for f in range(a.frames))}
        self.runner = nitro_run.Runner(model)
        # Their corners are (draw, vertex). What a visibility animation may show has to be where it will be seen: the
        # game passes over MTX where the node is not visible.
        self.draws = self.runner.run(None, [True] * len(model.nodes))
        for draw, at_rest in zip(self.draws, self.runner.run(normals=False)):
            draw.shown = at_rest.shown
        for draw in self.draws:  # lines are not looked for among triangles
            draw.shown = draw.shown and not model.materials[draw.material].wireframe
        self.sizes = texture_sizes(model, self.sets)
        self.rest = glb.globals()
        self.uv_transforms = {p.material: glb.uv_transform(p.material) for p in glb.primitives}
        self.own_transforms = [nitro_run.texture_transform(model, m) for m in model.materials]
        self.turns = {}  # primitive -> the matrix of its normals
        extent = nitro_run.extremes(self.draws)
        self.extent = max(b - a for a, b in zip(*extent)) if extent else 1.0
        self.tolerance = POSITION_TOLERANCE * max(self.extent, 1e-3)
        self.geometry()
        self.surfaces()

    def differ(self, kind, text):
        self.differences[kind].append(text)

    def within(self, kind, found, tolerance):
        self.worst[kind] = max(self.worst[kind], found)
        return found <= tolerance

    # ---- at rest ----

    def geometry(self):
        finders = {}
        self.found_triangles = collections.Counter()
        for number, primitive in enumerate(self.glb.primitives):
            points, seen = self.glb.world(primitive, self.rest)
            seen = seen and self.glb.color_factor(primitive.material)[3] > 0
            name = self.glb.material_name(primitive.material)
            finder = finders.setdefault(name, Finder(self.tolerance))
            for corners in primitive.triangles:
                triangle = [points[i] for i in corners]
                seen_now = seen and not self.flat(triangle)
                finder.add(triangle, [True, number, corners, seen_now])
                self.found_triangles[name] += seen_now
        wanted = collections.Counter()
        for number, draw in enumerate(self.draws):
            name = self.model.materials[draw.material].name
            if draw.shown:
                wanted[name] += sum(not self.flat([draw.vertices[i].position for i in t]) for t in draw.triangles())
            finder = finders.setdefault(name, Finder(self.tolerance))
            for polygon in draw.polygons:
                self.polygon(finder, number, draw, polygon, name)
        for name in sorted(set(wanted) | set(self.found_triangles), key=str):
            if wanted[name] != self.found_triangles[name]:
                found = self.found_triangles[name]
                self.differ("count", f"material {name}: {found} triangles, expected {wanted[name]}")
        self.counts["triangles"] = sum(wanted.values())
        for name, finder in finders.items():
            for cell in finder.cells.values():
                for points, what in cell:
                    if what[0] and what[3]:
                        self.differ("extra", f"material {name}: the model has no triangle at {rounded(points)}")

    def flat(self, points):
        """Two corners are one, so that nothing is drawn: such a triangle may be there or not."""
        return min(distance(points[i], points[i - 1]) for i in range(3)) <= 1e-7 * self.extent

    def polygon(self, finder, number, draw, polygon, name):
        """A quad may be cut along either diagonal."""
        # Where a material shows its back only, the exporter has to turn the corners round.
        if self.model.materials[draw.material].cull == 1:
            polygon = polygon[::-1]
        a, b, c, *d = polygon
        cuts = [[(a, b, c)]] if not d else [[(a, b, c), (a, c, d[0])], [(a, b, d[0]), (b, c, d[0])]]
        for cut in cuts:
            taken = []
            for corners in cut:
                found = self.triangle(finder, draw, corners)
                if found:
                    found[1][0] = False
                    taken.append((corners, found))
                elif not self.flat([draw.vertices[i].position for i in corners]):
                    break
            else:
                for corners, (far, what, rotation) in taken:
                    self.worst["position"] = max(self.worst["position"], far / self.tolerance * POSITION_TOLERANCE)
                    for i, vertex in enumerate(corners):
                        self.pairs.append(((number, vertex), (what[1], what[2][rotation[i]])))
                        if draw.shown:
                            self.corner(draw, draw.vertices[vertex], what[1], what[2][rotation[i]], name)
                return
            for _, (_, what, _) in taken:
                what[0] = True
        if draw.shown:
            text = rounded([draw.vertices[i].position for i in polygon])
            self.differ("missing", f"material {name}, shape {draw.shape}: no triangles at {text}")

    def triangle(self, finder, draw, corners):
        """The nearest triangle; among those at the same place the one whose other values fit best."""
        points = [draw.vertices[i].position for i in corners]
        found = sorted(finder.near(points), key=lambda f: f[0])
        found = [f for f in found if f[0] <= found[0][0] + 1e-6 * self.extent]
        if len(found) <= 1:
            return found[0] if found else None
        return min(found, key=lambda f: (f[1][3] != draw.shown, self.unlikeness(draw, corners, f)))

    def unlikeness(self, draw, corners, found):
        _, what, rotation = found
        sum_ = 0.0
        for i, vertex in enumerate(corners):
            values = draw.vertices[vertex]
            primitive, other = self.glb.primitives[what[1]], what[2][rotation[i]]
            uv = self.uv(draw, values)
            if uv and primitive.uvs:
                sum_ += distance(uv, self.found_uv(primitive, other))
            if values.color and values.color[1] is not None:
                sum_ += distance(self.shown_color(values), self.found_color(primitive, other)) / 255
            if values.normals and primitive.normals:
                sum_ += min(distance(n, primitive.normals[other]) for n in values.normals)
        return sum_

    def uv(self, draw, vertex):
        """Texture coordinates, or None where there are none or the view makes them."""
        material = self.model.materials[draw.material]
        size = self.sizes.get(material.name)
        if size is None or vertex.texel is None or draw.projected or material.texgen > 1:
            return None
        return nitro_run.coordinates(vertex.texel, self.own_transforms[draw.material], size)

    def found_uv(self, primitive, i):
        return nitro_run.coordinates(primitive.uvs[i], self.uv_transforms[primitive.material], (1, 1))

    @staticmethod
    def shown_color(vertex):
        return nitro_textures.color(vertex.color[1])[:3]

    def found_color(self, primitive, i):
        """As shown, 0 to 255."""
        factor = self.glb.color_factor(primitive.material)
        own = primitive.colors[i] if primitive.colors else (1, 1, 1, 1)
        return [255 * to_srgb(a * b) for a, b in zip(factor[:3], own[:3])]

    def corner(self, draw, vertex, number, i, name):
        primitive = self.glb.primitives[number]
        where = f"material {name}, shape {draw.shape}, vertex at {rounded(vertex.position)}"
        uv = self.uv(draw, vertex)
        if uv is not None:
            self.counts["uvs"] += 1
            if not primitive.uvs:
                self.differ("uv", f"{where}: no texture coordinates, expected {rounded(uv)}")
            else:
                found = self.found_uv(primitive, i)
                size = max(1.0, *map(abs, uv))
                if not self.within("uv", distance(uv, found) / size, UV_TOLERANCE):
                    self.differ("uv", f"{where}: texture coordinates {rounded(found)}, expected {rounded(uv)}")
        if vertex.color and vertex.color[1] is not None:
            self.counts["colors"] += 1
            wanted, found = self.shown_color(vertex), self.found_color(primitive, i)
            if not self.within("color", distance(wanted, found), COLOR_TOLERANCE):
                self.differ("color", f"{where}: colour {rounded(found)}, expected {wanted} ({vertex.color[0]})")
        elif vertex.color:
            self.counts["lit"] += 1
        # In the space of the mesh normals are of unit length; what does not turn them is told from the world.
        if vertex.normals:
            self.counts["normals"] += 1
            if not primitive.normals:
                self.differ("normal", f"{where}: no normal")
            else:
                turned = self.normal(primitive, i)
                if turned is not None and math.hypot(*vertex.normals[0]) > 0.5:
                    far = min(distance(turned, n) for n in vertex.normals)
                    if not self.within("normal", far, NORMAL_TOLERANCE):
                        wanted = rounded(vertex.normals[0])
                        self.differ("normal", f"{where}: normal {rounded(turned)}, expected {wanted}")

    def normal(self, primitive, i):
        """Of a vertex of the GLB in the world; None where its space is flat."""
        matrix = None if primitive.skin is not None else self.turns.get(primitive)
        if matrix is None:
            matrix = nitro_run.inverse_transpose(self.glb.placed(primitive, self.rest)[0](i))
            self.turns[primitive] = matrix
        return nitro_animation.unit(nitro_run.turn(matrix, *primitive.normals[i])) if matrix else None

    # ---- materials ----

    def surfaces(self):
        used = {p.material for p in self.glb.primitives}
        self.indices = collections.defaultdict(list)  # name -> materials of the GLB
        for index in used - {None}:
            name = self.glb.material_name(index)
            if name not in self.materials and any(name.startswith(m + ".") for m in self.materials):
                continue  # how a pattern animation makes the material look: NAME.TEXTURE
            self.indices[name].append(index)
            if name not in self.materials:
                self.differ("material", f"{name!r} is no material of the model")
                continue
            self.surface(self.materials[name], index)

    def surface(self, material, index):
        self.counts["materials"] += 1
        where = f"material {material.name}"
        source = self.glb.materials[index]
        if not material.wireframe:
            found = self.glb.color_factor(index)[3] * 31
            if abs(found - material.alpha) > 0.1:
                self.differ("material", f"{where}: alpha {found:.3g} of 31, expected {material.alpha}")
        both = material.cull == 3
        if source.get("doubleSided", False) != both:
            self.differ("material", f"{where}: doubleSided {not both}, expected {both}")
        info = self.glb.texture_of(index)
        try:
            picture = nitro_textures.decode_pair(self.sets, material.texture, material.palette)
        except nitro_oracle.NitroError:
            picture = None
        if (info is None) != (picture is None):
            self.differ("texture", f"{where}: {'no' if info is None else 'a'} picture, texture {material.texture}")
        if info is not None and picture is not None:
            self.counts["pictures"] += 1
            self.picture(where, picture, self.glb.picture(info["index"]))
            if self.glb.wraps(info["index"]) != material.wrap():
                self.differ("texture", f"{where}: {self.glb.wraps(info['index'])}, expected {material.wrap()}")
        alphas = {p[3] for p in picture[2]} if picture else set()
        mode = "OPAQUE"
        if material.alpha < 31 or alphas - {0, 255} or material.name in self.fading:
            mode = "BLEND"
        elif 0 in alphas:
            mode = "MASK"
        if source.get("alphaMode", "OPAQUE") != mode:
            self.differ("alpha mode", f"{where}: {source.get('alphaMode', 'OPAQUE')}, expected {mode}")

    def picture(self, where, wanted, found):
        if wanted[:2] != found[:2]:
            self.differ("texture", f"{where}: {found[0]} x {found[1]}, expected {wanted[0]} x {wanted[1]}")
            return
        # What is clear has no colour that could be seen.
        wrong = [i for i, (a, b) in enumerate(zip(wanted[2], found[2])) if a != b and (a[3] or b[3])]
        if wrong:
            worst = max(distance(wanted[2][i], found[2][i]) for i in wrong)
            self.worst["texel"] = max(self.worst["texel"], worst)
            i = wrong[0]
            self.differ("texture", f"{where}: {len(wrong)} texels differ by up to {worst}, first ({i % wanted[0]}, "
                        f"{i // wanted[0]}): {found[2][i]}, expected {wanted[2][i]}")

    # ---- in motion ----

    def frames(self, count):
        if not self.frame_limit or count <= self.frame_limit:
            return range(count)
        return sorted({round(i * (count - 1) / (self.frame_limit - 1)) for i in range(self.frame_limit)})

    def moving(self, animation):
        """An animation of the Nitro files, and those of the GLB that have or begin with its name, or the only one."""
        if isinstance(animation, nitro_oracle.PatternAnimation):
            self.counts["not compared: patterns"] += 1  # glTF cannot exchange pictures
            return
        named = [a for a in self.glb.animations if a[0] == animation.name] + \
            [a for a in self.glb.animations if a[0].startswith(animation.name) and a[0] != animation.name]
        if not named and len(self.glb.animations) == 1:
            named = self.glb.animations
        if not named:
            self.differ("animation", f"{animation.name} ({type(animation).__name__}) is missing")
            return
        kind = {nitro_oracle.JointAnimation: self.joints, nitro_oracle.TextureAnimation: self.coordinates,
                nitro_oracle.MaterialAnimation: self.opacity, nitro_oracle.VisibilityAnimation: self.visibility}
        for frame in self.frames(animation.frames):
            self.counts["frames"] += 1
            kind[type(animation)](animation, named, frame)

    def positions(self, source, time):
        places = self.glb.globals(source, time)
        return [self.glb.world(p, places) for p in self.glb.primitives]

    def joints(self, animation, named, frame):
        source = next((a for a in named if any(k[0] == "node" for k in a[1])), named[0])
        draws = self.runner.run(nitro_animation.pose_at(self.model, animation, frame), normals=False)
        found = self.positions(source, frame / self.fps)
        wrong, worst, first = 0, 0.0, ""
        for (draw, vertex), (primitive, i) in set(self.pairs):
            if not found[primitive][1]:
                continue  # hidden by another animation that the GLB has under the same name
            wanted, shown = draws[draw].vertices[vertex].position, found[primitive][0][i]
            far = distance(wanted, shown) / max(self.extent, *map(abs, wanted))
            if far > worst:
                worst, first = far, f"{rounded(shown)}, expected {rounded(wanted)}"
            wrong += far > MOVING_TOLERANCE
        self.worst["moving position"] = max(self.worst["moving position"], worst)
        if wrong:
            self.differ("animation", f"{animation.name}, frame {frame}: {wrong} corners elsewhere, the farthest at "
                        f"{first}")

    def coordinates(self, animation, named, frame):
        source = next((a for a in named if any("KHR_texture_transform" in str(k[1]) for k in a[1])), named[0])
        samples = self.samples()
        for name in animation.tracks:
            material = self.materials.get(name)
            if material is None or name not in self.sizes:
                continue
            values = nitro_animation.texture_values_at(animation, name, frame)
            transform = nitro_run.texture_transform(self.model, material, values)
            for texel, primitive, i in samples.get(name, ()):
                wanted = nitro_run.coordinates(texel, transform, self.sizes[name])
                moved = self.glb.uv_transform(primitive.material, source, frame / self.fps)
                found = nitro_run.coordinates(primitive.uvs[i], moved, (1, 1))
                # A picture that repeats may be shifted by whole ones.
                far = max(abs(a - b) - (round(abs(a - b)) if wrap == "repeat" else 0)
                          for a, b, wrap in zip(wanted, found, material.wrap()))
                self.counts["moving uvs"] += 1
                if not self.within("moving uv", abs(far) / max(1.0, *map(abs, wanted)), UV_TOLERANCE):
                    self.differ("animation", f"{animation.name}, frame {frame}, material {name}: texture coordinates "
                                f"{rounded(found)}, expected {rounded(wanted)} of texel {texel}")
                    break

    def samples(self):
        """A few corners of each material: (texel, primitive, vertex)."""
        made = collections.defaultdict(list)
        for (draw, vertex), (primitive, i) in self.pairs:
            draw = self.draws[draw]
            name, texel = self.model.materials[draw.material].name, draw.vertices[vertex].texel
            if texel and self.glb.primitives[primitive].uvs and len(made[name]) < 9:
                made[name].append((texel, self.glb.primitives[primitive], i))
        return made

    def opacity(self, animation, named, frame):
        for name in animation.tracks:
            for index in self.indices.get(name, ()):
                alpha = nitro_animation.colors_at(animation, name, frame)[4]
                pointer = f"/materials/{index}/pbrMetallicRoughness/baseColorFactor"
                source = next((a for a in named if ("pointer", pointer) in a[1]), named[0])
                found = 31 * self.glb.pointed(source, pointer, frame / self.fps, self.glb.color_factor(index))[3]
                self.counts["moving opacities"] += 1
                if abs(alpha - found) > 0.1:
                    self.differ("animation", f"{animation.name}, frame {frame}, material {name}: alpha {found:.3g} of "
                                f"31, expected {alpha}")

    def visibility(self, animation, named, frame):
        draws = self.runner.run(None, nitro_animation.visibility_at(animation, frame), normals=False)
        pairs = {(draw, primitive) for (draw, _), (primitive, _) in self.pairs}
        # What is flat at rest (a scale of 0) could not be found there, and is not known by its place.
        lost = {i for i, draw in enumerate(draws)
                if draw.shown and not all(self.flat([draw.vertices[v].position for v in t]) for t in draw.triangles())}
        lost -= {draw for draw, _ in pairs}
        best = None
        for source in named:
            places = self.glb.globals(source, frame / self.fps)
            wrong = set(lost)
            for draw, primitive in pairs:
                transform, seen = places[self.glb.primitives[primitive].node]
                # Programs that do not know visibility get a scale of 0.
                seen = seen and max(map(abs, transform[:9])) > 0
                if self.model.materials[draws[draw].material].alpha and draws[draw].shown != seen:
                    wrong.add(draw)
            best = wrong if best is None else min(best, wrong, key=len)
        self.counts["moving visibilities"] += len(pairs)
        if best:
            names = ", ".join(self.model.shapes[draws[i].shape].name for i in sorted(best)[:4])
            self.differ("animation", f"{animation.name}, frame {frame}: {len(best)} shapes are seen and should not be, "
                        f"or the other way: {names}")

    # ---- result ----

    def report(self, shown=SHOWN):
        lines = []
        for kind, texts in self.differences.items():
            lines += [f"{kind}: {text}" for text in texts[:shown]]
            if len(texts) > shown:
                lines.append(f"{kind}: ... and {len(texts) - shown} more")
        return lines

    def summary(self):
        counts = ", ".join(f"{n} {kind}" for kind, n in self.counts.items() if n)
        worst = ", ".join(f"{kind} {far:.2g}" for kind, far in self.worst.items())
        return f"{counts}; farthest: {worst or 'nothing'}"


def rounded(value):
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(rounded(v) for v in value) + ")"
    return f"{value:.6g}"


def compare(glb_path, model_path, others=(), fps=FPS, frames=FRAMES):
    """A Comparison. Raises NitroError or GlbError where something cannot be read."""
    file = next((f for _, f in nitro_oracle.load(model_path) if getattr(f, "models", None) or
                 isinstance(f, nitro_oracle.NitroError)), None)
    if file is None:
        raise nitro_oracle.NitroError(f"{model_path}: no model")
    if isinstance(file, nitro_oracle.NitroError):
        raise file
    sets, animations = list(file.texture_sets), []
    for path in others:
        for _, other in nitro_oracle.load(path):
            if isinstance(other, nitro_oracle.NitroError):
                raise other
            sets += other.texture_sets
            animations += other.animations
    comparison = Comparison(nitro_glb.read(glb_path), file.models[0], sets, fps, frames, animations)
    for animation in animations:
        comparison.moving(animation)
    return comparison


def main(arguments):
    options = {"--fps": FPS, "--frames": FRAMES}
    while arguments and arguments[0] in options:
        options[arguments[0]] = int(arguments[1])
        arguments = arguments[2:]
    if len(arguments) < 2:
        sys.exit("usage: nitro_compare.py [--fps N] [--frames N] GLB MODEL [TEXTURES] [ANIMATIONS]")
    try:
        comparison = compare(arguments[0], arguments[1], arguments[2:], options["--fps"], options["--frames"])
    except (nitro_oracle.NitroError, nitro_glb.GlbError) as error:
        print(error)
        return 1
    print(*comparison.report(), comparison.summary(), sep="\n")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
