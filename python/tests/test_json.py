"""JSON as JavaScript prints it."""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid

import pytest

from svc._json import print_json, print_number, to_json
from svc._unset import UNSET


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (100.0, "100"),
        (120.5, "120.5"),
        (1e16, "10000000000000000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (-1.234e-7, "-1.234e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert print_number(value) == text


def test_texts() -> None:
    assert print_json('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é\U0001f600') == '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028é\U0001f600"'
    assert print_json("\ud800x\udc00") == '"\\ud800x\\udc00"'
    assert print_json("\ud83d\ude00") == '"\U0001f600"'


def test_objects_and_lists() -> None:
    assert print_json({}) == "{}"
    assert print_json([]) == "[]"
    assert print_json({"a": [1, {"b": None}], "c": True}) == (
        '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": true\n}'
    )


def test_array_indexes_come_first() -> None:
    keys = ["b", "10", "2", "01", "4294967295", "4294967294", "-1"]
    printed = print_json(dict.fromkeys(keys, 0))
    order = [line.strip().split('"')[1] for line in printed.splitlines()[1:-1]]
    assert order == ["2", "10", "4294967294", "b", "01", "4294967295", "-1"]


class Level(enum.Enum):
    LOW = "low"


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (decimal.Decimal("1.50"), "1.50"),
        (decimal.Decimal("1E+3"), "1000"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.time(8, 30), "08:30:00"),
        (datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc), "2026-01-02T00:00:00Z"),
        (Level.LOW, "LOW"),
        ((1, [2.5]), [1, [2.5]]),
        ({"a": (True, None)}, {"a": [True, None]}),
    ],
)
def test_values_of_python(value: object, json: object) -> None:
    assert to_json(value) == json


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        decimal.Decimal("NaN"),
        {1},
        object(),
        datetime.datetime(2026, 1, 2),
        {1: "a"},
        [{"a": {2}}],
        b"x",
        int,
    ],
)
def test_values_that_json_cannot_say(value: object) -> None:
    assert to_json(value) is UNSET
