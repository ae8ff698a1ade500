"""The package declares the functions of diorama.h, and the library exports exactly these."""
import ctypes, shutil, subprocess, sys, tempfile, unittest
from pathlib import Path

import diorama
from diorama import _library as lib
from support import ROOT

class Header(unittest.TestCase):
    def test_bindings_match_the_header(self):
        done = subprocess.run([ROOT / "tools/make_bindings", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_detects_changed_declarations(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("src/capi/diorama.h", "src/capi/symbols.txt", "apps/python/diorama/_functions.py", "apps/web/core.mjs", "tools/make_bindings"):
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, Path(folder) / name)
            header = Path(folder) / "src/capi/diorama.h"
            header.write_text(header.read_text().replace("dio_info(const dio_file* file)", "dio_info(const dio_file* file, uint32_t flags)"))
            done = subprocess.run([Path(folder) / "tools/make_bindings", "--check"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(len(done.stdout.splitlines()), 3, done.stdout)

    def test_library_exports_exactly_these_functions(self):
        listed = subprocess.run(["nm", "-D", "--defined-only", next(lib._places())[0]], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[-1].split("@")[0] for line in listed.splitlines() if " T " in line}
        self.assertEqual(exported, set(lib.FUNCTIONS))

    def test_rejects_handles_of_another_kind(self):
        with diorama.open(b"x") as file, self.assertRaises(ctypes.ArgumentError): lib.call("dio_game_info", file._handle)

    def test_package_has_the_project_version(self):
        self.assertIn(f"project(diorama VERSION {diorama.__version__} ", (ROOT / "CMakeLists.txt").read_text())
        self.assertEqual(lib.call("dio_version").decode(), diorama.__version__)

    def test_public_names_are_documented(self):
        for name in diorama.__all__:
            thing = getattr(diorama, name)
            if not callable(thing): continue
            with self.subTest(name):
                self.assertTrue(thing.__doc__ and not thing.__doc__.startswith(f"{name}("), "generated dataclass text is not documentation")
                for member, value in vars(thing).items() if isinstance(thing, type) else ():
                    inherited = isinstance(value, property) and thing is diorama.DioramaError
                    if callable(value) and not member.startswith("_") and member != "of" and not inherited:
                        self.assertTrue(value.__doc__, member)


class EveryFunction(unittest.TestCase):
    def test_every_function_was_called(self):
        if len(sys.argv) > 2: self.skipTest("only some tests ran")
        # Python has its own memory and reads scenes in place, so it does not need these functions.
        self.assertEqual(set(lib.FUNCTIONS) - lib._loaded.called, {"dio_alloc", "dio_free", "dio_scene_changes"})
