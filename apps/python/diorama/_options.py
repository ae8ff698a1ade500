"""Options as the library takes them."""

from __future__ import annotations

from typing import Any, Mapping, Union

from . import _library as lib

Option = Union[str, int, float, bool]


def option_texts(options: Mapping[str, Option]) -> tuple[Any, int]:
    """Options as the library takes them: tick_rate=30 is "tick-rate=30", True is "yes"."""
    words = {True: "yes", False: "no"}
    return lib.texts(
        f"{name.replace('_', '-')}={words[value] if isinstance(value, bool) else value}" for name, value in options.items()
    )
