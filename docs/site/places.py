"""Where a value of a file is seen on a picture: by the node that stands for it, and the camera of the picture."""
import json, math, re, subprocess

SIZE = (480, 300)


def times(a, b):
    """Matrices of 16 numbers, column after column."""
    return [sum(a[row + 4 * k] * b[4 * column + k] for k in range(4)) for column in range(4) for row in range(4)]


def matrix_of(node):
    if "matrix" in node: return node["matrix"]
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    sx, sy, sz = node.get("scale", [1, 1, 1])
    t = node.get("translation", [0, 0, 0])
    return [(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
            2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
            2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0, *t, 1]


def apply(m, p):
    return [m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row] for row in range(3)]


def is_below(path, element):
    """GOBJ.entries[3].route is a value of GOBJ.entries[3]."""
    return path == element or path.startswith(element) and path[len(element)] in ".["


def spot(scene, path):
    """The middle of the node that stands for a value, in the units of the scene; none for lists, which are everywhere."""
    nodes = scene["nodes"]
    best = None
    for number, node in enumerate(nodes):
        extras = node.get("extras", {}).get("diorama", {})
        element = extras.get("path") or "{kind}s[{index}]".format_map(extras if "index" in extras else {"kind": "", "index": ""})
        # what stands for a whole model says nothing about one of its parts
        is_whole = re.fullmatch(r"\w+\[\d+\]", element) and "[" in path[len(element):]
        if element.endswith("]") and is_below(path, element) and not is_whole and (not best or len(element) > best[0]): best = (len(element), number)
    if not best: return None
    parents = {child: number for number, node in enumerate(nodes) for child in node.get("children", [])}
    node = nodes[best[1]]
    middle = [0, 0, 0]
    if "mesh" in node and "skin" not in node:
        boxes = [scene["accessors"][p["attributes"]["POSITION"]] for p in scene["meshes"][node["mesh"]]["primitives"]]
        low = [min(box["min"][i] for box in boxes) for i in range(3)]
        high = [max(box["max"][i] for box in boxes) for i in range(3)]
        middle = [(a + b) / 2 for a, b in zip(low, high)]
    at = best[1]
    while at is not None and "metres_per_unit" not in nodes[at].get("extras", {}).get("diorama", {}):
        middle = apply(matrix_of(nodes[at]), middle)
        at = parents.get(at)
    return middle


def draw(dio, file, path, work, name):
    """(picture, percent from the left, percent from above) of a value of a file; None if nothing stands for it."""
    glb, picture = work / f"{name}.gltf", work / f"{name}-place.png"
    subprocess.run([dio, "convert", file, "-o", glb, "-f", "-q"], capture_output=True)
    if not glb.is_file(): return None
    place = spot(json.loads(glb.read_text()), path)
    glb.unlink()
    if not place or not all(map(math.isfinite, place)): return None
    done = subprocess.run([dio, "render", file, "-o", picture, "-f", "-q", "--json", "--size", "%dx%d" % SIZE, "--background", "#20242c"], capture_output=True, text=True, errors="replace")
    camera = re.search(r'"camera": (\{.*?\})', done.stdout, re.S)
    if not camera or not picture.is_file(): return None
    camera = json.loads(camera[1])
    x, y, z = apply(camera["to_eye"], place)
    half = camera["half_height"] * (1 if camera["projection"] == "parallel" else -z)
    left, top = 50 + 50 * x / (half * SIZE[0] / SIZE[1]), 50 - 50 * y / half
    return (picture, left, top) if 0 <= left <= 100 and 0 <= top <= 100 else None
