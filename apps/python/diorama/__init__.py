"""diorama: reads, writes, checks, explains, edits and converts the 3D map and model files of classic console games.

    import diorama

    with diorama.open("course.kmp") as file:
        print(file.format, file.get("STGI[0].laps"))
        for finding in file.check():
            print(finding)
        Path("five_laps.kmp").write_bytes(file.set("STGI[0].laps", 5))

docs/guide/python.md has more examples.
"""

from __future__ import annotations

import json
from types import GenericAlias
from typing import Any

from . import _library
from ._commands import word_commands
from ._file import Editing, File, detect, encode, find, merge, open, open_parts, pack, sheet
from ._game import Game, open_game
from ._results import (SEVERITIES, Budget, Change, Difference, DioramaError, Edit, EditArgument, Edited, Finding, Format, Found, GameEdited, Info, LibraryError,
                       Made, MadeFile, MakeOption, Maps, Member, Part, Place, Question, Referral, Refs, Rule, Sample, ShownBy,
                       Sound, SourcePlace, Use)  # fmt: skip
from ._results import _from_json
from ._scene import (Animation, Camera, Channel, Image, Light, Material, Matrix, Mesh, Node, Primitive, Scene, SceneData, Skin,
                     Texture)  # fmt: skip
from ._version import __version__


def formats() -> list[Format]:
    """Returns all formats that the library supports."""
    return [Format.of(one) for one in _library.json_of("dio_formats")["formats"]]


def explain(id: str) -> Rule:
    """Returns the meaning of the id of a finding or an error. Raises DioramaError: capi.argument."""
    return Rule.of(_library.json_of("dio_explain", _library.text(id)))


def schema(format: str, to: str = "json") -> Any:
    """Returns the possible content of files of a format.

    - `to`: "json" returns a JSON Schema of `File.decode()` as a dictionary; "markdown" returns tables as a text.

    Raises DioramaError: capi.argument.
    """
    told = word_commands(_library.text_of("dio_schema", _library.text(format), _library.text(to)))
    return json.loads(told) if to == "json" else told


def samples() -> list[Sample]:
    """Returns the sample files that the library can generate, for all formats."""
    return [_from_json(Sample, one) for one in _library.json_of("dio_samples")["samples"]]


def sample(format: str, name: str) -> bytes:
    """Returns the bytes of a sample file from `samples()`. Raises DioramaError: capi.argument."""
    return _library.bytes_of("dio_sample", _library.text(format), _library.text(name))


__all__ = [
    "SEVERITIES", "Animation", "Budget", "Camera", "Change", "Channel", "Difference", "DioramaError", "Edit", "EditArgument", "Edited", "Editing", "File",
    "Finding", "Format", "Found", "Game", "GameEdited", "Image", "Info", "LibraryError", "Light", "Made", "MadeFile", "MakeOption", "Maps",
    "Material", "Matrix", "Member", "Mesh", "Node", "Part", "Place", "Primitive", "Question", "Referral", "Refs", "Rule", "Sample",
    "Scene", "SceneData", "ShownBy", "Skin", "Sound", "SourcePlace", "Texture", "Use", "__version__", "detect", "encode", "explain",
    "find", "formats", "merge", "open", "open_game", "open_parts", "pack", "sample", "samples", "schema", "sheet",
]  # fmt: skip

for _name in __all__:  # messages then show the names that users write
    if isinstance(globals()[_name], type) and not isinstance(globals()[_name], GenericAlias):
        globals()[_name].__module__ = __name__
