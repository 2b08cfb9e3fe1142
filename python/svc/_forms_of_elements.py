"""The elements that decorators declare, and what runs the decorators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ._classes import ClassForm, add_scalar, add_union, add_with_fields, declare_class, faulted, type_name
from ._enums import EnumValue, add_enum
from ._members import ArgumentOptions, FieldOptions
from ._observers import declare_observer
from ._operations import OperationForm, declare_operation
from ._options import TABLES
from ._options_of import read_options
from ._place import caller_module, caller_place
from ._registry import Element, declare, report
from ._rules import Validation
from ._scope import Scope

__all__ = [
    "ARROW_QUERY",
    "ENUM",
    "ERROR",
    "INPUT",
    "INTERFACE",
    "MUTATION",
    "QUERY",
    "SCALAR",
    "SUBSCRIPTION",
    "TYPE",
    "UNION",
    "ArgumentOptions",
    "FieldOptions",
    "declare_class",
    "declare_hierarchy",
    "declare_observer",
    "declare_operation",
    "make_enum_value",
    "make_options",
    "make_rules",
]

TYPE = ClassForm("type", "type", "types", add_with_fields)
ERROR = ClassForm("error", "type", "types", add_with_fields, fixed={"is_error": True})
INTERFACE = ClassForm("interface", "interface", "interfaces", add_with_fields)
INPUT = ClassForm("input", "input", "input_types", add_with_fields, fields="input")
ENUM = ClassForm("enum", "enum", "enums", add_enum)
UNION = ClassForm("union", "union", "unions", add_union)
SCALAR = ClassForm("scalar", "scalar", "custom_scalars", add_scalar)

QUERY = OperationForm("query", "queries")
MUTATION = OperationForm("mutation", "mutations")
SUBSCRIPTION = OperationForm("subscription", "subscriptions")
ARROW_QUERY = OperationForm("arrow_query", "queries", {"dataplane": "arrow"})

O = TypeVar("O")


def make_options(make: Callable[[Mapping[str, Any]], O], word: str, given: Sequence[Any], options: dict[str, Any]) -> O:
    """Makes the options of a field or of an argument."""
    if given:
        shown = ", ".join(map(repr, given))
        report(
            caller_place(), f"svc.{word}({shown}) has options by position. It takes them by name, beside the type: "
            f"Annotated[str, svc.{word}(…)]"
        )
    return make(options)


def make_enum_value(given: Sequence[Any], options: dict[str, Any]) -> EnumValue:
    """Makes a value of an enum."""
    if len(given) > 1:
        report(caller_place(), "svc.enum_value() takes the value in SQL by position, and everything else by name")
    first = {"value": given[0]} if given and given[0] is not None else {}
    return EnumValue({**first, **options})


def make_rules(given: Sequence[Any], options: dict[str, Any]) -> Validation:
    """Makes validation rules: each positional value is a rule, the named ones are a rule together."""
    return Validation([*given, *([options] if options or not given else [])])


def declare_hierarchy(given: Sequence[Any], options: dict[str, Any]) -> None:
    """Declares a hierarchy."""
    place, module = caller_place(), caller_module()
    names = [*given, *([options.pop("name")] if "name" in options else [])]
    if len(names) != 1 or not isinstance(names[0], str):
        report(place, 'svc.hierarchy() wants the name first: svc.hierarchy("categories", type=Category)')
        return
    (name,) = names
    subject = f'hierarchy "{name}"'

    def emit(scope: Scope) -> dict[str, Any]:
        keys = read_options(TABLES["hierarchy"], options, subject, faulted(scope, place))
        given_type = options.get("type")
        if given_type is None:
            scope.fault(place, f'{subject} has no type: svc.hierarchy("{name}", type=Category)')
            return {"name": name, "type": "String", **keys}
        text = type_name(given_type, module, subject, place, scope)
        return {"name": name, "type": text, **keys}

    declare(Element("hierarchies", name, place, emit, origin=module))
