"""The declarations of the package are those of diorama.h, and the library has these functions and no others."""
import ctypes, re, subprocess, sys, unittest

import diorama
from diorama import _library as lib
from support import ROOT

HEADER = re.sub(r"/\*.*?\*/", "", (ROOT / "src/capi/diorama.h").read_text(), flags=re.S)
PLAIN = {"size_t": ctypes.c_size_t, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64, "dio_read": lib.dio_read}


def type_of(text):
    """The ctypes type of a type in C."""
    words = " ".join(word for word in text.replace("*", " * ").split() if word != "const")
    if words == "void": return None
    if words == "void *": return ctypes.c_void_p
    if words == "char *": return ctypes.c_char_p
    if words in PLAIN: return PLAIN[words]
    if words.endswith(" *"):
        inner = words[:-2]
        return ctypes.POINTER(type_of(inner) if inner not in STRUCTURES else getattr(lib, inner))
    raise AssertionError(f"the type {text!r} is none that this test knows")


STRUCTURES = set(re.findall(r"typedef struct (\w+)", HEADER))


def parameters(text):
    """The types of parameters, which may have names."""
    if text.strip() == "void": return []
    return [type_of(re.sub(r"(?<=[\s*])\w+$", "", one.strip())) for one in text.split(",")]


def declared():
    """{name: (result, parameters)} of diorama.h"""
    found = re.findall(r"DIO_API\s+([\w\s*]+?)\b(dio_\w+)\(([^)]*)\);", HEADER)
    return {name: (type_of(result), parameters(list_)) for result, name, list_ in found}


class Header(unittest.TestCase):
    def test_the_functions_are_those_of_the_header(self):
        functions = declared()
        self.assertGreater(len(functions), 70)
        self.assertEqual(len(functions), HEADER.count("DIO_API ") - HEADER.count("define DIO_API "), "a declaration was not understood")
        self.assertEqual(list(functions), [n for n in functions if n in lib.FUNCTIONS], "functions that the package does not declare")
        self.assertEqual([n for n in lib.FUNCTIONS if n not in functions], [], "functions that the header does not declare")
        for name, (result, taken) in functions.items():
            with self.subTest(name):
                self.assertEqual(lib.FUNCTIONS[name][0], result)
                self.assertEqual(lib.FUNCTIONS[name][1], taken)

    def test_the_list_of_what_stays_is_complete(self):
        header = [re.sub(r"\s+", " ", one).strip() for one in re.findall(r"DIO_API\s+([^;]*?\));", HEADER)]
        listed = (ROOT / "src/capi/symbols.txt").read_text().splitlines()
        self.assertEqual([one for one in listed if one not in header], [], "functions that are not as the list promises")
        self.assertEqual([one for one in header if one not in listed], [], "functions that the list does not have")

    def test_a_difference_would_be_seen(self):
        self.assertEqual(parameters("const void* bytes, size_t size, const char* const* x, const dio_file* const* y"),
                         [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.POINTER(lib.dio_file))])
        self.assertNotEqual(type_of("dio_file*"), type_of("dio_scene*"))
        with self.assertRaises(AssertionError): type_of("uint16_t")

    def test_the_library_exports_these_functions(self):
        listed = subprocess.run(["nm", "-D", "--defined-only", next(lib._places())[0]], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[-1].split("@")[0] for line in listed.splitlines() if " T " in line}
        self.assertEqual(exported, set(lib.FUNCTIONS))

    def test_flags_and_structures(self):
        flags = dict(re.findall(r"#define DIO_(\w+) (\w+?)u\b", HEADER))
        self.assertEqual({name: int(value, 0) for name, value in flags.items()},
                         {name: getattr(lib, name) for name in ("STRICT", "KNOWN", "CANONICAL", "LOSSY", "UNLINK", "CASCADE", "EVERY_BYTE", "NO_SOURCE")})
        self.assertEqual(set(STRUCTURES), {"dio_buffer", "dio_file", "dio_editing", "dio_scene", "dio_game", "dio_source", "dio_named"})
        for name in ("dio_source", "dio_named"):
            fields = re.search(rf"typedef struct {name} {{(.*?)}}", HEADER, re.S)[1]
            self.assertEqual([(re.search(r"(\w+)$", one)[1], type_of(re.sub(r"\w+$", "", one.strip()))) for one in fields.split(";") if one.strip()],
                             list(getattr(lib, name)._fields_))
        read = re.search(r"typedef (\w+) \(\*dio_read\)\((.*?)\);", HEADER)
        self.assertEqual((lib.dio_read._restype_, list(lib.dio_read._argtypes_)), (type_of(read[1]), parameters(read[2])))

    def test_a_handle_of_one_kind_is_none_of_another(self):
        with diorama.open(b"x") as file, self.assertRaises(ctypes.ArgumentError): lib.call("dio_game_info", file._handle)

    def test_the_package_has_the_version_of_the_project(self):
        self.assertIn(f"project(diorama VERSION {diorama.__version__} ", (ROOT / "CMakeLists.txt").read_text())
        self.assertEqual(lib.call("dio_version").decode(), diorama.__version__)

    def test_all_that_is_public_is_documented(self):
        for name in diorama.__all__:
            thing = getattr(diorama, name)
            if not callable(thing): continue
            with self.subTest(name):
                self.assertTrue(thing.__doc__ and not thing.__doc__.startswith(f"{name}("), "the text that dataclasses make is none")
                for member, value in vars(thing).items() if isinstance(thing, type) else ():
                    inherited = isinstance(value, property) and thing is diorama.DioramaError
                    if callable(value) and not member.startswith("_") and member != "of" and not inherited:
                        self.assertTrue(value.__doc__, member)


class EveryFunction(unittest.TestCase):
    def test_was_called(self):
        if len(sys.argv) > 2: self.skipTest("only some tests ran")
        # Python has memory of its own.
        self.assertEqual(set(lib.FUNCTIONS) - lib._loaded.called, {"dio_alloc", "dio_free"})
