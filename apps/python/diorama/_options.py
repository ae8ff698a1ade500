"""Options in the form that the library expects."""

from __future__ import annotations

from typing import Any, Mapping, Union

from . import _library as lib

Option = Union[str, int, float, bool]


def option_texts(options: Mapping[str, Option]) -> tuple[Any, int]:
    """Returns options in the form that the library expects: tick_rate=30 becomes "tick-rate=30", as_="lz" becomes "as=lz", True becomes "yes"."""
    words = {True: "yes", False: "no"}
    return lib.texts(
        f"{name.rstrip('_').replace('_', '-')}={words[value] if isinstance(value, bool) else value}" for name, value in options.items()
    )
