"""Enums and their values."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Mapping
from typing import Any

from ._classes import ClassForm, add_element, faulted
from ._forms import options_in
from ._options import TABLES
from ._options_of import read_options
from ._place import members_in_source
from ._registry import Place
from ._scope import Scope


class EnumValue:
    """A value of an enum with options, made by ``svc.enum_value(…)``."""

    __slots__ = ("options",)

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)

    def __str__(self) -> str:
        raise TypeError(
            "svc.enum_value() cannot be a text, so it does not fit an enum of texts. "
            "Derive from enum.Enum instead of str or StrEnum, or describe the value by a text below it."
        )

    def __repr__(self) -> str:
        return "svc.enum_value(…)"

    @property
    def __svc_options__(self) -> Mapping[str, Any]:
        return self.options


def add_enum(form: ClassForm, cls: type, name: str, options: dict[str, Any], place: Place) -> None:
    """Adds an enum."""
    subject = f'enum "{name}"'
    source = members_in_source(cls, place.line)

    def emit(scope: Scope) -> dict[str, Any]:
        keys = read_options(TABLES["enum"], options, subject, faulted(scope, place))
        values = _values_of(cls)
        if len(values) == 0:
            scope.fault(place, f'{subject} has no values. Write DRAFT = "draft"')
        emitted = []
        for value, given in values.items():
            at = source.get(value)
            doc = None if at is None or at.doc is None else inspect.cleandoc(at.doc)
            where = place if at is None else at.place
            emitted.append(_emit_value(value, given, doc, subject, where, scope))
        return {"name": name, **keys, "values": emitted}

    def sql_values() -> dict[str, Any]:
        return {value: _sql_of(value, given) for value, given in _values_of(cls).items()}

    add_element(form, cls, name, place, emit, source=sql_values)


def _values_of(cls: Any) -> dict[str, Any]:
    if issubclass(cls, enum.Enum):
        return {name: member.value for name, member in cls.__members__.items()}
    return {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith("_") and not callable(value) and not isinstance(value, (classmethod, staticmethod, property))
    }


def _sql_of(name: str, given: Any) -> Any:
    options = options_in(given)
    return given if options is None else options.get("value", name)


def _emit_value(name: str, given: Any, doc: str | None, owner: str, place: Place, scope: Scope) -> dict[str, Any]:
    subject = f'value "{name}" of {owner}'
    options = options_in(given)
    text = {} if doc is None else {"description": doc}
    if options is not None:
        return {"name": name, **read_options(TABLES["enum_value"], {**text, **options}, subject, faulted(scope, place))}
    if isinstance(given, str):
        return {"name": name, **({} if given == name else {"value": str(given)}), **text}
    scope.fault(place, f'{subject} is no text: {given!r}. Write {name} = "…", the value in SQL')
    return {"name": name}
