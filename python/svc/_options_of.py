"""Options of elements: reads them by the table of the element."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._forms import Rule
from ._nearest import did_you_mean, list_names, longest_start
from ._unset import UNSET

Faulted = Callable[[str], None]

# Names of options in older samples that are not similar to the valid names, with the valid names.
_FORMER_NAMES = {"fn_name": "sql_source"}


def given(**options: Any) -> dict[str, Any]:
    """Returns the options that a caller has set. ``None`` counts as not set, except for ``default``."""
    return {
        name: value for name, value in options.items() if value is not UNSET and (value is not None or name == "default")
    }


def read_options(
    rules: Mapping[str, Rule], options: Mapping[str, Any], subject: str, fault: Faulted, ready: Mapping[str, Any] = {}
) -> dict[str, Any]:
    """Converts options to keys of schema.json, in the order of the table. Reports unknown options and wrong values.

    Args:
        subject: how messages name the element: ``query "users"``
        ready: values that are already in the format of schema.json, by the names of their options
    """
    names = [name for name, rule in rules.items() if not rule.is_hidden]
    for name in options:
        if name not in names:
            meant = _FORMER_NAMES.get(name) or longest_start(name, names) or name
            fault(f'{subject} has no option "{name}".{did_you_mean(meant, names)} Options: {list_names(names, 50)}')
    out: dict[str, Any] = {}
    for name, rule in rules.items():
        if name in ready:
            out[rule.key] = ready[name]
        if name not in options or rule.is_hidden or rule.key == "" and not rule.is_extra:
            continue
        value = rule.read(options[name])
        if value is UNSET:
            problem = rule.problem(options[name])
            fault(f'option "{name}" of {subject} wants {rule.wants}{"" if problem is None else f": {problem}"}')
        elif rule.is_extra:
            _add_extra(rules, value, subject, out, fault)
        else:
            out[rule.key] = value
    return out


def _add_extra(
    rules: Mapping[str, Rule], keys: Mapping[str, Any], subject: str, out: dict[str, Any], fault: Faulted
) -> None:
    for key, value in keys.items():
        option = next((name for name, rule in rules.items() if rule.key == key), None)
        if option is None and key not in ("name", "type", "fields"):
            out[key] = value
        else:
            fault(f'"{key}" in extra of {subject} is no key of a plugin: write it as the option "{option or key}"')


def read_name(options: dict[str, Any], default: str, subject: str, fault: Faulted) -> str:
    """Takes the option ``name`` from the options of an element."""
    name = options.pop("name", None)
    if name is None:
        return default
    if isinstance(name, str) and name != "":
        return name
    fault(f'option "name" of {subject} wants a text')
    return default
