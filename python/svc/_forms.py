"""The forms that values of options have: how each is checked, described, and converted to schema.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ._brand import brand_of
from ._json import to_json
from ._nearest import did_you_mean
from ._rules import RULES_WANTED, read_rules, rule_problem
from ._unset import UNSET


def _no_problem(_value: object) -> str | None:
    return None


@dataclass(frozen=True)
class Rule:
    """Describes how an option is converted to a key of schema.json."""

    wants: str
    """Description of the valid values: ``a text``."""
    read: Callable[[Any], Any]
    """Converts a value; ``UNSET``: the value is invalid."""
    problem: Callable[[Any], str | None] = _no_problem
    """Describes a problem of a rejected value more specifically than ``wants``."""
    key: str = ""
    """Key in schema.json. Empty: the element's own code reads the option."""
    is_extra: bool = False
    """Whether the members of the value become keys of the element."""
    is_hidden: bool = False
    """Whether the package itself sets the key, so that authors have no option for it."""

    def __call__(self, key: str) -> Rule:
        return replace(self, key=key)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple))


def _texts(value: Any) -> Any:
    return [str(one) for one in value] if _is_list(value) and all(map(_is_text, value)) else UNSET


def _text_or_texts(value: Any) -> Any:
    if _is_text(value):
        return str(value)
    return _texts(value) if _is_list(value) and len(value) > 0 else UNSET


def _count(value: Any) -> Any:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_count else UNSET


def _object(value: Any) -> Any:
    return to_json(value) if isinstance(value, Mapping) else UNSET


def _claims(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return UNSET
    is_valid = all(
        isinstance(key, str) and isinstance(one, str) and one.startswith("jwt:") and len(one) > 4
        for key, one in value.items()
    )
    return dict(value) if is_valid else UNSET


def _entity(value: Any) -> Any:
    if _is_text(value):
        return value
    brand = brand_of(value)
    return UNSET if brand is None else brand.name


def _interfaces(value: Any) -> Any:
    names = [_entity(one) for one in value] if _is_list(value) else [UNSET]
    return UNSET if UNSET in names else names


def _actions(value: Any) -> Any:
    if not _is_list(value) or not all(isinstance(one, Mapping) for one in value):
        return UNSET
    return to_json(value)


def _changes(value: Any) -> Any:
    every = list(value) if _is_list(value) else [value]
    is_valid = len(every) > 0 and all(one in ("INSERT", "UPDATE", "DELETE") for one in every)
    return (every if _is_list(value) else value) if is_valid else UNSET


def _scalar(value: Any) -> Any:
    brand = brand_of(value)
    return brand.name if brand is not None and brand.is_builtin else UNSET


def _never(_value: object) -> Any:
    return UNSET


TEXT = Rule("a text", lambda value: str(value) if _is_text(value) else UNSET)
FLAG = Rule("True or False", lambda value: value if isinstance(value, bool) else UNSET)
COUNT = Rule("a whole number from 0", _count)
TEXTS = Rule("a list of texts", _texts)
TEXT_OR_TEXTS = Rule("a text or a list of texts", _text_or_texts)
JSON = Rule("a value that JSON can say", to_json)
EXTRA = replace(Rule("a dict that JSON can say", _object), is_extra=True)
CLAIMS = Rule('a dict like {"owner_id": "jwt:sub"}', _claims)
ENTITY = Rule("a type: its class or its name", _entity)
INTERFACES = Rule("a list of interfaces: classes, or names", _interfaces)
ACTIONS = Rule("a list of actions: webhook(), email(), chat()", _actions)
CHANGES = Rule('"INSERT", "UPDATE", "DELETE", or a list of them', _changes)
SCALAR = Rule("a built-in scalar, svc.Decimal for example", _scalar)
RULES = Rule(RULES_WANTED, read_rules, rule_problem)
APART = Rule("", _never)
"""Rule for an option that the element's own code reads."""
HIDDEN = replace(APART, is_hidden=True)
"""Rule for a key that annotations give."""


def one_of(*values: str, wants: str | None = None) -> Rule:
    """Makes the rule for an option that has one of some texts."""
    return Rule(
        wants or f"one of {', '.join(values)}",
        lambda value: str(value) if isinstance(value, str) and value in values else UNSET,
    )


def record(rules: Mapping[str, Rule], required: Sequence[str] = (), wants: str | None = None) -> Rule:
    """Makes the rule for an option whose value is a dict with options of its own."""

    def read(given: Any) -> Any:
        value = options_in(given)
        if value is None or any(key not in rules for key in value):
            return UNSET
        if any(value.get(key) is None for key in required):
            return UNSET
        out: dict[str, Any] = {}
        for name, rule in rules.items():
            if value.get(name) is None:
                continue
            inner = rule.read(value[name])
            if inner is UNSET:
                return UNSET
            out[rule.key] = inner
        return out

    def problem(given: Any) -> str | None:
        value = options_in(given)
        return None if value is None else unknown_key_in(value, rules)

    return Rule(wants or f"a dict with {', '.join(rules)}", read, problem)


def list_of(item: Rule) -> Rule:
    """Makes the rule for a list that is not empty."""

    def read(value: Any) -> Any:
        items = [item.read(one) for one in value] if _is_list(value) else []
        return UNSET if len(items) == 0 or UNSET in items else items

    return Rule("a list of conditions", read)


def either(*rules: Rule) -> Rule:
    """Combines several rules into one, which uses the first rule that accepts the value."""

    def read(value: Any) -> Any:
        return next((out for out in (rule.read(value) for rule in rules) if out is not UNSET), UNSET)

    def problem(value: Any) -> str | None:
        return next((said for said in (rule.problem(value) for rule in rules) if said is not None), None)

    return Rule(" or ".join(rule.wants for rule in rules), read, problem)


def options_in(given: object) -> Mapping[str, Any] | None:
    """Returns the options of a dict, or of an object like ``RetryConfig``; ``None``: the value is neither."""
    if isinstance(given, Mapping):
        return given
    options = getattr(given, "__svc_options__", None)
    return options if isinstance(options, Mapping) else None


def unknown_key_in(value: Mapping[str, Any], keys: Mapping[str, object]) -> str | None:
    """Describes the first key of a dict that is not in a table; ``None``: there is none."""
    unknown = next((key for key in value if key not in keys), None)
    return None if unknown is None else f'it has no "{unknown}".{did_you_mean(str(unknown), keys)}'
