#!/usr/bin/env python3
"""A race track as a GLB, from which docs/guide/course-from-blender.md makes a course of Mario Kart Wii: an eight with a bridge over its
crossing, a shortcut through the grass, boost panels, item boxes and water. In Blender it is built there and exported; without Blender it is
written the way Blender's exporter would write it.

    tools/make_example_track.py track.glb
    blender --background --factory-startup --python tools/make_example_track.py -- track.glb
"""
import math, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from example_scene_writers import Faces, Here, InBlender, bpy, noise, save, steps

POINTS = 180  # of the road, once around
ROAD, VERGE = 8, 5  # metres: half the road, and the grass beside it
LONG, WIDE, BRIDGE = 170, 95, 11
WATER = -6


def asphalt(x, y):
    if x in (0, 1, 62, 63): return (236, 232, 220, 255)
    if x in (31, 32) and y % 32 < 16: return (222, 200, 96, 255)
    shade = 88 + int(noise(x // 2, y // 2, 1) * 14)
    return (shade, shade, shade + 6, 255)


def arrows(x, y):
    inside = abs(x - 15.5) < 12 and (y + abs(x - 15.5)) % 16 < 6
    return (255, 196, 40, 255) if inside else (44, 92, 190, 255)


def ripples(x, y):
    wave = math.sin(x * math.pi / 8 + 2 * math.sin(y * math.pi / 16)) * 0.5 + 0.5
    return (int(40 + 30 * wave), int(104 + 40 * wave), int(178 + 36 * wave), 255)


def planks(x, y):
    return (86, 58, 34, 255) if y % 8 == 0 else (150, 108, 66, 255) if noise(x // 6, y // 8, 5) > 0.5 else (136, 96, 58, 255)


def needles(x, y):
    half = 3 + y * 13 / 31
    inside = abs(x - 15.5) < half * (0.62 + 0.38 * (y % 8) / 8)
    if y > 27: return (92, 62, 40, 255) if abs(x - 15.5) < 3 else (0, 0, 0, 0)
    return ((34, 92, 52, 255) if noise(x, y, 7) > 0.4 else (24, 70, 42, 255)) if inside else (0, 0, 0, 0)


def checkers(x, y):
    return (240, 240, 240, 255) if (x // 8 + y // 8) % 2 else (24, 24, 24, 255)


def clouds(x, y):
    high = y / 63  # the top of the picture is the top of the sky
    white = noise(x // 9, y // 4, 11) > 0.82 and 24 < y < 52
    return (244, 248, 252, 255) if white else (int(70 + 120 * high), int(140 + 80 * high), int(226 + 20 * high), 255)


OUT = (InBlender if bpy else Here)("track")
# The names of the materials are types of the collision, or have the property `collision`.
OUT.material("road", "road", "asphalt", 64, asphalt, False)
OUT.material("grass", "off-road: grass", "grass", 16, steps([(104, 176, 80), (112, 184, 86), (98, 168, 76)], 1), False)
OUT.material("wall", "wall", "planks", 16, planks, False)
OUT.material("boost", "boost panel", "arrows", 32, arrows, False, scroll=[0.0, 1.0])
OUT.material("water", "fall boundary: water", "water", 32, ripples, False, scroll=[0.1, 0.05])
OUT.material("line", "road line", "checkers", 32, checkers, False, collision=False)
OUT.material("pine", "pine", "pine", 32, needles, True, collision=False)
OUT.material("sky", "sky", "sky", 64, clouds, False)


# ---- the middle of the road ----

def middle(t):
    """An eight, once around from t = 0 to 1; it crosses itself at 0 and 1/2, there on a bridge."""
    a = 2 * math.pi * t
    away = min(1, abs(t % 1 - 0.5) / 0.16)
    return LONG * math.sin(a), WIDE * math.sin(2 * a), BRIDGE * (1 + math.cos(math.pi * away)) / 2


def frame(way, t, step=1e-4):
    """A point and the direction to its left."""
    x, y, z = way(t)
    (x0, y0, _), (x1, y1, _) = way(t - step), way(t + step)
    length = math.hypot(x1 - x0, y1 - y0)
    return (x, y, z), (-(y1 - y0) / length, (x1 - x0) / length)


def beside(way, t, across, up=0.0):
    (x, y, z), (lx, ly) = frame(way, t)
    return x + lx * across, y + ly * across, z + up


SHORT_FROM, SHORT_TO = 0.09, 0.41


def shortcut(t):
    """A Bezier curve through the first half of the eight; it leaves and meets the road in its direction."""
    t = max(0.0, min(1.0, t))
    (ax, ay, az), (alx, aly) = frame(middle, SHORT_FROM)
    (bx, by, bz), (blx, bly) = frame(middle, SHORT_TO)
    reach = 50
    p = [(ax, ay), (ax + aly * reach, ay - alx * reach), (bx - bly * reach, by + blx * reach), (bx, by)]
    w = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
    return sum(k * x for k, (x, _) in zip(w, p)), sum(k * y for k, (_, y) in zip(w, p)), az + (bz - az) * t - 0.02


# ---- what is seen and driven on ----

def strip(faces, kind, way, times, right, left, up=0.0, metres=16.0, up_left=None):
    v = 0.0
    for a, b in zip(times, times[1:]):
        corners = [beside(way, a, right, up), beside(way, b, right, up), beside(way, b, left, up if up_left is None else up_left), beside(way, a, left, up if up_left is None else up_left)]
        length = math.dist(way(a), way(b)) / metres
        faces.quad(kind, [corners[0], corners[1], corners[2], corners[3]], [(1, v), (1, v + length), (0, v + length), (0, v)])
        v += length


def near_shortcut(t, side):
    """Whether the shortcut crosses the edge of the road there, so that there is no wall."""
    x, y, _ = beside(middle, t, side * (ROAD + VERGE))
    return any(math.dist((x, y), shortcut(i / 60)[:2]) < 9 for i in range(61))


def on_bridge(t): return abs(t - 0.5) < 0.10


def road():
    times = [i / POINTS for i in range(POINTS + 1)]
    faces = Faces("Road")
    strip(faces, "road", middle, times, -ROAD, ROAD)
    faces_of_verge = Faces("Verge")
    for a, b in zip(times, times[1:]):
        half = (a + b) / 2
        for side in (-1, 1):
            inner, outer = side * ROAD, side * (ROAD + (0 if on_bridge(half) else VERGE))
            low, high = min(inner, outer), max(inner, outer)
            if low != high: strip(faces_of_verge, "grass", middle, [a, b], low, high, metres=8)
            if near_shortcut(half, side): continue
            up, down = (2, 0) if side > 0 else (0, 2)
            wall = [beside(middle, a, outer, 0), beside(middle, b, outer, 0), beside(middle, b, outer, 2.5), beside(middle, a, outer, 2.5)]
            if side > 0: wall.reverse()
            faces_of_verge.quad("wall", wall)
            if on_bridge(half):  # its sides, down to the beams
                beam = [beside(middle, a, outer, -1.5), beside(middle, b, outer, -1.5), beside(middle, b, outer, 0), beside(middle, a, outer, 0)]
                if side < 0: beam.reverse()
                faces_of_verge.quad("wall", beam)
    for made in (faces, faces_of_verge): OUT.object(made.name, OUT.mesh(made), (0, 0, 0))
    faces = Faces("Shortcut")
    strip(faces, "grass", shortcut, [i / 40 for i in range(41)], -6, 6, metres=8)
    OUT.object(faces.name, OUT.mesh(faces), (0, 0, 0))


def panels():
    faces = Faces("Boost panels")
    for t in (0.2, 0.3, 0.69): strip(faces, "boost", middle, [t - 0.004, t + 0.004], -2.5, 2.5, up=0.05, metres=5)
    for t in (0.45, 0.55): strip(faces, "boost", shortcut, [t - 0.03, t + 0.03], -2.5, 2.5, up=0.05, metres=5)
    OUT.object(faces.name, OUT.mesh(faces), (0, 0, 0))


def scenery():
    faces = Faces("Water")
    faces.quad("water", [(-215, -145, WATER), (215, -145, WATER), (215, 145, WATER), (-215, 145, WATER)], [(0, 0), (30, 0), (30, 20), (0, 20)])
    OUT.object(faces.name, OUT.mesh(faces), (0, 0, 0))
    pine = Faces("Pine")
    for x, y in ((2, 0), (0, 2)): pine.quad("pine", [(-x, -y, 0), (x, y, 0), (x, y, 6), (-x, -y, 6)], [(0, 0), (1, 0), (1, 1), (0, 1)])
    mesh = OUT.mesh(pine)
    for i in range(0, POINTS, 6):
        side = 1 if i % 12 else -1
        if not on_bridge(i / POINTS) and not on_bridge((i / POINTS + 0.5) % 1) and not near_shortcut(i / POINTS, side):
            OUT.object(f"Pine.{i:03}", mesh, beside(middle, i / POINTS, side * (ROAD + VERGE - 1)))


def sky():
    faces = Faces("sky")
    around, levels, radius = 16, [-0.15, 0.05, 0.3, 0.65, 0.97], 900
    def at(k, level):
        flat = math.sqrt(1 - level * level) * radius
        return flat * math.cos(2 * math.pi * k / around), flat * math.sin(2 * math.pi * k / around), level * radius
    for low, high in zip(levels, levels[1:]):
        for k in range(around):  # seen from inside
            faces.quad("sky", [at(k + 1, low), at(k, low), at(k, high), at(k + 1, high)], [((k + 1) / 4, low), (k / 4, low), (k / 4, high), ((k + 1) / 4, high)])
    OUT.object(faces.name, OUT.mesh(faces), (0, 0, 0))


# ---- the race: curves and empties ----

START = 0.968


def race():
    # The points are in the driving direction, from the start on.
    OUT.curve("course path", [beside(middle, (START + i / 120) % 1, 0) for i in range(120)], True)
    OUT.curve("course path shortcut", [shortcut(i / 24) for i in range(25)], False)
    OUT.object("start", None, beside(middle, START, 0), laps=3)
    faces = Faces("Finish line")
    strip(faces, "line", middle, [START + 0.003, START + 0.0055], -ROAD, ROAD, up=0.03)
    OUT.object(faces.name, OUT.mesh(faces), (0, 0, 0))
    for t in (0.15, 0.36, 0.75):
        for k in range(-2, 3): OUT.object("itembox", None, beside(middle, t, k * 3, 1.2))


road()
panels()
scenery()
sky()
race()
save(OUT, __doc__)
