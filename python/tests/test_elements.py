"""What the corpus cannot show because TypeScript has no counterpart: forms of classes, enums and defaults."""

from __future__ import annotations

import dataclasses
import enum
import functools
import os
import sys
from typing import Annotated, Any, ClassVar, Optional

import pytest

import svc


def only(collection: str) -> dict[str, Any]:
    (element,) = svc.collect()[collection]
    return {key: value for key, value in element.items() if key != "$place"}


def fields_of(element: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: value for key, value in field.items() if key != "$place"} for field in element["fields"]]


def test_a_type_whose_name_begins_like_a_class_variable() -> None:
    @svc.type
    class ClassVariant:
        id: svc.ID

    @svc.type
    class Holder:
        variant: ClassVariant | None
        known: ClassVar[int] = 1

    holder = next(one for one in svc.collect()["types"] if one["name"] == "Holder")
    assert fields_of(holder) == [{"name": "variant", "type": "ClassVariant"}]


def test_a_field_that_is_declared_again_keeps_its_position() -> None:
    class Base:
        id: svc.ID
        name: str
        _registry: ClassVar[dict[str, int]] = {}

    @svc.type
    class User(Base):
        age: int
        id: Annotated[svc.ID, svc.field(column="pk")]

        def greeting(self) -> str:
            return "Hello"

        @property
        def short(self) -> str:
            return self.name

    assert fields_of(only("types")) == [
        {"name": "id", "type": "ID!", "column": "pk"},
        {"name": "name", "type": "String!"},
        {"name": "age", "type": "Int!"},
    ]


@pytest.mark.parametrize("slots", [False, True])
def test_dataclasses_above_and_below(slots: bool) -> None:
    @dataclasses.dataclass(slots=slots)
    @svc.input
    class Above:
        tags: list[str] = dataclasses.field(default_factory=lambda: ["a"])
        size: int = 3

    @svc.input
    @dataclasses.dataclass(slots=slots)
    class Below:
        tags: list[str] = dataclasses.field(default_factory=lambda: ["a"])
        size: int = 3
        above: Optional[Above] = None

    above, below = svc.collect()["input_types"]
    assert "description" not in above
    assert "description" not in below
    expected = [{"name": "tags", "type": "[String!]!", "default": ["a"]}, {"name": "size", "type": "Int!", "default": 3}]
    assert fields_of(above) == expected
    assert fields_of(below) == [*expected, {"name": "above", "type": "Above"}]


def test_enums_of_texts() -> None:
    @svc.enum
    class Status(str, enum.Enum):
        """State"""

        DRAFT = "draft"
        "Not sent"
        SENT = "SENT"

    assert only("enums") == {
        "name": "Status",
        "description": "State",
        "values": [{"name": "DRAFT", "value": "draft", "description": "Not sent"}, {"name": "SENT"}],
    }


@pytest.mark.skipif(sys.version_info < (3, 11), reason="StrEnum needs Python 3.11")
def test_str_enum_without_docstring() -> None:
    @svc.enum
    class Status(enum.StrEnum):
        DRAFT = enum.auto()

    assert only("enums") == {"name": "Status", "values": [{"name": "DRAFT", "value": "draft"}]}


def test_enum_without_docstring_has_no_description() -> None:
    @svc.enum
    class Status(enum.Enum):
        DRAFT = "draft"

    assert "description" not in only("enums")


def test_default_of_an_enum_is_its_name() -> None:
    @svc.enum
    class Plain:
        LOW = "low"
        SAME_A = "same"
        SAME_B = "same"

    @svc.input
    class Want:
        a: str = "x"
        b: Plain = Plain.LOW  # type: ignore[assignment]
        c: Plain = "LOW"  # type: ignore[assignment]
        d: list[Plain] = ["low", "LOW"]  # type: ignore[list-item]
        e: Plain = "same"  # type: ignore[assignment]
        f: Plain = "other"  # type: ignore[assignment]

    defaults = [field.get("default") for field in only("input_types")["fields"]]
    assert defaults == ["x", "LOW", "LOW", ["LOW", "LOW"], "same", "other"]


def test_operations_in_a_class() -> None:
    class Queries:
        @svc.query
        def a(self, id: svc.ID) -> str: ...

        @svc.query
        @staticmethod
        def b(id: svc.ID) -> str: ...

        @staticmethod
        @svc.query
        async def c(id: svc.ID, /, *, tag: str | None = None) -> str:
            """Text"""
            raise NotImplementedError

    a, b, c = svc.collect()["queries"]
    assert [one["name"] for one in (a, b, c)] == ["a", "b", "c"]
    assert a["arguments"] == b["arguments"] == [{"name": "id", "type": "ID!"}]
    assert c["arguments"] == [{"name": "id", "type": "ID!"}, {"name": "tag", "type": "String"}]
    assert c["description"] == "Text"


