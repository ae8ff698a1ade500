"""Commands in the library's texts as calls of this package: {edit FILE mirror} becomes `file.edit('mirror')`."""

from __future__ import annotations

import re
from typing import Callable

_COMMAND = re.compile(r"\{(-{0,2}[a-z][a-z-]*)(?: ([^{}]*))?\}")


def _arguments(words: list[str]) -> str:
    """Returns `set-tiles surface=NAME` as arguments of `edit()`: the name, elements, then keywords."""
    plain = [repr(word) for word in words if "=" not in word]
    named = [word.split("=", 1) for word in words if "=" in word]
    return ", ".join(plain + [f"{name.replace('-', '_')}={value if value.isdigit() else repr(value)}" for name, value in named])


def _edit(words: list[str]) -> str:
    target = "game" if words[:1] == ["GAME"] else "file"
    return f"{target}.edit({_arguments(words[1:])})" if words[1:] else f"{target}.edits()"


def _explain(words: list[str]) -> str:
    path = words[0].partition("#")[2] if words else ""
    if "@" in path:
        return f"file.ask('{path.partition('@')[0]}', ...)"
    return f"file.explain('{path}')" if path else "file.questions()" if words else "diorama.explain()"


def _maps(words: list[str]) -> str:
    if "--make" in words:
        return f"game.make('{words[-1]}')"
    return f"game.describe('{words[1]}')" if len(words) > 1 else "game.maps()"


def _world(words: list[str]) -> str:
    return f"game.world('{words[1]}')" if len(words) > 1 else "game.world()"


def _convert(words: list[str]) -> str:
    if "--canonical" in words:
        return "file.save(canonical=True)"
    if "--onto" in words:
        flags = [f"{name}=True" for name in ("partly", "delete") if f"--{name}" in words]
        return f"file.put_back({', '.join(['scene', *flags])})"
    options = [word[2:].replace("-", "_") + "=..." for word in words if word.startswith("--")]
    return f"file.make(format, {', '.join(options)})" if options else "file.convert()"


_METHODS: dict[str, Callable[[list[str]], str]] = {
    "budget": lambda words: "game.budgets()" if "--maps" in words else "file.budget()",
    "check": lambda words: "file.repair()" if "--fix" in words else "file.report('json')" if "--json" in words
             else "game.check()" if "--maps" in words else "file.check()",
    "convert": _convert,
    "decode": lambda words: "file.decode()",
    "edit": _edit,
    "encode": lambda words: "diorama.encode()",
    "explain": _explain,
    "find": lambda words: "diorama.find()",
    "formats": lambda words: "diorama.formats()",
    "help": lambda words: "help(diorama.File)",
    "info": lambda words: "file.info()",
    "ls": lambda words: "file.members()" if words[:1] == ["ARCHIVE"] else f"file.ls({', '.join(map(repr, words[1:]))})",
    "maps": _maps,
    "merge": lambda words: "diorama.merge()",
    "pack": lambda words: "diorama.pack()",
    "refs": lambda words: "file.refs(path)",
    "render": lambda words: "file.render()",
    "schema": lambda words: "diorama.schema()",
    "set": lambda words: "file.set(path, value)",
    "textures": lambda words: "file.take_textures(folder)" if "--replace" in words else "file.textures()",
    "tree": lambda words: "game.graph()" if "--maps" in words else "file.tree()",
    "unpack": lambda words: "file.unpack(folder)",
    "verify": lambda words: "file.verify()",
    "world": _world,
}  # fmt: skip

#: Commands without a counterpart here.
_OTHERS = {"completion", "diff", "get", "git", "hex", "show", "simulate", "thumbnail", "view"}

#: Options without a value.
_FLAGS = {"canonical", "cascade", "delete", "lossy", "named", "partly", "rescale", "strict", "unlink"}


def _word(match: re.Match[str]) -> str:
    name, words = match[1], (match[2] or "").split()
    if name.startswith("--"):
        keyword = {"as": "format"}.get(name[2:], name[2:].replace("-", "_"))
        if words:
            return f"`{keyword}={words[0] if words[0].isdigit() else repr(words[0])}`"
        return f"`{keyword}=True`" if keyword in _FLAGS else f"`{keyword}=...`"
    method = _METHODS.get(name)
    return f"`{method(words)}`" if method else f"the command line's `{name}`" if name in _OTHERS else match[0]


def word_commands(text: str) -> str:
    """Returns a text of the library with calls of this package instead of commands."""
    return _COMMAND.sub(_word, text) if "{" in text else text
