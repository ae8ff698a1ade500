"""Results and errors of the methods."""
import io, json, struct, subprocess, sys, tempfile, unittest, wave
from pathlib import Path

import diorama
from support import ROOT, SAMPLES, bytes_of, dio, dio_json


class Refusals(unittest.TestCase):
    def refused(self, id, function, *arguments, **options):
        """Returns the DioramaError with this id raised by a function."""
        with self.assertRaises(diorama.DioramaError) as raised: function(*arguments, **options)
        self.assertEqual(raised.exception.id, id, raised.exception)
        return raised.exception


class Library(Refusals):
    def test_lists_the_formats_of_the_program(self):
        said = dio_json("formats", "--json")["formats"]
        self.assertEqual([(f.id, f.title, f.platform, f.extensions, f.checks, f.gltf) for f in diorama.formats()],
                         [(f["id"], f["title"], f["platform"], f["extensions"], f["checks"], f["gltf"]) for f in said])
        pack = next(f for f in diorama.formats() if f.id == "splashpack")
        self.assertIn("layout", [o.name for o in pack.options])
        self.assertTrue(next(f for f in diorama.formats() if f.id == "kmp").simulates)

    def test_explains_rules(self):
        rule = diorama.explain("kmp.hdr-len")
        self.assertEqual((rule.rule, rule.severity, rule.also), ("kmp.hdr-len", "error", ("warning",)))
        self.assertEqual(rule.sentence, dio_json("explain", "kmp.hdr-len", "--json")["sentence"])
        self.assertEqual([diorama.explain(rule).cause for rule in ("layout.magic", "edit.argument", "game.part", "edit.limit", "io.read", "kmp.hdr-len")],
                         ["input", "request", "absent", "limit", "system", ""])
        self.refused("capi.argument", diorama.explain, "kmp.none")

    def test_lists_samples(self):
        self.assertIn(("kmp", "race.kmp", 3116), [(s.format, s.name, s.size) for s in diorama.samples()])
        self.refused("capi.argument", diorama.sample, "kmp", "none")

    def test_detects_formats(self):
        info = diorama.detect(SAMPLES / "kmp/race.kmp")
        self.assertEqual((info.format, info.certainty, info.size), ("kmp", "certain", 3116))
        self.assertIsNone(diorama.detect(b"hello", "hello.kmp"))

    def test_encodes_documents(self):
        error = self.refused("json.syntax", diorama.encode, '{"schema": 1,}')
        self.assertEqual(error.expected, "a name in quotes")
        with diorama.open(bytes_of("kmp/race.kmp"), "race.kmp") as file:
            document = file.decode()
            document["document"]["STGI"]["entries"][0]["laps"] = 300
            error = self.refused("layout.overflow", diorama.encode, document)
            self.assertEqual(error.path, "STGI.entries[0].laps")
            document["document"]["STGI"]["entries"][0]["laps"] = 5
            self.assertEqual(diorama.encode(document), file.set({"STGI.entries[0].laps": 5}))
        with diorama.open(bytes_of("kmp/trailing_text.kmp"), "t.kmp") as file:
            self.assertEqual(diorama.encode(file.decode(), canonical=True), file.save(canonical=True))
            self.assertLess(len(file.save(canonical=True)), len(file.read()))


