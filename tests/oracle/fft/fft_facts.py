"""What a map of Final Fantasy Tactics means: light, slopes, words of the graphics chip, frames of textures, parts that
move, and which files a state of a map is made of. Written from the documents alone; fft_test.py holds it to numbers by
hand.
"""
import math

import fft_files as files

ONE = 4096


# ---- colours and light -----------------------------------------------------------------------------------------------

def rgb5(word):
    """(red, green, blue, semi-transparency) of a colour of 16 bits"""
    return tuple(files.bits(word, 5, 5, 5, 1))


def intensity(lights, normal):
    """Red, green, blue 0..255; 128 leaves a texture as it is."""
    facing = [max(0.0, sum(d * n for d, n in zip(direction, normal)) / ONE / ONE) for direction in lights["directions"]]
    return [min(255.0, max(0.0, ambient + sum(c / 16 * f for c, f in zip(colors, facing))))
            for ambient, colors in zip(lights["ambient"], lights["colors"])]


def intensity_exact(lights, normal):
    """The same as the chip works it out: whole numbers, always rounded down."""
    facing = [min(0x7FFF, max(0, sum(d * n for d, n in zip(direction, normal)) >> 12))
              for direction in lights["directions"]]
    return [min(255, max(0, ambient * 16 + (sum(c * f for c, f in zip(colors, facing)) >> 12)) >> 4)
            for ambient, colors in zip(lights["ambient"], lights["colors"])]


def is_lit(word):
    return bool(word & 0x8000)


# From bit 13 down to bit 2: where the camera stands when a polygon is hidden.
HIDDEN = ("SW", "NW", "NE", "SE", "SSW", "WSW", "WNW", "NNW", "NNE", "ENE", "ESE", "SSE")


def hidden_from(word):
    return [name for bit, name in zip(range(13, 1, -1), HIDDEN) if word >> bit & 1]


# ---- words of the graphics chip --------------------------------------------------------------------------------------

def clut(word):
    """(row of the palettes, y in VRAM as stored)"""
    return word & 0x3F, word >> 6


def texture_page(word):
    """(x in units of 64, y in units of 256, blend mode, depth of colours, is of the map's own four pages)"""
    x, y, blend, depth = files.bits(word, 4, 1, 2, 2)
    return x, y, blend, depth, x >> 2 == 3 and y == 0


def page_of(word):
    return word & 3


# ---- ground ----------------------------------------------------------------------------------------------------------

SIDES = (("N", 6), ("S", 4), ("W", 2), ("E", 0))
CORNERS = ("NW", "NE", "SE", "SW")
SLOPE_NAMES = {0x00: "flat", 0x85: "incline N", 0x52: "incline E", 0x25: "incline S", 0x58: "incline W",
               0x41: "convex NE", 0x11: "convex SE", 0x14: "convex SW", 0x44: "convex NW", 0x96: "concave NE",
               0x66: "concave SE", 0x69: "concave SW", 0x99: "concave NW"}


def raised(slope):
    """Which corners are high: the only set that gives each side its number of high corners; None: there is none."""
    counts = {side: slope >> shift & 3 for side, shift in SIDES}
    for mask in range(16):
        high = {corner for i, corner in enumerate(CORNERS) if mask >> i & 1}
        if all(sum(side in corner for corner in high) == count for side, count in counts.items()):
            if high not in ({"NE", "SW"}, {"NW", "SE"}):  # two across: every side has one, as with their opposites
                return high
    return None


def corner_heights(tile):
    """Steps of 12 of NW, NE, SE, SW, without the liquid; unknown slopes are taken as flat."""
    high = raised(tile["slope"]) or set()
    return [tile["height"] + tile["slope_height"] * (corner in high) for corner in CORNERS]


def half_steps(tile):
    """The height that is shown."""
    return 2 * tile["height"] + 2 * tile["depth"] + tile["slope_height"]


# ---- textures that move ----------------------------------------------------------------------------------------------

MODES = ((("uv", "loop"), (1, 1)), (("uv", "ping-pong"), (2, 2)), (("palette", "loop"), (3, 3)),
         (("palette", "ping-pong"), (4, 4)), (("uv", "once"), (5, 0x0C)), (("palette", "once"), (0x0D, 0x14)),
         (("uv", "backwards"), (0x15, 0x1C)), (("polygons", None), (0x1D, 0x1D)), (("uv", "ping-pong"), (0x80, 0x80)),
         (("palette", "ping-pong"), (0x81, 0x81)), (("uv", "backwards"), (0x82, 0x82)))


