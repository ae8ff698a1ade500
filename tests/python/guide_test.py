"""The recipes in docs/guide/python.md and the README example print the documented output. DIORAMA_UPDATE=1 writes their output into the page."""
import os, re, shutil, subprocess, sys, tempfile, unittest
from pathlib import Path

from support import ROOT, SAMPLES

GUIDE = ROOT / "docs/guide/python.md"
RECIPE = re.compile(r"(?ms)^```python\n(.*?)^```\n\n```text\n(.*?)^```\n")


class Guide(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        shutil.copytree(SAMPLES, Path(cls.folder.name, "samples"))

    @classmethod
    def tearDownClass(cls): cls.folder.cleanup()

    def test_every_program_documents_its_output(self):
        self.assertEqual(GUIDE.read_text().count("```python"), len(RECIPE.findall(GUIDE.read_text())))

    def test_readme_example_works(self):
        (code,) = re.findall(r"(?ms)^```python\n(.*?)^```", (ROOT / "README.md").read_text())
        out, errors = printed(code, self.folder.name)
        self.assertEqual((errors, out.count("[kmp.")), ("", 32))
        self.assertEqual(len(list(Path(self.folder.name).glob("*.kmp.glb"))), len(list((SAMPLES / "kmp").iterdir())))


def printed(code, folder):
    Path(folder, "recipe.py").write_text(code)
    done = subprocess.run([sys.executable, "recipe.py"], cwd=folder, capture_output=True, text=True, timeout=120,
                          env=os.environ | {"PYTHONPATH": str(ROOT / "apps/python"), "PYTHONDONTWRITEBYTECODE": "1"})
    return done.stdout, done.stderr


def test_of(code, expected):
    def test(self):
        if "import numpy" in code:
            try: import numpy
            except ImportError: self.skipTest("there is no numpy")
        out, errors = printed(code, self.folder.name)
        self.assertEqual(errors, "")
        if os.environ.get("DIORAMA_UPDATE"):
            GUIDE.write_text(GUIDE.read_text().replace(f"{code}```\n\n```text\n{expected}```", f"{code}```\n\n```text\n{out}```"))
        else:
            self.assertEqual(out, expected)

    return test


for _number, _recipe in enumerate(RECIPE.findall(GUIDE.read_text())): setattr(Guide, f"test_recipe_{_number:02}", test_of(*_recipe))
