"""From the declarations to schema.json."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from typing import Any

from ._json import print_json
from ._names import AUTHORED_VERSION, COLLECTIONS, SCHEMA_JSON_SCHEMA
from ._place import is_own_file
from ._registry import Element, Fault, Place, current
from ._scope import OPERATIONS, Scope

_ALWAYS = ("types", "queries", "mutations")


class SchemaError(Exception):
    """The schema has errors. ``faults`` has all of them; the message has one per line, with file, line and column."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(f"{format_place(one.place)}: {one.message}" for one in faults))
        self.faults = faults


def collect() -> dict[str, Any]:
    """Returns all declarations so far in the format of schema.json, each with its place in ``$place``.

    Raises:
        SchemaError: with all faults, in the order of the source
    """
    registry = current()
    scope = Scope(registry.elements, [*_duplicates(registry.elements)])
    schema: dict[str, Any] = {"version": AUTHORED_VERSION}
    for collection in COLLECTIONS:
        own = [one for one in registry.elements if one.collection == collection]
        if own or collection in _ALWAYS:
            schema[collection] = [{**one.emit(scope), "$place": one.place} for one in own]
    for key, value in registry.top_level.items():
        schema.setdefault(key, value)
    modules = dict.fromkeys(one.module for one in registry.elements if one.module != "")
    if modules:
        schema["modules"] = [{"path": path} for path in modules]
    for target, mark in registry.marks:
        if not mark.claimed:
            name = getattr(target, "__name__", "?")
            scope.fault(mark.place, f'@svc.{mark.word} stands on "{name}", which has no @svc.query or @svc.mutation')
    faults = list(dict.fromkeys([*registry.faults, *scope.faults]))
    if faults:
        raise SchemaError(_in_order(faults))
    return schema


def schema_json(*, schema_url: str = SCHEMA_JSON_SCHEMA, places: bool = False) -> str:
    """Returns the text of ``schema.json`` for the declarations so far.

    Args:
        schema_url: value of ``$schema``
        places: whether to keep ``$place``, and to add ``$files``
    Raises:
        SchemaError: with all faults
    """
    schema: dict[str, Any] = {"$schema": schema_url, **collect()}
    if places:
        schema = {**schema, "$files": source_files()}
    return print_json(_map_places(schema, _place_to_json if places else None)) + "\n"


def source_files() -> list[str]:
    """Returns absolute paths of the author's Python modules that are loaded, the program first."""
    found: dict[str, None] = {}
    main = sys.modules.get("__main__")
    for module in [main, *list(sys.modules.values())]:
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and _is_of_author(os.path.abspath(file)):
            found[os.path.abspath(file)] = None
    return list(found)


def format_place(place: Place) -> str:
    """Formats a location: ``schema.py:12:4``, relative to the working directory if the file is in it."""
    try:
        short = os.path.relpath(place.file)
    except ValueError:
        short = place.file
    file = place.file if short.startswith("..") or os.path.isabs(short) else short
    return f"{file}:{place.line}:{place.column}"


def _is_of_author(file: str) -> bool:
    # A project may lie below sys.prefix: /usr/src/app of a container, with the Python of /usr.
    paths = sysconfig.get_paths()
    libraries = [os.path.abspath(paths[key]) for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    is_library = any(file.startswith(folder + os.sep) for folder in libraries)
    is_installed = "site-packages" in file or "dist-packages" in file
    return file.endswith(".py") and not is_own_file(file) and not is_library and not is_installed


def _duplicates(elements: list[Element]) -> list[Fault]:
    first: dict[tuple[str, str], Element] = {}
    faults = []
    for element in elements:
        # Their names are unique per kind only. The compiler reports duplicates of one kind.
        if element.collection == "author_functions":
            continue
        kind = _singular(element.collection) if element.collection in OPERATIONS else "type"
        earlier = first.setdefault((kind, element.name), element)
        if earlier is not element:
            at = format_place(earlier.place)
            faults.append(Fault(element.place, f'{kind} "{element.name}" is declared twice, first at {at}'))
    return faults


def _singular(collection: str) -> str:
    return collection[:-3] + "y" if collection.endswith("ies") else collection[:-1]


def _in_order(faults: list[Fault]) -> list[Fault]:
    files = list(dict.fromkeys(one.place.file for one in faults))
    return sorted(faults, key=lambda one: (files.index(one.place.file), one.place.line))


def _place_to_json(place: Place) -> dict[str, Any]:
    return {"file": place.file, "line": place.line, "column": place.column}


def _map_places(value: Any, to_json: Callable[[Place], Any] | None) -> Any:
    if isinstance(value, Place):
        return None if to_json is None else to_json(value)
    if isinstance(value, list):
        return [_map_places(one, to_json) for one in value]
    if isinstance(value, dict):
        return {
            key: _map_places(one, to_json)
            for key, one in value.items()
            if to_json is not None or key != "$place" or not isinstance(one, Place)
        }
    return value
