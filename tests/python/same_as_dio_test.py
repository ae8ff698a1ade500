"""Everything the command line can do is also in the library: each result is compared with the output of the program."""
import base64, json, tempfile, unittest
from pathlib import Path

import diorama
from diorama import _library as lib
from support import SAMPLES, bytes_of, dio, dio_json, words_of_dio


def opened(name, **more): return diorama.open(SAMPLES / name, name, **more)


def written(folder): return {p.relative_to(folder).as_posix(): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


def made(result): return {file.name: file.bytes for file in result.files}


class SameAsDio(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def out(self, *arguments, name="out", codes=(0, 1)):
        """The bytes written by the program."""
        dio(*arguments, "-o", self.folder / name, codes=codes)
        return (self.folder / name).read_bytes()

    # ---- values ----

    def test_set_accepts_typed_expressions(self):
        with opened("kmp/race.kmp") as file:
            for typed in ("GOBJ[*].presence=7", "GOBJ[id=itembox].presence=7", "KTPT[0].position.y+=100", "KTPT[0].position=1,2,3"):
                with self.subTest(typed):
                    self.assertEqual(file.set([typed]), self.out("set", "kmp/race.kmp", typed, name="set.kmp"))
                    (self.folder / "set.kmp").unlink()

    def test_explain_matches_dio(self):
        with opened("kmp/race.kmp") as file:
            self.assertEqual(file.explain("KTPT[0].position.x"), dio_json("explain", "kmp/race.kmp#KTPT[0].position.x", "--json"))
            with self.assertRaises(diorama.DioramaError) as raised: file.explain("KTPT[9]")
            self.assertEqual(raised.exception.id, "path.unknown")

    def test_hex_page_matches_dio(self):
        for name in ("kmp/race.kmp", "kmp/race_with_faults.kmp"):
            if not (SAMPLES / name).exists(): continue
            with opened(name) as file: self.assertEqual(file.hex_page().encode(), dio("hex", name, "--html"))

    def test_lean_json_matches_dio(self):
        for name in ("kmp/race.kmp", "nsbmd/windmill.nsbmd"):
            with opened(name) as file:
                self.assertEqual(file.decode_json(lean=True).encode(), dio("decode", name, "--lean", "-q", "-o", "-"))
                self.assertEqual(diorama.encode(file.decode_json(lean=True)), file.read())

    def test_schema_matches_dio(self):
        same, said = diorama.schema("kmp"), dio_json("schema", "kmp")
        self.assertEqual(same.pop("description"), said.pop("description").replace("`dio decode`", "`file.decode()`").replace("`dio encode`", "`diorama.encode()`"))
        self.assertEqual(same, said)
        self.assertEqual(diorama.schema("kmp", "markdown").encode(), dio("schema", "kmp", "--markdown"))

    def test_find_matches_dio(self):
        inside = bytes(32) + bytes_of("kmp/race.kmp") + bytes(6) + bytes_of("nsbmd/windmill.nsbmd")
        (self.folder / "noise.bin").write_bytes(inside)
        said = dio_json("find", self.folder / "noise.bin", "--json")["found"]
        self.assertEqual([(f.offset, f.size, f.format) for f in diorama.find(inside)], [(f["offset"], f["size"], f["format"]) for f in said])
        self.assertEqual([f.offset for f in diorama.find(self.folder / "noise.bin", every_byte=True)],
                         [f["offset"] for f in dio_json("find", self.folder / "noise.bin", "--every-byte", "--json")["found"]])
        self.assertEqual({f.format for f in diorama.find(inside, every_byte=True)}, {"kmp", "nsbmd"})

    # ---- findings ----

    def test_reports_match_dio(self):
        damaged = bytearray(bytes_of("kmp/race.kmp"))
        damaged[10] ^= 1
        (self.folder / "race.kmp").write_bytes(damaged)
        name = str(self.folder / "race.kmp")
        with diorama.open(name) as file:
            self.assertTrue(file.check())
            with words_of_dio(): self.assertEqual(file.report("sarif").encode(), dio("check", name, "--format", "sarif"))
            with words_of_dio(name): self.assertEqual(file.report("json").encode(), dio("check", name, "--json"))
            self.assertEqual(file.report("summary").encode(), dio("check", name, "--summary", "--json"))
            one = file.check()[0].id
            with words_of_dio(name):
                self.assertEqual(file.report("json", ignore=[one]).encode(), dio("check", name, "--json", "--ignore", one))
                self.assertEqual(file.report("json", rules=[one]).encode(), dio("check", name, "--json", "--rule", one))
            with self.assertRaises(diorama.DioramaError): file.report("html")
            # Findings of an earlier run are omitted.
            left = json.loads(file.report("json", baseline=file.report("json")))
            self.assertEqual((left["findings"], left["summary"]["baseline"] > 0), ([], True))

    def test_repair_matches_dio(self):
        # A pack with an unterminated object name has one safe repair.
        name = "splashpack/scene_v21.splashpack"
        with opened(name) as file:
            self.assertEqual(file.repair().more["repairs"], [])
            self.assertEqual(file.repair().content, file.read())
            path = next(o["path"] + ".unk_name_end" for o in file.ls("objects")["members"])
            (self.folder / "marked.splashpack").write_bytes(file.set({path: 5}))
        with diorama.open(self.folder / "marked.splashpack", beside=False) as file:
            mended = file.repair()
            self.assertIn("splashpack.name-end", [r["id"] for r in mended.more["repairs"]])
            self.assertEqual(mended.content, self.out("check", self.folder / "marked.splashpack", "--fix", name="mended.splashpack"))
        with opened("nsbmd/windmill.nsbmd") as file, self.assertRaises(diorama.DioramaError) as raised: file.repair()
        self.assertEqual(raised.exception.id, "capi.argument")

    def test_verify_matches_dio(self):
        for name in ("kmp/race.kmp", "nds/cartridge.nds"):
            with opened(name) as file:
                self.assertTrue(file.verify())
                self.assertEqual(lib.json_of("dio_verify", file._handle), dio_json("verify", name, "--json"))

    # ---- two files ----

    def test_diff_matches_dio(self):
        with opened("kmp/race.kmp") as file:
            other = file.set({"STGI[0].laps": 5, "KTPT[0].position.x": 1})
            (self.folder / "other.kmp").write_bytes(other)
            changed = diorama.open(other, "other.kmp")
            self.assertEqual([(d.kind, d.a, d.b, d.old, d.new) for d in file.diff(changed)],
                             [(c["kind"], c.get("a"), c.get("b"), c.get("old"), c.get("new"))
                              for c in dio_json("diff", "kmp/race.kmp", self.folder / "other.kmp", "--json")["changes"]])
            self.assertEqual([(d.offset, d.old, d.new, d.path) for d in file.diff(changed, bytes=True)],
                             [(c["offset"], c["old"], c["new"], c.get("path"))
                              for c in dio_json("diff", "kmp/race.kmp", self.folder / "other.kmp", "--bytes", "--json")["changes"]])
            self.assertEqual(file.diff(file), [])
            with self.assertRaises(diorama.DioramaError): file.diff(opened("nsbmd/windmill.nsbmd"))

    def test_archive_diff_matches_dio(self):
        with opened("nds/cartridge.nds") as file:
            other = file.replace("data/shelf.narc/1", b"thirteen")
            (self.folder / "other.nds").write_bytes(other)
            said = dio_json("diff", "nds/cartridge.nds", self.folder / "other.nds", "--json")["members"]
            self.assertEqual([(d.kind, d.path, d.what) for d in file.diff(diorama.open(other, "other.nds"))],
                             [(m["change"], m["path"], m["what"]) for m in said])
            self.assertEqual([m["path"] for m in said], ["data/shelf.narc/1"])

    def test_merge_matches_dio(self):
        base = opened("kmp/race.kmp")
        ours = diorama.open(base.set({"STGI[0].laps": 5}), "ours.kmp")
        theirs = diorama.open(base.set({"KTPT[0].position.x": 1}), "theirs.kmp")
        for file in (ours, theirs): (self.folder / file.name).write_bytes(file.read())
        merged = diorama.merge(base, ours, theirs)
        self.assertEqual(merged.content, self.out("merge", "kmp/race.kmp", self.folder / "ours.kmp", self.folder / "theirs.kmp"))
        self.assertEqual(merged.more["collisions"], [])
        against = diorama.open(base.set({"STGI[0].laps": 7}), "against.kmp")
        collided = diorama.merge(base, ours, against)
        self.assertEqual((collided.files, [c["path"] for c in collided.more["collisions"]]), ((), ["STGI.entries[0].laps"]))
        self.assertEqual(diorama.merge(base, ours, against, "theirs").content, against.read())

    def test_shared_renames_match_dio(self):
        model, textures = opened("nsbmd/swatches.nsbmd", beside=False), opened("nsbtx/swatches.nsbtx", beside=False)
        said = dio_json("refs", "nsbmd/swatches.nsbmd", "models", "--with", "nsbtx/swatches.nsbtx", "--json")["parts"]
        found = lib.json_of("dio_refs", model._handle, b"models", *lib.handles_of([textures._handle]))["parts"]
        self.assertEqual(found, said)

        textures_path = next(r["others"][0]["path"] for part in found for r in part.get("names", ()) if r["others"])
        with textures.edit() as editing:
            before = editing.save()
            editing.set({textures_path: "renamed"})
            renamed = editing.save()
            followed = editing.follow(model)
            out = self.folder / "both"
            dio("edit", "nsbtx/swatches.nsbtx", "set", f"{textures_path}=renamed", "--with", "nsbmd/swatches.nsbmd", "-o", f"{out}/")
            self.assertEqual({"swatches.nsbtx": renamed, "swatches.nsbmd": followed}, written(out))
            self.assertNotEqual(followed, model.read())
            editing.undo()
            self.assertEqual((editing.save(), editing.follow(model)), (before, model.read()))
            editing.redo()
            self.assertEqual(editing.follow(model), followed)

    def test_put_back_matches_dio(self):
        with opened("kmp/race.kmp") as file:
            scene = json.loads(file.convert("gltf"))
            node = next(n for n in scene["nodes"] if n["name"].startswith("itembox"))
            node["translation"][1] += 250
            (self.folder / "race.gltf").write_text(json.dumps(scene))
            edited = diorama.open(self.folder / "race.gltf")
            back = file.put_back(edited)
            self.assertEqual(back.content, self.out("convert", self.folder / "race.gltf", "--onto", "kmp/race.kmp"))
            self.assertEqual(back.more["what"], "1 moved, 0 added, 0 removed")
        with opened("nds/cartridge.nds") as file, self.assertRaises(diorama.DioramaError): file.put_back(edited)

    def test_gltf_files_use_their_external_buffers(self):
        scene = json.loads(opened("nsbmd/windmill.nsbmd").convert("gltf"))
        scene["buffers"][0]["uri"] = "parts/wind%20mill.bin"
        file = diorama.open(json.dumps(scene).encode(), "models/windmill.gltf")
        self.assertEqual(file.beside(), ["models/parts/wind mill.bin"])
        # The file found there is used.
        whole = opened("nsbmd/windmill.nsbmd").convert("gltf")
        scene = json.loads(whole)
        (self.folder / "mill.bin").write_bytes(base64.b64decode(scene["buffers"][0]["uri"].partition(",")[2]))
        scene["buffers"][0]["uri"] = "mill.bin"
        (self.folder / "mill.gltf").write_text(json.dumps(scene))
        self.assertEqual(diorama.open(self.folder / "mill.gltf").render(), diorama.open(whole, "mill.gltf").render())
        with self.assertRaises(diorama.DioramaError): diorama.open(self.folder / "mill.gltf", beside=False).render()

    def test_obj_files_use_their_materials_and_pictures(self):
        (self.folder / "art").mkdir()
        pictures = opened("nsbmd/windmill.nsbmd").textures()
        (self.folder / "art" / "mill.png").write_bytes(pictures[".png"])
        (self.folder / "box.mtl").write_text("newmtl road\nmap_Kd art/mill.png\n")
        (self.folder / "box.obj").write_text("mtllib box.mtl\nv 0 0 0\nv 9 0 0\nv 9 0 -9\nvt 0 0\nvt 1 1\nusemtl road\nf 1/1 2/2 3/1\n")
        made = diorama.open(self.folder / "box.obj").make("brres").content
        self.assertIn(b"mill", made)
        self.assertEqual(made, self.out("convert", self.folder / "box.obj", "--to", "brres"))

    # ---- pictures ----

    def test_animated_pictures_match_dio(self):
        names = ["nsbmd/windmill.nsbmd", "nsbca/windmill.nsbca"]
        with opened(names[0], beside=False) as model, opened(names[1], beside=False) as motion:
            both = model.together(motion)
            for out, options in {"row.png": {"strip": 4, "size": "48x48"}, "turn.apng": {"as": "apng", "size": "32x32"},
                                 "turn.gif": {"as": "gif", "size": "32x32"}}.items():
                told = [word for name, value in options.items() if name != "as" for word in (f"--{name}", str(value))]
                self.assertEqual(both.render(**options), self.out("render", *names, *told, name=out), out)
                self.assertEqual(both.scene().render(**options), both.render(**options))
            for wrong in ({"strip": 0}, {"strip": 2, "as": "apng"}, {"as": "jpeg"}, {"columns": 2}):
                with self.assertRaises(diorama.DioramaError): both.render(**wrong)

    def test_pictures_of_game_parts_match_dio(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            drawn = game.world("header/3").render(size="64x64", camera="20,45")
            self.assertEqual(drawn, self.out("render", "games/small_game.nds", "--part", "header/3", "--size", "64x64",
                                             "--camera", "20,45", name="part.png"))

    def test_tiles_match_dio(self):
        with diorama.open_game(SAMPLES / "games/small_tactics.bin") as game:
            tiles = made(game.world("map/1").tiles(tiles=64))
            dio("render", "games/small_tactics.bin", "--part", "map/1", "--tiles=64", "-o", f"{self.folder}/map/")
            self.assertEqual(tiles, written(self.folder / "map"))
            self.assertGreater(len(tiles), 3)
            with self.assertRaises(diorama.DioramaError): game.world("map/1").tiles(size="64x64")

    def test_sheets_are_reproducible(self):
        names = ["kmp/race.kmp", "nsbmd/windmill.nsbmd"]
        sheet = diorama.sheet([opened(name, beside=False) for name in names], size="64x64", columns=2)
        self.assertEqual(sheet[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(sheet, diorama.sheet([opened(name, beside=False) for name in names], size="64x64", columns=2))
        self.assertNotEqual(sheet, diorama.sheet([opened(name, beside=False) for name in names], size="64x64", columns=1))
        with self.assertRaises(diorama.DioramaError): diorama.sheet([])

    def test_thumbnails_match_dio(self):
        for name in ("kmp/race.kmp", "nsbtx/swatches.nsbtx", "nsbmd/windmill.nsbmd"):
            with opened(name) as file:
                dio("thumbnail", name, self.folder / "small.png", "--size", "64")
                self.assertEqual(file.thumbnail(64), (self.folder / "small.png").read_bytes(), name)
                (self.folder / "small.png").unlink()
        with opened("nds/cartridge.nds") as file, self.assertRaises(diorama.DioramaError): file.thumbnail()
        with opened("kmp/race.kmp") as file, self.assertRaises(diorama.DioramaError): file.thumbnail(2000)

    def test_budget_pictures_match_dio(self):
        with opened("splashpack/scene_v21.splashpack") as file:
            self.assertEqual(file.budget_picture().encode(), self.picture("splashpack/scene_v21.splashpack"))
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            self.assertEqual(game.budget_picture("header/3").encode(), self.picture("games/small_game.nds", "--maps", "--part", "header/3"))

    def picture(self, *arguments):
        dio("budget", *arguments, "--picture", self.folder / "budget.svg")
        content = (self.folder / "budget.svg").read_bytes()
        (self.folder / "budget.svg").unlink()
        return content

    # ---- textures ----

    def test_exported_textures_match_dio(self):
        for flags, options in (((), {}), (("--all-palettes",), {"all_palettes": True}), (("--pal",), {"pal": True})):
            out = self.folder / f"t{len(flags)}{'-'.join(options)}"
            dio("textures", "nsbtx/swatches.nsbtx", *flags, "-o", f"{out}/")
            with opened("nsbtx/swatches.nsbtx") as file: self.assertEqual(made(file.textures(**options)), written(out))

    def test_imported_textures_match_dio(self):
        folder = self.folder / "textures"
        dio("textures", "nsbtx/swatches.nsbtx", "--pal", "-o", f"{folder}/")
        palette = next(p for p in sorted(folder.glob("*.pal")))
        lines = palette.read_text().splitlines()
        lines[3] = "8 16 24"
        palette.write_bytes("\r\n".join(lines + [""]).encode())
        with opened("nsbtx/swatches.nsbtx") as file:
            taken = file.take_textures(written(folder))
            self.assertEqual(taken.content, self.out("textures", "nsbtx/swatches.nsbtx", "--replace", folder))
            self.assertGreater(taken.more["changed"], 0)
            some = next(n for n in written(folder) if n.endswith(".png"))
            more = {**written(folder), "brand_new.png": (folder / some).read_bytes()}
            (folder / "brand_new.png").write_bytes(more["brand_new.png"])
            added = file.take_textures(more, add=True)
            self.assertEqual(added.more["added"], 1)
            self.assertEqual(added.content, self.out("textures", "nsbtx/swatches.nsbtx", "--replace", folder, "--add", name="more"))
            with self.assertRaises(diorama.DioramaError) as raised: file.take_textures({"textures.json": b"{"})
            self.assertEqual((raised.exception.id, raised.exception.file), ("json.syntax", "textures.json"))
            with self.assertRaises(diorama.DioramaError) as raised: file.take_textures({})
            self.assertEqual(raised.exception.id, "file.missing")

    # ---- archives ----

    def test_unpack_and_pack_match_dio(self):
        for name, options in {"nds/cartridge.nds": {}, "narc/shelf.narc": {}, "u8/small_sources.arc": {"as": "u8"}}.items():
            with self.subTest(name), opened(name) as file:
                out = self.folder / name.replace("/", "-")
                dio("unpack", name, "-o", out)
                files = made(file.unpacked())
                self.assertEqual(files, written(out))
                self.assertEqual(diorama.pack(files, **options), file.read())
                self.assertEqual(diorama.pack(out, **options), file.read())

    def test_pack_matches_in_every_format(self):
        course = {"course.kmp": bytes_of("kmp/race.kmp"), "course.kcl": bytes_of("kcl/hills.kcl")}
        folder = self.folder / "course"
        folder.mkdir()
        for name, content in course.items(): (folder / name).write_bytes(content)
        for how, name in (("yaz0", "a.szs"), ("u8", "a.arc"), ("iso", "a.iso")):
            self.assertEqual(diorama.pack(course, **{"as": how}), self.out("pack", folder, name=name), how)
        self.assertEqual(diorama.pack(course, named=True), self.out("pack", folder, "--named", name="a.narc"))
        one = {"course.kmp": course["course.kmp"]}
        self.assertEqual(diorama.pack(one, **{"as": "lz11"}), self.out("pack", folder / "course.kmp", "--lz", "lz11", name="a.lz"))
        self.assertEqual(diorama.pack(one, **{"as": "yaz0"}), self.out("pack", folder / "course.kmp", name="one.szs"))
        for wrong in ({"as": "zip"}, {"named": "perhaps"}, {"as": "nds"}):
            with self.assertRaises(diorama.DioramaError): diorama.pack(course, **wrong)

    def test_replacing_members_together_equals_one_by_one(self):
        with opened("nds/cartridge.nds") as file:
            at_once = file.replace_all({"data/shelf.narc/1": b"thirteen", "readme.txt": b"changed"})
            one_by_one = diorama.open(file.replace("data/shelf.narc/1", b"thirteen"), "cartridge.nds").replace("readme.txt", b"changed")
            self.assertEqual(at_once, one_by_one)

    # ---- games ----

    def test_graphs_match_dio(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            for part in ("", "header/3"):
                self.assertEqual(game.graph(part), dio_json("tree", "games/small_game.nds", *([part] if part else []), "--maps", "--json"))
                for form in ("dot", "mermaid"):
                    self.assertEqual(game.graph(part, form).encode(),
                                     dio("tree", "games/small_game.nds", *([part] if part else []), "--maps", "--graph", form))
            with self.assertRaises(diorama.DioramaError): game.graph("header/999")

    def test_references_of_parts_match_dio(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            self.assertEqual(game.refs("land/0"), dio_json("refs", "games/small_game.nds", "land/0", "--json")["parts"][0])

    def test_game_diffs_match_dio(self):
        edited = self.folder / "edited.nds"
        dio("edit", "games/small_game.nds", "add-prop", "land=3", "model=2", "x=8", "z=24", "-o", edited)
        with diorama.open_game(SAMPLES / "games/small_game.nds") as before, diorama.open_game(edited) as after:
            self.assertEqual(before.diff(after), dio_json("diff", "games/small_game.nds", edited, "--maps", "--json")["changes"])
            self.assertEqual(before.diff(before), [])
        with diorama.open_game(SAMPLES / "games/small_tactics.bin") as other, diorama.open_game(edited) as after:
            with self.assertRaises(diorama.DioramaError): other.diff(after)

    def test_rejects_unknown_derived_files(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            with self.assertRaises(diorama.DioramaError) as raised: game.make("nothing")
            self.assertEqual(raised.exception.id, "game.make")

    def test_instancing_option_writes_instances(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game:
            world = game.world("matrix/0")
            plain, instances = world.convert("glb"), world.convert("glb", instances=True)
            self.assertIn(b"EXT_mesh_gpu_instancing", instances)
            self.assertNotIn(b"EXT_mesh_gpu_instancing", plain)
        with opened("courtyard.glb") as scene:  # scenes from other programs also work
            self.assertEqual(scene.scene().render(size="48x48"), scene.render(size="48x48"))
