"""Builds the add-on for Blender: one zip with the Python package and its library inside. Needs the standard library only.

    python3 apps/blender/build_addon.py FOLDER     (prints the path of the zip)

The zip installs in Blender 3.4 to 4.1 as an add-on (`bl_info`), in 4.2 and later as an extension (`blender_manifest.toml`).
"""
import sys, zipfile
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parents[1]
sys.path.insert(0, str(root / "apps/python"))
import build_wheel  # noqa: E402  it knows where the library is


def manifest():
    """What Blender 4.2 and later read. Another platform than this one needs `dio` (see the guide), so none is ruled out."""
    return f'''schema_version = "1.0.0"
id = "diorama"
version = "{build_wheel.version()}"
name = "diorama"
tagline = "Maps and models of classic console games"
maintainer = "The diorama authors"
type = "add-on"
blender_version_min = "4.2.0"
license = ["SPDX:MIT"]
tags = ["Import-Export"]

[permissions]
files = "Reads game files and writes them back"
'''


def build(folder):
    number = build_wheel.version()
    sources = {f"io_diorama/{file.name}": file.read_bytes() for file in sorted((here / "io_diorama").glob("*.py"))}
    package = root / "apps/python/diorama"
    sources.update({f"io_diorama/core/{file.name}": file.read_bytes() for file in sorted(package.glob("*.py"))})
    sources[f"io_diorama/core/{build_wheel.library_name}"] = build_wheel.stripped(build_wheel.library())
    for file in (root / "LICENSE", root / "THIRD_PARTY.md", *sorted((root / "licenses").iterdir())):
        sources[f"io_diorama/{file.relative_to(root)}"] = file.read_bytes()
    sources["io_diorama/blender_manifest.toml"] = manifest().encode()
    whole = tuple(int(part) for part in number.split("."))
    head = sources["io_diorama/__init__.py"].decode()
    assert f'"version": {whole}' in head, f"apps/blender/io_diorama/__init__.py: expected the version {whole} in bl_info"
    target = Path(folder, f"diorama-blender-{number}.zip")
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in sources.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            out.writestr(entry, content)
    return target


if __name__ == "__main__":
    print(build(sys.argv[1]))
