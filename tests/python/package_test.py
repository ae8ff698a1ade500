"""The installed package: a wheel without network access; errors for a missing library; its types."""
import os, shutil, subprocess, sys, tempfile, unittest, zipfile
from pathlib import Path

import diorama
from support import ROOT

LIBRARY = os.environ["DIORAMA_LIBRARY"]
BARE = {name: value for name, value in os.environ.items() if name not in ("DIORAMA_LIBRARY", "PYTHONPATH")}
NO_NETWORK = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_CONFIG_FILE": os.devnull}


def python(code, *, program=sys.executable, **environment):
    return subprocess.run([program, "-c", code], capture_output=True, text=True, env=BARE | {"PYTHONDONTWRITEBYTECODE": "1"} | environment, cwd="/")


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls): cls.folder.cleanup()

    def built(self):
        if not list(self.here.glob("*.whl")):
            subprocess.run([sys.executable, ROOT / "apps/python/build_wheel.py", self.here], check=True, capture_output=True, env=os.environ)
        return next(self.here.glob("*.whl"))

    def test_wheel_is_complete_and_reproducible(self):
        wheel = self.built()
        self.assertRegex(wheel.name, rf"^diorama-{diorama.__version__}-py3-none-manylinux_2_\d+_\w+\.whl$")
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
            self.assertLessEqual({"diorama/__init__.py", "diorama/py.typed", "diorama/libdiorama_capi.so"}, names)
            self.assertIsNone(archive.testzip())
            record = archive.read(f"diorama-{diorama.__version__}.dist-info/RECORD").decode()
            self.assertEqual({line.split(",")[0] for line in record.splitlines()}, names)
        self.assertLess(wheel.stat().st_size, 8 << 20)
        other = self.here / "again"
        other.mkdir()
        subprocess.run([sys.executable, ROOT / "apps/python/build_wheel.py", other], check=True, capture_output=True, env=os.environ)
        self.assertEqual(next(other.glob("*.whl")).read_bytes(), wheel.read_bytes(), "a second build gives another wheel")

    def environment(self, name):
        try: import ensurepip
        except ImportError: self.skipTest("there is no python3-venv")
        subprocess.run([sys.executable, "-m", "venv", self.here / name], check=True, capture_output=True, env=BARE)
        return self.here / name / "bin/python"

    def test_pip_installs_the_wheel_and_the_source_tree(self):
        program = self.environment("env")
        for what in (self.built(), ROOT):
            done = subprocess.run([program, "-m", "pip", "install", "--force-reinstall", what], capture_output=True, text=True,
                                  env=BARE | NO_NETWORK | {"DIORAMA_LIBRARY": LIBRARY})
            self.assertEqual(done.returncode, 0, done.stderr)
            done = python("import diorama; print(diorama.__file__, diorama.open(diorama.sample('kmp', 'race.kmp'), 'race.kmp').verify())",
                          program=program)
            self.assertEqual(done.stderr, "")
            self.assertTrue(done.stdout.startswith(str(self.here / "env")) and done.stdout.endswith(" True\n"), done.stdout)
        done = subprocess.run([program, "-m", "pip", "show", "diorama"], capture_output=True, text=True, env=BARE)
        self.assertIn(f"Version: {diorama.__version__}\n", done.stdout)
        done = subprocess.run([program, "-m", "pip", "uninstall", "-y", "diorama"], capture_output=True, text=True, env=BARE)
        self.assertEqual(list((self.here / "env").rglob("*diorama*")), [])

    def test_pip_installs_in_editable_mode(self):
        program = self.environment("edit")
        done = subprocess.run([program, "-m", "pip", "install", "-e", ROOT], capture_output=True, text=True,
                              env=BARE | NO_NETWORK | {"DIORAMA_LIBRARY": LIBRARY})
        self.assertEqual(done.returncode, 0, done.stderr)
        done = python("import diorama; print(diorama.__file__)", program=program, DIORAMA_LIBRARY=LIBRARY)
        self.assertEqual(done.stdout, f"{ROOT}/apps/python/diorama/__init__.py\n")

    def copy(self, name):
        """A copy of the package outside the source tree."""
        shutil.copytree(ROOT / "apps/python/diorama", self.here / name / "diorama", ignore=shutil.ignore_patterns("__pycache__"))
        return {"PYTHONPATH": str(self.here / name)}

    def last_lines(self, done): return done.stderr[done.stderr.index("LibraryError") :]

    def test_missing_library_gives_an_import_error(self):
        path = self.copy("none")
        said = self.last_lines(python("import diorama", **path))
        self.assertIn("libdiorama_capi was not found; DIORAMA_LIBRARY may name it", said)
        self.assertIn(f"{self.here}/none/diorama/libdiorama_capi.so (in the package): there is no such file", said)
        said = self.last_lines(python("import diorama", **path, DIORAMA_LIBRARY="/nonexistent/x.so"))
        self.assertIn("/nonexistent/x.so (the environment variable DIORAMA_LIBRARY): there is no such file", said)
        said = self.last_lines(python("import diorama", **path, DIORAMA_LIBRARY="/etc/passwd"))
        self.assertIn("/etc/passwd (the environment variable DIORAMA_LIBRARY): ", said)
        self.assertIn("True", python("try:\n import diorama\nexcept ImportError as e: print(type(e).__name__ == 'LibraryError')", **path).stdout)

    def test_rejects_a_library_of_another_version(self):
        path = self.copy("old")
        (self.here / "old/diorama/_version.py").write_text('__version__ = "0.0.9"\n')
        said = self.last_lines(python("import diorama", **path, DIORAMA_LIBRARY=LIBRARY))
        self.assertIn(f"{LIBRARY} has the version {diorama.__version__}; this Python package needs 0.0.9", said)
        import ctypes.util
        said = self.last_lines(python("import diorama", **path, DIORAMA_LIBRARY=ctypes.util.find_library("m")))
        self.assertIn("is not libdiorama_capi 0.0.9", said)

    def test_finds_the_library_in_the_package(self):
        path = self.copy("beside")
        shutil.copy(LIBRARY, self.here / "beside/diorama/libdiorama_capi.so")
        self.assertEqual(python("import diorama; print(diorama.__version__)", **path).stdout, f"{diorama.__version__}\n")

    def test_works_without_numpy(self):
        code = "import sys; sys.modules['numpy'] = None\nimport diorama\nprint(next(diorama.open(diorama.sample('kcl', 'hills.kcl'), 'h.kcl').scene().data().primitives())[1].positions[0, 0])"
        done = python(code, PYTHONPATH=str(ROOT / "apps/python"), DIORAMA_LIBRARY=LIBRARY)
        self.assertEqual((done.stderr, float(done.stdout) != 0), ("", True))

    def mypy(self, *files):
        program = shutil.which("mypy")
        if not program: self.skipTest("there is no mypy")
        return subprocess.run([program, "--strict", "--cache-dir", self.here / "mypy", *files], capture_output=True, text=True, cwd=self.here,
                              env=BARE | {"MYPYPATH": str(ROOT / "apps/python")})

    def test_package_passes_mypy(self):
        done = self.mypy(ROOT / "apps/python/diorama")
        self.assertEqual((done.returncode, "Success" in done.stdout), (0, True), done.stdout + done.stderr)

    def test_types_catch_errors_in_user_programs(self):
        (self.here / "good.py").write_text(
            "import diorama\nfile = diorama.open('x', known=True)\nfound: list[diorama.Finding] = file.check()\n"
            "offset: int | None = found[0].offset\nwith file.scene(lit=True) as scene: view: memoryview = scene.data().images[0].pixels\n")
        self.assertEqual(self.mypy("good.py").returncode, 0, self.mypy("good.py").stdout)
        (self.here / "bad.py").write_text("import diorama\nx: str = diorama.open('x').check()\ndiorama.open(5)\ndiorama.open('x').edit().run(1)\n")
        self.assertEqual(self.mypy("bad.py").stdout.count(": error:"), 3, self.mypy("bad.py").stdout)
