"""Fields of classes, and their options."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._access import ACCESS_KEYS, AccessMark, keys_of_field
from ._annotations import Names, NotAType, is_class_variable, read_annotation
from ._json import to_json
from ._options import TABLES
from ._options_of import read_name, read_options
from ._place import evaluating_at, members_in_source
from ._registry import Place, report
from ._rules import Validation, flat_rules
from ._scope import Scope
from ._unset import UNSET

_NO_FIELDS = ("builtins", "typing", "typing_extensions", "abc", "enum")
_DESCRIPTORS = (property, classmethod, staticmethod, types.FunctionType, type, types.MemberDescriptorType)


class FieldOptions:
    """The options of ``svc.field(…)``."""

    __slots__ = ("options",)

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)

    def __repr__(self) -> str:
        return "svc.field(…)"


class ArgumentOptions:
    """The options of ``svc.argument(…)``."""

    __slots__ = ("options",)

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)

    def __repr__(self) -> str:
        return "svc.argument(…)"


@dataclass(frozen=True)
class Member:
    """A declared field, or a parameter of a function."""

    name: str
    owner: Any
    """The class or function whose annotations hold the type."""
    default: Any
    place: Place
    doc: str | None
    names: Names
    """The names that its annotation can use."""


def annotations_of(owner: Any) -> Mapping[str, Any]:
    """Returns the own annotations of a class or function; names that are not defined yet remain references."""
    if sys.version_info >= (3, 14):
        import annotationlib

        found: Mapping[str, Any] = annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF)
        return found
    own = owner.__dict__.get("__annotations__", {}) if isinstance(owner, type) else owner.__annotations__
    return own if isinstance(own, Mapping) else {}


def members_of(cls: type, place: Place, names: Mapping[str, Any]) -> list[Member]:
    """Returns the fields of a class, those of its base classes first. A field that is declared again replaces it.

    Args:
        names: local variables of the function that declares the class
    """
    found: dict[str, Member] = {}
    for level in reversed(cls.__mro__):
        if level.__module__ in _NO_FIELDS:
            continue
        source = members_in_source(level, place.line if level is cls else None)
        annotations = annotations_of(level)
        for name, annotation in annotations.items():
            if is_class_variable(annotation):
                continue
            at = source.get(name)
            doc = None if at is None else at.doc
            where = place if at is None else at.place
            known = Names(level.__module__, names if level is cls else None)
            found[name] = Member(name, level, _default_of(level, name), where, doc, known)
        for name, value in vars(level).items():
            if name in annotations or name.startswith("_") or isinstance(value, _DESCRIPTORS) or callable(value):
                continue
            at = source.get(name)
            where = place if at is None else at.place
            report(
                where,
                f'"{name}" of the class {level.__name__} has no type, so it is no field. '
                f"Write {name}: str, or {name}: ClassVar[…] for an attribute that is none",
            )
    return list(found.values())


def _default_of(cls: type, name: str) -> Any:
    value = vars(cls).get(name, UNSET)
    fields = vars(cls).get("__dataclass_fields__", {})
    if not isinstance(value, dataclasses.Field) and (value is UNSET or isinstance(value, types.MemberDescriptorType)):
        value = fields.get(name, UNSET)
    if not isinstance(value, dataclasses.Field):
        return value
    if value.default is not dataclasses.MISSING:
        return value.default
    return UNSET if value.default_factory is dataclasses.MISSING else value.default_factory()


def emit_fields(members: list[Member], owner: str, kind: str, scope: Scope) -> list[dict[str, Any]]:
    """Returns the entries of ``fields`` in schema.json. ``kind``: ``input`` or ``output``."""
    table, what = ("input_field", "input field") if kind == "input" else ("field", "field")
    return [_emit_field(member, f'{what} "{owner}.{member.name}"', table, scope) for member in members]


def _emit_field(member: Member, subject: str, table: str, scope: Scope) -> dict[str, Any]:
    def fault(message: str) -> None:
        scope.fault(member.place, message)

    type_text, metadata = type_of(member, subject, scope)
    options: dict[str, Any] = {}
    rules: list[Any] = []
    marks: list[AccessMark] = []
    for one in metadata:
        if isinstance(one, FieldOptions):
            options = merged(options, one.options, subject, fault)
        elif isinstance(one, Validation):
            rules.extend(one.rules)
        elif isinstance(one, AccessMark):
            marks.append(one)
        else:
            check_metadata(one, subject, "svc.field(…)", fault)
    name = read_name(options, member.name, subject, fault)
    add_texts(options, member, rules)
    add_default(options, member, type_text, subject, scope)
    keys = read_options(TABLES[table], options, subject, fault)
    keys.update(keys_of_field(marks, keys, name, fault))
    for key in keys:
        if key in ACCESS_KEYS and key not in TABLES[table]:
            fault(f"{subject} takes no {key}: it belongs on a query or mutation")
    return {"name": name, "type": type_text, **keys, "$place": member.place}


def type_of(member: Member, subject: str, scope: Scope) -> tuple[str, list[Any]]:
    """Returns the type of a member in GraphQL notation, and the metadata of its ``Annotated``.

    Returns:
        An empty text for an annotation that is no type, which is reported.
    """
    annotation = annotations_of(member.owner)[member.name]
    names = member.names
    with evaluating_at(member.place):
        try:
            source, metadata = read_annotation(annotation, names)
        except NotAType as wrong:
            scope.fault(member.place, f"{subject}: {wrong}")
            return "", []
        text = scope.type_text(source, names, subject, member.place)
    for name in sorted(names.missing):
        scope.fault(member.place, f'{subject}: its annotation uses "{name}", which is no name of its module')
    names.missing.clear()
    return text, metadata


def add_texts(options: dict[str, Any], member: Member, rules: list[Any]) -> None:
    """Adds the text below a member, and the rules beside its options, to its options."""
    if member.doc is not None and "description" not in options:
        options["description"] = inspect.cleandoc(member.doc)
    if rules:
        own = flat_rules(options["validate"]) if "validate" in options else []
        every = [*own, *rules]
        options["validate"] = every[0] if len(every) == 1 else every


def add_default(options: dict[str, Any], member: Member, type_text: str, subject: str, scope: Scope) -> None:
    """Adds the default of ``name: T = default`` to the options. ``= None`` lets a nullable member be left out."""
    value = member.default
    if isinstance(value, (FieldOptions, ArgumentOptions)):
        scope.fault(member.place, f"{subject}: options stand in its type: {member.name}: Annotated[…, {value!r}]")
        return
    if value is None and type_text.endswith("!"):
        scope.fault(member.place, f"{subject} has the default None, and its type may not be null. Write … | None")
    elif value is not UNSET and value is not None:
        if "default" in options:
            scope.fault(member.place, f"{subject} has two defaults. Drop one")
        options["default"] = value
    if "default" in options:
        options["default"] = _enum_name(options["default"], type_text, scope)


def _enum_name(value: Any, type_text: str, scope: Scope) -> Any:
    """Returns the name of an enum's value, for a default that is given as the value in SQL: ``Status.DRAFT``."""
    element = scope.types.get(type_text.strip("[]!"))
    if element is None or element.collection != "enums":
        return value
    if isinstance(value, (list, tuple)):
        return [_enum_name(one, type_text, scope) for one in value]
    plain = to_json(value)
    values = {} if element.source is None else element.source()
    if not isinstance(plain, str) or plain in values:
        return value
    names = [name for name, sql in values.items() if sql == plain]
    return names[0] if len(names) == 1 else value


def check_metadata(one: object, subject: str, wanted: str, fault: Any) -> None:
    """Reports an object of this package that has no meaning for a member. Metadata of other packages is allowed."""
    if isinstance(one, (FieldOptions, ArgumentOptions)):
        fault(f"{subject} takes no {one!r}. Write {wanted}")
    elif getattr(one, "__module__", "").startswith(f"{__package__}.") and callable(one):
        name = getattr(one, "__name__", "?")
        fault(f"{subject}: svc.{name} stands without parentheses. Write svc.{name}(…)")


def merged(options: dict[str, Any], more: Mapping[str, Any], subject: str, fault: Any) -> dict[str, Any]:
    """Joins the options of two objects in one ``Annotated``; reports those that both have."""
    for name in more:
        if name in options:
            fault(f'{subject} has the option "{name}" twice. Drop one')
    return {**options, **more}
