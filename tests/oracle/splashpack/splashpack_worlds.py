"""Scenes as GLB that become SPLASHPACKs, made at random, and what a pack of one has to hold: worked out from the
documents, by places in the world and by the colours that show there."""
import math
import random

import splashpack_facts as facts
import splashpack_files as files
import splashpack_scene as scene

REPEAT, CLAMP, MIRROR = 10497, 33071, 33648
EXACT = [v << 3 | v >> 2 for v in range(32)]  # bytes that five bits hold exactly


class Picture:
    """pixel(x, y): red, green, blue, alpha. Blocks of `block` texels of one colour, so that a place well inside of one
    shows it wherever its coordinates are rounded to."""

    def __init__(self, random_, width, height, colors, block=8, alpha=False, wrap=REPEAT):
        self.width, self.height, self.block, self.wrap = width, height, block, wrap
        palette = set()
        while len(palette) < colors:
            palette.add((*(random_.choice(EXACT[1:]) for _ in range(3)), 255))
        palette = sorted(palette)
        if alpha:
            palette[0] = (0, 0, 0, 0)
        # Every colour shows at least once.
        cells = palette + [random_.choice(palette) for _ in range(width * height // block ** 2 - len(palette))]
        random_.shuffle(cells)
        self.pixels = [cells[y // block * (width // block) + x // block] for y in range(height) for x in range(width)]

    def inside(self, v):
        if 0 <= v <= 1:
            return v
        if self.wrap == CLAMP:
            return max(0, min(v, 1))
        whole = math.floor(v)
        return 1 - (v - whole) if self.wrap == MIRROR and whole % 2 else v - whole

    def pixel(self, x, y):
        return self.pixels[y * self.width + x]

    def at(self, u, v):
        """The texel of coordinates; None near the border of a block. 1.0 is the last one."""
        x, y = self.inside(u) * self.width, self.inside(v) * self.height
        if any(min(k % self.block, -k % self.block) < 2 for k in (x, y)):
            return None
        return self.pixel(int(x), int(y))


class Face:
    """A triangle of a source. points: in the world. uvs, colors (linear) or None, picture or None."""

    def __init__(self, points, uvs, colors, picture, reach):
        self.points, self.uvs, self.colors, self.picture, self.reach = points, uvs, colors, picture, reach


def is_mirror(place):
    return sum(a * b for a, b in zip(facts.cross((0, 0, 0), place[0:3], place[3:6]), place[6:9])) < 0


def matrix_of(translation, rotation, scale):
    return scene.nitro_glb.from_parts(translation, rotation, scale)


class World:
    """glb: the bytes. objects: [(name, faces)], floor: [three places], player: (place, height), scripts."""

    def __init__(self, random_, colors=12, size=64, tiles=False, flat=False, shear=True, objects=3,
                 wrap=REPEAT, alpha=False):
        maker = self.maker = scene.Maker()
        self.objects, self.floor, self.scripts = [], [], []
        self.pictures = []
        for i in range(2):
            picture = Picture(random_, size, size // (1 + i), min(colors, size * size // (1 + i) // 64), 8, alpha, wrap)
            texture = maker.texture(picture.width, picture.height, picture.pixels, wrap)
            self.pictures.append((picture, maker.material(texture, **({"alphaMode": "MASK"} if alpha else {}))))
        plain = maker.material(factor=(1, 1, 1, 1)) if flat else None
        for i in range(objects):
            parent, above = None, scene.NO_TRANSFORM
            if i % 2 and shear:
                record = self.transform(random_, True)
                parent, above = maker.node(f"above {i}", **record), matrix_of(*record.values())
            record = self.transform(random_, shear)
            place = scene.times(above, matrix_of(*record.values()))
            faces, primitives = [], []
            for picture, material in [random_.choice(self.pictures)] + [(None, plain)] * flat:
                rows = [self.face(random_, place, picture, tiles, i % 3 == 1) for _ in range(random_.randint(2, 5))]
                faces += [face for face, _ in rows]
                primitives.append((material, [corners for _, corners in rows]))
            extras = {"diorama": {"kind": "object"}} if i % 2 else {}
            if i == 0:
                extras = {"lua": "-- the first\nfunction onCreate(self) end\n"}
                self.scripts.append(extras["lua"])
            maker.node(f"thing {i}", parent, extras, mesh=maker.mesh(primitives), **record)
            self.objects.append((f"thing {i}", faces))
        self.add_floor(random_)
        self.player = ([random_.uniform(-50, 50), 10.0, random_.uniform(-50, 50)], 17.5)
        maker.node("start of the player", None, {"kind": "player_start", "height": self.player[1]},
                   translation=self.player[0])
        self.glb = maker.bytes()

    @staticmethod
    def transform(random_, any_scale):
        axis = [random_.uniform(-1, 1) for _ in range(3)]
        return {"translation": [random_.uniform(-120, 120) for _ in range(3)],
                "rotation": scene.quaternion(axis, random_.uniform(-3, 3)),
                "scale": [random_.uniform(0.5, 1.6) * random_.choice((1, 1, -1)) for _ in range(3)]
                if any_scale else [1.0] * 3}

    @staticmethod
    def face(random_, place, picture, tiles, has_colors):
        """(Face, corners of the mesh): one large enough to be something after rounding."""
        while True:
            points = [[random_.uniform(-60, 60) for _ in range(3)] for _ in range(3)]
            area = math.dist(facts.cross(*points), (0, 0, 0))
            if area > 900:
                break
        low, high = (-1.3, 2.2) if tiles else (0, 1)
        uvs = [(random_.uniform(low, high), random_.uniform(low, high)) for _ in range(3)] if picture else None
        colors = [tuple(random_.uniform(0.05, 0.95) for _ in range(3)) for _ in range(3)] if has_colors else None
        world = [scene.apply(place, *p) for p in points]
        reach = max(math.dist(p, place[9:]) for p in world)
        corners = [(p, uvs and uvs[i], colors and colors[i]) for i, p in enumerate(points)]
        # Seen in a mirror, what was to the right is to the left.
        order = (0, 2, 1) if is_mirror(place) else (0, 1, 2)
        world, uvs, colors = ([some[i] for i in order] if some else None for some in (world, uvs, colors))
        return Face(world, uvs, colors, picture, reach), corners

    def add_floor(self, random_):
        # To the sky: counter-clockwise from above.
        points = [(-20.0, 0.0, -20.0), (-20.0, 0.0, 20.0), (20.0, 0.0, 20.0), (20.0, 0.0, -20.0)]
        corners = [(points[i], None, None) for i in (0, 1, 2, 0, 2, 3)]
        shift = [random_.uniform(-20, 20), random_.uniform(-5, 5), random_.uniform(-20, 20)]
        self.maker.node("navmesh.001", mesh=self.maker.mesh([(None, [corners[:3], corners[3:]])]), translation=shift)
        self.floor = [[[a + b for a, b in zip(c[0], shift)] for c in t] for t in (corners[:3], corners[3:])]


# ---- what the pack has to be -----------------------------------------------------------------------------------------

class Drawn:
    """A triangle of a pack in the world (of glTF). order: as glTF has it, so that fronts compare."""

    def __init__(self, one, t, pack, memory, scaling, axes):
        self.corners = []
        for i in (0, 2, 1):
            raw = [a + b for a, b in zip(scene.turned(one["rotation"], t[f"v{i}"]), one["position"])]
            self.corners.append((scene.world(raw, scaling, axes), t[f"uv{i}"], t[f"c{i}"][:3]))
        self.page = None if files.is_late(pack["form"]) and t["tpage"] == files.UNTEXTURED else t["tpage"]
        self.clut, self.memory = (t["clut_x"] * 16, t["clut_y"]), memory
        self.turn = facts.cross(t["v0"], t["v1"], t["v2"])
        self.against = sum(a * b for a, b in zip(self.turn, t["normal"]))

    def points(self):
        return [c[0] for c in self.corners]

    def color(self, u, v):
        return scene.color8(self.memory.texel(self.page, self.clut, u, v) or 0)

    def weights(self, point):
        """Of a point on it, or None; and how far it is from the plane."""
        a, b, c = self.points()
        normal = facts.cross(a, b, c)
        square = sum(v * v for v in normal)
        if not square:
            return None
        off = sum(n * (p - q) for n, p, q in zip(normal, point, a)) / math.sqrt(square)
        if abs(off) > 0.25:
            return None
        found = [sum(n * m for n, m in zip(normal, facts.cross(point, *pair))) / square
                 for pair in ((b, c), (c, a), (a, b))]
        return found if min(found) > -0.02 else None


def slack(face, scaling):
    """How far a corner may be: rounded places, and nine rounded numbers of the rotation. In the world."""
    raw = face.reach * scene.ONE / scaling
    return (2 + raw / 2048) * scaling / scene.ONE


SAMPLES = ((1 / 3, 1 / 3, 1 / 3), (0.7, 0.2, 0.1), (0.1, 0.7, 0.2), (0.2, 0.1, 0.7), (0.45, 0.45, 0.1),
           (0.1, 0.45, 0.45), (0.45, 0.1, 0.45), (0.85, 0.1, 0.05), (0.05, 0.85, 0.1), (0.1, 0.05, 0.85))


def byte_of(value, is_flat):
    return scene.srgb(value) * (255 if is_flat else 128)


def whole_texts(face, drawn, scaling, exact):
    """A face that became one triangle, corner by corner."""
    def distance(triangle, by):
        return max(math.dist(p, triangle.corners[(i + by) % 3][0]) for i, p in enumerate(face.points))
    off, at, by = min((distance(t, by), k, by) for k, t in enumerate(drawn) for by in range(3))
    if off > slack(face, scaling):
        back = min(max(math.dist(p, t.corners[(by - i) % 3][0]) for i, p in enumerate(face.points))
                   for t in drawn for by in range(3))
        return [f"no triangle at {face.points}: {off:.3f} off" +
                (", the other way round" if back <= slack(face, scaling) else "")], None
    found, texts = drawn[at], []
    if found.against >= 0:
        texts.append(f"the normal of {face.points} is on the back")
    for i in range(3):
        _, uv, color = found.corners[(i + by) % 3]
        wanted = face.colors[i] if face.colors else (1, 1, 1)
        if found.page is None or face.picture is not None:
            for value, byte in zip(wanted, color):
                if abs(byte_of(value, found.page is None) - byte) > 0.75:
                    texts.append(f"color {byte}, expected {byte_of(value, found.page is None):.2f}")
        if face.picture is None:
            if found.page is not None:  # of 2025: every triangle has a texture, a white one here
                shade = [t * c / 128 for t, c in zip(found.color(*uv), color)]
                texts += [f"shade {shade}, expected {wanted}"] * any(
                    abs(min(a, 255) - byte_of(b, True)) > 6 for a, b in zip(shade, wanted))
            continue
        x, y = (min(int(k * size), size - 1) for k, size in zip(face.uvs[i], (face.picture.width, face.picture.height)))
        if exact and found.color(*uv) != face.picture.pixel(x, y):
            texts.append(f"texel {x}, {y} is {found.color(*uv)}, expected {face.picture.pixel(x, y)}")
    return texts, found


def sample_texts(face, drawn, exact):
    """Places on a face that may have been cut: what shows there."""
    texts, seen = [], 0
    for weights in SAMPLES:
        point = [sum(w * p[k] for w, p in zip(weights, face.points)) for k in range(3)]
        over = [(t, w) for t in drawn for w in [t.weights(point)] if w]
        if not over:
            texts.append(f"nothing at {[round(v, 2) for v in point]}")
            continue
        if face.picture is None:
            continue
        u, v = (sum(w * uv[k] for w, uv in zip(weights, face.uvs)) for k in range(2))
        wanted = face.picture.at(u, v)
        if wanted is None:
            continue
        told = [t.color(*(max(0, min(255, int(sum(a * c[1][k] for a, c in zip(w, t.corners)) + 0.5)))
                          for k in range(2))) for t, w in over if t.page is not None]
        seen += 1
        if exact and wanted not in told or not exact and not any(
                max(abs(a - b) for a, b in zip(c, wanted)) <= 96 for c in told):
            texts.append(f"at {u:.3f}, {v:.3f} is {told[:2]}, expected {wanted}")
    return texts, seen


def pack_texts(world, pack, memory, vram, scaling=scene.SCALING, axes="default", cut=False, exact=True):
    """(what is wrong with a pack of a World, values compared). cut: faces may have become several triangles."""
    texts, values = [], 0
    if len(pack["objects"]) != len(world.objects):
        return [f"{len(pack['objects'])} objects, expected {len(world.objects)}"], 1
    for (name, faces), one in zip(world.objects, pack["objects"]):
        drawn = [Drawn(one, t, pack, memory, scaling, axes) for t in one["triangles"]]
        if not scene.is_rotation(one["rotation"], 6):
            texts.append(f"{name}: {one['rotation']} is no rotation")
        if not cut and len(drawn) != len(faces):
            texts.append(f"{name}: {len(drawn)} triangles, expected {len(faces)}")
        for face in faces:
            if not cut:
                found, triangle = whole_texts(face, drawn, scaling, exact)
                texts += [f"{name}: {text}" for text in found]
                values += 24
            found, seen = sample_texts(face, drawn, exact)
            texts += [f"{name}: {text}" for text in found]
            values += len(SAMPLES) + 3 * seen
        if cut:
            texts += area_texts(name, faces, drawn)
    if "navmeshes" in pack["header"] or files.is_late(pack["form"]):
        texts += floor_texts(world, pack, scaling, axes, cut)
    for key, wanted in zip(("start", "height"), (world.player[0], world.player[1])):
        if key not in pack["header"]:
            continue
        raw = pack["header"][key]
        if key == "start":  # of the eyes; in a scene, of the feet
            off = math.dist(scene.world((raw[0], raw[1] + pack["header"]["height"], raw[2]), scaling, axes), wanted)
        else:
            off = abs(raw * scaling / scene.ONE - wanted)
        if off > 1.8 * scaling / scene.ONE:
            texts.append(f"the player's {key} is {raw}, off by {off:.4f}")
    found = [one["text"].decode(errors="replace") for one in pack["scripts"]]
    if "scripts" not in pack["header"]:
        pass
    elif found != world.scripts:
        texts.append(f"scripts {str(found)[:80]}, expected {str(world.scripts)[:80]}")
    elif [one["script"] for one in pack["objects"]] != [0] + [-1] * (len(pack["objects"]) - 1):
        texts.append(f"scripts of objects {[one['script'] for one in pack['objects']]}")
    wrong = [rule for rule, is_wrong in facts.of_memory(pack, vram) if is_wrong and rule != "clut-count"]
    texts += [f"the pack has {rule}" for rule in wrong]
    return texts, values


def area_texts(name, faces, drawn):
    """Faces that were cut cover what they covered, on the same side."""
    wanted = sum(math.dist(facts.cross(*f.points), (0, 0, 0)) for f in faces) / 2
    found = sum(math.dist(facts.cross(*t.points()), (0, 0, 0)) for t in drawn) / 2
    texts = [f"{name}: an area of {found:.1f}, expected {wanted:.1f}"] * (abs(found - wanted) > 0.02 * wanted + 2)
    # Of a sliver that is hardly wider than the raw unit, rounding may turn the other side up.
    back = [t.turn for t in drawn if t.against > 0 and math.dist(t.turn, (0, 0, 0)) > 500]
    return texts + [f"{name}: {len(back)} normals on the back: {back[:3]}"] * bool(back)


def floor_texts(world, pack, scaling, axes, cut):
    """The floor of packs of 2025; of later ones the same area in regions. cut: in parts that the engine can bear."""
    if files.is_late(pack["form"]):
        if not pack["nav"]:
            return ["no floor"]
        area = 0
        for region in pack["nav"]["region_list"]:
            n = region["corners"]
            x, z = region["x"][:n], region["z"][:n]
            area += abs(sum(x[i] * z[(i + 1) % n] - x[(i + 1) % n] * z[i] for i in range(n))) / 2
        area *= (scaling / scene.ONE) ** 2
        wanted = sum(abs(facts.cross(*t)[1]) / 2 for t in world.floor)
        return [f"a floor of {area:.1f}, expected {wanted:.1f}"] * (abs(area - wanted) > 0.01 * wanted + 1)
    found = [[scene.world(t[f"v{i}"], scaling, axes) for i in range(3)] for n in pack["navmeshes"]
             for t in n["triangles"]]
    if cut and len(found) > len(world.floor):
        wanted, area = (sum(abs(facts.cross(*t)[1]) / 2 for t in some) for some in (world.floor, found))
        texts = [f"a floor of {area:.1f}, expected {wanted:.1f}"] * (abs(area - wanted) > 0.01 * wanted + 1)
        high = world.floor[0][0][1]
        return texts + [f"nav-overflow after {len(found)} parts"] * dict(facts.of_navmeshes(pack))["nav-overflow"] + \
            ["a floor that is not flat"] * any(abs(p[1] - high) > 0.05 for t in found for p in t)
    if len(found) != len(world.floor):
        return [f"{len(found)} triangles of the floor, expected {len(world.floor)}"]
    texts = []
    for wanted in world.floor:
        off = min(max(math.dist(a, b) for a, b in zip(sorted(map(tuple, wanted)), sorted(f))) for f in found)
        texts += [f"no floor at {wanted}: {off:.3f} off"] * (off > 2 * scaling / scene.ONE)
    return texts
