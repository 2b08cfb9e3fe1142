"""Elements that are declared by a class."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._annotations import Names
from ._brand import Brand, brand_class
from ._members import emit_fields, members_of
from ._options import TABLES
from ._options_of import read_name, read_options
from ._place import caller_locals, caller_place
from ._registry import Element, Place, declare, report
from ._scope import Scope


@dataclass(frozen=True)
class ClassForm:
    """The differences between the elements that are declared by a class."""

    word: str
    """Name of the decorator, and of its table of options."""
    kind: str
    collection: str
    add: Callable[[ClassForm, type, str, dict[str, Any], Place], None]
    fields: str = "output"
    fixed: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def declare_class(form: ClassForm, given: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Declares an element in either form: bare decorator, or decorator with options."""
    place = caller_place()

    def mark(cls: Any) -> Any:
        _declare(form, cls, dict(options), place)
        return cls

    if len(given) == 0:
        return mark
    if len(given) > 1 or not isinstance(given[0], type) and not callable(given[0]):
        shown = ", ".join(map(repr, given))
        report(place, f"@svc.{form.word}({shown}) has options by position. It takes them by name, on a class")
        return lambda cls: cls
    return mark(given[0])


def _declare(form: ClassForm, cls: Any, options: dict[str, Any], place: Place) -> None:
    if not isinstance(cls, type):
        name = getattr(cls, "__name__", repr(cls))
        report(place, f'@svc.{form.word} stands on the function "{name}". It belongs on a class')
        return
    name = read_name(options, cls.__name__, f'{form.kind} "{cls.__name__}"', lambda text: report(place, text))
    generic: Any = typing.Generic
    if generic in cls.__mro__ or getattr(cls, "__type_params__", None):
        report(
            place,
            f'{form.kind} "{name}" is a generic class, and the schema has no generic types. '
            "Declare a class without type variables for each",
        )
    doc = docstring_of(cls)
    if doc is not None and "description" not in options:
        options["description"] = doc
    brand_class(cls, Brand(form.kind, name))
    form.add(form, cls, name, options, place)


def docstring_of(cls: type) -> str | None:
    """Returns the docstring that the author has written; ``dataclass`` and ``Enum`` make their own."""
    doc = vars(cls).get("__doc__")
    if not isinstance(doc, str) or doc.strip() == "":
        return None
    if dataclasses.is_dataclass(cls) and doc.startswith(f"{cls.__name__}("):
        return None
    if issubclass(cls, enum.Enum) and doc == "An enumeration.":
        return None
    return inspect.cleandoc(doc)


def add_with_fields(form: ClassForm, cls: type, name: str, options: dict[str, Any], place: Place) -> None:
    """Adds a type, an input or an interface."""
    members = members_of(cls, place, caller_locals())

    def emit(scope: Scope) -> dict[str, Any]:
        fault = faulted(scope, place)
        keys = read_options(TABLES[form.word], options, f'{form.kind} "{name}"', fault)
        return {"name": name, **keys, **form.fixed, "fields": emit_fields(members, name, form.fields, scope)}

    add_element(form, cls, name, place, emit)


def add_union(form: ClassForm, cls: type, name: str, options: dict[str, Any], place: Place) -> None:
    """Adds a union."""
    members = options.pop("members", None)
    subject = f'union "{name}"'

    def emit(scope: Scope) -> dict[str, Any]:
        keys = read_options(TABLES["union"], options, subject, faulted(scope, place))
        first = {key: keys.pop(key) for key in ("description",) if key in keys}
        names = _member_names(members, cls.__module__, subject, place, scope)
        return {"name": name, **first, "members": names, **keys}

    add_element(form, cls, name, place, emit)


def _member_names(members: Any, module: str, subject: str, place: Place, scope: Scope) -> list[str]:
    given = members() if callable(members) else members
    if not isinstance(given, (list, tuple)) or len(given) == 0:
        scope.fault(place, f"{subject} has no members. Write members=[Artist, Album]")
        return []
    return [
        type_name(one, module, f"member {index} of {subject}", place, scope) for index, one in enumerate(given, 1)
    ]


def type_name(given: Any, module: str, subject: str, place: Place, scope: Scope) -> str:
    """Returns the name of an object type that is given as class or text."""
    text = scope.type_text(given, Names(module), subject, place)
    if text != "" and (not text.endswith("!") or text.startswith("[")):
        scope.fault(place, f"{subject} is {text}, not an object type")
    return text.strip("[]!")


def add_scalar(form: ClassForm, cls: type, name: str, options: dict[str, Any], place: Place) -> None:
    """Adds a custom scalar. Its functions are those of a JavaScript module."""
    from ._server import JAVASCRIPT, module_of

    subject = f'scalar "{name}"'
    functions = ("serialize", "parse", "parse_literal", "parse_value")
    own = [one for one in functions if callable(vars(cls).get(one)) or isinstance(vars(cls).get(one), staticmethod)]
    for one in [*own, *(one for one in functions if options.pop(one, None) is not None)]:
        report(
            place,
            f"{one} of {subject} is a Python function, and {JAVASCRIPT} Write it in a JavaScript module that exports "
            f'an object with serialize, parse and parseLiteral, and name that: @svc.scalar(module="./scalars.mjs", '
            f'export="{name}")',
        )
    target = module_of(options, name, subject, place)

    def emit(scope: Scope) -> dict[str, Any]:
        keys = read_options(TABLES["scalar"], options, subject, faulted(scope, place))
        return {"name": name, **keys, **({} if target is None else target)}

    add_element(form, cls, name, place, emit, "" if target is None else target["module"])


def faulted(scope: Scope, place: Place) -> Callable[[str], None]:
    """Returns a function that records faults at a place."""
    return lambda message: scope.fault(place, message)


def add_element(
    form: ClassForm,
    cls: type,
    name: str,
    place: Place,
    emit: Callable[[Scope], dict[str, Any]],
    module: str = "",
    source: Callable[[], dict[str, Any]] | None = None,
) -> None:
    """Adds the element of a class."""
    declare(Element(form.collection, name, place, emit, module, form.kind, source, cls.__module__))


