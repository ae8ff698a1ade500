"""Reads every sample file with the package and compares the results with those of the program."""
import json, unittest

import diorama
from support import SAMPLES, dio, dio_json

FILES = sorted(p.relative_to(SAMPLES).as_posix() for p in SAMPLES.rglob("*") if p.is_file() and p.suffix != ".glb")


class Samples(unittest.TestCase):
    def test_samples_are_complete(self): self.assertGreater(len(FILES), 170)


def test_of(name):
    def test(self):
        path = SAMPLES / name
        whole = path.read_bytes()
        with diorama.open(path, name) as file:
            self.assertIsNone(file.error)
            self.assertEqual(file.read(), whole)
            self.assertEqual(file.save(), whole)
            self.assertEqual(diorama.encode(file.decode()), whole)
            self.assertEqual(diorama.encode(file.decode_json()), whole)
            self.assertEqual(diorama.encode(file.decode(refs=True)), whole)
            self.assertEqual(file.decode_json(), dio("decode", name).decode())
            self.assertTrue(file.verify())
            said = dio_json("info", name, "--json")
            info = file.info()
            self.assertEqual((info.format, info.size, info.info), (said["format"], said["size"], said["info"]))
            # For course archives, the program also checks the members.
            found = [f for f in dio_json("check", name, "--json")["findings"] if f["file"] == name]
            self.assertEqual([str(f) for f in file.check()], [str(diorama.Finding.of(f)) for f in found])
            self.assertEqual(file.convert("json").decode(), file.decode_json())
            self.assertEqual(sum(s["size"] for s in file.hex()["gaps"]) <= len(whole), True)
            self.assertEqual(file.ls()["total"], len(file.ls()["members"]))
        made = [s for s in diorama.samples() if f"{s.format}/{s.name}" == name]
        if made: self.assertEqual((diorama.sample(made[0].format, made[0].name), made[0].size), (whole, len(whole)))

    return test


for _name in FILES: setattr(Samples, "test_" + _name.replace("/", "_").replace(".", "_"), test_of(_name))
