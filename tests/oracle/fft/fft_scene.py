"""Judges the GLB of a map of Final Fantasy Tactics, triangle for triangle, against what the files say (fft_files.py,
fft_facts.py): places, normals, sides, light, what is on the texels, ground, what moves.
"""
import copy
import math
import random
import struct
import zlib

import fft_facts as facts
import fft_files as files
import nitro_glb

GREY = 128
SAMPLES = 5
TICKS = 60  # of a second, unless told otherwise


class View:
    """What one state of a map is made of. texture: 131,072 bytes or None; chunks: {slot: chunk}"""

    def __init__(self, chunks, texture=None):
        self.chunks = chunks
        pages = [None] * 4 if texture is None else [texture[i * files.PAGE_SIZE:(i + 1) * files.PAGE_SIZE]
                                                     for i in range(4)]
        for i, slot in enumerate(files.PAGES):
            if slot in chunks:
                pages[i] = chunks[slot]["texels"]
        self.pages = [page and files.read_texels(page) for page in pages]
        self.palettes = chunks[files.PALETTES]["rows"] if files.PALETTES in chunks else None
        self.lights = chunks.get(files.LIGHTS)

    def is_lit(self, slot, kind, index):
        """Without render properties it is not known; then as if they all said so."""
        if kind >= 2:
            return False
        if slot != files.GEOMETRY or files.RENDER not in self.chunks:
            return True
        words = self.chunks[files.RENDER]["slots"][kind]
        return index >= len(words) or facts.is_lit(words[index])

    def color(self, polygon, u, v, rows=(), tick=0):
        """(red, green, blue of 31, alpha of 1) of what a polygon shows at a texel; None: the documents do not say.
        rows: of texture animations that began `tick` ticks ago."""
        number, row = facts.page_of(polygon["page"]), facts.clut(polygon["clut"])[0]
        palette, moving = self.palettes[row], [one for one in rows if facts.is_on_canvas(one, number, u, v)]
        changing = [one for one in rows if facts.animation_kind(one["mode"])[0] == "palette" and
                    one["canvas_x"] // 16 == row]
        if changing:
            frame = changing[0]["frame_x"] + facts.frame_at(changing[0], tick)
            palette = self.chunks[files.PALETTE_FRAMES]["rows"][frame]
        if moving:
            number, u, v = facts.texel_of_frame(moving[0], facts.frame_at(moving[0], tick), u, v)
            if any(facts.is_on_canvas(one, number, u, v) for one in rows):
                return None
        # Two rows in each other's way: it is a matter of which is later.
        if self.pages[number] is None or len(moving) > 1 or len(changing) > 1:
            return None
        word = palette[self.pages[number][v][u]]
        return (*facts.rgb5(word)[:3], int(word != 0))

    def page(self, polygon):
        x, _, _, depth, own = facts.texture_page(polygon["page"])
        return self.pages[x & 3] if own and depth == 0 else None

    def intensities(self, slot, kind, index, polygon):
        """Of each corner; a part that moves is lit as it is turned at first."""
        if not self.lights or not self.is_lit(slot, kind, index):
            return None
        normals = polygon["normals"]
        if slot != files.GEOMETRY and files.MESH_ANIMATIONS in self.chunks:
            animations, part = facts.Animations(self.chunks[files.MESH_ANIMATIONS]), slot - files.ANIMATED[0]
            if animations.is_sound() and animations.is_drawn(part):
                turned = facts.rotation(animations.start(part)[:3]), (0, 0, 0)
                return [facts.intensity(self.lights, facts.apply(turned, normal)) for normal in normals]
        return [facts.intensity_exact(self.lights, normal) for normal in normals]


def triangles_of(corners):
    """Corners of a polygon, counter-clockwise once Y is up."""
    return [(0, 2, 1)] if corners == 3 else [(0, 2, 1), (1, 2, 3)]


def turned_over(point):
    x, y, z = point
    return x, -y, -z


def as_srgb(linear):
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def cyclic(keys):
    """A triangle that may begin with any corner, the same each time: (keys, by how much it was turned)"""
    return min((tuple(keys[i:] + keys[:i]), i) for i in range(3))


class Judged(list):
    """Texts of what differs; values: how many were compared."""

    def __init__(self):
        super().__init__()
        self.values = 0

    def near(self, what, found, expected, tolerance):
        self.values += len(expected)
        if len(found) != len(expected) or any(not abs(f - e) <= tolerance for f, e in zip(found, expected)):
            self.append(f"{what}: {[round(f, 5) for f in found]}, expected {[round(e, 5) for e in expected]}")

    def same(self, what, found, expected):
        self.values += 1
        if found != expected:
            self.append(f"{what}: {str(found)[:120]}, expected {str(expected)[:120]}")


def extras(thing):
    return thing.get("extras", {}).get("diorama", {})


# ---- geometry --------------------------------------------------------------------------------------------------------

NO_SOURCE = 0xFFFFFF  # of corners that no polygon has: where one is cut at what moves


class Part:
    """A triangle of a polygon of a file."""

    def __init__(self, slot, kind, index, polygon, corners, first):
        self.slot, self.kind, self.index = slot, kind, index
        self.polygon, self.corners, self.first = polygon, corners, first
        self.points = [tuple(float(v) for v in turned_over(polygon["positions"][c])) for c in corners]
        self.area = length(cross(*self.points))
        self.left = self.area

    @property
    def name(self):
        return f"{files_name(self.slot)} kind {self.kind} polygon {self.index}"

    def weights(self, point):
        """How much of each corner is in a point of this triangle; None if it is not in it."""
        a, b, c = self.points
        normal = cross(a, b, c)
        square = sum(v * v for v in normal)
        if not square:
            return None
        made = [sum(x * y for x, y in zip(cross(p, q, point), normal)) / square for p, q in ((b, c), (c, a), (a, b))]
        off = abs(sum((x - y) * n for x, y, n in zip(point, a, normal))) / math.sqrt(square)
        return made if off < 0.01 and min(made) > -1e-3 else None

    def mixed(self, weights, values):
        """Values of the corners of the polygon at a point."""
        return [sum(w * values[c][i] for w, c in zip(weights, self.corners)) for i in range(len(values[0]))]


def cross(a, b, c):
    u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def length(vector):
    return math.sqrt(sum(v * v for v in vector))


def parts_of(slot, geometry):
    parts, polygons = [], 0
    for kind, of_kind in enumerate(geometry["polygons"]):
        for index, polygon in enumerate(of_kind):
            for corners in triangles_of(len(polygon["positions"])):
                # Sources are counted in fours, of triangles as well.
                parts.append(Part(slot, kind, index, polygon, corners, 4 * polygons))
            polygons += 1
    return parts


IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def placed_parts(points, whole, parts):
    """[(part, weights of the three corners)] of the triangles that a triangle may be, or be a piece of."""
    key, turn = cyclic(points)
    found = []
    for part, part_turn in whole.get(key, ()):
        if part.left > part.area / 2 or not part.area:
            shift = (part_turn - turn) % 3
            found.append((part, [IDENTITY[(i + shift) % 3] for i in range(3)]))
    if found:
        return found
    normal = cross(*points)
    for part in parts:
        if part.left < -part.area / 2 or sum(x * y for x, y in zip(normal, cross(*part.points))) <= 0:
            continue
        weights = [part.weights(point) for point in points]
        if None not in weights:
            found.append((part, weights))
    return found


def triangles(glb, node, variant=None):
    """(primitive, corners, sources) of a node that has a mesh."""
    primitives = [p for p in glb.primitives if p.node == node]
    for primitive, source in zip(primitives, glb.json["meshes"][glb.nodes[node]["mesh"]]["primitives"]):
        for mapping in source.get("extensions", {}).get("KHR_materials_variants", {}).get("mappings", ()):
            if variant in mapping["variants"]:
                primitive = copy.copy(primitive)
                primitive.material = mapping["material"]
        sources = glb.accessor(source["attributes"]["_SOURCE"]) if "_SOURCE" in source["attributes"] else None
        for corners in primitive.triangles:
            yield primitive, corners, sources


def judge_geometry(judged, glb, node, slot, view, variant=None):
    """All triangles of one node that has a mesh, against one geometry. Gives [(primitive, corners, part, weights)]."""
    parts, whole, made = parts_of(slot, view.chunks[slot]), {}, []
    for part in parts:
        part.left = part.area or 1.0
        key, turn = cyclic(part.points)
        whole.setdefault(key, []).append((part, turn))
    for primitive, corners, sources in triangles(glb, node, variant):
        points = [primitive.positions[c] for c in corners]
        candidates = placed_parts(points, whole, parts)
        best = None
        for part, weights in candidates:
            one = Judged()
            judge_triangle(one, glb, primitive, corners, sources, view, part, weights)
            if best is None or len(one) < len(best[0]):
                best = one, part, weights
            if not one:
                break
        if best is None:
            judged.append(f"{files_name(slot)}: a triangle {points} that the file does not have")
            continue
        judged.extend(best[0])
        judged.values += best[0].values
        part = best[1]
        part.left -= length(cross(*points)) if part.area else 1.0
        made.append((primitive, corners, part, best[2]))
    missing = [part for part in parts if abs(part.left) > 2e-3 * part.area + 2e-3]
    if missing:
        judged.append(f"{files_name(slot)}: {len(missing)} triangles of the file are missing or too large: "
                      f"{[part.name for part in missing][:4]}")
    return made


def files_name(slot):
    return "primary" if slot == files.GEOMETRY else f"animated {slot - files.ANIMATED[0] + 1}"


def judge_triangle(judged, glb, primitive, corners, sources, view, part, weights):
    what, polygon = part.name, part.polygon
    judged.values += 9  # of the places, by which it was found
    if sources:
        wanted = [part.first + part.corners[w.index(1.0)] if 1.0 in w else NO_SOURCE for w in weights]
        judged.same(f"{what}: sources", [int(sources[c]) for c in corners], wanted)
    if part.kind >= 2:
        judged.same(f"{what}: material", glb.material_name(primitive.material), "untextured")
        return
    for c, w in zip(corners, weights):
        normal = part.mixed(w, polygon["normals"])
        size = length(normal)
        if size and primitive.normals:
            judged.near(f"{what}: normal", primitive.normals[c], [v / size for v in turned_over(normal)], 2e-3)
    if not primitive.normals:
        judged.append(f"{what}: no normals")
    if view.page(polygon) is None or view.palettes is None or facts.clut(polygon["clut"])[0] > 15:
        judged.same(f"{what}: texture", primitive.uvs is None, True)
        return
    if not primitive.uvs or glb.texture_of(primitive.material) is None:
        judged.append(f"{what}: no texture ({glb.material_name(primitive.material)})")
        return
    material = glb.materials[primitive.material]
    times = extras(material).get("texels_times", 1)
    intensities = view.intensities(part.slot, part.kind, part.index, polygon)
    for c, w in zip(corners, weights):
        if 1.0 not in w:
            continue  # of what is cut it is a matter of rounding
        # Sixteen bits of linear light are much less than a 255th. Parts that are turned: the chip rounds down twice.
        shown = [as_srgb(v) * times for v in primitive.colors[c][:3]] if primitive.colors else [times] * 3
        # What is brighter than its material can be is cut, of which dio tells.
        wanted = [min(v / GREY, times) for v in intensities[part.corners[w.index(1.0)]]] if intensities else [1.0] * 3
        judged.near(f"{what}: light of {glb.material_name(primitive.material)}", shown, wanted,
                    0.001 if part.slot == files.GEOMETRY else 0.016)
    judge_texels(judged, what, glb, primitive, corners, view, part, weights)


def judge_texels(judged, what, glb, primitive, corners, view, part, weights, animation=None, tick=None, rows=()):
    """What is shown at some points of a triangle. rows: of texture animations that are under way."""
    polygon = part.polygon
    times = extras(glb.materials[primitive.material]).get("texels_times", 1)
    random_ = random.Random(part.index)
    time = 0.0 if tick is None else (tick + 0.5) / TICKS
    (a, b, c), (d, e, f) = glb.uv_transform(primitive.material, animation, time)
    picture = picture_of(glb, glb.texture_of(primitive.material)["index"])
    uvs, texels = [primitive.uvs[c] for c in corners], [part.mixed(w, polygon["uvs"]) for w in weights]
    for _ in range(SAMPLES):
        shares = [random_.random() + 1e-3 for _ in range(3)]
        total = sum(shares)
        u, v = (sum(w * t[i] for w, t in zip(shares, texels)) / total for i in range(2))
        if any(abs(x - round(x)) < 0.02 for x in (u, v)):
            continue  # on the border of two texels it is either
        wanted = view.color(polygon, int(u), int(v), rows, tick)
        if wanted is None:
            continue
        s, t = (sum(w * uv[i] for w, uv in zip(shares, uvs)) / total for i in range(2))
        s, t = a * s + b * t + c, d * s + e * t + f
        found = picture.at(s, t)
        at = f"at {u:.2f}, {v:.2f}" + (f", tick {tick} of {animation[0]}" if animation else "")
        judged.near(f"{what}: alpha {at}", [found[3]], [255 * wanted[3]], 0)
        if wanted[3]:
            judged.near(f"{what}: texel {at}", found[:3], [min(255, value * 255 / 31 * times) for value in wanted[:3]],
                        4 * max(1, times))


def judge_told(judged, node, slot, view):
    """What a node tells of its polygons."""
    told, geometry = extras(node), view.chunks[slot]
    kinds = "textured_triangles", "textured_quads", "untextured_triangles", "untextured_quads"
    judged.same(f"{files_name(slot)}: polygons", told.get("polygons"), dict(zip(kinds, geometry["counts"])))
    if slot != files.GEOMETRY:
        return
    tiles = [None if (p["x"], p["z"]) == (255, 127) else [p["x"], p["z"], p["level"]]
             for p in geometry["polygons"][0] + geometry["polygons"][1]]
    if any(tiles) or "tiles" in told:
        judged.same("tiles of polygons", told.get("tiles"), tiles)
    if files.RENDER in view.chunks:
        words = [word for slots, of_kind in zip(view.chunks[files.RENDER]["slots"], geometry["polygons"])
                 for word in (slots + [0x8000] * len(of_kind))[:len(of_kind)]]
        textured = sum(geometry["counts"][:2])
        judged.same("hidden from", told.get("hidden_from", []),
                    [[i, word >> 2 & 0xFFF] for i, word in enumerate(words) if word >> 2 & 0xFFF])
        judged.same("unlit", told.get("unlit", []),
                    [i for i, word in enumerate(words[:textured]) if not facts.is_lit(word)])


def judge_light_told(judged, glb, below, lights):
    """Lights and gradient, as the node of a state tells them."""
    nodes = [n for i, n in enumerate(glb.nodes) if extras(n).get("kind") == "fft.state" and is_below(glb, i, below)]
    if lights and nodes:
        told = extras(nodes[0])
        judged.same("lights", told.get("lights"), [
            {"color": [row[i] for row in lights["colors"]], "direction": lights["directions"][i]} for i in range(3)])
        judged.same("ambient", told.get("ambient"), lights["ambient"])
        judged.same("gradient", told.get("gradient"), {"top": lights["top"], "bottom": lights["bottom"]})


class Picture:
    """A PNG of which only some pixels are asked for: lines that are stored as they are need no decoding."""

    def __init__(self, data):
        parts, at = {}, 8
        while at < len(data):
            size, kind = struct.unpack_from(">I4s", data, at)
            parts[kind] = parts.get(kind, b"") + data[at + 8:at + 8 + size]
            at += 12 + size
        self.width, self.height, self.depth, self.color = struct.unpack_from(">IIBB", parts[b"IHDR"])
        self.palette, self.clear, self.pixels = parts.get(b"PLTE"), parts.get(b"tRNS", b""), None
        self.lines = zlib.decompress(parts[b"IDAT"])
        self.stride = 1 + (self.width * self.depth + 7) // 8
        if self.color != 3 or any(self.lines[::self.stride]):
            self.pixels = nitro_glb.decode_png(data)[2]

    def at(self, s, t):
        x, y = int(s * self.width) % self.width, int(t * self.height) % self.height
        if self.pixels:
            return self.pixels[y * self.width + x]
        byte = self.lines[y * self.stride + 1 + x * self.depth // 8]
        value = byte >> (8 - self.depth - x * self.depth % 8) & (1 << self.depth) - 1
        return (*self.palette[3 * value:3 * value + 3], self.clear[value] if value < len(self.clear) else 255)


def picture_of(glb, texture):
    source = glb.json["textures"][texture]["source"]
    if source not in glb.pictures:
        glb.pictures[source] = Picture(glb.view(glb.json["images"][source]["bufferView"])[0])
    return glb.pictures[source]


# ---- textures that move ----------------------------------------------------------------------------------------------

def judge_moving_textures(judged, glb, view, drawn, ticks):
    """Every animation of textures, at some ticks. drawn: what judge_geometry gave."""
    rows = view.chunks[files.TEXTURE_ANIMATIONS]["rows"] if files.TEXTURE_ANIMATIONS in view.chunks else []
    kinds = [facts.animation_kind(row["mode"]) for row in rows]
    loops = [i for i, (kind, how) in enumerate(kinds) if kind in ("uv", "palette") and how in ("loop", "ping-pong")]
    wanted = {"texture animation": loops} if loops else {}
    wanted.update({f"field object {i}": [i] for i, (kind, how) in enumerate(kinds)
                   if kind in ("uv", "palette") and how in ("once", "backwards")})
    found = {name: (name, moved) for name, moved in glb.animations if name in wanted}
    for name, of_rows in wanted.items():
        if name not in found:
            # What nobody sees need not move.
            judged.same(f"{name}, which is seen",
                        any(is_seen(rows[i], view, *one) for i in of_rows for one in drawn), False)
            continue
        told = next(extras(a) for a in glb.json["animations"] if a.get("name") == name)
        # What is triggered stays at its end, but what goes on under it has no end: it is looked at while both move.
        within = told["ticks"] if of_rows is loops else max(1, told["ticks"] - 1)
        for tick in sorted({tick % within for tick in ticks}):
            for primitive, corners, part, weights in drawn:
                if part.kind < 2 and primitive.uvs:
                    # What moves by itself goes on in what is triggered, where a material moves at all.
                    moves = any(key[0] == "pointer" and key[1].startswith(f"/materials/{primitive.material}/")
                                for key in found[name][1])
                    under_way = sorted({*of_rows, *(loops if moves else ())})
                    judge_texels(judged, part.name, glb, primitive, corners, view, part, weights, found[name], tick,
                                 [rows[i] for i in under_way])


def is_seen(row, view, primitive, corners, part, weights):
    """Whether a triangle shows what a row changes."""
    polygon = part.polygon
    if part.kind > 1 or not primitive.uvs or not view.page(polygon):
        return False
    if facts.animation_kind(row["mode"])[0] == "palette":
        return row["canvas_x"] // 16 == facts.clut(polygon["clut"])[0]
    texels, random_ = [part.mixed(w, polygon["uvs"]) for w in weights], random.Random(2)
    for _ in range(50):
        shares = [random_.random() for _ in range(3)]
        u, v = (sum(w * t[i] for w, t in zip(shares, texels)) / sum(shares) for i in range(2))
        if facts.is_on_canvas(row, facts.page_of(polygon["page"]), int(u), int(v)):
            return True
    return False


# ---- ground ----------------------------------------------------------------------------------------------------------

def judge_ground(judged, glb, terrain, below=None):
    """The tiles of both levels: every corner's place and height, and what is told of each."""
    x_size, z_size = terrain["x"], terrain["z"]
    for level in range(2):
        nodes = [i for i in glb.order if glb.nodes[i].get("name") == f"level {level}" and is_below(glb, i, below)]
        if len(nodes) != 1:
            judged.append(f"{len(nodes)} nodes of level {level}")
            continue
        told = extras(glb.nodes[nodes[0]])
        # Of more than 256 tiles the last of level 0 lie in level 1; those of level 1 are beyond the chunk.
        tiles = (terrain["levels"][0] + terrain["levels"][1])[256 * level:][:x_size * z_size]
        beyond = x_size * z_size - len(tiles)
        for name, value in (("surface", lambda t: t["surface"]), ("height", lambda t: t["height"]),
                            ("depth", lambda t: t["depth"]), ("slope", lambda t: t["slope"]),
                            ("slope_height", lambda t: t["slope_height"]), ("thickness", lambda t: t["thickness"]),
                            ("displayed_half_steps", facts.half_steps), ("shading", lambda t: t["shading"]),
                            ("cameras", lambda t: t["camera_low"] | t["camera_high"] << 4),
                            ("flags", lambda t: t["missing"] | t["not_walkable"] << 1 | t["pass_only"] << 7)):
            judged.same(f"level {level}: {name}", told.get(name), [value(t) for t in tiles] + [None] * beyond)
        if "mesh" in glb.nodes[nodes[0]]:
            judge_tiles(judged, glb, nodes[0], level, tiles, x_size)
        judge_liquid(judged, glb, level, tiles, x_size, below)


def judge_liquid(judged, glb, level, tiles, x_size, below):
    """Over what is deep lies a surface, as many steps above the ground."""
    found = {}
    for primitive in glb.primitives:
        if glb.nodes[primitive.node].get("name") != f"depth {level}" or not is_below(glb, primitive.node, below):
            continue
        for triangle in primitive.triangles:
            points = [primitive.positions[c] for c in triangle]
            x, z = min(round(p[0]) for p in points) // 28, min(round(-p[2]) for p in points) // 28
            found.setdefault((x, z), set()).update(
                (round(p[0]) // 28 - x, round(-p[2]) // 28 - z, round(p[1] / 12, 3)) for p in points)
    for i, tile in enumerate(tiles):
        heights = dict(zip(((0, 1), (1, 1), (1, 0), (0, 0)), facts.corner_heights(tile)))
        wanted = {(*corner, float(h + tile["depth"])) for corner, h in heights.items()}
        place = i % x_size, i // x_size
        judged.same(f"level {level}: liquid of {place}", found.pop(place, set()),
                    wanted if tile["depth"] and not tile["missing"] else set())
    judged.same(f"level {level}: liquid of nothing", list(found), [])


def judge_lamps(judged, glb, lights):
    """Lights that stay lights shine the other way than the one that leads to them."""
    found = {}
    for index in glb.order:
        told = extras(glb.nodes[index])
        if told.get("kind") == "fft.light":
            matrix = glb.globals()[index][0]
            found[tuple(told["direction"])] = [-v for v in matrix[6:9]]
            lamp = glb.json["extensions"]["KHR_lights_punctual"]["lights"][
                glb.nodes[index]["extensions"]["KHR_lights_punctual"]["light"]]
            judged.same("a lamp's kind", lamp["type"], "directional")
            size = length(told["direction"]) / 4096
            # 2048 against a surface is a texture as it is: what a lamp of pi lights in glTF.
            wanted = [to_linear(min(max(c, 0) * size / 2048, 2)) for c in told["color"]]
            judged.near("a lamp's colour", [c * lamp["intensity"] / math.pi for c in lamp["color"]], wanted, 0.02)
    shining = [(tuple(d), [row[i] for row in lights["colors"]]) for i, d in enumerate(lights["directions"])]
    shining = [d for d, color in shining if any(c > 0 for c in color) and any(d)]
    judged.same("lamps", sorted(found), sorted(shining))
    for direction, shines in found.items():
        judged.near("where a lamp shines", shines, [-v / length(direction) for v in turned_over(direction)], 1e-3)


def to_linear(srgb):
    return srgb / 12.92 if srgb <= 0.04045 else ((srgb + 0.055) / 1.055) ** 2.4


def judge_tiles(judged, glb, node, level, tiles, x_size):
    """Each tile that exists is two triangles over its square, with its corners' heights."""
    found = {}
    for primitive in (p for p in glb.primitives if p.node == node):
        for triangle in primitive.triangles:
            points = [primitive.positions[c] for c in triangle]
            x = min(round(p[0]) for p in points) // 28
            z = min(round(-p[2]) for p in points) // 28
            found.setdefault((x, z), []).append(points)
            (ax, _, az), (bx, _, bz), (cx, _, cz) = points
            if (bz - az) * (cx - ax) - (bx - ax) * (cz - az) <= 0:
                judged.append(f"level {level}: a triangle of ({x}, {z}) that is not seen from above")
    for i, tile in enumerate(tiles):
        x, z = i % x_size, i // x_size
        if tile["missing"] or (level == 1 and not any(tile.values())):  # what is all zero was never used
            judged.same(f"level {level}: triangles of ({x}, {z}), which is not there", len(found.pop((x, z), ())), 0)
            continue
        triangles = found.pop((x, z), [])
        judged.same(f"level {level}: triangles of ({x}, {z})", len(triangles), 2)
        heights = dict(zip(((0, 1), (1, 1), (1, 0), (0, 0)), facts.corner_heights(tile)))
        for points in triangles:
            for px, py, pz in points:
                corner = round(px / 28 - x), round(-pz / 28 - z)
                judged.near(f"level {level}: ({x}, {z}) {corner}", [px, py, -pz],
                            [28 * (x + corner[0]), 12 * heights.get(corner, math.nan), 28 * (z + corner[1])], 1e-3)
    if found:
        judged.append(f"level {level}: tiles that are not there: {list(found)[:4]}")


# ---- parts that move -------------------------------------------------------------------------------------------------

def judge_moving_parts(judged, glb, view, random_, most=8):
    """Where the animated meshes stand at some ticks of the animation of state 0."""
    if files.MESH_ANIMATIONS not in view.chunks:
        return
    animations = facts.Animations(view.chunks[files.MESH_ANIMATIONS])
    if not animations.is_sound():
        return
    playing, ticks = next((a for a in glb.animations if a[0] == "state 0"), None), 0
    if playing:
        told = next(extras(a) for a in glb.json["animations"] if a.get("name") == "state 0")
        ticks = min(told["ticks"], 120)
    chosen = sorted({0, ticks, *(random_.randint(0, ticks) for _ in range(most))})
    # For all of them either way.
    ways = [Judged(), Judged()]
    for first_lasts, one in enumerate(ways):
        played = {part: facts.played(animations, part, ticks, first_lasts) for part in range(8)
                  if animations.is_drawn(part)}
        for tick in chosen:
            judge_parts_at(one, glb, animations, playing, played, tick)
    best = min(ways, key=len)
    judged.extend(best)
    judged.values += best.values


def judge_parts_at(judged, glb, animations, playing, played, tick):
    places, nodes, known, roughness = glb.globals(playing, tick / TICKS), mesh_nodes(glb), {}, {}
    for part in range(8):
        slot = files.ANIMATED[part]
        if slot not in nodes:
            continue
        matrix, seen = places[nodes[slot][0]]
        judged.same(f"{files_name(slot)} is seen at {tick}", seen, animations.is_drawn(part))
        if not animations.is_drawn(part):
            continue
        parent = animations.parents[part] - 1
        if any(abs(v) > 0x7FFF for values in played[part][:tick + 1] for v in values[3:]) or \
                parent >= 0 and parent not in known:
            continue  # once it was more than sixteen bits hold
        known[part] = facts.placed(played[part][tick], known.get(parent))
        # Angles and sines in whole numbers of 4096 in each of the parts that one hangs on, and what they enlarge.
        sizes = [abs(v) / 4096 for v in played[part][tick][6:]]
        roughness[part] = (1 + roughness.get(parent, 0)) * max(1.0, *sizes)
        rows, move = known[part]
        # Columns of the matrix in the scene, with Y and Z turned over on both sides.
        signs = (1, -1, -1)
        wanted = [rows[i][j] * signs[i] * signs[j] for j in range(3) for i in range(3)]
        judged.near(f"{files_name(slot)}: matrix at {tick}", matrix[:9], wanted, 0.01 * roughness[part])
        judged.near(f"{files_name(slot)}: place at {tick}", matrix[9:], turned_over(move),
                    0.5 * roughness[part] + 0.01 * max(map(abs, move)))


# ---- a scene ---------------------------------------------------------------------------------------------------------

def is_below(glb, node, above):
    while node is not None and node != above:
        node = glb.parents.get(node)
    return node == above


def mesh_nodes(glb, below=None):
    """{slot: node} of what is below a node, or of everything."""
    found = {}
    for index in glb.order:
        told = extras(glb.nodes[index])
        if told.get("kind") != "fft.mesh":
            continue
        if not is_below(glb, index, below):
            continue
        path = told.get("path", "")
        slot = files.GEOMETRY if path == "primary" else files.ANIMATED[int(path.split("_")[1]) - 1]
        found.setdefault(slot, []).append(index)
    return found


def judge_scene(glb, view, below=None, ticks=(), variant=None):
    """What differs between a GLB (or what is below one of its nodes, with the materials of a variant) and one state of
    a map. ticks: when what moves is looked at."""
    judged = Judged()
    judged.near("metres of a unit", [glb.metres], [1 / 28], 1e-6)
    found, drawn = mesh_nodes(glb, below), []
    for slot in files.GEOMETRIES:
        # A geometry without polygons has nothing to show.
        wanted = int(slot in view.chunks and any(view.chunks[slot]["counts"]))
        nodes = found.pop(slot, [])
        judged.same(f"nodes of {files_name(slot)}", len(nodes), wanted)
        for node in nodes[:wanted]:
            drawn += judge_geometry(judged, glb, node, slot, view, variant)
            judge_told(judged, glb.nodes[node], slot, view)
    if files.TERRAIN in view.chunks and view.chunks[files.TERRAIN]["x"] * view.chunks[files.TERRAIN]["z"]:
        judge_ground(judged, glb, view.chunks[files.TERRAIN], below)
    if variant is None:
        judge_light_told(judged, glb, below, view.lights)
    if ticks:
        judge_moving_textures(judged, glb, view, drawn, ticks)
        judge_moving_parts(judged, glb, view, random.Random(1))
    return judged


def view_of(data, texture=None):
    """Of one mesh file by itself."""
    return View(files.read_mesh(data)["chunks"], texture)


def read(path):
    return nitro_glb.read(path)
