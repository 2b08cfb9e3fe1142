"""What an element needs to emit its entry of schema.json."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._annotations import Names, NotAType, UnknownName, print_annotation, scalar_advice
from ._registry import Element, Fault, Place

OPERATIONS = frozenset({"queries", "mutations", "subscriptions", "observers", "hierarchies", "author_functions"})


@dataclass
class Scope:
    """Prints types and collects faults while elements are emitted."""

    elements: list[Element]
    faults: list[Fault]
    types: dict[str, Element] = field(init=False)

    def __post_init__(self) -> None:
        self.types = {one.name: one for one in self.elements if one.collection not in OPERATIONS}

    def fault(self, place: Place, message: str) -> None:
        """Records a fault."""
        self.faults.append(Fault(place, message))

    def type_text(self, annotation: Any, names: Names, subject: str, place: Place) -> str:
        """Prints a type in GraphQL notation; reports any other annotation and returns an empty text."""

        def known(name: str, is_builtin: bool) -> None:
            if not is_builtin and name not in self.types:
                self.fault(place, self.unknown(subject, name))

        try:
            return print_annotation(annotation, names, known)
        except UnknownName as unknown:
            names.missing.discard(unknown.name)
            self.fault(place, self.unknown(subject, unknown.name))
        except NotAType as wrong:
            self.fault(place, f"{subject}: {wrong}")
        return ""

    def unknown(self, subject: str, name: str) -> str:
        """Describes a name that no element has."""
        return f'{subject}: type "{name}" is not declared.{scalar_advice(name, list(self.types))}'
