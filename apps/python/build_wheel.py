"""Builds the Python package: a wheel with the shared library inside. For pip (PEP 517 and 660); needs the standard library only.

    python3 apps/python/build_wheel.py FOLDER [TAG]     (the same without pip; prints the path of the wheel)

The library is the one that DIORAMA_LIBRARY names, or build/release/libdiorama_capi.so, which is built.
"""
import base64, hashlib, os, re, shutil, subprocess, sys, sysconfig, tempfile, tomllib, zipfile
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parents[1]
library_name = {"win32": "diorama_capi.dll", "darwin": "libdiorama_capi.dylib"}.get(sys.platform, "libdiorama_capi.so")


def version():
    """That of CMakeLists.txt, to which the package has to keep."""
    number = re.search(r"project\(diorama VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]
    stated = re.search(r'__version__ = "(.*)"', (here / "diorama/_version.py").read_text())[1]
    if number != stated: raise SystemExit(f"apps/python/diorama/_version.py: expected {number} (CMakeLists.txt), found {stated}")
    return number


def library():
    told = os.environ.get("DIORAMA_LIBRARY")
    path = Path(told) if told else root / "build/release" / library_name
    if told and not path.is_file(): raise SystemExit(f"DIORAMA_LIBRARY: there is no file {told}")
    if not told and (shutil.which("cmake") or not path.is_file()):  # one that is there may be older than the sources
        for command in (["cmake", "--preset", "release"], ["cmake", "--build", "--preset", "capi"]):
            try:
                subprocess.run(command, cwd=root, check=True)
            except (OSError, subprocess.CalledProcessError) as error:
                raise SystemExit(f"the library could not be built ({error}); `./dev setup build` installs what that needs") from None
    return path.resolve()


def metadata():
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    head = {"Metadata-Version": "2.1", "Name": project["name"], "Version": version(), "Summary": project["description"],
            "License": "MIT", "Author": project["authors"][0]["name"], "Keywords": ",".join(project["keywords"]), "Requires-Python": project["requires-python"], "Description-Content-Type": "text/markdown"}
    classifiers = "".join(f"Classifier: {one}\n" for one in project["classifiers"])
    return "".join(f"{name}: {value}\n" for name, value in head.items()) + classifiers + "\n" + (root / project["readme"]).read_text()


def stripped(path):
    """The library without what only a debugger reads, if there is a program for that. Libraries for Windows are linked without it."""
    if path.suffix == ".dll": return path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(["strip", "--strip-unneeded", "-o", f"{folder}/x", str(path)], check=True, capture_output=True)
            return Path(f"{folder}/x").read_bytes()
        except (OSError, subprocess.CalledProcessError):
            return path.read_bytes()


def write_wheel(folder, files, tag):
    """A wheel, always the same bytes for the same files: {name: bytes}."""
    number = version()
    info = f"diorama-{number}.dist-info"
    licences = {f"{info}/licenses/{file.name}": file.read_bytes() for file in sorted((root / "licenses").iterdir())}
    files = {**files, **licences, f"{info}/METADATA": metadata().encode(), f"{info}/LICENSE": (root / "LICENSE").read_bytes(), f"{info}/THIRD_PARTY.md": (root / "THIRD_PARTY.md").read_bytes(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: diorama {number}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()}
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"diorama-{number}-{tag}.whl"
    with zipfile.ZipFile(Path(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


def platform(library):
    """The tag of the systems on which the library works: on Linux those with the glibc that its symbols need (PEP 600)."""
    if ".so" not in library.suffixes: return re.sub(r"[-.]", "_", sysconfig.get_platform())
    try:
        symbols = subprocess.run(["objdump", "-T", str(library)], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return re.sub(r"[-.]", "_", sysconfig.get_platform())
    minor = max(int(number) for number in re.findall(r"GLIBC_2\.(\d+)", symbols))
    return f"manylinux_2_{minor}_{os.uname().machine}"


# ---- what pip calls ----

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None, tag=None):
    """`tag`: of another platform, for which DIORAMA_LIBRARY was built."""
    sources = {f"diorama/{file.name}": file.read_bytes() for file in sorted((here / "diorama").iterdir())
               if file.suffix == ".py" or file.name == "py.typed"}
    path = library()
    name = "diorama_capi.dll" if path.suffix == ".dll" else library_name
    return write_wheel(wheel_directory, {**sources, f"diorama/{name}": stripped(path)}, f"py3-none-{tag or platform(path)}")


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package where it is; it finds the library in the build tree."""
    return write_wheel(wheel_directory, {"diorama.pth": f"{here}\n".encode()}, f"py3-none-{platform(library())}")


def build_sdist(sdist_directory, config_settings=None):
    """The source tree, as git has it."""
    name = f"diorama-{version()}"
    target = Path(sdist_directory, f"{name}.tar.gz")
    subprocess.run(["git", "archive", "--format=tar.gz", f"--prefix={name}/", f"--add-virtual-file={name}/PKG-INFO:{metadata()}",
                    "-o", str(target.resolve()), "HEAD"], cwd=root, check=True)
    return target.name


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(Path(sys.argv[1], build_wheel(sys.argv[1], tag=sys.argv[2] if len(sys.argv) > 2 else None)))
