"""The declarations of the program, and the faults in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._scope import Scope

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Place:
    """A location in the author's source; line and column count from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Fault:
    """An error in the schema."""

    place: Place
    message: str


@dataclass(frozen=True)
class Element:
    """A declared element. ``emit`` runs when all modules have run, so that references can be resolved."""

    collection: str
    name: str
    place: Place
    emit: Callable[[Scope], dict[str, Any]]
    module: str = ""
    """Path of the JavaScript module with its functions."""
    kind: str = ""
    """Kind of a named type; empty for operations."""
    source: Callable[[], dict[str, Any]] | None = None
    """Returns the values of an enum: name in GraphQL to value in SQL."""
    origin: str = ""
    """Name of the Python module that declares it."""


@dataclass
class Mark:
    """The access keys that decorators set on a function, until its element takes them."""

    word: str
    place: Place
    keys: dict[str, Any]
    claimed: bool = False


@dataclass
class Registry:
    """Everything that the decorators have collected."""

    elements: list[Element] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    marks: list[tuple[object, Mark]] = field(default_factory=list)
    top_level: dict[str, Any] = field(default_factory=dict)
    places: dict[tuple[str, str, Place], Element] = field(default_factory=dict)
    """The elements by collection, name and place."""
    exported: bool = False


_current = Registry()


def current() -> Registry:
    """Returns the registry that collects declarations."""
    return _current


@contextmanager
def fresh_registry() -> Iterator[Registry]:
    """Collects the declarations of a block in a registry of their own. For tests."""
    global _current
    outer = _current
    _current = Registry()
    try:
        yield _current
    finally:
        _current = outer


def declare(element: Element) -> None:
    """Adds an element; reports a name that is not valid in GraphQL.

    A program that another module of it imports runs twice, as ``__main__`` and by its name. Its elements count once.
    """
    twin = _current.places.setdefault((element.collection, element.name, element.place), element)
    if twin.origin != element.origin and "__main__" in (twin.origin, element.origin):
        return
    if NAME.fullmatch(element.name) is None or element.name.startswith("__"):
        report(
            element.place,
            f'"{element.name}" is not a name: letters, digits and _ only, no digit first, no "__" first',
        )
    _current.elements.append(element)


def report(place: Place, message: str) -> None:
    """Records a fault; ``svc.export()`` reports all of them at once."""
    fault = Fault(place, message)
    if fault not in _current.faults:
        _current.faults.append(fault)
