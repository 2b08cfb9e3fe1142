"""Types of the schema from annotations."""

from __future__ import annotations

import datetime
import decimal
import enum
import sys
import typing
import uuid
from typing import Annotated, Any, ForwardRef, Generic, List, Literal, NewType, Optional, TypeVar, Union

import pytest

import svc
from svc._annotations import Names, NotAType, print_annotation
from svc._names import SCALAR_NAMES

T = TypeVar("T")


class Page(Generic[T]): ...


class Plain: ...


class Color(enum.Enum):
    RED = "red"


def shown(annotation: Any) -> str:
    return print_annotation(annotation, Names(__name__), lambda name, is_builtin: None)


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (str, "String!"),
        (int, "Int!"),
        (float, "Float!"),
        (bool, "Boolean!"),
        (datetime.datetime, "DateTime!"),
        (datetime.date, "Date!"),
        (datetime.time, "Time!"),
        (uuid.UUID, "UUID!"),
        (decimal.Decimal, "Decimal!"),
        (svc.ID, "ID!"),
        (svc.JSON, "JSON!"),
        (Optional[svc.JSON], "JSON"),
        (Optional[str], "String"),
        (Union[None, str], "String"),
        (list[str], "[String!]!"),
        (List[str], "[String!]!"),
        (Optional[list[str]], "[String!]"),
        (list[Optional[str]], "[String]!"),
        (list[list[svc.ID]], "[[ID!]!]!"),
        (Optional[List[Optional[int]]], "[Int]"),
        ("str", "String!"),
        ("list['str']", "[String!]!"),
        (list["str"], "[String!]!"),  # type: ignore[name-defined]
        ("svc.Email | None", "Email"),
        (Optional["svc.Email"], "Email"),
        (ForwardRef("datetime.date"), "Date!"),
        ("typing.Optional[datetime.date]", "Date"),
        (Annotated[str, "a note of another package"], "String!"),
    ],
)
def test_types(annotation: Any, text: str) -> None:
    assert shown(annotation) == text


@pytest.mark.parametrize("name", SCALAR_NAMES)
def test_scalars(name: str) -> None:
    assert shown(getattr(svc, name)) == f"{name}!"
    assert shown(Optional[getattr(svc, name)]) == name


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type X = … needs Python 3.12")
def test_type_aliases() -> None:
    names: dict[str, Any] = {"svc": svc}
    exec("type Name = str | None\ntype Names = list[Name]", names)
    assert shown(names["Names"]) == "[String]!"


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (Any, "Any is not a type of the schema. For any JSON, write svc.JSON"),
        (object, "object is not a type of the schema. For any JSON, write svc.JSON"),
        (None, "None alone is not a type"),
        (list, "a list needs the type of its items: list[Post]"),
        (List, "a list needs the type of its items: list[Post]"),
        (tuple[int, ...], "tuple is not a type of the schema. Write list[…]"),
        (set[str], "set is not a type of the schema. Write list[…]"),
        (typing.Sequence[str], "Sequence is not a type of the schema. Write list[…]"),
        (dict[str, int], "dict is not a type of the schema. For any JSON, write svc.JSON"),
        (dict, "dict is not a type of the schema. For any JSON, write svc.JSON"),
        (Page[str], "is generic, and the schema has no generic types. Declare a type of its own for each"),
        (Page, "is generic, and the schema has no generic types"),
        (T, "T is a type variable, and the schema has no generic types"),
        (Literal["a"], "Literal is not a type of the schema. Declare its texts as an enum"),
        (Union[int, str], "int | str is several types. A field has one, or one | None"),
        (Union[Plain, Color], "a union of the schema needs one: @svc.union(members=[Plain, Color])"),
        (Plain, "the class Plain is not declared: put @svc.type, @svc.input"),
        (Color, "the enum Color is not declared: put @svc.enum on it"),
        (NewType("UserId", str), "UserId is not a type of the schema"),
        (7, "7 is not a type of the schema"),
        ("1 +", '"1 +" is not a type'),
        ("'str' | None", "raises TypeError"),
        ("svc.Nope", "raises AttributeError"),
        (list[Annotated[str, svc.field(column="x")]], "svc.field(…) stands on an item of the list"),
    ],
)
def test_what_is_no_type(annotation: Any, message: str) -> None:
    with pytest.raises(NotAType) as caught:
        shown(annotation)
    assert message in str(caught.value)