def test_a_function_that_another_decorator_wraps() -> None:
    def logged(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any, **named: Any) -> Any:
            return function(*args, **named)

        return wrapper

    @svc.query
    @logged
    def a(id: svc.ID) -> str: ...

    assert only("queries") == {"name": "a", "type": "String!", "arguments": [{"name": "id", "type": "ID!"}]}


def test_an_option_wins_over_the_docstring() -> None:
    @svc.query(description="Option")
    def a() -> str:
        """Docstring"""
        raise NotImplementedError

    @svc.type(description="Option")
    class A:
        """Docstring"""

        id: Annotated[svc.ID, svc.field(description="Option")]
        "Text"

    assert only("queries")["description"] == "Option"
    assert only("types")["description"] == "Option"
    assert only("types")["fields"][0]["description"] == "Option"


def test_rules_of_nested_annotations_are_in_the_order_of_the_source() -> None:
    @svc.input
    class Want:
        name: Annotated[Optional[Annotated[str, svc.validate(min_length=1)]], svc.validate(max_length=9)]

    (field,) = fields_of(only("input_types"))
    assert field == {"name": "name", "type": "String", "validate": [{"min_length": 1}, {"max_length": 9}]}


def test_schema_keys_replace_nothing() -> None:
    svc.schema_keys({"types": 1, "label": 2})
    assert svc.collect() == {"version": "2.0.0", "types": [], "queries": [], "mutations": [], "label": 2}


def test_places_of_classes_of_one_name_and_the_order_of_faults() -> None:
    @svc.union(members=[])
    class Late: ...

    @svc.type
    class Twin:
        id: Annotated[svc.ID, svc.field(sql=1)]  # type: ignore[arg-type]

    @svc.type
    class Twin:  # type: ignore[no-redef]
        name: svc.ID
        id: Annotated[svc.ID, svc.field(sql=2)]  # type: ignore[arg-type]

    with pytest.raises(svc.SchemaError) as caught:
        svc.collect()
    lines = [fault.place.line for fault in caught.value.faults]
    assert [line - lines[0] for line in lines] == [0, 5, 7, 10]
    assert str(caught.value).startswith(f"{os.path.relpath(__file__)}:{lines[0]}:5: union")


def test_names_of_other_modules_need_no_import() -> None:
    def declare() -> None:
        @svc.type
        class Hidden:
            id: svc.ID

    declare()

    @svc.query
    def hidden() -> "list[Hidden]": ...  # type: ignore[name-defined] # noqa: F821

    assert only("queries")["type"] == "[Hidden!]!"


def test_local_variables_of_a_function() -> None:
    def declare(limit: int) -> None:
        @svc.input
        class Want:
            name: Annotated[str, svc.validate(max_length=limit)]

        @svc.query
        def words(text: Annotated[str, svc.validate(max_length=limit)]) -> str: ...

    declare(7)
    assert fields_of(only("input_types")) == [{"name": "name", "type": "String!", "validate": {"max_length": 7}}]
    assert only("queries")["arguments"][0]["validate"] == {"max_length": 7}


def test_a_value_that_is_no_name_of_the_module(faults: Any) -> None:
    @svc.input
    class Want:
        name: "Annotated[str, svc.validate(max_length=LIMIT)]"  # type: ignore[name-defined] # noqa: F821

    assert 'input field "Want.name": its annotation uses "LIMIT", which is no name of its module' in faults()


def test_places() -> None:
    @svc.type(
        relay=True,
    )
    class User:
        id: svc.ID

        name: Annotated[
            str,
            svc.field(column="x"),
        ]

    (element,) = svc.collect()["types"]
    line = element["$place"].line
    assert element["$place"].file == __file__
    assert [(one["$place"].line - line, one["$place"].column) for one in element["fields"]] == [(4, 9), (6, 9)]


def test_a_registry_of_its_own_is_empty_again() -> None:
    with svc.fresh_registry():
        svc.hierarchy("a", type="A")
    assert svc.collect() == {"version": "2.0.0", "types": [], "queries": [], "mutations": []}


def test_help_shows_the_options() -> None:
    import inspect

    assert "full_text" in inspect.signature(svc.argument).parameters
    for name in ("type", "query", "mutation", "field", "validate", "observer", "union"):
        text = inspect.getdoc(getattr(svc, name)) or ""
        assert "Example::" in text
        assert "Options:" in text
        assert "svc.export()" in text
