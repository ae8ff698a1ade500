#!/usr/bin/env python3
"""The values of Nitro animations at any frame. Second reader, see nitro_oracle.py.

    nitro_animation.py FRAME ANIMATION [MODEL]

The values at a frame (whole or not) as JSON. Of joints: translation, rotation (nine numbers in file order), scale and
its inverse of each node; the model says what the animation leaves to it.
"""
import json
import math
import sys

import nitro_oracle
from nitro_oracle import IDENTITY, cross


def between(curve, frame, frames, interpolated, around):
    """The two samples a frame lies between and how far it is from the first: (i, j, 0 to 1).

    The samples stand at 0, step, 2 step ... last, and at every frame behind it. Between two frames a value moves only
    if `interpolated`; behind the last frame it holds, or goes to sample 0 if `around`.
    """
    if curve.constant:
        return 0, 0, 0.0
    frame = min(max(frame, 0), frames)
    if not interpolated:
        frame = min(math.floor(frame), frames - 1)
    if frame > frames - 1:
        end = len(curve.values) - 1
        return (end, 0, frame - (frames - 1)) if around else (end, end, 0.0)
    last = frames - 1 if curve.step == 1 else curve.last
    if frame < last:
        i = math.floor(frame) // curve.step
        return i, i + 1, frame / curve.step - i
    i = math.floor(frame) - last
    weight = frame - last - i
    i += last // curve.step
    return i, i + (weight > 0), weight


def value_at(curve, frame, frames, interpolated=False, around=False):
    """A number, or a tuple of numbers."""
    i, j, weight = between(curve, frame, frames, interpolated, around)
    a, b = curve.values[i], curve.values[j]
    if weight == 0:
        return a
    if isinstance(a, tuple):
        return tuple((1 - weight) * x + weight * y for x, y in zip(a, b))
    return (1 - weight) * a + weight * b


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v] if length else list(v)


def rotation_at(animation, curve, frame, interpolated, around):
    """Nine numbers in file order."""
    i, j, weight = between(curve, frame, animation.frames, interpolated, around)
    a, b = curve.values[i], curve.values[j]
    first, second = animation.rotations[a], animation.rotations[b]
    if weight == 0 or a == b:
        return first
    mixed = [(1 - weight) * x + weight * y for x, y in zip(first, second)]
    x, y = unit(mixed[:3]), unit(mixed[3:6])
    from_basis = not a & 0x8000 or not b & 0x8000
    return [*x, *y, *(cross(x, y) if from_basis else unit(mixed[6:]))]


def pose_at(model, animation, frame):
    """(translation, rotation, scale, inverse scale) of each node of the model. Without an animation: at rest."""
    pose = [(n.translation, n.rotation, n.scale, n.inverse_scale) for n in model.nodes]
    if animation is None:
        return pose
    interpolated, around = bool(animation.flag & 1), bool(animation.flag & 2)
    for i, track in enumerate(animation.tracks[:len(pose)]):
        if track is None:
            pose[i] = ([0.0] * 3, IDENTITY, [1.0] * 3, [1.0] * 3)
            continue
        translation, rotation, scale, inverse = pose[i]
        if track["translation"] == "identity":
            translation = [0.0] * 3
        elif track["translation"] != "model":
            translation = [value_at(c, frame, animation.frames, interpolated, around) for c in track["translation"]]
        if track["rotation"] == "identity":
            rotation = IDENTITY
        elif track["rotation"] != "model":
            rotation = rotation_at(animation, track["rotation"][0], frame, interpolated, around)
        if track["scale"] == "identity":
            scale, inverse = [1.0] * 3, [1.0] * 3
        elif track["scale"] != "model":
            pairs = [value_at(c, frame, animation.frames, interpolated, around) for c in track["scale"]]
            scale, inverse = [p[0] for p in pairs], [p[1] for p in pairs]
        pose[i] = (translation, rotation, scale, inverse)
    return pose


def texture_values_at(animation, material_name, frame):
    """((scale S, T), (sine, cosine), (translation S, T)) of a texture animation; None if it has no such material.

    Whole frames only, whatever the flag says."""
    track = animation.tracks.get(material_name)
    if track is None:
        return None
    values = [value_at(curve, frame, animation.frames) for curve in track]
    return (values[0], values[1]), values[2], (values[3], values[4])


