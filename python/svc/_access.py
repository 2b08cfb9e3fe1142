"""Access decorators of queries, mutations, subscriptions and fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ._place import caller_place
from ._registry import Mark, Place, current, report

T = TypeVar("T")

ACCESS_KEYS = ("authenticated", "api_key_required", "requires_scope", "requires_role")


class AccessMark:
    """The result of an access decorator. In ``Annotated``, it protects a field."""

    __slots__ = ("keys", "place", "word")

    def __init__(self, word: str, keys: dict[str, Any], place: Place) -> None:
        self.word = word
        self.keys = keys
        self.place = place

    def __call__(self, function: T, /) -> T:
        self._mark(function)
        return function

    def _mark(self, function: Any) -> None:
        if isinstance(function, type) or not callable(function) and not hasattr(function, "__func__"):
            what = f'the class "{function.__name__}"' if isinstance(function, type) else repr(function)
            report(self.place, f"@svc.{self.word} stands on {what}. It belongs on the function of a query or mutation")
            return
        target = getattr(function, "__func__", function)
        before = [mark for other, mark in current().marks if other is target]
        if any(key in mark.keys for key in self.keys for mark in before):
            name = getattr(function, "__name__", "?")
            report(self.place, f'@svc.{self.word} stands on "{name}" twice. Write it once')
        current().marks.append((target, Mark(self.word, self.place, self.keys)))

    def __repr__(self) -> str:
        return f"svc.{self.word}(…)"


def make_mark(word: str, given: Sequence[object], keys: dict[str, Any]) -> Any:
    """Makes a decorator that is written with or without parentheses."""
    mark = AccessMark(word, keys, caller_place())
    return mark if len(given) == 0 else mark(given[0])


def checked_texts(word: str, texts: Sequence[object]) -> list[str]:
    """Returns the texts of ``@svc.role`` or ``@svc.requires_scope``; reports other values."""
    good = [one for one in texts if isinstance(one, str) and one != ""]
    if len(good) == len(texts) and good:
        return good
    report(caller_place(), f'@svc.{word} wants one or more texts: @svc.{word}("…")')
    return ["?"]


def keys_of_function(function: object, options: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Returns the access keys that decorators have set on a function."""
    keys: dict[str, Any] = {}
    for target, mark in current().marks:
        if target is function:
            mark.claimed = True
            keys.update(mark.keys)
            for key in mark.keys:
                if key in options:
                    report(mark.place, f'"{name}" has {key} as decorator and as option. Drop one')
    return keys


def keys_of_field(
    marks: Sequence[AccessMark], options: Mapping[str, Any], name: str, fault: Callable[[str], None]
) -> dict[str, Any]:
    """Returns the access keys in the ``Annotated`` of a field. Like decorators, the last one applies first."""
    keys: dict[str, Any] = {}
    for mark in reversed(marks):
        for key, value in mark.keys.items():
            if key in keys:
                fault(f'svc.{mark.word} stands on "{name}" twice. Write it once')
            if key in options:
                fault(f'"{name}" has {key} as svc.{mark.word} and as option. Drop one')
            keys[key] = value
    return keys