def animation_kind(mode):
    """("uv" or "palette" or "polygons" or None, "loop" or "ping-pong" or "once" or "backwards" or None)"""
    for kinds, (first, last) in MODES:
        if first <= mode <= last:
            return kinds
    return None, None


def frame_places(row):
    """VRAM (x, y) of every frame of a UV row: to the right, and when the right edge of the next would pass the page's
    column 63, from column 2 one height lower."""
    x, y, made = row["frame_x"], row["frame_y"], []
    page = x & ~63
    for _ in range(row["frame_count"]):
        made.append((x, y))
        x += row["width"]
        if x + row["width"] > page + 63:
            x, y = page + 2, y + row["height"]
    return made


def texels_of(x, y, width, height):
    """(page, u, v, width, height) in texels of a place in VRAM."""
    return (x - 0x300) // 64, (x - 0x300) % 64 * 4, y, width * 4, height


def is_on_canvas(row, page, u, v):
    if animation_kind(row["mode"])[0] != "uv":
        return False
    own, left, top, width, height = texels_of(row["canvas_x"], row["canvas_y"], row["width"], row["height"])
    return page == own and left <= u < left + width and top <= v < top + height


def texel_of_frame(row, frame, u, v):
    """(page, u, v) of what a frame brings to a texel of the canvas."""
    _, left, top, _, _ = texels_of(row["canvas_x"], row["canvas_y"], 0, 0)
    page, x, y, _, _ = texels_of(*frame_places(row)[frame], 0, 0)
    return page, x + u - left, y + v - top


def order_of_frames(row):
    """One round of the frames as they are shown: numbers."""
    count, how = row["frame_count"], animation_kind(row["mode"])[1]
    if how == "ping-pong":
        return [*range(count), *range(count - 2, 0, -1)]
    return list(reversed(range(count))) if how == "backwards" else list(range(count))


def frame_at(row, tick):
    """Which frame is shown so many ticks after it began. In a loop that only goes forward a frame lasts as long as is
    told, else a tick longer (the timer has to be beyond it)."""
    kind, how = animation_kind(row["mode"])
    order = order_of_frames(row)
    step = tick // (row["duration"] + (how != "loop"))
    return order[step % len(order)] if how in ("loop", "ping-pong") else order[min(step, len(order) - 1)]


# ---- parts that move -------------------------------------------------------------------------------------------------

def turn(value):
    return value * 2 * math.pi / ONE


def channel(mode, start, target, first, last, t):
    """The value at t (0..1) of an instruction. None if no bit moves it: the documents leave open what is seen then."""
    delta = (target - start) if mode & 1 else target if mode & 2 else 0
    angle = turn(first + (last - first) * t)
    if mode & 4:
        return start + delta * t
    if mode & 8:
        return start + delta * math.sin(angle)
    if mode & 0x10:
        return start + delta * (math.sin(angle) + 1)
    return None


def values_of(keyframe):
    return [*keyframe["rotation"], *keyframe["position"], *keyframe["scale"]]


PARTS = 8


class Animations:
    """The parts of a map that move, in state 0 unless told."""

    def __init__(self, chunk, state=0):
        by_type = {record["type"]: record for record in chunk["records"]}
        self.keyframes = by_type[1]["keyframes"] if 1 in by_type else []
        self.instructions = by_type[2]["states"][state] if 2 in by_type else []
        self.first = by_type[2]["states"][0] if 2 in by_type else []
        self.parents = [row[0] for row in by_type[3]["parents"][:8]] if 3 in by_type else [0] * 8

    def keyframe(self, number):
        return self.keyframes[number - 1] if 0 < number <= len(self.keyframes) else None

    def is_drawn(self, part):
        """part: from 0"""
        return bool(self.first) and self.first[part][0]["next"] != 0

    def is_sound(self):
        """Whether the documents say all of what state 0 does: keyframes and instructions that there are."""
        for part in range(PARTS):
            if self.is_drawn(part):
                for one in self.instructions[part]:
                    if one["duration"] and not self.keyframe(one["keyframe"]) or one["next"] > 16:
                        return False
                if self.parents[part] > part:
                    return False
        return True

    def start(self, part):
        return values_of(self.keyframe(self.instructions[part][0]["keyframe"]))