class Opening(Refusals):
    def test_opens_any_bytes_like_object(self):
        whole = bytes_of("kmp/race.kmp")
        for given in (whole, bytearray(whole), memoryview(whole), memoryview(whole + b"x")[:-1]):
            with diorama.open(given, "race.kmp") as file: self.assertEqual((file.format, file.read()), ("kmp", whole))

    def test_opens_paths(self):
        for path in (SAMPLES / "kmp/race.kmp", str(SAMPLES / "kmp/race.kmp")):
            with diorama.open(path) as file: self.assertEqual((file.name, file.format), (str(path), "kmp"))
        with self.assertRaises(FileNotFoundError): diorama.open(SAMPLES / "kmp/none.kmp")
        with self.assertRaises(IsADirectoryError): diorama.open(SAMPLES)

    def test_opens_paths_inside_archives(self):
        path = f"{SAMPLES}/games/small_game.nds/fielddata/land_data/land_data.narc/0"
        with diorama.open(path) as file: self.assertEqual((file.name, file.format), (path, "land-data"))
        self.refused("file.missing", diorama.open, f"{SAMPLES}/nds/cartridge.nds/data/none")
        self.refused("archive.none", diorama.open, f"{SAMPLES}/kmp/race.kmp/x")

    def test_finds_siblings_inside_archives(self):
        with tempfile.TemporaryDirectory() as folder:
            course = Path(folder, "course")
            course.mkdir()
            for kind in ("kmp", "kcl"): (course / f"race.{kind}").write_bytes(bytes_of(f"together/race.{kind}"))
            dio("pack", course, "-o", f"{folder}/course.szs")
            with diorama.open(f"{folder}/course.szs/race.kmp") as file: found = file.simulate()
        with diorama.open(SAMPLES / "together/race.kmp") as file: self.assertEqual([f.text for f in found], [f.text for f in file.simulate()])
        with diorama.open(SAMPLES / "together/race.kmp", beside=False) as file: self.assertEqual(file.simulate(), [])

    def test_ignores_siblings_with_another_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, source in (("a.splashpack", "together/scene_v21.splashpack"), ("a.vram", "kmp/race.kmp"), ("a.spu", "together/scene_v21.spu")):
                Path(folder, name).write_bytes(bytes_of(source))
            with diorama.open(f"{folder}/a.splashpack") as file:
                self.assertEqual(len(file.sounds()[0].samples), 112)
                self.assertIn("no readable .vram file", file.check()[0].text)

    def test_opens_with_a_given_format(self):
        whole = bytes_of("area-build/area_build_0000.bin")
        with diorama.open(whole, format="area-build") as file: self.assertTrue(file.ok)
        with diorama.open(whole, format="kmp") as file: self.assertFalse(file.ok)
        with diorama.open(whole, format="none") as file: self.assertEqual(file.error.id, "capi.argument")

    def test_damaged_files_give_errors(self):
        cut = bytes_of("kmp/race.kmp")[:0x40]
        with diorama.open(cut, "cut.kmp") as file:
            self.assertFalse(file.ok)
            self.assertEqual(file.format, "kmp")
            error = file.error
            self.assertEqual((error.id, error.file, error.offset, error.finding.severity), ("layout.truncated", "cut.kmp", 0x40, "stop"))
            self.assertEqual((error.path, error.expected), ("sections[12].offset", "4 more bytes"))
            self.assertTrue(error.found.startswith("the end of the file"))
            self.assertEqual([f.id for f in file.check()], ["layout.truncated"])
            self.assertEqual(file.read(), cut)
            self.assertEqual(file.tree()["members"][0]["name"], file.ls()["members"][0]["name"])
            self.assertGreater(len(file.hex()["spans"]), 5)
            for refusing in (file.info, file.decode, file.save, file.verify, file.convert, file.scene, file.edit, file.textures, file.members,
                             file.budget, file.edits, file.refs, file.questions, file.game, file.plan, file.render):
                self.refused("layout.truncated", refusing)
        self.assertIn("cannot be read", repr(file))

    def test_strict_and_known_options_apply(self):
        raw = bytes_of("kmp/truncated.kmp")
        with diorama.open(raw, "t.kmp") as file, diorama.open(raw, "t.kmp", strict=True) as strict:
            self.assertTrue(file.ok)
            self.assertFalse(strict.ok)
        whole = SAMPLES / "fft-mesh/odd.fft-mesh"
        with diorama.open(whole) as file, diorama.open(whole, known=True) as known:
            said = dio_json("check", whole, "--known", "--json")["findings"]
            self.assertEqual(len(known.check()), len(said))
            self.assertLessEqual(len(file.check()), len(said))

    def test_closed_files_raise_value_error(self):
        file = diorama.open(b"x", "x")
        file.close()
        file.close()
        for refusing in (file.info, file.check, file.read, file.together):
            with self.assertRaisesRegex(ValueError, "x is closed"): refusing()

    def test_rejects_names_with_a_null_character(self):
        with self.assertRaises(ValueError): diorama.open(b"x", "a\0b")

    def test_findings_are_dataclasses(self):
        with diorama.open(SAMPLES / "kmp/length_zero.kmp") as file: (found,) = file.check()
        self.assertEqual(found, diorama.Finding("warning", "kmp.hdr-len", found.file, "length", 4, 4, message=found.message))
        line = dio("check", "kmp/length_zero.kmp", "--compact").decode().splitlines()[0]
        self.assertEqual(str(found).replace(str(SAMPLES) + "/", ""), line)
        self.assertEqual({found: 1}[found], 1)
        with diorama.open(bytes_of("kmp/race.kmp"), "r.kmp") as file:
            lost = diorama.open(file.set({"GOBJ.entries[1].route": 9, "GOBJ.entries[2].route": 9}), "l.kmp")
        with lost: self.assertEqual([p.path for p in lost.check()[0].places], ["GOBJ.entries[1].route", "GOBJ.entries[2].route"])


