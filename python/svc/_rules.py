"""Validation rules for values of clients."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ._json import to_json
from ._names import RULE_KEYS
from ._nearest import did_you_mean
from ._unset import UNSET

RULES_WANTED = f'a rule or a list of rules: "required", or svc.validate(…) with {", ".join(RULE_KEYS)}'


class Validation:
    """The rules of ``svc.validate(…)``. A value has to pass all of them."""

    __slots__ = ("rules",)

    def __init__(self, rules: list[Any]) -> None:
        self.rules = rules

    def __repr__(self) -> str:
        return f"svc.validate({', '.join(map(repr, self.rules))})"


def flat_rules(given: object) -> list[Any]:
    """Returns the single rules of a value of the option ``validate``."""
    if isinstance(given, Validation):
        return [rule for one in given.rules for rule in flat_rules(one)]
    if isinstance(given, (list, tuple)):
        return [rule for one in given for rule in flat_rules(one)]
    return [given]


def read_rules(given: Any) -> Any:
    """Converts rules to the format of schema.json. The compiler checks their meaning.

    Returns:
        ``UNSET`` for a value that is no rule, and for an empty list or dict.
    """
    if isinstance(given, Validation):
        return read_rules(given.rules[0] if len(given.rules) == 1 else given.rules)
    if isinstance(given, str):
        return given if given == "required" else UNSET
    if isinstance(given, (list, tuple)):
        rules = [read_rules(one) for one in given]
        return UNSET if len(rules) == 0 or UNSET in rules else rules
    if not isinstance(given, Mapping):
        return UNSET
    out: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        read = _read_parameter(name, value) if name in RULE_KEYS else UNSET
        if read is UNSET:
            return UNSET
        out[name] = read
    return out if out else UNSET


def _read_parameter(name: str, value: Any) -> Any:
    if name == "pattern":
        return _read_pattern(value)
    if name == "custom":
        return value if isinstance(value, str) else UNSET
    if name in ("all", "any"):
        return read_rules(value)
    if isinstance(value, Mapping):
        members = {key: read_rules(one) if key == "then_rules" else to_json(one) for key, one in value.items()}
        return UNSET if UNSET in members.values() else members
    return to_json(value)


def _read_pattern(value: Any) -> Any:
    if isinstance(value, re.Pattern):
        is_plain = isinstance(value.pattern, str) and value.flags & ~re.UNICODE == 0
        return value.pattern if is_plain else UNSET
    if isinstance(value, str):
        return value if value != "" else UNSET
    if not isinstance(value, Mapping):
        return UNSET
    pattern = _read_pattern(value.get("pattern"))
    return UNSET if not isinstance(pattern, str) else {**value, "pattern": pattern}


def rule_problem(given: Any) -> str | None:
    """Describes the problem of rules that ``read_rules`` refuses; ``None``: there is no specific message."""
    if isinstance(given, Validation):
        return rule_problem(given.rules)
    if isinstance(given, str):
        return f'"{given}" is no rule by itself, only "required" is.'
    if isinstance(given, re.Pattern):
        return f"a regular expression stands under its name: svc.validate(pattern={given.pattern!r})."
    if isinstance(given, (list, tuple)):
        if len(given) == 0:
            return "there is no rule in it."
        said = (rule_problem(one) for one in given if read_rules(one) is UNSET)
        return next((one for one in said if one is not None), None)
    if not isinstance(given, Mapping):
        return None
    if all(value is None for value in given.values()):
        return "there is no rule in it."
    unknown = next((key for key in given if key not in RULE_KEYS), None)
    if unknown is not None:
        return f'it has no "{unknown}".{did_you_mean(str(unknown), RULE_KEYS)}'
    problems = (_parameter_problem(name, value) for name, value in given.items() if value is not None)
    return next((one for one in problems if one is not None), None)


def _parameter_problem(name: str, value: Any) -> str | None:
    if _read_parameter(name, value) is not UNSET:
        return None
    if name == "pattern":
        return _pattern_problem(value.get("pattern") if isinstance(value, Mapping) else value)
    if name == "custom":
        return _custom_problem(value)
    if name in ("all", "any"):
        return rule_problem(value)
    if name == "conditional" and isinstance(value, Mapping):
        return rule_problem(value.get("then_rules"))
    return f"{name} does not take this value."


def _custom_problem(value: Any) -> str:
    if callable(value):
        called = getattr(value, "__name__", "check")
        return (
            f"custom is the Python function {called}, and the server, which runs validators, runs JavaScript. "
            f'Write it in a module, declare svc.author_function("validator", "{called}", module="./rules.mjs"), '
            f'and name it: custom="{called}".'
        )
    return "custom wants the name of a validator: custom=\"even\", beside svc.author_function(\"validator\", \"even\", …)."


def _pattern_problem(value: Any) -> str:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        return (
            f"the pattern {value.pattern!r} is compiled with flags, and patterns have none: "
            "write what they mean into the expression, [Aa] say."
        )
    return "pattern wants a regular expression, as text or compiled by re.compile()."
