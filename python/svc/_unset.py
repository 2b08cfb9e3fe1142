"""The value of an option that is not given."""

from __future__ import annotations

from typing import Any, Final


class Unset:
    """The class of ``UNSET``."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET: Final[Any] = Unset()
"""Marks an option that is not given, where ``None`` is a value, and a value that cannot be read."""