class Arguments(Refusals):
    """Files, parts and options as arguments of wrong and of several types."""
    race = SAMPLES / "kmp/race.kmp"

    def test_files_may_be_given_as_paths_or_bytes(self):
        with diorama.open(self.race) as file:
            changed = file.set({"STGI[0].laps": 5})
            expected = file.diff(diorama.open(changed, "race.kmp"))
            self.assertEqual(len(expected), 1)
            self.assertEqual(file.diff(changed), expected)
            self.assertEqual(file.diff(self.race), [])
            self.assertEqual(file.diff(str(self.race)), [])
            self.assertEqual(diorama.merge(self.race, changed, str(self.race)).content, changed)
            self.assertEqual(diorama.sheet([self.race], size="32x32"), diorama.sheet([file], size="32x32"))
            with self.assertRaisesRegex(TypeError, "expected a file, a path or bytes, not int"): file.diff(1)
            with self.assertRaisesRegex(TypeError, "expected a file, a path or bytes, not NoneType"): diorama.merge(file, None, file)

    def test_wrong_types_name_the_expected_type(self):
        with diorama.open(self.race) as file:
            with self.assertRaisesRegex(TypeError, "a path is a text such as"): file.get(["STGI[0].laps"])
            with self.assertRaisesRegex(TypeError, r"not 'course.kmp'; member\(PATH\) returns"): file.read("course.kmp")
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            for function in game.world, game.describe:
                with self.assertRaisesRegex(TypeError, "expected a text such as .map/1., not 1"): function(1)
            with self.assertRaisesRegex(TypeError, "expected a game from open_game"): game.diff(str(SAMPLES))

    def test_option_names_may_end_in_an_underscore(self):
        content = self.race.read_bytes()
        self.assertEqual(diorama.pack({"course.kmp": content}, as_="yaz0"), diorama.pack({"course.kmp": content}, **{"as": "yaz0"}))

    def test_saving_names_a_missing_folder_and_an_image(self):
        with diorama.open(self.race) as file, tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(FileNotFoundError, "there is no folder .*none"): file.save(Path(folder, "none", "x.kmp"))
            image = SAMPLES / "games/small_game.nds"
            with self.assertRaisesRegex(NotADirectoryError, "small_game.nds is a file"): file.save(image / "x.kmp")
            self.assertEqual(list(Path(folder).iterdir()), [])


