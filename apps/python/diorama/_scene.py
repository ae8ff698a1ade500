"""Scenes: the 3D content of a file or of a part of a game, as arrays."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Iterator, Mapping, Sequence

from . import _library as lib
from ._options import Option, option_texts
from ._results import Finding, Made, ShownBy, SourcePlace

#: A 4 x 4 matrix for column vectors, as four rows.
Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Image:
    """A picture in sRGB, not premultiplied."""

    name: str
    width: int
    height: int
    pixels: memoryview  #: bytes, shape (height, width, 4): red, green, blue, alpha; rows from the top


@dataclass(frozen=True)
class Texture:
    """An image, and how it is repeated beyond its borders."""

    name: str
    image: int  #: an index in `SceneData.images`; -1: none
    wrap_u: str  #: repeat, clamp or mirror
    wrap_v: str
    nearest: bool


@dataclass(frozen=True)
class Material:
    """The appearance of a surface."""

    name: str
    color: tuple[float, ...]  #: linear: red, green, blue, alpha
    unlit: bool
    double_sided: bool
    alpha: str  #: opaque, mask or blend
    alpha_cutoff: float
    texture: int  #: an index in `SceneData.textures`; -1: none
    transform: dict[str, Any]  #: the transform of texture coordinates: offset, rotation, scale
    extras: Any


@dataclass(frozen=True)
class Primitive:
    """Points, lines or triangles with one material.

    Arrays are read-only views of the scene's memory. `numpy.asarray(primitive.positions)` turns a view into a numpy array without
    a copy. In the shapes, n is the number of vertices.
    """

    shape: str  #: points, lines or triangles
    material: int  #: an index in `SceneData.materials`; -1: none
    positions: memoryview  #: float32, shape (n, 3): in the units of the game, Y up, right-handed
    normals: memoryview | None  #: float32, shape (n, 3)
    colors: memoryview | None  #: uint16, shape (n, 4): linear red, green, blue, alpha; 65535 is 1
    uvs: memoryview | None  #: float32, shape (n, 2)
    joints: memoryview | None  #: uint16, shape (n, 4): indices in `Skin.joints`
    weights: memoryview | None  #: float32, shape (n, 4)
    sources: memoryview | None  #: uint32, shape (n,): for `Scene.source()`
    indices: memoryview | None  #: uint32, shape (count,); None: all vertices, in order
    in_variants: tuple[tuple[int, int], ...]  #: pairs of indices: (variant, material)


@dataclass(frozen=True)
class Mesh:
    """The primitives that a node draws."""

    name: str
    primitives: tuple[Primitive, ...]


@dataclass(frozen=True)
class Skin:
    """The nodes that deform a mesh."""

    name: str
    joints: tuple[int, ...]  #: indices in `SceneData.nodes`
    inverse_bind: memoryview  #: float32, shape (joints, 16): matrices, column by column


@dataclass(frozen=True)
class Camera:
    """A camera, which looks along the negative Z axis of its node."""

    name: str
    vertical_fov: float  #: in radians
    near: float
    far: float
    half_height: float  #: half the view height of a parallel camera; 0 for a perspective camera
    aspect: float


@dataclass(frozen=True)
class Light:
    """A light, which shines along the negative Z axis of its node."""

    name: str
    color: tuple[float, ...]  #: linear: red, green, blue, 0 to 1
    intensity: float  #: in lux for directional lights, otherwise in candela
    kind: str  #: directional, point or spot
    range: float  #: in the units of the game; 0: infinite
    inner_cone: float  #: in radians, from the axis of a spot light
    outer_cone: float


@dataclass(frozen=True)
class Node:
    """A node of a scene. An index of -1 means none."""

    name: str
    parent: int
    translation: tuple[float, ...]
    rotation: tuple[float, ...]  #: a quaternion: x, y, z, w
    scale: tuple[float, ...]
    mesh: int
    camera: int
    skin: int
    light: int
    visible: bool
    extras: Any  #: the object that the node stands for: kind, path, file and more


@dataclass(frozen=True)
class Channel:
    """The changes of one value of a node, a camera or a material over time. In the shapes, n is the number of keys."""

    of: int  #: an index in `nodes`, `cameras` or `materials` of the scene
    target: str  #: translation, rotation, scale, fov, color, offset, visible
    interpolation: str  #: step or linear
    times: memoryview  #: float32, shape (n,): in seconds
    #: float32, shape (n, 3); (n, 4) for rotations and materials; (n,), in radians, for fov. For visible: bytes, shape (n,)
    values: memoryview


@dataclass(frozen=True)
class Animation:
    """An animation of a scene."""

    name: str
    channels: tuple[Channel, ...]  #: the channels of nodes
    fov_channels: tuple[Channel, ...]
    material_channels: tuple[Channel, ...]
    visibility_channels: tuple[Channel, ...]
    extras: Any


@dataclass(frozen=True)
class SceneData:
    """The content of a scene. It stays valid after the `Scene` is closed."""

    name: str
    metres_per_unit: float
    background: tuple[float, ...]  #: linear: red, green, blue, alpha
    extras: Any
    notes: tuple[Finding, ...]
    images: tuple[Image, ...]
    textures: tuple[Texture, ...]
    materials: tuple[Material, ...]
    meshes: tuple[Mesh, ...]
    skins: tuple[Skin, ...]
    cameras: tuple[Camera, ...]
    lights: tuple[Light, ...]
    variants: tuple[str, ...]
    nodes: tuple[Node, ...]
    animations: tuple[Animation, ...]
    _matrices: dict[int, Matrix] = field(default_factory=dict, repr=False, compare=False)

    def matrix(self, node: int) -> Matrix:
        """Returns the transform of a node in the scene, without animations: 4 x 4 numbers, with the translation in the last
        column.
        """
        if node not in self._matrices:
            one = self.nodes[node]
            local = _matrix(one.translation, one.rotation, one.scale)
            self._matrices[node] = local if one.parent < 0 else _product(self.matrix(one.parent), local)
        return self._matrices[node]

    def primitives(self) -> Iterator[tuple[int, Primitive]]:
        """Yields every primitive that the scene draws, node by node: the index of the node and a primitive of its mesh."""
        for number, node in enumerate(self.nodes):
            if node.mesh >= 0:
                for primitive in self.meshes[node.mesh].primitives:
                    yield number, primitive


def _matrix(t: Sequence[float], q: Sequence[float], s: Sequence[float]) -> Matrix:
    x, y, z, w = q
    turned = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    rows = tuple(tuple(row[i] * s[i] for i in range(3)) + (t[number],) for number, row in enumerate(turned))
    return rows + ((0.0, 0.0, 0.0, 1.0),)


def _product(a: Matrix, b: Matrix) -> Matrix:
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)) for i in range(4))


class _Arrays:
    """Creates views of the arrays that the text of a scene describes."""

    def __init__(self, all: memoryview) -> None:
        self._all = all

    def __call__(self, place: Mapping[str, int] | None, form: str, *shape: int) -> memoryview | None:
        """Returns n x shape numbers, or n numbers if no shape is given."""
        if place is None:
            return None
        size = {"B": 1, "H": 2, "f": 4, "I": 4}[form]
        part = self._all[place["at"] : place["at"] + place["count"] * size]
        if not shape or not place["count"]:  # a view of no elements has one dimension
            return part.cast(form)
        return part.cast(form, (place["count"] // math.prod(shape), *shape))


def scene_data(packed: memoryview) -> SceneData:
    """Returns the content of a scene from a buffer of dio_scene_data."""
    size = int.from_bytes(packed[:4], "little")
    source = json.loads(bytes(packed[4 : 4 + size]))
    view = _Arrays(packed[4 + size :])

    def array(place: Mapping[str, int], form: str, *shape: int) -> memoryview:
        made = view(place, form, *shape)
        assert made is not None
        return made

    def image(i: Mapping[str, Any]) -> Image:
        pixels = array(i["pixels"], "B")
        if len(pixels):
            pixels = pixels.cast("B", (i["height"], i["width"], 4))
        return Image(i["name"], i["width"], i["height"], pixels)

    def material(m: Mapping[str, Any]) -> Material:
        return Material(m["name"], tuple(m["color"]), m["unlit"], m["doubleSided"], m["alpha"], m["alphaCutoff"], m["texture"],
                        m["transform"], m["extras"])  # fmt: skip

    def primitive(p: Mapping[str, Any]) -> Primitive:
        get = p.get
        return Primitive(
            p["shape"], p["material"], array(p["positions"], "f", 3), view(get("normals"), "f", 3), view(get("colors"), "H", 4),
            view(get("uvs"), "f", 2), view(get("joints"), "H", 4), view(get("weights"), "f", 4), view(get("sources"), "I"),
            view(get("indices"), "I"), tuple((v["variant"], v["material"]) for v in p["inVariants"]))  # fmt: skip

    def light(l: Mapping[str, Any]) -> Light:
        return Light(l["name"], tuple(l["color"]), l["intensity"], l["kind"], l["range"], l["innerCone"], l["outerCone"])

    def node(n: Mapping[str, Any]) -> Node:
        return Node(n["name"], n["parent"], tuple(n["translation"]), tuple(n["rotation"]), tuple(n["scale"]), n["mesh"],
                    n["camera"], n["skin"], n["light"], n["visible"], n["extras"])  # fmt: skip

    def channel(c: Mapping[str, Any], of: str, target: str, *shape: int) -> Channel:
        values = array(c["visible"], "B") if target == "visible" else array(c["values"], "f", *shape)
        interpolation = c.get("interpolation", "step" if target == "visible" else "linear")
        return Channel(c[of], target, interpolation, array(c["times"], "f"), values)

    def animation(a: Mapping[str, Any]) -> Animation:
        return Animation(
            a["name"],
            tuple(channel(c, "node", c["target"], 4 if c["target"] == "rotation" else 3) for c in a["channels"]),
            tuple(channel(c, "camera", "fov") for c in a["fovChannels"]),
            tuple(channel(c, "material", c["target"], 4) for c in a["materialChannels"]),
            tuple(channel(c, "node", "visible") for c in a["visibilityChannels"]),
            a["extras"],
        )

    return SceneData(
        source["name"], source["metresPerUnit"], tuple(source["background"]), source["extras"],
        tuple(Finding.of(note) for note in source["notes"] or ()),
        tuple(image(i) for i in source["images"]),
        tuple(Texture(t["name"], t["image"], t["wrapU"], t["wrapV"], t["nearest"]) for t in source["textures"]),
        tuple(material(m) for m in source["materials"]),
        tuple(Mesh(m["name"], tuple(primitive(p) for p in m["primitives"])) for m in source["meshes"]),
        tuple(Skin(s["name"], tuple(s["joints"]), array(s["inverseBind"], "f", 16)) for s in source["skins"]),
        tuple(Camera(c["name"], c["verticalFov"], c["near"], c["far"], c["halfHeight"], c["aspect"]) for c in source["cameras"]),
        tuple(light(l) for l in source["lights"]),
        tuple(source["variants"]),
        tuple(node(n) for n in source["nodes"]),
        tuple(animation(a) for a in source["animations"]),
    )  # fmt: skip


class Scene:
    """The 3D content of a file (`File.scene()`) or of a part of a game (`Game.world()`).

    A `Scene` is a context manager: its memory is freed at the end of the block, by `close()`, or when nothing refers to it any
    more. Several threads may use a scene: their calls wait for each other.
    """

    def __init__(self, handle: lib.Owned, prefix: str = "", reader: lib.Reader | None = None,
                 lock: threading.RLock | None = None) -> None:  # fmt: skip
        """Used by `File` and `Game`. `lock` is the lock of the scene's game."""
        self._owned: lib.Owned | None = handle
        self._prefix, self._reader, self._lock = prefix, reader, lock or threading.RLock()
        if not lib.call("dio_scene_ok", handle):
            lib.buffer_of("dio_scene_data", handle, reader=reader)

    @property
    def _handle(self) -> lib.Owned:
        if self._owned is None:
            raise ValueError("the scene is closed")
        return self._owned

    def data(self) -> SceneData:
        """Returns the whole scene: nodes, meshes, materials, images, animations. The arrays are views, without a copy."""
        with self._lock:
            return scene_data(lib.view_of("dio_scene_data", self._handle, reader=self._reader))

    def convert(self, to: str = "glb", **options: Option) -> bytes:
        """Returns the bytes of a file for 3D programs: `glb`, or `gltf` (text).

        `instances=True` writes repeated meshes only once. Raises DioramaError: capi.argument, gltf.*.
        """
        with self._lock:
            told = option_texts(options)
            return lib.bytes_of("dio_scene_convert", self._handle, lib.text(to), *told, reader=self._reader)

    def render(self, **options: Option) -> bytes:
        """Draws the scene and returns a PNG picture. The options are those of `File.render()`."""
        with self._lock:
            return lib.bytes_of("dio_scene_render", self._handle, *option_texts(options), reader=self._reader)

    def tiles(self, **options: Option) -> Made:
        """Draws a map from above as square pictures at several sizes, with a web page that shows them.

        Example: `tiles(tiles=256, scale=16).write("map")`.
        """
        with self._lock:
            return Made.of(*lib.files_of("dio_scene_tiles", self._handle, *option_texts(options)))

    def source(self, node: int, source: int | None = None) -> SourcePlace | None:
        """Returns the origin of a vertex, or None if the vertex comes from no file.

        - `node`: the index of a node that shows the vertex.
        - `source`: the entry for the vertex in `Primitive.sources`. Default: returns the origin of the node.
        """
        with self._lock:
            number = lib.NO_SOURCE if source is None else source
            found = lib.json_of("dio_scene_source", self._handle, node, number, reader=self._reader)
        if found is None:
            return None
        return SourcePlace(self._prefix + found["file"], found["path"], found.get("offset"), found.get("size"))

    def shows(self, file: str, path: str = "") -> list[ShownBy]:
        """Returns the nodes that show a value of a file or a part of the value.

        If there are none, returns the nodes that show the structure with this value. `file` is as in `source()`; an empty path
        means the whole file.
        """
        if not file.startswith(self._prefix):
            return []
        told = lib.text(file[len(self._prefix) :]), lib.text(path)
        with self._lock:
            found = lib.json_of("dio_scene_shows", self._handle, *told, reader=self._reader)
        return [ShownBy(n["node"], tuple((first, count) for first, count in n["sources"]) if "sources" in n else None) for n in found]

    def close(self) -> None:
        """Frees the memory of the scene. The result of `data()` stays valid."""
        self._owned = None

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

