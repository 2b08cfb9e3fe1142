"""Observers: actions after the commit of a change."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ._classes import faulted
from ._options import TABLES
from ._options_of import read_name, read_options
from ._place import caller_place
from ._registry import Element, Place, declare, report
from ._scope import Scope


def declare_observer(given: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Declares an observer."""
    place = caller_place()
    if given:
        report(place, "@svc.observer takes its options by name: @svc.observer(entity=Order, event=\"INSERT\", actions=[…])")
        return given[0] if inspect.isroutine(given[0]) else lambda function: function

    def mark(function: Any) -> Any:
        _add(getattr(function, "__func__", function), dict(options), place)
        return function

    return mark


def _add(function: Any, options: dict[str, Any], place: Place) -> None:
    if not inspect.isroutine(function) and not isinstance(function, type):
        report(place, f"@svc.observer stands on {function!r}. It belongs on a function: def paid(): ...")
        return
    called: str = function.__name__
    name = read_name(options, called, f'observer "{called}"', lambda text: report(place, text))

    def emit(scope: Scope) -> dict[str, Any]:
        subject = f'observer "{name}"'
        keys = read_options(TABLES["observer"], options, subject, faulted(scope, place))
        entity = keys.get("entity")
        if isinstance(entity, str) and entity not in scope.types:
            scope.fault(place, scope.unknown(f"entity of {subject}", entity))
        return {"name": name, **keys}

    declare(Element("observers", name, place, emit, origin=function.__module__))
