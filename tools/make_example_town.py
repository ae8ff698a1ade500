#!/usr/bin/env python3
"""A small town of two maps as a GLB, from which docs/guide/platinum-from-blender.md makes a map of Pokémon Platinum. In Blender it is built there
and exported; without Blender it is written the way Blender's exporter would write it.

    tools/make_example_town.py town.glb
    blender --background --factory-startup --python tools/make_example_town.py -- town.glb

A metre is a tile. The town is 64 tiles wide and 32 deep. X is east, Y north, Z up, as in Blender.
"""
import math, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from example_scene_writers import Faces as PlainFaces, Here, InBlender, bpy, noise, save, steps

WIDTH, DEPTH = 64, 32
WEST, SOUTH = -WIDTH // 2, -DEPTH // 2


# ---- materials, each with a picture of 16 or 32 texels ----



def tufts(x, y):
    blade = (x * 5 + y) % 8 < 3 and y % 8 > 1
    return (38, 110, 44, 255) if blade else (96, 168, 74, 255)


def planks(x, y):
    return (86, 58, 34, 255) if y % 8 == 0 else (150, 108, 66, 255) if noise(x // 6, y // 8, 5) > 0.5 else (136, 96, 58, 255)


def bricks(x, y):
    joint = y % 8 == 0 or (x + (y // 8 % 2) * 8) % 16 == 0
    return (206, 200, 186, 255) if joint else (190, 110, 80, 255)


def tiles(x, y):
    return (120, 38, 34, 255) if y % 8 == 7 or (x + (y // 8 % 2) * 4) % 8 == 0 else (188, 62, 52, 255)


def needles(x, y):
    half = 3 + y * 13 / 31
    inside = abs(x - 15.5) < half * (0.62 + 0.38 * (y % 8) / 8)
    if y > 27: return (92, 62, 40, 255) if abs(x - 15.5) < 3 else (0, 0, 0, 0)
    return ((34, 92, 52, 255) if noise(x, y, 7) > 0.4 else (24, 70, 42, 255)) if inside else (0, 0, 0, 0)


OUT = (InBlender if bpy else Here)("town")
MATERIALS = {
    "grass": ("Ground", "t_grass", 16, steps([(104, 176, 80), (112, 184, 86), (98, 168, 76)], 1), False),
    "path": ("Path", "t_path", 16, steps([(210, 186, 136), (204, 178, 128), (216, 194, 146)], 2), False),
    "tall": ("Tall Grass", "t_tall", 16, tufts, False),
    "water": ("Water River", "t_water", 16, steps([(70, 130, 214), (78, 140, 222), (64, 122, 206)], 3), False),
    "cliff": ("Cliff", "t_cliff", 16, steps([(142, 112, 84), (128, 100, 74), (150, 120, 92)], 4), False),
    "planks": ("Planks", "t_planks", 16, planks, False),
    "bricks": ("Bricks", "t_bricks", 16, bricks, False),
    "roof": ("Roof", "t_roof", 16, tiles, False),
    "pine": ("Pine", "t_pine", 32, needles, True),
    "stone": ("Stone", "t_stone", 16, steps([(170, 170, 176), (158, 158, 166), (182, 182, 188)], 6), False),
}
for key, (name, file, size, pixel, clip) in MATERIALS.items(): OUT.material(key, name, file, size, pixel, clip)


# ---- meshes ----

class Faces(PlainFaces):
    def floor(self, kind, west, south, east, north, z, to_north=None):
        top = z if to_north is None else to_north
        self.quad(kind, [(west, south, z), (east, south, z), (east, north, top), (west, north, top)],
                  [(west, south), (east, south), (east, north), (west, north)])

    def ceiling(self, kind, west, south, east, north, z):
        self.quad(kind, [(west, north, z), (east, north, z), (east, south, z), (west, south, z)])

    def walls(self, kind, west, south, east, north, low, high, sides="senw"):
        each = {"s": [(west, south), (east, south)], "e": [(east, south), (east, north)], "n": [(east, north), (west, north)], "w": [(west, north), (west, south)]}
        for side in sides:
            (x0, y0), (x1, y1) = each[side]
            self.quad(kind, [(x0, y0, low), (x1, y1, low), (x1, y1, high), (x0, y0, high)])

    def object(self, at=(0, 0, 0), parent=None, **properties):
        """Returns the object, and its mesh for others."""
        mesh = OUT.mesh(self)
        return OUT.object(self.name, mesh, at, parent, **properties), mesh


# ---- the ground: what is on each tile, in rectangles as large as possible ----

POND, TERRACE, RAMP, STEPS = (-26, -12, -14, -4), (6, 4, 22, 14), (10, -2, 14, 4), (18, 1, 20, 4)


def within(box, x, y): return box[0] <= x < box[2] and box[1] <= y < box[3]


def on_tile(x, y):
    if any(within(box, x, y) for box in (POND, TERRACE, RAMP, STEPS)): return None
    if -2 <= y < 0 or (-4 <= x < -2 and y < 0) or (10 <= x < 14 and -4 <= y < -2): return "path"
    if within((-30, 4, -18, 12), x, y) or within((24, -14, 31, -6), x, y): return "tall"
    return "grass"


def ground():
    faces = Faces("Ground")
    left = {(x, y): on_tile(x, y) for x in range(WEST, -WEST) for y in range(SOUTH, -SOUTH)}
    for y in range(SOUTH, -SOUTH):
        for x in range(WEST, -WEST):
            kind = left.get((x, y))
            if kind is None: continue
            east, north = x, y
            while left.get((east, y)) == kind: east += 1
            while all(left.get((i, north)) == kind for i in range(x, east)): north += 1
            for i in range(x, east):
                for j in range(y, north): left[(i, j)] = None
            faces.floor(kind, x, y, east, north, 0)
    faces.floor("water", *POND, -0.25)
    west, south, east, north = POND
    for (x0, y0), (x1, y1) in zip([(west, north), (west, south), (east, south), (east, north)], [(east, north), (west, north), (west, south), (east, south)]):
        faces.quad("cliff", [(x0, y0, -0.25), (x1, y1, -0.25), (x1, y1, 0), (x0, y0, 0)])
    faces.floor("grass", *TERRACE, 2)
    faces.walls("cliff", *TERRACE, 0, 2)
    faces.floor("path", *RAMP, 0, 2)
    faces.walls("cliff", *RAMP, 0, 2, "ew")
    for i in range(12):  # a flight of steps
        low, depth = 2 * i / 12, (STEPS[3] - STEPS[1]) / 12
        south = STEPS[1] + i * depth
        faces.floor("stone", STEPS[0], south, STEPS[2], south + depth, low + 1 / 6)
        faces.walls("stone", STEPS[0], south, STEPS[2], south + depth, low, low + 1 / 6, "s")
        faces.walls("stone", STEPS[0], south, STEPS[2], south + depth, 0, low + 1 / 6, "ew")
    faces.object()


def bridge():
    faces = Faces("Bridge")
    west, south, east, north = -22, -13, -19, -3
    faces.floor("planks", west, south, east, north, 0.25)
    faces.ceiling("planks", west, south, east, north, 0.1)
    for x in (west, east):
        faces.quad("planks", [(x, south, 0.1), (x, north, 0.1), (x, north, 1), (x, south, 1)])
        faces.quad("planks", [(x, north, 0.1), (x, south, 0.1), (x, south, 1), (x, north, 1)])
    faces.object()


def house(name, x, y, width, depth):
    faces = Faces(name)
    faces.walls("bricks", x, y, x + width, y + depth, 0, 3)
    ridge, over = y + depth / 2, 0.5
    faces.quad("roof", [(x - over, y - over, 2.8), (x + width + over, y - over, 2.8), (x + width + over, ridge, 5), (x - over, ridge, 5)])
    faces.quad("roof", [(x + width + over, y + depth + over, 2.8), (x - over, y + depth + over, 2.8), (x - over, ridge, 5), (x + width + over, ridge, 5)])
    for end, order in ((x, -1), (x + width, 1)):
        a, b, c = (end, y, 3), (end, y + depth, 3), (end, ridge, 5)
        corners = [a, b, c, c] if order > 0 else [b, a, c, c]
        faces.quad("bricks", corners, [(0, 0), (depth, 0), (depth / 2, 2), (depth / 2, 2)])
    faces.object()


# ---- props: objects with the property prop; those of one name share a mesh ----

def pines():
    faces = Faces("Pine")
    for dx, dy in ((0.9, 0), (0, 0.9)):
        faces.quad("pine", [(-dx, -dy, 0), (dx, dy, 0), (dx, dy, 2.6), (-dx, -dy, 2.6)], [(0, 0), (1, 0), (1, 1), (0, 1)])
    _, mesh = faces.object(at=(-30.5, -14.5, 0), prop="pine")
    spots = [(-26.5, -14.5), (-30.5, -10.5), (-30.5, 14.5), (-16.5, 14.5), (-8.5, 14.5), (-12.5, -13.5), (2.5, -13.5), (8.5, -13.5), (16.5, -9.5), (22.5, -3.5), (30.5, 2.5), (30.5, 10.5)]
    for i, (x, y) in enumerate(spots): OUT.object(f"Pine.{i + 1:03}", mesh, (x, y, 0), size=1.0 if (x + y) % 2 else 1.25, prop="pine")


def mill():
    tower = Faces("Mill")
    tower.walls("stone", -1, -1, 1, 1, 0, 3)
    tower.floor("roof", -1, -1, 1, 1, 3)
    mill, _ = tower.object(at=(8, 8, 2), prop="mill")
    sails = Faces("Sails")
    for turn in range(4):
        a = turn * math.pi / 2
        c, s = math.cos(a), math.sin(a)
        def at(x, z): return (x * c - z * s, 0, x * s + z * c)
        sails.quad("planks", [at(-0.25, 0.3), at(0.25, 0.3), at(0.25, 2), at(-0.25, 2)], [(0, 0), (1, 0), (1, 2), (0, 2)])
    blades, _ = sails.object(at=(0, -1.1, 2.6), parent=mill)
    OUT.spin(blades, 120)


# ---- events: empties with the property event ----

def events():
    OUT.object("Sign", None, (-4.5, 1.5, 0), event="sign", script=1, player_facing_dir="north", collision=True)
    OUT.object("Villager", None, (2.5, -0.5, 0), event="object", graphics_id=5, script=2, movement_range_x=2, movement_range_z=2)
    OUT.object("To the road", None, (-2.5, -15.5, 0), event="warp", to="TOWN", to_warp=0, behavior="warp south")
    OUT.object("Edge of the town", None, (30, -1, 0), event="trigger", script=3)


ground()
bridge()
house("House", -14, 2, 6, 4)
house("Shop", -4, 4, 7, 5)
pines()
mill()
events()
save(OUT, __doc__)
