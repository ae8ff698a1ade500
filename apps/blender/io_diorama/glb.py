"""Binary glTF before Blender reads it, and after it wrote it. Knows neither Blender nor diorama.

Blender knows no hidden nodes, so they come with a scale of 0; here they get the scale 1 and a mark, and 0 again on the way back.
Blender also writes properties of the add-on into the extras."""

from __future__ import annotations

import json
import struct
from typing import Any, Callable, Iterator

HIDDEN = "diorama_hidden"  #: the custom property that marks a hidden object
OWN = ("diorama_target", "diorama_values", "diorama_lists", "diorama_shape")  #: what the add-on itself keeps in custom properties
VISIBILITY = "KHR_node_visibility"


def read(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary part. Raises ValueError."""
    if content[:4] != b"glTF" or len(content) < 20:
        raise ValueError("this is no binary glTF")
    size = struct.unpack_from("<I", content, 12)[0]
    whole = json.loads(content[20 : 20 + size])
    rest = 20 + size
    binary = content[rest + 8 : rest + 8 + struct.unpack_from("<I", content, rest)[0]] if len(content) > rest + 8 else b""
    return whole, binary


def write(whole: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def told(thing: dict[str, Any]) -> dict[str, Any]:
    """What diorama says of a node, a scene or a material."""
    extras = thing.get("extras")
    found = extras.get("diorama") if isinstance(extras, dict) else None
    return found if isinstance(found, dict) else {}


def _everything(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in ("scenes", "nodes", "meshes", "materials", "cameras", "animations"):
        yield from whole.get(name, [])


# ---- before Blender reads it ----


def booleans(whole: dict[str, Any]) -> list[str]:
    """The properties that are true or false: "kind/name" each."""
    found = {f"{told(thing).get('kind', '')}/{name}"
             for thing in _everything(whole) for name, value in told(thing).items() if isinstance(value, bool)}  # fmt: skip
    return sorted(found)


def mark_hidden(whole: dict[str, Any]) -> int:
    """Hidden nodes with a scale of 0 get the scale 1 and a mark; not those whose scale is animated. How many there are."""
    moved = {channel["target"].get("node") for animation in whole.get("animations", [])
             for channel in animation["channels"] if channel["target"].get("path") == "scale"}  # fmt: skip
    count = 0
    for number, node in enumerate(whole.get("nodes", [])):
        hidden = node.get("extensions", {}).get(VISIBILITY, {}).get("visible") is False
        if hidden and node.get("scale") == [0, 0, 0] and number not in moved:
            del node["scale"]
            node.setdefault("extras", {})[HIDDEN] = 1
            count += 1
    return count


AS_TEXT = "json:"  #: how a value begins that Blender could not keep


def _kept_by_blender(value: Any) -> bool:
    """Whether a custom property can be this. One that cannot would make a text of all that diorama says of a node."""
    if isinstance(value, dict):
        return all(len(name) < 64 and _kept_by_blender(one) for name, one in value.items())
    if isinstance(value, list):
        kinds = {float if isinstance(one, (int, float)) else type(one) for one in value}
        return len(kinds) <= 1 and all(_kept_by_blender(one) for one in value)
    if isinstance(value, int):
        return -(2**31) <= value < 2**31
    return isinstance(value, (float, str))


def pack_values(whole: dict[str, Any]) -> None:
    """Values that Blender could not keep become texts."""
    for thing in _everything(whole):
        own = told(thing)
        for name, value in own.items():
            if not _kept_by_blender(value):
                own[name] = AS_TEXT + json.dumps(value, separators=(",", ":"))


def _unpack_values(whole: dict[str, Any]) -> None:
    for thing in _everything(whole):
        own = told(thing)
        for name, value in own.items():
            if isinstance(value, str) and value.startswith(AS_TEXT):
                own[name] = json.loads(value[len(AS_TEXT) :])


def for_blender(content: bytes) -> tuple[bytes, list[str]]:
    """The glTF that Blender imports, and the properties that are true or false."""
    whole, binary = read(content)
    known = booleans(whole)
    mark_hidden(whole)
    pack_values(whole)
    return write(whole, binary), known


# ---- after Blender wrote it ----


def _restore_hidden(whole: dict[str, Any]) -> None:
    for node in whole.get("nodes", []):
        if isinstance(node.get("extras"), dict) and node["extras"].pop(HIDDEN, None):
            node["scale"] = [0, 0, 0]
            node.setdefault("extensions", {})[VISIBILITY] = {"visible": False}
            used = whole.setdefault("extensionsUsed", [])
            if VISIBILITY not in used:
                used.append(VISIBILITY)


def _drop_own_extras(whole: dict[str, Any]) -> None:
    for thing in _everything(whole):
        extras = thing.get("extras")
        if not isinstance(extras, dict):
            continue
        for name in OWN:
            extras.pop(name, None)
        if not extras:
            del thing["extras"]


def drop_white_colors(whole: dict[str, Any], binary: bytes) -> int:
    """Removes vertex colours that are white everywhere: Blender gives them to what shares a mesh with coloured parts. How many."""
    sizes = {5121: ("B", 255), 5123: ("H", 65535), 5126: ("f", 1.0)}
    parts = {"VEC3": 3, "VEC4": 4}
    count = 0
    for mesh in whole.get("meshes", []):
        for primitive in mesh["primitives"]:
            number = primitive["attributes"].get("COLOR_0")
            if number is None:
                continue
            accessor = whole["accessors"][number]
            letter, one = sizes[accessor["componentType"]]
            view = whole["bufferViews"][accessor["bufferView"]]
            width = parts[accessor["type"]]
            layout = struct.Struct("<" + letter * width)
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            stride = view.get("byteStride", layout.size)
            if all(min(layout.unpack_from(binary, start + i * stride)) >= one * 0.999 for i in range(accessor["count"])):
                del primitive["attributes"]["COLOR_0"]
                count += 1
    return count


def remove_nodes(whole: dict[str, Any], gone: Callable[[dict[str, Any]], bool]) -> None:
    """Removes nodes with all below them. The others get new numbers."""
    nodes = whole.get("nodes", [])
    below: set[int] = set()
    stack = [number for number, node in enumerate(nodes) if gone(node)]
    while stack:
        number = stack.pop()
        if number not in below:
            below.add(number)
            stack += nodes[number].get("children", [])
    new = {old: number for number, old in enumerate(old for old in range(len(nodes)) if old not in below)}
    whole["nodes"] = [node for number, node in enumerate(nodes) if number not in below]
    lists = [(node, "children") for node in whole["nodes"]] + [(scene, "nodes") for scene in whole.get("scenes", [])]
    for parent, name in lists:
        if name in parent:
            parent[name] = [new[number] for number in parent[name] if number in new]
            if not parent[name]:
                del parent[name]
    for skin in whole.get("skins", []):  # those of removed meshes may lose their joints; no node refers to them
        skin["joints"] = [new.get(number, 0) for number in skin["joints"]]
        skin.pop("skeleton", None)
    for animation in whole.get("animations", []):
        animation["channels"] = [one for one in animation["channels"] if one["target"].get("node") in new]
        for one in animation["channels"]:
            one["target"]["node"] = new[one["target"]["node"]]
    whole["animations"] = [animation for animation in whole.get("animations", []) if animation["channels"]]
    if not whole["animations"]:
        del whole["animations"]


def from_blender(content: bytes, state: str = "", plain_colors: bool = False) -> bytes:
    """The glTF that diorama reads. `state`: of several states in the scene, only the nodes of this one."""
    whole, binary = read(content)
    _restore_hidden(whole)
    _drop_own_extras(whole)
    _unpack_values(whole)
    if state:
        remove_nodes(whole, lambda node: told(node).get("kind") == "fft.state" and state not in told(node).get("states", []))
        for node in whole["nodes"]:
            if told(node).get("kind") == "fft.state":
                node.pop("scale", None)
                node.pop("extensions", None)
    if plain_colors:
        drop_white_colors(whole, binary)
    return write(whole, binary)