def texture_matrix(mode, scale, sine_cosine, translation, width, height):
    """((a, b, c), (d, e, f)) with u' = a u + b v + c, v' = d u + e v + f, in widths and heights of the texture."""
    s, t = scale
    sine, cosine = sine_cosine
    a, b = translation
    if mode == 0:  # Maya
        return ((s * cosine, s * sine, (s - s * sine - s * cosine) / 2 - s * a),
                (-t * sine, t * cosine, (2 + t * sine - t * cosine - t) / 2 + t * b))
    if mode == 1:  # SI3D
        return (s, 0.0, -s * a), (0.0, t, -t * b)
    if mode == 2:  # 3ds Max
        across, along = (height / width, width / height) if width and height else (1.0, 1.0)
        return ((s * cosine, -s * sine, 0.5 + s * cosine * (-0.5 - a) - s * sine * (-0.5 + b) * across),
                (t * sine, t * cosine, 0.5 + t * sine * (-0.5 - a) * along + t * cosine * (-0.5 + b)))
    if mode == 3:  # XSI
        return ((s * cosine, -s * sine, s * sine - s * (a * cosine + b * sine)),
                (t * sine, t * cosine, 1 - t * cosine - t * (a * sine - b * cosine)))
    raise nitro_oracle.NitroError(f"texture matrix mode {mode}")


def pattern_at(animation, material_name, frame):
    """(texture name, palette name or None: as it was); None if the animation leaves this material alone now."""
    keys = animation.tracks.get(material_name, ())
    now = [key for key in keys if key[0] <= min(math.floor(frame), animation.frames - 1)]
    return now[-1][1:] if now else None


def colors_at(animation, material_name, frame):
    """(diffuse, ambient, specular, emission, alpha): RGB555 each, and 0-31; None if it has no such material."""
    track = animation.tracks.get(material_name)
    if track is None:
        return None

    def color(curve):
        i, j, weight = between(curve, frame, animation.frames, False, False)
        parts = [[curve.values[k] >> shift & 31 for shift in (0, 5, 10)] for k in (i, j)]
        return sum(math.floor((1 - weight) * x + weight * y) << shift for x, y, shift in zip(*parts, (0, 5, 10)))

    return *map(color, track[:4]), math.floor(value_at(track[4], frame, animation.frames))


def visibility_at(animation, frame):
    """Whether each node is seen."""
    frame = min(max(math.floor(frame), 0), animation.frames - 1)
    return [animation.visible(frame, node) for node in range(animation.nodes)]


class Nodes:
    """Stands for a model that nobody named: as many nodes as the animation has, each the identity."""

    class Node:
        translation, rotation, scale, inverse_scale = [0.0] * 3, IDENTITY, [1.0] * 3, [1.0] * 3

    def __init__(self, count):
        self.nodes = [self.Node] * count


def values_of(animation, frame, model=None):
    """What there is to say of an animation at a frame, as JSON."""
    if isinstance(animation, nitro_oracle.JointAnimation):
        return pose_at(model or Nodes(len(animation.tracks)), animation, frame)
    if isinstance(animation, nitro_oracle.VisibilityAnimation):
        return visibility_at(animation, frame)
    value = {nitro_oracle.TextureAnimation: texture_values_at, nitro_oracle.PatternAnimation: pattern_at,
             nitro_oracle.MaterialAnimation: colors_at}[type(animation)]
    return {name: value(animation, name, frame) for name in animation.tracks}


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit("usage: nitro_animation.py FRAME ANIMATION [MODEL]")
    files = [file for path in arguments[1:] for _, file in nitro_oracle.load(path)]
    for file in files:
        if isinstance(file, nitro_oracle.NitroError):
            sys.exit(str(file))
    model = next((m for file in files for m in file.models), None)
    for animation in (a for file in files for a in file.animations):
        values = values_of(animation, float(arguments[0]), model)
        print(json.dumps({"name": animation.name, "kind": type(animation).__name__, "frames": animation.frames,
                          "values": values}))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main(sys.argv[1:])
