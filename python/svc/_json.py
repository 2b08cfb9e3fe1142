"""JSON as ``svc compile`` writes it: the bytes of ``JSON.stringify(value, null, 2)``."""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import re
import uuid
from collections.abc import Mapping
from typing import Any

from ._unset import UNSET

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX = 2**32 - 2
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile("[\"\\\\\\x00-\\x1f\ud800-\udfff]")


def to_json(value: object) -> Any:
    """Converts a value of Python to one that JSON has.

    A ``Decimal`` and a ``UUID`` become texts, a date or an aware time its ISO 8601 text, a member of an enum its name,
    a tuple a list.

    Returns:
        ``UNSET`` if JSON has no such value: a set, a class, NaN, a time without an offset, a key that is not a text.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else UNSET
    if isinstance(value, decimal.Decimal):
        return format(value, "f") if value.is_finite() else UNSET
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, datetime.datetime):
        return UNSET if value.tzinfo is None else value.isoformat().replace("+00:00", "Z")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        items = [to_json(item) for item in value]
        return UNSET if UNSET in items else items
    if isinstance(value, Mapping):
        members = {key: to_json(member) for key, member in value.items()}
        is_json = all(isinstance(key, str) and member is not UNSET for key, member in members.items())
        return members if is_json else UNSET
    return UNSET


def print_json(value: object, indent: str = "") -> str:
    """Prints a value of ``to_json`` with two spaces per level."""
    inner = indent + "  "
    if isinstance(value, dict):
        members = [f"{inner}{_text(key)}: {print_json(member, inner)}" for key, member in _in_order(value)]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}" if members else "{}"
    if isinstance(value, list):
        items = [inner + print_json(item, inner) for item in value]
        return "[\n" + ",\n".join(items) + f"\n{indent}]" if items else "[]"
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return print_number(value) if isinstance(value, float) else str(value)


def print_number(value: float) -> str:
    """Prints a number in the form of JavaScript: ``1`` for 1.0, ``1e-7``, ``1e+21``."""
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    exponent = int(exponent) + len(digits)
    lead = "-" if sign else ""
    if len(text) <= exponent <= 21:
        return lead + text.ljust(exponent, "0")
    if 0 < exponent <= 21:
        return f"{lead}{text[:exponent]}.{text[exponent:]}"
    if -6 < exponent <= 0:
        return f"{lead}0.{'0' * -exponent}{text}"
    mantissa = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
    return f"{lead}{mantissa}e{exponent - 1:+d}"


def _in_order(members: dict[str, Any]) -> list[tuple[str, Any]]:
    """JavaScript lists keys that are array indexes first, in ascending order."""
    indexes = [key for key in members if _INDEX.fullmatch(key) and int(key) <= _LAST_INDEX]
    first = sorted(indexes, key=int)
    return [(key, members[key]) for key in [*first, *(key for key in members if key not in set(indexes))]]


def _text(value: str) -> str:
    # Two surrogates that Python holds apart are one character in JavaScript.
    joined = re.sub(
        "[\ud800-\udbff][\udc00-\udfff]",
        lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"),
        value,
    )
    return '"' + _ESCAPED.sub(lambda c: _ESCAPES.get(c[0], f"\\u{ord(c[0]):04x}"), joined) + '"'
