"""Locations in the author's source."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ._registry import Place

PACKAGE = os.path.dirname(os.path.abspath(__file__))


_evaluated: Place | None = None


@contextmanager
def evaluating_at(place: Place) -> Iterator[None]:
    """Gives the calls in an annotation, which is a text, the place of the annotation."""
    global _evaluated
    outer = _evaluated
    _evaluated = place
    try:
        yield
    finally:
        _evaluated = outer


def caller_place() -> Place:
    """Returns the location of the call into this package."""
    if _evaluated is not None:
        return _evaluated
    frame = sys._getframe(1)
    while frame.f_back is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    return place_at(frame.f_code.co_filename, frame.f_lineno)


def caller_module() -> str:
    """Returns the name of the module that calls this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", ""))


def caller_locals() -> dict[str, Any]:
    """Returns the local variables of the function that calls this package; empty: a module calls it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    return {} if frame.f_locals is frame.f_globals else dict(frame.f_locals)


def is_own_file(path: str) -> bool:
    """Tests whether a file belongs to this package."""
    return os.path.dirname(os.path.abspath(path)) == PACKAGE


def place_at(file: str, line: int) -> Place:
    """Makes a place of the first character of a line."""
    text = linecache.getline(file, line)
    return Place(os.path.abspath(file), line, len(text) - len(text.lstrip()) + 1)


@dataclass(frozen=True)
class MemberSource:
    """A member of a class in the source."""

    place: Place
    doc: str | None
    """The text below the member, if there is one."""


def members_in_source(cls: Any, line: int | None = None) -> dict[str, MemberSource]:
    """Returns places and texts of the annotated members of a class; empty: its source is not at hand.

    Args:
        line: a line of the class or of its decorators, for files with several classes of the same name
    """
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    if not isinstance(file, str):
        return {}
    found = _classes_in(os.path.abspath(file), _changed(file)).get(cls.__qualname__, [])
    line = getattr(cls, "__firstlineno__", line)
    here = [one for one in found if line is not None and one.first <= line <= one.last]
    return (here or found)[-1].members if found else {}


@dataclass(frozen=True)
class _ClassSource:
    first: int
    last: int
    members: dict[str, MemberSource]


def _changed(file: str) -> int:
    try:
        return os.stat(file).st_mtime_ns
    except OSError:
        return 0


@functools.lru_cache(maxsize=None)
def _classes_in(file: str, _changed: int) -> dict[str, list[_ClassSource]]:
    linecache.checkcache(file)
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return {}
    found: dict[str, list[_ClassSource]] = {}
    _walk(tree, "", file, found)
    return found


def _walk(node: ast.AST, prefix: str, file: str, found: dict[str, list[_ClassSource]]) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            name = prefix + child.name
            first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
            source = _ClassSource(first, child.end_lineno or child.lineno, _members_of(child, file))
            found.setdefault(name, []).append(source)
            _walk(child, f"{name}.", file, found)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _walk(child, f"{prefix}{child.name}.<locals>.", file, found)
        else:
            _walk(child, prefix, file, found)


def _members_of(node: ast.ClassDef, file: str) -> dict[str, MemberSource]:
    members: dict[str, MemberSource] = {}
    for index, statement in enumerate(node.body):
        if isinstance(statement, ast.AnnAssign):
            target: ast.expr = statement.target
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        else:
            continue
        if not isinstance(target, ast.Name):
            continue
        below = node.body[index + 1] if index + 1 < len(node.body) else None
        place = Place(file, statement.lineno, statement.col_offset + 1)
        members[target.id] = MemberSource(place, _text_of(below))
    return members


def _text_of(statement: ast.stmt | None) -> str | None:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
        return None
    value = statement.value.value
    return value if isinstance(value, str) else None
