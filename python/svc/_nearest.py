"""The name that is most similar to a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable

# A longer name is no typing mistake, and the time of a comparison grows with its length.
_LONGEST = 100
# Shorter starts match by chance.
_SHORTEST_START = 4


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Returns the candidate that is most similar to a name; ``None``: no candidate is similar enough."""
    if len(name) > _LONGEST:
        return None
    wanted = name.lower()
    best: str | None = None
    best_distance = max(2, len(name) // 3) + 1
    for candidate in candidates:
        if abs(len(candidate) - len(name)) >= best_distance:
            continue
        distance = _distance(wanted, candidate.lower())
        if distance < best_distance:
            best, best_distance = candidate, distance
    return best


def longest_start(name: str, candidates: Iterable[str]) -> str | None:
    """Returns the longest candidate that the words of a name begin with: ``cache_ttl`` for ``cache_ttl_seconds``."""
    starts = [one for one in candidates if len(one) >= _SHORTEST_START and name.startswith(f"{one}_")]
    return max(starts, key=lambda one: len(one)) if starts else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Returns `` Did you mean "x"?`` with a leading space, or an empty text."""
    guess = nearest(name, candidates)
    return "" if guess is None else f' Did you mean "{guess}"?'


def list_names(names: Iterable[str], most: int = 20) -> str:
    """Returns ``a, b, c`` for messages, with at most ``most`` names."""
    every = list(names)
    shown = ", ".join(every[:most])
    return f"{shown} and {len(every) - most} more" if len(every) > most else shown


def _distance(a: str, b: str) -> int:
    """Levenshtein distance of two texts."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]
