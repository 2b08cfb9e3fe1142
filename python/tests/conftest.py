"""Fixtures: every test has a registry of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import svc

PACKAGE = Path(svc.__file__).resolve().parent.parent
Ran = subprocess.CompletedProcess[str]


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    with svc.fresh_registry():
        yield


@pytest.fixture
def faults() -> Callable[[], list[str]]:
    """Returns the messages of all faults, without their places."""

    def collect() -> list[str]:
        with pytest.raises(svc.SchemaError) as caught:
            svc.collect()
        return [fault.message for fault in caught.value.faults]

    return collect


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Ran]:
    """Writes files into an empty folder and runs Python there."""

    def start(files: dict[str, str], *command: str, **environment: str) -> Ran:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("SVC_")}
        env: dict[str, Any] = {
            **kept,
            "PYTHONPATH": str(PACKAGE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONIOENCODING": "utf-8",
            **environment,
        }
        return subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", timeout=60
        )

    return start


def is_required() -> bool:
    """Whether a missing tool fails a test, as in CI."""
    return os.environ.get("SVC_TEST_REQUIRE") == "all"


def skip(reason: str) -> None:
    """Skips a test whose tool is missing, or fails it in CI."""
    if is_required():
        pytest.fail(reason)
    pytest.skip(reason)
