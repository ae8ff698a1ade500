"""The package speaks Python: edits with keywords, hints as calls, and no text that names the program."""
import re, tempfile, unittest
from pathlib import Path

import diorama
from diorama._commands import word_commands
from support import SAMPLES, bytes_of, dio_json

PROGRAM = re.compile(r"`dio |\bdio [a-z]|\{--[a-z]|\{(?:edit|tree|check|convert|pack|maps)[ }]|(?<![\w-])--[a-z]")


def opened(name): return diorama.open(SAMPLES / name, name)


class Words(unittest.TestCase):
    def test_set_takes_a_path_and_a_value(self):
        with opened("kmp/race.kmp") as file:
            self.assertEqual(file.set("STGI[0].laps", 5), file.set({"STGI[0].laps": 5}))
            self.assertEqual(file.set("KTPT[0].position", (1, 2, 3)), file.set("KTPT[0].position=1,2,3"))
            with self.assertRaisesRegex(TypeError, "lacks a value"): file.set("STGI[0].laps")
            with self.assertRaisesRegex(TypeError, "takes one path"): file.set(["STGI[0].laps"], 5)
            with file.edit() as editing:
                editing.set("STGI[0].laps", 5)
                self.assertEqual(editing.save(), file.set("STGI[0].laps", 5))

    def test_save_writes_the_file(self):
        with tempfile.TemporaryDirectory() as folder, opened("kmp/race.kmp") as file:
            target = Path(folder, "new.kmp")
            self.assertEqual(file.save(target), target.read_bytes())
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["new.kmp"])
            with file.edit() as editing:
                editing.mirror()
                self.assertEqual(editing.save(target), target.read_bytes())
            with self.assertRaises(OSError): file.save(Path(folder, "missing", "new.kmp"))

    def test_edits_are_methods_with_keywords(self):
        with opened("land-data/town.bin") as file:
            by_name = file.edit("set-tiles", x="3..9", z=20, collision=1)
            with file.edit() as editing:
                done = editing.set_tiles(x="3..9", z=20, collision=1)
                self.assertEqual((len(done.done), editing.save()), (1, by_name))
                self.assertIn("set_tiles", dir(editing))
                self.assertIn("Arguments: x=FROM..TO", editing.set_tiles.__doc__)
                with self.assertRaisesRegex(AttributeError, "did you mean 'set_tiles'"): editing.set_tile
        with opened("kmp/race.kmp") as file:
            self.assertEqual(file.edit("remove", "POTI[0]", unlink=True)[:4], b"RKMD")
            with self.assertRaisesRegex(diorama.DioramaError, "did you mean mirror"): file.edit("miror")
            with self.assertRaisesRegex(TypeError, "needs the name"): file.edit(x=3)

    def test_game_edits_take_keywords(self):
        game = diorama.open_game(SAMPLES / "games/village.nds")
        done = game.edit("add-prop", land=0, model=1, x=8, z=24)
        self.assertEqual(len(done.done), 1)

    def test_arguments_of_edits_are_data(self):
        with opened("fft-mesh/valley.fft-mesh") as file:
            tiles = next(edit for edit in file.edits() if edit.edit == "set-tiles")
        level = next(a for a in tiles.arguments if a.name == "level")
        self.assertEqual((level.kind, level.required, level.choices), ("choice", False, ("0", "1")))
        self.assertEqual(tiles.arguments[0], diorama.EditArgument("x", "range", "FROM..TO"))

    def test_commands_are_worded_as_calls(self):
        for text, words in (("{tree FILE}", "`file.tree()`"), ("{edit FILE set-tiles surface=NAME}", "`file.edit('set-tiles', surface='NAME')`"),
                            ("{--as FORMAT}", "`format='FORMAT'`"), ("{--canonical}", "`canonical=True`"), ("{check FILE --fix -i}", "`file.repair()`"),
                            ("{explain FILE#lap@X,Z}", "`file.ask('lap', ...)`"), ("{completion bash}", "the command line's `completion`"),
                            ("a {b} \\c{gold} {}", "a {b} \\c{gold} {}")):
            with self.subTest(text): self.assertEqual(word_commands(text), words)

    def test_no_text_names_the_program(self):
        ids = [rule["rule"] for f in diorama.formats() for rule in dio_json("explain", f.id, "--json").get("rules", [])]
        self.assertGreater(len(ids), 400)
        for id in ids:
            rule = diorama.explain(id)
            for text in (rule.sentence, rule.why, rule.fix): self.assertNotRegex(text, PROGRAM, id)
        for sample in diorama.samples():
            with diorama.open(diorama.sample(sample.format, sample.name), sample.name) as file:
                for finding in file.check(): self.assertNotRegex(f"{finding.text} {finding.hint or ''}", PROGRAM, sample.name)
                if file.ok:
                    for edit in file.edits(): self.assertNotRegex(edit.about, PROGRAM, edit.edit)

    def test_docstrings_do_not_name_the_program(self):
        for name in diorama.__all__:
            thing = getattr(diorama, name)
            for one in [thing, *(vars(thing).values() if isinstance(thing, type) else ())]:
                self.assertNotRegex(getattr(one, "__doc__", None) or "", r"`dio |\bdio [a-z]", name)


if __name__ == "__main__": unittest.main()
