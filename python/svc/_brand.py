"""The mark of classes and scalars that can be used as a type."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Annotated, Any

_BRAND = "__svc_brand__"


@dataclass(frozen=True)
class Brand:
    """Kind and name of a declared element, or of a built-in scalar."""

    kind: str
    name: str
    is_builtin: bool = False


def brand_class(target: Any, brand: Brand) -> None:
    """Marks a class."""
    setattr(target, _BRAND, brand)


def brand_of(value: Any) -> Brand | None:
    """Returns the brand of a class or scalar; ``None``: it has none. A subclass does not inherit the brand."""
    if isinstance(value, Brand):
        return value
    if typing.get_origin(value) is Annotated:
        return next((one for one in typing.get_args(value)[1:] if isinstance(one, Brand)), None)
    brand = getattr(value, "__dict__", {}).get(_BRAND)
    return brand if isinstance(brand, Brand) else None