class Parts(Refusals):
    def test_reads_only_the_needed_parts(self):
        whole, read = bytes_of("games/small_game.nds") + bytes(8 << 20), []

        def part(offset, size):
            read.append(size)
            return whole[offset : offset + size]

        with diorama.open_parts(part, len(whole), "small.nds") as file:
            before = sum(read)
            self.assertLess(before, len(whole) // 20)
            self.assertEqual(len(file.members()), 21)
            self.assertEqual(file.member("fielddata/land_data/land_data.narc/0"),
                             diorama.open(whole, "small.nds").member("fielddata/land_data/land_data.narc/0"))
            self.assertEqual(file.read(0, 16), whole[:16])
            self.refused("capi.argument", file.decode)
            with file.game() as game: scene = game.world("header/1")
        with scene: self.assertGreater(len(scene.data().nodes), 5)  # the source is closed

    def test_reader_exceptions_become_the_cause(self):
        whole, fails = bytes_of("games/small_tactics.bin"), []

        def part(offset, size):
            if fails: raise OSError("the disk is gone")
            return whole[offset : offset + size]

        with diorama.open_parts(part, len(whole), "small.bin") as file:
            fails.append(True)
            error = self.refused("io.read", file.member, "MAP/MAP001.13")
            self.assertIsInstance(error.__cause__, OSError)
            fails.clear()
            self.assertEqual(len(file.member("MAP/MAP001.13")), 12732)
            self.assertIsNone(self.refused("file.missing", file.member, "none").__cause__)

    def test_short_reads_give_an_error(self):
        self.assertEqual(diorama.open_parts(lambda offset, size: b"", 4000, "x.nds").error.id, "io.read")
        with self.assertRaises(TypeError): diorama.open_parts(lambda offset, size: b"")

    def test_open_parts_reads_plain_files_completely(self):
        with diorama.open_parts(SAMPLES / "kmp/race.kmp") as file: self.assertTrue(file.verify())


class Values(Refusals):
    def setUp(self): self.file = diorama.open(SAMPLES / "kmp/race.kmp")

    def tearDown(self): self.file.close()

    def test_get_returns_values_by_path(self):
        get = self.file.get
        self.assertEqual(get("STGI.entries[0].laps"), 3)
        self.assertEqual(get("STGI[0].laps"), 3)
        self.assertEqual(get("GOBJ[*].position.y"), [100.0, 100.0, 100.0, 100.0, 0.0, 50.0, 50.0])
        self.assertEqual(set(get("KTPT[0].position")), {"x", "y", "z"})
        self.assertEqual(get("")["STGI"]["entries"][0]["laps"], 3)
        self.refused("path.unknown", get, "STGI[0].lap")
        get("STGI")["entries"].clear()
        self.assertEqual(get("STGI[0].laps"), 3, "get() returns a copy")

    def test_set_accepts_get_results_and_numpy_numbers(self):
        file = diorama.open(SAMPLES / "kmp/race.kmp")
        for path in "GOBJ[0].position", "GOBJ[0]", "GOBJ[0].settings":
            self.assertEqual(file.set({path: file.get(path)}), file.read(), path)
        self.assertEqual(file.set("STGI[0].laps=5"), file.set({"STGI[0].laps": 5.0}))
        with self.assertRaisesRegex(TypeError, "laps cannot be set to None"): file.set({"STGI[0].laps": None})
        try: import numpy
        except ImportError: self.skipTest("there is no numpy")
        five = file.set({"STGI[0].laps": 5, "GOBJ[0].position": (1.5, 2, 3)})
        self.assertEqual(file.set({"STGI[0].laps": numpy.uint8(5), "GOBJ[0].position": numpy.array([1.5, 2, 3], numpy.float32)}), five)

    def test_opens_games_from_bytes_and_pictures_from_folders(self):
        image = diorama.open(SAMPLES / "games/village.nds").read()
        self.assertEqual(diorama.open_game(image).maps(), diorama.open_game(SAMPLES / "games/village.nds").maps())
        textures = diorama.open(SAMPLES / "nsbtx/swatches.nsbtx")
        with tempfile.TemporaryDirectory() as folder:
            textures.textures().write(folder)
            self.assertEqual(textures.take_textures(folder).content, textures.read())

    def test_set_matches_the_program(self):
        changed = self.file.set({"STGI[0].laps": 5, "KTPT[0].rotation": (0, 90, 0), "AREA.entries[0].type": "fog"})
        with tempfile.TemporaryDirectory() as folder:
            dio("set", "kmp/race.kmp", "STGI.entries[0].laps=5", "KTPT[0].rotation=0,90,0", "AREA.entries[0].type=fog", "-o", f"{folder}/x.kmp")
            self.assertEqual(changed, Path(folder, "x.kmp").read_bytes())
        self.assertEqual(self.file.set({"STGI.entries[0].laps": 5}), self.file.set(["STGI[0].laps=5"]))
        self.assertEqual(diorama.open(self.file.set(["GOBJ[*].position.y+=50"]), "x.kmp").get("GOBJ[0].position.y"), 150.0)
        self.refused("layout.derived", self.file.set, {"length": 5})
        self.refused("layout.overflow", self.file.set, {"STGI.entries[0].laps": 300})
        self.assertEqual(self.file.read(), bytes_of("kmp/race.kmp"))

    def test_lists_levels_and_finds_offsets(self):
        level = self.file.ls("CAME.entries", 1, 2)
        self.assertEqual((level["total"], [m["name"] for m in level["members"]]), (4, ["[1]", "[2]"]))
        self.refused("path.unknown", self.file.ls, "NONE")
        offset, size = self.file.place("STGI.entries[0].laps")
        self.assertEqual((offset, size, self.file.read(offset, size)), (0xC20, 1, b"\3"))
        self.assertIsNone(self.file.place("NONE"))
        self.assertEqual(self.file.path_at(0xC20), "STGI.entries[0].laps")
        self.assertEqual([s["path"] for s in self.file.hex(0xC20, 1)["spans"]], ["STGI.entries[0].laps"])
        self.assertEqual(self.file.hex(), dio_json("hex", "kmp/race.kmp", "--json") | {"file": self.file.name})
        self.assertEqual(self.file.tree(), dio_json("tree", "kmp/race.kmp", "--json")["tree"])
        self.assertEqual(self.file.read(3110, 100), bytes_of("kmp/race.kmp")[3110:])
        self.assertEqual(self.file.read(9999), b"")

    def test_answers_position_questions(self):
        with diorama.open(SAMPLES / "land-data/town.bin") as land:
            self.assertEqual([q.question for q in land.questions()], ["height", "tile"])
            self.assertEqual(land.ask("height", (26, 20, 40))["height"], 48.0)
            self.assertEqual(land.ask("height", "26,20,40"), land.ask("height", (26, 20, 40)))
            self.refused("question.argument", land.ask, "height", "x")
            self.refused("capi.argument", land.ask, "none", "1,2")

    def test_lists_references(self):
        (refs,) = self.file.refs("POTI[0]")
        self.assertEqual((refs.path, refs.refers_to), ("POTI.entries[0]", ()))
        self.assertEqual(refs.referred_by, (diorama.Referral("CAME.entries[1].route", "POTI.entries[0]", True),))
        self.refused("path.unknown", self.file.refs, "NONE")


class Edits(Refusals):
    def test_runs_undoes_and_redoes_edits(self):
        whole = bytes_of("kmp/race.kmp")
        with diorama.open(whole, "race.kmp") as file:
            self.assertIn("reverse-path", [e.edit for e in file.edits()])
            with file.edit() as editing:
                error = self.refused("edit.referred", editing.run, "remove", "POTI[0]")
                self.assertIn("CAME.entries[1].route", error.message)
                done = editing.run("remove", "POTI[0]", unlink=True)
                self.assertEqual((done.edits, done.can_undo, done.can_redo), (1, True, False))
                self.assertEqual([(c.kind, c.path, c.before, c.after) for c in done.changes][0], ("set", "GOBJ.entries[5].route", 1, 0))
                self.assertEqual(done.changes[-1].kind, "remove")
                less = editing.save()
                self.assertLess(len(less), len(whole))
                self.assertTrue(editing.undo().can_redo)
                self.assertEqual(editing.save(), whole)
                editing.redo()
                self.assertEqual(editing.save(), less)
                editing.undo()
                editing.set({"STGI[0].laps": 7, "KTPT[0].position": (1, 2, 3)})
                with diorama.open(editing.save(), "x.kmp") as again:
                    self.assertEqual((again.get("STGI[0].laps"), again.get("KTPT[0].position")), (7, {"x": 1.0, "y": 2.0, "z": 3.0}))
                with self.assertRaises(diorama.DioramaError): editing.run("none")
                editing.undo()
                self.refused("capi.argument", editing.undo)
            with self.assertRaisesRegex(ValueError, "closed"): editing.save()
        with tempfile.TemporaryDirectory() as folder:
            dio("edit", "kmp/race.kmp", "remove", "POTI[0]", "--unlink", "-o", f"{folder}/x.kmp")
            self.assertEqual(less, Path(folder, "x.kmp").read_bytes())

    def test_cascade_removes_referring_elements(self):
        with diorama.open(SAMPLES / "kmp/race.kmp") as file, file.edit() as editing:
            self.assertEqual([c.path for c in editing.run("remove", "POTI[1]", cascade=True).changes if c.kind == "remove"], ["GOBJ.entries", "POTI.entries"])


class Forms(Refusals):
    def test_converts_to_gltf_like_the_program(self):
        with diorama.open(SAMPLES / "kmp/race.kmp") as file:
            with tempfile.TemporaryDirectory() as folder:
                dio("convert", "kmp/race.kmp", "-o", f"{folder}/race.glb")
                self.assertEqual(file.convert(), Path(folder, "race.glb").read_bytes())
            self.assertEqual(json.loads(file.convert("gltf"))["asset"]["version"], "2.0")
            self.refused("capi.argument", file.convert, "obj")

    def test_makes_packs_from_scenes(self):
        with diorama.open(SAMPLES / "courtyard.glb") as scene:
            self.assertFalse(scene.ok)
            made = scene.make("splashpack", scaling=20)
            self.assertEqual([f.name for f in made.files], ["courtyard.splashpack", "courtyard.vram", "courtyard.spu"])
            self.assertIn("triangles", made.notes[0].message)
            self.assertEqual(made[".vram"], made["courtyard.vram"])
            with self.assertRaises(KeyError): made["none"]
            self.refused("make.argument", scene.make, "splashpack", nonsense=1)
            self.refused("capi.argument", scene.make, "bmg")
            self.assertTrue(scene.render(size="64x64").startswith(b"\x89PNG"))
            with tempfile.TemporaryDirectory() as folder:
                dio("convert", "courtyard.glb", "-o", f"{folder}/courtyard.splashpack", "--scaling", "20")
                written = made.write(Path(folder, "made"))
                for path in written: self.assertEqual(path.read_bytes(), Path(folder, path.name).read_bytes())
            pack, *others = (diorama.open(f.bytes, f.name) for f in made.files)
            self.assertEqual(diorama.open(pack.together(*others).make("splashpack", layout="v22")[".splashpack"]).info().info["version"], 22)

    def test_combines_a_pack_with_its_siblings(self):
        pack, vram, spu = (diorama.open(bytes_of(f"together/scene_v21.{kind}"), f"scene_v21.{kind}") for kind in ("splashpack", "vram", "spu"))
        self.assertEqual(pack.beside(), ["scene_v21.vram", "scene_v21.spu", "scene_v21.geo"])
        with pack.together(vram, spu) as whole:
            for one in (pack, vram, spu): one.close()
            self.assertEqual([f.id for f in whole.check()], ["splashpack.uv-bleed"])
            self.assertEqual(whole.textures().files[-1].name, "textures.json")
        course = diorama.open(bytes_of("kmp/race.kmp"), "race.kmp")
        self.refused("capi.argument", course.together, diorama.open(bytes_of("nsbtx/swatches.nsbtx"), "s.nsbtx"))

    def test_exports_textures_like_the_program(self):
        with diorama.open(SAMPLES / "nsbtx/swatches.nsbtx") as file, tempfile.TemporaryDirectory() as folder:
            dio("textures", "nsbtx/swatches.nsbtx", "-o", f"{folder}/p/")
            self.assertEqual({f.name: f.bytes for f in file.textures().files}, {p.name: p.read_bytes() for p in Path(folder, "p").iterdir()})
        with diorama.open(SAMPLES / "kmp/race.kmp") as file: self.refused("capi.argument", file.textures)

    def test_renders_pictures_like_the_program(self):
        with diorama.open(SAMPLES / "nsbmd/teapot.nsbmd") as file, tempfile.TemporaryDirectory() as folder:
            dio("render", "nsbmd/teapot.nsbmd", "-o", f"{folder}/t.png", "--size", "64x48", "--camera", "top")
            self.assertEqual(file.render(size="64x48", camera="top"), Path(folder, "t.png").read_bytes())
            self.refused("capi.argument", file.render, size="big")
            self.refused("capi.argument", file.plan)
        with diorama.open(SAMPLES / "together/race.kmp") as file:
            self.assertIn("<svg", file.plan(size="800x600", show="ckpt,enpt"))
            self.assertNotEqual(file.plan(race=True), file.plan(race=False))

    def test_computes_budgets_like_the_program(self):
        with diorama.open(SAMPLES / "splashpack/scene_d.bin") as file: budget = file.budget()
        said = dio_json("budget", "splashpack/scene_d.bin", "--json")
        self.assertEqual([(u.name, u.used, u.of) for u in budget.budgets], [(u["name"], u["used"], u.get("of")) for u in said["budgets"]])
        self.assertEqual((budget.engine, budget.over), (said["engine"], False))
        self.assertTrue(diorama.Use("x", 2, 1).over)

    def test_decodes_sounds(self):
        with diorama.open(SAMPLES / "together/scene_v21.splashpack") as file: (sound,) = file.sounds()
        self.assertEqual((sound.name, sound.path, sound.rate, len(sound.samples)), ("beep", "audio_clips[0]", 22050, 112))
        with wave.open(io.BytesIO(sound.wav())) as heard: self.assertEqual((heard.getframerate(), heard.readframes(2)), (22050, sound.samples[:2].tobytes()))
        with diorama.open(SAMPLES / "together/scene_v21.splashpack", beside=False) as file: self.assertEqual(len(file.sounds()[0].samples), 0)

    def test_simulates_like_the_program(self):
        with diorama.open(SAMPLES / "together/race.kmp") as file: found = file.simulate()
        said = dio_json("simulate", "together/race.kmp", "--json", codes=(0, 1, 2))["findings"]
        self.assertEqual([f.message for f in found], [f["message"] for f in said])
        self.assertGreater(len(found), 0)


class Archives(Refusals):
    def test_lists_and_replaces_members(self):
        whole = bytes_of("nds/cartridge.nds")
        with diorama.open(whole, "c.nds") as file:
            shelf = next(m for m in file.members() if m.path == "data/shelf.narc")
            self.assertEqual((shelf.what, shelf.size), ("narc", 164))
            changed = file.replace("data/shelf.narc/1", b"thirteen")
            self.assertEqual(diorama.open(changed, "c.nds").member("data/shelf.narc/1"), b"thirteen")
            self.refused("file.missing", file.replace, "none", b"")
            self.refused("file.missing", file.check_member, "none")
            with_course = diorama.open(file.replace("data/shelf.narc/1", bytes_of("kmp/version_1600.kmp")), "c.nds")
            self.assertEqual([f.id for f in with_course.check_member("data/shelf.narc/1")], ["kmp.ver"])
        with diorama.open(bytes_of("kmp/race.kmp"), "r.kmp") as file: self.refused("archive.none", file.members)

    def test_unpacks_and_packs_archives(self):
        with tempfile.TemporaryDirectory() as folder, diorama.open(SAMPLES / "nds/cartridge.nds") as file:
            paths = file.unpack(Path(folder, "out"))
            written = {p.relative_to(Path(folder, "out")).as_posix(): p.read_bytes() for p in paths}
            self.assertEqual({n: content for n, content in written.items() if not n.startswith("_system/")},
                             {m.path: file.member(m.path) for m in file.members() if not m.path.startswith("_system/")})
            self.assertEqual(diorama.pack(Path(folder, "out")), file.read())

    def test_rejects_names_outside_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("../x", "/x", "a/../../x", "a\\x", "c:x", "", "a//b", "x\0"):
                with self.assertRaises(ValueError): diorama.Made((diorama.MadeFile("fine", b""), diorama.MadeFile(name, b"x")), ()).write(Path(folder, "in"))
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_walks_nested_members(self):
        with diorama.open_parts(SAMPLES / "games/small_game.nds") as file:
            walked = {f.name.removeprefix(f"{file.name}/"): f.format for f in file.walk()}
            said = dio_json("ls", "games/small_game.nds", "--all", "--json")["members"]
            self.assertEqual([m["path"] for m in said if m["path"] not in walked], [])
            self.assertIn("fielddata/land_data/land_data.narc/0", walked)
            with self.assertRaisesRegex(ValueError, "limit"): list(file.walk(limit=1000))
        with diorama.open(SAMPLES / "kmp/race.kmp") as file: self.assertEqual(list(file.walk()), [])
        with diorama.open(b"nothing") as file: self.assertEqual(list(file.walk()), [])


class Games(Refusals):
    def test_reads_games_from_cartridges(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            self.assertEqual((game.game, game.overlays[0], game.options[0]), ("platinum", "tiles", "time"))
            self.assertEqual([r["name"] for r in game.maps().rows], ["EVERYWHERE", "TOWN", "ROAD", "HOUSE"])
            self.assertEqual(game.maps().columns[:2], ("header", "name"))
            self.assertEqual(game.describe("land/0"), dio_json("maps", "games/small_game.nds", "land/0", "--json") | {})
            self.assertEqual(game.check(), [])
            self.refused("game.part", game.shown_with, "land/99")
            self.refused("game.part", game.world, "land/99")
            self.refused("game.part", game.budget, "land/99")
            self.refused("capi.argument", game.world, "header/1", nonsense=1)
            self.refused("file.missing", game.file, "none")
            self.assertEqual(game.file(), bytes_of("games/small_game.nds"))
            with game.open("fielddata/land_data/land_data.narc/0") as land: self.assertEqual(land.format, "land-data")
            said = dio_json("budget", "games/small_game.nds", "--maps", "--part", "header/1", "--json")
            budget = game.budget("header/1")
            self.assertEqual((budget.part, [(u.name, u.used, u.of) for u in budget.budgets]), ("header/1", [(u["name"], u["used"], u.get("of")) for u in said["budgets"]]))
            self.assertIn(budget, game.budgets())
            self.refused("game.budget", game.budget, "events/0")
            with tempfile.TemporaryDirectory() as folder, game.world("header/1", time="20:30", show="tiles,events") as scene:
                dio("world", "games/small_game.nds", "header/1", "--time", "20:30", "--show", "tiles,events", "-o", f"{folder}/t.glb")
                written = Path(folder, "t.glb").read_bytes()  # without links back to the file
                text = json.loads(written[20 : 20 + struct.unpack_from("<I", written, 12)[0]])
                drawn = json.loads(scene.convert("gltf"))
                self.assertEqual([n.get("name") for n in drawn["nodes"]], [n.get("name") for n in text["nodes"]])
                self.assertTrue(scene.convert().startswith(b"glTF"))
        with self.assertRaisesRegex(ValueError, "closed"): game.info()

    def test_stores_a_file_in_a_disc(self):
        rain = (SAMPLES / "fft-mesh/rain.fft-mesh").read_bytes()
        with diorama.open_game(SAMPLES / "games/small_tactics.bin") as game, diorama.open(SAMPLES / "fft-mesh/rain.fft-mesh") as file:
            edited = game.edit("add-file", "map=1", "as=mesh", "state=arrangement=9", source=file)
            self.assertEqual(edited.files["MAP/MAP001.14"], len(rain))
            self.assertEqual(game.file("MAP/MAP001.14"), rain)
            self.refused("edit.argument", game.edit, "add-file", "map=1", "as=texture", "state=arrangement=8", source=file)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "x.bin")
                path.write_bytes(game.file())
                self.assertEqual(dio_json("check", path, "--maps", "--json")["findings"], dio_json("check", SAMPLES / "games/small_tactics.bin", "--maps", "--json")["findings"])

    def test_edits_games_like_the_program(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            self.assertIn("add-prop", [e.edit for e in game.edits()])
            self.assertRaises(diorama.DioramaError, game.edit, "none")
            edited = game.edit("add-prop", "land=3", "model=2", "x=8", "z=24")
            self.assertIn("added prop", edited.done[0])
            self.assertIn("fielddata/land_data/land_data.narc", edited.files)
            with tempfile.TemporaryDirectory() as folder:
                dio("edit", "games/small_game.nds", "add-prop", "land=3", "model=2", "x=8", "z=24", "-o", f"{folder}/x.nds")
                self.assertEqual(game.file(), Path(folder, "x.nds").read_bytes())
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game, diorama.open(SAMPLES / "town.glb") as town:
            edited = game.edit("make-map", "header=HOUSE", "area=new", "units-per-metre=16", scene=town)
            self.assertGreater(len(edited.files), 3)
            self.assertTrue(all(isinstance(note, diorama.Finding) for note in edited.notes))

    def test_opens_games_from_folders_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            dio("unpack", SAMPLES / "games/small_tactics.bin/MAP", "-o", f"{folder}/MAP")
            with diorama.open_game(f"{folder}/MAP") as game:
                said = dio_json("check", "--maps", f"{folder}/MAP", "--json")["findings"]
                self.assertEqual([str(f) for f in game.check()], [str(diorama.Finding.of(f)) for f in said])
                with game.world("map/1", state="night") as scene: nodes = len(scene.data().nodes)
                self.refused("game.part", game.world)
                self.refused("archive.none", game.file)
            files = {p.name: p.read_bytes() for p in Path(folder, "MAP").iterdir()}
            with diorama.open_game(files, "MAP") as game, game.world("map/1", state="night") as scene:
                self.assertEqual(len(scene.data().nodes), nodes)
                self.assertTrue(any(s and s.file in files for s in (scene.source(n) for n in range(nodes))))
            self.refused("game.unknown", diorama.open_game, {"x": b"x"})
        self.refused("archive.none", diorama.open_game, SAMPLES / "kmp/race.kmp")
        self.refused("game.unknown", diorama.open(SAMPLES / "nds/cartridge.nds").game)
        with self.assertRaises(OSError): diorama.open_game(SAMPLES / "none")

    def test_known_option_lists_known_faults(self):
        with diorama.open_game(SAMPLES / "games/small_tactics.bin", known=True) as game:
            known = len(game.check())
            self.assertEqual(game.shown_with("mesh/3"), ["MAP/MAP001.9", "MAP/MAP001.8"])
        self.assertEqual(known, len(dio_json("check", "--maps", "--known", "games/small_tactics.bin", "--json")["findings"]))


class Scenes(Refusals):
    def test_scene_arrays_have_sources_and_shapes(self):
        with diorama.open(SAMPLES / "nsbmd/teapot.nsbmd") as file, file.scene() as scene:
            data = scene.data()
            packed = json.loads(scene.convert("gltf"))
            node, primitive = next(data.primitives())
            place = scene.source(node, primitive.sources[primitive.indices[0]])
            self.assertEqual((place.file, file.read(place.offset, place.size).hex()), (file.name, "c0030004"))
            shown = scene.shows(file.name, place.path[: place.path.index(".packets")])
            self.assertEqual([(s.node, len(s.sources)) for s in shown], [(node, 1)])
            self.assertEqual(scene.shows("other", ""), [])
        self.assertEqual(len(data.nodes), len(packed["nodes"]) - 1)  # plus one node for the scale
        count = primitive.positions.shape[0]
        self.assertEqual((primitive.positions.format, primitive.positions.shape), ("f", (count, 3)))
        self.assertEqual((primitive.uvs.shape, primitive.sources.shape), ((count, 2), (count,)))
        self.assertTrue(primitive.positions.readonly)
        self.assertLess(max(primitive.indices), count)
        image = data.images[0]
        self.assertEqual(image.pixels.shape, (image.height, image.width, 4))
        with self.assertRaisesRegex(ValueError, "closed"): scene.data()

    def test_every_array_has_its_documented_shape(self):
        seen = set()
        for path in sorted(SAMPLES.rglob("*.nsbmd")) + sorted(SAMPLES.rglob("*.kmp")) + sorted(SAMPLES.rglob("*.splashpack")) + sorted(SAMPLES.rglob("*.brres")):
            with diorama.open(path) as file:
                others = [diorama.open(p) for p in SAMPLES.glob(f"ns*/{path.stem}.*") if p.suffix != ".nsbmd"] if path.suffix == ".nsbmd" else []
                try: whole = file.together(*others)
                except diorama.DioramaError: whole = file
                try: data = whole.scene().data()
                except diorama.DioramaError as error:
                    self.assertEqual(error.id, "scene.none")
                    continue
            for mesh in data.meshes:
                for p in mesh.primitives:
                    n = len(p.positions)
                    for name, width in (("normals", 3), ("colors", 4), ("uvs", 2), ("joints", 4), ("weights", 4)):
                        view = getattr(p, name)
                        if view is not None: seen.add(name), self.assertEqual(view.shape, (n, width), (path, name))
                    if p.sources is not None: self.assertEqual(p.sources.shape, (n,))
                    if p.joints is not None:
                        for vertex in p.weights.tolist(): self.assertAlmostEqual(sum(vertex), 1, 5)
            for skin in data.skins: seen.add("skin"), self.assertEqual(skin.inverse_bind.shape, (len(skin.joints), 16))
            for a in data.animations:
                for c in (*a.channels, *a.fov_channels, *a.material_channels, *a.visibility_channels):
                    seen.add(c.target)
                    self.assertEqual(len(c.times), len(c.values), (path, c.target))
                    self.assertEqual(c.times.tolist(), sorted(c.times.tolist()))
        self.assertLessEqual({"normals", "colors", "uvs", "joints", "weights", "skin", "translation", "rotation", "visible"}, seen)

    def test_matrices_match_gltf(self):
        """matrix() places points where glTF readers place them."""
        with diorama.open(SAMPLES / "nsbmd/windmill.nsbmd") as file, file.scene() as scene: data = scene.data()
        for number, node in enumerate(data.nodes):
            m = data.matrix(number)
            self.assertEqual(m[3], (0.0, 0.0, 0.0, 1.0))
            if node.parent < 0: self.assertEqual(tuple(row[3] for row in m[:3]), node.translation)
        root = diorama.SceneData("", 1, (), None, (), (), (), (), (), (), (), (), (), (
            diorama.Node("a", -1, (1, 2, 3), (0, 2**-0.5, 0, 2**-0.5), (2, 2, 2), -1, -1, -1, -1, True, None),
            diorama.Node("b", 0, (1, 0, 0), (0, 0, 0, 1), (1, 1, 1), -1, -1, -1, -1, True, None)), ())
        for got, wanted in zip((row[3] for row in root.matrix(1)), (1, 2, 1)): self.assertAlmostEqual(got, wanted)  # x rotates to -z, at twice the distance

    def test_checks_scene_options(self):
        with diorama.open(SAMPLES / "nsbmd/windmill.nsbmd") as file:
            self.refused("capi.argument", file.scene, nonsense=1)
            file.scene(lit=True).close()

    def test_updated_scene_equals_scene_of_edited_file(self):
        with diorama.open(SAMPLES / "together/race.kmp") as course, diorama.open(SAMPLES / "together/race.kcl") as ground:
            with course.together(ground) as both, both.scene() as before:
                changed = diorama.open(course.set({"KTPT.entries[0].position.x": 1234}), "race.kmp")
                with changed, changed.together(ground) as again, again.scene(before) as after, again.scene() as alone:
                    self.assertEqual(after.data(), alone.data())
                    self.assertNotEqual(after.data(), before.data())

    def test_numpy_shares_scene_memory(self):
        try: import numpy
        except ImportError: self.skipTest("there is no numpy")
        with diorama.open(SAMPLES / "kcl/hills.kcl") as file: data = file.scene().data()
        _, primitive = next(data.primitives())
        array = numpy.asarray(primitive.positions)
        self.assertEqual((array.dtype, array.shape, array.flags.owndata, array.flags.writeable), (numpy.float32, primitive.positions.shape, False, False))
        self.assertTrue(numpy.shares_memory(array, numpy.asarray(primitive.positions)))
        again = array.copy()
        del data, primitive
        import gc
        gc.collect()
        churn = [diorama.open(SAMPLES / "kcl/hills.kcl").scene().data() for _ in range(20)]
        self.assertTrue((array == again).all(), "the memory was freed too early")
        del churn
