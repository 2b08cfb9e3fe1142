"""Queries, mutations and subscriptions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._access import AccessMark, keys_of_function
from ._annotations import Names
from ._classes import faulted
from ._members import ArgumentOptions, Member, merged, add_default, add_texts, annotations_of, check_metadata, type_of
from ._options import TABLES
from ._options_of import read_name, read_options
from ._place import caller_locals, caller_place
from ._registry import Element, Place, declare, report
from ._rules import Validation
from ._scope import Scope
from ._unset import UNSET

_RESULT = "return"


@dataclass(frozen=True)
class OperationForm:
    """The differences between queries, mutations and subscriptions."""

    word: str
    """Name of the decorator, and of its table of options."""
    collection: str
    keys: Mapping[str, Any] = field(default_factory=dict)
    """Keys of schema.json that every operation of this form has."""


def declare_operation(form: OperationForm, given: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Declares an operation in either form: bare decorator, or decorator with options."""
    place = caller_place()

    def mark(function: Any) -> Any:
        _add(form, getattr(function, "__func__", function), dict(options), place)
        return function

    if len(given) == 0:
        return mark
    if len(given) > 1 or not inspect.isroutine(given[0]) and not isinstance(given[0], (staticmethod, type)):
        shown = ", ".join(map(repr, given))
        report(
            place,
            f"@svc.{form.word}({shown}) has options by position. It takes them by name, and its result is that of "
            "the function: def users() -> list[User]: ...",
        )
        return lambda function: function
    return mark(given[0])


def _add(form: OperationForm, function: Any, options: dict[str, Any], place: Place) -> None:
    if not inspect.isroutine(function) or not hasattr(function, "__code__"):
        what = f'the class "{function.__name__}"' if isinstance(function, type) else repr(function)
        report(place, f"@svc.{form.word} stands on {what}. It belongs on a function: def users() -> list[User]: ...")
        return
    # Another decorator below may have wrapped the function.
    declared = inspect.unwrap(function)
    subject = f'{form.word} "{function.__name__}"'
    name = read_name(options, function.__name__, subject, lambda text: report(place, text))
    subject = f'{form.word} "{name}"'
    doc = function.__doc__
    if isinstance(doc, str) and doc.strip() != "" and "description" not in options:
        options["description"] = inspect.cleandoc(doc)

    names = Names(declared.__module__, caller_locals())

    def emit(scope: Scope) -> dict[str, Any]:
        type_text = _result_of(declared, names, subject, place, scope)
        arguments = _arguments_of(declared, names, subject, place, scope)
        ready = {"args": arguments} if arguments else {}
        keys = read_options(TABLES[form.word], options, subject, faulted(scope, place), ready)
        return {"name": name, "type": type_text, **form.keys, **keys, **keys_of_function(function, keys, name)}

    declare(Element(form.collection, name, place, emit, origin=function.__module__))


def _result_of(function: Any, names: Names, subject: str, place: Place, scope: Scope) -> str:
    if _RESULT not in annotations_of(function):
        scope.fault(place, f"{subject} has no result. Write it behind the function: def users() -> list[User]: ...")
        return ""
    member = Member(_RESULT, function, UNSET, place, None, names)
    type_text, metadata = type_of(member, f"the result of {subject}", scope)
    for one in metadata:
        check_metadata(one, f"the result of {subject}", "options in the decorator", faulted(scope, place))
        if isinstance(one, (Validation, AccessMark)):
            scope.fault(place, f"the result of {subject} takes no {one!r}. Write it as decorator or as option")
    return type_text


def _arguments_of(function: Any, names: Names, owner: str, place: Place, scope: Scope) -> list[dict[str, Any]]:
    annotations = annotations_of(function)
    parameters = _parameters_of(function)
    if parameters and parameters[0].name in ("self", "cls") and parameters[0].name not in annotations:
        parameters = parameters[1:]
    emitted = []
    for parameter in parameters:
        subject = f'argument "{parameter.name}" of {owner}'
        if parameter.is_variable:
            scope.fault(place, f"{subject} is variable. Declare each argument by its name")
        elif parameter.name not in annotations:
            scope.fault(place, f"{subject} has no type. Write {parameter.name}: svc.ID")
        else:
            member = Member(parameter.name, function, parameter.default, place, None, names)
            emitted.append(_emit_argument(member, subject, scope))
    return emitted


@dataclass(frozen=True)
class _Parameter:
    name: str
    default: Any
    is_variable: bool = False


def _parameters_of(function: Any) -> list[_Parameter]:
    """Returns the parameters of a function. ``inspect.signature`` would evaluate annotations that are not ready."""
    code = function.__code__
    names = code.co_varnames
    positional = names[: code.co_argcount]
    defaults = function.__defaults__ or ()
    filled = dict(zip(positional[len(positional) - len(defaults) :], defaults))
    filled.update(function.__kwdefaults__ or {})
    count = code.co_argcount + code.co_kwonlyargcount
    variable = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return [
        *(_Parameter(name, filled.get(name, UNSET)) for name in names[:count]),
        *(_Parameter(name, UNSET, True) for name in names[count : count + variable]),
    ]


def _emit_argument(member: Member, subject: str, scope: Scope) -> dict[str, Any]:
    fault = faulted(scope, member.place)
    type_text, metadata = type_of(member, subject, scope)
    options: dict[str, Any] = {}
    rules: list[Any] = []
    for one in metadata:
        if isinstance(one, ArgumentOptions):
            options = merged(options, one.options, subject, fault)
        elif isinstance(one, Validation):
            rules.extend(one.rules)
        elif isinstance(one, AccessMark):
            fault(f"{subject} takes no {one!r}. It belongs on the operation or on a field")
        else:
            check_metadata(one, subject, "svc.argument(…)", fault)
    name = read_name(options, member.name, subject, fault)
    add_texts(options, member, rules)
    add_default(options, member, type_text, subject, scope)
    return {"name": name, "type": type_text, **read_options(TABLES["argument"], options, subject, fault)}