def step_values(start, keyframe, t):
    """The nine channels at t of an instruction that began with `start`."""
    found, angles = [], list(zip(keyframe["start_angles"], keyframe["end_angles"]))
    for i, target in enumerate(values_of(keyframe)):
        value = channel(keyframe["modes"][i], start[i], target, *angles[i], t)
        found.append(start[i] if value is None else value)
    return found


def played(animations, part, ticks, first_lasts=False):
    """The nine channels of a part at every tick. The first instruction of the state is where it begins; whether it
    lasts or what follows it begins at once, the documents do not say."""
    values, made = animations.start(part), []
    follows = 1 if first_lasts else animations.instructions[part][0]["next"]
    while len(made) <= ticks:
        one = animations.instructions[part][follows - 1] if 1 <= follows <= 16 else {"duration": 0}
        keyframe = one["duration"] and animations.keyframe(one["keyframe"])
        if not keyframe:
            made.append(values)
            continue
        made += [step_values(values, keyframe, tick / one["duration"]) for tick in range(one["duration"])]
        values, follows = step_values(values, keyframe, 1), one["next"]
    return made[:ticks + 1]


def rotation(angles):
    """Rx.Ry.Rz as rows, of angles of which 4096 are a turn."""
    made = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for axis, value in enumerate(angles):
        s, c = math.sin(turn(value)), math.cos(turn(value))
        about = ([[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                 [[c, -s, 0], [s, c, 0], [0, 0, 1]])
        made = product(made, about[axis])
    return made


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def placed(values, parent=None):
    """(matrix, translation) of a part: first scaled, then turned, then moved, all within its parent."""
    matrix = product(rotation(values[:3]), [[values[6 + i] / ONE if i == j else 0 for j in range(3)] for i in range(3)])
    move = list(values[3:6])
    if parent:
        move = apply(parent, move)
        matrix = product(parent[0], matrix)
    return matrix, move


def apply(place, point):
    matrix, move = place
    return [sum(matrix[i][k] * point[k] for k in range(3)) + move[i] for i in range(3)]


def to_gltf(point):
    """Of a place or, without the 28, a direction: Y up, metres of a tile."""
    x, y, z = point
    return x / 28, -y / 28, -z / 28


# ---- states ----------------------------------------------------------------------------------------------------------

WEATHERS = ("none", "none, alternate", "light", "normal", "heavy")


def signed(value):
    return value - 0x10000 if value & 0x8000 else value


def state_word(variable, weather, night):
    return signed(variable & 0xFFF | weather << 12 | night << 15)


def holds(row, wanted):
    state = row["state"]
    return {1: wanted == state, 2: wanted < state, 3: wanted > state}.get(row["comparison"], False)


def is_default(row):
    return row["variable"] in (0x22, 0x30) and row["state"] == 0


def chosen(gns, variables, weather=0, night=0):
    """The row of each type that is loaded, by the game's own rule. variables: {0x22: ..., 0x30: ..., 0x70: ...}"""
    pending = {}
    for kind in (files.PRIMARY, files.OVERRIDE):
        for row in gns["rows"]:
            if row["type"] == kind:
                pending[kind] = row
    for row in gns["rows"]:
        if row["type"] == files.TEXTURE and is_default(row):
            pending[files.TEXTURE] = row
    for row in gns["rows"]:
        if not is_default(row) and row["type"] != files.FILLER and \
                holds(row, state_word(variables.get(row["variable"], 0), weather, night)):
            pending[row["type"]] = row
    return pending


def merged(meshes):
    """meshes: [(name, mesh)] in the order they are applied. {slot: (name, chunk)}: later ones replace, geometry also
    takes the animated meshes of earlier files away."""
    made = {}
    for name, mesh in meshes:
        if files.GEOMETRY in mesh["chunks"]:
            for slot in files.ANIMATED:
                made.pop(slot, None)
        for slot, chunk in mesh["chunks"].items():
            made[slot] = name, chunk
    return made
