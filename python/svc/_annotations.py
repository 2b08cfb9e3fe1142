"""From annotations to types in GraphQL notation."""

from __future__ import annotations

import builtins
import datetime
import decimal
import enum
import re
import sys
import types
import typing
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, ForwardRef, Literal, TypeVar, Union

from ._brand import Brand, brand_class, brand_of
from ._names import SCALAR_NAMES
from ._nearest import did_you_mean
from ._registry import current

_STANDARD: dict[Any, str] = {
    str: "String",
    int: "Int",
    float: "Float",
    bool: "Boolean",
    datetime.datetime: "DateTime",
    datetime.date: "Date",
    datetime.time: "Time",
    uuid.UUID: "UUID",
    decimal.Decimal: "Decimal",
}
_NONE = type(None)
_ITERABLES = ("tuple", "set", "frozenset", "Sequence", "Iterable", "Collection", "deque", "Set")
_OBJECTS = ("dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict")
_UNIONS: tuple[Any, ...] = (Union, types.UnionType)


class NotAType(Exception):
    """An annotation that is no type of the schema. Its message is for the author."""


class UnknownName(NotAType):
    """An annotation names a type that is not declared."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Missing:
    """Stands for a name that is not declared, so that the options beside it are still checked."""

    def __class_getitem__(cls, _arguments: Any) -> type:
        return cls


def read_annotation(annotation: Any, names: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """Returns the type of an annotation, and the metadata of its ``Annotated``.

    Args:
        names: the names that texts in the annotation can use
    Raises:
        NotAType: a text in it is no expression
    """
    metadata: list[Any] = []
    is_nullable = False
    annotation = _resolve(annotation, names)
    while True:
        if typing.get_origin(annotation) is Annotated:
            inner, *own = typing.get_args(annotation)
            metadata = [*own, *metadata]
            annotation = _resolve(inner, names)
            continue
        members = _members_of_union(annotation)
        if len(members) != 1:
            break
        is_nullable = True
        annotation = _resolve(members[0], names)
    scalar = next((one for one in metadata if isinstance(one, Brand)), None)
    source = annotation if scalar is None else scalar
    return (Nullable(source) if is_nullable else source), [one for one in metadata if not isinstance(one, Brand)]


@dataclass(frozen=True)
class Nullable:
    """A type that may be null."""

    of: Any


def _members_of_union(annotation: Any) -> list[Any]:
    """Returns the members of a union without ``None``; empty: it is none."""
    is_union = typing.get_origin(annotation) in _UNIONS
    return [one for one in typing.get_args(annotation) if one is not _NONE] if is_union else []


def is_class_variable(annotation: Any) -> bool:
    """Tests whether an annotation is a ``ClassVar``, which is no field."""
    if isinstance(annotation, str):
        return re.match(r"(typing\.)?ClassVar\b", annotation) is not None
    return annotation is ClassVar or typing.get_origin(annotation) is ClassVar


def print_annotation(
    annotation: Any, names: Mapping[str, Any], known: Callable[[str, bool], None], *, item: bool = False
) -> str:
    """Prints a type in GraphQL notation: ``[Post!]!``.

    Args:
        known: called with each name in the type, and whether it is a built-in scalar
        item: whether the annotation is an item of a list
    Raises:
        NotAType: the annotation is no type of the schema
    """
    source, metadata = read_annotation(annotation, names)
    if item and metadata:
        raise NotAType(f"{_show(metadata[0])} stands on an item of the list. It belongs on the field: Annotated[list[…], …]")
    if isinstance(source, Nullable):
        inner = print_annotation(source.of, names, known)
        return inner[:-1] if inner.endswith("!") else inner
    if typing.get_origin(source) in _UNIONS:
        raise NotAType(_describe_union(source))
    if source is None or source is _NONE:
        raise NotAType("None alone is not a type. Write str | None for a text that may be null")
    if source is list or source is typing.List:
        raise NotAType("a list needs the type of its items: list[Post]")
    if typing.get_origin(source) is list:
        (of,) = typing.get_args(source)
        return f"[{print_annotation(of, names, known, item=True)}]!"
    if isinstance(source, type) and issubclass(source, Missing):
        raise UnknownName(source.__name__)
    brand = brand_of(source)
    if brand is not None:
        known(brand.name, brand.is_builtin)
        return f"{brand.name}!"
    standard = _STANDARD.get(source) if isinstance(source, type) else None
    if standard is not None:
        return f"{standard}!"
    raise NotAType(_describe_wrong(source))


def _describe_union(source: Any) -> str:
    members = _members_of_union(source)
    shown = [one if isinstance(one, str) else _show(one) for one in members]
    if all(isinstance(one, type) and one not in _STANDARD for one in members):
        return (
            f"{' | '.join(shown)} has no name, and a union of the schema needs one: "
            f"@svc.union(members=[{', '.join(shown)}]) class Either: ..."
        )
    return f"{' | '.join(shown)} is several types. A field has one, or one | None"


def _resolve(annotation: Any, names: Mapping[str, Any]) -> Any:
    """Evaluates texts and forward references, and opens ``type X = …``."""
    for _ in range(20):
        if isinstance(annotation, str):
            annotation = _evaluate(annotation, names)
        elif isinstance(annotation, ForwardRef):
            annotation = annotation.__forward_arg__
        elif type(annotation).__name__ == "TypeAliasType" and hasattr(annotation, "__value__"):
            annotation = annotation.__value__
        else:
            return annotation
    raise NotAType(f"the annotation {_show(annotation)} refers to itself")


def _evaluate(text: str, names: Mapping[str, Any]) -> Any:
    try:
        return eval(text, {"__builtins__": builtins}, names)
    except SyntaxError:
        raise NotAType(f'"{text}" is not a type') from None
    except Exception as error:
        quoted = " Write the whole annotation as one text, or add: from __future__ import annotations"
        advice = quoted if isinstance(error, TypeError) and "'" in text else ""
        raise NotAType(f'the annotation "{text}" raises {type(error).__name__}: {error}.{advice}') from None


class Names(Mapping[str, Any]):
    """The names that annotations of a module can use: those of the module, of Python, and of declared elements."""

    def __init__(self, module: str, own: Mapping[str, Any] | None = None) -> None:
        found = sys.modules.get(module)
        self._places: list[Mapping[str, Any]] = [own or {}, {} if found is None else vars(found), vars(builtins)]
        self.missing: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        for place in self._places:
            if name in place:
                return place[name]
        for element in current().elements:
            if element.name == name and element.kind != "":
                # A class, so that it can be a member of a union.
                found = type(name, (), {})
                brand_class(found, Brand(element.kind, name))
                return found
        self.missing.add(name)
        return type(name, (Missing,), {})

    def __iter__(self) -> Iterator[str]:
        return iter(self._places[1])

    def __len__(self) -> int:
        return len(self._places[1])


def scalar_advice(name: str, types: list[str]) -> str:
    """Returns what to write instead of a name that is not declared."""
    scalar = next((one for one in SCALAR_NAMES if one.lower() == name.lower()), None)
    if scalar is not None:
        return f" Write svc.{scalar}"
    return did_you_mean(name, types)


def _show(value: Any) -> str:
    if isinstance(value, type) and typing.get_origin(value) is None:
        return value.__name__
    return repr(value).replace("typing.", "")


def _describe_wrong(source: Any) -> str:
    origin = typing.get_origin(source)
    name = getattr(source if origin is None else origin, "__name__", "") or _show(source)
    if source is Any or source is object:
        return f"{_show(source)} is not a type of the schema. For any JSON, write svc.JSON"
    if origin is Literal:
        return "Literal is not a type of the schema. Declare its texts as an enum: @svc.enum class Status: …"
    if isinstance(source, TypeVar):
        return f"{name} is a type variable, and the schema has no generic types. Write the type itself"
    if name in _ITERABLES:
        return f"{name} is not a type of the schema. Write list[…]"
    if name in _OBJECTS:
        return f"{name} is not a type of the schema. For any JSON, write svc.JSON; else declare a type: @svc.type class …"
    if origin is not None or getattr(source, "__parameters__", None):
        return (
            f"{_show(source)} is generic, and the schema has no generic types. "
            f"Declare a type of its own for each: @svc.type class …"
        )
    if isinstance(source, type) and issubclass(source, enum.Enum):
        return f"the enum {name} is not declared: put @svc.enum on it"
    if isinstance(source, type):
        return (
            f"the class {name} is not declared: put @svc.type, @svc.input, @svc.interface, @svc.enum, @svc.union "
            "or @svc.scalar on it"
        )
    return f"{_show(source)} is not a type of the schema"
